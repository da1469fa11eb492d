package prove_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

// mutation changes one node of a rule's result into what a slip of the rule's
// author would make of it; nil where the node has no such slip. x are the
// node's operands, others the terms that it may have been confused with.
type mutation struct {
	name string
	make func(b *sem.Builder, r *rand.Rand, t *sem.Term, x [3]*sem.Term, others []*sem.Term) *sem.Term
}

// ext is zext or sext of a one-bit value: a carry or a flag that is added.
func isFlag(t *sem.Term) bool { return t.Op == sem.OpZext && t.A[0].W == 1 }

var mutations = []mutation{
	{"wrong operand", func(b *sem.Builder, r *rand.Rand, t *sem.Term, x [3]*sem.Term, others []*sem.Term) *sem.Term {
		if t.N == 0 {
			return nil
		}
		i := r.IntN(int(t.N))
		var fit []*sem.Term
		for _, o := range others {
			if o.W == x[i].W && o != x[i] {
				fit = append(fit, o)
			}
		}
		if len(fit) == 0 {
			return nil
		}
		x[i] = fit[r.IntN(len(fit))]
		return prove.Rebuild(b, t, x[0], x[1], x[2])
	}},
	{"swapped operands", func(b *sem.Builder, r *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		switch t.Op {
		case sem.OpSub, sem.OpUlt, sem.OpSlt:
			return prove.Rebuild(b, t, x[1], x[0], nil)
		case sem.OpIte:
			return b.Ite(x[0], x[2], x[1])
		case sem.OpConcat:
			if x[0].W == x[1].W {
				return b.Concat(x[1], x[0])
			}
		}
		return nil
	}},
	{"constant off by one", func(b *sem.Builder, r *rand.Rand, t *sem.Term, _ [3]*sem.Term, _ []*sem.Term) *sem.Term {
		if !t.IsConst() {
			return nil
		}
		return b.Const(t.K.Add(sem.S(int64(2*r.IntN(2)-1))), t.W)
	}},
	{"constant with a wrong bit", func(b *sem.Builder, r *rand.Rand, t *sem.Term, _ [3]*sem.Term, _ []*sem.Term) *sem.Term {
		if !t.IsConst() {
			return nil
		}
		return b.Const(t.K.Xor(sem.U(1).Shl(uint64(r.IntN(t.W)))), t.W)
	}},
	{"dropped carry", func(b *sem.Builder, _ *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		switch {
		case t.Op == sem.OpAdd && isFlag(t.A[1]):
			return x[0]
		case t.Op == sem.OpAdd && isFlag(t.A[0]):
			return x[1]
		case t.Op == sem.OpExtract && t.W == 1 && t.A[0].Op == sem.OpAdd:
			return b.U(0, 1)
		}
		return nil
	}},
	{"swapped signedness", func(b *sem.Builder, _ *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		switch t.Op {
		case sem.OpZext:
			return b.Sext(x[0], t.W)
		case sem.OpSext:
			return b.Zext(x[0], t.W)
		case sem.OpUlt:
			return b.Slt(x[0], x[1])
		case sem.OpSlt:
			return b.Ult(x[0], x[1])
		case sem.OpLshr:
			return b.Ashr(x[0], x[1])
		case sem.OpAshr:
			return b.Lshr(x[0], x[1])
		}
		return nil
	}},
	{"dropped mask", func(b *sem.Builder, _ *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		switch {
		case t.Op == sem.OpAnd && t.A[1].IsConst():
			return x[0]
		case t.Op == sem.OpZext && t.A[0].Op == sem.OpExtract && t.A[0].A[0].W >= t.W:
			lo := int(t.A[0].K.Lo)
			if y := t.A[0].A[0]; y.W-lo >= t.W {
				return b.Bits(y, lo+t.W-1, lo)
			}
		}
		return nil
	}},
	{"shift off by one", func(b *sem.Builder, r *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		d := 2*r.IntN(2) - 1
		switch t.Op {
		case sem.OpShl, sem.OpLshr, sem.OpAshr:
			if t.A[1].IsConst() {
				x[1] = b.Const(t.A[1].K.Add(sem.S(int64(d))), t.W)
				return prove.Rebuild(b, t, x[0], x[1], x[2])
			}
		case sem.OpExtract:
			if lo := int(t.K.Lo) + d; lo >= 0 && lo+t.W <= t.A[0].W && t.A[0].Op != sem.OpConst {
				return b.Bits(x[0], lo+t.W-1, lo)
			}
		}
		return nil
	}},
	{"wrong operation", func(b *sem.Builder, _ *rand.Rand, t *sem.Term, x [3]*sem.Term, _ []*sem.Term) *sem.Term {
		switch t.Op {
		case sem.OpAdd:
			return b.Sub(x[0], x[1])
		case sem.OpSub:
			return b.Add(x[0], x[1])
		case sem.OpAnd:
			return b.Or(x[0], x[1])
		case sem.OpOr:
			return b.Xor(x[0], x[1])
		case sem.OpXor:
			return b.Or(x[0], x[1])
		case sem.OpNot, sem.OpNeg:
			return x[0]
		}
		return nil
	}},
}

// mutate makes one slip somewhere in the terms; it gives nil where the node
// chosen has none of that kind or nothing changes.
func mutate(b *sem.Builder, r *rand.Rand, ts, params []*sem.Term, m mutation) []*sem.Term {
	order := sem.Order(ts...)
	at := order[r.IntN(len(order))]
	memo := map[*sem.Term]*sem.Term{}
	failed := false
	var again func(t *sem.Term) *sem.Term
	again = func(t *sem.Term) *sem.Term {
		if u, ok := memo[t]; ok {
			return u
		}
		var x [3]*sem.Term
		for i, a := range t.Args() {
			x[i] = again(a)
		}
		u := prove.Rebuild(b, t, x[0], x[1], x[2])
		if t == at {
			if w := m.make(b, r, t, x, append(params[:len(params):len(params)], order...)); w != nil && w.W == t.W {
				u = w
			} else {
				failed = true
			}
		}
		memo[t] = u
		return u
	}
	out := make([]*sem.Term, len(ts))
	same := true
	for i, t := range ts {
		out[i] = again(t)
		same = same && out[i] == t
	}
	if failed || same {
		return nil
	}
	return out
}

// Rules with a slip in them: none that is wrong may be proved, by any engine
// alone; one that is proved must be right.
func TestNoWrongMutantOfARuleIsProved(t *testing.T) {
	goals, each, quick := samples(t, 97), 26, true
	if os.Getenv("PTXLOWER_FULL") == "1" {
		goals, each, quick = samples(t, 61), 40, false
	}
	r := rand.New(rand.NewPCG(4, 2))
	wrong, equal, open := 0, 0, 0
	kinds := map[string]int{}
	for _, s := range goals {
		for range each {
			m := mutations[r.IntN(len(mutations))]
			g := s.Goal
			if g.Got = mutate(s.b, r, g.Got, g.Params, m); g.Got == nil {
				continue
			}
			g.Name = fmt.Sprintf("%s with a %s", g.Name, m.name)
			switch res := prove.Equal(g, prove.Options{Conflicts: 4000}); res.Status {
			case prove.Refuted:
				wrong++
				kinds[m.name]++
				by, err := prove.Engines(g, 200, quick)
				require.NoError(t, err, g.Name)
				require.Empty(t, by, "%s, although %s", g.Name, res.Counterexample)
			case prove.Proved:
				equal++
				// Equal for all inputs: then on many more, too.
				again := prove.Equal(g, prove.Options{Lanes: 20_000, Seed: 7, Conflicts: 4000})
				require.Equal(t, prove.Proved, again.Status, "%s: %v", g.Name, again.Counterexample)
			default:
				open++
				t.Logf("open: %s: %s", g.Name, res.Reason)
			}
		}
	}
	t.Logf("%d wrong mutants, none proved; %d mutants are equal; %d open; wrong ones by kind: %v", wrong, equal, open, kinds)
	require.GreaterOrEqual(t, wrong, 1000)
	require.Less(t, open*100, wrong)
	for _, m := range mutations {
		require.NotZero(t, kinds[m.name], m.name)
	}
}
