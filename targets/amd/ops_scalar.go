package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops of the scalar unit, on what all lanes of a wave have in common. A bit is a
// word that is 0 or 1. SCC is the carry of adds, the borrow of subtractions and
// the outcome of comparisons; most other ops spoil it with whether their result
// is 0, which no rule asks for.

var (
	sc32 = mach.Class{Bank: mach.Scalar, Bits: 32}
	sc64 = mach.Class{Bank: mach.Scalar, Bits: 64}
	scc  = mach.Class{Bank: mach.Carry, Bits: 1}

	ssrc  = mach.Kind{Class: sc32, Imm: mach.Any, Literal: literal}
	spair = mach.Kind{Class: sc64, Imm: inlined(64), Literal: never}
	flag  = mach.Kind{Class: scc}
)

var (
	s_word_k   = constant(sword("s_mov_b32", 0, 1, first))
	s_word     = sword("s_mov_b32", 0, 1, first)
	s_movk_i32 = row(mach.Op{Name: "s_movk_i32", Syntax: "$d, $0", Out: []mach.Class{sc32}, Src: "SOPK",
		In:      []mach.Kind{{Class: mach.Class{Bank: mach.Scalar, Bits: 16}, Imm: mach.Any, ImmOnly: true}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(b.Sext(in[0], 32)) }})

	// Adds, with SCC.
	s_add_u32 = commutes(either(
		withSCC("s_add_u32", SADD, 2, carry),
		withSCC("s_add_co_u32", SADDCO, 2, carry)))
	s_addc_u32 = commutes(either(
		withSCC("s_addc_u32", SADD, 3, carry),
		withSCC("s_add_co_ci_u32", SADDCO, 3, carry)))
	s_sub_u32 = either(
		withSCC("s_sub_u32", SADD, 2, borrow),
		withSCC("s_sub_co_u32", SADDCO, 2, borrow))
	s_subb_u32 = either(
		withSCC("s_subb_u32", SADD, 3, borrow),
		withSCC("s_sub_co_ci_u32", SADDCO, 3, borrow))

	// Multiplies.
	s_mul_i32    = fast(commutes(sword("s_mul_i32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Mul(x[0], x[1]) })))
	s_mul_hi_u32 = fast(commutes(sword("s_mul_hi_u32", SMULHI, 2, high(false))))
	s_mul_hi_i32 = fast(commutes(sword("s_mul_hi_i32", SMULHI, 2, high(true))))
	s_mul_u64    = fast(commutes(sdouble("s_mul_u64", SADDCO, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Mul(x[0], x[1]) })))

	// Bits.
	s_and_b32 = spoils(commutes(sword("s_and_b32", 0, 2, binary((*sem.Builder).And).of)))
	s_or_b32  = spoils(commutes(sword("s_or_b32", 0, 2, binary((*sem.Builder).Or).of)))
	s_xor_b32 = spoils(commutes(sword("s_xor_b32", 0, 2, binary((*sem.Builder).Xor).of)))
	s_not_b32 = spoils(sword("s_not_b32", 0, 1, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Not(x[0]) }))
	s_bfe_u32 = spoils(sword("s_bfe_u32", 0, 2, sfield(false)))
	s_bfe_i32 = spoils(sword("s_bfe_i32", 0, 2, sfield(true)))

	s_sext_i32_i16    = sword("s_sext_i32_i16", 0, 1, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Sext(b.Bits(x[0], 15, 0), 32) })
	s_sext_i32_i8     = sword("s_sext_i32_i8", 0, 1, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Sext(b.Bits(x[0], 7, 0), 32) })
	s_pack_ll_b32_b16 = sword("s_pack_ll_b32_b16", SMULHI, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Concat(b.Bits(x[1], 15, 0), b.Bits(x[0], 15, 0))
	}).
		as(func(x []expr) expr { return s_or_b32.Of(s_lshl_b32.Of(x[1], k(16)), s_and_b32.Of(x[0], k(0xffff))) })

	// Shifts, the count last.
	s_lshl_b32 = spoils(sword("s_lshl_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Shl(x[0], low5(b, x[1])) }))
	s_lshr_b32 = spoils(sword("s_lshr_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Lshr(x[0], low5(b, x[1])) }))
	s_ashr_i32 = spoils(sword("s_ashr_i32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Ashr(x[0], low5(b, x[1])) }))
	s_lshl_b64 = spoils(sshift64("s_lshl_b64", (*sem.Builder).Shl))
	s_lshr_b64 = spoils(sshift64("s_lshr_b64", (*sem.Builder).Lshr))
	s_ashr_i64 = spoils(sshift64("s_ashr_i64", (*sem.Builder).Ashr))

	// Limits.
	s_min_u32 = spoils(commutes(sword("s_min_u32", 0, 2, lesser((*sem.Builder).Ult).of)))
	s_min_i32 = spoils(commutes(sword("s_min_i32", 0, 2, lesser((*sem.Builder).Slt).of)))
	s_max_u32 = spoils(commutes(sword("s_max_u32", 0, 2, greater((*sem.Builder).Ult).of)))
	s_max_i32 = spoils(commutes(sword("s_max_i32", 0, 2, greater((*sem.Builder).Slt).of)))
	s_abs_i32 = spoils(sword("s_abs_i32", 0, 1, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Ite(b.Slt(x[0], b.U(0, 32)), b.Neg(x[0]), x[0])
	}))

	// The choice by SCC: $0 if it is 1, else $1.
	s_cselect_b32 = row(mach.Op{Name: "s_cselect_b32", Syntax: "$d, $0, $1", Out: []mach.Class{sc32}, In: []mach.Kind{ssrc, ssrc, flag}, Src: "SOP2", Cost: mach.Cost{Latency: 2},
		Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Ite(x[2], x[0], x[1]) }).one})

	s_cmp = func() map[cmpKey]*op {
		m := map[cmpKey]*op{}
		for c := ptx.Eq; c <= ptx.Ge; c++ {
			m[cmpKey{c, false}] = scompare(c, false)
			if c > ptx.Ne {
				m[cmpKey{c, true}] = scompare(c, true)
			} else {
				m[cmpKey{c, true}] = commutes(m[cmpKey{c, false}])
			}
		}
		return m
	}()
)

// spoils marks ops that overwrite SCC.
func spoils(o *op) *op { return o.with(func(r *mach.Op) { r.Spoils = true }) }

func sRow(name string, needs ir.Features, in mach.Kind, out mach.Class, n int, m nary) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1"[:2+4*n], Out: []mach.Class{out}, In: []mach.Kind{in, in}[:n], Needs: needs, Src: "SOP1, SOP2", Cost: mach.Cost{Latency: 2}, Meaning: m.one})
}

func sword(name string, needs ir.Features, n int, m nary) *op {
	return sRow(name, needs, ssrc, sc32, n, m)
}

func sdouble(name string, needs ir.Features, n int, m nary) *op {
	return sRow(name, needs, spair, sc64, n, m)
}

// withSCC has SCC as its second result, and as its third operand.
func withSCC(name string, needs ir.Features, n int, m nary2) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{sc32, scc}, In: []mach.Kind{ssrc, ssrc, flag}[:n], Needs: needs, Src: "SOP2", Cost: mach.Cost{Latency: 2}, Meaning: m.two})
}

func sshift64(name string, m binary) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{sc64}, In: []mach.Kind{spair, ssrc}, Src: "SOP2", Cost: mach.Cost{Latency: 2},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(m(b, in[0], b.Zext(b.Bits(in[1], 5, 0), 64)))
		}})
}

// sfield is s_bfe: the position in bits 4 to 0 of x[1], the length in 22 to 16.
func sfield(signed bool) nary {
	return func(b *sem.Builder, x []*sem.Term) *sem.Term {
		pos, n := low5(b, x[1]), b.Zext(b.Bits(x[1], 22, 16), 32)
		shifted := b.Lshr(x[0], pos)
		if signed {
			shifted = b.Ashr(x[0], pos)
		}
		up := b.Sub(b.U(32, 32), n)
		part := b.Lshr(b.Shl(shifted, up), up)
		if signed {
			part = b.Ashr(b.Shl(shifted, up), up)
		}
		part = b.Ite(b.Eq(n, b.U(0, 32)), b.U(0, 32), part)
		return b.Ite(b.Ult(b.U(31, 32), n), shifted, part)
	}
}

func scompare(c ptx.Cmp, signed bool) *op {
	name := [...]string{ptx.Eq: "eq", ptx.Ne: "lg", ptx.Lt: "lt", ptx.Le: "le", ptx.Gt: "gt", ptx.Ge: "ge"}[c]
	letter := "u"
	if signed {
		letter = "i"
	}
	return row(mach.Op{Name: "s_cmp_" + name + "_" + letter + "32", Syntax: "$0, $1", Out: []mach.Class{scc}, In: []mach.Kind{ssrc, ssrc}, Src: "SOPC", Cost: mach.Cost{Latency: 2},
		Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term { return test(b, c, signed, x[0], x[1]) }).one})
}
