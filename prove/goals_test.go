package prove_test

import (
	"testing"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	registry "github.com/ptxlower/ptxlower/targets"
)

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
					out = append(out, sample{ptxlower.RuleGoal(b, target, choose(tb, target, f, m), m), b})
				}
			}
		}
	}
	return out
}

var models = []ptx.Model{ptx.ISA, ptx.PTXAS}

// targets are one of each family.
var targets = []*isel.Target{pick("sm_70"), pick("gfx900"), pick("generic")}

func pick(name string) *isel.Target {
	info, err := registry.Find(name)
	if err != nil {
		panic(err)
	}
	return info.Target
}

func choose(tb testing.TB, t *isel.Target, f ptx.Form, m ptx.Model) *isel.Choice {
	c, err := t.Choose(f, m, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
