package amd_test

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// clampers are the leading targets with --amd-mad-clamp.
func clampers(t *testing.T) []*isel.Target {
	t.Helper()
	var out []*isel.Target
	for _, tg := range leading() {
		if c := amd.MadClamp(tg); c != nil {
			out = append(out, c)
		} else {
			require.Contains(t, []string{"gfx600", "gfx700"}, tg.Name)
		}
	}
	return out
}

// limitedSums are the forms that may be lowered by it.
func limitedSums() []ptx.Form {
	return slices.DeleteFunc(slices.Clone(ptx.Behaviours()), func(f ptx.Form) bool { return !f.Sat || f.Shr != 0 || f.Op != ptx.Vmad || f.NegC || f.PO })
}

// byClamp calls f with the choices for which a multiply-add's own clamp is trusted.
func byClamp(t *testing.T, tg *isel.Target, f func(*isel.Choice, ptx.Model)) {
	t.Helper()
	n := 0
	for _, form := range limitedSums() {
		for _, m := range models(form) {
			c, err := tg.Choose(form, m, nil)
			require.NoError(t, err)
			if c.Rule.Needs.Has(amd.MADCLAMP) {
				n++
				f(c, m)
			}
		}
	}
	require.Greater(t, n, 100, tg.Name)
}

// What the clamp is taken to do is what .sat means, near the limits too.
func TestSumsLimitedByClampAreThoseOfSat(t *testing.T) {
	for _, tg := range clampers(t) {
		const lanes = 600
		in := nearLimits(lanes, 0, 5)
		byClamp(t, tg, func(c *isel.Choice, m ptx.Model) {
			x := eval.CheckChoice(tg, c, m, 300, 1)
			require.Nil(t, x, "%s %s", tg.Name, c.Form.Name())
			b := sem.NewBuilder()
			params := []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)}
			out := []sem.Col{{Lo: make([]uint64, lanes)}, {Lo: make([]uint64, lanes)}}
			sem.Compile(params, c.Form.Meaning(b, params, m)[0], c.Meaning(b, tg, params)[0]).Run(in, out)
			require.Equal(t, out[0].Lo, out[1].Lo, "%s %s", tg.Name, c.Form.Name())
		})
	}
}

// The option makes no form dearer, some cheaper, and nothing else different; without
// it no row has such a clamp.
func TestOnlyTheOptionTrustsTheClampOfMultiplyAdds(t *testing.T) {
	clamps := func(out []mach.Expr) (n int) {
		for _, o := range mach.Ops(out) {
			if strings.HasSuffix(o.Syntax, " clamp") && (strings.HasPrefix(o.Name, "v_mad") || strings.HasPrefix(o.Name, "v_dot")) {
				require.Equal(t, mach.Assumed, o.Conf)
				n++
			}
		}
		return n
	}
	for _, tg := range clampers(t) {
		plain, cheaper := target(t, tg.Name), 0
		for _, f := range limitedSums() {
			for _, m := range models(f) {
				with, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				without, err := plain.Choose(f, m, nil)
				require.NoError(t, err)
				require.Zero(t, clamps(without.Out), f.Name())
				if !with.Rule.Needs.Has(amd.MADCLAMP) {
					require.Equal(t, without.Rule.Name, with.Rule.Name)
					require.Zero(t, clamps(with.Out), f.Name())
					continue
				}
				n, _ := cost(t, tg, f, m)
				before, _ := cost(t, plain, f, m)
				require.LessOrEqual(t, n, before, "%s %s", tg.Name, f.Name())
				if n < before {
					cheaper++
				}
			}
		}
		t.Logf("%s: %d forms are cheaper", tg.Name, cheaper)
		require.NotZero(t, cheaper, tg.Name)
	}
}

// The rows of counts_hand.csv that clamp a v_mad or v_dot: with the option as many
// ops as by hand.
func TestRowsThatClampAMultiplyAddAreReachedWithTheOption(t *testing.T) {
	n := 0
	for _, row := range testutil.CSV(t, "spec/amd/counts_hand.csv") {
		if !clampsMad(row["sequence"]) {
			continue
		}
		f, ok := handForm(row["form"])
		require.True(t, ok)
		best, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		ops, _ := cost(t, amd.MadClamp(target(t, row["target"])), f, ptx.ISA)
		require.LessOrEqual(t, ops, best, "%s %s", row["target"], row["form"])
		n++
	}
	require.Equal(t, 38, n)
}

// clampsMad reports a sequence of which a multiply-add saturates.
func clampsMad(sequence string) bool {
	return strings.Contains(sequence, "clamp") && (strings.Contains(sequence, "v_mad_") || strings.Contains(sequence, "v_dot"))
}

func TestLinesWithClampDisassembleToThemselves(t *testing.T) {
	for _, tg := range clampers(t) {
		seen := map[string]bool{}
		var text bytes.Buffer
		byClamp(t, tg, func(c *isel.Choice, m ptx.Model) {
			var one strings.Builder
			require.NoError(t, tg.Print(&one, compiled(t, tg, lone("f", c.Form, m, -1, sem.Val{}))))
			for s := range strings.Lines(strings.TrimPrefix(one.String(), "f:\n")) {
				if !seen[s] {
					seen[s] = true
					text.WriteString(s)
				}
			}
		})
		require.Equal(t, len(seen), requireAssembles(t, tg.Name, text.Bytes()))
	}
}
