package prove

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/sem"
)

// truth decides a goal by all values of its variables, which have few bits.
func truth(g Goal) bool {
	total := 0
	for _, p := range g.Params {
		total += p.W
	}
	n := 1 << total
	cols := newCols(g.Params, n)
	for l := range n {
		m := l
		for i, p := range g.Params {
			put(cols[i], l, sem.U(uint64(m)).Cut(p.W))
			m >>= p.W
		}
	}
	cex, _ := g.try(cols, n)
	return cex == nil
}

// smallGoals gives goals over few bits: equal by construction, with one node
// changed, and with an assumption.
func smallGoals(t *testing.T, n int, f func(g Goal)) {
	r := rng(t)
	for i := range n {
		vars := [][]int{{4, 4}, {3, 3, 3}, {4, 2, 1}, {2, 2, 2, 2}}[r.IntN(4)]
		z := newZoo(r, i%3 == 0, vars, 1, 2, 3, 4)
		if i%7 == 0 {
			z.sizes = append(z.sizes, 8)
		}
		g := Goal{Params: z.vars}
		for range 1 + r.IntN(2) {
			w := z.size()
			want := z.term(w, 3)
			got := z.same(want)
			if r.IntN(2) == 0 {
				got = z.wrong(got)
			}
			g.Want, g.Got = append(g.Want, want), append(g.Got, got)
		}
		if r.IntN(4) == 0 {
			g.Assume = append(g.Assume, z.term(1, 2))
		}
		f(g)
	}
}

func TestAnswersAreTrueOnAllInputs(t *testing.T) {
	count := map[Method]int{}
	open := 0
	smallGoals(t, 3000, func(g Goal) {
		equal := truth(g)
		switch r := Equal(g, Options{}); r.Status {
		case Proved:
			require.True(t, equal, "%s: %v = %v", r.Method, g.Want, g.Got)
			count[r.Method]++
		case Refuted:
			require.False(t, equal, "%v", r.Counterexample)
			count[r.Method]++
		case Open:
			require.Contains(t, r.Reason, "no vector", "%v = %v", g.Want, g.Got)
			open++
		}
	})
	t.Log(count, open)
	for _, m := range []Method{Identical, Polynomial, Sharing, Hybrid, Vectors, Directed, Solution} {
		require.NotZero(t, count[m], m)
	}
	require.Less(t, open, 200) // assumptions that hardly ever hold
}

// Vectors refute nearly all wrong goals, so what proves is to be asked alone.
func TestNoEngineProvesAWrongGoal(t *testing.T) {
	wrong, right, proofs := 0, 0, 0
	count := map[Method]int{}
	smallGoals(t, 1500, func(g Goal) {
		by, err := Engines(g, 3000, false)
		require.NoError(t, err)
		for _, m := range by {
			count[m]++
		}
		if truth(g) {
			right++
			if len(by) > 0 {
				proofs++
			}
			if len(by) == 0 {
				require.NotEmpty(t, g.Assume, "%v = %v", g.Want, g.Got)
			}
			return
		}
		wrong++
		require.Empty(t, by, "%v = %v", g.Want, g.Got)
	})
	t.Logf("%d wrong goals, none proved; %d right ones, %d proved: %v", wrong, right, proofs, count)
	require.Greater(t, wrong, 300)
	require.Greater(t, proofs, right*8/10) // the rest has assumptions that hardly ever hold
	for _, m := range []Method{Polynomial, Cases, Sharing, Hybrid, Blasting} {
		require.Greater(t, count[m], 100, m)
	}
}
