package ptxlower_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/lower/rechain"
)

// The corpus's Montgomery multiplication, 256-bit field and 96-bit sieve of every
// clang: which chains are written again. Each text is read back from the output
// and run on vectors against its source; llc takes the modules, and ptxas what it
// makes for NVIDIA. All files, targets and optimisation levels with
// PTXLOWER_FULL=1.
func TestChainsOfTheCorpus(t *testing.T) {
	files := corpus(t)
	full := os.Getenv("PTXLOWER_FULL") == "1"
	total := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		kind, _, _ := strings.Cut(name, ".")
		if !slices.Contains([]string{"mont8_u32", "field256_u64", "sieve96"}, kind) || !full && !strings.Contains(name, "clang19") {
			continue
		}
		amd := strings.Contains(name, ".hip.")
		tests := []string{"sm_52", "sm_80", "sm_90", "sm_120", "gfx900", "gfx942", "generic"}
		if amd {
			tests = []string{"gfx900", "gfx942", "gfx1100"}
		}
		if !full {
			tests = []string{"sm_80", "gfx900", "generic"}
			if amd {
				tests = tests[1:2]
			}
		}
		for _, target := range tests {
			var kept []string
			products := 0
			opt := ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM, Chain: func(r rechain.Report) {
				n := 0
				for _, c := range r.Chains {
					n = max(n, c.Products())
				}
				switch {
				case n < 4:
				case r.Changed:
					products = max(products, n)
					total[kind+" "+target]++
				default:
					kept = append(kept, r.Reason)
				}
			}}
			res, err := ptxlower.Lower(t.Context(), name, files[name], opt)
			require.NoError(t, err, "%s %s: %v", name, target, res.Diags)
			t.Logf("%s for %s: longest chain that is written again: %d products; stay: %q", name, target, products, kept)
			if kind == "mont8_u32" && !amd && !strings.Contains(name, ".O0.") && strings.HasPrefix(target, "sm_") {
				require.Equal(t, 128, products, "%s for %s is written again", name, target)
			}
			takes(t, res.Output, target, amd)
		}
	}
	for k, n := range total {
		t.Logf("%s: %d chains are written again", k, n)
	}
	require.NotZero(t, total["mont8_u32 sm_80"])
	require.NotZero(t, total["sieve96 sm_80"])
}

// takes requires that llc, and ptxas behind it, accept a module.
func takes(t *testing.T, module []byte, target string, amd bool) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "m.ll"), filepath.Join(dir, "m.s")
	require.NoError(t, os.WriteFile(in, module, 0o600))
	run := func(args ...string) {
		msg, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		require.NoError(t, err, "%s: %s", strings.Join(args, " "), msg)
	}
	arch, nv := strings.CutPrefix(target, "sm_")
	switch {
	case amd:
		run(judges.Need(t, "llc-22"), "-mcpu="+target, in, "-o", out)
	case nv:
		ptxas, isa := "ptxas-13.5", "78"
		if arch == "52" {
			ptxas = "ptxas-12.9"
		}
		if arch == "120" {
			isa = "87"
		}
		run(judges.Need(t, "llc-22"), "-mcpu="+target, "-mattr=+ptx"+isa, in, "-o", out)
		run(judges.Need(t, ptxas), "-arch="+target, out, "-o", filepath.Join(dir, "m.cubin"))
	default: // an NVIDIA module without PTX
		run(judges.Need(t, "opt-22"), "-passes=verify", "-disable-output", in)
	}
}
