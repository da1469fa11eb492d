package nv

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// What came between sm_72 and sm_110.

// IMAD.HI: the high word of a·b + c, c being a pair.
var (
	IMAD_HI   = since(HighMul, "sm_75", twice("IMAD.HI", "$d, $0, $1, $2", "r<rbd", highWord(wide(true, false, 0))))
	IMAD_HI_U = since(HighMul, "sm_75", twice("IMAD.HI.U32", "$d, $0, $1, $2", "r<rbd", highWord(wide(false, false, 0))))
)

func highWord(m meaning) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Bits(m(b, in)[0], 63, 32) })
}

// VIADD: a + b. ptxas adds small constants with it.
var VIADD = since(VectorInt, "sm_90", commutes(row("VIADD", "$d, $0, $1", "r<rb", sumOf(adder(false, 0)))))

func commutes(o *mach.Op) *mach.Op {
	o.Commutes = true
	return o
}

// Extremum says which of two words is taken. In listings PT takes the smaller.
type Extremum struct{ Max, Unsigned bool }

// The greater or smaller of two words.
var (
	IMNMX      = extrema(MinMax, "sm_75", "IMNMX", "IMNMX.U32")
	VIMNMX     = extrema(VectorInt, "sm_90", "VIMNMX", "VIMNMX.U32")
	VIMNMX_S32 = extrema(Int64, "sm_120", "VIMNMX.S32", "VIMNMX.U32")

	// VIMNMX.S16x2 treats the halves on their own.
	VIMNMX_S16x2 = map[bool]*mach.Op{
		false: since(HalfMinMax, "sm_90", commutes(row("VIMNMX.S16x2", "$d, $0, $1, PT", "r<rb", single(onHalves(Extremum{false, false}))))),
		true:  since(HalfMinMax, "sm_90", commutes(row("VIMNMX.S16x2", "$d, $0, $1, !PT", "r<rb", single(onHalves(Extremum{true, false}))))),
	}
)

func (x Extremum) of(b *sem.Builder, p, q *sem.Term) *sem.Term {
	less := b.Slt(p, q)
	if x.Unsigned {
		less = b.Ult(p, q)
	}
	if x.Max {
		return b.Ite(less, q, p)
	}
	return b.Ite(less, p, q)
}

func onHalves(x Extremum) func(b *sem.Builder, in []*sem.Term) *sem.Term {
	return func(b *sem.Builder, in []*sem.Term) *sem.Term {
		half := func(lo int) *sem.Term {
			return x.of(b, b.Bits(in[0], lo+15, lo), b.Bits(in[1], lo+15, lo))
		}
		return b.Concat(half(16), half(0))
	}
}

func extrema(f ir.Features, arch, signed, unsigned string) map[Extremum]*mach.Op {
	rows := map[Extremum]*mach.Op{}
	for _, x := range [...]Extremum{{false, false}, {true, false}, {false, true}, {true, true}} {
		name, pick := signed, "PT"
		if x.Unsigned {
			name = unsigned
		}
		if x.Max {
			pick = "!PT"
		}
		rows[x] = since(f, arch, commutes(row(name, "$d, $0, $1, "+pick, "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
			return x.of(b, in[0], in[1])
		}))))
	}
	return rows
}

// I2I.SAT limits a signed word to a smaller type, extended by that type's sign
// (the result of .U8 and .U16 is used as a word: ptxas 13.5, sm_90).
var I2I_SAT = map[ptx.Type]*mach.Op{
	ptx.U8:  saturating(ptx.U8, "I2I.U8.S32.SAT"),
	ptx.S8:  saturating(ptx.S8, "I2I.S8.S32.SAT"),
	ptx.U16: saturating(ptx.U16, "I2I.U16.S32.SAT"),
	ptx.S16: saturating(ptx.S16, "I2I.S16.S32.SAT"),
}

func saturating(t ptx.Type, name string) *mach.Op {
	limited := form(ptx.Form{Op: ptx.Cvt, Sat: true, T: t, A: ptx.S32}, 0)
	return since(SatCvt, "sm_75", row(name, "$d, $0", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Ext(limited(b, in)[0], 32, t.Signed())
	})))
}
