package amd_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The rules for scalar registers, too, are proved for all inputs: a bit among the
// operands and results is a word that is 0 or 1.
func TestUniformRulesAreProved(t *testing.T) {
	proved, refuted := 0, 0
	seen := map[*isel.Rule]bool{}
	cache := prove.NewCache()
	for _, name := range unlike {
		tg := target(t, name)
		uniformChoices(tg, func(c *isel.Choice) {
			b := sem.NewBuilder()
			g := ptxlower.RuleGoal(b, tg, c, ptx.ISA)
			res := prove.Equal(g, prove.Options{Cache: cache})
			require.Equal(t, prove.Proved, res.Status, "%s %s by %q: %s %v", tg.Name, c.Form.Name(), c.Rule.Name, res.Reason, res.Counterexample)
			proved++
			if seen[c.Rule] { // and with one bit of a result changed it is not
				return
			}
			seen[c.Rule] = true
			g.Got[0] = b.Xor(g.Got[0], b.Zext(b.Eq(g.Params[0], b.U(1, g.Params[0].W)), g.Got[0].W))
			require.Equal(t, prove.Refuted, prove.Equal(g, prove.Options{}).Status, "%s %s", tg.Name, c.Form.Name())
			refuted++
		})
	}
	t.Logf("%d proved, %d mutants refuted", proved, refuted)
	require.Greater(t, refuted, 250)
}

// Listings of functions of which lanes have something in common assemble line by
// line, and no line of them comes too soon.
func TestScalarListingsAssembleAndKeepTheirDistances(t *testing.T) {
	text, err := os.ReadFile("../../testdata/uniform.ll")
	require.NoError(t, err)
	for _, tg := range leading() {
		res, err := ptxlower.Lower(context.Background(), "uniform.ll", text, ptxlower.Options{Target: tg.Name, Emit: ptxlower.EmitAsm, Verify: ptxlower.VerifyOff})
		require.NoError(t, err)
		require.Empty(t, res.Diags)
		requireAssembles(t, tg.Name, res.Output)
		require.NoError(t, hazardsIn(tg.Name, string(res.Output)))
	}
}
