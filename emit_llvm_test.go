package ptxlower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ptx"
)

// portable lowers a module to portable IR, has llvm-as-22 verify it, lowers it
// once more, which changes nothing, and compares it with the source where that
// is integers only.
func portable(t *testing.T, text string, opt ptxlower.Options) (string, *ptxlower.Result) {
	t.Helper()
	opt.Emit = ptxlower.EmitLLVM
	if opt.Target == "" {
		opt.Target = "generic"
	}
	res := lowered(t, text, opt)
	out := string(res.Output)
	require.Equal(t, out, string(lowered(t, out, opt).Output), "a second time")
	t.Run("verified", func(t *testing.T) { verified(t, res.Output) })
	return out, res
}

// added are the lines of an output that its input lacks, without indentation.
func added(in, out string) []string {
	_, all := changes(in, out)
	var lines []string
	for _, l := range all {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func TestPortableIRInPlaceOfStatements(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string // the lines that are new
	}{
		{"one operation takes the call's name", `define i32 @f(i32 %a, i32 %b) {
  %r = call i32 asm "add.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
`, []string{"%r = add i32 %a, %b"}},
		{"a name that needs quotes", `define i32 @f(i32 %"a b") {
  %"the sum" = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %"a b")
  ret i32 %"the sum"
}
`, []string{`%"the sum" = add i32 %"a b", 1`}},
		{"a number for a name", `define i32 @f(i32 %0) {
  %2 = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %0)
  ret i32 %2
}
`, []string{"%2 = add i32 %0, 1"}},
		{"no operation", `define i32 @f(i32 %a) {
  %r = call i32 asm "mov.u32 $0, $1;", "=r,r"(i32 %a)
  ret i32 %r
}
`, []string{"%r = add i32 %a, 0"}},
		{"a constant", `define i32 @f() {
  %r = call i32 asm "mov.u32 $0, -1;", "=r"()
  ret i32 %r
}
`, []string{"%r = add i32 -1, 0"}},
		{"a statement without results", `define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; add.u32 t, $0, 1; }", "r"(i32 %a)
  ret void
}
`, nil},
		{"a carry over two statements", `define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 9;", "=r,r"(i32 %a)
  %r = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %r
}
`, []string{
			"%ptxl.0.0 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 9)",
			"%s = extractvalue { i32, i1 } %ptxl.0.0, 0",
			"%ptxl.cf0 = extractvalue { i32, i1 } %ptxl.0.0, 1",
			"%r = zext i1 %ptxl.cf0 to i32",
			"declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)",
		}},
		{"names of that kind that are taken", `define i32 @f(i32 %a, i32 %ptxl.0.0) {
  %r = call i32 asm "mad.lo.u32 $0, $1, $1, $2;", "=r,r,r"(i32 %a, i32 %ptxl.0.0)
  ret i32 %r
}
`, []string{"%ptxl1.0.0 = mul i32 %a, %a", "%r = add i32 %ptxl1.0.0, %ptxl.0.0"}},
		{"names of that kind that are taken, in quotes", `define i32 @f(i32 %a, i32 %"ptxl.0.0") {
  %r = call i32 asm "mad.lo.u32 $0, $1, $1, $2;", "=r,r,r"(i32 %a, i32 %"ptxl.0.0")
  ret i32 %r
}
`, []string{"%ptxl1.0.0 = mul i32 %a, %a", `%r = add i32 %ptxl1.0.0, %"ptxl.0.0"`}},
		{"an operand and a result of another width", `define i8 @f(i8 %a) {
  %r = call i8 asm "add.u16 $0, $1, 1;", "=h,h"(i8 %a)
  ret i8 %r
}
`, []string{"%ptxl.0.c0 = zext i8 %a to i16", "%ptxl.0.r0 = add i16 %ptxl.0.c0, 1", "%r = trunc i16 %ptxl.0.r0 to i8"}},
		{"pointers", `define ptr @f(ptr %a) {
  %r = call ptr asm "add.u64 $0, $1, 8;", "=l,l"(ptr %a)
  ret ptr %r
}
`, []string{"%ptxl.0.c0 = ptrtoint ptr %a to i64", "%ptxl.0.r0 = add i64 %ptxl.0.c0, 8", "%r = inttoptr i64 %ptxl.0.r0 to ptr"}},
		{"floats and vectors", `define float @f(<2 x i16> %a) {
  %r = call float asm "xor.b32 $0, $1, 8;", "=r,r"(<2 x i16> %a)
  ret float %r
}
`, []string{"%ptxl.0.c0 = bitcast <2 x i16> %a to i32", "%ptxl.0.r0 = xor i32 %ptxl.0.c0, 8", "%r = bitcast i32 %ptxl.0.r0 to float"}},
		{"a struct", `define { i32, float } @f(i32 %a) {
  %r = call { i32, float } asm "add.u32 $0, $2, 1; sub.u32 $1, $2, 1;", "=&r,=r,r"(i32 %a)
  ret { i32, float } %r
}
`, []string{
			"%ptxl.0.r0 = add i32 %a, 1", "%ptxl.0.r1 = sub i32 %a, 1",
			"%ptxl.0.c0 = insertvalue { i32, float } undef, i32 %ptxl.0.r0, 0",
			"%ptxl.0.c1 = bitcast i32 %ptxl.0.r1 to float",
			"%r = insertvalue { i32, float } %ptxl.0.c0, float %ptxl.0.c1, 1",
		}},
		{"a named struct", `%pair = type { i32, i32 }
define %pair @f(i32 %a) {
  %r = call %pair asm "add.u32 $0, $2, 1; mov.u32 $1, 7;", "=&r,=r,r"(i32 %a)
  ret %pair %r
}
`, []string{
			"%ptxl.0.r0 = add i32 %a, 1", "%ptxl.0.r1 = add i32 7, 0",
			"%ptxl.0.c0 = insertvalue %pair undef, i32 %ptxl.0.r0, 0", "%r = insertvalue %pair %ptxl.0.c0, i32 %ptxl.0.r1, 1",
		}},
		{"a result that nobody writes", `define { i32, i32 } @f(i32 %a) {
  %r = call { i32, i32 } asm "add.u32 $0, $2, 1;", "=&r,=r,r"(i32 %a)
  ret { i32, i32 } %r
}
`, []string{
			"%ptxl.0.r0 = add i32 %a, 1", "%ptxl.0.r1 = add i32 0, 0",
			"%ptxl.0.c0 = insertvalue { i32, i32 } undef, i32 %ptxl.0.r0, 0", "%r = insertvalue { i32, i32 } %ptxl.0.c0, i32 %ptxl.0.r1, 1",
		}},
		{"one value twice", `define { i32, i32 } @f(i32 %a) {
  %r = call { i32, i32 } asm "add.u32 $0, $2, 1; mov.u32 $1, $0;", "=&r,=r,r"(i32 %a)
  ret { i32, i32 } %r
}
`, []string{
			"%ptxl.0.r0 = add i32 %a, 1", "%ptxl.0.r1 = add i32 %ptxl.0.r0, 0",
			"%ptxl.0.c0 = insertvalue { i32, i32 } undef, i32 %ptxl.0.r0, 0", "%r = insertvalue { i32, i32 } %ptxl.0.c0, i32 %ptxl.0.r1, 1",
		}},
		{"a call with a carry", `define { i32, i1 } @f(i32 %a, i1 %c) {
  %r = call { i32, i1 } @ptx.addc.cc.u32(i32 %a, i32 0, i1 %c)
  ret { i32, i1 } %r
}
declare { i32, i1 } @ptx.addc.cc.u32(i32, i32, i1)
`, []string{
			"%ptxl.0.0 = zext i1 %c to i32", "%ptxl.0.r0 = add i32 %a, %ptxl.0.0", "%ptxl.0.1 = icmp eq i32 %a, -1", "%ptxl.0.r1 = and i1 %c, %ptxl.0.1",
			"%ptxl.0.c0 = insertvalue { i32, i1 } undef, i32 %ptxl.0.r0, 0", "%r = insertvalue { i32, i1 } %ptxl.0.c0, i1 %ptxl.0.r1, 1",
		}},
		{"a vector", `define <2 x i32> @f(<2 x i32> %a) {
  %r = call <2 x i32> @_Z5mul24Dv2_jS_(<2 x i32> %a, <2 x i32> <i32 1, i32 2>)
  ret <2 x i32> %r
}
declare <2 x i32> @_Z5mul24Dv2_jS_(<2 x i32>, <2 x i32>)
`, []string{
			"%ptxl.0.c0 = extractelement <2 x i32> %a, i64 0", "%ptxl.0.c1 = extractelement <2 x i32> <i32 1, i32 2>, i64 0",
			"%ptxl.0.l0.0 = and i32 %ptxl.0.c0, 16777215", "%ptxl.0.l0.1 = and i32 %ptxl.0.c1, 16777215", "%ptxl.0.l0.r0 = mul i32 %ptxl.0.l0.0, %ptxl.0.l0.1",
			"%ptxl.0.c2 = insertelement <2 x i32> undef, i32 %ptxl.0.l0.r0, i64 0",
			"%ptxl.0.c3 = extractelement <2 x i32> %a, i64 1", "%ptxl.0.c4 = extractelement <2 x i32> <i32 1, i32 2>, i64 1",
			"%ptxl.0.l1.0 = and i32 %ptxl.0.c3, 16777215", "%ptxl.0.l1.1 = and i32 %ptxl.0.c4, 16777215", "%ptxl.0.l1.r0 = mul i32 %ptxl.0.l1.0, %ptxl.0.l1.1",
			"%r = insertelement <2 x i32> %ptxl.0.c2, i32 %ptxl.0.l1.r0, i64 1",
		}},
		{"a register of a shared scope", `define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; add.u32 t, $0, 1;", "r"(i32 %a)
  %r = call i32 asm sideeffect "mul.lo.u32 $0, t, t; }", "=r"()
  ret i32 %r
}
`, []string{"%ptxl.r0 = add i32 %a, 1", "%r = mul i32 %ptxl.r0, %ptxl.r0"}},
		{"a declare that is there already", `declare i32 @llvm.umin.i32(i32, i32)
define i32 @f(i32 %a) {
  %r = call i32 asm "min.u32 $0, $1, 9;", "=r,r"(i32 %a)
  ret i32 %r
}
`, []string{"%r = call i32 @llvm.umin.i32(i32 %a, i32 9)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, _ := portable(t, tt.text, ptxlower.Options{})
			require.Equal(t, tt.want, added(tt.text, out), out)
		})
	}
}

func TestCarriesMeetInPhis(t *testing.T) {
	text := `define i32 @f(i32 %k, i32 %a) {
"the entry":
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  switch i32 %k, label %out [ i32 1, label %out
    i32 2, label %two
    i32 3, label %two ]
two:
  %t = call i32 asm sideeffect "add.cc.u32 $0, $1, 2;", "=r,r"(i32 %s)
  br label %out
dead:
  br label %out
out:
  %x = phi i32 [ 1, %"the entry" ], [ 1, %"the entry" ], [ 2, %two ], [ 3, %dead ]
  %c = call i32 asm sideeffect "addc.u32 $0, 0, $1;", "=r,r"(i32 %x)
  ret i32 %c
}
`
	out, _ := portable(t, text, ptxlower.Options{})
	require.Contains(t, out, `out:
  %ptxl.cf2 = phi i1 [ %ptxl.cf0, %"the entry" ], [ %ptxl.cf0, %"the entry" ], [ %ptxl.cf1, %two ], [ false, %dead ]
  %x = phi i32`)
	want, _ := whole(t, text, ptx.ISA)
	got, _ := whole(t, out, ptx.ISA)
	require.NoError(t, differs(want, got, 100))
}

func TestACarryThatIsNotThereOnOneWayIsFalse(t *testing.T) {
	out, _ := portable(t, `define i32 @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %yes, label %end
yes:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %end
end:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}
`, ptxlower.Options{})
	require.Contains(t, out, "%ptxl.cf1 = phi i1 [ false, %entry ], [ %ptxl.cf0, %yes ]")
}

func TestACarryThatACallLosesAndNobodyReads(t *testing.T) {
	out, _ := portable(t, `define i32 @f(i32 %a) {
  call void @g()
  %s = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p add.cc.u32 $0, $1, 1; @!p mov.u32 $0, 7; }", "=r,r"(i32 %a)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}
declare void @g()
`, ptxlower.Options{})
	require.Equal(t, 1, strings.Count(out, "call void @g"))
}

func TestDebugPlacesAreCopiedToEveryLine(t *testing.T) {
	text := `define i32 @f(i32 %a) !dbg !3 {
  %r = call i32 asm "mad.lo.u32 $0, $1, $1, 3;", "=r,r"(i32 %a) #0, !dbg !6, !srcloc !7
  ret i32 %r, !dbg !6
}
attributes #0 = { nounwind }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "t.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 1, scope: !3)
!7 = !{i64 5}
`
	out, _ := portable(t, text, ptxlower.Options{})
	require.Equal(t, []string{"%ptxl.0.0 = mul i32 %a, %a, !dbg !6", "%r = add i32 %ptxl.0.0, 3, !dbg !6"}, added(text, out))
}

func TestStatementsThatStay(t *testing.T) {
	text := `target triple = "nvptx64-nvidia-cuda"
define i32 @f(i32 %a) {
  %s = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a)
  %r = call i32 asm "vadd.s32.s32.s32 $0, $1, $1; mul24.lo.u32 $0, $0, 3;", "=r,r"(i32 %s)
  ret i32 %r
}
`
	out, res := portable(t, text, ptxlower.Options{Target: "sm_80"})
	require.Equal(t, strings.Replace(text, `call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a)`, "add i32 %a, 1", 1), out)
	require.Len(t, res.Diags, 1)
	require.Equal(t, "remark", res.Diags[0].Severity.String())
	require.Equal(t, "this statement stays as it is: vadd.s32.s32.s32 is not lowered", res.Diags[0].Text)
	_, err := ptxlower.Lower(t.Context(), "t.ll", []byte(text), ptxlower.Options{Target: "gfx900", Emit: ptxlower.EmitLLVM})
	require.ErrorIs(t, err, ptxlower.ErrInput)
}

func TestAModuleWithoutSitesStaysAsItIs(t *testing.T) {
	text := "; nothing here\n\ndefine  i32 @f( i32  %a )\t{\n  ret i32 %a ; done\n}\n"
	out, res := portable(t, text, ptxlower.Options{})
	require.Equal(t, text, out)
	require.Zero(t, res.Sites)
}

func TestEqualStatementsAreCheckedOnce(t *testing.T) {
	var sb strings.Builder
	sb.WriteString("define i32 @f(i32 %a0) {\n")
	for i := range 20 {
		fmt.Fprintf(&sb, "  %%a%d = call i32 asm \"mad.lo.u32 $0, $1, $1, 7;\", \"=r,r\"(i32 %%a%d)\n", i+1, i)
	}
	sb.WriteString("  ret i32 %a20\n}\n")
	_, res := portable(t, sb.String(), ptxlower.Options{})
	require.Equal(t, 20, res.Sites)
	require.Equal(t, 1, res.Checked)
	_, res = portable(t, sb.String(), ptxlower.Options{Verify: ptxlower.VerifyOff})
	require.Zero(t, res.Checked)
}
