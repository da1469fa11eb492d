package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The instruction table. Encodings: VOP1, VOP2 and VOPC (4 bytes) take any
// register, inline constant or literal as their first operand and a register as
// their second; VOP3 (8 bytes) takes inline constants everywhere and on gfx9 no
// literal. The assembler chooses. Carries and comparisons are VOP3 unless their
// mask is VCC, so their rows take no literal.

var (
	r32  = mach.Class{Bank: mach.General, Bits: 32}
	r64  = mach.Class{Bank: mach.General, Bits: 64}
	mask = mach.Class{Bank: mach.Predicate, Bits: 1}

	vgpr   = mach.Kind{Class: r32}
	lanes  = mach.Kind{Class: mask}
	inline = mach.Kind{Class: r32, Imm: inlined(32), Literal: never}
	pair   = mach.Kind{Class: r64, Imm: inlined(64), Literal: never}
	src0   = mach.Kind{Class: r32, Imm: mach.Any, Literal: literal}
	half0  = mach.Kind{Class: r32, Imm: word16, Literal: literal} // of a 16-bit op
	src1   = mach.Kind{Class: r32, Imm: inlined(32)}              // makes it VOP3: no literal beside it
)

// inlined accepts the inline constants, −16 … 64, of w bits.
func inlined(w int) func(sem.Val) bool {
	return func(k sem.Val) bool {
		s := k.Cut(w).SignExtend(w)
		return !s.SLess(sem.S(-16)) && !sem.S(64).SLess(s)
	}
}

func literal(k sem.Val) bool { return !inlined(32)(k) }
func never(sem.Val) bool     { return false }
func word16(k sem.Val) bool  { return k.Hi == 0 && k.Lo <= 0xffff || inlined(32)(k) }

// ops is the whole table, in the order of the rows.
var ops []*mach.Op

func row(o mach.Op) *mach.Op {
	if o.Latency == 0 {
		o.Latency = 4
	}
	ops = append(ops, &o)
	return &o
}

func vop1(name string, needs ir.Features, m func(*sem.Builder, *sem.Term) *sem.Term) *mach.Op {
	return row(mach.Op{Name: name, Syntax: "$d, $0", Out: []mach.Class{r32}, In: []mach.Kind{src0}, Needs: needs, Src: "AMD Vega ISA: VOP1",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(m(b, in[0])) }})
}

func vop2(name string, needs ir.Features, m binary) *mach.Op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{r32}, In: []mach.Kind{src0, src1}, Needs: needs, Src: "AMD Vega ISA: VOP2", Meaning: m.one})
}

func vop3(name string, needs ir.Features, n int, m nary) *mach.Op {
	in := []mach.Kind{inline, inline, inline}[:n]
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1, $2"[:2+4*n], Out: []mach.Class{r32}, In: in, Needs: needs, Src: "AMD Vega ISA: VOP3", Meaning: m.one})
}

// vop16 is a 16-bit VOP2: it clears the upper half of its result (seen: llc 22
// on gfx900 extends i16 for nothing).
func vop16(name string, m binary) *mach.Op {
	o := vop2(name, OPS16, func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		return b.Zext(m(b, b.Bits(x, 15, 0), b.Bits(y, 15, 0)), 32)
	})
	o.In = []mach.Kind{half0, src1}
	o.Src, o.Conf = "seen: llc 22 gfx900", mach.Disassembled
	return o
}

// vop2co is an add or sub with a mask out, and with one in if it has three inputs.
func vop2co(name string, m nary2, in ...mach.Kind) *mach.Op {
	return row(mach.Op{Name: name, Syntax: "$d, $e, $0, $1, $2"[:6+4*len(in)], Out: []mach.Class{r32, mask}, In: in, Needs: CO, Src: "AMD Vega ISA: VOP2", Meaning: m.two})
}

func mad64(name, syntax string, signed bool, addend mach.Kind) *mach.Op {
	return quarter(row(mach.Op{Name: name, Syntax: syntax, Out: []mach.Class{r64, mask}, In: []mach.Kind{inline, inline, addend}, Commutes: true,
		Needs: MAD64, Src: "AMD Vega ISA: VOP3", Meaning: nary2(func(b *sem.Builder, x []*sem.Term) (d, e *sem.Term) { return multiplyAdd(b, x, signed) }).two}))
}

func shift64(name string, m binary) *mach.Op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{r64}, In: []mach.Kind{inline, pair}, Slots: 2, Latency: 8, Src: "AMD Vega ISA: VOP3",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(m(b, in[1], b.Zext(b.Bits(in[0], 5, 0), 64)))
		}})
}

func sop(name, syntax string, n int, m nary) *mach.Op {
	return row(mach.Op{Name: name, Syntax: syntax, Out: []mach.Class{mask}, In: []mach.Kind{lanes, lanes}[:n], Src: "AMD Vega ISA: SOP1, SOP2", Meaning: m.one})
}

func commutes(o *mach.Op) *mach.Op { o.Commutes = true; return o }
func fast(o *mach.Op) *mach.Op     { o.Mul = true; return o }

// quarter marks the 32-bit multiplier: four issue slots (AMD's shader analyzer).
func quarter(o *mach.Op) *mach.Op { o.Mul, o.Slots, o.Latency = true, 4, 16; return o }

// constant makes the input one that is only a constant.
func constant(o *mach.Op) *mach.Op {
	o.In[0].ImmOnly, o.In[0].Imm = true, mach.Any
	return o
}

func with(o *mach.Op, syntax string) *mach.Op { o.Syntax = syntax; return o }

var (
	// Moves.
	v_mov_b32_k = constant(vop1("v_mov_b32", 0, same))
	v_mov_b32   = vop1("v_mov_b32", 0, same)
	s_mov_b64_k = constant(sop("s_mov_b64", "$d, $0", 1, first))
	s_mov_b64   = sop("s_mov_b64", "$d, $0", 1, first)

	// Masks.
	s_not_b64   = sop("s_not_b64", "$d, $0", 1, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Not(x[0]) })
	s_and_b64   = sop("s_and_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.And(x[0], x[1]) })
	s_or_b64    = sop("s_or_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(x[0], x[1]) })
	s_xor_b64   = sop("s_xor_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Xor(x[0], x[1]) })
	s_xnor_b64  = sop("s_xnor_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Not(b.Xor(x[0], x[1])) })
	s_andn2_b64 = sop("s_andn2_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.And(x[0], b.Not(x[1])) })
	s_orn2_b64  = sop("s_orn2_b64", "$d, $0, $1", 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(x[0], b.Not(x[1])) })

	// Bits.
	v_not_b32      = vop1("v_not_b32", 0, (*sem.Builder).Not)
	v_bfrev_b32    = vop1("v_bfrev_b32", 0, reverse)
	v_ffbh_u32     = vop1("v_ffbh_u32", 0, leading)
	v_ffbh_i32     = vop1("v_ffbh_i32", 0, func(b *sem.Builder, x *sem.Term) *sem.Term { return leading(b, b.Xor(x, b.AshrK(x, 31))) })
	v_bcnt_u32_b32 = vop3("v_bcnt_u32_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(ones(b, x[0]), x[1]) })
	v_and_b32      = commutes(vop2("v_and_b32", 0, (*sem.Builder).And))
	v_or_b32       = commutes(vop2("v_or_b32", 0, (*sem.Builder).Or))
	v_xor_b32      = commutes(vop2("v_xor_b32", 0, (*sem.Builder).Xor))
	v_and_or_b32   = vop3("v_and_or_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.And(x[0], x[1]), x[2]) })
	v_or3_b32      = vop3("v_or3_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.Or(x[0], x[1]), x[2]) })
	v_lshl_or_b32  = vop3("v_lshl_or_b32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Or(b.Shl(x[0], low5(b, x[1])), x[2]) })
	v_bfi_b32      = vop3("v_bfi_b32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Or(b.And(x[0], x[1]), b.And(b.Not(x[0]), x[2]))
	})
	v_bfm_b32 = vop3("v_bfm_b32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Shl(lowest(b, x[0]), low5(b, x[1])) })
	v_bfe_u32 = vop3("v_bfe_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.And(b.Lshr(x[0], low5(b, x[1])), lowest(b, x[2]))
	})
	v_bfe_i32       = vop3("v_bfe_i32", 0, 3, field)
	v_alignbit_b32  = vop3("v_alignbit_b32", 0, 3, align(31, 0))
	v_alignbyte_b32 = vop3("v_alignbyte_b32", 0, 3, align(3, 3))
	v_perm_b32      = vop3("v_perm_b32", PERM, 3, permute)

	// Shifts.
	v_lshlrev_b32 = vop2("v_lshlrev_b32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Shl(x, low5(b, n)) })
	v_lshrrev_b32 = vop2("v_lshrrev_b32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Lshr(x, low5(b, n)) })
	v_ashrrev_i32 = vop2("v_ashrrev_i32", 0, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Ashr(x, low5(b, n)) })
	v_lshlrev_b16 = vop16("v_lshlrev_b16", func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Shl(x, b.And(n, b.U(15, 16))) })
	v_ashrrev_i16 = vop16("v_ashrrev_i16", func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Ashr(x, b.And(n, b.U(15, 16))) })
	v_lshlrev_b64 = shift64("v_lshlrev_b64", (*sem.Builder).Shl)
	v_lshrrev_b64 = shift64("v_lshrrev_b64", (*sem.Builder).Lshr)
	v_ashrrev_i64 = shift64("v_ashrrev_i64", (*sem.Builder).Ashr)

	// Adds.
	v_add_u32       = commutes(vop2("v_add_u32", ADDNC, (*sem.Builder).Add))
	v_sub_u32       = vop2("v_sub_u32", ADDNC, (*sem.Builder).Sub)
	v_add_u16       = commutes(vop16("v_add_u16", (*sem.Builder).Add))
	v_sub_u16       = vop16("v_sub_u16", (*sem.Builder).Sub)
	v_add3_u32      = commutes(vop3("v_add3_u32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Sum(x...) }))
	v_xad_u32       = vop3("v_xad_u32", THREE, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(b.Xor(x[0], x[1]), x[2]) })
	v_add_u32_clamp = with(commutes(vop3("v_add_u32", CLAMPU, 2, addU)), "$d, $0, $1 clamp")
	v_sub_u32_clamp = with(vop3("v_sub_u32", CLAMPU, 2, subU), "$d, $0, $1 clamp")
	v_add_i32_clamp = with(commutes(vop3("v_add_i32", CLAMPS, 2, saturate((*sem.Builder).Add))), "$d, $0, $1 clamp")
	v_sub_i32_clamp = with(vop3("v_sub_i32", CLAMPS, 2, saturate((*sem.Builder).Sub)), "$d, $0, $1 clamp")
	v_add_co_u32    = commutes(vop2co("v_add_co_u32", carry, inline, inline))
	v_addc_co_u32   = commutes(vop2co("v_addc_co_u32", carry, inline, inline, lanes))
	v_sub_co_u32    = vop2co("v_sub_co_u32", borrow, inline, inline)
	v_subb_co_u32   = vop2co("v_subb_co_u32", borrow, inline, inline, lanes)
	v_sad_u32       = vop3("v_sad_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Add(x[2], b.Ite(b.Ult(x[0], x[1]), b.Sub(x[1], x[0]), b.Sub(x[0], x[1])))
	})

	// Limits.
	v_min_u32  = commutes(vop2("v_min_u32", 0, lesser((*sem.Builder).Ult)))
	v_min_i32  = commutes(vop2("v_min_i32", 0, lesser((*sem.Builder).Slt)))
	v_max_u32  = commutes(vop2("v_max_u32", 0, greater((*sem.Builder).Ult)))
	v_max_i32  = commutes(vop2("v_max_i32", 0, greater((*sem.Builder).Slt)))
	v_min_u16  = commutes(vop16("v_min_u16", lesser((*sem.Builder).Ult)))
	v_min_i16  = commutes(vop16("v_min_i16", lesser((*sem.Builder).Slt)))
	v_max_u16  = commutes(vop16("v_max_u16", greater((*sem.Builder).Ult)))
	v_max_i16  = commutes(vop16("v_max_i16", greater((*sem.Builder).Slt)))
	v_min3_u32 = vop3("v_min3_u32", 0, 3, func(b *sem.Builder, x []*sem.Term) *sem.Term {
		least := lesser((*sem.Builder).Ult)
		return least(b, least(b, x[0], x[1]), x[2])
	})

	// Multiplies. Those of 24 bits ignore bits 31 to 24.
	v_mul_u32_u24    = fast(commutes(vop2("v_mul_u32_u24", 0, mul24(false, 0))))
	v_mul_i32_i24    = fast(commutes(vop2("v_mul_i32_i24", 0, mul24(true, 0))))
	v_mul_hi_u32_u24 = fast(commutes(vop2("v_mul_hi_u32_u24", 0, mul24(false, 32))))
	v_mul_hi_i32_i24 = fast(commutes(vop2("v_mul_hi_i32_i24", 0, mul24(true, 32))))
	v_mad_u32_u24    = fast(commutes(vop3("v_mad_u32_u24", 0, 3, plus(mul24(false, 0)))))
	v_mad_i32_i24    = fast(commutes(vop3("v_mad_i32_i24", 0, 3, plus(mul24(true, 0)))))
	v_mul_lo_u16     = fast(commutes(vop16("v_mul_lo_u16", (*sem.Builder).Mul)))
	v_mul_lo_u32     = quarter(commutes(vop3("v_mul_lo_u32", 0, 2, func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Mul(x[0], x[1]) })))
	v_mul_hi_u32     = quarter(commutes(vop3("v_mul_hi_u32", 0, 2, high(false))))
	v_mul_hi_i32     = quarter(commutes(vop3("v_mul_hi_i32", 0, 2, high(true))))
	v_mad_u64_u32    = mad64("v_mad_u64_u32", "$d, $e, $0, $1, $2", false, pair)
	v_mad_i64_i32    = mad64("v_mad_i64_i32", "$d, $e, $0, $1, $2", true, pair)

	// The same op with one register as the addend: its upper word is whatever the
	// next register holds, so only the lower word of the result means anything.
	// The row gives the upper word that a zero there would give; no rule reads it.
	v_mad_u64_u32_lo = mad64("v_mad_u64_u32", "$d, $e, $0, $1, $2:", false, inline)

	// v_mad_u16 keeps the upper half of its result on gfx9, this one clears it
	// (seen: llc 22 on gfx900 extends it for nothing).
	v_mad_legacy_u16 = row(mach.Op{Name: "v_mad_legacy_u16", Syntax: "$d, $0, $1, $2", Out: []mach.Class{r32}, In: []mach.Kind{inline, inline, inline},
		Commutes: true, Mul: true, Needs: OPS16, Src: "seen: llc 22 gfx900", Conf: mach.Disassembled, Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
			l := func(i int) *sem.Term { return b.Bits(x[i], 15, 0) }
			return b.Zext(b.Add(b.Mul(l(0), l(1)), l(2)), 32)
		}).one})

	// The choice by a mask: $2 ? $1 : $0. A minus flips the operand's top bit, which makes 0x7fffffff of −1 and 0x80000000 of 0.
	v_cndmask_b32    = choice("v_cndmask_b32", "$d, $0, $1, $2", false, false)
	v_cndmask_b32_n  = choice("v_cndmask_b32_e64", "$d, -$0, $1, $2", true, false)
	v_cndmask_b32_nn = choice("v_cndmask_b32_e64", "$d, -$0, -$1, $2", true, true)

	// v_cmp[c][bits][signed]: eq and ne are of both.
	v_cmp = comparisons()
)

func choice(name, syntax string, neg0, neg1 bool) *mach.Op {
	flip := func(b *sem.Builder, x *sem.Term, on bool) *sem.Term {
		if on {
			return b.Xor(x, b.U(1<<31, 32))
		}
		return x
	}
	o := mach.Op{Name: name, Syntax: syntax, Out: []mach.Class{r32}, In: []mach.Kind{inline, inline, lanes}, Src: "AMD Vega ISA: VOP2"}
	if neg0 || neg1 {
		o.Src, o.Conf = "seen: llc 22 gfx900, for xor with 0x80000000", mach.Disassembled
	}
	o.Meaning = nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Ite(x[2], flip(b, x[1], neg1), flip(b, x[0], neg0))
	}).one
	return row(o)
}

type cmpKey struct {
	c      ptx.Cmp
	bits   int
	signed bool
}

func comparisons() map[cmpKey]*mach.Op {
	m := map[cmpKey]*mach.Op{}
	for _, bits := range []int{16, 32, 64} {
		for c := ptx.Eq; c <= ptx.Ge; c++ {
			m[cmpKey{c, bits, false}] = compare(c, bits, false)
			if c > ptx.Ne {
				m[cmpKey{c, bits, true}] = compare(c, bits, true)
			} else {
				m[cmpKey{c, bits, true}] = m[cmpKey{c, bits, false}]
			}
		}
	}
	return m
}

func compare(c ptx.Cmp, bits int, signed bool) *mach.Op {
	kind, letter := inline, "u"
	o := mach.Op{Syntax: "$d, $0, $1", Out: []mach.Class{mask}, Src: "AMD Vega ISA: VOPC", Commutes: c <= ptx.Ne}
	switch bits {
	case 16:
		o.Needs = OPS16
	case 64:
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
	return row(o)
}

// Ops is the instruction table of all generations, in the order of its rows.
func Ops() []*mach.Op { return ops }
