package ir_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// sample has a form with a carry, a diamond with a phi, and every kind of check
// hangs on something in it.
const sample = `func @f(%a: i32, %p: i1) -> (i32, i1) {
entry:
  %s, %c = add.cc.u32 %a, 7
  condbr %p, yes, no
yes:
  %w: i64 = zext %a
  %t: i32 = trunc %w
  br join
no:
  %l: i1 = icmp ult %a, 5
  %n: i32 = select %l, %a, %s
  br join
join:
  %r: i32 = phi [%t, yes], [%n, no]
  ret %r, %c
}
`

func parsed(t *testing.T, text string) *ir.Func {
	t.Helper()
	f, err := ir.ParseFunc(text)
	require.NoError(t, err)
	return f
}

// named is the value with a name.
func named(f *ir.Func, name string) *ir.Value {
	for _, v := range f.Params {
		if v.Name == name {
			return v
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if v.Name == name {
				return v
			}
		}
	}
	panic(name)
}

func TestVerifyRefusesWhatBreaksAnInvariant(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(f *ir.Func, v func(string) *ir.Value)
		want  string // the error, or lines of it
	}{
		{"operand too wide", func(f *ir.Func, v func(string) *ir.Value) { v("n").Args[1] = v("w") },
			"@f: no: %n: operand 2 has 64 bits where there should be 32\n@f: no: %n: operand 2 does not dominate this use"},
		{"operand of a form too narrow", func(f *ir.Func, v func(string) *ir.Value) { v("s").Args[1] = v("p") },
			"@f: entry: %s: operand 2 has 1 bits where there should be 32"},
		{"operand missing", func(f *ir.Func, v func(string) *ir.Value) { v("s").Args = v("s").Args[:1] },
			"@f: entry: %s: 1 operands where there should be 2"},
		{"operand nil", func(f *ir.Func, v func(string) *ir.Value) { v("n").Args[0] = nil },
			"@f: no: %n: an operand is not of this function"},
		{"operand of another function", func(f *ir.Func, v func(string) *ir.Value) { v("n").Args[1] = ir.Clone(f).Params[0] },
			"@f: no: %n: an operand is not of this function"},
		{"constant of another function", func(f *ir.Func, v func(string) *ir.Value) { v("s").Args[1] = ir.NewFunc("g").Const(sem.U(1), 32) },
			"@f: entry: %s: an operand is not of this function"},
		{"form that does not exist", func(f *ir.Func, v func(string) *ir.Value) { v("s").Form.Mode = ptx.Hi },
			"@f: entry: %s: no such PTX instruction"},
		{"form wider than the value", func(f *ir.Func, v func(string) *ir.Value) { v("s").W = 33 },
			"@f: entry: %s: 33 bits where the form gives 32\n@f: no: %n: operand 3 has 33 bits where there should be 32"},
		{"result too wide", func(f *ir.Func, v func(string) *ir.Value) { v("c").W = 2 },
			"@f: entry: %c: 2 bits where the form gives 1\n@f: join: value 2 has 2 bits where there should be 1"},
		{"result that the form has not", func(f *ir.Func, v func(string) *ir.Value) { v("c").Index = 2 },
			"@f: entry: %c: result 2 of add.cc.u32, which has 2"},
		{"result 0, which is the form's value itself", func(f *ir.Func, v func(string) *ir.Value) { v("c").Index = 0 },
			"@f: entry: %c: result 0 of add.cc.u32, which has 2"},
		{"result of an addition", func(f *ir.Func, v func(string) *ir.Value) { v("c").Args[0] = v("a") },
			"@f: entry: %c: a result of param, which has one only"},
		{"comparison of different widths", func(f *ir.Func, v func(string) *ir.Value) { v("l").Args[1] = f.Const(sem.U(5), 31) },
			"@f: no: %l: compares 32 and 31 bits to 1"},
		{"comparison without a predicate", func(f *ir.Func, v func(string) *ir.Value) { v("l").Pred = ir.NoPred },
			"@f: no: %l: no predicate"},
		{"extension to the same width", func(f *ir.Func, v func(string) *ir.Value) { v("w").Args[0] = f.Const(sem.U(5), 64) },
			"@f: yes: %w: extends 64 bits to 64"},
		{"truncation to the same width", func(f *ir.Func, v func(string) *ir.Value) { v("t").Args[0] = v("a") },
			"@f: yes: %t: cuts 32 bits to 32"},
		{"no bits", func(f *ir.Func, v func(string) *ir.Value) { v("w").W = 0 },
			"@f: yes: %w: 0 bits; 1 to 128 are possible"},
		{"too many bits", func(f *ir.Func, v func(string) *ir.Value) { f.Params[0].W = 129 },
			"@f: %a: 129 bits; 1 to 128 are possible"},
		{"no operation", func(f *ir.Func, v func(string) *ir.Value) { v("w").Op = ir.BadOp },
			"@f: yes: %w: no operation"},
		{"parameter in a block", func(f *ir.Func, v func(string) *ir.Value) { v("w").Op = ir.Param },
			"@f: yes: %w: no operation"},
		{"parameters in the wrong order", func(f *ir.Func, v func(string) *ir.Value) { f.Params[1].Index = 0 },
			"@f: %p: param 0 in place of parameter 1"},
		{"operation among the constants", func(f *ir.Func, v func(string) *ir.Value) { f.Consts[0].Op = ir.Add },
			"@f: %9: add among the constants"},
		{"constant with bits above its width", func(f *ir.Func, v func(string) *ir.Value) { f.Consts[0].K = sem.S(-1) },
			"@f: 0xffffffffffffffffffffffffffffffff: i32: more bits than 32"},
		{"identifier twice", func(f *ir.Func, v func(string) *ir.Value) { v("w").ID = v("a").ID },
			"@f: yes: %w: identifier 0 is defined twice"},
		{"identifier out of range", func(f *ir.Func, v func(string) *ir.Value) { v("w").ID = 99 },
			"@f: yes: %w: identifier 99 of 11"},
		{"value in two blocks", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[2].Vals = append(f.Blocks[2].Vals, v("w")) },
			"@f: no: %4: identifier 4 is defined twice\n@f: no: %4: belongs to another block"},
		{"use before the definition", func(f *ir.Func, v func(string) *ir.Value) {
			b := f.Blocks[1]
			b.Vals[0], b.Vals[1] = b.Vals[1], b.Vals[0]
		}, "@f: yes: %t: operand 1 does not dominate this use"},
		{"use by itself", func(f *ir.Func, v func(string) *ir.Value) { v("n").Args[1] = v("n") },
			"@f: no: %n: operand 2 does not dominate this use"},
		{"use of what another path defines", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[3].Args[0] = v("n") },
			"@f: join: value 1 does not dominate this use"},
		{"phi operand from the other edge", func(f *ir.Func, v func(string) *ir.Value) { v("r").Args[0] = v("n") },
			"@f: join: %r: operand 1 does not dominate the edge it comes by"},
		{"phi with an operand too many", func(f *ir.Func, v func(string) *ir.Value) { v("r").Args = append(v("r").Args, v("a")) },
			"@f: join: %r: 3 operands where there should be 2"},
		{"phi operand too wide", func(f *ir.Func, v func(string) *ir.Value) { v("r").Args[0] = v("w") },
			"@f: join: %r: operand 1 has 64 bits where there should be 32"},
		{"phi after another operation", func(f *ir.Func, v func(string) *ir.Value) {
			b := f.Blocks[3]
			x := b.New(ir.Add, 32, v("a"), v("a"))
			b.Vals[0], b.Vals[1] = x, b.Vals[0]
		}, "@f: join: %r: phi after another operation"},
		{"two edges, two values", func(f *ir.Func, v func(string) *ir.Value) {
			b, end := f.NewBlock("b"), f.NewBlock("end")
			f.Blocks[3].Term, f.Blocks[3].Args = ir.NoTerm, nil
			f.Blocks[3].Br(b)
			b.CondBr(v("p"), end, end)
			end.Phi(32).Args = []*ir.Value{v("a"), v("r")}
			end.Ret(v("a"), v("p"))
		}, "@f: end: %11: operand 2 comes from the same block as another and differs"},
		{"returned value missing", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[3].Args = f.Blocks[3].Args[:1] },
			"@f: join: 1 values where there should be 2"},
		{"returned value too narrow", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[3].Args[0] = v("p") },
			"@f: join: value 1 has 1 bits where there should be 32"},
		{"condition of 32 bits", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[0].Args[0] = v("a") },
			"@f: entry: value 1 has 32 bits where there should be 1"},
		{"jump with a value", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[1].Args = f.Params },
			"@f: yes: 2 values where there should be 0"},
		{"no terminator", func(f *ir.Func, v func(string) *ir.Value) {
			b := f.NewBlock("b")
			b.New(ir.Add, 32, v("a"), v("a"))
		}, "@f: b: no terminator"},
		{"return that goes on", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[1].Term = ir.Ret },
			"@f: yes: 1 successors where there should be 0"},
		{"jump to another function", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[1].Succs[0] = ir.Clone(f).Blocks[3] },
			"@f: yes: a successor is not in the function\n@f: join: a predecessor does not branch here\n@f: yes: missing among the predecessors of a successor"},
		{"predecessor that does not branch here", func(f *ir.Func, v func(string) *ir.Value) {
			f.Blocks[2].Preds = append(f.Blocks[2].Preds, f.Blocks[1])
		},
			"@f: no: a predecessor does not branch here"},
		{"predecessor missing", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[3].Preds = f.Blocks[3].Preds[:1] },
			"@f: no: missing among the predecessors of a successor"},
		{"edge into the entry", func(f *ir.Func, v func(string) *ir.Value) { f.NewBlock("b").Br(f.Blocks[0]) },
			"@f: entry: the entry has 1 predecessors"},
		{"blocks in the wrong order", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks[1].ID = 2 },
			"@f: yes: block 2 in place 1\n@f: entry: a successor is not in the function"},
		{"no block", func(f *ir.Func, v func(string) *ir.Value) { f.Blocks = nil }, "@f: no block"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parsed(t, sample)
			require.NoError(t, ir.Verify(f))
			c.spoil(f, func(n string) *ir.Value { return named(f, n) })
			require.EqualError(t, ir.Verify(f), c.want)
		})
	}
}

func TestBlocksThatAreNotReachedMayUseAnything(t *testing.T) {
	f := parsed(t, sample)
	b := f.NewBlock("b")
	x := b.New(ir.Add, 32, named(f, "t"), named(f, "n"))
	b.Br(f.Blocks[3])
	named(f, "r").Args = append(named(f, "r").Args, x)
	require.NoError(t, ir.Verify(f))
	_, err := ir.ParseFunc(f.String())
	require.NoError(t, err)
	require.Equal(t, 1, ir.RemoveUnreachable(f))
	require.Equal(t, sample, f.String())
}

func TestEveryOperationHasAText(t *testing.T) {
	seen := map[string]bool{}
	for o := ir.BadOp + 1; o < ir.NumOps; o++ {
		require.NotEmpty(t, o.String())
		require.False(t, seen[o.String()] || strings.Contains(o.String(), "."))
		seen[o.String()] = true
	}
}
