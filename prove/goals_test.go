package prove_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/llvm"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// ruleGoal is the goal that the target's choice for a form computes what the
// form means, zero-extended to the registers' widths.
func ruleGoal(b *sem.Builder, t *isel.Target, c *isel.Choice, m ptx.Model) prove.Goal {
	g := prove.Goal{Name: fmt.Sprintf("%s %s %s", t.Name, c.Form.Name(), m)}
	for i, w := range ir.ArgWidths(c.Form) {
		name := string("abce"[i])
		if c.Form.ReadsCF() && i == len(c.Form.Ins()) {
			name = "cf"
		}
		g.Params = append(g.Params, b.Var(name, w))
	}
	g.Want = c.Form.Meaning(b, g.Params, m)
	g.Got = c.Meaning(b, t, g.Params)
	for i := range g.Want {
		g.Want[i] = b.Zext(g.Want[i], g.Got[i].W)
	}
	for _, f := range c.When {
		g.Assume = append(g.Assume, f.Term(b, g.Params[f.Arg]))
	}
	return g
}

// sample is a goal and the Builder of its terms.
type sample struct {
	prove.Goal
	b *sem.Builder
}

// samples are every n-th goal of the rules of one target of each family, in
// both models.
func samples(tb testing.TB, n int) []sample {
	var out []sample
	i := 0
	for _, target := range targets {
		for _, m := range models {
			for _, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
				if i++; i%n == 0 {
					b := sem.NewBuilder()
					out = append(out, sample{ruleGoal(b, target, choose(tb, target, f, m), m), b})
				}
			}
		}
	}
	return out
}

var models = []ptx.Model{ptx.ISA, ptx.PTXAS}

// targets are one of each family.
var targets = []*isel.Target{pick(nv.Targets(), "sm_70"), pick(amd.Targets(), "gfx900"), pick(llvm.Targets(), "generic")}

func pick(ts []*isel.Target, name string) *isel.Target {
	return ts[slices.IndexFunc(ts, func(t *isel.Target) bool { return t.Name == name })]
}

func choose(tb testing.TB, t *isel.Target, f ptx.Form, m ptx.Model) *isel.Choice {
	c, err := t.Choose(f, m, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
