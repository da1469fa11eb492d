package amd

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops on words and masks. An op bears the name that gfx9 gives it.

var (
	// Moves.
	v_mov_b32_k = constant(vop1("v_mov_b32", 0, same))
	v_mov_b32   = vop1("v_mov_b32", 0, same)
	s_mov_k     = constant(sop("s_mov", 0, 1, first))
	s_mov       = sop("s_mov", 0, 1, first)

	// Masks.
	s_not   = sop("s_not", 0, 1, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Not(x[0]) })
	s_and   = sop("s_and", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.And(x[0], x[1]) })
	s_or    = sop("s_or", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(x[0], x[1]) })
	s_xor   = sop("s_xor", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Xor(x[0], x[1]) })
	s_xnor  = sop("s_xnor", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Not(b.Xor(x[0], x[1])) })
	s_andn2 = either(sop("s_andn2", OLD, 2, andNot), sop("s_and_not1", NEW, 2, andNot))
	s_orn2  = either(sop("s_orn2", OLD, 2, orNot), sop("s_or_not1", NEW, 2, orNot))

	// Bits.
	v_not_b32      = vop1("v_not_b32", 0, (*sem.Builder).Not)
	v_bfrev_b32    = vop1("v_bfrev_b32", 0, reverse)
	v_ffbh_u32     = either(vop1("v_ffbh_u32", OLD, leading), vop1("v_clz_i32_u32", NEW, leading))
	v_ffbh_i32     = either(vop1("v_ffbh_i32", OLD, leadingSigns), vop1("v_cls_i32", NEW, leadingSigns))
	v_bcnt_u32_b32 = vop3("v_bcnt_u32_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(ones(b, x[0]), x[1]) })
	v_and_b32      = commutes(vop2("v_and_b32", 0, (*sem.Builder).And))
	v_or_b32       = commutes(vop2("v_or_b32", 0, (*sem.Builder).Or))
	v_xor_b32      = commutes(vop2("v_xor_b32", 0, (*sem.Builder).Xor))
	v_xnor_b32     = commutes(vop2("v_xnor_b32", XNOR, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Not(b.Xor(x, y)) }))
	v_and_or_b32   = vop3("v_and_or_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.And(x[0], x[1]), x[2]) })
	v_or3_b32      = vop3("v_or3_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.Or(x[0], x[1]), x[2]) })
	v_xor3_b32     = vop3("v_xor3_b32", XOR3, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Xor(b.Xor(x[0], x[1]), x[2]) })
	v_lshl_or_b32  = vop3("v_lshl_or_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.Shl(x[0], low5(b, x[1])), x[2]) }).
			as(func(x []expr) expr { return v_or_b32.Of(v_lshlrev_b32.Of(x[1], x[0]), x[2]) })
	v_bfi_b32 = vop3("v_bfi_b32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Or(b.And(x[0], x[1]), b.And(b.Not(x[0]), x[2]))
	})
	v_bfm_b32 = vop3("v_bfm_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Shl(lowest(b, x[0]), low5(b, x[1])) })
	v_bfe_u32 = vop3("v_bfe_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.And(b.Lshr(x[0], low5(b, x[1])), lowest(b, x[2]))
	})
	v_bfe_i32       = vop3("v_bfe_i32", 0, 3, field)
	v_alignbit_b32  = shiftCount(vop3("v_alignbit_b32", 0, 3, align(31, 0)))
	v_alignbyte_b32 = shiftCount(vop3("v_alignbyte_b32", 0, 3, align(3, 3)))
	v_perm_b32      = vop3("v_perm_b32", PERM, 3, permute).as(pieces)

	// Two words below 2^16 in one; larger ones would be limited. Where v_lshl_or
	// does it there is no use for this.
	v_cvt_pk_u16_u32 = vop3("v_cvt_pk_u16_u32", ADDC, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		at := func(y *sem.Term) *sem.Term { return b.Bits(lesser((*sem.Builder).Ult)(b, y, b.U(0xffff, 32)), 15, 0) }
		return b.Concat(at(x[1]), at(x[0]))
	})

	// Shifts.
	v_lshlrev_b32 = vop2("v_lshlrev_b32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Shl(x, low5(b, n)) })
	v_lshrrev_b32 = vop2("v_lshrrev_b32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Lshr(x, low5(b, n)) })
	v_ashrrev_i32 = vop2("v_ashrrev_i32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Ashr(x, low5(b, n)) })

	// Adds. The carry-out of the subtractions is a borrow.
	v_add_co_u32 = commutes(either(
		carried("v_add_i32", ADDI, carry, 2),
		carried("v_add_u32", ADDC|REV64, carry, 2),
		carried("v_add_co_u32", CO, carry, 2),
		carried("v_add_co_u32", CI, carry, 2)))
	v_addc_co_u32 = commutes(either(
		carried("v_addc_u32", ADDC, carry, 3),
		carried("v_addc_co_u32", CO, carry, 3),
		carried("v_add_co_ci_u32", CI, carry, 3)))
	v_sub_co_u32 = either(
		carried("v_sub_i32", ADDI, borrow, 2),
		carried("v_sub_u32", ADDC|REV64, borrow, 2),
		carried("v_sub_co_u32", CO, borrow, 2),
		carried("v_sub_co_u32", CI, borrow, 2))
	v_subb_co_u32 = either(
		carried("v_subb_u32", ADDC, borrow, 3),
		carried("v_subb_co_u32", CO, borrow, 3),
		carried("v_sub_co_ci_u32", CI, borrow, 3))
	v_add_u32 = commutes(either(
		vop2("v_add_u32", CO|ADDNC, (*sem.Builder).Add),
		vop2("v_add_nc_u32", CI|ADDNC, (*sem.Builder).Add))).
		as(func(x []expr) expr { return v_add_co_u32.Of(x...) })
	v_sub_u32 = either(
		vop2("v_sub_u32", CO|ADDNC, (*sem.Builder).Sub),
		vop2("v_sub_nc_u32", CI|ADDNC, (*sem.Builder).Sub)).
		as(func(x []expr) expr { return v_sub_co_u32.Of(x...) })
	v_add3_u32 = commutes(vop3("v_add3_u32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Sum(x...) })).
			as(func(x []expr) expr { return v_add_u32.Of(v_add_u32.Of(x[0], x[1]), x[2]) })
	v_xad_u32 = vop3("v_xad_u32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(b.Xor(x[0], x[1]), x[2]) }).
			as(func(x []expr) expr { return v_add_u32.Of(v_xor_b32.Of(x[1], x[0]), x[2]) })
	v_sad_u32 = vop3("v_sad_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Add(x[2], b.Ite(b.Ult(x[0], x[1]), b.Sub(x[1], x[0]), b.Sub(x[0], x[1])))
	})

	// Saturating adds. x + y < 2^32 is x ≤ ~y, x − y ≥ 0 is x ≥ y; and a signed
	// sum is on the right side of x just if y is on that of 0.
	v_add_u32_clamp = commutes(either(
		clampCo("v_add_u32", ADDC|CLAMPU, addU, carry),
		clamp("v_add_u32", CO|CLAMPU, addU),
		clamp("v_add_nc_u32", CI|CLAMPU, addU))).
		as(func(x []expr) expr { return v_add_u32.Of(v_min_u32.Of(complement(x[1]), x[0]), x[1]) })
	v_sub_u32_clamp = either(
		clampCo("v_sub_u32", ADDC|CLAMPU, subU, borrow),
		clamp("v_sub_u32", CO|CLAMPU, subU),
		clamp("v_sub_nc_u32", CI|CLAMPU, subU)).
		as(func(x []expr) expr { return v_sub_u32.Of(v_max_u32.Of(x[0], x[1]), x[1]) })
	v_add_i32_clamp = commutes(either(
		clamp("v_add_i32", CO|CLAMPS, saturate((*sem.Builder).Add)),
		clamp("v_add_nc_i32", CI|CLAMPS, saturate((*sem.Builder).Add)))).
		as(func(x []expr) expr {
			s := v_add_u32.Of(x[0], x[1])
			return limitedBy(s, s_xnor.Of(cmp(ptx.Lt, true, s, x[0]), cmp(ptx.Gt, true, k(0), x[1])))
		})
	v_sub_i32_clamp = either(
		clamp("v_sub_i32", CO|CLAMPS, saturate((*sem.Builder).Sub)),
		clamp("v_sub_nc_i32", CI|CLAMPS, saturate((*sem.Builder).Sub))).
		as(func(x []expr) expr {
			s := v_sub_u32.Of(x[0], x[1])
			return limitedBy(s, s_xnor.Of(cmp(ptx.Lt, true, x[0], s), cmp(ptx.Gt, true, k(0), x[1])))
		})

	// Limits.
	v_min_u32  = commutes(vop2("v_min_u32", 0, lesser((*sem.Builder).Ult)))
	v_min_i32  = commutes(vop2("v_min_i32", 0, lesser((*sem.Builder).Slt)))
	v_max_u32  = commutes(vop2("v_max_u32", 0, greater((*sem.Builder).Ult)))
	v_max_i32  = commutes(vop2("v_max_i32", 0, greater((*sem.Builder).Slt)))
	v_min3_u32 = vop3("v_min3_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		least := lesser((*sem.Builder).Ult)
		return least(b, least(b, x[0], x[1]), x[2])
	})

	// Between 0 and a constant, $1. Before gfx10 there is no literal in VOP3.
	v_med3_i32 = vop3("v_med3_i32", CI, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		least, most := lesser((*sem.Builder).Slt), greater((*sem.Builder).Slt)
		return most(b, least(b, x[0], x[1]), least(b, most(b, x[0], x[1]), x[2]))
	})
	v_between_i32 = (&op{}).
			or(LIT3, func(x []expr) []expr { return []expr{v_med3_i32.Of(x[0], k(0), x[1])} }).
			as(func(x []expr) expr { return v_min_u32.Of(x[1], v_max_i32.Of(k(0), x[0])) })
	v_between_i16 = (&op{}).
			or(NEW, func(x []expr) []expr { return []expr{v_med3_i32.Of(shalf0.value(x[0]), k(0), x[1])} }).
			as(func(x []expr) expr { return v_min_u32.Of(x[1], v_max_i32_half.Of(k(0), x[0])) })

	// Multiplies. Those of 24 bits ignore bits 31 to 24.
	v_mul_u32_u24    = fast(commutes(vop2("v_mul_u32_u24", 0, mul24(false, 0))))
	v_mul_i32_i24    = fast(commutes(vop2("v_mul_i32_i24", 0, mul24(true, 0))))
	v_mul_hi_u32_u24 = fast(commutes(vop2("v_mul_hi_u32_u24", 0, mul24(false, 32))))
	v_mul_hi_i32_i24 = fast(commutes(vop2("v_mul_hi_i32_i24", 0, mul24(true, 32))))
	v_mad_u32_u24    = fast(commutes(vop3("v_mad_u32_u24", 0, 3, plus(mul24(false, 0)))))
	v_mad_i32_i24    = fast(commutes(vop3("v_mad_i32_i24", 0, 3, plus(mul24(true, 0)))))
	v_mul_lo_u32     = quarter(commutes(vop3("v_mul_lo_u32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Mul(x[0], x[1]) })))
	v_mul_hi_u32     = quarter(commutes(vop3("v_mul_hi_u32", 0, 2, high(false))))
	v_mul_hi_i32     = quarter(commutes(vop3("v_mul_hi_i32", 0, 2, high(true))))

	// Two operands shifted up by 8, at once where that can be.
	v_lshl8 = row(mach.Op{Name: "v_dual_lshlrev_b32", Syntax: "$d, 8, $0 :: v_dual_lshlrev_b32 $e, 8, $1", Out: []mach.Class{r32, r32}, In: []mach.Kind{vgpr, vgpr}, Needs: DUAL,
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return []*sem.Term{b.ShlK(in[0], 8), b.ShlK(in[1], 8)}
		}})

	// The choice by a mask: $2 ? $1 : $0. A minus flips the operand's top bit, which makes 0x7fffffff of −1 and 0x80000000 of 0.
	v_cndmask_b32    = choice("v_cndmask_b32", "$d, $0, $1, $2", false, false)
	v_cndmask_b32_n  = choice("v_cndmask_b32_e64", "$d, -$0, $1, $2", true, false)
	v_cndmask_b32_nn = choice("v_cndmask_b32_e64", "$d, -$0, -$1, $2", true, true)

	// v_cmp[c][signed]: eq and ne are of both.
	v_cmp = comparisons(32)
)

// pieces is v_perm_b32 by a constant selector: runs of bytes, each shifted to its
// place and laid over the ones before.
func pieces(x []expr) expr {
	sel, d := x[2].n.k, none
	at := func(i int) int { return int(sel >> (8 * i) & 0xff) }
	if sel == 0 {
		return v_mul_lo_u32.Of(k(0x01010101), v_and_b32.Of(k(0xff), x[1]))
	}
	for i := 0; i < 4; {
		n := 1
		for i+n < 4 && at(i+n) == at(i)+n && at(i+n)&4 == at(i)&4 {
			n++
		}
		y := x[1-at(i)/4]
		if up := int64(8 * (i - at(i)&3)); up > 0 {
			y = v_lshlrev_b32.Of(k(up), y)
		} else if up < 0 {
			y = v_lshrrev_b32.Of(k(-up), y)
		}
		if i > 0 {
			y = v_bfi_b32.Of(k(int64(1)<<(8*i)-1), d, y)
		}
		d, i = y, i+n
	}
	return d
}

// shiftCount: the count is a half from gfx11 on, and no literal.
func shiftCount(o *op) *op { return o.with(func(r *mach.Op) { r.In[2] = inline }) }

// complement is ~x.
func complement(x expr) expr {
	if x.n.kind == constNode {
		return k(^x.n.k)
	}
	return v_not_b32.Of(x)
}

// limitedBy is the sum s, or if mask in is 0 the limit that it passed: the one
// on the other side of 0.
func limitedBy(s, in expr) expr { return v_cndmask_b32_n.Of(sign(s), s, in) }

func choice(name, syntax string, neg0, neg1 bool) *op {
	flip := func(b *sem.Builder, x *sem.Term, on bool) *sem.Term {
		if on {
			return b.Xor(x, b.U(1<<31, 32))
		}
		return x
	}
	o := mach.Op{Name: name, Syntax: syntax, Out: []mach.Class{r32}, In: []mach.Kind{inline, inline, lanes}, Src: "VOP2"}
	o.Meaning = nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Ite(x[2], flip(b, x[1], neg1), flip(b, x[0], neg0))
	}).one
	if neg0 || neg1 {
		o.Src = "seen: llc 22, for xor with 0x80000000"
		return row(o)
	}
	return literals(o)
}

type cmpKey struct {
	c      ptx.Cmp
	signed bool
}

func comparisons(bits int) map[cmpKey]*op {
	m := map[cmpKey]*op{}
	for c := ptx.Eq; c <= ptx.Ge; c++ {
		switch {
		case c > ptx.Ne:
			m[cmpKey{c, true}] = compare(c, bits, true)
			if bits > 16 {
				m[cmpKey{c, false}] = compare(c, bits, false)
			}
		case bits > 16:
			o := commutes(compare(c, bits, false))
			m[cmpKey{c, false}], m[cmpKey{c, true}] = o, o
		}
	}
	return m
}

func compare(c ptx.Cmp, bits int, signed bool) *op {
	kind, letter := inline, "u"
	o := mach.Op{Syntax: "$d, $0, $1", Out: []mach.Class{mask}, Src: "VOPC"}
	if bits == 64 {
		kind, o.Slots, o.Latency = pair, 2, 8
	}
	if signed {
		letter = "i"
	}
	o.Name = "v_cmp_" + c.String() + "_" + letter + decimal(bits)
	o.In = []mach.Kind{kind, kind}
	o.Meaning = nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return test(b, c, signed, b.Bits(x[0], bits-1, 0), b.Bits(x[1], bits-1, 0))
	}).one
	switch bits {
	case 64:
		return row(o)
	case 16:
		o.Needs = CMP16
		return row(o)
	}
	return literals(o)
}

// cmp compares words.
func cmp(c ptx.Cmp, signed bool, x, y expr) expr { return v_cmp[cmpKey{c, signed}].Of(x, y) }
