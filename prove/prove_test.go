package prove_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

// absGoal is |a − b| by a choice of differences and by max − min.
func absGoal(b *sem.Builder, x, y string) prove.Goal {
	p, q := b.Var(x, 32), b.Var(y, 32)
	lt, gt := b.Slt(p, q), b.Slt(q, p)
	return prove.Goal{
		Name: "abs", Params: []*sem.Term{p, q},
		Want: []*sem.Term{b.Ite(lt, b.Sub(q, p), b.Sub(p, q))},
		Got:  []*sem.Term{b.Sub(b.Ite(lt, q, p), b.Ite(gt, q, p))},
	}
}

func TestEachMethodHasItsGoals(t *testing.T) {
	b := sem.NewBuilder()
	x, y, n := b.Var("x", 32), b.Var("y", 32), b.Var("n", 32)
	vars := []*sem.Term{x, y, n}
	wide := b.Mul(b.Sext(x, 64), b.Sext(y, 64))
	lo, hi := b.S(-5, 64), b.S(5, 64)
	for _, tt := range []struct {
		method    prove.Method
		want, got *sem.Term
	}{
		{prove.Identical, b.Add(x, y), b.Add(x, y)},
		{prove.Polynomial, b.Add(x, y), b.Add(y, x)},
		{prove.Polynomial, b.Mul(b.Add(x, y), b.Sub(x, y)), b.Sub(b.Mul(x, x), b.Mul(y, y))},
		{prove.Sharing, b.And(b.Add(x, y), n), b.And(n, b.Sub(x, b.Neg(y)))},
		{prove.Hybrid, b.Xor(x, y), b.Sub(b.Or(x, y), b.And(x, y))},
		{prove.Hybrid, b.Clamp(wide, lo, hi), b.Ite(b.Slt(hi, wide), hi, b.Ite(b.Slt(wide, lo), lo, wide))},
		{prove.Vectors, b.Add(x, y), b.Xor(x, y)},
	} {
		r := prove.Equal(prove.Goal{Params: vars, Want: []*sem.Term{tt.want}, Got: []*sem.Term{tt.got}}, prove.Options{})
		method := r.Method
		if tt.method == prove.Sharing || tt.method == prove.Polynomial { // either will do
			method = max(method, tt.method)
		}
		require.Equal(t, tt.method, method, "%s = %s: %s", tt.want, tt.got, r.Reason)
		require.Equal(t, tt.method == prove.Vectors, r.Status == prove.Refuted)
		require.Equal(t, r.Status == prove.Proved, r.Certificate != nil)
		require.Equal(t, r.Status == prove.Refuted, r.Counterexample != nil)
	}
	require.Equal(t, prove.Cases, prove.Equal(absGoal(b, "x", "y"), prove.Options{}).Method)
}

func TestCounterexamplesAreShortAndReplayed(t *testing.T) {
	b := sem.NewBuilder()
	x, y, unused := b.Var("x", 32), b.Var("y", 32), b.Var("z", 64)
	// The carry of x + y is not x < y.
	s, carry := b.AddCarry(x, y, nil)
	g := prove.Goal{Params: []*sem.Term{x, y, unused}, Want: []*sem.Term{s, carry}, Got: []*sem.Term{s, b.Ult(x, y)}}
	r := prove.Equal(g, prove.Options{})
	require.Equal(t, prove.Refuted, r.Status)
	c := r.Counterexample
	require.Equal(t, 1, c.Result)
	require.Equal(t, 1, c.Bits)
	require.Equal(t, "x=0x00000000 y=0x00000001 z=0x0000000000000000 result 1: want 0x0, got 0x1", c.String())
	env := map[string]sem.Val{}
	for i, p := range c.Params {
		env[p.Name] = c.In[i]
	}
	require.Equal(t, c.Want, sem.Eval(g.Want[c.Result], env))
	require.Equal(t, c.Got, sem.Eval(g.Got[c.Result], env))
}

func TestOnlyOneValueInAMillionsIsWrong(t *testing.T) {
	b := sem.NewBuilder()
	x, y, z := b.Var("x", 32), b.Var("y", 32), b.Var("z", 32)
	p := b.Add(b.Mul(b.Sext(x, 64), b.Sext(y, 64)), b.Sext(z, 64))
	for _, k := range []int64{0x123456789, -0x7ffffffff, 12345} {
		g := prove.Goal{Params: []*sem.Term{x, y, z}, Want: []*sem.Term{p}, Got: []*sem.Term{b.Ite(b.Eq(p, b.S(k, 64)), b.U(0, 64), p)}}
		r := prove.Equal(g, prove.Options{})
		require.Equal(t, prove.Refuted, r.Status, "%#x: %s", k, r.Reason)
		require.Equal(t, sem.S(k).Cut(64), r.Counterexample.Want)
	}
}

func TestGoalsHoldUnderTheirAssumptions(t *testing.T) {
	b := sem.NewBuilder()
	x, y := b.Var("x", 32), b.Var("y", 32)
	below := func(v *sem.Term, n uint64) *sem.Term { return b.Ult(v, b.U(n, 32)) }
	lo24 := func(v *sem.Term) *sem.Term { return b.Zext(b.Bits(v, 23, 0), 32) }
	within := b.And(b.Not(b.Slt(x, b.S(-128, 32))), b.Not(b.Slt(b.S(127, 32), x)))
	for _, tt := range []struct {
		name      string
		assume    []*sem.Term
		want, got *sem.Term
		status    prove.Status
	}{
		{"a mask on a narrow value", []*sem.Term{below(x, 1<<24)}, lo24(x), x, prove.Proved},
		{"the same without", nil, lo24(x), x, prove.Refuted},
		{"one too many", []*sem.Term{below(x, 1<<24+1)}, lo24(x), x, prove.Refuted},
		{"a sign extension of a narrow value", []*sem.Term{within}, b.Sext(b.Bits(x, 7, 0), 32), x, prove.Proved},
		{"a shift by a constant", []*sem.Term{b.Eq(y, b.U(5, 32))}, b.Shl(x, y), b.Mul(x, b.U(32, 32)), prove.Proved},
		{"a shift by a small count", []*sem.Term{below(y, 32)}, b.Shl(x, b.And(y, b.U(31, 32))), b.Shl(x, y), prove.Proved},
		{"two variables", []*sem.Term{b.Not(b.Ult(x, y))}, b.Ite(b.Ult(x, y), y, x), x, prove.Proved},
		{"two variables, signed", []*sem.Term{b.Slt(x, y)}, b.Ite(b.Slt(y, x), y, x), x, prove.Proved},
		{"a product that fits", []*sem.Term{below(x, 1<<16), below(y, 1<<16)}, b.Bits(b.Mul(b.Zext(x, 64), b.Zext(y, 64)), 63, 32), b.U(0, 32), prove.Proved},
		{"a bit", []*sem.Term{b.Bit(x, 3)}, b.Bits(b.And(x, b.U(8, 32)), 3, 3), b.U(1, 1), prove.Proved},
		{"what cannot be", []*sem.Term{below(x, 5), b.Ult(b.U(7, 32), x)}, x, y, prove.Open},
	} {
		r := prove.Equal(prove.Goal{Params: []*sem.Term{x, y}, Want: []*sem.Term{tt.want}, Got: []*sem.Term{tt.got}, Assume: tt.assume}, prove.Options{})
		require.Equal(t, tt.status, r.Status, "%s: %s %v", tt.name, r.Reason, r.Counterexample)
	}
}

func TestMalformedGoalsAreOpenWithAReason(t *testing.T) {
	b := sem.NewBuilder()
	x, y, z := b.Var("x", 32), b.Var("y", 32), b.Var("x", 16)
	for _, tt := range []struct {
		goal prove.Goal
		why  string
	}{
		{prove.Goal{Params: []*sem.Term{x}, Want: []*sem.Term{x}}, "1 results wanted, 0 given"},
		{prove.Goal{Params: []*sem.Term{x}, Want: []*sem.Term{x}, Got: []*sem.Term{b.Bits(x, 7, 0)}}, "result 0 has 8 bits where 32 are wanted"},
		{prove.Goal{Params: []*sem.Term{x}, Want: []*sem.Term{x}, Got: []*sem.Term{y}}, "y is free and no parameter"},
		{prove.Goal{Params: []*sem.Term{x, z}, Want: []*sem.Term{x}, Got: []*sem.Term{x}}, "two parameters are named x"},
		{prove.Goal{Params: []*sem.Term{b.Not(x)}, Want: []*sem.Term{x}, Got: []*sem.Term{x}}, "parameter ~x is not a variable"},
		{prove.Goal{Params: []*sem.Term{x}, Want: []*sem.Term{x}, Got: []*sem.Term{x}, Assume: []*sem.Term{x}}, "assumption 0 has 32 bits"},
	} {
		r := prove.Equal(tt.goal, prove.Options{})
		require.Equal(t, prove.Open, r.Status)
		require.Equal(t, tt.why, r.Reason)
		_, err := prove.SMT2(tt.goal)
		require.EqualError(t, err, tt.why)
		_, err = prove.LIA(tt.goal)
		require.EqualError(t, err, tt.why)
	}
	require.Equal(t, prove.Proved, prove.Equal(prove.Goal{}, prove.Options{}).Status, "nothing to prove")
}

// hard has three factors whose order the polynomials do not see: they are in
// opaque operations.
func hard(b *sem.Builder) prove.Goal {
	x, y, z := b.Var("x", 32), b.Var("y", 32), b.Var("z", 32)
	f := func(p, q *sem.Term) *sem.Term { return b.Mul(b.Xor(p, z), b.Xor(q, z)) }
	g := func(p, q *sem.Term) *sem.Term {
		n := func(t *sem.Term) *sem.Term { return b.Sub(b.Or(t, z), b.And(t, z)) }
		return b.Mul(n(q), n(p))
	}
	return prove.Goal{Params: []*sem.Term{x, y, z}, Want: []*sem.Term{f(x, y)}, Got: []*sem.Term{g(x, y)}}
}

func TestAnUndecidedGoalIsOpen(t *testing.T) {
	r := prove.Equal(hard(sem.NewBuilder()), prove.Options{Conflicts: 300})
	require.Equal(t, prove.Open, r.Status)
	require.Contains(t, r.Reason, "no answer after")
	r = prove.Equal(hard(sem.NewBuilder()), prove.Options{Conflicts: -1})
	require.Equal(t, "the normal forms differ", r.Reason)
}

func TestAnswersAreTheSameInEveryRun(t *testing.T) {
	text := func() string {
		var sb strings.Builder
		for _, s := range samples(t, 307) {
			r := prove.Equal(s.Goal, prove.Options{})
			sb.WriteString(s.Name + ": " + r.Status.String() + " " + string(r.Method) + "\n" + r.Certificate.String())
		}
		r := prove.Equal(hard(sem.NewBuilder()), prove.Options{Conflicts: 300})
		return sb.String() + r.Reason
	}
	require.Equal(t, text(), text())
}

func TestTheSeedChangesOnlyTheVectors(t *testing.T) {
	b := sem.NewBuilder()
	x, y := b.Var("x", 32), b.Var("y", 32)
	g := prove.Goal{Params: []*sem.Term{x, y}, Want: []*sem.Term{b.Add(x, y)}, Got: []*sem.Term{b.Sub(x, b.Neg(y))}}
	for seed := range uint64(5) {
		r := prove.Equal(g, prove.Options{Seed: seed, Lanes: 10})
		require.Equal(t, prove.Polynomial, r.Method)
	}
}

func TestKeysAreEqualUpToRenaming(t *testing.T) {
	b, c := sem.NewBuilder(), sem.NewBuilder()
	c.Var("y", 32) // another order of making
	key := absGoal(b, "x", "y").Key()
	require.Len(t, key, 64)
	require.Equal(t, key, absGoal(c, "x", "y").Key())
	require.Equal(t, key, absGoal(c, "p", "q").Key())
	require.Equal(t, key, absGoal(c, "q", "p").Key())

	other := absGoal(b, "x", "y")
	other.Assume = []*sem.Term{b.Ult(other.Params[0], b.U(9, 32))}
	require.NotEqual(t, key, other.Key())
	swapped := absGoal(b, "x", "y")
	swapped.Want, swapped.Got = swapped.Got, swapped.Want
	require.NotEqual(t, key, swapped.Key())
	once := absGoal(b, "x", "x") // two variables are not one
	require.NotEqual(t, key, once.Key())

	// Constants, positions and widths are part of a key.
	x := b.Var("x", 32)
	keys := map[string]bool{}
	terms := []*sem.Term{
		b.Add(x, b.U(1, 32)), b.Add(x, b.U(2, 32)), b.Bits(x, 15, 0), b.Bits(x, 16, 1), b.Bits(x, 14, 0),
		b.Zext(x, 64), b.Zext(x, 65), b.Sext(x, 64), x, b.Var("x", 31), b.Not(x), b.Neg(x),
	}
	for _, t := range terms {
		keys[prove.Goal{Params: []*sem.Term{x}, Want: []*sem.Term{t}}.Key()] = true
	}
	require.Len(t, keys, len(terms))
}

func TestEqualGoalsAreProvedOnce(t *testing.T) {
	cache := prove.NewCache()
	b := sem.NewBuilder()
	first := prove.Equal(absGoal(b, "x", "y"), prove.Options{Cache: cache})
	again := prove.Equal(absGoal(b, "p", "q"), prove.Options{Cache: cache})
	require.False(t, first.Cached)
	require.True(t, again.Cached)
	require.Equal(t, first.Method, again.Method)
	require.Contains(t, again.Certificate.String(), "p <s q", "in its own names")

	// A counterexample has names of its own, so it is found anew.
	x, y := b.Var("x", 8), b.Var("y", 8)
	wrong := prove.Goal{Params: []*sem.Term{x, y}, Want: []*sem.Term{x}, Got: []*sem.Term{y}}
	for range 2 {
		r := prove.Equal(wrong, prove.Options{Cache: cache})
		require.Equal(t, prove.Refuted, r.Status)
		require.False(t, r.Cached)
	}
}

func TestSelectorsShareCircuits(t *testing.T) {
	cache := prove.NewCache()
	goal := func(lo int) prove.Goal {
		b := sem.NewBuilder()
		x, y := b.Var("x", 32), b.Var("y", 32)
		p := b.Bits(x, lo+7, lo)
		return prove.Goal{Params: []*sem.Term{x, y}, Want: []*sem.Term{b.Xor(p, b.Bits(y, 7, 0))},
			Got: []*sem.Term{b.Sub(b.Or(p, b.Bits(y, 7, 0)), b.And(p, b.Bits(y, 7, 0)))}}
	}
	prove.Equal(goal(0), prove.Options{Cache: cache})
	r := prove.Equal(goal(8), prove.Options{Cache: cache})
	require.False(t, r.Cached)
	require.True(t, r.Certificate.KnownCircuit())
	alone := prove.Equal(goal(8), prove.Options{})
	require.False(t, alone.Certificate.KnownCircuit())
	require.Equal(t, alone.Certificate.String(), r.Certificate.String(), "what is explained is the proof itself")
}

func TestAllAnswersInOrderAndEqualGoalsOnce(t *testing.T) {
	make := func(i int) prove.Goal {
		if i%5 == 4 { // wrong, and each has a counterexample of its own
			b := sem.NewBuilder()
			x, y := b.Var("x", 8), b.Var("y", 8)
			return prove.Goal{Name: fmt.Sprint(i), Params: []*sem.Term{x, y}, Want: []*sem.Term{x}, Got: []*sem.Term{y}}
		}
		g := absGoal(sem.NewBuilder(), fmt.Sprint("p", i), fmt.Sprint("q", i))
		g.Name = fmt.Sprint(i)
		return g
	}
	n := 0
	for i, a := range prove.All(20, make, prove.Options{}) {
		require.Equal(t, n, i)
		require.Equal(t, fmt.Sprint(i), a.Goal.Name)
		require.Equal(t, i > 0 && i%5 != 4, a.Result.Cached, i)
		want := prove.Proved
		if i%5 == 4 {
			want = prove.Refuted
		}
		require.Equal(t, want, a.Result.Status, i)
		n++
	}
	require.Equal(t, 20, n)
	for i := range prove.All(20, make, prove.Options{}) {
		if i == 3 { // the rest is not waited for
			return
		}
	}
}
