package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Selection. ICMP d, a, b, c is a where c compares with 0, else b.
var (
	F_SEL     = common("SEL", "$d, $0, $1, $2", "r<rip", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Ite(in[2], in[0], in[1]) }))
	F_ICMP_GE = icmp(ptx.Ge, "ICMP.GE")
	F_ICMP_LT = guessed(icmp(ptx.Lt, "ICMP.LT"))
	F_ICMP_EQ = icmp(ptx.Eq, "ICMP.EQ.U32")
	F_ICMP_NE = icmp(ptx.Ne, "ICMP.NE.U32")
	F_MIN     = minMaxRow("IMNMX", "PT", ptx.Min, ptx.S32)
	F_MIN_U   = minMaxRow("IMNMX.U32", "PT", ptx.Min, ptx.U32)
	F_MAX     = minMaxRow("IMNMX", "!PT", ptx.Max, ptx.S32)
	F_MAX_U   = minMaxRow("IMNMX.U32", "!PT", ptx.Max, ptx.U32)

	F_MOV    = common("MOV", "$d, $0", "r<r", copied)
	F_MOV_K  = common("MOV32I", "$d, $0", "r<k", copied)
	F_PMOV   = guessed(common("PSETP.AND.AND", "$d, PT, $0, PT, PT", "p<p", copied))
	F_PMOV_K = guessed(common("PSETP.AND.AND", "$d, PT, $0, PT, PT", "p<q", copied))
	F_PAND   = guessed(common("PSETP.AND.AND", "$d, PT, $0, $1, PT", "p<pp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.And(in[0], in[1]) })))
	F_POR    = common("PSETP.OR.AND", "$d, PT, $0, $1, PT", "p<pp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Or(in[0], in[1]) }))
	F_PXOR   = guessed(common("PSETP.XOR.AND", "$d, PT, $0, $1, PT", "p<pp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Xor(in[0], in[1]) })))
)

func icmp(cmp ptx.Cmp, name string) *mach.Op {
	return common(name, "$d, $0, $1, $2", "r<rir", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		p := ptx.Form{Op: ptx.Setp, Cmp: cmp, T: ptx.S32}.Meaning(b, []*sem.Term{in[2], b.U(0, 32)}, ptx.ISA)[0]
		return b.Ite(p, in[0], in[1])
	}))
}

func minMaxRow(name, which string, op ptx.Op, t ptx.Type) *mach.Op {
	return commuting(common(name, "$d, $0, $1, "+which, "r<ri", form(ptx.Form{Op: op, T: t}, 0, 1)))
}

// Bit counts, absolute values and conversions that limit, in slow units. The
// results of I2I to bytes and halves are extended as the type says.
var (
	F_FLO      = common("FLO", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.S32}, 0))
	F_FLO_U    = common("FLO.U32", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.U32}, 0))
	F_FLO_SH   = common("FLO.SH", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.S32, ShiftAmt: true}, 0))
	F_FLO_U_SH = common("FLO.U32.SH", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.U32, ShiftAmt: true}, 0))
	F_POPC     = fermiRow(HalfMul, seenMaxwell, "POPC", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Popc, T: ptx.B32}, 0))
	F_POPC_AND = fermiRow(WordMul, seenKepler, "POPC", "$d, $0, $0", "r<r", form(ptx.Form{Op: ptx.Popc, T: ptx.B32}, 0)) // of a ∧ b

	F_ABS   = common("I2I.S32.S32", "$d, |$0|", "r<r", form(ptx.Form{Op: ptx.Abs, T: ptx.S32}, 0))
	F_ABS16 = guessed(fermiRow(0, "decoded: nvdisasm 12.8 sm_50", "I2I.S32.S16", "$d, |$0|", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return ptx.Form{Op: ptx.Abs, T: ptx.S32}.Meaning(b, []*sem.Term{b.Sext(b.Bits(in[0], 15, 0), 32)}, ptx.ISA)[0]
	})))

	F_SAD        = fermiRow(WordMul, seenKepler, "ISAD", "$d, $0, $1, $2", "r<rir", absdiff(true))
	F_SAD_U      = fermiRow(WordMul, seenKepler, "ISAD.U32", "$d, $0, $1, $2", "r<rir", absdiff(false))
	F_VABSDIFF   = fermiRow(HalfMul, seenMaxwell, "VABSDIFF.SD.ACC", "$d, $0, $1, $2", "r<rrr", absdiff(true))
	F_VABSDIFF_U = fermiRow(HalfMul, seenMaxwell, "VABSDIFF.U32.U32.ACC", "$d, $0, $1, $2", "r<rrr", absdiff(false))
)

// conversion is a row of I2I.SAT: from a byte, half or word to the range of
// another type.
type conversion struct{ to, from ptx.Type }

var F_I2Is = func() map[conversion]*mach.Op {
	rows := map[conversion]*mach.Op{}
	names := map[ptx.Type]string{ptx.U8: "U8", ptx.U16: "U16", ptx.U32: "U32", ptx.S8: "S8", ptx.S16: "S16", ptx.S32: "S32"}
	types := [...]ptx.Type{ptx.U8, ptx.U16, ptx.U32, ptx.S8, ptx.S16, ptx.S32}
	for _, from := range types {
		for _, to := range types {
			if !exceeds(from, to) {
				continue
			}
			f := ptx.Form{Op: ptx.Cvt, T: to, A: from, Sat: true}
			rows[conversion{to, from}] = common("I2I."+names[to]+"."+names[from]+".SAT", "$d, $0", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
				d := f.Meaning(b, []*sem.Term{b.Bits(in[0], from.Bits()-1, 0)}, ptx.ISA)[0]
				return b.Ext(d, 32, to.Signed())
			}))
		}
	}
	return rows
}()

// exceeds reports whether values of one type can lie outside another's range.
func exceeds(from, to ptx.Type) bool {
	switch {
	case to.Signed() == from.Signed():
		return to.Bits() < from.Bits()
	case to.Signed():
		return to.Bits() <= from.Bits()
	}
	return true
}

// Comparisons: ISETP gives a predicate, ISET all ones or 0; both combine the
// test with a predicate. With .X the operands are the high words of pairs whose
// low words CC compared: a < b where a + ~b + CC does not carry. Only that
// order needs no other flag than the carry.
var (
	F_ISETPs = comparisons(func(c comparison, name string) *mach.Op {
		if c.ex {
			return common("ISETP."+name, "$d, PT, $0, $1, $2", "p<rrpc", c.meaning(nil))
		}
		return common("ISETP."+name, "$d, PT, $0, $1, $2", "p<rip", c.meaning(nil))
	})
	F_ISETs = comparisons(func(c comparison, name string) *mach.Op {
		ones := func(b *sem.Builder, t *sem.Term) *sem.Term { return b.Sext(t, 32) }
		if c.ex {
			return common("ISET."+name, "$d, $0, $1, $2", "r<rrpc", c.meaning(ones))
		}
		return common("ISET."+name, "$d, $0, $1, $2", "r<rip", c.meaning(ones))
	})
)

func comparisons(row func(c comparison, name string) *mach.Op) map[comparison]*mach.Op {
	rows := map[comparison]*mach.Op{}
	for cmp := ptx.Eq; cmp <= ptx.Ge; cmp++ {
		for _, unsigned := range [...]bool{false, true} {
			for with := ptx.BoolAnd; with <= ptx.BoolXor; with++ {
				for _, ex := range [...]bool{false, true} {
					if c := (comparison{cmp, unsigned, with, ex}); !ex || cmp == ptx.Lt || cmp == ptx.Ge {
						rows[c] = row(c, c.name())
					}
				}
			}
		}
	}
	return rows
}

func (c comparison) name() string {
	name := [...]string{ptx.Eq: "EQ", ptx.Ne: "NE", ptx.Lt: "LT", ptx.Le: "LE", ptx.Gt: "GT", ptx.Ge: "GE"}[c.cmp]
	if c.unsigned {
		name += ".U32"
	}
	if c.ex {
		name += ".X"
	}
	return name + "." + [...]string{ptx.BoolAnd: "AND", ptx.BoolOr: "OR", ptx.BoolXor: "XOR"}[c.with]
}

// meaning is the test of in[0] and in[1] combined with in[2]; with ex, in[3] is
// the carry of the low words. result, where not nil, is applied to the bit.
func (c comparison) meaning(result func(b *sem.Builder, t *sem.Term) *sem.Term) meaning {
	t := ptx.S32
	if c.unsigned {
		t = ptx.U32
	}
	plain := ptx.Form{Op: ptx.Setp, Cmp: c.cmp, T: t}
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		p := plain.Meaning(b, in[:2], ptx.ISA)[0]
		if c.ex { // where the high words are equal, the carry decides
			p = b.Ite(b.Eq(in[0], in[1]), b.Xor(in[3], b.U(uint64(index(c.cmp == ptx.Lt)), 1)), p)
		}
		switch c.with {
		case ptx.BoolAnd:
			p = b.And(p, in[2])
		case ptx.BoolOr:
			p = b.Or(p, in[2])
		default:
			p = b.Xor(p, in[2])
		}
		if result != nil {
			p = result(b, p)
		}
		return p
	})
}
