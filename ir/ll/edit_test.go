package ll

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
)

func TestSpliceAppliesEditsInAnyOrder(t *testing.T) {
	at := func(i, j int) diag.Span { return diag.Span{Start: i, End: j} }
	out, err := Splice([]byte("0123456789"), []Edit{
		{at(8, 10), "END"}, {at(0, 0), "<"}, {at(2, 4), "ab"}, {at(2, 2), "x"}, {at(2, 2), "y"}, {at(4, 4), "-"}, {at(5, 6), ""}, {at(10, 10), ">"},
	})
	require.NoError(t, err)
	require.Equal(t, "<01xyab-467END>", string(out))
}

func TestSpliceRefusesWhatCannotBe(t *testing.T) {
	at := func(i, j int) diag.Span { return diag.Span{Start: i, End: j} }
	for _, edits := range [][]Edit{
		{{at(2, 5), ""}, {at(4, 6), ""}},
		{{at(2, 5), ""}, {at(3, 3), "x"}},
		{{at(2, 5), ""}, {at(2, 6), "x"}},
		{{at(-1, 2), ""}},
		{{at(9, 11), ""}},
		{{at(5, 4), ""}},
	} {
		_, err := Splice([]byte("0123456789"), edits)
		require.Error(t, err)
	}
}

func TestOnlyMissingDeclarationsAreAdded(t *testing.T) {
	m := read(t, "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndefine i32 @own() { ret i32 0 }\n@g = global i32 0")
	var lines []string
	for _, name := range []string{"llvm.fshl.i32", "llvm.umul.with.overflow.i64", "llvm.ctlz.v4i32", "llvm.umul.with.overflow.i64"} {
		d, ok := IntrinsicDecl(name)
		require.True(t, ok)
		lines = append(lines, d)
	}
	e, err := m.DeclareEdit(append(lines, "declare i32 @own()", "declare void @g()")...)
	require.NoError(t, err)
	require.Equal(t, "\n\ndeclare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)\ndeclare <4 x i32> @llvm.ctlz.v4i32(<4 x i32>, i1)\n", e.Text)
	require.Equal(t, diag.Span{Start: len(m.src), End: len(m.src)}, e.Span)
	e, err = m.DeclareEdit(lines[0])
	require.NoError(t, err)
	require.Empty(t, e.Text)
	_, err = m.DeclareEdit("define void @x() {}")
	require.Error(t, err)
	_, err = m.DeclareEdit("declare void x()")
	require.Error(t, err)
}

func TestIntrinsicsAreKnownByName(t *testing.T) {
	for name, want := range map[string]string{
		"llvm.bswap.i16":                "declare i16 @llvm.bswap.i16(i16)",
		"llvm.abs.i8":                   "declare i8 @llvm.abs.i8(i8, i1)",
		"llvm.uadd.with.overflow.v2i32": "declare { <2 x i32>, <2 x i1> } @llvm.uadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)",
		"llvm.sadd.sat.i32":             "declare i32 @llvm.sadd.sat.i32(i32, i32)",
		"llvm.fshr.i128":                "declare i128 @llvm.fshr.i128(i128, i128, i128)",
		"llvm.fshl.f32":                 "", "llvm.fshl": "", "llvm.": "", "llvm.i32": "", "fshl.i32": "", "llvm.fma.i32": "", "llvm.fshl.v": "", "llvm.fshl.vi32": "", "llvm.fshl.i": "",
	} {
		got, ok := IntrinsicDecl(name)
		require.Equal(t, want != "", ok, name)
		require.Equal(t, want, got)
	}
}

func TestEveryIntrinsicDeclarationIsAcceptedByLLVM(t *testing.T) {
	as := judges.Need(t, "llvm-as-22")
	var b strings.Builder
	for base := range intrinsicShapes {
		for _, suffix := range []string{"i16", "i32", "v4i32", "i128"} {
			d, ok := IntrinsicDecl("llvm." + base + "." + suffix)
			require.True(t, ok)
			b.WriteString(d + "\n")
		}
	}
	cmd := exec.Command(as, "-o", "/dev/null")
	cmd.Stdin = strings.NewReader(b.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

const useLists = `@g = global i32 0
define i32 @f(i32 %a) {
  %x = add i32 %a, %a
  %y = add i32 %a, 7
  %z = add i32 %x, 7
  ret i32 %z
  uselistorder i32 %a, { 2, 1, 0 }
  uselistorder i32 7, { 1, 0 }
}
define i32 @h(i32 %a) {
  %x = add i32 %a, %a
  ret i32 %x

  uselistorder i32 %a, { 1, 0 }
}

uselistorder { i32, { i8 } } zeroinitializer, { 1, 0 } ; gone
uselistorder_bb @f, %x, { 1, 0 }
!0 = !{}
`

func TestUseListOrdersOfTouchedFunctionsGo(t *testing.T) {
	m := read(t, useLists)
	require.Len(t, m.Funcs[0].Blocks[0].Insts, 4)
	out, err := Splice([]byte(m.src), m.UseListEdits(m.Funcs[0]))
	require.NoError(t, err)
	lines := strings.Split(useLists, "\n")
	want := append(append([]string{}, lines[:6]...), lines[8:16]...)
	want = append(want, " ; gone")
	want = append(want, lines[18:]...)
	require.Equal(t, strings.Join(want, "\n"), string(out))
	require.Empty(t, m.UseListEdits())
}

// TestEditedModulesAreAcceptedByTheirOwnLLVM replaces every 32-bit add in the
// corpus as a rewriting pass does: temporaries are named, the last instruction
// keeps the name, !dbg is copied, a new intrinsic is declared. LLVM 14 wants
// numbers without gaps and a declaration of every intrinsic.
func TestEditedModulesAreAcceptedByTheirOwnLLVM(t *testing.T) {
	assembler := map[string]string{"clang14": "llvm-as-14", "clang16": "llvm-as-19", "clang19": "llvm-as-19", "clang22": "llvm-as-22"}
	edited := 0
	corpus(t, func(t *testing.T, path string, m *Module) {
		var edits []Edit
		m.eachInst(func(in *Inst) {
			if in.Op != OpAdd || !in.Type.IsInt(32) {
				return
			}
			tmp := fmt.Sprintf("%%ptxl.%d.m", len(edits))
			a, b := m.Text(in.Ops[0].Span()), m.Text(in.Ops[1].Span())
			dbg := m.Text(in.Dbg())
			edits = append(edits, Edit{Span: in.Span(), Text: tmp + " = call i32 @llvm.fshl.i32(i32 " + b + ", i32 " + b + ", i32 0)" + dbg +
				"\n" + m.Indent(in) + "%" + in.Def + " = add i32 " + a + ", " + tmp + dbg})
		})
		if len(edits) == 0 {
			return
		}
		as := judges.Need(t, assembler[strings.Split(filepath.Base(path), ".")[1]])
		decl, _ := IntrinsicDecl("llvm.fshl.i32")
		e, err := m.DeclareEdit(decl)
		require.NoError(t, err)
		out, err := Splice(m.File.Text, append(edits, e))
		require.NoError(t, err)
		cmd := exec.Command(as, "-o", filepath.Join(t.TempDir(), "out.bc"))
		cmd.Stdin = bytes.NewReader(out)
		msg, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", msg)
		again := read(t, string(out))
		require.Equal(t, len(m.Funcs), len(again.Funcs))
		edited += len(edits)
	})
	t.Logf("%d instructions replaced", edited)
}
