package rechain

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
)

// atMost gives parameters of these names an upper bound.
func atMost(max uint64, names ...string) Facts {
	return func(v *ir.Value) (sem.Val, bool) {
		return sem.U(max), v.Op == ir.Param && slices.Contains(names, v.Name)
	}
}

func TestFactsDecide(t *testing.T) {
	for _, tt := range []struct {
		chain  string
		facts  Facts
		names  []string
		before map[Class]int // without facts; 0: it stays
		after  map[Class]int
	}{
		{"mont256_rowlohi", atMost(1<<31-1, "a7", "p7"), []string{"a7", "p7"},
			map[Class]int{Volta: 184, Maxwell: 659}, map[Class]int{Volta: 171, Maxwell: 651, GFX7: 254}},
		{"mont256_rowlohi", atMost(1<<31-1, "a7", "p7", "b7"), []string{"a7", "b7", "p7"},
			map[Class]int{}, map[Class]int{Volta: 167}},
		{"mont256_evenodd", atMost(1<<31-1, "a7", "p7"), []string{"a7", "p7"},
			map[Class]int{Volta: 0, Maxwell: 0}, map[Class]int{Volta: 171, Maxwell: 651}},
		{"montstep256_rowlohi", atMost(1<<31-1, "a7", "p7", "z8"), []string{"a7", "p7", "z8"},
			map[Class]int{Volta: 0}, map[Class]int{Volta: 28, Maxwell: 109, GFX7: 36}},
	} {
		f := kernels(t, "spec/nv/chains", tt.chain)[tt.chain]
		for class, most := range tt.before {
			r := single(t, ir.Clone(f), class, Options{})
			require.Equal(t, most > 0, r.Changed, tt.chain)
			require.LessOrEqual(t, r.After.Ops, max(most, r.Before.Ops))
			require.Empty(t, r.Assumed)
		}
		for class, most := range tt.after {
			g := ir.Clone(f)
			r := single(t, g, class, Options{Facts: tt.facts})
			require.True(t, r.Changed, "%s %s: %s", tt.chain, classNames[class], r.Reason)
			require.LessOrEqual(t, r.After.Ops, most, "%s %s", tt.chain, classNames[class])
			slices.Sort(r.Assumed)
			require.Equal(t, tt.names, r.Assumed)
			sameResults(t, f, g, 200, tt.facts)
		}
	}
}
