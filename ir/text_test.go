package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// texts are canonical: parsing and printing gives the same bytes.
var texts = map[string]string{
	"the example of the documentation": `func @f(%a: i32, %b: i32, %cf: i1) -> (i32, i1) {
entry:
  %3, %4 = madc.hi.cc.u32 %a, %b, 5, %cf
  %5 = "vmad.s32.s32.u32.sat a.h0, -b, c" %a, %b, %3
  %6: i32 = add %5, 1
  %7: i1 = icmp ult %a, %b
  condbr %7, yes, no
yes:
  br no
no:
  %8: i32 = phi [%3, entry], [%6, yes]
  ret %8, %4
}
`,
	"a loop, and the order of phi operands": `func @count(%n: i64) -> (i64) {
entry:
  br loop
loop:
  %i: i64 = phi [%next, loop], [0, entry]
  %s: i64 = phi [%sum, loop], [undef, entry]
  %sum: i64 = add %s, %i
  %next: i64 = add %i, 1
  %again: i1 = icmp ne %next, %n
  condbr %again, loop, done
done:
  ret %sum
}
`,
	"results that nothing reads, and one that stands apart": `func @f(%a: i64) -> (i16, i1) {
entry:
  %1, _, %3 = "mov.b64 {d0, d1, d2, d3}, a" %a
  %4 = add.cc.u64 %a, 0xffffffffffffffff
  %5: i64 = mul %a, %a
  %6: i1 = result 1, %4
  ret %3, %6
}
`,
	"widths that only the constant knows": `func @f() -> (i1, i1, i128) {
entry:
  %0: i1 = icmp slt 5: i8, undef
  %1: i1 = icmp slt 255: i8, 1
  %2: i128 = zext 0x40000000000000000000000000000000: i127
  ret %0, %1, %2
}
`,
	"strange names": `func @"f g"(%"a b": i8, %_: i8, %x.$1: i8) -> (i8) {
entry:
  br "x y"
"x y":
  br "0x"
"0x":
  br 3
3:
  %"\xff": i8 = sub %"a b", %_
  ret %"\xff"
}
`,
	"a model, nothing to return, an end that is not reached": `func @f(%p: i1) vmad=ptxas {
entry:
  condbr %p, 1, 2
1:
  ret
2:
  unreachable
}
`,
	"parameters that all lanes have in common": `func @f(%n: i32 uniform, %x: i64, %y: i1 uniform) {
entry:
  ret
}
`,
	"two edges from one block": `func @f(%p: i1, %x: i32) -> (i32) {
entry:
  condbr %p, join, join
join:
  %2: i32 = phi [%x, entry], [%x, entry]
  %3: i32 = phi [7, entry], [7, entry]
  %4: i32 = select %p, %2, %3
  ret %4
}
`,
}

func TestParsingAndPrintingGivesTheSameText(t *testing.T) {
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			f, err := ir.ParseFunc(text)
			require.NoError(t, err)
			require.Equal(t, text, f.String())
		})
	}
}

func TestSeveralFunctionsAndCommentsAreRead(t *testing.T) {
	var l diag.List
	fs := ir.Parse(diag.NewFile("x.ir", []byte(`; first
func @f() { ; a comment with "quotes" {
e:

  ret ; done
}
func @g(%a: i8) -> (i8) vmad=isa {
"e":
	%b: i8 = add %a, -1
	_, %c = add.cc.u32 -1, 0b11
  ret %b
} ; end`)), &l)
	require.NoError(t, l.Err())
	require.Len(t, fs, 2)
	require.Equal(t, "func @f() {\ne:\n  ret\n}\n", fs[0].String())
	require.Equal(t, `func @g(%a: i8) -> (i8) {
e:
  %b: i8 = add %a, 255
  %2, %c = add.cc.u32 0xffffffff, 3
  ret %b
}
`, fs[1].String())
}

func TestEveryFormIsReadBack(t *testing.T) {
	f := ir.NewFunc("all")
	b := f.Blocks[0]
	n := 0
	for _, fs := range [][]ptx.Form{ptx.Forms(), ptx.VmadForms(), ptx.Neighbours()} {
		for _, form := range fs {
			var args []*ir.Value
			for i, w := range ir.ArgWidths(form) {
				args = append(args, f.Const(sem.U(uint64(i)), w))
			}
			b.PTX(form, args...)
			n++
		}
	}
	b.Ret()
	require.Greater(t, n, 200+16464)
	require.NoError(t, ir.Verify(f))
	g, err := ir.ParseFunc(f.String())
	require.NoError(t, err)
	require.Equal(t, f.String(), g.String())
	for i, v := range b.Vals {
		require.Equal(t, v.Form, g.Blocks[0].Vals[i].Form)
	}
}

func TestRandomFunctionsSurviveTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Loops).Draw(t, "f")
		if err := ir.Verify(f); err != nil {
			t.Fatalf("the generator is wrong: %v\n%s", err, f)
		}
		g, err := ir.ParseFunc(f.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, f)
		}
		if g.String() != f.String() {
			t.Fatalf("printed\n%s\nread\n%s", f, g)
		}
		same(t, f, g)
	})
}

// same compares what the functions are, names and identifiers aside.
func same(t require.TestingT, f, g *ir.Func) {
	to := map[*ir.Value]*ir.Value{}
	pair := func(x, y *ir.Value) {
		require.Equal(t, []any{x.Op, x.W, x.Form, x.K, x.Pred}, []any{y.Op, y.W, y.Form, y.K, y.Pred})
		require.True(t, to[x] == nil || to[x] == y)
		to[x] = y
	}
	ids := func(bs []*ir.Block) (out []int) {
		for _, b := range bs {
			out = append(out, b.ID)
		}
		return
	}
	args := func(xs, ys []*ir.Value) {
		require.Len(t, ys, len(xs))
		for i := range xs {
			pair(xs[i], ys[i])
		}
	}
	require.Equal(t, []any{f.Name, f.Results, f.Model, len(f.Blocks)}, []any{g.Name, g.Results, g.Model, len(g.Blocks)})
	args(f.Params, g.Params)
	for i, b := range f.Blocks {
		c := g.Blocks[i]
		args(b.Vals, c.Vals)
		args(b.Args, c.Args)
		require.Equal(t, b.Term, c.Term)
		require.Equal(t, ids(b.Succs), ids(c.Succs))
		if len(b.Vals) > 0 && b.Vals[0].Op == ir.Phi {
			require.Equal(t, ids(b.Preds), ids(c.Preds))
		}
		for j, v := range b.Vals {
			args(v.Args, c.Vals[j].Args)
		}
	}
}

func TestErrorsPointAtTheirPlace(t *testing.T) {
	const head = "func @f(%a: i32, %p: i1) -> (i32) {\nentry:\n"
	for _, c := range []struct {
		text string // after head
		want string // "line:col: text [id]", all of them
	}{
		{"", "3:1: expected \"}\", found the end of the text [ir-syntax]"},
		{"ret %a", "3:7: expected \"}\", found the end of the text [ir-syntax]"},
		{"ret %a\n} x", "4:3: expected the end of the line, found \"x\" [ir-syntax]"},
		{"ret %a, %p\n}", "3:1: 2 values where there should be 1 [ir-verify]"},
		{"ret %p\n}", "3:1: value 1 has 1 bits where there should be 32 [ir-verify]"},
		{"ret %b\n}", "3:5: %b is not defined [ir-name]"},
		{"ret 0x1ffffffff\n}", "3:5: 0x1ffffffff is no number of 32 bits [ir-syntax]"},
		{"ret -0x80000001\n}", "3:5: -0x80000001 is no number of 32 bits [ir-syntax]"},
		{"ret 12a\n}", "3:5: 12a is no number of 32 bits [ir-syntax]"},
		{"ret 1" + strings.Repeat("0", 999) + "\n}", "3:5: 1" + strings.Repeat("0", 999) + " is no number of 32 bits [ir-syntax]"},
		{"ret &\n}", "3:5: expected a value or a constant, found \"&\" [ir-syntax]"},
		{"ret %\"\n}", "3:5: expected a value or a constant, found \"%\" [ir-syntax]"},
		{"ret %a\nret %a\n}", "4:1: expected a label or \"}\" after the terminator, found \"ret\" [ir-syntax]"},
		{"%x: i32 = add %a, %a\n}", "2:1: no terminator [ir-verify]"},
		{"%x: i32 = add %a\nret %x\n}", "3:1: 1 operands where there should be 2 [ir-verify]"},
		{"%x: i32 = add %a, 1, 2\nret %x\n}", "3:1: 3 operands where there should be 2 [ir-verify]"},
		{"%x: i32 = add %a, %p\nret %x\n}", "3:1: operand 2 has 1 bits where there should be 32 [ir-verify]"},
		{"%x: i32 = zext 5\nret %x\n}", "3:16: the width is open here: write 5: i32 [ir-syntax]"},
		{"%x: i1 = icmp eq 5, 6\nret %a\n}", "3:18: the width is open here: write 5: i32 [ir-syntax]\n3:21: the width is open here: write 6: i32 [ir-syntax]"},
		{"%x: i1 = icmp lt %a, 6\nret %a\n}", "3:15: expected a predicate, found \"lt\" [ir-syntax]"},
		{"%x: i1 = icmp\nret %a\n}", "3:14: expected a predicate, found the end of the line [ir-syntax]"},
		{"%x = add %a, 1\nret %x\n}", "3:1: the result needs a name and a type: %x: i32 [ir-syntax]"},
		{"_ = add %a, 1\nret %a\n}", "3:1: the result needs a name and a type: %x: i32 [ir-syntax]"},
		{"%x: i32, %y: i32 = add %a, 1\nret %x\n}", "3:10: add has one result [ir-syntax]"},
		{"%x: i32 = frob %a\nret %x\n}", "3:11: no operation is called \"frob\" [ir-syntax]"},
		{"%x: i32 = param\nret %x\n}", "3:11: no operation is called \"param\" [ir-syntax]"},
		{"%x: i32 = 5\nret %x\n}", "3:11: expected an operation, found \"5\" [ir-syntax]"},
		{"%x: i129 = add %a, 1\nret %a\n}", "3:5: expected a type, i1 to i128, found \"i129\" [ir-syntax]"},
		{"%x: i01 = add %a, 1\nret %a\n}", "3:5: expected a type, i1 to i128, found \"i01\" [ir-syntax]"},
		{"%a: i32 = add %a, 1\nret %a\n}", "3:1: %a is defined twice [ir-name]"},
		{"%5: i32 = add %a, 1\n%05: i32 = add %a, 1\nret %a\n}", "4:1: %5 is defined twice [ir-name]"},
		{"%4000000000: i32 = add %a, 1\nret %a\n}", "3:1: %4000000000: numbers up to 65616 are possible here [ir-name]"},
		{"%x = add.cc.u31 %a, 1\nret %x\n}", "3:6: no PTX form is called \"add.cc.u31\" [ir-syntax]"},
		{"%x = \"vmad.u32.u32.u32.po -a, b, c\" %a, 1, 2\nret %x\n}", "3:6: no PTX form is called \"vmad.u32.u32.u32.po -a, b, c\" [ir-syntax]"},
		{"%x, %y = add.u32 %a, 1\nret %x\n}", "3:5: the results of add.u32 have [32] bits [ir-syntax]"},
		{"%x: i64, %y = add.cc.u32 %a, 1\nret %x\n}", "3:1: the results of add.cc.u32 have [32 1] bits [ir-syntax]"},
		{"%x = madc.lo.u32 %a, 1, 2, 3\nret %x\n}", "3:28: 3 is no number of 1 bits [ir-syntax]"},
		{"%x = madc.lo.u32 %a, 1, 2\nret %x\n}", "3:1: 3 operands where there should be 4 [ir-verify]"},
		{"%x = madc.lo.u32 %a 1\nret %x\n}", "3:21: expected \",\", found \"1\" [ir-syntax]"},
		{"%x: i1 = result 1, %p\nret %a\n}", "3:1: a result of param, which has one only [ir-verify]"},
		{"br next\n}", "3:4: no block has the label next [ir-name]"},
		{"br %a\n}", "3:4: expected a label, found \"%a\" [ir-syntax]"},
		{"br entry\n}", "3:1: the entry has 1 predecessors [ir-verify]"},
		{"br x\nentry:\nret %a\nx:\nret %a\n}", "4:1: the label entry is there twice [ir-name]"},
		{"br x\nx:\n%y: i32 = phi\nret %a\n}", "5:1: 0 operands for 1 edges into the block [ir-verify]"},
		{"br x\nx:\n%y: i32 = phi [1, entry], [2, entry]\nret %a\n}", "5:31: each edge into the block wants one operand, two edges from one block the same [ir-verify]"},
		{"br x\nx:\n%y: i32 = phi [1, x]\nret %a\n}", "5:19: each edge into the block wants one operand, two edges from one block the same [ir-verify]"},
		{"condbr %p, x, x\nx:\n%y: i32 = phi [1, entry], [2, entry]\nret %a\n}", "5:31: each edge into the block wants one operand, two edges from one block the same [ir-verify]"},
		{"condbr %p, x, y\nx:\n%z: i32 = add %a, 1\nbr y\ny:\nret %z\n}", "8:1: value 1 does not dominate this use [ir-verify]"},
		{"%y: i32 = add %z, 1\n%z: i32 = add %y, 1\nret %y\n}", "3:1: operand 1 does not dominate this use [ir-verify]"},
		{"%y: i32 = frob\n%z: i32 = frob\nret\n}", "3:11: no operation is called \"frob\" [ir-syntax]\n4:11: no operation is called \"frob\" [ir-syntax]"},
	} {
		var l diag.List
		require.Empty(t, ir.Parse(diag.NewFile("x", []byte(head+c.text)), &l), c.text)
		var got []string
		for i := range l.All {
			got = append(got, strings.Replace(strings.TrimPrefix(l.All[i].Head(), "x:"), "error: ", "", 1))
		}
		require.Equal(t, c.want, strings.Join(got, "\n"), c.text)
	}
}

func TestBadHeadersCostOnlyTheirFunction(t *testing.T) {
	for _, h := range []string{"fun @f() {", "func f() {", "func @f {", "func @f(%a) {", "func @f(%a: i8 %b: i8) {",
		"func @f() -> i8 {", "func @f() vmad=x {", "func @f()", "}"} {
		var l diag.List
		fs := ir.Parse(diag.NewFile("x", []byte(h+"\ne:\n  ret\n}\nfunc @g() {\ne:\n  ret\n}\n")), &l)
		require.Equal(t, 1, l.Errors(), h)
		require.Len(t, fs, 1, h)
		require.Equal(t, "g", fs[0].Name)
	}
}

func TestParsedValuesKnowTheirPlace(t *testing.T) {
	text := texts["the example of the documentation"]
	f, err := ir.ParseFunc(text)
	require.NoError(t, err)
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			require.True(t, strings.HasPrefix(text[v.Off:], fmt.Sprintf("%%%d", v.ID)), v)
		}
	}
	require.Equal(t, strings.Index(text, "%b"), f.Params[1].Off)
}

func TestValuesAndBlocksPrintAlone(t *testing.T) {
	f, err := ir.ParseFunc(texts["the example of the documentation"])
	require.NoError(t, err)
	vals := f.Blocks[0].Vals
	for _, c := range []struct {
		v    fmt.Stringer
		want string
	}{
		{f.Params[0], "%a"},
		{f.Const(sem.U(5), 32), "5: i32"},
		{f.Const(sem.U(1000), 32), "0x3e8: i32"},
		{f.Undef(1), "undef: i1"},
		{vals[0], "%3 = madc.hi.cc.u32 %a, %b, 5, %cf"},
		{vals[1], "%4: i1 = result 1, %3"},
		{vals[2], `%5 = "vmad.s32.s32.u32.sat a.h0, -b, c" %a, %b, %3`},
		{f.Blocks[2].Vals[0], "%8: i32 = phi [%3, entry], [%6, yes]"},
		{f.Blocks[1], "yes:\n  br no\n"},
	} {
		require.Equal(t, c.want, c.v.String())
	}
}

func TestNamesThatAreNotUniquePrintAsNumbers(t *testing.T) {
	f := ir.NewFunc("f")
	x, y := f.Param("x", 8), f.Param("x", 8)
	b := f.Blocks[0]
	z := b.New(ir.Add, 8, x, y)
	z.Name = "12"
	next := f.NewBlock("entry")
	b.Br(next)
	next.Ret()
	require.Equal(t, "func @f(%0: i8, %1: i8) {\n0:\n  %2: i8 = add %0, %1\n  br 1\n1:\n  ret\n}\n", f.String())
}

func TestBrokenFunctionsPrint(t *testing.T) {
	f := ir.NewFunc("f")
	b := f.Blocks[0]
	b.New(ir.Add, 8, nil, nil)
	b.Phi(8).Args = []*ir.Value{f.Undef(8)}
	require.Equal(t, "func @f() {\nentry:\n  %1: i8 = phi [undef, ?]\n  %0: i8 = add <nil>, <nil>\n  ; no terminator\n}\n", f.String())
}

func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Add("func @f() {\n0:\n %1,_ = \"mov.b32 d, {a, b}\" undef, -1\n %2: i1 = icmp eq %1, 0x0: i7\n condbr %2, 1, 0\n1:\n unreachable\n}")
	f.Fuzz(func(t *testing.T, text string) {
		var l diag.List
		fs := ir.Parse(diag.NewFile("x", []byte(text)), &l)
		for _, g := range fs {
			require.NoError(t, ir.Verify(g))
			h, err := ir.ParseFunc(g.String())
			require.NoError(t, err, g)
			require.Equal(t, g.String(), h.String())
		}
	})
}
