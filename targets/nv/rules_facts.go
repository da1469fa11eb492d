package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// factRules are what constants and known ranges make cheaper. They stand before
// the rules for general operands.
func (g isa) factRules(general isel.Table) isel.Table {
	return slices.Concat(lessRules(PredCarry, general), g.scaleRules(), g.narrowRules(), fieldRules, g.vmadFactRules())
}

// lessRules: an addend of 0 and a carry-in of 0, or after sub of 1, leave the form
// without it.
func lessRules(needs ir.Features, general isel.Table) isel.Table {
	less := func(name, forms string, f isel.Fact, without func(f ptx.Form) ptx.Form) isel.Rule {
		return isel.G(name, forms, needs, func(f ptx.Form, m ptx.Model) []expr {
			f = without(f)
			name := f.Name()
			for i := range general {
				if r := &general[i]; len(r.When) == 0 && isel.Match(r.Forms, name) {
					if r.Gen == nil {
						return r.Out
					}
					if out := r.Gen(f, m); out != nil {
						return out
					}
				}
			}
			return nil
		}).If(f)
	}
	noCarry := func(op ptx.Op) func(f ptx.Form) ptx.Form {
		return func(f ptx.Form) ptx.Form {
			f.Op = op
			return f
		}
	}
	return isel.Table{
		less("addc is add", "addc.*", isel.Is(2, 0), noCarry(ptx.Add)),
		less("subc is sub", "subc.*", isel.Is(2, 1), noCarry(ptx.Sub)),
		less("madc is mad", "madc.*{32,64}", isel.Is(3, 0), noCarry(ptx.Mad)),
		less("mad24.hi is mul24.hi", "mad24.hi.*", isel.Is(2, 0), func(f ptx.Form) ptx.Form {
			f.Op, f.Sat = ptx.Mul24, false
			return f
		}),
		less("mad.hi is mul.hi", "mad.hi.{u,s}*", isel.Is(2, 0), noCarry(ptx.Mul)),
		less("mad.hi.sat is mul.hi", "mad.hi.sat.*", isel.Is(2, 0), func(f ptx.Form) ptx.Form {
			f.Op, f.Sat = ptx.Mul, false
			return f
		}),
		withoutCarry(less("mad.cc is mul", "mad.{lo,hi}.cc.*", isel.Is(2, 0), func(f ptx.Form) ptx.Form {
			f.Op, f.CC = ptx.Mul, false
			return f
		})),
	}
}

// withoutCarry adds a carry-out of 0 to a rule's results.
func withoutCarry(r isel.Rule) isel.Rule {
	gen := r.Gen
	r.Gen = func(f ptx.Form, m ptx.Model) []expr {
		return append(slices.Clone(gen(f, m)), zero)
	}
	return r
}

// narrowRules are for multiplies of operands that are known to be narrow.
func (g isa) narrowRules() isel.Table {
	var t isel.Table
	for _, known := range [...][2]bool{{true, true}, {false, true}, {true, false}} {
		for _, signed := range [...]bool{false, true} {
			t = append(t, isel.G("24 bits", "m{ul,ad}24.*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
				if f.T.Signed() != signed {
					return nil
				}
				return g.mul24Known(f, known)
			}).If(facts(known, func(i int) isel.Fact {
				if signed {
					return isel.FitsS(i, 24)
				}
				return isel.FitsU(i, 24)
			})...))
		}
		t = append(t, isel.G("15 bits", "m{ul,ad}.{hi,wide}.s16", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
			return mul16Known(f, known)
		}).If(facts(known, func(i int) isel.Fact { return isel.FitsU(i, 15) })...))
	}
	return append(t,
		// Words, zero- or sign-extended.
		isel.R("mul.lo.{u,s}64", PredCarry, WIDE_U.Of(lo(a), lo(b), zero)).If(u32Words...),
		isel.R("mad.lo.{u,s}64", PredCarry, WIDE_U.Of(lo(a), lo(b), c)).If(u32Words...),
		isel.R("mul.lo.{u,s}64", PredCarry, WIDE.Of(lo(a), lo(b), zero)).If(s32Words...),
		isel.R("mad.lo.{u,s}64", PredCarry, WIDE.Of(lo(a), lo(b), c)).If(s32Words...),
		// a·b = aL·bL + aH·bL·2^32 where b is a word.
		isel.R("mul.lo.{u,s}64", PredCarry, wordTimes(a, b, zero)).If(isel.FitsU(1, 32)),
		isel.R("mad.lo.{u,s}64", PredCarry, wordTimes(a, b, c)).If(isel.FitsU(1, 32)),
		isel.R("mul.lo.{u,s}64", PredCarry, wordTimes(b, a, zero)).If(isel.FitsU(0, 32)),
		isel.R("mad.lo.{u,s}64", PredCarry, wordTimes(b, a, c)).If(isel.FitsU(0, 32)),
	)
}

// facts are those of the operands a and b that are known.
func facts(known [2]bool, fact func(i int) isel.Fact) []isel.Fact {
	var fs []isel.Fact
	for i, k := range known {
		if k {
			fs = append(fs, fact(i))
		}
	}
	return fs
}

// wordTimes is x·y + z of pairs, the high word of y being 0.
func wordTimes(x, y, z expr) expr {
	w := WIDE_U.Of(lo(x), lo(y), z)
	return pair(lo(w), IMAD.Of(hi(x), lo(y), hi(w)))
}

// mul24Known is mul24 or mad24 with a or b known to fit 24 bits, or both. Of the
// high product t<47..16> one factor that is not known is shifted up by 8, and the
// product down by as much more.
func (g isa) mul24Known(f ptx.Form, known [2]bool) []expr {
	x, y := a, b
	if f.Mode == ptx.Lo {
		cut := low24
		if f.T.Signed() {
			cut = sext24
		}
		if !known[0] {
			x = cut(x)
		}
		if !known[1] {
			y = cut(y)
		}
		if f.Op == ptx.Mad24 {
			return []expr{IMAD.Of(x, y, c)}
		}
		return []expr{IMAD.Of(x, y, zero)}
	}
	n := int64(24)
	switch known {
	case [2]bool{true, false}:
		x, y = shl(b, 8), a
	case [2]bool{false, true}:
		x = shl(a, 8)
	default:
		n = 16
	}
	t := widen(f.T.Signed()).Of(x, y, zero)
	if f.Op == ptx.Mad24 && !f.Sat { // ⌊t·2^(32−n) / 2^32⌋ + c
		return []expr{LEA_HI.Of(lo(t), c, hi(t), mach.K(32-n))}
	}
	d := SHR64.Of(lo(t), mach.K(n), hi(t))
	if f.Op == ptx.Mul24 {
		return []expr{d}
	}
	return []expr{g.addSat(d, c)}
}

// mul16Known is a signed multiply of halves where those that are known are not
// negative.
func mul16Known(f ptx.Form, known [2]bool) []expr {
	x, y := a, b
	if !known[0] {
		x = sext16(x)
	}
	if !known[1] {
		y = sext16(y)
	}
	z := zero
	switch {
	case f.Op == ptx.Mad && f.Mode == ptx.Hi:
		z = shl(c, 16)
	case f.Op == ptx.Mad:
		z = c
	}
	p := IMAD.Of(x, y, z)
	if f.Mode == ptx.Hi {
		p = shr(p, 16)
	}
	return []expr{p}
}

// fieldRules: counts below 256 need no mask; fields at bit 0, bytes and halves
// are one instruction.
var fieldRules = func() isel.Table {
	b256, c256, e256 := isel.Below(1, 256), isel.Below(2, 256), isel.Below(3, 256)
	t := isel.Table{
		isel.R("bfe.u32", PredCarry, SGXT_U.Of(a, c)).If(isel.Is(1, 0), c256),
		isel.R("bfe.s32", PredCarry, SGXT.Of(a, c)).If(isel.Is(1, 0), c256),
	}
	for _, s := range [...]ptx.Sel{ptx.B1, ptx.B2, ptx.B3, ptx.H1} {
		at, n := s.Range()
		t = append(t, isel.G("bfe part", "bfe.{u,s}32", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
			return []expr{factor{word: a, sel: s, signed: f.T.Signed()}.value()}
		}).If(isel.Is(1, uint64(at)), isel.Is(2, uint64(n))))
	}
	return append(t,
		isel.R("bfe.u32", PredCarry, SGXT_U.Of(SHR.Of(a, b), c)).If(b256, c256),
		isel.R("bfe.s32", PredCarry, SGXT.Of(SAR.Of(a, b), c)).If(b256, c256),
		// A field of 1 to 32 bits at bit 0 of a pair.
		isel.R("bfe.u64", PredCarry, pair(SGXT_U.Of(lo(a), c), zero)).If(isel.Is(1, 0), isel.Below(2, 33)),
		isel.R("bfe.s64", PredCarry, signPair(SGXT.Of(lo(a), c))).If(isel.Is(1, 0), isel.Fact{Arg: 2, Min: 1, Max: 32}),
		isel.R("bfi.b32", PredCarry, logic(SHL.Of(a, c), BMSK.Of(c, e), b, lutPick)).If(c256, e256),
	)
}()

// signPair is a word and its sign.
func signPair(x expr) expr { return pair(x, sar(x, 31)) }

// scaleRules multiply by 2^k: shifts, and LEA, which adds. The high part of a
// product with 2^k is a shifted right.
func (g isa) scaleRules() isel.Table {
	var t isel.Table
	for k := int64(1); k < 32; k++ {
		t = append(t, isel.G("times 2^k", "m*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
			switch mul := f.Op == ptx.Mul || f.Op == ptx.Mad; {
			case mul && f.T.Bits() == 32:
				return g.scaleWord(f, k)
			case mul && f.T.Bits() == 64:
				return result(g.scalePair(f, k))
			}
			return nil
		}).If(isel.Is(1, 1<<k)))
	}
	return t
}

func (g isa) scaleWord(f ptx.Form, k int64) []expr {
	n := mach.K(k)
	add, signed := f.Op == ptx.Mad, f.T.Signed()
	switch {
	case f.Mode == ptx.Wide, f.Sat, f.Mode == ptx.Hi && signed && k == 31: // 2^31 is negative
		return nil
	case f.CC && f.Mode == ptx.Lo:
		return carryOut(LEA_C.Of(a, c, n))
	case f.CC && signed:
		return carryOut(LEA_HI_SC.Of(a, c, n))
	case f.CC:
		return carryOut(LEA_HI_C.Of(a, c, zero, n))
	case f.Mode == ptx.Lo && add:
		return []expr{LEA.Of(a, c, n)}
	case f.Mode == ptx.Lo:
		return []expr{shl(a, k)}
	case signed && add:
		return []expr{LEA_HI_S.Of(a, c, n)}
	case signed:
		return []expr{sar(a, 32-k)}
	case add:
		return []expr{LEA_HI.Of(a, c, zero, n)}
	}
	return []expr{shr(a, 32-k)}
}

func (g isa) scalePair(f ptx.Form, k int64) expr {
	n := mach.K(k)
	switch {
	case f.CC:
		return none
	case f.Mode == ptx.Hi && f.Op == ptx.Mad:
		return g.add64(highScaled(k, f.T.Signed()), c)
	case f.Mode == ptx.Hi:
		return highScaled(k, f.T.Signed())
	case f.Op == ptx.Mad:
		l := LEA_C.Of(lo(a), lo(c), n)
		return pair(l, LEA_HI_X.Of(lo(a), hi(c), hi(a), n, l.Out(1)))
	}
	return shl64(a, n)
}

// highScaled is bits 127..64 of the pair a times 2^k.
func highScaled(k int64, signed bool) expr {
	if signed {
		return pair(sar(hi(a), 32-k), sar(hi(a), 31))
	}
	return pair(shr(hi(a), 32-k), zero)
}
