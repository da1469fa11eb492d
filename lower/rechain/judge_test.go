package rechain

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// kernelText is a function as a PTX kernel that loads its parameters one by one
// and stores its results. Carries are to be read by the next reader of CC.
func kernelText(t testing.TB, f *ir.Func, arch string) string {
	t.Helper()
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	p(".version %s\n.target sm_%s\n.address_size 64\n.visible .entry chain(.param .u64 P) {", ptxVersion(arch), arch)
	p(".reg .b64 P_, Q_;\n.reg .b32 T_;\n.reg .pred p<%d>;\n.reg .b16 h<%d>;\n.reg .b32 r<%d>;\n.reg .b64 d<%d>;", f.NumValues(), f.NumValues(), f.NumValues(), f.NumValues())
	p("ld.param.u64 P_,[P];\ncvta.to.global.u64 P_,P_;\nmov.u32 T_,%%tid.x;\nmul.wide.u32 Q_,T_,8;\nadd.s64 P_,P_,Q_;\nld.global.b64 P_,[P_];")
	name := func(v *ir.Value) string {
		if v.Op == ir.Const {
			return fmt.Sprint(v.K.Lo)
		}
		return map[int]string{1: "p", 16: "h", 32: "r", 64: "d"}[v.W] + fmt.Sprint(v.ID)
	}
	params := slices.Clone(f.Params)
	slices.SortFunc(params, func(a, b *ir.Value) int { return strings.Compare(a.Name, b.Name) })
	for i, v := range params { // as the chains of the specification material do
		p("ld.global.b%d %s,[P_+%d];", v.W, name(v), 8*i)
	}
	var cc *ir.Value
	b := f.Blocks[0]
	carryOf := map[*ir.Value]*ir.Value{}
	for _, v := range b.Vals {
		if v.Op == ir.Result && v.W == 1 {
			carryOf[v.Args[0]] = v
		}
	}
	for _, v := range b.Vals {
		if v.Op == ir.Result {
			continue
		}
		fm, in := v.Form, v.Args
		require.Equal(t, ir.PTX, v.Op)
		if fm.ReadsCF() {
			require.Equal(t, cc, in[len(in)-1], "%s reads another carry than the last", v)
			in = in[:len(in)-1]
		}
		var args []string
		for _, a := range in {
			args = append(args, name(a))
		}
		list := strings.Join(args, ", ")
		switch {
		case fm.Op == ptx.Mov && fm.Pack > 0:
			for i, a := range in {
				if a.Op == ir.Const {
					p("mov.b32 r%d, %s;", f.NumValues()-1-i, args[i])
					args[i] = fmt.Sprintf("r%d", f.NumValues()-1-i)
				}
			}
			p("mov.b%d %s, {%s};", v.W, name(v), strings.Join(args, ", "))
		case fm.Op == ptx.Mov && fm.Pack < 0:
			rs := []string{name(v), "_"}
			for _, u := range b.Vals {
				if u.Op == ir.Result && u.Args[0] == v {
					rs[u.Index] = name(u)
				}
			}
			if rs[1] == "_" {
				rs[1] = map[int]string{16: "h", 32: "r"}[v.W] + fmt.Sprint(f.NumValues()-1)
			}
			p("mov.b%d {%s}, %s;", 2*v.W, strings.Join(rs, ", "), list)
		default:
			p("%s %s, %s;", fm, name(v), list)
		}
		if fm.CC {
			cc = carryOf[v]
		}
	}
	for i, v := range b.Args {
		n := name(v)
		if v.Op == ir.Const {
			p("mov.b%d %s%d, %s;", v.W, map[int]string{32: "r", 64: "d"}[v.W], f.NumValues()-1, n)
			n = map[int]string{32: "r", 64: "d"}[v.W] + fmt.Sprint(f.NumValues()-1)
		}
		p("st.global.b%d [P_+%d],%s;", v.W, 4096+8*i, n)
	}
	p("ret;\n}")
	return s.String()
}

// ptxVersion is a version of PTX that knows the architecture.
func ptxVersion(arch string) string {
	if arch == "120" || arch == "100" {
		return "8.7"
	}
	return "7.8"
}

var (
	sassLine = regexp.MustCompile(`/\*[0-9a-f]{4,5}\*/\s+(?:\{\s*)?(@!?U?P\d\s+)?([A-Z][A-Z0-9_.]*)`)
	notAnOp  = regexp.MustCompile(`^(NOP|BRA|EXIT|RET|LDG|STG|LD|ST|LDC|ULDC|LDCU|S2R|S2UR|DEPBAR|SSY|SYNC|CS2R|BMOV)\b`)
)

// sassOps counts what ptxas makes of a kernel: without loads, stores, control
// and what computes the address.
func sassOps(t testing.TB, text, arch, version string) int {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o600))
	msg, err := exec.Command(judges.Need(t, "ptxas-"+version), "-arch=sm_"+arch, "-o", out, in).CombinedOutput()
	require.NoError(t, err, "%s\n%s", msg, text)
	dis := "nvdisasm-12.8"
	if version == "13.5" {
		dis = "nvdisasm-13.5"
	}
	sass, err := exec.Command(judges.Need(t, dis), "-c", out).CombinedOutput()
	require.NoError(t, err, "%s", sass)
	n := 0
	for _, m := range sassLine.FindAllStringSubmatch(string(sass), -1) {
		if !notAnOp.MatchString(m[2]) {
			n++
		}
	}
	return n
}

// baseline is a kernel that copies a word.
const baseline = `.version %s
.target sm_%s
.address_size 64
.visible .entry chain(.param .u64 P) {
 .reg .b64 P_,Q_;.reg .b32 T_,a;
 ld.param.u64 P_,[P];
 cvta.to.global.u64 P_,P_;
 mov.u32 T_,%%tid.x;
 mul.wide.u32 Q_,T_,8;
 add.s64 P_,P_,Q_;
 ld.global.b64 P_,[P_];
 ld.global.b32 a,[P_];
 st.global.b32 [P_+4096],a;
 ret;
}
`

// What ptxas makes of the new texts: one fixed form for each architecture.
func TestPtxasNeedsAsFewOperations(t *testing.T) {
	archs := []struct {
		arch, version string
		class         Class
		wide          bool
	}{{"52", "12.9", Maxwell, false}, {"70", "12.9", Volta, true}, {"80", "13.5", Volta, true}, {"90", "13.5", Volta, true}, {"120", "13.5", Geforce120, false}}
	for _, tt := range []struct {
		folder, chain string
		most          [5]int // by arch
	}{
		{"spec/nv/chains", "mul256_rowlohi", [5]int{302, 86, 86, 88, 88}},
		{"spec/nv/chains", "sqr256_rowlohi", [5]int{231, 66, 66, 67, 67}},
		{"spec/nv/chains", "mont256_rowlohi", [5]int{691, 184, 184, 184, 184}},
	} {
		f := kernels(t, tt.folder, tt.chain)[tt.chain]
		for i, a := range archs {
			if a.arch == "70" && os.Getenv("PTXLOWER_FULL") == "" {
				continue // as sm_80
			}
			g := ir.Clone(f)
			r := single(t, g, a.class, Options{Wide: a.wide})
			require.True(t, r.Changed, r.Reason)
			n := sassOps(t, kernelText(t, g, a.arch), a.arch, a.version) - sassOps(t, fmt.Sprintf(baseline, ptxVersion(a.arch), a.arch), a.arch, a.version)
			t.Logf("%s sm_%s: %d predicted, %d counted", tt.chain, a.arch, r.After.Ops, n)
			require.LessOrEqual(t, n, tt.most[i], "%s sm_%s", tt.chain, a.arch)
		}
	}
}
