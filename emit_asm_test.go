package ptxlower_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
)

func listing(t *testing.T, text, target string) (string, *ptxlower.Result) {
	t.Helper()
	res := lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
	return string(res.Output), res
}

// marked are the diagnostics as "identifier: what is marked".
func marked(ds []diag.Diagnostic) (out []string) {
	for _, d := range ds {
		out = append(out, d.ID+": "+string(d.File.Text[d.Span.Start:d.Span.End]))
	}
	return out
}

func TestWholeFunctionsAreListed(t *testing.T) {
	text := `define i64 @f(i32 %a, i32 %b, i64 %c) {
  %r = call i64 asm "mad.wide.u32 $0, $1, $2, $3;", "=l,r,r,l"(i32 %a, i32 %b, i64 %c)
  ret i64 %r
}
define i32 @g(i32 %a) {
  ret i32 %a
}
`
	out, res := listing(t, text, "sm_70")
	require.Equal(t, `f:
        IMAD.WIDE.U32 R4, R4, R5, R6 ;
        RET.ABS.NODEC R20 0x0 ;

g:
        RET.ABS.NODEC R20 0x0 ;
`, out)
	require.Empty(t, res.Diags)
	require.Equal(t, 2, res.Checked)
	out, _ = listing(t, text, "gfx900")
	require.Equal(t, `	.globl	f
	.p2align	2
	.type	f,@function
f:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	f, .Lfunc_end0-f

	.globl	g
	.p2align	2
	.type	g,@function
g:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	g, .Lfunc_end1-g
`, out)
}

func TestFunctionsThatCannotBeListedWholeAreListedSiteBySite(t *testing.T) {
	text := `define void @k(ptr %p, i64 %n) {
  %v = load i32, ptr %p
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 5;", "=r,r"(i32 %v)
  %r = call { i64, i32 } asm sideeffect "addc.u32 $1, $2, 0; mul.wide.u32 $0, $2, $2;", "=l,=r,r"(i32 %s)
  %h = extractvalue { i64, i32 } %r, 1
  store i32 %h, ptr %p
  ret void
}
define float @none(float %x) {
  ret float %x
}
`
	out, res := listing(t, text, "sm_70")
	require.Equal(t, []string{"not-selectable: %v = load i32, ptr %p", "not-selectable: float %x"}, marked(res.Diags))
	require.Equal(t, "@k is listed site by site: load is not an integer operation", res.Diags[0].Text)
	require.Equal(t, `k.0: // line 3
        IADD3 %s, %ptxl.cf0, %v, 0x5, RZ ;
k.1: // line 4
        IADD3.X %r.1, %s, RZ, RZ, %ptxl.cf0, !PT ;
        IMAD.WIDE.U32 %r.0, %s, %s, RZ ;

none: // no PTX that is lowered
`, out)
	require.Equal(t, 2, res.Checked)
}

func TestStatementsThatStayAreNamedInListings(t *testing.T) {
	out, res := listing(t, `define i32 @f(i32 %a) {
  %r = call i32 asm "vadd.s32.s32.s32 $0, $1, $1; mul24.lo.u32 $0, $0, 3;", "=r,r"(i32 %a)
  ret i32 %r
}
`, "sm_70")
	require.Equal(t, "f.0: // line 2: vadd.s32.s32.s32, which is not lowered\n", out)
	require.Equal(t, []string{"not-selectable: vadd.s32.s32.s32"}, marked(res.Diags))

	out, _ = listing(t, `define float @g(float %a) {
  %r = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %a)
  ret float %r
}
`, "sm_70")
	require.Equal(t, "g: // no PTX that is lowered\n", out)
}

func TestIrreducibleControlFlowOnAMDIsListedSiteBySite(t *testing.T) {
	out, res := listing(t, `define i32 @f(i1 %p, i1 %q, i32 %a) {
entry:
  br i1 %p, label %x, label %y
x:
  %s = call i32 asm "mul24.lo.u32 $0, $1, $1;", "=r,r"(i32 %a)
  br i1 %q, label %y, label %z
y:
  br i1 %q, label %x, label %z
z:
  ret i32 0
}
`, "gfx900")
	require.Equal(t, "f.0: ; line 5\n\tv_mul_u32_u24 %s, %a, %a\n", out)
	require.Equal(t, []string{"not-selectable: @f"}, marked(res.Diags))
}

func TestFunctionsThatNeedTooManyRegistersAreListedSiteBySite(t *testing.T) {
	var sb strings.Builder
	sb.WriteString("define i32 @f(i32 %a) {\n")
	for i := range 70 {
		fmt.Fprintf(&sb, "  %%v%d = xor i32 %%a, %d\n", i, 100*i)
	}
	last := "%a"
	for i := range 70 {
		fmt.Fprintf(&sb, "  %%m%d = call i32 asm \"mul24.lo.u32 $0, $1, $2;\", \"=r,r,r\"(i32 %s, i32 %%v%d)\n", i, last, i)
		last = fmt.Sprintf("%%m%d", i)
	}
	fmt.Fprintf(&sb, "  ret i32 %s\n}\n", last)
	out, res := listing(t, sb.String(), "sm_20")
	require.Equal(t, []string{"not-selectable: @f"}, marked(res.Diags))
	require.Equal(t, "@f is listed site by site: f needs more general registers than there are", res.Diags[0].Text)
	require.Equal(t, 70, strings.Count(out, "// line"))
	require.Equal(t, 70, res.Checked)
}

func TestParametersThatWouldLieOnTheStack(t *testing.T) {
	var params []string
	for i := range 40 {
		params = append(params, fmt.Sprintf("i32 %%a%d", i))
	}
	out, res := listing(t, fmt.Sprintf(`define i32 @f(%s) {
  %%r = call i32 asm "mul24.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %%a39, i32 %%a0)
  ret i32 %%r
}
define i32 @g(i32 %%a) {
  ret i32 %%a
}
`, strings.Join(params, ", ")), "gfx900")
	require.Equal(t, []string{"not-selectable: @f"}, marked(res.Diags))
	require.Contains(t, res.Diags[0].Text, "it would lie on the stack")
	require.True(t, strings.HasPrefix(out, "f.0: ; line 2\n\tv_mul_u32_u24 %r, %a39, %a0\n\n\t.globl\tg\n"), out)
}

func TestABodyThatNeedsTooManyRegisters(t *testing.T) {
	var sb strings.Builder
	for i := range 140 {
		fmt.Fprintf(&sb, "add.u64 d%[1]d, a%[1]d, b%[1]d; ", i)
	}
	for _, target := range []string{"sm_70", "gfx900"} {
		res, err := ptxlower.LowerBody(t.Context(), sb.String(), ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
		require.ErrorIs(t, err, ptxlower.ErrInput)
		require.Equal(t, "body-registers", res.Diags[0].ID)
	}
	res, err := ptxlower.LowerBody(t.Context(), sb.String(), ptxlower.Options{Target: "generic", Emit: ptxlower.EmitLLVM})
	require.NoError(t, err)
	require.NotEmpty(t, res.Output)
}

func TestLoopsAndBranchesAreListed(t *testing.T) {
	out, res := listing(t, `define i32 @f(i32 %n, i32 %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = call i32 asm "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %a)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %y
}
`, "sm_70")
	require.Empty(t, res.Diags)
	require.Equal(t, 1, res.Checked)
	require.Contains(t, out, ".L_x_1:")
	require.Regexp(t, `@!?P\d BRA`, out)
}

func TestSitesAsJSON(t *testing.T) {
	text := `define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 5;", "=r,r"(i32 %a)
  %r = call i32 @ptx.mad24.hi.u32(i32 %s, i32 %s, i32 %a)
  %c = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r)
  ret i32 %c
}
declare i32 @ptx.mad24.hi.u32(i32, i32, i32)
`
	res := lowered(t, text, ptxlower.Options{Target: "sm_70", Emit: ptxlower.EmitJSON})
	var reports []ptxlower.SiteReport
	for line := range strings.Lines(string(res.Output)) {
		var r ptxlower.SiteReport
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		reports = append(reports, r)
	}
	require.Len(t, reports, 3)
	require.True(t, reports[0].CarryOut)
	require.Equal(t, []int{0}, reports[2].CarryIn)
	require.Equal(t, []string{"asm", "ptx", "asm"}, []string{reports[0].Kind, reports[1].Kind, reports[2].Kind})
	require.Equal(t, [][2]int{{2, 33}, {3, 17}, {4, 33}}, [][2]int{{reports[0].Line, reports[0].Col}, {reports[1].Line, reports[1].Col}, {reports[2].Line, reports[2].Col}})
	require.Equal(t, []string{"mad24.hi.u32"}, reports[1].Forms)
	require.Equal(t, 4, reports[1].Count)
	require.Len(t, reports[1].Ops, 4)

	plain, ds, err := ptxlower.Sites("t.ll", []byte(text))
	require.NoError(t, err)
	require.Empty(t, ds)
	for i := range plain {
		require.Empty(t, plain[i].Target)
		plain[i].Target, plain[i].Rules, plain[i].Ops = reports[i].Target, reports[i].Rules, reports[i].Ops
		plain[i].Cost = reports[i].Cost
	}
	require.Equal(t, reports, plain)
}

// The rule that is reported is the one that was used: a constant may have one
// of its own.
func TestTheRuleOfAConstantOperandIsReported(t *testing.T) {
	rule := func(operand string) []string {
		res := lowered(t, fmt.Sprintf(`define i32 @f(i32 %%a, i32 %%b) {
  %%r = call i32 asm "shl.b32 $0, $1, %s;", "=r,r,r"(i32 %%a, i32 %%b)
  ret i32 %%r
}
`, operand), ptxlower.Options{Target: "gfx900", Emit: ptxlower.EmitJSON})
		var r ptxlower.SiteReport
		require.NoError(t, json.Unmarshal(res.Output, &r))
		return r.Rules
	}
	require.NotEqual(t, rule("$2"), rule("3"))
	require.Contains(t, rule("3")[0], "if b")
}

func TestIRIsPrintedWholeOrSiteBySite(t *testing.T) {
	text := `define i32 @f(i32 %a) {
  %r = call i32 asm "mul24.lo.u32 $0, $1, $1;", "=r,r"(i32 %a)
  ret i32 %r
}
define void @k(ptr %p) {
  %v = load i32, ptr %p
  %r = call i32 asm "add.u32 $0, $1, 3;", "=r,r"(i32 %v)
  ret void
}
`
	res := lowered(t, text, ptxlower.Options{Target: "sm_70", Emit: ptxlower.EmitIR})
	require.Equal(t, []string{"not-selectable: %v = load i32, ptr %p"}, marked(res.Diags))
	parts := strings.Split(strings.TrimSpace(string(res.Output)), "\n\n")
	require.Len(t, parts, 2)
	for i, name := range []string{"func @f(", "func @k.0("} {
		require.True(t, strings.HasPrefix(parts[i], name), parts[i])
		_, err := ir.ParseFunc(parts[i])
		require.NoError(t, err)
	}
}

func TestPassesAreSeenByTheCaller(t *testing.T) {
	var seen []string
	lowered(t, "define i32 @f(i32 %a) {\n  ret i32 %a\n}\n", ptxlower.Options{Target: "sm_70", After: func(p *lower.Pass, f *ir.Func) {
		seen = append(seen, p.Name+" @"+f.Name)
	}})
	require.NotEmpty(t, seen)
	require.Equal(t, "simplify @f", seen[0])
}

func TestTheTargetComesFromTheModule(t *testing.T) {
	f := "define i32 @f(i32 %a) #0 {\n  ret i32 %a\n}\n"
	for text, want := range map[string]string{
		f: "generic",
		"target triple = \"nvptx64-nvidia-cuda\"\n" + f:                                                      "sm_70",
		"target triple = \"nvptx64-nvidia-cuda\"\n" + f + "attributes #0 = { \"target-cpu\"=\"sm_80\" }\n":   "sm_80",
		"target triple = \"amdgcn-amd-amdhsa\"\n" + f + "attributes #0 = { \"target-cpu\"=\"gfx900\" }\n":    "gfx900",
		"target triple = \"amdgcn-amd-amdhsa\"\n" + f:                                                        "generic",
		"target triple = \"x86_64-pc-linux-gnu\"\n" + f + "attributes #0 = { \"target-cpu\"=\"x86-64\" }\n":  "generic",
		"target triple = \"nvptx64-nvidia-cuda\"\n" + f + "attributes #0 = { \"target-cpu\"=\"sm_2000\" }\n": "generic",
	} {
		res := lowered(t, text, ptxlower.Options{Emit: ptxlower.EmitLLVM})
		require.Equal(t, want, res.Target.Name, text)
	}
	res := lowered(t, f, ptxlower.Options{})
	require.Equal(t, ptxlower.EmitLLVM, res.Emit, "modules for no GPU become portable IR")
}

func TestOptionsThatAreWrong(t *testing.T) {
	text := []byte("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n")
	for _, tt := range []struct {
		opt  ptxlower.Options
		part string
	}{
		{ptxlower.Options{Target: "sm_71"}, "did you mean sm_70?"},
		{ptxlower.Options{Target: "sm_70", Emit: "elf"}, `unknown output "elf"`},
		{ptxlower.Options{Target: "sm_70", Verify: "maybe"}, `unknown check "maybe"`},
		{ptxlower.Options{Target: "generic", Emit: ptxlower.EmitAsm}, "has no assembly: use --emit=llvm"},
	} {
		res, err := ptxlower.Lower(context.Background(), "t.ll", text, tt.opt)
		require.ErrorIs(t, err, ptxlower.ErrUsage)
		require.ErrorContains(t, err, tt.part)
		require.Nil(t, res.Output)
	}
}

func TestAContextThatIsDoneStopsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, e := range []ptxlower.Emit{ptxlower.EmitAsm, ptxlower.EmitLLVM} {
		_, err := ptxlower.Lower(ctx, "t.ll", []byte("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n"), ptxlower.Options{Target: "sm_70", Emit: e})
		require.ErrorIs(t, err, context.Canceled)
	}
}
