package ptxlower_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// caller is a main that calls each @f of n modules on vectors and gives the
// number of the first module, from 1, of which a result is not what the
// evaluator says it is; 0 if all are right.
func caller(t *testing.T, sources []string, lanes int) string {
	var sb strings.Builder
	sb.WriteString("define i32 @main() {\nentry:\n  br label %m0\n")
	n := 0
	for k, text := range sources {
		f, _ := whole(t, text, ptx.ISA)
		var widths []int
		for _, p := range f.Params {
			widths = append(widths, p.W)
		}
		prog := eval.CompileIR(f)
		cols := eval.Vectors(widths, lanes, uint64(k))
		var types []string
		for _, w := range f.Results {
			types = append(types, fmt.Sprintf("i%d", w))
		}
		st := "{ " + strings.Join(types, ", ") + " }"
		fmt.Fprintf(&sb, "m%d:\n", k)
		all := "true"
		for l := range lanes {
			in := make([]sem.Val, len(cols))
			var args []string
			for i, c := range cols {
				in[i] = sem.U(c.Lo[l])
				args = append(args, fmt.Sprintf("i%d %d", widths[i], int64(in[i].SignExtend(widths[i]).Lo)))
			}
			want, err := prog.Run(in, 10_000)
			require.NoError(t, err)
			fmt.Fprintf(&sb, "  %%r%d = call %s @f%d(%s)\n", n, st, k, strings.Join(args, ", "))
			for i, v := range want {
				fmt.Fprintf(&sb, "  %%r%d.%d = extractvalue %s %%r%d, %d\n", n, i, st, n, i)
				fmt.Fprintf(&sb, "  %%c%d.%d = icmp eq i%d %%r%d.%d, %d\n", n, i, f.Results[i], n, i, int64(v.SignExtend(f.Results[i]).Lo))
				fmt.Fprintf(&sb, "  %%a%d.%d = and i1 %s, %%c%d.%d\n", n, i, all, n, i)
				all = fmt.Sprintf("%%a%d.%d", n, i)
			}
			n++
		}
		fmt.Fprintf(&sb, "  br i1 %s, label %%m%d, label %%bad%d\nbad%d:\n  ret i32 %d\n", all, k+1, k, k, k+1)
	}
	fmt.Fprintf(&sb, "m%d:\n  ret i32 0\n}\n", len(sources))
	return sb.String()
}

// merge puts modules of one @f each into one module, the functions numbered.
func merge(modules []string) string {
	var funcs strings.Builder
	declares := map[string]bool{}
	for k, text := range modules {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "declare ") {
				if line = strings.TrimSpace(line); !declares[line] {
					declares[line] = true
					funcs.WriteString(line + "\n")
				}
				continue
			}
			funcs.WriteString(strings.Replace(line, "@f(", fmt.Sprintf("@f%d(", k), 1))
		}
	}
	return funcs.String()
}

// Functions in modules of their own, lowered for a target each, as LLVM runs
// them.
func TestPortableIRRunsUnderLLI(t *testing.T) {
	lli := judges.Need(t, "lli-22")
	const modules, lanes = 100, 12 // an exit status holds 255 at most
	for _, target := range []string{"generic", "gfx900"} {
		var sources, outs []string
		for k := range modules {
			src := programs(k%2 == 1).Example(k)
			sources = append(sources, src)
			outs = append(outs, string(lowered(t, src, ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM, O0: k%3 == 0}).Output))
		}
		cmd := exec.Command(lli, "-")
		cmd.Stdin = strings.NewReader(merge(outs) + caller(t, sources, lanes))
		msg, err := cmd.CombinedOutput()
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() > 0 && exit.ExitCode() <= modules && len(msg) == 0 {
			k := exit.ExitCode() - 1
			t.Fatalf("%s: module %d computes something else\n%s\n%s", target, k, sources[k], outs[k])
		}
		require.NoError(t, err, "%s", msg)
	}
}

// The judge can tell: with one number changed it finds the module.
func TestLLIFindsAWrongFunction(t *testing.T) {
	lli := judges.Need(t, "lli-22")
	src := []string{"define { i32 } @f(i32 %a) {\n  %r = insertvalue { i32 } undef, i32 %a, 0\n  ret { i32 } %r\n}\n",
		"define { i32 } @f(i32 %a) {\n  %s = add i32 %a, 1\n  %r = insertvalue { i32 } undef, i32 %s, 0\n  ret { i32 } %r\n}\n"}
	wrong := []string{src[0], strings.Replace(src[1], "%a, 1", "%a, 2", 1)}
	cmd := exec.Command(lli, "-")
	cmd.Stdin = strings.NewReader(merge(wrong) + caller(t, src, 3))
	err := cmd.Run()
	require.IsType(t, &exec.ExitError{}, err)
	require.Equal(t, 2, err.(*exec.ExitError).ExitCode())
}

// verified passes a module through llvm-as, which verifies it.
func verified(t *testing.T, text []byte) {
	t.Helper()
	cmd := exec.Command(judges.Need(t, "llvm-as-22"), "-o", os.DevNull, "-")
	cmd.Stdin = bytes.NewReader(text)
	msg, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", msg, text)
}

func TestTheLoweredTextOfRandomProgramsIsValid(t *testing.T) {
	var outs []string
	for k := range 150 {
		outs = append(outs, string(lowered(t, programs(k%3 > 0).Example(1000+k), ptxlower.Options{Target: "sm_70", Emit: ptxlower.EmitLLVM, O0: k%2 == 0}).Output))
	}
	verified(t, []byte(merge(outs)))
}
