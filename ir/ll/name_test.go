package ll

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

func TestEverythingUnnamedTakesANumber(t *testing.T) {
	m := read(t, `
define i32 @f(i32, ptr %p, i32) {
  call i32 @g()
  call void @h()
  %x = add i32 %0, %1
  load i32, ptr %p
  br label %5
  %6 = icmp eq i32 %x, %4
  br i1 %6, label %7, label %named

7:
  atomicrmw add ptr %p, i32 1 seq_cst
  br label %named
named:
  fadd float 1.0, 2.0
  ret i32 %8
}
declare i32 @g()
declare void @h()
`)
	f := m.Funcs[0]
	require.Equal(t, []string{"0", "p", "1", "2", "3", "x", "4", "5", "6", "7", "8", "named", "9"}, defs(f))
	noErrors(t, f)
	require.Equal(t, []string{"5"}, f.Blocks[0].Term().Targets)
	require.Same(t, f.Blocks[1], f.Blocks[0].Succs()[0])
}

func TestNumbersMayHaveGaps(t *testing.T) { // LLVM 19 and newer
	f := read(t, "define i32 @f(i32 %3) {\n%7 = add i32 %3, 1\nbr label %10\n10:\ncall i32 @g()\nret i32 %11\n}").Funcs[0]
	require.Equal(t, []string{"3", "4", "7", "10", "11"}, defs(f))
	noErrors(t, f)
}

func TestNamesAreCanonical(t *testing.T) {
	m := read(t, `
%"type a" = type { i32 }
@"\01_mangled" = global i32 0
define void @"quo\74ed"(i32 %"4", i32 %0, i32 %"\66oo", i32 %"b l", i32 %x$y, i32 %007) {
  %-1 = add i32 %foo, %"0007"
  br label %-5
-5:
  br label %"4x"
4x:
  br label %"b\6C\22"
"b l\22":
  br label %"bl\22"
"bl\22":
  br label %"12"
"12":
  br label %8
8:
  ret void
}
`)
	f := m.Funcs[0]
	require.Equal(t, "quoted", f.Name)
	require.Equal(t, []string{`"4"`, "0", "foo", `"b l"`, "x$y", "7", "8", "-1", "-5", `"4x"`, `"b l\22"`, `"bl\22"`, `"12"`, "8"}, defs(f))
	require.Equal(t, `"\01_mangled"`, m.Globals[0].Name)
	require.Equal(t, "\x01_mangled", Unquote(m.Globals[0].Name))
	require.Equal(t, `"0007"`, f.Blocks[0].Insts[0].Ops[1].Name, "a name of digits is no number")
	require.True(t, m.Declared(`"\01_mangled"`) && m.Declared("quoted") && !m.Declared("x"))
}

func TestCanonicalNamesQuoteOnlyWhatMustBe(t *testing.T) {
	for raw, want := range map[string]string{
		"foo": "foo", "a.b-c$d_9": "a.b-c$d_9", "9": `"9"`, "a b": `"a b"`, `a"b`: `"a\22b"`, `a\b`: `"a\\b"`,
		"\x01": `"\01"`, "\xc3\xa9": `"\C3\A9"`, "": `""`, "-1": "-1",
	} {
		require.Equal(t, want, Quote(raw))
		require.Equal(t, raw, Unquote(want))
		require.Equal(t, want, canonical(want))
	}
}

func TestTypesAndValuesMayShareAName(t *testing.T) {
	m := read(t, `
define void @f(%T %T, %U* %p) {
  %U = insertvalue %T %T, i32 1, 0
  %V = extractvalue %T %U, 0
  %W = extractvalue { %T, i8 } zeroinitializer, 0, 1
  va_arg ptr null, %T
  ret void
}
%T = type { i32, i8 }
%U = type opaque
`)
	f := m.Funcs[0]
	noErrors(t, f)
	in := f.Blocks[0].Insts
	require.Equal(t, "%T", in[0].Type.String())
	require.True(t, in[1].Type.IsInt(32), "a type that is defined after its use")
	require.True(t, in[2].Type.IsInt(8))
	require.Equal(t, "%T", in[3].Type.String())
	require.Equal(t, "{ i32, i8 }", f.Params[0].Type.Under().String())
	require.Nil(t, m.NamedTypes["U"].Under())
}

func TestCheckFindsBrokenNames(t *testing.T) {
	m := read(t, `
define i32 @f(i32 %a) {
  %b = add i32 %a, %zz
  %b = add i32 %a, 1
  %5 = add i32 %a, 1
  %4 = add i32 %a, 1
  br label %l
l:
  %p = phi i32 [ %b, %0 ], [ 1, %nowhere ]
  ret i32 %p
}
`)
	var l diag.List
	m.Funcs[0].Check(&l)
	var got []string
	for i := range l.All {
		d := &l.All[i]
		got = append(got, d.Head())
	}
	slices.Sort(got)
	require.Empty(t, cmp.Diff([]string{
		"t.ll:3:20: error: use of undefined value '%zz' [ll-undefined]",
		"t.ll:4:3: error: multiple definition of local value named '%b' [ll-redefined]",
		"t.ll:6:3: error: value '%4' is expected to be numbered '%6' or greater [ll-number]",
		"t.ll:9:33: error: use of undefined value '%nowhere' [ll-undefined]",
	}, got))
}
