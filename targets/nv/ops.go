package nv

import (
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

var (
	r32 = mach.Class{Bank: mach.General, Bits: 32}
	r64 = mach.Class{Bank: mach.General, Bits: 64} // an even-aligned pair
	p1  = mach.Class{Bank: mach.Predicate, Bits: 1}
)

func nonzero(k sem.Val) bool  { return !k.IsZero() }
func notOnes(k sem.Val) bool  { return k.Cut(32) != sem.U(0xffffffff) }
func notLeast(k sem.Val) bool { return k.Cut(32) != sem.U(1<<31) }
func never(sem.Val) bool      { return false }

// sext32 accepts a 64-bit constant that is a sign-extended word, minusSext32 one
// whose negative is.
func sext32(k sem.Val) bool      { return k.Cut(32).SignExtend(32) == k.SignExtend(64) }
func minusSext32(k sem.Val) bool { return sext32(sem.Val{}.Sub(k)) }

// kinds are the operands that signatures are made of. Zero is the register RZ
// and takes no literal; a constant predicate is PT or !PT.
var kinds = map[byte]mach.Kind{
	'r': {Class: r32, Imm: mach.Zero, Literal: never},                          // register
	'b': {Class: r32, Imm: mach.Any, Literal: nonzero},                         // register or literal
	'n': {Class: r32, Imm: mach.Any, Literal: notOnes},                         // the same under ~
	'm': {Class: r32, Imm: notLeast, Literal: nonzero},                         // the same under a saturating -
	'd': {Class: r64, Imm: mach.Zero, Literal: never},                          // register pair
	'l': {Class: r64, Imm: sext32, Literal: nonzero},                           // register pair or literal
	'j': {Class: r64, Imm: minusSext32, Literal: nonzero},                      // the same under -
	'p': {Class: p1, Imm: mach.Any, Literal: never, Not: true},                 // predicate
	'k': {Class: r32, Imm: mach.Any, ImmOnly: true},                            // literal
	'q': {Class: p1, Imm: mach.Any, ImmOnly: true},                             // PT or !PT
	's': {Class: mach.Class{Bits: 8}, Imm: mach.Unsigned(31), ImmOnly: true},   // shift count of LEA
	'8': {Class: mach.Class{Bits: 8}, Imm: mach.Unsigned(0xff), ImmOnly: true}, // table of LOP3 and PLOP3
}

type meaning func(b *sem.Builder, in []*sem.Term) []*sem.Term

// single is the meaning of an instruction with one result.
func single(f func(b *sem.Builder, in []*sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{f(b, in)} }
}

var table []*mach.Op

// Ops lists the rows of the instruction table, each once, in the order of the
// files.
func Ops() []*mach.Op { return append([]*mach.Op(nil), table...) }

// Where costs are from. Pipes: alu for additions, logic, shifts, comparisons and
// selection; fma, with the multiplier; xu, the slow unit. Both fast ones take a
// warp in one slot; a result goes from alu to alu in 4 cycles, from fma to alu in
// 5, a predicate to a guard in 13. IMAD.WIDE and IMAD.HI take the fma pipe twice,
// the high word coming two cycles after the low one. xu takes four slots, with
// no fixed latency.
const costSrc = "Jia et al. 2018 (sm_70), Mesa NAK (sm_75, sm_80, sm_100), CUDA C++ Programming Guide: Arithmetic Instructions"

const costs = "; cost: " + costSrc

// row makes a row of an instruction that ptxas emits on sm_70. The signature
// lists the results, "<", and the operands, a letter of kinds each.
func row(name, syntax, sig string, m meaning) *mach.Op {
	o := &mach.Op{Name: name, Syntax: syntax, Needs: PredCarry, Pipe: "alu", Cost: mach.Cost{Latency: 4}, Meaning: m,
		Src: "seen: ptxas 12.9 sm_70" + costs, Conf: mach.Disassembled}
	results := true
	for i := range len(sig) {
		switch k := kinds[sig[i]]; {
		case sig[i] == '<':
			results = false
		case results:
			o.Out = append(o.Out, k.Class)
		default:
			o.In = append(o.In, k)
		}
	}
	table = append(table, o)
	return o
}

// mul is a row that uses the multiplier, whose factors may be exchanged.
func mul(name, syntax, sig string, m meaning) *mach.Op {
	o := row(name, syntax, sig, m)
	o.Mul, o.Commutes, o.Pipe, o.Latency = true, true, "fma", 5
	return o
}

// twice is a row of mul with a 64-bit product.
func twice(name, syntax, sig string, m meaning) *mach.Op {
	o := mul(name, syntax, sig, m)
	o.Slots = 2
	return o
}

// needing is a row that not every generation from sm_70 on has.
func needing(f ir.Features, o *mach.Op) *mach.Op {
	o.Needs |= f
	return o
}

// since marks a row that a later generation brought.
func since(needs ir.Features, arch string, o *mach.Op) *mach.Op {
	o.Src = "seen: ptxas 13.5 " + arch + costs
	return needing(needs, o)
}

// inferred marks a row whose encoding nvdisasm reads as written here, but which
// ptxas was not seen to emit with these operands; what it means follows from the
// forms that were.
func inferred(o *mach.Op) *mach.Op {
	o.Src, o.Conf = strings.Replace(o.Src, "seen: ptxas", "decoded: nvdisasm beside ptxas", 1), mach.Inferred
	return o
}

// unit marks a row of the slow unit, whose latency varies.
func unit(o *mach.Op) *mach.Op {
	o.Pipe, o.Slots, o.Latency = "xu", 4, 0
	return o
}

// Multiply-add. One factor or the addend may be a literal.
var (
	IMAD   = mul("IMAD", "$d, $0, $1, $2", "r<rbb", mad32(false, 0))
	IMAD_N = mul("IMAD", "$d, $0, $1, -$2", "r<rbr", mad32(true, 0))
	IMAD_X = mul("IMAD.X", "$d, $0, $1, $2, $3", "r<rbbp", mad32(false, 3)) // PT adds 1
)

// mad32 is a·b ± c, and operand cf as a carry-in; cf 0 is none.
func mad32(negated bool, cf int) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return addTo(b, b.Mul(in[0], in[1]), in, negated, cf)
	})
}

func addTo(b *sem.Builder, p *sem.Term, in []*sem.Term, negated bool, cf int) *sem.Term {
	if negated {
		p = b.Sub(p, in[2])
	} else {
		p = b.Add(p, in[2])
	}
	if cf > 0 {
		p = b.Add(p, b.Zext(in[cf], p.W))
	}
	return p
}

// Wide multiply-add: 32 · 32 + 64 bits, both factors signed or both unsigned.
// A carry-out is that of the 64-bit addition of product and addend as bit
// patterns.
var (
	WIDE       = twice("IMAD.WIDE", "$d, $0, $1, $2", "d<rbd", wide(true, false, 0))
	WIDE_N     = twice("IMAD.WIDE", "$d, $0, $1, -$2", "d<rbd", wide(true, true, 0))
	WIDE_X     = twice("IMAD.WIDE.X", "$d, $0, $1, $2, $3", "d<rbdp", wide(true, false, 3))
	WIDE_U     = twice("IMAD.WIDE.U32", "$d, $0, $1, $2", "d<rbd", wide(false, false, 0))
	WIDE_U_N   = twice("IMAD.WIDE.U32", "$d, $0, $1, -$2", "d<rbd", wide(false, true, 0))
	WIDE_U_X   = twice("IMAD.WIDE.U32.X", "$d, $0, $1, $2, $3", "d<rbdp", wide(false, false, 3))
	WIDE_U_C   = twice("IMAD.WIDE.U32", "$d, $e, $0, $1, $2", "dp<rbd", wideCarry(0))
	WIDE_U_X_C = twice("IMAD.WIDE.U32.X", "$d, $e, $0, $1, $2, $3", "dp<rbdp", wideCarry(3))
)

func product64(b *sem.Builder, in []*sem.Term, signed bool) *sem.Term {
	return b.Mul(b.Ext(in[0], 64, signed), b.Ext(in[1], 64, signed))
}

func wide(signed, negated bool, cf int) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return addTo(b, product64(b, in, signed), in, negated, cf)
	})
}

func wideCarry(cf int) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		var c *sem.Term
		if cf > 0 {
			c = in[cf]
		}
		sum, out := b.AddCarry(product64(b, in, false), in[2], c)
		return []*sem.Term{sum, out}
	}
}

// Dot products of bytes, and of halves with the low two bytes, plus a word; the
// table's index says which factor is signed. There is no literal form.
var (
	IDP4A = dots("IDP.4A", 8, "U8", "S8")
	IDP2A = dots("IDP.2A.LO", 16, "U16", "S16")
)

// dots are the rows [first signed][second signed]; the parts of the first
// factor have n bits.
func dots(name string, n int, unsigned, signed string) (t [2][2]*mach.Op) {
	types := [2]string{unsigned, signed}
	for i, a := range types {
		for j, s := range [2]string{"U8", "S8"} {
			o := row(name+"."+a+"."+s, "$d, $0, $1, $2", "r<rrr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
				d := in[2]
				for k := range 32 / n {
					x := b.Bits(in[0], k*n+n-1, k*n)
					y := b.Bits(in[1], k*8+7, k*8)
					d = b.Add(d, b.Mul(b.Ext(x, 32, i == 1), b.Ext(y, 32, j == 1)))
				}
				return d
			}))
			o.Mul, o.Pipe, o.Latency = true, "fma", 5
			t[i][j] = o
		}
	}
	return t
}

// Additions. IADD3 adds three operands, one of which may be a literal: the
// listing puts it in the middle. −x is ~x + 1 with its carry, so that a − b
// carries where it does not borrow; .X takes ~x instead. A literal after - or ~
// is printed negated or complemented.
var (
	IADD3     = row("IADD3", "$d, $0, $1, $2", "r<bbb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sum(in...) }))
	IADD3_C   = row("IADD3", "$d, $e, $0, $1, RZ", "rp<bb", adder(false, 0))
	IADD3_X   = row("IADD3.X", "$d, $0, $1, RZ, $2, !PT", "r<bbp", sumOf(adder(false, 2)))
	IADD3_X_C = row("IADD3.X", "$d, $e, $0, $1, RZ, $2, !PT", "rp<bbp", adder(false, 2))
	IADD3_XX  = row("IADD3.X", "$d, $0, $1, RZ, $2, $3", "r<bbpp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		sum, _ := b.AddCarry(in[0], b.U(0, 32), in[2])
		sum, _ = b.AddCarry(sum, in[1], in[3])
		return sum
	}))
	IADD3_N  = row("IADD3", "$d, $0, $1, -$2", "r<bbr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(b.Add(in[0], in[1]), in[2]) }))
	ISUB     = row("IADD3", "$d, $0, -$1, RZ", "r<bb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[0], in[1]) }))
	ISUB_C   = row("IADD3", "$d, $e, $0, -$1, RZ", "rp<bb", adder(true, 0))
	ISUB_X   = row("IADD3.X", "$d, $0, ~$1, RZ, $2, !PT", "r<bnp", sumOf(adder(true, 2)))
	ISUB_X_C = row("IADD3.X", "$d, $e, $0, ~$1, RZ, $2, !PT", "rp<bnp", adder(true, 2))
)

// adder is x + y + cf, or x + ~y + cf, and the carry-out; without a carry-in
// (cf 0) it is x + y, or x + ~y + 1.
func adder(complement bool, cf int) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		y, c := in[1], b.U(0, 1)
		if complement {
			y, c = b.Not(y), b.U(1, 1)
		}
		if cf > 0 {
			c = in[cf]
		}
		sum, out := b.AddCarry(in[0], y, c)
		return []*sem.Term{sum, out}
	}
}

// sumOf is an adder whose carry-out is not wanted.
func sumOf(m meaning) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term { return m(b, in)[:1] }
}

// LEA: (a << n) + b; LEA.HI: ({c, a} >> (32 − n)) + b, with .SX32 c being the
// sign of a.
var (
	LEA       = row("LEA", "$d, $0, $1, $2", "r<rbs", lea(shiftedLeft, 2, 0))
	LEA_C     = row("LEA", "$d, $e, $0, $1, $2", "rp<rbs", leaCarry(shiftedLeft, 2))
	LEA_HI    = row("LEA.HI", "$d, $0, $1, $2, $3", "r<rbrs", lea(highOfPair, 3, 0))
	LEA_HI_C  = row("LEA.HI", "$d, $e, $0, $1, $2, $3", "rp<rbrs", leaCarry(highOfPair, 3))
	LEA_HI_X  = row("LEA.HI.X", "$d, $0, $1, $2, $3, $4", "r<rbrsp", lea(highOfPair, 3, 4))
	LEA_HI_S  = row("LEA.HI.SX32", "$d, $0, $1, $2", "r<rbs", lea(highOfSigned, 2, 0))
	LEA_HI_SC = row("LEA.HI.SX32", "$d, $e, $0, $1, $2", "rp<rbs", leaCarry(highOfSigned, 2))
)

// scaled is the shifted operand of LEA; n is the count.
type scaled func(b *sem.Builder, in []*sem.Term, n int) *sem.Term

// lea is x + in[1], and in[cf] as a carry-in where cf is not 0; in[at] is the
// count.
func lea(x scaled, at, cf int) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		sum := b.Add(x(b, in, int(in[at].K.Lo)), in[1])
		if cf > 0 {
			sum = b.Add(sum, b.Zext(in[cf], 32))
		}
		return sum
	})
}

// leaCarry is x + in[1] with the carry-out.
func leaCarry(x scaled, at int) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		sum, out := b.AddCarry(x(b, in, int(in[at].K.Lo)), in[1], b.U(0, 1))
		return []*sem.Term{sum, out}
	}
}

func shiftedLeft(b *sem.Builder, in []*sem.Term, n int) *sem.Term { return b.ShlK(in[0], n) }

func highOfPair(b *sem.Builder, in []*sem.Term, n int) *sem.Term {
	return b.Bits(b.Concat(in[2], in[0]), 63-n, 32-n)
}

func highOfSigned(b *sem.Builder, in []*sem.Term, n int) *sem.Term {
	return b.Bits(b.Sext(in[0], 64), 63-n, 32-n)
}

// |a − b| + c and |a|.
var (
	VABSDIFF   = needing(AbsDiff, row("VABSDIFF", "$d, $0, $1, $2", "r<rbb", absdiff(true)))
	VABSDIFF_U = needing(AbsDiff, row("VABSDIFF.U32", "$d, $0, $1, $2", "r<rbb", absdiff(false)))
	IABS       = row("IABS", "$d, $0", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Ite(b.Slt(in[0], b.U(0, 32)), b.Neg(in[0]), in[0])
	}))
)

func absdiff(signed bool) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		lt := b.Ult(in[0], in[1])
		if signed {
			lt = b.Slt(in[0], in[1])
		}
		return b.Add(b.Ite(lt, b.Sub(in[1], in[0]), b.Sub(in[0], in[1])), in[2])
	})
}
