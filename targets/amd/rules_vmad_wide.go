package amd

import "github.com/ptxlower/ptxlower/ptx"

// vmad with a word among its factors, shifted or limited: the sum has 64 bits,
// or 65 where an unsigned product of words meets a negation.

// wide reports such a form.
func (v vm) wide() bool { return !v.low() && !v.parts() }

// fits reports that the shifted sum cannot leave the range of .sat: a byte
// times a word has 40 bits.
func (v vm) fits() bool {
	return v.Shr == 15 && v.a.bits()+v.b.bits() == 40 && (v.signed || !v.signedC)
}

// The addends: c in 64 bits, negated −c, complemented ~c = −c − 1, and c + 1.
var (
	minusC = (&op{}).or(MAD64, func(x []expr) []expr { return []expr{v_mad_i64_i32.Of(x[0], k(-1), k(0))} }).
		as(func(x []expr) expr { return difference(k(0), sext(x[0]), none)[0] })
	notC = (&op{}).or(MAD64, func(x []expr) []expr { return []expr{v_mad_i64_i32.Of(x[0], k(-1), k(-1))} }).
		as(func(x []expr) expr { return sext(v_not_b32.Of(x[0])) })
)

// addend is c in 64 bits, with .po c + 1, negated −c; or ~c for the complement
// of the sum: c − p = ~(p + ~c).
func (v vm) addend(complement bool) expr {
	switch {
	case complement:
		return notC.Of(c)
	case v.NegC:
		return minusC.Of(c)
	case v.PO && v.signedC:
		return v_mad_i64_i32.Of(c, k(1), k(1))
	case v.PO:
		return v_mad_u64_u32.Of(c, k(1), k(1))
	case v.signedC:
		return sext(c)
	}
	return zext(c)
}

// vmadOneBound: an unsigned product with a word in it, limited, and with a
// negation, leaves the signed range on one side only.
func vmadOneBound(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.Sat || v.parts() || !v.unsigned() || !v.negp && !v.NegC || v.fits() {
		return nil
	}
	x, y := v.factors(false)
	if v.negp && v.Shr == 0 { // c − p ≥ −2^31 is c + 2^31 − p ≥ 0, and false if p has a high word
		p := v_mad_u64_u32.Of(x, y, k(0))
		small := cmp(ptx.Eq, false, k(0), hi(p))
		return []expr{v_cndmask_b32_nn.Of(k(0), v_sub_u32_clamp.Of(flip(c), lo(p)), small)}
	}
	// −2^31 ≤ t < 2^64 − 2^33 + 2^32: a high word of −1 stands for a negative t.
	t := v_mad_u64_u32.Of(x, y, v.addend(v.negp))
	if v.NegC {
		t = minusWide.Of(x, y, c)
	}
	var d, in expr
	switch {
	case v.Shr == 0:
		d, in = lo(t), fitsWord(t)
	case v.a.word() && v.b.word(): // t < 2^(31+Shr) is hi + 1 ≤ 2^(Shr−1), or t < 0
		d = v.shifted(t)
		in = cmp(ptx.Ge, false, k(1<<(v.Shr-1)), v_add_u32.Of(k(1), hi(t)))
	default: // t fits 64 signed bits
		t = v_ashrrev_i64.Of(k(int64(v.Shr)), t)
		d, in = lo(t), fitsWord(t)
	}
	if v.negp {
		return []expr{v_cndmask_b32_n.Of(k(0), v_not_b32.Of(d), in)}
	}
	return []expr{v_cndmask_b32_n.Of(k(-1), d, in)}
}

// minusWide is x·y − c.
var minusWide = (&op{}).
	or(MAD64, func(x []expr) []expr { return []expr{v_mad_u64_u32.Of(x[0], x[1], minusC.Of(x[2]))} }).
	as(func(x []expr) expr { return difference(v_mad_u64_u32.Of(x[0], x[1], k(0)), sext(x[2]), none)[0] })

// fitsWord: the pair is its low word, sign-extended.
func fitsWord(t expr) expr { return cmp(ptx.Eq, false, hi(t), sign(lo(t))) }

// vmadWide: the sum in 64 bits by a multiply-add, shifted, and limited.
func vmadWide(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.wide() {
		return nil
	}
	t := v.sum()
	switch {
	case v.Sat && !v.fits():
		return []expr{v.limited(t)}
	case v.negp:
		return []expr{v_not_b32.Of(v.shifted(t))}
	}
	return []expr{v.shifted(t)}
}

// sum is x·y + c in 64 bits, or if the product is still to be negated the
// complement of c − x·y. A part fits a signed word whatever its sign. Where a
// signed factor s meets an unsigned word u, s·u is the unsigned product plus
// sign(s)·u·2^32.
func (v *vm) sum() expr {
	x, y := v.factors(!v.unsigned())
	z := v.addend(v.negp)
	switch {
	case v.unsigned():
		return v_mad_u64_u32.Of(x, y, z)
	case (v.a.signed || !v.a.word()) && (v.b.signed || !v.b.word()):
		return v_mad_i64_i32.Of(x, y, z)
	case !v.b.signed:
		x, y = y, x
	}
	return v_mad_u64_u32.Of(x, y, joined(lo(z), v_take_u32.Of(sign(y), x, hi(z))))
}

// limited is the sum, shifted and limited. The limits of a complement are those
// of the sum, complemented: ~clamp(t) = clamp(~t).
func (v vm) limited(t expr) expr {
	t = v.shiftedPair(t)
	switch {
	case v.negp: // neg of sign(hi) is the complement of the limit on its side
		return v_cndmask_b32_n.Of(sign(hi(t)), v_not_b32.Of(lo(t)), fitsWord(t))
	case v.signed:
		return clampS(t)
	case v.Shr > 0 || !v.signedC:
		return clampUU(t)
	}
	return clampSU(t)
}

// shiftedPair is the pair, shifted.
func (v vm) shiftedPair(t expr) expr {
	switch {
	case v.Shr == 0:
		return t
	case v.signed:
		return v_ashrrev_i64.Of(k(int64(v.Shr)), t)
	}
	return v_lshrrev_b64.Of(k(int64(v.Shr)), t)
}

// vmadLimits64 is vmadWide where pairs have limits.
func vmadLimits64(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.wide() || !v.Sat || v.fits() || !v.signed {
		return nil
	}
	t := v.shiftedPair(v.sum())
	d := lo(v_max_i64.Of(v_min_i64_k.Of(t, k(1<<31-1)), v_mov_b64_k.Of(k(-1<<31))))
	if v.negp {
		d = v_not_b32.Of(d)
	}
	return []expr{d}
}

// vmadHalves is vmadWide by products of their own: ±p ± c in two adds, + 1 by the
// carry into them.
func vmadHalves(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.wide() {
		return nil
	}
	ext, one := zext, none
	if v.signedC {
		ext = sext
	}
	if v.PO {
		one = k(1)
	}
	x, y := v.factors(false)
	p := v.productWords(x, y)
	var t expr
	switch {
	case v.negp:
		t = difference(sext(c), p, none)[0]
	case v.NegC:
		t = difference(p, sext(c), none)[0]
	default:
		t = sum(p, ext(c), one)[0]
	}
	v.negp = false
	if v.Sat && !v.fits() {
		return []expr{v.limited(t)}
	}
	return []expr{v.shifted(t)}
}

// productWords is x·y in 64 bits.
func (v vm) productWords(x, y expr) expr {
	switch {
	case v.unsigned():
		return joined(v_mul_lo_u32.Of(x, y), v_mul_hi_u32.Of(x, y))
	case (v.a.signed || !v.a.word()) && (v.b.signed || !v.b.word()):
		return joined(v_mul_lo_u32.Of(x, y), v_mul_hi_i32.Of(x, y))
	case !v.b.signed:
		x, y = y, x
	}
	return joined(v_mul_lo_u32.Of(x, y), v_take_u32.Of(sign(y), x, v_mul_hi_u32.Of(x, y)))
}

// clampS limits a signed pair to a signed word: the limit on the side of its
// sign is 0x7fffffff or that complemented.
func clampS(t expr) expr {
	return pick(fitsWord(t), lo(t), v_xor_b32.Of(k(1<<31-1), sign(hi(t))))
}

// clampUU limits an unsigned pair to an unsigned word.
func clampUU(t expr) expr { return pick(cmp(ptx.Eq, false, k(0), hi(t)), lo(t), k(-1)) }

// clampSU limits a signed pair to an unsigned word: 0 if negative, else −1.
func clampSU(t expr) expr {
	return pick(cmp(ptx.Eq, false, k(0), hi(t)), lo(t), v_not_b32.Of(sign(hi(t))))
}
