package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// mulRules covers mul24, mad24, mul and mad without carry.
var mulRules = isel.Table{
	// The 24-bit ops ignore bits 31 to 24, as PTX does (PTX ISA 9.7.1.5–6).
	r("mul24.lo.u32", 0, v_mul_u32_u24.Of(a, b)),
	r("mul24.lo.s32", 0, v_mul_i32_i24.Of(a, b)),
	r("mad24.lo.u32", 0, v_mad_u32_u24.Of(a, b, c)),
	r("mad24.lo.s32", 0, v_mad_i32_i24.Of(a, b, c)),
	// t<47..16> is {t<63..32>, t<31..0>} >> 16, cut.
	r("mul24.hi.u32", 0, high24(v_mul_hi_u32_u24, v_mul_u32_u24)),
	r("mul24.hi.s32", 0, high24(v_mul_hi_i32_i24, v_mul_i32_i24)),
	r("mad24.hi.u32", ADDNC, v_add_u32.Of(high24(v_mul_hi_u32_u24, v_mul_u32_u24), c)),
	r("mad24.hi.s32", ADDNC, v_add_u32.Of(high24(v_mul_hi_i32_i24, v_mul_i32_i24), c)),
	r("mad24.hi.sat.s32", CLAMPS, v_add_i32_clamp.Of(high24(v_mul_hi_i32_i24, v_mul_i32_i24), c)),

	// Operands below 2^24 take the fast multiplier: the product is the same.
	r("mul.lo.{u,s}32", 0, v_mul_u32_u24.Of(a, b)).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	r("mul.lo.{u,s}32", 0, v_mul_i32_i24.Of(a, b)).If(isel.FitsS(0, 24), isel.FitsS(1, 24)),
	r("mad.lo.{u,s}32", 0, v_mad_u32_u24.Of(a, b, c)).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	r("mad.lo.{u,s}32", 0, v_mad_i32_i24.Of(a, b, c)).If(isel.FitsS(0, 24), isel.FitsS(1, 24)),

	r("mul.lo.{u,s}16", OPS16, v_mul_lo_u16.Of(a, b)),
	r("mul.lo.{u,s}32", 0, v_mul_lo_u32.Of(a, b)),
	r("mul.lo.{u,s}64", MAD64, mulLo64(k(0))),
	r("mad.lo.{u,s}16", OPS16, v_mad_legacy_u16.Of(a, b, c)),
	r("mad.lo.{u,s}32", MAD64, madLo(a, b, c)),
	r("mad.lo.{u,s}64", MAD64, mulLo64(c)),

	// Zero-extended halves are 24-bit operands; their product is exact.
	r("mul.hi.u16", 0, v_lshrrev_b32.Of(k(16), v_mul_u32_u24.Of(a, b))),
	r("mul.hi.s16", SDWA, v_lshrrev_b32.Of(k(16), product16.Of(a, b))),
	r("mul.hi.u32", 0, v_mul_hi_u32.Of(a, b)),
	r("mul.hi.s32", 0, v_mul_hi_i32.Of(a, b)),
	r("mul.hi.u64", MAD64|CO, mulHiU64()),
	r("mul.hi.s64", MAD64, mulHiS64(none)),
	r("mad.hi.u16", SDWA, v_add_u32_halves.Of(v_mul_u32_u24.Of(a, b), c)),
	r("mad.hi.s16", SDWA, v_add_u32_halves.Of(product16.Of(a, b), c)),
	r("mad.hi.u32", ADDNC, v_add_u32.Of(v_mul_hi_u32.Of(a, b), c)),
	r("mad.hi.s32", ADDNC, v_add_u32.Of(v_mul_hi_i32.Of(a, b), c)),
	r("mad.hi.sat.s32", CLAMPS, v_add_i32_clamp.Of(v_mul_hi_i32.Of(a, b), c)),
	r("mad.hi.u64", MAD64, madHiU64()),
	r("mad.hi.s64", MAD64, mulHiS64(c)),

	r("mul.wide.u16", 0, v_mul_u32_u24.Of(a, b)),
	r("mul.wide.s16", SDWA, product16.Of(a, b)),
	r("mul.wide.u32", MAD64, v_mad_u64_u32.Of(a, b, k(0))),
	r("mul.wide.s32", MAD64, v_mad_i64_i32.Of(a, b, k(0))),
	r("mad.wide.u16", 0, v_mad_u32_u24.Of(a, b, c)),
	r("mad.wide.s16", MAD16, halves[[2]part{{ptx.H0, true}, {ptx.H0, true}}].Of(a, b, c)),
	r("mad.wide.u32", MAD64, v_mad_u64_u32.Of(a, b, c)),
	r("mad.wide.s32", MAD64, v_mad_i64_i32.Of(a, b, c)),
}

// product16 is the product of two signed lower halves.
var product16 = products[[2]part{{ptx.H0, true}, {ptx.H0, true}}]

func high24(h, l *mach.Op) expr {
	return v_alignbit_b32.Of(h.Of(a, b), l.Of(a, b), k(16))
}

// mulLo64 is a·b + z = a0·b0 + z + (a0·b1 + a1·b0)·2^32 modulo 2^64.
func mulLo64(z expr) expr {
	p := v_mad_u64_u32.Of(lo(a), lo(b), z)
	return mach.Pair(lo(p), madLo(hi(a), lo(b), madLo(lo(a), hi(b), hi(p))))
}

// mulHiU64: with t = a0·b1 + floor(a0·b0 / 2^32) < 2^64 and the 65-bit
// u = a1·b0 + t, the high half is a1·b1 + floor(u / 2^32).
func mulHiU64() expr {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	u := v_mad_u64_u32.Of(hi(a), lo(b), t)
	count := v_addc_co_u32.Of(k(0), k(0), u.Out(1))
	return v_mad_u64_u32.Of(hi(a), hi(b), mach.Pair(hi(u), count))
}

// madHiU64: floor(u / 2^32) is t1 + floor((a1·b0 + t0) / 2^32), so c + a1·b1 can
// come first.
func madHiU64() expr {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	v := v_mad_u64_u32.Of(hi(a), lo(b), zext(lo(t)))
	d := v_mad_u64_u32.Of(hi(a), hi(b), c)
	return v_mad_u64_u32.Of(hi(t), k(1), v_mad_u64_u32.Of(hi(v), k(1), d))
}

// mulHiS64 is the same with signed high words: t and v fit 64 signed bits, and
// an unsigned product x·y of a negative x is x·y + y·2^32, taken back by adding
// sign(x)·y to the high word.
func mulHiS64(z expr) expr {
	t := v_mad_u64_u32.Of(lo(a), hi(b), zext(v_mul_hi_u32.Of(lo(a), lo(b))))
	t1 := madLo(sign(hi(b)), lo(a), hi(t))
	v := v_mad_u64_u32.Of(hi(a), lo(b), zext(lo(t)))
	v1 := madLo(sign(hi(a)), lo(b), hi(v))
	if z == none {
		return v_mad_i64_i32.Of(t1, k(1), v_mad_i64_i32.Of(hi(a), hi(b), sext(v1)))
	}
	return v_mad_i64_i32.Of(t1, k(1), v_mad_i64_i32.Of(v1, k(1), v_mad_i64_i32.Of(hi(a), hi(b), z)))
}
