package llvm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// The optimiser decides what is.constant says, so neither answer may matter.
func TestCarriesDoNotDependOnTheRisk(t *testing.T) {
	answer := func(e expr) risk { return func(i, expr, expr) expr { return e } }
	for _, w := range []i{8, 32, 64} {
		p := sem.NewBuilder()
		in := []*sem.Term{p.Var("a", int(w)), p.Var("b", int(w)), p.Var("cf", 1)}
		want, carry := p.AddCarry(in[0], in[1], in[2])
		for _, e := range []expr{yes, no} {
			s, k := w.addc(a, b, mach.Arg(2), answer(e))
			got := mach.Meaning(p, []expr{s, k}, []int{int(w), 1}, in)
			require.Nil(t, eval.Compare(in, []*sem.Term{want, carry}, got, nil, 1<<14, 1))
		}
	}
}

func TestBorrowsAreThoseOfTheExactDifference(t *testing.T) {
	for _, w := range []i{8, 32, 64} {
		p := sem.NewBuilder()
		x, y, bw := p.Var("a", int(w)), p.Var("b", int(w)), p.Var("bw", 1)
		n := int(w) + 1
		exact := p.Sub(p.Sub(p.Zext(x, n), p.Zext(y, n)), p.Zext(bw, n))
		want := []*sem.Term{p.Bits(exact, int(w)-1, 0), p.Bit(exact, int(w))}
		d, k := w.subb(a, b, mach.Arg(2))
		in := []*sem.Term{x, y, bw}
		got := mach.Meaning(p, []expr{d, k}, []int{int(w), 1}, in)
		require.Nil(t, eval.Compare(in, want, got, nil, 1<<14, 1))
	}
}
