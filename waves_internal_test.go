package ptxlower

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/prove"
)

// spoiledMasks lowers testdata/branches.ll with a printer that changes a line of
// each listing, and gives what the user is told.
func spoiledMasks(t *testing.T, target string, verify Verify, spoil func(listing string) string) (*run, error) {
	t.Helper()
	src, err := os.ReadFile("testdata/branches.ll")
	require.NoError(t, err)
	r := &run{ctx: context.Background(), opt: Options{Target: target, Verify: verify},
		file: diag.NewFile("m.ll", src), prover: prover{cache: prove.NewCache()}}
	r.m = ll.Parse(r.file, &r.diags)
	require.NoError(t, r.target())
	r.units = lower.Lift(r.m, lower.Options{}, &r.diags)
	r.spoil = spoil
	return r, r.verdict(r.emitAsm())
}

// A mask that is wrong in the printed text is a lowering that is wrong, and the user
// is told so, whichever check was asked for: lanes alone would not show it.
func TestAWrongMaskInAListingIsReported(t *testing.T) {
	for target, wrong := range map[string][][2]string{
		"gfx900": {
			{"s_and_saveexec_b64", "s_mov_b64"},                      // no lane is switched off
			{"\ts_mov_b64 exec, s[8:9]\n", ""},                       // lanes do not come back
			{"s_andn2_b64", "s_and_b64"},                             // nor go the way they should
			{"\ts_setpc_b64", "\ts_mov_b64 exec, -1\n\ts_setpc_b64"}, // lanes come to life that did not call
		},
		"gfx1100": {
			{"s_and_saveexec_b32", "s_mov_b32"},
			{"s_and_not1_b32", "s_and_b32"},
		},
	} {
		lanes := map[string]int{"gfx900": 64, "gfx1100": 32}[target]
		r, err := spoiledMasks(t, target, VerifyRun, func(s string) string { return s })
		require.NoError(t, err)
		require.Equal(t, lanes, r.res.Lanes)
		for i, w := range wrong {
			changed := 0
			r, err := spoiledMasks(t, target, []Verify{VerifyProve, VerifyRun}[i%2], func(s string) string {
				changed += strings.Count(s, w[0])
				return strings.Replace(s, w[0], w[1], 1)
			})
			require.NotZero(t, changed, w[0])
			require.ErrorIs(t, err, ErrCounterexample, "%s %q", target, w)
			told := slices.IndexFunc(r.diags.All, func(d diag.Diagnostic) bool { return d.ID == "verify" })
			require.Contains(t, r.diags.All[told].Text, fmt.Sprintf("is lowered wrongly for %s: in a wave of %d lanes ", target, lanes))
		}
		r, err = spoiledMasks(t, target, VerifyOff, func(s string) string { return strings.ReplaceAll(s, "exec", "vcc") })
		require.NoError(t, err)
		require.Zero(t, r.res.Lanes)
	}
}
