package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops on 16 bits. A half lies zero-extended in its register, and so must the
// result: gfx8 and gfx9 have ops that clear the upper half, those of gfx10 and up
// keep it, but an op on two halves makes 0 of the zeros there.

var (
	v_add_u16 = commutes(either(
		vop16("v_add_u16", (*sem.Builder).Add),
		packed("v_pk_add_u16", vgpr, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(x[0], x[1]) }))).
		as(func(x []expr) expr { return cut(v_add_u32.Of(x...)) })
	v_sub_u16 = either(
		vop16("v_sub_u16", (*sem.Builder).Sub),
		packed("v_pk_sub_i16", zero, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Sub(x[0], x[1]) })).
		as(func(x []expr) expr { return cut(v_sub_u32.Of(x...)) })
	v_mul_lo_u16 = fast(commutes(either(
		vop16("v_mul_lo_u16", (*sem.Builder).Mul),
		packed("v_pk_mul_lo_u16", vgpr, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Mul(x[0], x[1]) })))).
		as(func(x []expr) expr { return cut(v_mul_u32_u24.Of(x...)) })
	v_min_i16 = commutes(either(
		vop16("v_min_i16", lesser((*sem.Builder).Slt)),
		packed("v_pk_min_i16", vgpr, 2, binary(lesser((*sem.Builder).Slt)).of))).
		as(func(x []expr) expr { return cut(v_min_i32.Of(extended(x[0], 16), extended(x[1], 16))) })
	v_max_i16 = commutes(either(
		vop16("v_max_i16", greater((*sem.Builder).Slt)),
		packed("v_pk_max_i16", vgpr, 2, binary(greater((*sem.Builder).Slt)).of))).
		as(func(x []expr) expr { return cut(v_max_i32.Of(extended(x[0], 16), extended(x[1], 16))) })

	// Shifts by counts below 16.
	v_lshlrev_b16 = either(vop16("v_lshlrev_b16", shl16), packed("v_pk_lshlrev_b16", inline, 2, binary(shl16).of)).
			as(func(x []expr) expr { return cut(v_lshlrev_b32.Of(x...)) })
	v_ashrrev_i16 = either(vop16("v_ashrrev_i16", ashr16), packed("v_pk_ashrrev_i16", inline, 2, binary(ashr16).of)).
			as(func(x []expr) expr { return cut(v_ashrrev_i32.Of(x[0], extended(x[1], 16))) })

	// v_mad_u16 keeps the upper half of its result on gfx9, the older one clears
	// it (seen: llc 22 on gfx803 and gfx900 extends them for nothing).
	v_mad_u16 = fast(commutes(either(
		mad16("v_mad_u16", ADDC),
		mad16("v_mad_legacy_u16", CO),
		packed("v_pk_mad_u16", vgpr, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(b.Mul(x[0], x[1]), x[2]) })))).
		as(func(x []expr) expr { return cut(v_mad_u32_u24.Of(x...)) })

	// Signed ones: as unsigned numbers halves compare as words.
	v_cmp16 = func() map[cmpKey]*op {
		m := comparisons(16)
		for key, o := range m {
			o.as(func(x []expr) expr {
				return v_cmp[key].Of(v_lshlrev_b32.Of(k(16), x[0]), v_lshlrev_b32.Of(k(16), x[1]))
			})
		}
		return m
	}()
)

// cut is the lower half, extended the signed value in the low n bits.
func cut(x expr) expr             { return v_and_b32.Of(k(0xffff), x) }
func extended(x expr, n int) expr { return v_bfe_i32.Of(x, k(0), k(int64(n))) }

func shl16(b *sem.Builder, n, x *sem.Term) *sem.Term  { return b.Shl(x, b.And(n, b.U(15, 16))) }
func ashr16(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Ashr(x, b.And(n, b.U(15, 16))) }

// of is the op with its operands in a list.
func (m binary) of(b *sem.Builder, x []*sem.Term) *sem.Term { return m(b, x[0], x[1]) }

// vop16 is a 16-bit VOP2: it clears the upper half of its result.
func vop16(name string, m binary) *op {
	o := vop2(name, OPS16, func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		return b.Zext(m(b, b.Bits(x, 15, 0), b.Bits(y, 15, 0)), 32)
	})
	return o.with(func(r *mach.Op) {
		r.In = []mach.Kind{half0, src1}
		r.Src, r.Conf = "seen: llc 22 gfx900 extends it for nothing", mach.Disassembled
	})
}

func mad16(name string, era ir.Features) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1, $2", Out: []mach.Class{r32}, In: []mach.Kind{inline, inline, inline}, Needs: era | OPS16, Src: "seen: llc 22 extends it for nothing",
		Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
			l := func(i int) *sem.Term { return b.Bits(x[i], 15, 0) }
			return b.Zext(b.Add(b.Mul(l(0), l(1)), l(2)), 32)
		}).one})
}

// packed does the op on both halves.
func packed(name string, first mach.Kind, n int, m nary) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1, $2"[:2+4*n], Out: []mach.Class{r32}, In: []mach.Kind{first, vgpr, vgpr}[:n], Needs: PACKED, Src: "VOP3P",
		Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
			var l, h []*sem.Term
			for _, y := range x {
				l, h = append(l, b.Bits(y, 15, 0)), append(h, b.Bits(y, 31, 16))
			}
			return b.Concat(m(b, h), m(b, l))
		}).one})
}
