package prove_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/prove"
)

// ask gives a solver's answer to an SMT-LIB text: sat, unsat, or unknown also
// where the time is over.
func ask(t *testing.T, solver, text string, limit time.Duration, args ...string) string {
	file := filepath.Join(t.TempDir(), "goal.smt2")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	out, err := exec.CommandContext(ctx, solver, append(args, file)...).CombinedOutput()
	answer := strings.TrimSpace(string(out))
	switch {
	case ctx.Err() != nil:
		return "unknown"
	case answer == "sat" || answer == "unsat" || answer == "unknown":
		return answer
	}
	t.Fatalf("%s: %v\n%s", solver, err, answer)
	return ""
}

func TestOtherSolversAgreeOnExportedGoals(t *testing.T) {
	for _, solver := range []string{"z3", "cvc5"} {
		t.Run(solver, func(t *testing.T) {
			path := judges.Need(t, solver)
			got := map[string]map[string]int{"QF_BV": {}, "QF_LIA": {}}
			for _, g := range sampleGoals(t, 97) {
				if prove.Equal(g, prove.Options{}).Status != prove.Proved {
					continue // see TestRulesAreProved
				}
				text, err := prove.SMT2(g)
				require.NoError(t, err)
				answer := ask(t, path, text, 2*time.Second)
				got["QF_BV"][answer]++
				if answer == "sat" {
					t.Log("sat", g.Name)
				}
				text, err = prove.LIA(g)
				if err != nil {
					require.ErrorContains(t, err, "no linear form")
					got["QF_LIA"]["none"]++
					continue
				}
				answer = ask(t, path, text, 2*time.Second)
				if answer == "sat" {
					t.Log("sat lia", g.Name)
				}
				got["QF_LIA"][answer]++
			}
			t.Log(got)
			require.Zero(t, got["QF_LIA"]["sat"])
			require.Zero(t, got["QF_BV"]["sat"])
		})
	}
}
