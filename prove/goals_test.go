package prove_test

import (
	"fmt"
	"testing"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// ruleGoal is the goal that the target's choice for a form computes what the
// form means, zero-extended to the registers' widths.
func ruleGoal(t *isel.Target, c *isel.Choice, m ptx.Model) prove.Goal {
	b := sem.NewBuilder()
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
	for _, f := range c.Rule.When {
		g.Assume = append(g.Assume, f.Term(b, g.Params[f.Arg]))
	}
	return g
}

func formGoal(tb testing.TB, t *isel.Target, f ptx.Form, m ptx.Model) prove.Goal {
	c, err := t.Choose(f, m, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return ruleGoal(t, c, m)
}

// sampleGoals are every n-th goal of the rules of each target, in both models.
func sampleGoals(tb testing.TB, n int) []prove.Goal {
	var out []prove.Goal
	for _, target := range targets() {
		for _, m := range []ptx.Model{ptx.ISA, ptx.PTXAS} {
			for i, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
				if i%n == 0 {
					out = append(out, formGoal(tb, target, f, m))
				}
			}
		}
	}
	return out
}

// targets are one of each family.
func targets() []*isel.Target {
	return llvm.Targets()[:1]
}
