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
func cvtSat(f ptx.Form, _ ptx.Model) []expr {
	to, signed := f.T.Bits(), f.A.Signed()
	switch {
	case to == 64:
		return []expr{limit64(f)}
	case f.A.Bits() == 64:
		x := wordOf(f.T.Signed(), signed)
		return []expr{limitTo(x, f.T, f.T.Signed())}
	}
	return []expr{limitTo(word(a, f.A), f.T, signed)}
}

// wordOf limits the pair a to a word, signed or unsigned as the result is.
func wordOf(toSigned, signed bool) expr {
	l, h := lo(a), hi(a)
	switch {
	case toSigned && signed:
		return narrow(l, h)
	case toSigned: // a > 0x7fffffff
		big := isetp(ptx.Gt, true, ptx.BoolOr, l, mach.K(0x7fffffff), isU(ptx.Ne, h, zero))
		return when(big, MOV_K.Of(mach.K(0x7fffffff)), l)
	case signed: // −1 + a<63>: all ones for a > 0, 0 for a < 0
		return when(is(ptx.Ne, h, zero), LEA_HI.Of(h, minus, zero, one), l)
	}
	return when(isU(ptx.Ne, h, zero), MOV_K.Of(minus), l)
}

// limitTo limits the word x, signed or not, to the range of t, zero-extended.
func limitTo(x expr, t ptx.Type, signed bool) expr {
	n := t.Bits()
	least, most := int64(0), int64(1)<<n-1
	if t.Signed() {
		least, most = -1<<(n-1), most>>1
	}
	if n == 32 && !t.Signed() && !signed || n == 32 && t.Signed() && signed {
		return x
	}
	if signed {
		x = SEL.Of(x, mach.K(least), is(ptx.Ge, x, mach.K(least)))
	}
	if n == 32 && !t.Signed() {
		return x
	}
	x = SEL.Of(x, mach.K(most), notP(isetp(ptx.Gt, !signed, ptx.BoolAnd, x, mach.K(most), yes)))
	if t.Signed() && signed {
		x = cut(x, n)
	}
	return x
}

// limit64 is cvt.sat.u64 of a signed value, or cvt.sat.s64.u64.
func limit64(f ptx.Form) expr {
	switch {
	case f.T.Signed(): // a >= 2^63
		big := is(ptx.Lt, hi(a), zero)
		return pair(when(big, MOV_K.Of(minus), lo(a)), when(big, MOV_K.Of(mach.K(0x7fffffff)), hi(a)))
	case f.A.Bits() == 64:
		p := is(ptx.Ge, hi(a), zero)
		return pair(SEL.Of(lo(a), zero, p), SEL.Of(hi(a), zero, p))
	}
	x := word(a, f.A)
	return zext64(SEL.Of(x, zero, is(ptx.Ge, x, zero)))
}
