package prove_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/llvm"
	"github.com/ptxlower/ptxlower/targets/nv"
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

// Rules with facts are chosen for operands of which the facts are known. This
// is a sample; the gate has all.
func TestRulesWithFactsAreProved(t *testing.T) {
	var c tally
	n := 0
	for _, target := range targets {
		for i := range target.Rules {
			rule := &target.Rules[i]
			if len(rule.When) == 0 || !target.Features.Has(rule.Needs) || target.Features&rule.Lacks != 0 {
				continue
			}
			for _, m := range models {
				for _, g := range factGoals(target, rule, m) {
					if n++; n%23 != 0 {
						continue
					}
					r := prove.Equal(g, prove.Options{})
					c.add(g, r)
					require.Equal(t, prove.Proved, r.Status, "%s: %s %v", g.Name, r.Reason, r.Counterexample)
				}
			}
		}
	}
	t.Log(c.String())
	require.NotEmpty(t, c.count)
}

// factGoals are the goals of a rule with facts for the forms that it covers.
func factGoals(target *isel.Target, rule *isel.Rule, m ptx.Model) []prove.Goal {
	var out []prove.Goal
	for _, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
		if !isel.Match(rule.Forms, f.Name()) {
			continue
		}
		c := &isel.Choice{Rule: rule, Form: f, Out: rule.Out}
		if rule.Gen != nil {
			c.Out = rule.Gen(f, m)
		}
		if c.Out == nil {
			continue
		}
		g := ruleGoal(sem.NewBuilder(), target, c, m)
		g.Name = fmt.Sprintf("%s %s", g.Name, rule.Name)
		out = append(out, g)
	}
	return out
}

// The gate: every rule of every target, for every form that it covers, in both
// models. Equal goals are proved once, across targets.
func TestEveryRuleOfEveryTargetIsProved(t *testing.T) {
	if os.Getenv("PTXLOWER_FULL") != "1" {
		t.Skip("the full matrix takes minutes: PTXLOWER_FULL=1")
	}
	only := os.Getenv("PTXLOWER_TARGETS") // a list to look at a few
	cache := prove.NewCache()
	fresh := map[string]time.Duration{}
	for _, target := range slices.Concat(targets, nv.Targets(), amd.Targets(), llvm.Targets()) {
		if only != "" && !slices.Contains(strings.Split(only, ","), target.Name) {
			continue
		}
		for _, m := range models {
			for _, set := range []struct {
				name  string
				forms []ptx.Form
			}{{"family", ptx.Behaviours()}, {"neighbours", ptx.Neighbours()}} {
				var c tally
				for _, f := range set.forms {
					g := ruleGoal(sem.NewBuilder(), target, choose(t, target, f, m), m)
					r := prove.Equal(g, prove.Options{Cache: cache})
					c.add(g, r)
					if r.Status != prove.Proved {
						t.Errorf("%s: %s %s %v", g.Name, r.Status, r.Reason, r.Counterexample)
					}
				}
				fresh[target.Name] += c.time
				t.Logf("%s %s %s: %s", target.Name, m, set.name, c.String())
			}
			for i := range target.Rules {
				if rule := &target.Rules[i]; len(rule.When) > 0 && target.Features.Has(rule.Needs) && target.Features&rule.Lacks == 0 {
					for _, g := range factGoals(target, rule, m) {
						if r := prove.Equal(g, prove.Options{Cache: cache}); r.Status != prove.Proved {
							t.Errorf("%s: %s %s %v", g.Name, r.Status, r.Reason, r.Counterexample)
						}
					}
				}
			}
		}
	}
	for _, target := range targets { // they come first: nothing was known
		if only == "" {
			require.Less(t, fresh[target.Name], 60*time.Second, target.Name)
		}
	}
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
