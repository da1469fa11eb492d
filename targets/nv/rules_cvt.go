package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// cvt extends or cuts.
func cvt(f ptx.Form, _ ptx.Model) []expr {
	to, from := f.T.Bits(), f.A.Bits()
	x := a
	if from == 64 {
		if to == 64 {
			return []expr{a}
		}
		x = lo(a)
	}
	switch {
	case to < from:
		return []expr{cut(x, to)}
	case to == from, !f.A.Signed() && to < 64:
		return []expr{x}
	case !f.A.Signed():
		return []expr{zext64(x)}
	case from == 8 && to == 16:
		return []expr{permute(x, 0x7780)} // sign in byte 1, zeros above
	case to == 64:
		return []expr{sext64(word(x, f.A))}
	}
	return []expr{word(x, f.A)}
}

// cut is the lowest n bits of x, zero-extended.
func cut(x expr, n int) expr {
	switch n {
	case 8:
		return low8(x)
	case 16:
		return low16(x)
	}
	return x
}

// word is a value of type t of at most 32 bits, extended by its sign if it has
// one.
func word(x expr, t ptx.Type) expr {
	switch t {
	case ptx.S8:
		return sext8(x)
	case ptx.S16:
		return sext16(x)
	}
	return x
}

// cvtSat limits a to the range of the result's type: first to a word of its
// kind, then to its size.
func (g isa) cvtSat(f ptx.Form, _ ptx.Model) []expr {
	to, from := f.T, f.A
	switch {
	case to.Bits() == 64:
		return []expr{g.limit64(f)}
	case from.Bits() == 64 && g.has(Int64):
		return []expr{g.limitPair(to, from.Signed())}
	case from.Bits() == 64 && to.Bits() == 32:
		return []expr{g.wordOf(to.Signed(), from.Signed())}
	case from.Bits() == 64:
		x := g.wordOf(to.Signed(), from.Signed())
		return []expr{g.limitWord(x, to, to.Signed() && from.Signed())}
	}
	return []expr{g.limitWord(word(a, from), to, from.Signed())}
}

// wordOf limits the pair a to a word, signed or unsigned as the result is.
func (g isa) wordOf(toSigned, signed bool) expr {
	l, h := lo(a), hi(a)
	switch {
	case toSigned && signed:
		return g.narrow(a)
	case toSigned: // a > 0x7fffffff
		big := isetp(ptx.Gt, true, ptx.BoolOr, l, mach.K(0x7fffffff), isU(ptx.Ne, h, zero))
		return when(big, MOV_K.Of(mach.K(0x7fffffff)), l)
	case signed: // −1 + a<63>: all ones for a > 0, 0 for a < 0
		return when(is(ptx.Ne, h, zero), LEA_HI.Of(h, minus, zero, one), l)
	}
	return when(isU(ptx.Ne, h, zero), MOV_K.Of(minus), l)
}

// bounds are the least and the greatest value of a type of up to 32 bits.
func bounds(t ptx.Type) (least, most int64) {
	if t.Signed() {
		return -1 << (t.Bits() - 1), 1<<(t.Bits()-1) - 1
	}
	return 0, 1<<t.Bits() - 1
}

// limitPair limits the pair a to the range of t; it needs Int64. The greatest
// unsigned word is no literal.
func (g isa) limitPair(t ptx.Type, signed bool) expr {
	least, most := bounds(t)
	switch {
	case t == ptx.U32:
		return g.wordOf(false, signed)
	case signed:
		return cut(lo(g.clamp64(a, least, most)), t.Bits())
	}
	return lo(g.pick64(false, true, a, mach.K(most)))
}

// limitWord limits the word x, signed or not, to the range of t, zero-extended.
func (g isa) limitWord(x expr, t ptx.Type, signed bool) expr {
	n := t.Bits()
	least, most := bounds(t)
	op := I2I_SAT[t]
	switch {
	case n == 32 && t.Signed() == signed:
		return x
	case n == 32 && signed:
		return g.pick(true, false, x, zero)
	case signed && g.has(SatCvt) && t.Signed():
		return cut(op.Of(x), n)
	case signed && g.has(SatCvt):
		return op.Of(x)
	case signed:
		x = g.pick(true, false, x, mach.K(least))
	}
	x = g.pick(false, !signed, x, mach.K(most))
	if t.Signed() && signed {
		x = cut(x, n)
	}
	return x
}

// limit64 is cvt.sat.u64 of a signed value, or cvt.sat.s64.u64.
func (g isa) limit64(f ptx.Form) expr {
	switch {
	case f.T.Signed(): // a >= 2^63
		big := is(ptx.Lt, hi(a), zero)
		return pair(when(big, MOV_K.Of(minus), lo(a)), when(big, MOV_K.Of(mach.K(0x7fffffff)), hi(a)))
	case f.A.Bits() == 64 && g.has(Int64):
		return g.pick64(true, false, a, zero)
	case f.A.Bits() == 64:
		p := is(ptx.Ge, hi(a), zero)
		return pair(SEL.Of(lo(a), zero, p), SEL.Of(hi(a), zero, p))
	}
	return zext64(g.pick(true, false, word(a, f.A), zero))
}
