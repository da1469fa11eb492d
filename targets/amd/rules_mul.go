package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// mulRules covers mul24, mad24, mul and mad without carry.
var mulRules = table{
	// The 24-bit ops ignore bits 31 to 24, as PTX does (PTX ISA 9.7.1.5–6).
	r("mul24.lo.u32", 0, v_mul_u32_u24.Of(a, b)),
	r("mul24.lo.s32", 0, v_mul_i32_i24.Of(a, b)),
	r("mad24.lo.u32", 0, v_mad_u32_u24.Of(a, b, c)),
	r("mad24.lo.s32", 0, v_mad_i32_i24.Of(a, b, c)),
	r("mul24.hi.u32", 0, high24U.Of(a, b)),
	r("mul24.hi.s32", 0, high24S.Of(a, b)),
	r("mad24.hi.u32", 0, v_add_u32.Of(high24U.Of(a, b), c)),
	r("mad24.hi.s32", 0, v_add_u32.Of(high24S.Of(a, b), c)),
	r("mad24.hi.sat.s32", 0, v_add_i32_clamp.Of(high24S.Of(a, b), c)),

	// Operands below 2^24 take the fast multiplier: the product is the same.
	r("mul.lo.{u,s}32", 0, v_mul_u32_u24.Of(a, b)).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	r("mul.lo.{u,s}32", 0, v_mul_i32_i24.Of(a, b)).If(isel.FitsS(0, 24), isel.FitsS(1, 24)),
	r("mad.lo.{u,s}32", 0, v_mad_u32_u24.Of(a, b, c)).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	r("mad.lo.{u,s}32", 0, v_mad_i32_i24.Of(a, b, c)).If(isel.FitsS(0, 24), isel.FitsS(1, 24)),

	r("mul.lo.{u,s}16", 0, v_mul_lo_u16.Of(a, b)),
	r("mul.lo.{u,s}32", 0, v_mul_lo_u32.Of(a, b)),
	r("mul.lo.{u,s}64", 0, mulLo64.Of(a, b, k(0))),
	r("mad.lo.{u,s}16", 0, v_mad_u16.Of(a, b, c)),
	r("mad.lo.{u,s}32", 0, v_mad_u32.Of(a, b, c)),
	r("mad.lo.{u,s}64", 0, mulLo64.Of(a, b, c)),

	// Zero-extended halves are 24-bit operands; their product is exact.
	r("mul.hi.u16", 0, v_lshrrev_b32.Of(k(16), v_mul_u32_u24.Of(a, b))),
	r("mul.hi.s16", 0, v_lshrrev_b32.Of(k(16), product16.Of(a, b))),
	r("mul.hi.u32", 0, v_mul_hi_u32.Of(a, b)),
	r("mul.hi.s32", 0, v_mul_hi_i32.Of(a, b)),
	r("mul.hi.u64", 0, mulHiU64()),
	r("mul.hi.s64", 0, mulHiS64),
	r("mad.hi.u16", 0, v_add_halves.Of(v_mul_u32_u24.Of(a, b), c)),
	r("mad.hi.s16", 0, v_add_halves.Of(product16.Of(a, b), c)),
	r("mad.hi.u32", 0, v_add_u32.Of(v_mul_hi_u32.Of(a, b), c)),
	r("mad.hi.s32", 0, v_add_u32.Of(v_mul_hi_i32.Of(a, b), c)),
	r("mad.hi.sat.s32", 0, v_add_i32_clamp.Of(v_mul_hi_i32.Of(a, b), c)),
	r("mad.hi.u64", MAD64, madHiU64()),
	r("mad.hi.u64", 0, v_add_u64.Of(mulHiU64(), c)).named("mad.hi.u64 by sum"),
	r("mad.hi.s64", MAD64, madHiS64()),
	r("mad.hi.s64", 0, v_add_u64.Of(mulHiS64, c)).named("mad.hi.s64 by sum"),

	r("mul.wide.u16", 0, v_mul_u32_u24.Of(a, b)),
	r("mul.wide.s16", 0, product16.Of(a, b)),
	r("mul.wide.u32", 0, v_mad_u64_u32.Of(a, b, k(0))),
	r("mul.wide.s32", 0, v_mad_i64_i32.Of(a, b, k(0))),
	r("mad.wide.u16", 0, v_mad_u32_u24.Of(a, b, c)),
	r("mad.wide.s16", 0, productSums[[2]part{shalf0, shalf0}].Of(a, b, c)),
	r("mad.wide.u32", 0, v_mad_u64_u32.Of(a, b, c)),
	r("mad.wide.s32", 0, v_mad_i64_i32.Of(a, b, c)),
}

// product16 is the product of two signed lower halves.
var product16 = products[[2]part{{ptx.H0, true}, {ptx.H0, true}}]

// high24U and high24S are t<47..16>: the high word of (a·2^8)·(b·2^8), or
// {t<63..32>, t<31..0>} >> 16, cut.
var (
	high24U = high24(v_mul_hi_u32, v_mul_hi_u32_u24, v_mul_u32_u24)
	high24S = high24(v_mul_hi_i32, v_mul_hi_i32_i24, v_mul_i32_i24)
)

func high24(wide, h, l *op) *op {
	return (&op{}).
		or(DUAL, func(x []expr) []expr {
			up := v_lshl8.Of(x...)
			return []expr{wide.Of(up, up.Out(1))}
		}).
		as(func(x []expr) expr { return v_alignbit_b32.Of(h.Of(x...), l.Of(x...), k(16)) })
}

// mulHiU64: with t = a0·b1 + floor(a0·b0 / 2^32) < 2^64 and the 65-bit
// u = a1·b0 + t, the high half is a1·b1 + floor(u / 2^32).
func mulHiU64() expr {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	u := v_mad_u64_u32_co.Of(hi(a), lo(b), t)
	count := v_addc_co_u32.Of(k(0), k(0), u.Out(1))
	return v_mad_u64_u32.Of(hi(a), hi(b), joined(hi(u), count))
}

// madHiU64: floor(u / 2^32) is t1 + floor((a1·b0 + t0) / 2^32), so c + a1·b1 can
// come first.
func madHiU64() expr {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	v := v_mad_u64_u32.Of(hi(a), lo(b), zext(lo(t)))
	d := v_mad_u64_u32.Of(hi(a), hi(b), c)
	return v_add_u64_u32.Of(hi(t), v_add_u64_u32.Of(hi(v), d))
}

// mulHiS64 is the same with signed high words: t and v fit 64 signed bits, and
// an unsigned product x·y of a negative x is x·y + y·2^32, taken back by adding
// sign(x)·y to the high word. Without multiply-adds it is the high half of the
// unsigned product, less the one factor where the other is negative.
var mulHiS64 = (&op{}).
	or(MAD64, func(x []expr) []expr {
		t1, v1 := middleS64()
		return []expr{v_add_i64_i32.Of(t1, v_mad_i64_i32.Of(hi(a), hi(b), sext(v1)))}
	}).
	as(func(x []expr) expr {
		sa, sb := sign(hi(a)), sign(hi(b))
		d := difference(mulHiU64(), each(v_and_b32, joined(sa, sa), b), none)[0]
		return difference(d, each(v_and_b32, joined(sb, sb), a), none)[0]
	}).Of()

func middleS64() (t1, v1 expr) {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	v := v_mad_u64_u32.Of(hi(a), lo(b), zext(lo(t)))
	return v_take_u32.Of(sign(hi(b)), lo(a), hi(t)), v_take_u32.Of(sign(hi(a)), lo(b), hi(v))
}

func madHiS64() expr {
	t1, v1 := middleS64()
	return v_add_i64_i32.Of(t1, v_add_i64_i32.Of(v1, v_mad_i64_i32.Of(hi(a), hi(b), c)))
}
