package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The instructions of sm_10 to sm_13 (envytools, "Tesla CUDA ISA: integer
// arithmetic"; names as cuobjdump wrote them). Rows begin with T_. IADD, LOP and
// shifts take literals; the rest do not, R124 being 0.
//
// Of the condition code registers C0 holds the carry, as 0 or 1; C1 to C3 say
// whether an ISET held, and guard moves. One-bit values are 0 or 1 in general
// registers: no instruction combines condition codes.

// carry0 is the carry in C0.
var carry0 = mach.Class{Bank: mach.Carry, Bits: 32}

var teslaKinds = map[byte]mach.Kind{
	'r': kinds['r'],
	'w': {Class: r32}, // of which a half is read
	'b': kinds['b'],
	'x': {Class: r32, Imm: mach.Unsigned(127), Literal: nonzero}, // shift count
	'p': {Class: p1},
	'c': {Class: carry0},
	'k': kinds['k'],
}

var teslaTable []*mach.Op

// TeslaOps lists the rows of the instructions of sm_10 to sm_13.
func TeslaOps() []*mach.Op { return append([]*mach.Op(nil), teslaTable...) }

func tesla(name, syntax, sig string, m meaning) *mach.Op {
	o := &mach.Op{Name: name, Syntax: syntax, Needs: Tesla, Meaning: m, Pipe: pipeOf(name),
		Src: "envytools: Tesla CUDA ISA; names: cuobjdump sm_12", Conf: mach.Documented}
	addOperands(o, sig, teslaKinds)
	teslaTable = append(teslaTable, o)
	return o
}

// Additions; the carry-out goes to C0, .CARRY0 adds it. a − b is a + ~b + 1.
var (
	T_IADD     = commuting(tesla("IADD", "$d, $0, $1", "r<rb", sumOf(adder(false, 0))))
	T_IADD_C   = commuting(tesla("IADD.C0", "$d, $0, $1", "rc<rr", carryWord(adder(false, 0))))
	T_IADD_X   = commuting(tesla("IADD.CARRY0", "$d, $0, $1", "r<rrc", sumOf(carryWord(adder(false, 2)))))
	T_IADD_X_C = commuting(tesla("IADD.CARRY0.C0", "$d, $0, $1", "rc<rrc", carryWord(adder(false, 2))))
	T_ISUB     = tesla("IADD", "$d, $0, -$1", "r<rb", sumOf(adder(true, 0)))
	T_ISUB_C   = tesla("IADD.C0", "$d, $0, -$1", "rc<rr", carryWord(adder(true, 0)))
	T_IRSUB    = tesla("IADD", "$d, -$0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[1], in[0]) }))
	T_IADD_SAT = commuting(tesla("IADD.SAT", "$d, $0, $1", "r<rr", form(ptx.Form{Op: ptx.Add, Sat: true, T: ptx.S32}, 0, 1)))
	T_ISUB_SAT = tesla("IADD.SAT", "$d, $0, -$1", "r<rr", form(ptx.Form{Op: ptx.Sub, Sat: true, T: ptx.S32}, 0, 1))

	// A right shift's carry is the last bit that goes out: here bit 0.
	T_SHR_C = tesla("SHR.C0", "o [0x7f], $0, 0x1", "c<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Zext(b.Bit(in[0], 0), 32)
	}))
)

// carryWord is an adder whose carries are words, 0 or 1.
func carryWord(m meaning) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		if len(in) > 2 {
			in = []*sem.Term{in[0], in[1], b.Bit(in[2], 0)}
		}
		out := m(b, in)
		return []*sem.Term{out[0], b.Zext(out[1], 32)}
	}
}

// Products of the low 24 bits: bits 31..0, or with .HI bits 47..16; of halves,
// 32 bits.
var (
	T_MUL24_U    = mul24Row("IMUL.U24.U24", ptx.Form{Op: ptx.Mul24, Mode: ptx.Lo, T: ptx.U32})
	T_MUL24_S    = mul24Row("IMUL.S24.S24", ptx.Form{Op: ptx.Mul24, Mode: ptx.Lo, T: ptx.S32})
	T_MUL24_HI_U = mul24Row("IMUL.HI.U24.U24", ptx.Form{Op: ptx.Mul24, Mode: ptx.Hi, T: ptx.U32})
	T_MUL24_HI_S = mul24Row("IMUL.HI.S24.S24", ptx.Form{Op: ptx.Mul24, Mode: ptx.Hi, T: ptx.S32})
	T_MAD24_U    = mul24Row("IMAD.U24", ptx.Form{Op: ptx.Mad24, Mode: ptx.Lo, T: ptx.U32})
	T_MAD24_S    = mul24Row("IMAD.S24", ptx.Form{Op: ptx.Mad24, Mode: ptx.Lo, T: ptx.S32})
	T_MAD24_HI_U = mul24Row("IMAD.HI.U24", ptx.Form{Op: ptx.Mad24, Mode: ptx.Hi, T: ptx.U32})
	T_MAD24_HI_S = mul24Row("IMAD.HI.S24", ptx.Form{Op: ptx.Mad24, Mode: ptx.Hi, T: ptx.S32})
	T_MAD24_SAT  = mul24Row("IMAD.HI.S24.SAT", ptx.Form{Op: ptx.Mad24, Mode: ptx.Hi, Sat: true, T: ptx.S32})

	T_MUL_LL   = halfMul("IMUL.U16.U16", "$d, $0L, $1L", "r<ww", false)
	T_MUL_LH   = halfMul("IMUL.U16.U16", "$d, $0L, $1H", "r<ww", false)
	T_MUL_SS   = halfMul("IMUL.S16.S16", "$d, $0L, $1L", "r<ww", true)
	T_MAD_LL   = halfMul("IMAD.U16", "$d, $0L, $1L, $2", "r<wwr", false)
	T_MAD_HL   = halfMul("IMAD.U16", "$d, $0H, $1L, $2", "r<wwr", false)
	T_MAD_HH   = halfMul("IMAD.U16", "$d, $0H, $1H, $2", "r<wwr", false)
	T_MAD_S_LL = halfMul("IMAD.S16", "$d, $0L, $1L, $2", "r<wwr", true)
)

func mul24Row(name string, f ptx.Form) *mach.Op {
	syntax, sig, order := "$d, $0, $1", "r<rr", []int{0, 1}
	if f.Op == ptx.Mad24 {
		syntax, sig, order = "$d, $0, $1, $2", "r<rrr", []int{0, 1, 2}
	}
	return multiplier(commuting(tesla(name, syntax, sig, form(f, order...))))
}

// halfMul reads in the syntax which halves are multiplied.
func halfMul(name, syntax, sig string, signed bool) *mach.Op {
	half := func(b *sem.Builder, x *sem.Term, high bool) *sem.Term {
		at := 16 * index(high)
		return b.Ext(b.Bits(x, at+15, at), 32, signed)
	}
	high0, high1 := syntax[6] == 'H', syntax[11] == 'H'
	o := multiplier(tesla(name, syntax, sig, single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		p := b.Mul(half(b, in[0], high0), half(b, in[1], high1))
		if len(in) > 2 {
			p = b.Add(p, in[2])
		}
		return p
	})))
	o.Commutes = high0 == high1
	return o
}

// Bitwise operations, shifts (a count above 31 shifts all bits out), extensions
// of a low half.
var (
	T_AND  = commuting(tesla("LOP.AND", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.And(in[0], in[1]) })))
	T_OR   = commuting(tesla("LOP.OR", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Or(in[0], in[1]) })))
	T_XOR  = commuting(tesla("LOP.XOR", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Xor(in[0], in[1]) })))
	T_ANDN = tesla("LOP.AND", "$d, $0, ~$1", "r<rr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.And(in[0], b.Not(in[1])) }))
	T_ORN  = tesla("LOP.OR", "$d, $0, ~$1", "r<rr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Or(in[0], b.Not(in[1])) }))
	T_NOT  = tesla("LOP.PASS_B", "$d, R124, ~$0", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Not(in[0]) }))

	T_SHL = tesla("SHL", "$d, $0, $1", "r<rx", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Shl(in[0], in[1]) }))
	T_SHR = tesla("SHR", "$d, $0, $1", "r<rx", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Lshr(in[0], in[1]) }))
	T_SAR = tesla("SHR.S32", "$d, $0, $1", "r<rx", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Ashr(in[0], in[1]) }))

	T_ZEXT16 = tesla("I2I.U32.U16", "$d, $0L", "r<w", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Zext(b.Bits(in[0], 15, 0), 32) }))
	T_SEXT16 = tesla("I2I.S32.S16", "$d, $0L", "r<w", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sext(b.Bits(in[0], 15, 0), 32) }))
	T_HIGH16 = tesla("I2I.U32.U16", "$d, $0H", "r<w", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Zext(b.Bits(in[0], 31, 16), 32) }))
)

// Moves, extrema and |a − b| + c.
var (
	T_MOV   = tesla("MOV", "$d, $0", "r<r", copied)
	T_MVI   = tesla("MVI", "$d, $0", "r<k", copied)
	T_MIN   = commuting(tesla("IMIN.S32", "$d, $0, $1", "r<rr", form(ptx.Form{Op: ptx.Min, T: ptx.S32}, 0, 1)))
	T_MIN_U = commuting(tesla("IMIN", "$d, $0, $1", "r<rr", form(ptx.Form{Op: ptx.Min, T: ptx.U32}, 0, 1)))
	T_MAX   = commuting(tesla("IMAX.S32", "$d, $0, $1", "r<rr", form(ptx.Form{Op: ptx.Max, T: ptx.S32}, 0, 1)))
	T_MAX_U = commuting(tesla("IMAX", "$d, $0, $1", "r<rr", form(ptx.Form{Op: ptx.Max, T: ptx.U32}, 0, 1)))
	T_SAD   = tesla("ISAD.S32", "$d, $0, $1, $2", "r<rrr", absdiff(true))
	T_SAD_U = tesla("ISAD", "$d, $0, $1, $2", "r<rrr", absdiff(false))
)

// ordering is a comparison of words.
type ordering struct {
	cmp      ptx.Cmp
	unsigned bool
}

// NotEqual is the comparison that tests a bit.
var NotEqual = ordering{ptx.Ne, true}

// T_ISETs are all ones where the comparison holds, else 0. T_ISETPs leave that
// in a condition code register, whose number the listing appends to the name.
var (
	T_ISETs = func() map[ordering]*mach.Op {
		rows := map[ordering]*mach.Op{}
		for cmp := ptx.Eq; cmp <= ptx.Ge; cmp++ {
			for _, unsigned := range [...]bool{false, true} {
				o := ordering{cmp, unsigned}
				rows[o] = o.row("$d", "r<rr", func(b *sem.Builder, t *sem.Term) *sem.Term { return b.Sext(t, 32) })
			}
		}
		return rows
	}()
	T_ISETPs = func() map[ordering]*mach.Op {
		rows := map[ordering]*mach.Op{}
		for _, o := range [...]ordering{{ptx.Ne, true}, {ptx.Lt, true}, {ptx.Gt, true}, {ptx.Ge, false}} {
			rows[o] = o.row("o [0x7f]", "p<rr", func(_ *sem.Builder, t *sem.Term) *sem.Term { return t })
		}
		return rows
	}()
)

func (o ordering) row(result, sig string, of func(b *sem.Builder, t *sem.Term) *sem.Term) *mach.Op {
	name, t := "ISET.S32", ptx.S32
	if o.unsigned {
		name, t = "ISET", ptx.U32
	}
	cmp := [...]string{ptx.Eq: "EQ", ptx.Ne: "NE", ptx.Lt: "LT", ptx.Le: "LE", ptx.Gt: "GT", ptx.Ge: "GE"}[o.cmp]
	test := form(ptx.Form{Op: ptx.Setp, Cmp: o.cmp, T: t}, 0, 1)
	return tesla(name, result+", $0, $1, "+cmp, sig, single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return of(b, test(b, in)[0])
	}))
}
