package ptxlower_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

// callOf is a function @f<n> that calls @ptx.<form> with its parameters.
func callOf(n int, f ptx.Form) string {
	typ := func(ws []int) string {
		var ts []string
		for _, w := range ws {
			ts = append(ts, fmt.Sprintf("i%d", w))
		}
		if len(ts) > 1 {
			return "{ " + strings.Join(ts, ", ") + " }"
		}
		return ts[0]
	}
	var args, params []string
	for k, w := range ir.ArgWidths(f) {
		params = append(params, fmt.Sprintf("i%d", w))
		args = append(args, fmt.Sprintf("i%d %%x%d", w, k))
	}
	if f.Op == ptx.Lop3 { // no function has its table
		return fmt.Sprintf("define i32 @f%d(i32 %%a, i32 %%b, i32 %%c) {\n  %%r = call i32 asm \"lop3.b32 $0, $1, $2, $3, %d;\", \"=r,r,r,r\"(i32 %%a, i32 %%b, i32 %%c)\n  ret i32 %%r\n}\n", n, f.Lut)
	}
	name, ret, list := lower.CallName(f), typ(ir.ResultWidths(f)), strings.Join(args, ", ")
	return fmt.Sprintf("define %s @f%d(%s) {\n  %%r = call %s @%s(%s)\n  ret %s %%r\n}\ndeclare %s @%s(%s)\n",
		ret, n, list, ret, name, list, ret, ret, name, strings.Join(params, ", "))
}

// compile gives what opt-22, where there are passes, and llc-22 make of a module for a GPU, as text, after it made
// an object of it, which its assembler has to accept.
func compile(t testing.TB, cpu, module string, passes ...string) string {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in.ll")
	require.NoError(t, os.WriteFile(in, []byte(module), 0o644))
	if len(passes) > 0 {
		out, err := exec.Command(judges.Need(t, "opt-22"), append(passes, "-S", in, "-o", in)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for _, kind := range []string{"obj", "asm"} {
		// Halves of registers as operands are not what is looked at.
		out, err := exec.Command(judges.Need(t, "llc-22"), "-mcpu="+cpu, "-mattr=-real-true16", "-filetype="+kind, in, "-o", filepath.Join(dir, "out."+kind)).CombinedOutput()
		require.NoError(t, err, "%s: %s", cpu, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.asm"))
	require.NoError(t, err)
	return string(text)
}

var (
	llcLabel  = regexp.MustCompile(`^(f\d+):`)
	llcSuffix = regexp.MustCompile(`_e(32|64)( |$)`)
)

// llcLines reads the instructions of functions from llc's output, spelled as
// our tables spell them.
func llcLines(text string) map[string][]string {
	funcs, name, ours := map[string][]string{}, "", false
	for line := range strings.Lines(text) {
		switch {
		case strings.Contains(line, ";#ASMSTART"):
			ours = true
		case strings.Contains(line, ";#ASMEND"):
			ours = false
		}
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), ";")
		if m := llcLabel.FindStringSubmatch(line); m != nil {
			name = m[1]
			continue
		}
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, ".Lfunc_end"):
			name = ""
		case ours && line != "":
			funcs[name] = append(funcs[name], line)
		case name != "" && (strings.HasPrefix(line, "v_") || strings.HasPrefix(line, "s_")):
			for _, part := range strings.Split(strings.ReplaceAll(line, "v_dual_", "v_"), " :: ") {
				funcs[name] = append(funcs[name], llcSuffix.ReplaceAllString(part, "$2"))
			}
		}
	}
	return funcs
}

// readBack is what the instructions of a compiled function compute, in the
// widths of its results; the operands are those of a form.
func readBack(t testing.TB, tg *isel.Target, r *mach.Reader, f ptx.Form, lines []string, b *sem.Builder, params []*sem.Term) []*sem.Term {
	t.Helper()
	classes := func(ws []int) (cs []mach.Class) {
		for _, w := range ws {
			c, _ := tg.Machine.ClassOf(max(w, 32))
			cs = append(cs, c)
		}
		return cs
	}
	out := ir.ResultWidths(f)
	nf, err := r.Read(lines, classes(ir.ArgWidths(f)), classes(out))
	require.NoError(t, err, "%s:\n%s", f.Name(), strings.Join(lines, "\n"))
	got, err := eval.NativeTerms(nf, tg.Machine, b, params)
	require.NoError(t, err, "%s:\n%s", f.Name(), strings.Join(lines, "\n"))
	for i, w := range out {
		got[i] = b.Bits(got[i], w-1, 0)
	}
	return got
}

// Every form as inline assembly: llc's assembler takes it, and what llc makes of
// the function, read back, computes what the form means. Of generations but two
// there are fewer forms.
func TestSitesAsAssemblyAreRight(t *testing.T) {
	forms := slices.DeleteFunc(append(ptx.Behaviours(), ptx.Neighbours()...), func(f ptx.Form) bool {
		g, err := lower.FormOfCall(lower.CallName(f))
		return f.Op != ptx.Lop3 && (err != nil || g != f) // a function name has no place for it
	})
	full := os.Getenv("PTXLOWER_FULL") != ""
	for at, cpu := range strings.Fields("gfx900 gfx1100 gfx600 gfx700 gfx803 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1150 gfx1200 gfx1250") {
		step := 40
		if full {
			step = 1
		}
		if at >= 2 {
			step *= 5
		}
		t.Run(cpu, func(t *testing.T) { sitesAsAssembly(t, cpu, forms, at, step) })
	}
}

func sitesAsAssembly(t *testing.T, cpu string, forms []ptx.Form, at, step int) {
	info, err := targets.Find(cpu)
	require.NoError(t, err)
	reader := mach.NewReader(*info.Target.Dialect, info.Target.Machine)
	module := "target triple = \"amdgcn-amd-amdhsa\"\n"
	var sb strings.Builder
	var used []ptx.Form
	for k := at % step; k < len(forms); k += step {
		sb.WriteString(callOf(len(used), forms[k]))
		used = append(used, forms[k])
	}
	res, err := ptxlower.Lower(context.Background(), "forms.ll", []byte(module+sb.String()),
		ptxlower.Options{Target: cpu, Emit: ptxlower.EmitLLVM, Sites: ptxlower.SitesAsm, Verify: ptxlower.VerifyOff})
	require.NoError(t, err, "%v", res.Diags)
	code := llcLines(compile(t, cpu, string(res.Output)))
	for n, f := range used {
		lines := code[fmt.Sprintf("f%d", n)]
		b := sem.NewBuilder()
		var params []*sem.Term
		for k, w := range ir.ArgWidths(f) {
			params = append(params, b.Var(fmt.Sprintf("x%d", k), w))
		}
		want := f.Meaning(b, params, ptx.ISA)
		got := readBack(t, info.Target, reader, f, lines, b, params)
		for _, v := range sem.Vars(got...) { // no result may depend on what a register held
			if strings.HasPrefix(v.Name, "junk.") {
				params = append(params, v)
			}
		}
		bad := eval.Compare(params, want, got, nil, 100, 5)
		require.Nil(t, bad, "%s on %s: %v\n%s", f.Name(), cpu, bad, strings.Join(lines, "\n"))
	}
	t.Logf("%s: %d forms", cpu, len(used))
}

// Random programs: carries from statement to statement, statements of several
// instructions, LLVM's own instructions between. Without branches what llc makes
// of them, read back, computes what they mean; a few have instructions of LLVM's
// that our tables have not. With branches llc has to take them.
func TestRandomProgramsAsAssemblyAreRight(t *testing.T) {
	for _, cpu := range []string{"gfx900", "gfx1100"} {
		info, err := targets.Find(cpu)
		require.NoError(t, err)
		reader := mach.NewReader(*info.Target.Dialect, info.Target.Machine)
		for _, branches := range []bool{false, true} {
			var modules []string
			for seed := range 60 {
				modules = append(modules, strings.ReplaceAll(programs(branches).Example(seed), "@f(", fmt.Sprintf("@f%d(", seed)))
			}
			src := "target triple = \"amdgcn-amd-amdhsa\"\n" + merge(modules)
			res, err := ptxlower.Lower(context.Background(), "random.ll", []byte(src),
				ptxlower.Options{Target: cpu, Emit: ptxlower.EmitLLVM, Sites: ptxlower.SitesAsm})
			require.NoError(t, err, "%v", res.Diags)
			for _, passes := range [][]string{nil, {"-O2"}} {
				code := llcLines(compile(t, cpu, string(res.Output), passes...))
				if branches {
					continue
				}
				read := 0
				var l diag.List
				m := ll.Parse(diag.NewFile("random.ll", []byte(src)), &l)
				for _, u := range lower.Lift(m, lower.Options{}, &l) {
					f, refusal := u.Function(m, ptx.ISA)
					require.Nil(t, refusal)
					if sameAsRead(t, info.Target, reader, f, code[u.Func.Name]) {
						read++
					}
				}
				t.Logf("%s %s: %d of %d programs read back", cpu, passes, read, len(modules))
				require.Greater(t, 4*read, 3*len(modules))
			}
		}
	}
}

// sameAsRead compares a function with the code of it; false if the code has
// instructions that the target's table has not.
func sameAsRead(t testing.TB, tg *isel.Target, r *mach.Reader, f *ir.Func, lines []string) bool {
	t.Helper()
	class := func(w int) mach.Class {
		c, _ := tg.Machine.ClassOf(max(w, 32))
		return c
	}
	b := sem.NewBuilder()
	var params []*sem.Term
	var in, out []mach.Class
	for i, p := range f.Params {
		params, in = append(params, b.Var(fmt.Sprintf("p%d", i), p.W)), append(in, class(p.W))
	}
	for _, w := range f.Results {
		out = append(out, class(w))
	}
	nf, err := r.Read(lines, in, out)
	if err != nil {
		t.Logf("%s: %v", f.Name, err)
		return false
	}
	want, err := eval.Terms(f, b, params)
	require.NoError(t, err)
	got, err := eval.NativeTerms(nf, tg.Machine, b, params)
	require.NoError(t, err)
	for i, w := range f.Results {
		got[i] = b.Bits(got[i], w-1, 0)
	}
	for _, v := range sem.Vars(got...) {
		if strings.HasPrefix(v.Name, "junk.") {
			params = append(params, v)
		}
	}
	bad := eval.Compare(params, want, got, nil, 100, 5)
	require.Nil(t, bad, "%s: %v\n%s\n%s", f.Name, bad, f, strings.Join(lines, "\n"))
	return true
}

// A product of 256-bit integers in one statement is one statement, with no more
// operands than live at the same time.
func TestALongBodyIsOneStatement(t *testing.T) {
	const n = 8
	var body strings.Builder
	reg := func(i int) string { return fmt.Sprintf("t%d", i) }
	for i := range 2 * n {
		fmt.Fprintf(&body, "mov.u32 %s, 0; ", reg(i))
	}
	for j := range n {
		for half, mode := range []string{"lo", "hi"} {
			op := "mad." + mode + ".cc.u32"
			for i := range n {
				at := reg(i + j + half)
				fmt.Fprintf(&body, "%s %s, $%d, $%d, %s; ", op, at, 2*n+i, 3*n+j, at)
				op = "madc." + mode + ".cc.u32"
			}
			if half == 0 {
				fmt.Fprintf(&body, "addc.u32 %s, 0, 0; ", reg(j+n))
			}
		}
	}
	var regs, outs, cons, types, args, params []string
	for i := range 2 * n {
		regs = append(regs, reg(i))
		fmt.Fprintf(&body, "mov.u32 $%d, %s; ", i, reg(i))
		outs, types = append(outs, "=&r"), append(types, "i32")
		cons, args, params = append(cons, "r"), append(args, fmt.Sprintf("i32 %%x%d", i)), append(params, fmt.Sprintf("i32 %%x%d", i))
	}
	st, list := "{ "+strings.Join(types, ", ")+" }", strings.Join(args, ", ")
	src := fmt.Sprintf("define %s @f0(%s) {\n  %%r = call %s asm \"{ .reg .u32 %s; %s}\", \"%s\"(%s)\n  ret %s %%r\n}\n", st,
		strings.Join(params, ", "), st, strings.Join(regs, ", "), body.String(), strings.Join(append(outs, cons...), ","), list, st)
	for _, cpu := range []string{"gfx900", "gfx1100"} {
		info, err := targets.Find(cpu)
		require.NoError(t, err)
		module := "target triple = \"amdgcn-amd-amdhsa\"\n" + src
		res, err := ptxlower.Lower(context.Background(), "long.ll", []byte(module),
			ptxlower.Options{Target: cpu, Emit: ptxlower.EmitLLVM, Sites: ptxlower.SitesAsm})
		require.NoError(t, err, "%v", res.Diags)
		require.Equal(t, 1, strings.Count(string(res.Output), " asm "))
		require.Less(t, strings.Count(string(res.Output), "=&"), 30)
		code := llcLines(compile(t, cpu, string(res.Output)))
		var l diag.List
		m := ll.Parse(diag.NewFile("long.ll", []byte(module)), &l)
		f, refusal := lower.Lift(m, lower.Options{}, &l)[0].Function(m, ptx.ISA)
		require.Nil(t, refusal)
		require.True(t, sameAsRead(t, info.Target, mach.NewReader(*info.Target.Dialect, info.Target.Machine), f, code["f0"]))
	}
}
