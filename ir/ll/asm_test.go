package ll

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

// readAsm parses one asm call, with its result type and arguments.
func readAsm(t testing.TB, ret, text, cons, args string) (*Module, *Inst) {
	t.Helper()
	m := read(t, fmt.Sprintf("define void @f(i32 %%a, ptr %%p) {\n  call %s asm sideeffect \"%s\", \"%s\"(%s) #2, !srcloc !8\n  ret void\n}\n", ret, text, cons, args))
	in := &m.Funcs[0].Blocks[0].Insts[0]
	require.True(t, in.Modelled)
	require.Equal(t, CallAsm, in.Call.Kind)
	return m, in
}

func TestAsmStringsAreUnescapedAndMapBack(t *testing.T) {
	for _, c := range []struct{ source, text string }{
		{"", ""},
		{"add $0, $1;", "add $0, $1;"},
		{`{\0A\09add;\0a}`, "{\n\tadd;\n}"},
		{`a\22b\\c\5Cd`, `a"b\c\d`},
		{`\zz\4 \G0\`, `\zz\4 \G0\`},
		{`\C3\A9 é\0D`, "é é\r"},
		{`\\0A`, `\0A`},
		{`\`, `\`},
		{"a\nb", "a\nb"},
		{`\41\42\43`, "ABC"},
	} {
		m, in := readAsm(t, "void", c.source, "", "")
		s := &in.Call.Asm.Text
		require.Equal(t, c.text, s.Text)
		require.Equal(t, c.source, m.Text(s.Span()))
		require.Equal(t, byte('"'), m.src[s.Source(len(s.Text))])
		var back strings.Builder
		for i := range len(s.Text) {
			sp := s.SourceSpan(i, i+1)
			piece := m.Text(sp)
			require.Equal(t, s.Text[i:i+1], unescape(piece), "byte %d of %q", i, c.source)
			back.WriteString(piece)
		}
		require.Equal(t, c.source, back.String(), "the pieces tile the source")
		if utf8.ValidString(c.source) {
			require.True(t, utf8.ValidString(s.Text))
		}
	}
}

func TestAsmFlagsAreRead(t *testing.T) {
	f := readBody(t, `
  call void asm sideeffect alignstack inteldialect unwind "", ""()
  %1 = tail call i32 asm "x", "=r"() #3
  %2 = call i32 (i32) asm sideeffect "y", "=r,r"(i32 %a)
  ret void`)
	in := f.Blocks[0].Insts
	require.Equal(t, SideEffect|AlignStack|IntelDialect|Unwind, in[0].Call.Asm.Flags)
	require.Equal(t, AsmFlags(0), in[1].Call.Asm.Flags)
	require.Equal(t, Tail, in[1].Flags)
	require.Equal(t, []int32{3}, in[1].Call.Attrs.Groups)
	require.Equal(t, SideEffect, in[2].Call.Asm.Flags)
	require.Equal(t, "i32 (i32)", in[2].Call.FuncType.String())
	require.True(t, in[2].Type.IsInt(32))
	require.Equal(t, `asm "x", "=r"`, f.Mod.Text(in[1].Call.Target.Span()))
}

func TestConstraintsAreRead(t *testing.T) {
	in := func(code string) Constraint {
		return Constraint{Kind: ConstraintInput, Code: code, Tied: -1, TiedBy: -1}
	}
	out := func(code string) Constraint {
		return Constraint{Kind: ConstraintOutput, Code: code, Tied: -1, TiedBy: -1}
	}
	clobber := func(code string) Constraint {
		return Constraint{Kind: ConstraintClobber, Code: code, Tied: -1, TiedBy: -1}
	}
	with := func(c Constraint, change func(*Constraint)) Constraint { change(&c); return c }
	early := func(c *Constraint) { c.EarlyClobber = true }
	for _, c := range []struct {
		text string
		want []Constraint
	}{
		{"", nil},
		{"=r,r,n", []Constraint{out("r"), in("r"), in("n")}},
		{"=&r,=&{v5},{s7},~{memory},~{dirflag}", []Constraint{with(out("r"), early), with(out("{v5}"), early), in("{s7}"), clobber("~{memory}"), clobber("~{dirflag}")}},
		{"=r,=l,h,0,1", []Constraint{
			with(out("r"), func(c *Constraint) { c.TiedBy = 3 }), with(out("l"), func(c *Constraint) { c.TiedBy = 4 }), in("h"),
			with(in("0"), func(c *Constraint) { c.Tied = 0 }), with(in("1"), func(c *Constraint) { c.Tied = 1 })}},
		{"=*m,*m,%r", []Constraint{with(out("m"), func(c *Constraint) { c.Indirect = true }), with(in("m"), func(c *Constraint) { c.Indirect = true }),
			with(in("r"), func(c *Constraint) { c.Commutative = true })}},
		{"=r|m,imr,^Yz,@3abc,!i", []Constraint{out("r|m"), in("imr"), in("^Yz"), in("@3abc"), with(in("i"), func(c *Constraint) { c.Kind = ConstraintLabel })}},
		{"=@ccz,r", []Constraint{}},
	} {
		m, call := readAsm(t, "void", "", c.text, "")
		var l diag.List
		got, ok := call.Call.Asm.Constraints(m.File, &l)
		if c.want != nil && len(c.want) == 0 {
			require.False(t, ok)
			continue
		}
		require.True(t, ok, "%v", l.Err())
		require.Empty(t, cmp.Diff(c.want, got, cmpopts.IgnoreFields(Constraint{}, "Span")), c.text)
		var items []string
		for _, k := range got {
			items = append(items, m.Text(k.Span))
		}
		require.Equal(t, c.text, strings.Join(items, ","))
	}
}

func TestOperandsOfAnAsmCallArePaired(t *testing.T) {
	m, in := readAsm(t, "{ i32, i64 }", "", "=r,=&l,=*m,r,n,0,~{memory}", "ptr elementtype(i32) %p, i32 %a, i32 127, i32 %a")
	var l diag.List
	ops, ok := in.AsmOperands(m.File, &l)
	require.True(t, ok, "%v", l.Err())
	type row struct {
		code        string
		arg, result int
		tied, by    int
		typ         string
	}
	var got []row
	for _, o := range ops {
		got = append(got, row{o.Code, o.Arg, o.Result, o.Tied, o.TiedBy, o.Type.String()})
	}
	require.Equal(t, []row{
		{"r", -1, 0, -1, 5, "i32"}, {"l", -1, 1, -1, -1, "i64"}, {"m", 0, -1, -1, -1, "ptr"},
		{"r", 1, -1, -1, -1, "i32"}, {"n", 2, -1, -1, -1, "i32"}, {"0", 3, -1, 0, -1, "i32"},
	}, got)
	require.Equal(t, uint64(127), in.Ops[ops[4].Arg].Lo)
	require.Equal(t, "!8", m.Text(in.SrcLoc()))
}

func TestLabelsOfCallbrTakeNumbers(t *testing.T) {
	f := readBody(t, "  callbr void asm \"\", \"r,!i,!i,~{cc}\"(i32 %a) to label %x [label %x, label %y]\nx:\n  ret void\ny:\n  ret void")
	var l diag.List
	ops, ok := f.Blocks[0].Term().AsmOperands(f.Mod.File, &l)
	require.True(t, ok)
	require.Len(t, ops, 3)
	require.Equal(t, ConstraintLabel, ops[2].Kind)
	require.Nil(t, ops[2].Type)
}

func TestBadConstraintsAreReportedWhereTheyAre(t *testing.T) {
	for _, c := range []struct{ ret, cons, args, at, want string }{
		{"i32", "=r,", "", ",", "constraint string ends in a comma"},
		{"i32", "=", "", "=", `constraint "=": a code is expected`},
		{"i32", "=r,,r", "", ",", "constraint expected before ','"},
		{"i32", ",=r", "", ",", "constraint expected before ','"},
		{"void", "~memory", "", "~memory", `constraint "~memory": '{' expected after '~'`},
		{"void", "~{memory", "", "~{memory", `constraint "~{memory": '}' expected`},
		{"i32", "=&&r", "", "=&&r", `constraint "=&&r": '&' belongs once to an output`},
		{"void", "&r", "i32 %a", "&r", `constraint "&r": '&' belongs once to an output`},
		{"i32", "=#r", "", "=#r", `constraint "=#r": modifier '#' is not supported`},
		{"i32", "=r,1", "i32 %a", "1", `constraint "1": tied to operand 1, which is no output`},
		{"i32", "=r,7", "i32 %a", "7", `constraint "7": tied to operand 7, which is no output`},
		{"i32", "=r,r,1", "i32 %a, i32 %a", "1", `constraint "1": tied to operand 1, which is no output`},
		{"i32", "=r,0,0", "i32 %a, i32 %a", "0", `constraint "0": tied to output 0, which another input is tied to`},
		{"i32", "=0", "", "=0", `constraint "=0": only an input can be tied`},
		{"i32", "r,=r", "i32 %a", "=r", "output constraint occurs after input, clobber or label constraint"},
		{"i32", "!i,=r", "", "=r", "output constraint occurs after input, clobber or label constraint"},
		{"void", "~{memory},r", "i32 %a", "r", "input constraint occurs after clobber constraint"},
		{"void", "^Y", "i32 %a", "^Y", `constraint "^Y": the code is cut short`},
		{"void", "@9ab", "i32 %a", "@9ab", `constraint "@9ab": the code is cut short`},
		{"void", "@x", "i32 %a", "@x", `constraint "@x": a length is expected after '@'`},
		{"void", `r,\30`, "i32 %a", `\30`, `constraint "0": tied to operand 0, which is no output`},
		{"i32", "=r,r", "", "=r,r", "asm has 0 arguments, its constraints need 1"},
		{"i32", "=r", "i32 1, i32 2", "=r", "asm has 2 arguments, its constraints need 0"},
		{"void", "=*m", "", "=*m", "asm has 0 arguments, its constraints need 1"},
		{"i32", "r", "i32 %a", "r", "asm returns i32, but has no output"},
		{"void", "=r", "", "=r", "asm returns void, but has one output"},
		{"{ i32 }", "=r", "", "=r", "asm returns { i32 }, but has one output"},
		{"i32", "=r,=r", "", "=r,=r", "asm returns i32, but has 2 outputs"},
		{"{ i32, i32, i32 }", "=r,=r", "", "=r,=r", "asm returns { i32, i32, i32 }, but has 2 outputs"},
	} {
		m, in := readAsm(t, c.ret, "", c.cons, c.args)
		var l diag.List
		_, ok := in.AsmOperands(m.File, &l)
		require.False(t, ok, c.cons)
		require.Len(t, l.All, 1)
		require.Equal(t, c.want, l.All[0].Text)
		require.Equal(t, c.at, m.Text(l.All[0].Span), c.cons)
	}
}
