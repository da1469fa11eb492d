package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// What came with sm_120: two-operand additions, and a 64-bit unit. A literal of
// the latter is a sign-extended word.

// geforce is a row that sm_120 brought.
func geforce(o *mach.Op) *mach.Op { return since(Int64, "sm_120", o) }

// IADD adds two operands; −x and ~x are as in IADD3.
var (
	IADD       = geforce(row("IADD", "$d, $0, $1", "r<bb", sumOf(adder(false, 0))))
	IADD_C     = geforce(row("IADD", "$d, $e, $0, $1", "rp<bb", adder(false, 0)))
	IADD_X     = geforce(row("IADD.X", "$d, $0, $1, $2", "r<bbp", sumOf(adder(false, 2))))
	IADD_X_C   = geforce(row("IADD.X", "$d, $e, $0, $1, $2", "rp<bbp", adder(false, 2)))
	IADD_N     = geforce(row("IADD", "$d, $0, -$1", "r<bb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[0], in[1]) })))
	IADD_N_C   = geforce(row("IADD", "$d, $e, $0, -$1", "rp<bb", adder(true, 0)))
	IADD_N_X   = geforce(row("IADD.X", "$d, $0, ~$1, $2", "r<bnp", sumOf(adder(true, 2))))
	IADD_N_X_C = geforce(row("IADD.X", "$d, $e, $0, ~$1, $2", "rp<bnp", adder(true, 2)))
)

// IADD.64 does the same to pairs; its rate is not known. ptxas writes the sum and its carry in two
// instructions, except with a carry-in.
var (
	IADD64       = geforce(row("IADD.64", "$d, $0, $1", "d<ll", sumOf(adder(false, 0))))
	IADD64_C     = inferred(geforce(row("IADD.64", "$d, $e, $0, $1", "dp<ll", adder(false, 0))))
	IADD64_X     = geforce(row("IADD.64.X", "$d, $0, $1, $2", "d<llp", sumOf(adder(false, 2))))
	IADD64_X_C   = geforce(row("IADD.64.X", "$d, $e, $0, $1, $2", "dp<llp", adder(false, 2)))
	IADD64_N     = geforce(row("IADD.64", "$d, $0, -$1", "d<lj", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[0], in[1]) })))
	IADD64_N_C   = inferred(geforce(row("IADD.64", "$d, $e, $0, -$1", "dp<lj", adder(true, 0))))
	IADD64_N_X   = geforce(row("IADD.64.X", "$d, $0, ~$1, $2", "d<llp", sumOf(adder(true, 2))))
	IADD64_N_X_C = geforce(row("IADD.64.X", "$d, $e, $0, ~$1, $2", "dp<llp", adder(true, 2)))
)

// VIADD.S32.ISAT: a ± b limited to a signed word.
var (
	VIADD_SAT   = geforce(row("VIADD.S32.ISAT", "$d, $0, $1", "r<bb", form(ptx.Form{Op: ptx.Add, T: ptx.S32, Sat: true}, 0, 1)))
	VIADD_SAT_N = geforce(row("VIADD.S32.ISAT", "$d, $0, -$1", "r<bm", form(ptx.Form{Op: ptx.Sub, T: ptx.S32, Sat: true}, 0, 1)))
)

// IMNMX64 are IMNMX.S64 and .U64.
var IMNMX64 = func() map[Extremum]*mach.Op {
	rows := map[Extremum]*mach.Op{}
	for _, x := range [...]Extremum{{false, false}, {true, false}, {false, true}, {true, true}} {
		name, pick := "IMNMX.S64", "PT"
		if x.Unsigned {
			name = "IMNMX.U64"
		}
		if x.Max {
			pick = "!PT"
		}
		rows[x] = geforce(commutes(row(name, "PT, PT, $d, $0, $1, "+pick+", !PT", "d<dl", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
			return x.of(b, in[0], in[1])
		}))))
	}
	return rows
}()

// ISETP64 are the comparisons of pairs.
var ISETP64 = func() map[comparison]*mach.Op {
	rows := map[comparison]*mach.Op{}
	for cmp := ptx.Eq; cmp <= ptx.Ge; cmp++ {
		for _, unsigned := range [...]bool{false, true} {
			for with := ptx.BoolAnd; with <= ptx.BoolXor; with++ {
				c := comparison{cmp, unsigned, with, false}
				name, t := "ISETP."+cmpSuffix[cmp]+".S64."+boolSuffix[with], ptx.S64
				if unsigned {
					name, t = "ISETP."+cmpSuffix[cmp]+".U64."+boolSuffix[with], ptx.U64
				}
				rows[c] = geforce(row(name, "$d, PT, $0, $1, $2", "p<dlp", tested(ptx.Form{Op: ptx.Setp, Cmp: cmp, T: t}, with)))
			}
		}
	}
	return rows
}()
