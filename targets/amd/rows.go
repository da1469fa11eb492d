package amd

import (
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// How rows of the instruction table are made. Encodings: VOP1, VOP2 and VOPC
// (4 bytes) take any register, inline constant or literal as their first operand
// and a register as their second; VOP3 (8 bytes) takes inline constants
// everywhere, and from gfx10 on one literal. The assembler chooses. Carries and
// comparisons are VOP3 unless their mask is VCC, so before gfx10 their rows take
// no literal.

var (
	r32  = mach.Class{Bank: mach.General, Bits: 32}
	r64  = mach.Class{Bank: mach.General, Bits: 64}
	mask = mach.Class{Bank: mach.Predicate, Bits: 1}

	vgpr   = mach.Kind{Class: r32}
	vpair  = mach.Kind{Class: r64}
	lanes  = mach.Kind{Class: mask}
	inline = mach.Kind{Class: r32, Imm: inlined(32), Literal: never, Scalar: true}
	pair   = mach.Kind{Class: r64, Imm: inlined(64), Literal: never, Scalar: true}
	lit    = mach.Kind{Class: r32, Imm: mach.Any, Literal: literal, Scalar: true}
	zero   = mach.Kind{Class: r32, Imm: mach.Zero, Literal: never}
	half0  = mach.Kind{Class: r32, Imm: word16, Literal: literal, Scalar: true} // of a 16-bit op
	src1   = mach.Kind{Class: r32, Imm: inlined(32), Scalar: true}              // makes it VOP3: no literal beside it
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

// literal64 accepts the numbers of 64 bits that are spelled as they are: words with
// bit 31 set are lit64(…) (seen: llvm-mc 22 gfx1250).
func literal64(k sem.Val) bool { return k.Lo>>31 != 1 }

// ops is the whole table, in the order of the rows.
var ops []*mach.Op

// Ops is the instruction table of all generations. A target has the rows whose
// features it has.
func Ops() []*mach.Op { return ops }

// row adds a row to the table and is the op that is that row.
func row(o mach.Op) *op {
	if o.Latency == 0 {
		o.Latency = 4
	}
	o.In = slices.Clone(o.In)
	for i := range o.In { // VGPRs only, on some generations
		o.In[i].Scalar = o.In[i].Scalar && !strings.Contains(o.Syntax, "_sel:") && !strings.Contains(o.Syntax, "::")
	}
	o.Src, o.Conf = source(o.Needs, o.Src)
	ops = append(ops, &o)
	return &op{ways: []way{{needs: o.Needs, row: &o}}}
}

// source is where the meaning of a row is from: the manual of the oldest
// generation that has it, or what LLVM makes of it.
func source(f ir.Features, where string) (string, mach.Conf) {
	switch {
	case f&MADCLAMP != 0:
		return assumed, mach.Assumed
	case strings.HasPrefix(where, "seen"):
		return where, mach.Disassembled
	case f&(U64|DUAL|SETPC64) != 0:
		return "seen: llvm-mc 22 and llc 22 gfx1250", mach.Disassembled
	case f&BITOP3 != 0:
		return "seen: llc 22 gfx950", mach.Disassembled
	case f&LSHLADD != 0:
		return "AMD CDNA3 ISA: " + where, mach.Documented
	case f&(MADCO|SADDCO) != 0:
		return "AMD RDNA4 ISA: " + where, mach.Documented
	case f&(NEW|DOT|FWD) != 0:
		return "AMD RDNA3 ISA: " + where, mach.Documented
	case f&(CI|XOR3|LIT3|W32) != 0:
		return "AMD RDNA ISA: " + where, mach.Documented
	case f&ADDI != 0:
		return "AMD Sea Islands ISA: " + where, mach.Documented
	case f&ADDC != 0:
		return "AMD GCN3 ISA: " + where, mach.Documented
	}
	return "AMD Vega ISA: " + where, mach.Documented
}

// literals gives the two rows of a VOP3 op: before gfx10 without literals, and
// with them. Features that only one side has leave only that.
func literals(o mach.Op) *op {
	const before, after = ADDI | ADDC | CO | OPS16 | W64, CI | XOR3 | NEW | DOT | MADCO | FWD | U64
	old := o.Needs&before != 0 || o.Needs.Has(MADU|ALIGNED)
	all := &op{}
	if !old {
		m := o
		m.In = nil
		for _, in := range o.In {
			if in.Class == r32 && in.Imm != nil {
				in = lit
			}
			m.In = append(m.In, in)
		}
		if o.Needs&after == 0 {
			m.Needs |= LIT3
		}
		all = row(m)
	}
	if o.Needs&after == 0 {
		all = either(all, row(o))
	}
	return all
}

func vop1(name string, needs ir.Features, m func(*sem.Builder, *sem.Term) *sem.Term) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0", Out: []mach.Class{r32}, In: []mach.Kind{lit}, Needs: needs, Src: "VOP1",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(m(b, in[0])) }})
}

func vop2(name string, needs ir.Features, m binary) *op {
	return row(mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{r32}, In: []mach.Kind{lit, src1}, Needs: needs, Src: "VOP2", Meaning: m.one})
}

func vop3(name string, needs ir.Features, n int, m nary) *op {
	return literals(vop3Row(name, needs, n, m))
}

func vop3Row(name string, needs ir.Features, n int, m nary) mach.Op {
	in := []mach.Kind{inline, inline, inline}[:n]
	return mach.Op{Name: name, Syntax: "$d, $0, $1, $2"[:2+4*n], Out: []mach.Class{r32}, In: in, Needs: needs, Src: "VOP3", Meaning: m.one}
}

// clamp is a two-operand VOP3 op that saturates.
func clamp(name string, needs ir.Features, m nary) *op {
	o := vop3Row(name, needs, 2, m)
	o.Syntax = "$d, $0, $1 clamp"
	return literals(o)
}

// clampCo is one that besides writes a mask, which nobody reads.
func clampCo(name string, needs ir.Features, m nary, over nary2) *op {
	o := vop3Row(name, needs, 2, nil)
	o.Syntax, o.Out = "$d, $e, $0, $1 clamp", []mach.Class{r32, mask}
	o.Meaning = nary2(func(b *sem.Builder, x []*sem.Term) (d, e *sem.Term) {
		_, e = over(b, x)
		return m(b, x), e
	}).two
	return row(o)
}

// carried is an add or sub with a mask out, and with three inputs with one in.
func carried(name string, needs ir.Features, m nary2, n int) *op {
	in := []mach.Kind{inline, inline, lanes}[:n]
	return literals(mach.Op{Name: name, Syntax: "$d, $e, $0, $1, $2"[:6+4*n], Out: []mach.Class{r32, mask}, In: in, Needs: needs, Src: "VOP2", Meaning: m.two})
}

// sop is an op on masks, in the two widths that they have.
func sop(name string, needs ir.Features, n int, m nary) *op {
	o := func(bits string, f ir.Features) *op {
		return row(mach.Op{Name: name + bits, Syntax: "$d, $0, $1"[:2+4*n], Out: []mach.Class{mask}, In: []mach.Kind{lanes, lanes}[:n], Needs: needs | f, Src: "SOP1, SOP2", Meaning: m.one, Spoils: name != "s_mov"})
	}
	if needs == NEW {
		return o("_b32", W32)
	}
	return either(o("_b64", W64), o("_b32", W32))
}

// shift64 is a 64-bit shift; gfx6 and gfx7 have the count last.
func shift64(name, old string, m binary) *op {
	pair := pair
	pair.Scalar = false // gfx10 reads one scalar register only
	o := mach.Op{Name: name, Syntax: "$d, $0, $1", Out: []mach.Class{r64}, In: []mach.Kind{inline, pair}, Needs: REV64, Cost: mach.Cost{Slots: 2, Latency: 8}, Src: "VOP3",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(m(b, in[1], b.Zext(b.Bits(in[0], 5, 0), 64)))
		}}
	reversed := o
	reversed.Name, reversed.Syntax, reversed.Needs = old, "$d, $1, $0", ADDI
	return either(row(o), row(reversed))
}

func commutes(o *op) *op { return o.with(func(r *mach.Op) { r.Commutes = true }) }
func fast(o *op) *op     { return o.with(func(r *mach.Op) { r.Mul = true }) }

// quarter marks the 32-bit multiplier: four issue slots (AMD's shader analyzer).
func quarter(o *op) *op {
	return o.with(func(r *mach.Op) { r.Mul, r.Slots, r.Latency = true, 4, 16 })
}

// constant makes the input one that is only a constant.
func constant(o *op) *op {
	return o.with(func(r *mach.Op) { r.In = []mach.Kind{{Class: r.In[0].Class, Imm: mach.Any, ImmOnly: true}} })
}
