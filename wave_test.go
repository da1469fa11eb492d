package ptxlower_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// waveLanes is how many lanes a wave has in tests; lanes that would loop for long
// get other values.
const waveLanes = 24

// waveDiffers runs a listing as a wave, and each lane alone by the source.
func waveDiffers(t require.TestingT, tg *isel.Target, text, listing string, seed uint64) error {
	return waveDiffersWithin(t, tg, text, listing, seed, 200_000)
}

// waveDiffersWithin runs at most so many lines.
func waveDiffersWithin(t require.TestingT, tg *isel.Target, text, listing string, seed uint64, most int) error {
	src, _ := whole(t, text, ptx.ISA)
	prog := eval.CompileIR(src)
	var params []amd.Passed
	var widths []int
	for _, p := range src.Params {
		params, widths = append(params, amd.Passed{Bits: p.W, Uniform: p.Uniform}), append(widths, p.W)
	}
	const drawn = 4 * waveLanes
	cols := eval.Vectors(widths, drawn, seed)
	var in, want [][]sem.Val
	for l := 0; l < drawn && len(in) < waveLanes; l++ {
		var args []sem.Val
		for i, p := range params {
			k := cols[i].Lo[l]
			if p.Uniform {
				k = cols[i].Lo[0]
			}
			if p.Uniform && seed%2 == 1 || !p.Uniform && l%2 == 1 {
				k &= 7
			}
			args = append(args, sem.U(k).Cut(p.Bits))
		}
		if out, err := prog.Run(args, 300); err == nil {
			in, want = append(in, args), append(want, out)
		}
	}
	if len(in) == 0 {
		return nil
	}
	got, err := amd.RunWave(tg, listing, params, in, src.Results, most)
	if err != nil {
		return err
	}
	for l := range in {
		for i := range want[l] {
			if want[l][i] != got[l][i] {
				return fmt.Errorf("lane %d of %v: result %d is %v, not %v", l, in[l], i, got[l][i], want[l][i])
			}
		}
	}
	return nil
}

func amdTarget(t require.TestingT, name string) *isel.Target {
	tg, err := targets.Find(name)
	require.NoError(t, err)
	return tg.Target
}

// What a function with branches is listed as computes, for lanes that go
// different ways at once, what each of them would alone.
func TestWavesOfRandomProgramsComputeWhatEachLaneWould(t *testing.T) {
	for _, name := range strings.Fields("gfx600 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1200 gfx1250") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tg := amdTarget(t, name)
			branches, jumps, words := 0, 0, 0
			rapid.Check(t, func(rt *rapid.T) {
				text := programs(true).Draw(rt, "program")
				all := rapid.IntRange(0, 2).Draw(rt, "uniform parameters") // none, some, all
				for i := range 5 {
					if all == 2 || all == 1 && rapid.Bool().Draw(rt, "uniform") { // its first place is the list of parameters
						text = strings.Replace(text, fmt.Sprintf(" %%p%d", i), fmt.Sprintf(" inreg %%p%d", i), 1)
					}
				}
				res := lowered(rt, text, ptxlower.Options{Target: name, Emit: ptxlower.EmitAsm, O0: rapid.Bool().Draw(rt, "-O0"), Verify: ptxlower.VerifyOff})
				for _, d := range res.Diags {
					if d.ID == "not-selectable" {
						rt.Fatalf("%s\n%s", d.Text, text)
					}
				}
				branches += strings.Count(string(res.Output), "exec")
				jumps += strings.Count(string(res.Output), "s_cbranch_scc")
				words += strings.Count(string(res.Output), "s_add_") + strings.Count(string(res.Output), "s_mul_")
				if err := waveDiffers(rt, tg, text, string(res.Output), rapid.Uint64().Draw(rt, "seed")); err != nil {
					rt.Fatalf("%v\n%s\n%s", err, text, res.Output)
				}
			})
			t.Logf("%d uses of EXEC, %d jumps by SCC, %d additions and products of words", branches, jumps, words)
			require.Greater(t, branches, 100)
			require.Greater(t, jumps, 20)
			require.Greater(t, words, 20)
		})
	}
}

func branchyFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/branches.ll")
	require.NoError(t, err)
	return string(text)
}

// branchy are the functions of testdata/branches.ll, each a module.
func branchy(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, s := range strings.Split(branchyFile(t), "\ndefine ")[1:] {
		out = append(out, "define "+s)
	}
	return out
}

func listed(t *testing.T, target, text string) string {
	t.Helper()
	res := lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
	require.Empty(t, res.Diags, "%s %s", target, text)
	return string(res.Output)
}

// What branchy functions are listed as computes what each lane would alone, and
// its every line disassembles to itself, with branches that lead where they should.
func TestWavesOnEveryTarget(t *testing.T) {
	n := 0
	for _, tg := range amd.Targets() {
		for _, text := range branchy(t) {
			listing := listed(t, tg.Name, text)
			require.NoError(t, waveDiffers(t, tg, text, listing, 1), "%s\n%s", tg.Name, listing)
			n++
		}
		if n/5%4 != 0 && os.Getenv("PTXLOWER_FULL") != "1" {
			continue
		}
		lines, err := judges.GFXRoundTrip(t, tg.Name, []byte(listed(t, tg.Name, branchyFile(t))))
		require.NoError(t, err)
		require.Greater(t, lines, 50)
	}
	require.Equal(t, 5*len(amd.Targets()), n)
}

// A listing with one line of its mask code lost is found out: by its results, or
// by the lanes that it returns with. Only that the first of two masks that part
// all lanes starts empty does not show: lanes that it has too many come to the
// second, which overwrites their results.
func TestWrongMasksAreFoundOut(t *testing.T) {
	for _, name := range []string{"gfx900", "gfx1100"} {
		tg := amdTarget(t, name)
		mutants, missed := 0, []string{}
		for _, text := range branchy(t) {
			listing := listed(t, name, text)
			lines := strings.Split(listing, "\n")
			for i, line := range lines {
				if !strings.HasPrefix(line, "\ts_") || strings.HasPrefix(line, "\ts_wait") || strings.HasPrefix(line, "\ts_set") {
					continue
				}
				found := false
				for seed := uint64(1); seed <= 3 && !found; seed++ {
					found = waveDiffers(t, tg, text, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n"), seed) != nil
				}
				mutants++
				if !found && !(strings.HasSuffix(line, ", 0") && strings.HasPrefix(text, "define i32 @nested")) {
					missed = append(missed, fmt.Sprintf("%s without line %d, %s:\n%s", name, i, line, listing))
				}
			}
		}
		t.Logf("%s: %d mutants", name, mutants)
		require.Empty(t, missed)
		require.Greater(t, mutants, 25)
	}
}
