package ptxlower

import (
	"context"
	"math/rand/v2"
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

// The text of a chain is read back as it is printed: one that was changed on the
// way is found out, on vectors and by proof.
func TestAWrongTextOfAChainIsFoundOut(t *testing.T) {
	src, err := os.ReadFile("testdata/lit/rechain/montgomery.ll")
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(1, 7))
	found, same := 0, 0
	for found < 60 {
		seed := rnd.Uint64()
		wrong := map[Verify]bool{}
		for _, verify := range []Verify{VerifyRun, VerifyProve} {
			r := &run{ctx: context.Background(), opt: Options{Target: "sm_80", Emit: EmitLLVM, Verify: verify},
				file: diag.NewFile("m.ll", src), prover: prover{cache: prove.NewCache()}}
			r.m = ll.Parse(r.file, &r.diags)
			require.NoError(t, r.target())
			r.units = lower.Lift(r.m, lower.Options{}, &r.diags)
			e, err := r.splice()
			require.NoError(t, err)
			require.Len(t, e.chains[0].texts, 1)
			r.res.Output = []byte(spoiled(rand.New(rand.NewPCG(seed, 1)), string(r.res.Output)))
			wrong[verify] = e.checkChains() != nil || r.wrong || r.open
		}
		if wrong[VerifyRun] {
			found++
			require.True(t, wrong[VerifyProve])
		} else {
			same++
		}
	}
	t.Logf("%d found out, %d as right as before", found, same)
	require.Less(t, same, 100)
}

// spoiled is a module in which an operation of a chain is another, or gone.
func spoiled(rnd *rand.Rand, module string) string {
	before, rest, _ := strings.Cut(module, "asm sideeffect \"")
	body, after, _ := strings.Cut(rest, "\"")
	lines := strings.Split(body, "\\0A\\09")
	at := 3 + rnd.IntN(len(lines)-4)
	switch rnd.IntN(3) {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		lines[at] = strings.NewReplacer("addc", "add", "add.cc", "addc.cc", ".lo.", ".hi.").Replace(lines[at])
	case 2:
		lines[at] = strings.NewReplacer("$7", "$8", "$3", "$4", "r2", "r1", "d3", "d2").Replace(lines[at])
	}
	return before + "asm sideeffect \"" + strings.Join(lines, "\\0A\\09") + "\"" + after
}
