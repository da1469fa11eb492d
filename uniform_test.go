package ptxlower_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// uniforms are the functions of testdata/uniform.ll, each a module.
func uniforms(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/uniform.ll")
	require.NoError(t, err)
	var out []string
	for _, s := range strings.Split(string(text), "\ndefine ")[1:] {
		out = append(out, "define "+s)
	}
	return out
}

func TestLanesWithSomethingInCommonOnEveryTarget(t *testing.T) {
	mc := judges.Need(t, "llvm-mc-22")
	seen := map[ir.Features]bool{}
	for _, tg := range amd.Targets() {
		seeds := uint64(4)
		if seen[tg.Features] { // like an older one
			seeds = 2
		}
		seen[tg.Features] = true
		for _, text := range uniforms(t) {
			listing := listed(t, tg.Name, text)
			for seed := uint64(1); seed < seeds; seed++ {
				require.NoError(t, waveDiffers(t, tg, text, listing, seed), "%s\n%s", tg.Name, listing)
			}
		}
		module, err := os.ReadFile("testdata/uniform.ll")
		require.NoError(t, err)
		whole := listed(t, tg.Name, string(module))
		for name, n := range map[string]int{"s_cbranch_scc": 3, "s_mul_i32": 1, "s_add_": 3, "s_and_saveexec": 2} {
			require.GreaterOrEqual(t, strings.Count(whole, name), n, "%s: %s", tg.Name, name)
		}
		cpu := tg.Name
		if cpu == "gfx940" || cpu == "gfx941" { // not in LLVM 22
			cpu = "gfx942"
		}
		cmd := exec.Command(mc, "-triple=amdgcn", "-mcpu="+cpu, "-filetype=obj", "-o", os.DevNull)
		cmd.Stdin = strings.NewReader(whole)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Empty(t, out)
	}
}

// What differs between lanes and is taken for the same is found out: each
// parameter that is in a scalar register is given to a wave whose lanes do not
// agree on it.
func TestADivergentValueInAScalarRegisterIsFoundOut(t *testing.T) {
	for _, name := range []string{"gfx900", "gfx1100"} {
		tg := amdTarget(t, name)
		n := 0
		for _, text := range uniforms(t) {
			src, _ := whole(t, text, ptx.ISA)
			prog := eval.CompileIR(src)
			listing := listed(t, name, text)
			for wrong := range src.Params {
				found := false
				for seed := range uint64(4) {
					var params []amd.Passed
					var widths []int
					for _, p := range src.Params {
						params, widths = append(params, amd.Passed{Bits: p.W, Uniform: p.Uniform}), append(widths, p.W)
					}
					cols := eval.Vectors(widths, 8, seed)
					var in, want [][]sem.Val
					for l := range 8 {
						var args []sem.Val
						for i, p := range params {
							k := cols[i].Lo[l] & 7
							if p.Uniform && i != wrong {
								k = cols[i].Lo[0] & 7
							}
							args = append(args, sem.U(k).Cut(p.Bits))
						}
						out, err := prog.Run(args, 300)
						require.NoError(t, err)
						in, want = append(in, args), append(want, out)
					}
					got, err := amd.RunWave(tg, listing, params, in, src.Results, 10_000)
					require.NoError(t, err)
					found = found || !slices.EqualFunc(got, want, slices.Equal[[]sem.Val])
				}
				require.Equal(t, src.Params[wrong].Uniform, found, "%s parameter %d\n%s", text, wrong, listing)
				n++
			}
		}
		require.Equal(t, 17, n)
	}
}

// A listing with one line of its scalar code lost is found out, and one that goes
// the other way at a branch, and one whose SCC is spoilt before it is read.
func TestWrongScalarCodeIsFoundOut(t *testing.T) {
	branch := strings.NewReplacer("s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_scc1", "s_cbranch_scc0")
	for _, name := range []string{"gfx900", "gfx1100"} {
		tg := amdTarget(t, name)
		mutants, missed := 0, []string{}
		for _, text := range uniforms(t) {
			listing := listed(t, name, text)
			lines := strings.Split(listing, "\n")
			try := func(what string, changed []string) {
				found := false
				for seed := uint64(0); seed <= 5 && !found; seed++ {
					found = waveDiffersWithin(t, tg, text, strings.Join(changed, "\n"), seed, 3000) != nil
				}
				mutants++
				if !found {
					missed = append(missed, fmt.Sprintf("%s: %s:\n%s", name, what, strings.Join(changed, "\n")))
				}
			}
			for i, line := range lines {
				if !strings.HasPrefix(line, "\ts_") || strings.HasPrefix(line, "\ts_wait") || strings.HasPrefix(line, "\ts_set") || strings.HasSuffix(line, ", 0") {
					continue
				}
				if strings.Contains(text, "@inside") && strings.HasPrefix(line, "\ts_and_b") { // all lanes that came, or none: these go on for nothing
					continue
				}
				try("without "+line, slices.Delete(slices.Clone(lines), i, i+1))
				if strings.Contains(line, "scc") {
					turned := slices.Clone(lines)
					turned[i] = branch.Replace(line)
					try("turned "+line, turned)
				}
				if strings.Contains(line, "scc") || strings.Contains(line, "subb") {
					try("spoilt "+line, slices.Insert(slices.Clone(lines), i, "\ts_lshl_b32 s15, s15, 1"))
				}
			}
		}
		t.Logf("%s: %d mutants", name, mutants)
		require.Empty(t, missed)
		require.Greater(t, mutants, 50)
	}
}

// Parameters that are inreg lie where LLVM passes them.
func TestUniformParametersLieWhereLLVMPassesThem(t *testing.T) {
	llc := judges.Need(t, "llc-22")
	var params, body strings.Builder
	for i := range 20 {
		fmt.Fprintf(&params, "i32 inreg %%a%d, ", i)
		prev := "%v"
		if i > 0 {
			prev = fmt.Sprintf("%%y%d", i-1)
		}
		fmt.Fprintf(&body, "  %%x%d = xor i32 %s, %%a%d\n  %%y%d = mul i32 %%x%d, %d\n", i, prev, i, i, i, i+3)
	}
	text := "target triple = \"amdgcn-amd-amdhsa\"\ndefine i32 @f(" + params.String() + "i32 %v) {\n" + body.String() + "  ret i32 %y19\n}\n"
	read := regexp.MustCompile(`v_xor_b32_e32 v\d+, s(\d+),`)
	seen := map[string]bool{}
	for _, tg := range amd.Targets() {
		if seen[tg.Family] || tg.Name == "gfx940" || tg.Name == "gfx941" {
			continue
		}
		seen[tg.Family] = true
		cmd := exec.Command(llc, "-mcpu="+tg.Name, "-o", "-")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		require.NoError(t, err)
		var got []string
		for _, m := range read.FindAllStringSubmatch(string(out), -1) {
			got = append(got, m[1])
		}
		var want []string
		for _, n := range tg.Machine.ScalarParams {
			want = append(want, fmt.Sprint(n))
		}
		require.Equal(t, got, want, tg.Name)
	}
}

// Straight-line listings on scalar registers, read back, are proved; a product of
// 128 bits is as long as its columns are.
func TestScalarListingsAreProved(t *testing.T) {
	product := `define { i64, i64, i64, i64 } @product(i64 inreg %a, i64 inreg %b, i64 inreg %c, i64 inreg %d) {
  %r0 = call i64 asm "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %c)
  %r1 = call i64 asm "mul.hi.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %c)
  %s1 = call i64 asm "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a, i64 %d, i64 %r1)
  %s2 = call i64 asm "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a, i64 %d)
  %t1 = call i64 asm "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %b, i64 %c, i64 %s1)
  %t2 = call i64 asm "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %b, i64 %c, i64 %s2)
  %t3 = call i64 asm "addc.u64 $0, 0, 0;", "=l"()
  %u2 = call i64 asm "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %b, i64 %d, i64 %t2)
  %u3 = call i64 asm "madc.hi.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %b, i64 %d, i64 %t3)
  %x0 = insertvalue { i64, i64, i64, i64 } undef, i64 %r0, 0
  %x1 = insertvalue { i64, i64, i64, i64 } %x0, i64 %t1, 1
  %x2 = insertvalue { i64, i64, i64, i64 } %x1, i64 %u2, 2
  %x3 = insertvalue { i64, i64, i64, i64 } %x2, i64 %u3, 3
  ret { i64, i64, i64, i64 } %x3
}
`
	both := uniforms(t)[1]
	require.Contains(t, both, "@both")
	seen := map[ir.Features]bool{}
	for _, tg := range amd.Targets() {
		if seen[tg.Features] {
			continue
		}
		seen[tg.Features] = true
		for _, text := range []string{both, product} {
			res := lowered(t, text, ptxlower.Options{Target: tg.Name, Emit: ptxlower.EmitAsm, Verify: ptxlower.VerifyProve})
			require.Equal(t, 1, res.Proved, "%s %s", tg.Name, text)
			if text == product && tg.Features.Has(amd.SMULHI) {
				require.Equal(t, 32, strings.Count(string(res.Output), "s_mul_"), tg.Name)
				require.LessOrEqual(t, strings.Count(string(res.Output), "\ts_")-strings.Count(string(res.Output), "\ts_wait"), 75+1, tg.Name) // with the return
				require.NotContains(t, string(res.Output), "v_mad")
			}
		}
	}
}

// What lanes have in common in functions that are listed site by site: the last
// site of each is of all lanes, or of each.
func TestSitesOfKernelsAreScalarWhereTheirOperandsAre(t *testing.T) {
	const use = "call i32 asm \"mul.lo.u32 $0, $1, $1;\", \"=r,r\"(i32 %x)\n"
	for name, x := range map[string]struct {
		body   string
		scalar bool
	}{
		"an argument":  {"%x = add i32 %a, 1\n%r = " + use, true},
		"a constant":   {"%x = add i32 3, 1\n%r = " + use, true},
		"what loads":   {"%x = load i32, ptr %p\n%r = " + use, false},
		"what calls":   {"%x = call i32 @g(i32 %a)\n%r = " + use, false},
		"an address":   {"%q = getelementptr i32, ptr %p, i32 %a\n%y = ptrtoint ptr %q to i64\n%x = trunc i64 %y to i32\n%r = " + use, true},
		"one way":      {"%c = icmp eq i32 %a, 1\nbr i1 %c, label %l, label %m\nl:\nbr label %m\nm:\n%x = phi i32 [ %a, %0 ], [ 2, %l ]\n%r = " + use, true},
		"two ways":     {"%i = load i32, ptr %p\n%c = icmp eq i32 %i, 1\nbr i1 %c, label %l, label %m\nl:\nbr label %m\nm:\n%x = phi i32 [ %a, %0 ], [ 2, %l ]\n%r = " + use, false},
		"in one":       {"%i = load i32, ptr %p\n%c = icmp eq i32 %i, 1\nbr i1 %c, label %l, label %m\nl:\n%x = add i32 %a, %b\n%r = " + use + "br label %m\nm:\n", true},
		"a count":      {"br label %l\nl:\n%x = phi i32 [ 0, %0 ], [ %y, %l ]\n%r = " + use + "%y = add i32 %x, 1\n%c = icmp eq i32 %y, %a\nbr i1 %c, label %m, label %l\nm:\n", true},
		"a lane's":     {"%i = load i32, ptr %p\nbr label %l\nl:\n%x = phi i32 [ 0, %0 ], [ %y, %l ]\n%r = " + use + "%y = add i32 %x, 1\n%c = icmp eq i32 %y, %i\nbr i1 %c, label %m, label %l\nm:\n", false},
		"by a switch":  {"switch i32 %a, label %m [ i32 1, label %l ]\nl:\nbr label %m\nm:\n%x = phi i32 [ %a, %0 ], [ 2, %l ]\n%r = " + use, true},
		"its carry":    {"%i = load i32, ptr %p\n%y = call i32 asm sideeffect \"add.cc.u32 $0, $1, $1;\", \"=r,r\"(i32 %i)\n%x = call i32 asm sideeffect \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %a)\n%r = " + use, false},
		"common carry": {"%y = call i32 asm sideeffect \"add.cc.u32 $0, $1, $1;\", \"=r,r\"(i32 %a)\n%x = call i32 asm sideeffect \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %a)\n%r = " + use, true},
	} {
		text := "define amdgpu_kernel void @k(ptr %p, i32 %a, i32 %b) {\n" + x.body + "store i32 1, ptr %p\nret void\n}\ndeclare i32 @g(i32)\n"
		for _, target := range []string{"gfx900", "gfx1200"} {
			res := lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
			out := string(res.Output)
			require.Equal(t, x.scalar, strings.Contains(out, "s_mul_i32 %r, %x, %x"), "%s: %s", name, out)
			require.Equal(t, !x.scalar, strings.Contains(out, "v_mul_lo_u32 %r, %x, %x"), "%s: %s", name, out)
			out = string(lowered(t, strings.Replace(text, "amdgpu_kernel ", "", 1), ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm}).Output)
			require.NotContains(t, out, "s_mul", "of a function that is called: %s", name)
		}
	}
}

// Functions that need more scalar registers than there are have what lanes have
// in common in registers of each lane.
func TestTooManyScalarsGoToTheLanes(t *testing.T) {
	many := "define i64 @many(i64 inreg %a, i64 inreg %b, i64 %c) {\n"
	sum := "%c"
	for i := range 20 {
		many += fmt.Sprintf("  %%p%d = mul i64 %%a, %d\n  %%q%d = xor i64 %%p%d, %%b\n", i, 0x1234567+i, i, i)
	}
	for i := range 20 {
		many += fmt.Sprintf("  %%s%d = mul i64 %s, %%q%d\n", i, sum, 19-i)
		sum = fmt.Sprintf("%%s%d", i)
	}
	many += "  ret i64 " + sum + "\n}\n"

	var params, deep strings.Builder
	for i := range 13 {
		fmt.Fprintf(&params, "i32 inreg %%n%d, ", i)
	}
	at := "0"
	for i := range 4 {
		fmt.Fprintf(&deep, "  %%c%d = icmp ugt i32 %%a, %d\n  br i1 %%c%d, label %%l%d, label %%e%d\nl%d:\n", i, 3*i, i, i, i, i)
		at = fmt.Sprint("l", i)
	}
	fmt.Fprintf(&deep, "  %%x = mul i32 %%a, 3\n  br label %%e3\n")
	inner := "%x"
	for i := 3; i >= 0; i-- {
		from := map[bool]string{true: "0", false: fmt.Sprint("l", i-1)}[i == 0]
		fmt.Fprintf(&deep, "e%d:\n  %%y%d = phi i32 [ %s, %%%s ], [ %%n%d, %%%s ]\n", i, i, inner, at, i, from)
		inner, at = fmt.Sprint("%y", i), fmt.Sprint("e", i)
		if i > 0 {
			fmt.Fprintf(&deep, "  br label %%e%d\n", i-1)
		}
	}
	nested := "define i32 @nested(" + params.String() + "i32 %a) {\n  %common = icmp ugt i32 %n0, %n1\n  br i1 %common, label %go, label %stop\ngo:\n" +
		strings.ReplaceAll(strings.ReplaceAll(deep.String(), "%0 ", "%go "), "%0,", "%go,") + "  br label %stop\nstop:\n  %r = phi i32 [ %n12, %0 ], [ %y0, %e0 ]\n"
	for i := range 13 {
		nested += fmt.Sprintf("  %%r%d = xor i32 %s, %%n%d\n", i, map[bool]string{true: "%r", false: fmt.Sprintf("%%r%d", i-1)}[i == 0], i)
	}
	nested += "  ret i32 %r12\n}\n"
	for _, name := range []string{"gfx600", "gfx900", "gfx942", "gfx1030", "gfx1200"} {
		for _, text := range []string{many, nested} {
			listing := listed(t, name, text)
			for seed := range uint64(3) {
				require.NoError(t, waveDiffers(t, amdTarget(t, name), text, listing, seed), "%s %s", name, listing)
			}
		}
		require.NotContains(t, listed(t, name, many), "s_mul_i32")
	}
	require.NotContains(t, listed(t, "gfx900", nested), "s_cbranch_scc", "masks of lanes and thirteen words")
	require.Contains(t, listed(t, "gfx1030", nested), "s_cbranch_scc")
}
