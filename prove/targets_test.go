package prove_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	registry "github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// tally counts answers by method and the time that they took.
type tally struct {
	count map[string]int
	time  time.Duration
	most  time.Duration
	worst string
}

func (c *tally) add(g prove.Goal, r prove.Result) {
	if c.count == nil {
		c.count = map[string]int{}
	}
	name := r.Status.String()
	if r.Status == prove.Proved {
		name = string(r.Method)
	}
	if r.Cached {
		name = "known"
	}
	c.count[name]++
	if c.time += r.Time; r.Time > c.most {
		c.most, c.worst = r.Time, g.Name
	}
}

func (c *tally) String() string {
	var sb strings.Builder
	for _, k := range slices.Sorted(maps.Keys(c.count)) {
		fmt.Fprintf(&sb, "%s %d, ", k, c.count[k])
	}
	return fmt.Sprintf("%s%.1f s, most %.0f ms: %s", sb.String(), c.time.Seconds(), c.most.Seconds()*1000, c.worst)
}

func TestRulesAreProved(t *testing.T) {
	var c tally
	for _, s := range samples(t, 23) {
		r := prove.Equal(s.Goal, prove.Options{})
		c.add(s.Goal, r)
		require.Equal(t, prove.Proved, r.Status, "%s: %s %v", s.Name, r.Reason, r.Counterexample)
	}
	t.Log(c.String())
}

// claim is that a choice is right.
type claim struct {
	*isel.Choice
	target *isel.Target
	model  ptx.Model
}

func (c claim) goal() prove.Goal {
	g := ptxlower.RuleGoal(sem.NewBuilder(), c.target, c.Choice, c.model)
	g.Name += " by " + c.Rule.Name
	return g
}

// claims are all that a target's rules say: those with facts, too. Only vmad has
// two meanings.
func claims(t testing.TB, target *isel.Target) []claim {
	var out []claim
	for _, m := range models {
		for _, f := range slices.Concat(ptx.Behaviours(), ptx.Neighbours(), ptx.Halved()) {
			if m != ptx.ISA && f.Op != ptx.Vmad || f.OfHalves() && !target.Has(f) {
				continue
			}
			cs := target.Candidates(f, m)
			require.NotEmpty(t, cs, "%s has no rule for %s", target.Name, f.Name())
			require.Empty(t, cs[len(cs)-1].When, "%s has no general rule for %s", target.Name, f.Name())
			for _, c := range slices.Concat(cs, target.Alternatives(f, m), folded(t, target, f, m)) {
				out = append(out, claim{c, target, m})
			}
		}
	}
	return out
}

// folded are choices of the rules that fold constants, for a sample of them.
func folded(t testing.TB, target *isel.Target, f ptx.Form, m ptx.Model) []*isel.Choice {
	if !slices.ContainsFunc(target.Rules, func(r isel.Rule) bool { return r.Fold != nil && isel.Match(r.Forms, f.Name()) }) {
		return nil
	}
	var out []*isel.Choice
	r := rand.New(rand.NewPCG(4, 3))
	ws := ir.ArgWidths(f)
	for range 60 {
		known := make([]sem.Facts, len(ws))
		for i, w := range ws {
			known[i] = sem.Any(w)
			if r.IntN(4) > 0 || i == len(ws)-1 {
				v := []uint64{0, 1, uint64(r.IntN(70)), uint64(r.IntN(256)), uint64(r.IntN(1 << 16)), r.Uint64()}[r.IntN(6)]
				known[i] = sem.Exactly(sem.U(v).Cut(w), w)
			}
		}
		c, err := target.Choose(f, m, func(i int) sem.Facts { return known[i] })
		require.NoError(t, err)
		if c.Rule.Fold != nil {
			out = append(out, c)
		}
	}
	require.NotEmpty(t, out, "%s folds no constant of %s", target.Name, f.Name())
	return out
}

// Rules with facts are chosen for operands of which the facts are known. This
// is a sample; the gate has all.
func TestRulesWithFactsAreProved(t *testing.T) {
	var c tally
	for _, target := range targets {
		n := 0
		for _, claim := range claims(t, target) {
			if len(claim.When) == 0 {
				continue
			}
			if n++; n%31 == 1 {
				g := claim.goal()
				r := prove.Equal(g, prove.Options{})
				c.add(g, r)
				require.Equal(t, prove.Proved, r.Status, "%s: %s %v", g.Name, r.Reason, r.Counterexample)
			}
		}
		require.NotZero(t, n, target.Name)
	}
	t.Log(c.String())
}

// The gate: every rule of every target, for every form that it covers, in both
// models. Equal goals are proved once, across targets, and targets with the same
// rules are one.
func TestEveryRuleOfEveryTargetIsProved(t *testing.T) {
	if os.Getenv("PTXLOWER_FULL") != "1" {
		t.Skip("all rules of all targets take minutes: PTXLOWER_FULL=1")
	}
	cache := prove.NewCache()
	start, goals, names := time.Now(), 0, 0
	for _, same := range classes(append(targets, registry.Supported()...)) {
		began, all := time.Now(), claims(t, same[0])
		var c tally
		for _, a := range prove.All(len(all), func(i int) prove.Goal { return all[i].goal() }, prove.Options{Cache: cache}) {
			c.add(a.Goal, a.Result)
			if a.Result.Status != prove.Proved {
				t.Errorf("%s: %s %s %v", a.Goal.Name, a.Result.Status, a.Result.Reason, a.Result.Counterexample)
			}
		}
		var also []string
		for _, t := range same[1:] {
			if !slices.Contains(also, t.Name) && t.Name != same[0].Name {
				also = append(also, t.Name)
			}
		}
		goals, names = goals+len(all), names+1+len(also)
		t.Logf("%s %v: %d goals in %.1f s: %s", same[0].Name, also, len(all), time.Since(began).Seconds(), c.String())
	}
	t.Logf("%d goals of %d targets in %.1f s", goals, names, time.Since(start).Seconds())
	require.Equal(t, len(registry.Supported()), names)
}

// What --amd-mad-clamp adds to the rules of AMD's targets is proved from what the
// clamp is taken to do. The other rules are those of the targets without it.
func TestRulesThatTrustAClampAreProved(t *testing.T) {
	cache, n := prove.NewCache(), 0
	with := registry.WithMadClamp()
	require.Len(t, with, 39)
	for _, same := range classes(with) {
		var all []claim
		for _, m := range models {
			for _, f := range ptx.Behaviours() {
				if f.Op != ptx.Vmad || !f.Sat || f.Shr != 0 {
					continue
				}
				for _, c := range same[0].Candidates(f, m) {
					if c.Rule.Needs.Has(amd.MADCLAMP) {
						all = append(all, claim{c, same[0], m})
					}
				}
			}
		}
		require.Greater(t, len(all), 100, same[0].Name)
		var c tally
		for _, a := range prove.All(len(all), func(i int) prove.Goal { return all[i].goal() }, prove.Options{Cache: cache}) {
			c.add(a.Goal, a.Result)
			require.Equal(t, prove.Proved, a.Result.Status, "%s: %s %v", a.Goal.Name, a.Result.Reason, a.Result.Counterexample)
		}
		n += len(all)
		t.Logf("%s: %d goals: %s", same[0].Name, len(all), c.String())
	}
	require.Equal(t, 12*252, n)
}

// classes puts targets with the same rules together.
func classes(ts []*isel.Target) [][]*isel.Target {
	var out [][]*isel.Target
	for _, t := range ts {
		i := slices.IndexFunc(out, func(same []*isel.Target) bool { return same[0].SameRules(t) })
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], t)
	}
	return out
}

func BenchmarkRules(b *testing.B) {
	goals := samples(b, 97)
	n := 0
	for b.Loop() {
		for _, s := range goals {
			if r := prove.Equal(s.Goal, prove.Options{}); r.Status != prove.Proved {
				b.Fatalf("%s: %s", s.Name, r.Reason)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "proofs/s")
}
