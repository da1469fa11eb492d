package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vmad is d = limit(⌊t / 2^n⌋), t = ±x·y ± c (+ 1). There is no vmad in
// hardware from sm_70 on.
var vmadRules = isel.Table{
	isel.G("vmad low", "vmad.*", PredCarry, vmadLow),
	isel.G("vmad parts, limited", "vmad.*", PredCarry|SignLogic, vmadPartsSat),
	isel.G("vmad parts, shifted", "vmad.*", PredCarry, vmadPartsShift),
	isel.G("vmad unsigned, limited", "vmad.*", PredCarry, vmadUnsignedSat),
	isel.G("vmad", "vmad.*", PredCarry, vmadWide),
}

// factor is a source of the product: a word and the part of it that counts.
type factor struct {
	word   expr
	sel    ptx.Sel
	signed bool
}

func (x factor) bits() int {
	_, n := x.sel.Range()
	return n
}

// at is the index of the part among those of its size.
func (x factor) at() int {
	lo, n := x.sel.Range()
	return lo / n
}

// value is the factor in a register, extended.
func (x factor) value() expr {
	switch at := int64(x.at()); {
	case x.bits() == 32:
		return x.word
	case x.bits() == 8 && x.signed:
		return permute(x.word, at*0x1111+0x8880)
	case x.bits() == 8:
		return permute(x.word, at+0x7770)
	case x.signed:
		return permute(x.word, at*0x2222+0x9910)
	default:
		return permute(x.word, at*0x22+0x7710)
	}
}

// moved is byte x as byte i of a word that is else 0.
func (x factor) moved(i int) expr {
	return permute(x.word, 0x7777^int64(7^x.at())<<(4*i))
}

// times is x·y + addend modulo 2^32. Where one factor is a byte and the other a
// byte or a half, a dot product does it with the byte moved to where the other
// stands and zeros beside it: one instruction extracts both.
func (x factor) times(y factor, addend expr) expr {
	switch {
	case x.bits() == 8 && y.bits() == 8:
		return IDP4A[index(x.signed)][index(y.signed)].Of(x.moved(y.at()), y.word, addend)
	case x.bits() == 8 && y.bits() == 16:
		x, y = y, x
		fallthrough
	case x.bits() == 16 && y.bits() == 8:
		return IDP2A[index(x.signed)][index(y.signed)].Of(x.word, y.moved(x.at()), addend)
	}
	return IMAD.Of(x.value(), y.value(), addend)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// vmadForm is a form with what its rules ask for.
type vmadForm struct {
	f      ptx.Form
	x, y   factor
	n      int64 // shift
	neg    bool  // the product is subtracted from c
	signed bool  // the result is shifted and limited as signed
	cs     bool  // c is extended as signed
	sat    bool  // and the limit can be reached
}

func vmadOf(f ptx.Form, m ptx.Model) vmadForm {
	part := func(w expr, s ptx.Sel, t ptx.Type) factor {
		return factor{w, s, t.Signed() || m == ptx.PTXAS && s == ptx.Word}
	}
	v := vmadForm{f: f, n: int64(f.Shr), neg: f.NegA != f.NegB,
		x: part(a, f.SelA, f.A), y: part(b, f.SelB, f.B)}
	v.signed = f.A.Signed() || f.B.Signed() || v.neg || f.NegC
	v.cs = v.signed || m == ptx.PTXAS
	v.sat = f.Sat && !v.fits()
	return v
}

// size is the number of bits of |x·y|: it is at most 2^size.
func (v *vmadForm) size() int {
	return v.x.bits() + v.y.bits() - index(v.x.signed) - index(v.y.signed)
}

// fits reports that ⌊t / 2^n⌋ is always a word, signed or unsigned as the
// result is: |x·y| + 2^32 <= 2^(31+n), or 2^(32+n).
func (v *vmadForm) fits() bool {
	if v.cs != v.signed || v.n == 0 {
		return false
	}
	return v.size() <= 30+int(v.n)+index(!v.signed)
}

// parts reports that x·y is a word, signed unless both factors are unsigned
// halves.
func (v *vmadForm) parts() bool { return v.x.bits() < 32 && v.y.bits() < 32 }

func (v *vmadForm) halves() bool { return v.size() == 32 && v.parts() }

// vmadLow: bits 31..0 of t are made of bits 31..0. PT as carry-in adds 1.
func vmadLow(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case f.Sat || f.Shr > 0:
		return nil
	case v.neg:
		return []expr{sub(c, v.x.times(v.y, zero))}
	case f.NegC:
		return []expr{IMAD_N.Of(v.x.value(), v.y.value(), c)}
	case f.PO:
		return []expr{IMAD_X.Of(v.x.value(), v.y.value(), c, yes)}
	}
	return []expr{v.x.times(v.y, c)}
}

// vmadPartsSat: t of words needs 33 bits, the last being a carry, or known from
// the signs. A product of unsigned halves that may exceed a signed word can
// only take the sum too far on one side: c − p > c or p − c <= −c−1, as signed
// words, are out of range.
func vmadPartsSat(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.parts() || !v.sat || v.n > 0 || v.cs != v.signed {
		return nil
	}
	var d expr
	switch {
	case v.halves() && v.neg:
		s := sub(c, v.x.times(v.y, zero))
		d = when(is(ptx.Gt, s, c), MOV_K.Of(mach.K(-1<<31)), s)
	case v.halves() && f.NegC:
		s := IMAD_N.Of(v.x.value(), v.y.value(), c)
		d = when(is(ptx.Le, s, not(c)), MOV_K.Of(mach.K(1<<31-1)), s)
	case !v.signed:
		s := v.x.times(v.y, zero)
		if f.PO {
			s = IADD3_X_C.Of(s, c, yes)
		} else {
			s = IADD3_C.Of(s, c)
		}
		d = when(s.Out(1), MOV_K.Of(minus), s)
	case v.neg:
		d = subSat(c, v.x.times(v.y, zero))
	case f.NegC:
		d = subSat(v.x.times(v.y, zero), c)
	case f.PO:
		p := v.x.times(v.y, zero)
		d = satAs(p, c, IADD3_X.Of(p, c, yes), c, lutAddOverflow)
	default:
		d = addSat(v.x.times(v.y, zero), c)
	}
	return []expr{d}
}

// vmadPartsShift: with p = x·y a word, ⌊t / 2^n⌋ is the high word of
// t·2^(32−n) = ±p·2^(32−n) ± c·2^(32−n).
func vmadPartsShift(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.parts() || v.sat || v.n == 0 || f.PO {
		return nil
	}
	scale := int64(1) << (32 - v.n)
	p := widen(!v.halves()).Of(v.x.times(v.y, zero), mach.K(scale), zero)
	return []expr{hi(v.sum(p, scale))}
}

// widen is the row of the signed or unsigned wide multiply-add.
func widen(signed bool) *mach.Op {
	if signed {
		return WIDE
	}
	return WIDE_U
}

// sum is p ± c·scale or c·scale − p, a pair; with .po, scale is 1.
func (v *vmadForm) sum(p expr, scale int64) expr {
	k := mach.K(scale)
	switch {
	case v.neg:
		return WIDE_N.Of(c, k, p)
	case v.f.NegC:
		return WIDE.Of(c, mach.K(-scale), p)
	case v.f.PO && v.cs:
		return WIDE_X.Of(c, k, p, yes)
	case v.f.PO:
		return WIDE_U_X.Of(c, k, p, yes)
	}
	return widen(v.cs).Of(c, k, p)
}

// vmadUnsignedSat: ⌊t / 2^n⌋ exceeds a word where t + (2^32 − 2^n)·2^32 carries
// out of 64 bits; the addend is above what the shift keeps.
func vmadUnsignedSat(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if v.cs || !v.sat {
		return nil
	}
	addend := pair(c, mach.K(-1<<v.n))
	t := WIDE_U_C
	ops := []expr{v.x.value(), v.y.value(), addend}
	if f.PO {
		t, ops = WIDE_U_X_C, append(ops, yes)
	}
	s := t.Of(ops...)
	return []expr{when(s.Out(1), MOV_K.Of(minus), v.shifted(lo(s), hi(s)))}
}

// shifted is bits 31+n … n of {h, l}.
func (v *vmadForm) shifted(l, h expr) expr {
	if v.n == 0 {
		return l
	}
	return SHR64.Of(l, mach.K(v.n), h)
}

// vmadWide: t modulo 2^64. There is no product of a signed and an unsigned word:
// with s taken as unsigned, u·s is u·2^32 more where s < 0.
func vmadWide(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	x, y := v.x.value(), v.y.value()
	whole := func(x factor) bool { return x.bits() == 32 && !x.signed }
	unsigned := whole(v.x) || whole(v.y) || !v.x.signed && !v.y.signed
	t := v.sum(widen(!unsigned).Of(x, y, zero), 1)
	l, h := lo(t), hi(t)
	if unsigned && (v.x.signed || v.y.signed) {
		u, s := x, y
		if v.x.signed {
			u, s = y, x
		}
		fixed := sub(h, u)
		if v.neg {
			fixed = add(h, u)
		}
		h = when(is(ptx.Lt, s, zero), fixed, h)
	}
	switch {
	case !v.sat:
		return []expr{v.shifted(l, h)}
	case v.signed:
		return []expr{v.limited(l, h)}
	case v.n > 0: // t / 2^n as a logical shift leaves it
		return []expr{when(isU(ptx.Ge, h, mach.K(1<<v.n)), MOV_K.Of(minus), v.shifted(l, h))}
	}
	// Outside a word: −1 + t<63>, all ones for t > 0 and 0 for t < 0.
	return []expr{when(is(ptx.Ne, h, zero), LEA_HI.Of(h, minus, zero, one), l)}
}

// limited is ⌊t / 2^n⌋ limited to a signed word, {h, l} being t. It is a word
// where −2^(n−1) <= h < 2^(n−1).
//
// ±(u·v − c) of unsigned words has 65 bits. It passes only one limit, and {h, l}
// is t + 2^64 where it is far beyond: there h is neither 0 nor −1, and
// h < 2^32 − 2^(n−1) for c − u·v, h >= 2^(n−1) for u·v − c.
func (v *vmadForm) limited(l, h expr) expr {
	far := limit(h)
	bias, last := int64(1)<<v.n>>1, int64(1)<<v.n-1
	if v.size() == 64 {
		last = bias
		far = MOV_K.Of(mach.K(-1 << 31))
		if v.f.NegC {
			bias = 1
			far = MOV_K.Of(mach.K(1<<31 - 1))
		}
	}
	if v.n == 0 {
		return narrowTo(l, h, far)
	}
	out := isU(ptx.Gt, add(h, mach.K(bias)), mach.K(last))
	return when(out, far, v.shifted(l, h))
}
