package nv

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/sem"
)

func TestExchangedTablesFollowTheirOperands(t *testing.T) {
	for table := range uint64(256) {
		for i := range 8 {
			a, b, c := i>>2, i>>1&1, i&1
			require.Equal(t, table>>i&1, exchangedAB(table)>>(4*b+2*a+c)&1)
			require.Equal(t, table>>i&1, exchangedBC(table)>>(4*a+2*c+b)&1)
		}
	}
}

func TestTruthTablesAreWhatTheyList(t *testing.T) {
	for table := range uint64(256) {
		for i := range 8 {
			b := sem.NewBuilder()
			v := []*sem.Term{b.Var("a", 1), b.Var("b", 1), b.Var("c", 1)}
			env := map[string]sem.Val{"a": sem.U(uint64(i >> 2)), "b": sem.U(uint64(i >> 1 & 1)), "c": sem.U(uint64(i & 1))}
			require.Equal(t, table>>i&1, sem.Eval(lookup(b, v, table), env).Lo, "table %#x, index %d", table, i)
		}
	}
}

// The selectors that rules use are one extension each, so that proofs see the
// same terms as in the manual's words.
func TestPermutationsOfOneFieldAreExtensions(t *testing.T) {
	for _, c := range []struct {
		selector uint64
		hi, lo   int
		signed   bool
	}{
		{0x7770, 7, 0, false}, {0x7773, 31, 24, false}, {0x8880, 7, 0, true}, {0xaaa2, 23, 16, true},
		{0x7710, 15, 0, false}, {0x7732, 31, 16, false}, {0x9910, 15, 0, true}, {0xbb32, 31, 16, true}, {0x7210, 23, 0, false},
	} {
		b := sem.NewBuilder()
		x := b.Var("a", 32)
		want := b.Ext(b.Bits(x, c.hi, c.lo), 32, c.signed)
		require.Same(t, want, prmt(b, []*sem.Term{x, b.U(c.selector, 32), b.U(0, 32)}), "%#x", c.selector)
	}
}
