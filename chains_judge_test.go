package ptxlower_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/chains"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// judge is the path of a program for the counts.
func judge(t *testing.T) chains.Tool {
	return func(name string) (string, error) { return judges.Need(t, name), nil }
}

// sassOps counts what llc and ptxas make of a module: without loads, stores and
// control.
func sassOps(t *testing.T, n chains.NVIDIA, module string) int {
	t.Helper()
	c, err := n.Count(judge(t), module)
	require.NoError(t, err)
	return c.Ops
}

// gcnOps counts the instructions that llc makes of a module for an AMD GPU.
func gcnOps(t *testing.T, module, cpu string) int {
	t.Helper()
	c, err := chains.CountAMD(judge(t), module, cpu)
	require.NoError(t, err)
	return c.Ops
}

func chainModule(t *testing.T, text, target string, o0 bool) string {
	t.Helper()
	res, err := ptxlower.Lower(t.Context(), "k.ll", []byte(text), ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM, O0: o0})
	require.NoError(t, err, "%v", res.Diags)
	return string(res.Output)
}

// The bars of performance: what ptxas makes of the text that --emit=llvm writes,
// through llc.
func TestPtxasMakesTheFewestOperationsOfChains(t *testing.T) {
	type bar struct {
		arch string
		most int
	}
	product := []bar{{"52", 302}, {"70", 86}, {"80", 86}, {"90", 88}, {"100", 88}, {"120", 88}}
	for _, tt := range []struct {
		folder, chain string
		bars          []bar
		always        string // these; the others with PTXLOWER_FULL
	}{
		{"spec/nv/chains", "mul256_rowlohi", product, "52 80 90 120"},
		{"spec/nv/chains", "mul256_u64row", product, ""},
		{"spec/nv/chains", "mul256_column", product, ""},
		{"spec/nv/chains", "mul256_evenodd", product, ""},
		{"proto/rechain/in", "mul4x64", product, ""},
		{"spec/nv/chains", "sqr256_rowlohi", []bar{{"52", 231}, {"70", 66}, {"80", 66}, {"90", 66}, {"120", 66}}, "80 120"},
		{"spec/nv/chains", "mont256_rowlohi", []bar{{"52", 691}, {"70", 184}, {"80", 184}, {"90", 184}, {"120", 184}}, "80"},
		{"spec/nv/chains", "mul512_u64row", []bar{{"70", 304}, {"80", 304}, {"90", 304}, {"120", 304}}, ""},
		{"proto/rechain/in", "mul4x64_fold", []bar{{"70", 120}, {"80", 120}, {"90", 120}, {"120", 120}}, "120"},
	} {
		c := readChain(t, tt.folder, tt.chain)
		for _, b := range tt.bars {
			if !slices.Contains(strings.Fields(tt.always), b.arch) && os.Getenv("PTXLOWER_FULL") == "" {
				continue
			}
			t.Run(tt.chain+" sm_"+b.arch, func(t *testing.T) {
				t.Parallel()
				arch := chains.Arch(b.arch)
				n := sassOps(t, arch, chainModule(t, c.Kernel(), "sm_"+b.arch, false))
				n -= sassOps(t, arch, chains.Empty.Kernel())
				t.Logf("%d operations", n)
				require.LessOrEqual(t, n, b.most)
			})
		}
	}
}

// What llc makes of the portable text for AMD.
func TestLlcMakesFewerOperationsOfChains(t *testing.T) {
	for _, tt := range []struct {
		chain, cpu string
		most       int
	}{
		{"mul256_rowlohi", "gfx900", 201}, {"mul256_u64row", "gfx900", 210}, {"mul256_wide64", "gfx900", 213}, {"mul256_column", "gfx1100", 240},
		{"sqr256_rowlohi", "gfx900", 132}, {"mont256_rowlohi", "gfx900", 441}, {"mont256_rowlohi", "gfx942", 497}, {"mul256_rowlohi", "gfx942", 263},
	} {
		t.Run(tt.chain+" "+tt.cpu, func(t *testing.T) {
			t.Parallel()
			text := readChain(t, "spec/nv/chains", tt.chain).Function("amdgcn-amd-amdhsa")
			was, is := gcnOps(t, chainModule(t, text, tt.cpu, true), tt.cpu), gcnOps(t, chainModule(t, text, tt.cpu, false), tt.cpu)
			t.Logf("%d operations, %d before", is, was)
			require.LessOrEqual(t, is, min(tt.most, was))
		})
	}
}

// No chain of the specification material gets longer: what is written again is
// compared with its source, which llc and ptxas take as it is.
func TestNoChainGetsLongerThroughPtxas(t *testing.T) {
	names := []string{"mul64_wide64", "mul128_wide64", "sqr128_dbl", "add256_u64", "montstep256_rowlohi"}
	if os.Getenv("PTXLOWER_FULL") != "" {
		names = nil
		for _, f := range chains.Files(testutil.Shared(t, ".")) {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".ptx"))
		}
	}
	for _, chain := range names {
		folder := "spec/nv/chains"
		if _, err := os.Stat(filepath.Join(testutil.Shared(t, folder), chain+".ptx")); err != nil {
			folder = "proto/rechain/in"
		}
		text := readChain(t, folder, chain).Kernel()
		for _, arch := range []string{"52", "70", "80", "90", "120"} {
			if out := chainModule(t, text, "sm_"+arch, false); out != text {
				t.Run(chain+" sm_"+arch, func(t *testing.T) {
					t.Parallel()
					n := chains.Arch(arch)
					was, is := sassOps(t, n, text), sassOps(t, n, out)
					t.Logf("%d operations, %d before", is, was)
					require.LessOrEqual(t, is, was)
				})
			}
		}
	}
}
