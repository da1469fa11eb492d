package ptxlower_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

var (
	sassLine = regexp.MustCompile(`/\*[0-9a-f]{4,5}\*/\s+(?:\{\s*)?(@!?U?P\d\s+)?([A-Z][A-Z0-9_.]*)`)
	notAnOp  = regexp.MustCompile(`^(NOP|BRA|EXIT|RET|LDG|STG|LD|ST|LDC|ULDC|LDCU|S2R|S2UR|DEPBAR|SSY|SYNC|CS2R|BMOV)\b`)
)

// An nvidia architecture, and the newest ptxas that has it.
type nvidia struct{ arch, ptxas, nvdisasm, ptx string }

var (
	sm52  = nvidia{"52", "12.9", "12.8", "78"}
	sm70  = nvidia{"70", "12.9", "12.8", "78"}
	sm80  = nvidia{"80", "13.5", "13.5", "78"}
	sm90  = nvidia{"90", "13.5", "13.5", "78"}
	sm100 = nvidia{"100", "13.5", "13.5", "87"}
	sm120 = nvidia{"120", "13.5", "13.5", "87"}
)

// sassOps counts what llc and ptxas make of a module: without loads, stores and
// control.
func (n nvidia) sassOps(t *testing.T, module string) (ops int) {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(file("k.ll"), []byte(module), 0o600))
	for _, args := range [][]string{
		{judges.Need(t, "llc-22"), "-march=nvptx64", "-mcpu=sm_" + n.arch, "-mattr=+ptx" + n.ptx, file("k.ll"), "-o", file("k.ptx")},
		{judges.Need(t, "ptxas-"+n.ptxas), "-arch=sm_" + n.arch, file("k.ptx"), "-o", file("k.cubin")},
	} {
		msg, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		require.NoError(t, err, "%v: %s", args, msg)
	}
	sass, err := exec.Command(judges.Need(t, "nvdisasm-"+n.nvdisasm), "-c", file("k.cubin")).Output()
	require.NoError(t, err)
	for _, m := range sassLine.FindAllStringSubmatch(string(sass), -1) {
		ops += btoi(!notAnOp.MatchString(m[2]))
	}
	return ops
}

// gcnOps counts the instructions that llc makes of a module for an AMD GPU.
func gcnOps(t *testing.T, module, cpu string) (n int) {
	t.Helper()
	cmd := exec.Command(judges.Need(t, "llc-22"), "-mtriple=amdgcn", "-mcpu="+cpu, "-o", "-")
	cmd.Stdin = strings.NewReader(module)
	out, err := cmd.Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		n += btoi(strings.HasPrefix(line, "v_") || strings.HasPrefix(line, "s_"))
	}
	return n
}

func chainModule(t *testing.T, text, target string, o0 bool) string {
	t.Helper()
	res, err := ptxlower.Lower(t.Context(), "k.ll", []byte(text), ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM, O0: o0})
	require.NoError(t, err, "%v", res.Diags)
	return string(res.Output)
}

// empty is a kernel that copies a word: what it takes is not the chain's.
var empty = &chainText{ins: []string{"a"}, outs: []string{"a"}, bits: map[string]int{"a": 32}}

// The bars of performance: what ptxas makes of the text that --emit=llvm writes,
// through llc.
func TestPtxasMakesTheFewestOperationsOfChains(t *testing.T) {
	const triple = "nvptx64-nvidia-cuda"
	type bar struct {
		nvidia
		most int
	}
	product := []bar{{sm52, 302}, {sm70, 86}, {sm80, 86}, {sm90, 88}, {sm100, 88}, {sm120, 88}}
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
		{"spec/nv/chains", "sqr256_rowlohi", []bar{{sm52, 231}, {sm70, 66}, {sm80, 66}, {sm90, 67}, {sm120, 67}}, "80"},
		{"spec/nv/chains", "mont256_rowlohi", []bar{{sm52, 691}, {sm70, 184}, {sm80, 184}, {sm90, 184}, {sm120, 184}}, "80"},
		{"proto/rechain/in", "mul4x64_fold", []bar{{sm70, 120}, {sm80, 120}, {sm90, 120}, {sm120, 121}}, "80"},
	} {
		c := readChain(t, tt.folder, tt.chain)
		for _, b := range tt.bars {
			if !slices.Contains(strings.Fields(tt.always), b.arch) && os.Getenv("PTXLOWER_FULL") == "" {
				continue
			}
			t.Run(tt.chain+" sm_"+b.arch, func(t *testing.T) {
				t.Parallel()
				n := b.sassOps(t, chainModule(t, c.kernel(t, triple), "sm_"+b.arch, false))
				n -= b.sassOps(t, empty.kernel(t, triple))
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
		{"sqr256_rowlohi", "gfx900", 132}, {"mont256_rowlohi", "gfx900", 431}, {"mul256_rowlohi", "gfx942", 263},
	} {
		t.Run(tt.chain+" "+tt.cpu, func(t *testing.T) {
			t.Parallel()
			text := readChain(t, "spec/nv/chains", tt.chain).function(t, "amdgcn-amd-amdhsa")
			was, is := gcnOps(t, chainModule(t, text, tt.cpu, true), tt.cpu), gcnOps(t, chainModule(t, text, tt.cpu, false), tt.cpu)
			t.Logf("%d operations, %d before", is, was)
			require.LessOrEqual(t, is, min(tt.most, was))
		})
	}
}

// No chain of the specification material gets longer: what is written again is
// compared with its source, which llc and ptxas take as it is.
func TestNoChainGetsLongerThroughPtxas(t *testing.T) {
	chains := []string{"mul64_wide64", "mul128_wide64", "mul128_u64row", "sqr128_dbl"}
	if os.Getenv("PTXLOWER_FULL") != "" {
		chains = nil
		for _, folder := range []string{"spec/nv/chains", "proto/rechain/in"} {
			files, err := filepath.Glob(filepath.Join(testutil.Shared(t, folder), "*.ptx"))
			require.NoError(t, err)
			for _, f := range files {
				chains = append(chains, strings.TrimSuffix(filepath.Base(f), ".ptx"))
			}
		}
	}
	for _, chain := range chains {
		folder := "spec/nv/chains"
		if _, err := os.Stat(filepath.Join(testutil.Shared(t, folder), chain+".ptx")); err != nil {
			folder = "proto/rechain/in"
		}
		text := readChain(t, folder, chain).kernel(t, "nvptx64-nvidia-cuda")
		for _, n := range []nvidia{sm52, sm70, sm80, sm90, sm120} {
			if out := chainModule(t, text, "sm_"+n.arch, false); strings.Contains(out, "%ptxl.c0.") {
				t.Run(chain+" sm_"+n.arch, func(t *testing.T) {
					t.Parallel()
					was, is := n.sassOps(t, text), n.sassOps(t, out)
					t.Logf("%d operations, %d before", is, was)
					require.LessOrEqual(t, is, was)
				})
			}
		}
	}
}
