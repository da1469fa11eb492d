package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops on pairs.

var (
	v_lshlrev_b64 = shift64("v_lshlrev_b64", "v_lshl_b64", (*sem.Builder).Shl)
	v_lshrrev_b64 = shift64("v_lshrrev_b64", "v_lshr_b64", (*sem.Builder).Lshr)
	v_ashrrev_i64 = shift64("v_ashrrev_i64", "v_ashr_i64", (*sem.Builder).Ashr)

	v_cmp64 = comparisons(64)

	// Sums and differences without carry.
	v_add_u64 = commutes(either(
		wide("v_add_nc_u64", U64, (*sem.Builder).Add),
		row(mach.Op{Name: "v_lshl_add_u64", Syntax: "$d, $0, 0, $1", Out: []mach.Class{r64}, In: []mach.Kind{pair, pair}, Needs: LSHLADD, Src: "VOP3",
			Meaning: binary((*sem.Builder).Add).one}))).
		as(func(x []expr) expr { return sum(x[0], x[1], none)[0] })
	v_sub_u64 = wide("v_sub_nc_u64", U64, (*sem.Builder).Sub).
			as(func(x []expr) expr { return difference(x[0], x[1], none)[0] })

	// Limits. The constants of the last two ways are moved to registers at once.
	v_min_u64 = commutes(limit("v_min_u64", lesser((*sem.Builder).Ult))).
			as(func(x []expr) expr { return pick64(less64(false, x[0], x[1]), x[0], x[1]) })
	v_min_i64 = commutes(limit("v_min_i64", lesser((*sem.Builder).Slt))).
			as(func(x []expr) expr { return pick64(less64(true, x[0], x[1]), x[0], x[1]) })
	v_max_u64 = commutes(limit("v_max_u64", greater((*sem.Builder).Ult))).
			as(func(x []expr) expr { return pick64(less64(false, x[0], x[1]), x[1], x[0]) })
	v_max_i64 = commutes(limit("v_max_i64", greater((*sem.Builder).Slt))).
			as(func(x []expr) expr { return pick64(less64(true, x[0], x[1]), x[1], x[0]) })
	v_min_i64_k = row(mach.Op{Name: "v_min_i64", Syntax: "$d, $1, $0", Out: []mach.Class{r64}, In: []mach.Kind{vpair, {Class: r64, Imm: mach.Unsigned(1<<31 - 1), ImmOnly: true}}, Needs: U64,
		Meaning: binary(lesser((*sem.Builder).Slt)).one})
	v_mov_b64_k = row(mach.Op{Name: "v_mov_b64", Syntax: "$d, $0", Out: []mach.Class{r64}, In: []mach.Kind{{Class: r64, Imm: literal64, ImmOnly: true}}, Needs: U64,
		Meaning: func(_ *sem.Builder, in []*sem.Term) []*sem.Term { return one(in[0]) }})

	// x·y + z, with its carry and without.
	v_mad_u64_u32_co = mads("v_mad_u64_u32", "v_mad_co_u64_u32", false).
				or(0, func(x []expr) []expr { return mad64(v_mul_hi_u32, x) })
	v_mad_u64_u32 = either(mad("v_mad_nc_u64_u32", U64, false, pair), v_mad_u64_u32_co)
	v_mad_i64_i32 = either(mad("v_mad_nc_i64_i32", U64, true, pair), mads("v_mad_i64_i32", "v_mad_co_i64_i32", true)).
			or(0, func(x []expr) []expr { return mad64(v_mul_hi_i32, x) })

	// The same op with one register as the addend: its upper word is whatever the
	// next register holds, so only the lower word of the result means anything.
	// The row gives the upper word that a zero there would give; no rule reads it.
	v_mad_u64_u32_lo = either(
		mad("v_mad_u64_u32", FWD, false, inline),
		mad("v_mad_u64_u32", MADU|ALIGNED, false, inline),
		mad("v_mad_u64_u32", MADU|ANYPAIR, false, inline),
		mad("v_mad_co_u64_u32", MADCO|ANYPAIR, false, inline)).
		as(func(x []expr) expr { return joined(v_add_u32.Of(v_mul_lo_u32.Of(x[0], x[1]), x[2]), k(0)) })

	// The low word of x·y + z.
	v_mad_u32 = quarter(commutes(vop3("v_mad_u32", U64, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(b.Mul(x[0], x[1]), x[2]) }))).
			as(func(x []expr) expr { return lo(v_mad_u64_u32_lo.Of(x...)) })

	// The same for x = 0 or −1 and a high word z, which may lie anywhere.
	v_take_u32 = (&op{}).
			or(U64, func(x []expr) []expr { return []expr{v_mad_u32.Of(x...)} }).
			or(ANYPAIR, func(x []expr) []expr { return []expr{lo(v_mad_u64_u32_lo.Of(x...))} }).
			or(FWD, func(x []expr) []expr { return []expr{lo(v_mad_u64_u32_lo.Of(x...))} }).
			as(func(x []expr) expr { return v_sub_u32.Of(x[2], v_and_b32.Of(x[0], x[1])) })

	// A word, extended, added to a pair.
	v_add_u64_u32 = (&op{}).
			or(MAD64, func(x []expr) []expr { return []expr{v_mad_u64_u32.Of(x[0], k(1), x[1])} }).
			as(func(x []expr) expr { return sum(x[1], zext(x[0]), none)[0] })
	v_add_i64_i32 = (&op{}).
			or(MAD64, func(x []expr) []expr { return []expr{v_mad_i64_i32.Of(x[0], k(1), x[1])} }).
			as(func(x []expr) expr { return sum(x[1], sext(x[0]), none)[0] })

	// x·y + z modulo 2^64 is x0·y0 + z + (x0·y1 + x1·y0)·2^32.
	v_mul_u64 = quarter(wide("v_mul_u64", U64, (*sem.Builder).Mul))
	mulLo64   = (&op{}).
			or(U64, func(x []expr) []expr {
			p := v_mul_u64.Of(x[0], x[1])
			if x[2].is(0) {
				return []expr{p}
			}
			return []expr{v_add_u64.Of(p, x[2])}
		}).
		or(ANYPAIR, func(x []expr) []expr {
			p := v_mad_u64_u32.Of(lo(x[0]), lo(x[1]), x[2])
			return []expr{joined(lo(p), v_mad_u32.Of(hi(x[0]), lo(x[1]), v_mad_u32.Of(lo(x[0]), hi(x[1]), hi(p))))}
		}).
		as(func(x []expr) expr {
			p := v_mad_u64_u32.Of(lo(x[0]), lo(x[1]), x[2])
			return joined(lo(p), v_add3_u32.Of(hi(p), v_mul_lo_u32.Of(lo(x[0]), hi(x[1])), v_mul_lo_u32.Of(hi(x[0]), lo(x[1]))))
		})
)

// wide is a two-operand op on pairs.
func wide(name string, needs ir.Features, m binary) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{r64}, In: []mach.Kind{pair, pair}, Needs: needs, Cost: mach.Cost{Slots: 2, Latency: 7}, Meaning: m.one})
}

// limit is v_min or v_max of pairs (latency: LLVM's model of gfx1250).
func limit(name string, m binary) *op {
	return wide(name, U64, m).with(func(r *mach.Op) { r.Latency = 32 })
}

// mad is a 32 × 32 + 64 bit multiply-add with the addend as a pair or, with the
// register after it, one word.
func mad(name string, needs ir.Features, signed bool, addend mach.Kind) *op {
	o := mach.Op{Name: name, Syntax: "$d, $e, $0, $1, $2", Out: []mach.Class{r64, mask}, In: []mach.Kind{inline, inline, addend}, Commutes: true,
		Needs: needs, Src: "VOP3", EarlyClobber: needs.Has(FWD), Meaning: nary2(func(b *sem.Builder, x []*sem.Term) (d, e *sem.Term) { return multiplyAdd(b, x, signed) }).two}
	if addend.Class == r32 {
		o.Syntax += ":"
		addend.Scalar = false
	}
	if needs.Has(U64) {
		o.Syntax, o.Out = "$d, $0, $1, $2", []mach.Class{r64}
		o.Meaning = nary(func(b *sem.Builder, x []*sem.Term) *sem.Term { d, _ := multiplyAdd(b, x, signed); return d }).one
	}
	return quarter(literals(o).with(func(r *mach.Op) { r.In[2] = addend }))
}

// mads are the names and limits of a multiply-add.
func mads(name, co string, signed bool) *op {
	return either(mad(name, FWD, signed, pair), mad(name, MADU, signed, pair), mad(co, MADCO, signed, pair))
}

// mad64 is a multiply-add and its carry where there is none.
func mad64(high *op, x []expr) []expr {
	l, h := v_mul_lo_u32.Of(x[0], x[1]), high.Of(x[0], x[1])
	if x[2].is(0) {
		return []expr{joined(l, h), k(0)}
	}
	return sum(joined(l, h), x[2], none)
}

func less64(signed bool, x, y expr) expr { return v_cmp64[cmpKey{ptx.Lt, signed}].Of(x, y) }
