package prove

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
	"github.com/stretchr/testify/require"
)

// randomFormula has clauses of up to three literals, near the ratio at which
// as many formulas have a solution as have none.
func randomFormula(r *rand.Rand, vars int) *formula {
	f := &formula{vars: vars}
	for range vars*4 + r.IntN(vars+1) {
		n := 3
		if r.IntN(20) == 0 {
			n = 1 + r.IntN(2)
		}
		var c []uint32
		for len(c) < n {
			l := uint32(2*(1+r.IntN(vars)) + r.IntN(2))
			if !slices.Contains(c, l) && !slices.Contains(c, l^1) {
				c = append(c, l)
			}
		}
		f.add(c...)
	}
	return f
}

func (f *formula) holds(at func(l uint32) bool) bool {
	for i := range f.len() {
		if !slices.ContainsFunc(f.clause(i), at) {
			return false
		}
	}
	return true
}

// byGini is another solver's answer.
func byGini(f *formula) verdict {
	g := gini.New()
	for i := range f.len() {
		for _, l := range f.clause(i) {
			m := z.Var(l >> 1).Pos()
			if l&1 == 1 {
				m = m.Not()
			}
			g.Add(m)
		}
		g.Add(0)
	}
	if g.Solve() == 1 {
		return satisfiable
	}
	return unsatisfiable
}

func TestTheSolverAgreesWithAnotherAndItsProofsHold(t *testing.T) {
	r := rng(t)
	count := map[verdict]int{}
	for i := range 1500 {
		vars := 3 + r.IntN(12)
		if i%10 == 0 {
			vars = 60 + r.IntN(60)
		}
		f := randomFormula(r, vars)
		s := newSolver(f)
		v := s.solve(1<<20, 1<<40)
		require.Equal(t, byGini(f), v)
		count[v]++
		if v == satisfiable {
			require.True(t, f.holds(func(l uint32) bool { return s.value(int32(l>>1)) != (l&1 == 1) }))
			require.False(t, s.proof.check(), "a proof without the empty clause")
			continue
		}
		require.True(t, s.proof.check())
	}
	require.Greater(t, count[satisfiable], 300)
	require.Greater(t, count[unsatisfiable], 300)
}

func TestSmallFormulasAreDecided(t *testing.T) {
	for _, tt := range []struct {
		clauses [][]uint32
		want    verdict
	}{
		{nil, satisfiable},
		{[][]uint32{{}}, unsatisfiable},
		{[][]uint32{{2}, {3}}, unsatisfiable},
		{[][]uint32{{2}, {3, 4}, {5}}, unsatisfiable},
		{[][]uint32{{2, 4}, {3, 4}, {2, 5}, {3, 5}}, unsatisfiable},
		{[][]uint32{{2, 4}, {3, 4}, {2, 5}}, satisfiable},
		{[][]uint32{{4, 2}, {2}, {3, 5}, {4, 6}, {7, 4}}, unsatisfiable},
	} {
		f := &formula{vars: 3}
		for _, c := range tt.clauses {
			f.add(c...)
		}
		s := newSolver(f)
		require.Equal(t, tt.want, s.solve(100, 1<<20), "%v", tt.clauses)
		require.Equal(t, tt.want == unsatisfiable, s.proof.check(), "%v", tt.clauses)
	}
}

// pigeons asks for n pigeons in n−1 holes: no solution, and hard to see.
func pigeons(n int) *formula {
	f := &formula{vars: n * (n - 1)}
	at := func(p, h int) uint32 { return uint32(2 * (p*(n-1) + h + 1)) }
	for p := range n {
		var c []uint32
		for h := range n - 1 {
			c = append(c, at(p, h))
			for q := range p {
				f.add(at(p, h)^1, at(q, h)^1)
			}
		}
		f.add(c...)
	}
	return f
}

func TestTheSolverStopsAtItsLimitInEveryRunAlike(t *testing.T) {
	s := newSolver(pigeons(10))
	require.Equal(t, unknownYet, s.solve(500, 1<<40))
	require.Equal(t, 500, s.conflicts)
	again := newSolver(pigeons(10))
	again.solve(500, 1<<40)
	require.Equal(t, s.proof.steps, again.proof.steps)
	require.Equal(t, s.proof.hints, again.proof.hints)
	require.Equal(t, unknownYet, newSolver(pigeons(10)).solve(1<<30, 10_000))
}

func TestTheCheckRefusesProofsThatDoNotHold(t *testing.T) {
	f := pigeons(6)
	s := newSolver(f)
	require.Equal(t, unsatisfiable, s.solve(1<<20, 1<<40))
	require.True(t, s.proof.check())
	require.Greater(t, s.conflicts, 100)

	// Of a formula with one clause less, which has a solution, it is no proof,
	// whatever the numbers of its clauses mean.
	for i := range f.len() {
		g := &formula{vars: f.vars}
		for j := range f.len() {
			c := f.clause(j)
			if j == i {
				c = []uint32{c[0], c[0] ^ 1} // says nothing
			}
			g.add(c...)
		}
		require.Equal(t, satisfiable, byGini(g))
		p := s.proof
		p.f = g
		require.False(t, p.check(), "clause %d", i)
	}

	// A step that claims more than follows, one that rests on itself or on what
	// comes later, and a proof that stops early.
	r := rng(t)
	for range 200 {
		p := proof{f: f, steps: s.proof.steps, hints: s.proof.hints}
		p.steps.lits = slices.Clone(p.steps.lits)
		p.hints.lits = slices.Clone(p.hints.lits)
		p.hints.ends = slices.Clone(p.hints.ends)
		switch step := r.IntN(p.steps.len()); r.IntN(3) {
		case 0:
			p.steps.ends = slices.Clone(p.steps.ends[:len(p.steps.ends)-1])
			require.False(t, p.check())
		case 1:
			p.hints.clause(step)[len(p.hints.clause(step))-1] = uint32(f.len() + step)
			require.False(t, p.check())
		case 2:
			for i := range p.hints.clause(step) { // no reason at all
				p.hints.clause(step)[i] = uint32(f.len() + p.steps.len())
			}
			require.False(t, p.check())
		}
	}
}

func TestLubyIsLubys(t *testing.T) {
	var got []int
	for i := range 15 {
		got = append(got, lubyAt(i))
	}
	require.Equal(t, []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}, got)
}
