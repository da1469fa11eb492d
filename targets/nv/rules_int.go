package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// intRules are the instructions that share asm bodies with the family.
func (g isa) intRules() isel.Table {
	return isel.Table{
		isel.G("mov", "mov.*", PredCarry, move),

		isel.R("not.pred", PredCarry, plogic(yes, a, lutNotB)),
		isel.R("not.b16", PredCarry, logic(a, mach.K(0xffff), zero, lutNotA&lutB)),
		isel.R("not.b32", PredCarry, not(a)),
		isel.R("not.b64", PredCarry, pair(not(lo(a)), not(hi(a)))),
		isel.G("logic", "{and,or,xor}.*", PredCarry, bitwise),
		isel.G("lop3", "lop3.*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
			return []expr{logic(a, b, c, int64(f.Lut))}
		}),
		isel.R("cnot.{b16,b32}", PredCarry, bit(isU(ptx.Eq, a, zero))),
		isel.R("cnot.b64", PredCarry, zext64(bit(isU(ptx.Eq, or(lo(a), hi(a)), zero)))),

		// Counts above the width act as the width, as in SHF.
		isel.R("shl.b16", PredCarry, low16(SHL.Of(a, b))),
		isel.R("shl.b32", PredCarry, SHL.Of(a, b)),
		isel.R("shl.b64", PredCarry, shl64(a, b)),
		isel.R("shr.{u,b}16", PredCarry, SHR.Of(a, b)),
		isel.R("shr.s16", PredCarry, low16(SAR.Of(sext16(a), b))),
		isel.R("shr.{u,b}32", PredCarry, SHR.Of(a, b)),
		isel.R("shr.s32", PredCarry, SAR.Of(a, b)),
		isel.R("shr.{u,b}64", PredCarry, shr64(a, b, false)),
		isel.R("shr.s64", PredCarry, shr64(a, b, true)),
		isel.R("shf.l.clamp.b32", PredCarry, FSHL.Of(a, c, b)),
		isel.R("shf.l.wrap.b32", PredCarry, FSHL_W.Of(a, c, b)),
		isel.R("shf.r.clamp.b32", PredCarry, FSHR.Of(a, c, b)),
		isel.R("shf.r.wrap.b32", PredCarry, FSHR_W.Of(a, c, b)),
		isel.G("prmt", "prmt.*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr {
			return []expr{PRMTs[f.Perm].Of(a, c, b)}
		}),

		// The field's bits move down, then the bits above it go; a shift beyond the
		// operand leaves copies of the sign.
		isel.R("bfe.u32", PredCarry, SGXT_U.Of(SHR.Of(a, low8(b)), low8(c))),
		isel.R("bfe.s32", PredCarry, SGXT.Of(SAR.Of(a, low8(b)), low8(c))),
		isel.R("bfe.u64", PredCarry, g.field64(false)),
		isel.R("bfe.s64", PredCarry, g.field64(true)),
		isel.R("bfi.b32", PredCarry, logic(SHL.Of(a, low8(c)), BMSK.Of(low8(c), low8(e)), b, lutPick)),
		isel.R("bfi.b64", PredCarry, insert64()),

		isel.R("popc.b32", PredCarry, POPC.Of(a)),
		isel.R("popc.b64", PredCarry, g.add(POPC.Of(lo(a)), POPC.Of(hi(a)))),
		// FLO gives −1 for 0, and 31 − (−1) = 32.
		isel.R("clz.b32", PredCarry, g.sub(mach.K(31), FLO_U.Of(a))),
		isel.R("clz.b64", PredCarry, g.leadingZeros64()),
		isel.R("brev.b32", PredCarry, BREV.Of(a)),
		isel.R("brev.b64", PredCarry, pair(BREV.Of(hi(a)), BREV.Of(lo(a)))),
		isel.R("bfind.u32", PredCarry, FLO_U.Of(a)),
		isel.R("bfind.s32", PredCarry, FLO.Of(a)),
		isel.R("bfind.shiftamt.u32", PredCarry, FLO_U_SH.Of(a)),
		isel.R("bfind.shiftamt.s32", PredCarry, FLO_SH.Of(a)),
		isel.G("bfind 64", "bfind.*64", PredCarry, g.find64),

		isel.G("setp", "setp.*", PredCarry, g.setp),
		isel.G("set", "set.*", PredCarry, g.set),
		isel.G("selp", "selp.*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr { return choose(f, c) }),
		isel.G("slct", "slct.*", PredCarry, func(f ptx.Form, _ ptx.Model) []expr { return choose(f, is(ptx.Ge, c, zero)) }),
		isel.G("min max", "{min,max}.*", PredCarry, g.minMax),

		isel.R("abs.s16", PredCarry, low16(IABS.Of(sext16(a)))),
		isel.R("abs.s32", PredCarry, IABS.Of(a)),
		isel.R("abs.s64", PredCarry, g.abs64()),
		isel.R("neg.s16", PredCarry, low16(g.sub(zero, a))),
		isel.R("neg.s32", PredCarry, g.sub(zero, a)),
		isel.R("neg.s64", PredCarry, g.sub64(zero, a)),
		isel.R("sad.u16", PredCarry, low16(g.absdiff(true, a, b, c))),
		isel.R("sad.s16", PredCarry, low16(g.absdiff(false, sext16(a), sext16(b), c))),
		isel.R("sad.u32", PredCarry, g.absdiff(true, a, b, c)),
		isel.R("sad.s32", PredCarry, g.absdiff(false, a, b, c)),
		isel.R("sad.u64", PredCarry, g.add64(c, g.absdiff64(true, a, b))),
		isel.R("sad.s64", PredCarry, g.add64(c, g.absdiff64(false, a, b))),

		isel.G("cvt.sat", "cvt.sat.*", PredCarry, g.cvtSat),
		isel.G("cvt", "cvt.*", PredCarry, cvt),
	}
}

// move copies, packs or unpacks; the first part is the lowest.
func move(f ptx.Form, _ ptx.Model) []expr {
	join := func(x, y expr) expr { return PRMT.Of(x, mach.K(0x5410), y) } // halves
	size := f.T.Bits()
	switch f.Pack {
	case 0:
		return []expr{a}
	case 2:
		switch size {
		case 16:
			return []expr{PRMT.Of(a, mach.K(0x1140), b)}
		case 32:
			return []expr{join(a, b)}
		}
		return []expr{pair(a, b)}
	case 4:
		if size == 64 {
			return []expr{pair(join(a, b), join(c, e))}
		}
		return []expr{join(PRMT.Of(a, mach.K(0x1140), b), PRMT.Of(c, mach.K(0x1140), e))}
	}
	n := size / -int(f.Pack)
	out := make([]expr, -f.Pack)
	for i := range out {
		word, at := a, i*n
		if size == 64 {
			if word = lo(a); at >= 32 {
				word, at = hi(a), at-32
			}
		}
		out[i] = factor{word: word, sel: lowest[n] + ptx.Sel(at/n)}.value()
	}
	return out
}

// lowest are the selectors of the lowest part by size.
var lowest = map[int]ptx.Sel{8: ptx.B0, 16: ptx.H0, 32: ptx.Word}

var luts = map[ptx.Op]int64{ptx.And: lutAnd, ptx.Or: lutOr, ptx.Xor: lutXor}

func bitwise(f ptx.Form, _ ptx.Model) []expr {
	t := luts[f.Op]
	switch f.T {
	case ptx.Pred:
		return []expr{plogic(a, b, t)}
	case ptx.B64:
		return []expr{each(func(x, y expr) expr { return logic(x, y, zero, t) }, a, b)}
	}
	return []expr{logic(a, b, zero, t)}
}

// field64 shifts the field to the top and back, which extends it: by 64 − len,
// 0 where len is more.
func (g isa) field64(signed bool) expr {
	x := shr64(a, low8(b), signed)
	n := g.sub(mach.K(64), low8(c))
	n = g.pick(true, false, n, zero)
	return shr64(shl64(x, n), n, signed)
}

// insert64: b ^ ((a ^ b>>pos) masked to len bits)<<pos puts a's bits where b's
// were. −1<<len is what the mask takes away.
func insert64() expr {
	pos, n := low8(c), low8(e)
	ones := pair(minus, minus)
	cut := pair(SHL.Of(lo(ones), n), SHL64_HI.Of(lo(ones), n, hi(ones)))
	down := shr64(b, pos, false)
	diff := pair(logic(lo(a), lo(down), lo(cut), lutXorCut), logic(hi(a), hi(down), hi(cut), lutXorCut))
	return each(xor, b, shl64(diff, pos))
}

// leadingZeros64 is 31 − FLO(high word), or where that word is 0, 63 − FLO(low).
func (g isa) leadingZeros64() expr {
	p := isU(ptx.Ne, hi(a), zero)
	f := FLO_U.Of(SEL.Of(hi(a), lo(a), p))
	return when(p, g.sub(mach.K(31), f), g.sub(mach.K(63), f))
}

// find64 looks in the high word, or where that is 0, in the low one. A place in
// the high word is 32 more; a distance from the top in the low word is, unless
// there is none. Signed operands are complemented where they are negative.
func (g isa) find64(f ptx.Form, _ ptx.Model) []expr {
	l, h := lo(a), hi(a)
	if f.T.Signed() {
		m := sar(h, 31)
		l, h = xor(l, m), xor(h, m)
	}
	p := isU(ptx.Ne, h, zero)
	word := SEL.Of(h, l, p)
	if !f.ShiftAmt {
		at := FLO_U.Of(word)
		return []expr{when(p, g.addK(at, 32), at)}
	}
	at := FLO_U_SH.Of(word)
	q := isetp(ptx.Ne, true, ptx.BoolAnd, l, zero, notP(p))
	return []expr{when(q, g.addK(at, 32), at)}
}

// unsignedCmp are lo, ls, hi and hs, which compare as unsigned.
var unsignedCmp = map[ptx.Cmp]ptx.Cmp{ptx.LoU: ptx.Lt, ptx.LsU: ptx.Le, ptx.HiU: ptx.Gt, ptx.HsU: ptx.Ge}

// test is the comparison of x and y, values of type t, combined with p.
func (g isa) test(cmp ptx.Cmp, t ptx.Type, with ptx.BoolOp, x, y, p expr) expr {
	if c, ok := unsignedCmp[cmp]; ok {
		cmp = c
	}
	if with == ptx.NoBool {
		with, p = ptx.BoolAnd, yes
	}
	switch {
	case t.Bits() == 64:
		return g.test64(cmp, !t.Signed(), with, x, y, p)
	case t.Bits() == 16 && t.Signed():
		x, y = sext16(x), sext16(y)
	}
	return isetp(cmp, !t.Signed(), with, x, y, p)
}

// setp: q is p's test complemented: (¬t ∧ c) = ¬(t ∧ c) ∧ c, (¬t ∨ c) =
// ¬(t ∨ c) ∨ c, ¬t ⊕ c = ¬(t ⊕ c).
func (g isa) setp(f ptx.Form, _ ptx.Model) []expr {
	p := g.test(f.Cmp, f.T, f.Bool, a, b, c)
	if !f.Dual {
		return []expr{p}
	}
	switch f.Bool {
	case ptx.BoolAnd:
		return []expr{p, plogic(c, p, lutAndNot)}
	case ptx.BoolOr:
		return []expr{p, plogic(c, p, lutA|lutNotB)}
	}
	return []expr{p, plogic(yes, p, lutNotB)}
}

// set is all ones where the test holds.
func (g isa) set(f ptx.Form, _ ptx.Model) []expr {
	return []expr{SEL.Of(zero, minus, notP(g.test(f.Cmp, f.A, f.Bool, a, b, c)))}
}

// choose is a where p, else b.
func choose(f ptx.Form, p expr) []expr {
	if f.T.Bits() == 64 {
		return []expr{sel64(p, a, b)}
	}
	return []expr{SEL.Of(a, b, p)}
}

// minMax: 16-bit values are compared extended and chosen as they are.
func (g isa) minMax(f ptx.Form, _ ptx.Model) []expr {
	isMax, unsigned := f.Op == ptx.Max, !f.T.Signed()
	switch {
	case f.T.Bits() == 64:
		return []expr{g.pick64(isMax, unsigned, a, b)}
	case f.T.Bits() == 32 || unsigned:
		return []expr{g.pick(isMax, unsigned, a, b)}
	case g.has(HalfMinMax):
		return []expr{VIMNMX_S16x2[isMax].Of(a, b)}
	}
	cmp := ptx.Lt
	if isMax {
		cmp = ptx.Gt
	}
	return choose(f, g.test(cmp, f.T, ptx.NoBool, a, b, yes))
}

func (g isa) abs64() expr {
	negative := is(ptx.Lt, hi(a), zero)
	if g.has(Int64) {
		return when(negative, g.sub64(zero, a), a)
	}
	return sel64(negative, sub64(zero, a), a)
}
