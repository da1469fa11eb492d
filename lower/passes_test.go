package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// passes are the steps as properties: what is wrong with the function after one.
var passes = map[string]struct {
	narrow bool
	run    func(f *ir.Func) *ir.Func
}{
	"simplify": {false, func(f *ir.Func) *ir.Func { lower.Simplify(f); return f }},
	"cse":      {false, func(f *ir.Func) *ir.Func { lower.CSE(f); return f }},
	"canon":    {true, lower.Canon},
	"all":      {true, func(f *ir.Func) *ir.Func { return lower.Run(f, true, nil, nil) }},
	"-O0":      {true, func(f *ir.Func) *ir.Func { return lower.Run(f, false, nil, nil) }},
}

func TestPassesKeepWhatAFunctionComputes(t *testing.T) {
	for name, p := range passes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				f := irtest.Funcs(rapid.SampledFrom([]irtest.Shape{irtest.Straight, irtest.Acyclic, irtest.Loops}).Draw(rt, "shape")).Draw(rt, "f")
				if p.narrow {
					f = irtest.Narrow(f)
				}
				if err := ir.Verify(f); err != nil {
					rt.Fatal(err)
				}
				src := f.String()
				g := p.run(ir.Clone(f))
				if err := ir.Verify(g); err != nil {
					rt.Fatalf("%v\n%s\n%s", err, src, g)
				}
				if err := sample(f, g, 12); err != nil {
					rt.Fatalf("%v\n%s\n%s", err, src, g)
				}
			})
		})
	}
}

// one is a function that computes a value of its parameters, of the widths given.
func one(result int, widths []int, value func(b *ir.Block, ps []*ir.Value) *ir.Value) *ir.Func {
	f := ir.NewFunc("f")
	var ps []*ir.Value
	for i, w := range widths {
		ps = append(ps, f.Param(fmt.Sprintf("p%d", i), w))
	}
	f.Results = []int{result}
	f.Blocks[0].Ret(value(f.Blocks[0], ps))
	return f
}

// canonical checks a function and its canonical form against each other.
func canonical(t *testing.T, f *ir.Func, format string, args ...any) {
	t.Helper()
	require.NoError(t, ir.Verify(f))
	g := lower.Canon(ir.Clone(f))
	if ir.Verify(g) != nil || sample(f, g, 40) != nil {
		t.Fatalf("%s: %v, %v\n%s\n%s", fmt.Sprintf(format, args...), ir.Verify(g), sample(f, g, 40), f, g)
	}
	for _, v := range g.Blocks[0].Vals {
		require.True(t, v.Op == ir.PTX || v.Op == ir.Result, "%s is left", v.Op)
	}
}

func TestCanonOfComparisonsOfEveryWidth(t *testing.T) {
	for w := 1; w <= 64; w++ {
		for p := ir.EQ; p <= ir.SLE; p++ {
			canonical(t, one(1, []int{w, w}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.ICmp(p, ps[0], ps[1]) }), "icmp %s i%d", p, w)
		}
	}
}

func TestCanonOfCastsBetweenAllWidths(t *testing.T) {
	for from := 1; from <= 64; from++ {
		for to := 1; to <= 64; to++ {
			ops := []ir.Op{ir.ZExt, ir.SExt}
			if to < from {
				ops = []ir.Op{ir.Trunc}
			} else if to == from {
				continue
			}
			for _, op := range ops {
				canonical(t, one(to, []int{from}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.New(op, to, ps[0]) }), "%s i%d to i%d", op, from, to)
			}
		}
	}
}

func TestCanonOfArithmeticOfEveryWidth(t *testing.T) {
	for w := 1; w <= 64; w++ {
		for op := ir.Add; op <= ir.AShr; op++ {
			canonical(t, one(w, []int{w, w}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.New(op, w, ps[0], ps[1]) }), "%s i%d", op, w)
		}
		canonical(t, one(w, []int{1, w, w}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.New(ir.Select, w, ps...) }), "select i%d", w)
	}
}

func TestCanonOfShiftsByEveryCount(t *testing.T) {
	for _, w := range []int{8, 16, 31, 32, 33, 64} {
		for op := ir.Shl; op <= ir.AShr; op++ {
			for n := range uint64(w + 5) {
				canonical(t, one(w, []int{w}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
					return b.New(op, w, ps[0], b.Func.Const(sem.U(n), w))
				}), "%s i%d, %d", op, w, n)
			}
		}
	}
}

func TestCanonOfBytesInForms(t *testing.T) {
	narrowing, widening := ptx.Form{Op: ptx.Cvt, T: ptx.U8, A: ptx.U32}, ptx.Form{Op: ptx.Cvt, T: ptx.S32, A: ptx.S8}
	canonical(t, one(32, []int{32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		return b.PTX(widening, b.PTX(narrowing, ps[0])[0])[0]
	}), "between forms")
	canonical(t, one(8, []int{32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		x := b.PTX(narrowing, ps[0])[0]
		return b.New(ir.Add, 8, x, x)
	}), "from a form to an instruction")
	canonical(t, one(32, []int{8}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		return b.PTX(widening, b.New(ir.Sub, 8, ps[0], b.Func.Const(sem.U(1), 8)))[0]
	}), "from an instruction to a form")
	canonical(t, one(32, []int{8}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		return b.PTX(widening, b.Func.Const(sem.U(0x85), 8))[0]
	}), "a constant")
	unpack := ptx.Form{Op: ptx.Mov, T: ptx.B32, Pack: -4}
	canonical(t, one(8, []int{32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		out := b.PTX(unpack, ps[0])
		return b.New(ir.Xor, 8, out[1], out[3])
	}), "several results")
}

func TestSimplifyFoldsConstantsAndGivesBackOperands(t *testing.T) {
	a := func(b *ir.Block, ps []*ir.Value) *ir.Value { return ps[0] }
	k := func(n int64) func(b *ir.Block, ps []*ir.Value) *ir.Value {
		return func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.Func.Const(sem.S(n), 32) }
	}
	undef := func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.Func.Undef(32) }
	type arg = func(b *ir.Block, ps []*ir.Value) *ir.Value
	for _, tt := range []struct {
		name string
		op   ir.Op
		x, y arg
		want string // the whole body
	}{
		{"x + 0", ir.Add, a, k(0), "ret %a"},
		{"0 + x", ir.Add, k(0), a, "ret %a"},
		{"x · 1", ir.Mul, a, k(1), "ret %a"},
		{"x · 0", ir.Mul, a, k(0), "ret 0"},
		{"x − x", ir.Sub, a, a, "ret 0"},
		{"x & x", ir.And, a, a, "ret %a"},
		{"x | −1", ir.Or, a, k(-1), "ret 0xffffffff"},
		{"3 · 5", ir.Mul, k(3), k(5), "ret 15"},
		{"x + undef", ir.Add, a, undef, "ret %a"},
		{"x << 32", ir.Shl, a, k(32), "ret 0"},
	} {
		f := one(32, []int{32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
			ps[0].Name = "a"
			return b.New(tt.op, 32, tt.x(b, ps), tt.y(b, ps))
		})
		lower.Simplify(f)
		require.Empty(t, f.Blocks[0].Vals, "%s\n%s", tt.name, f)
		require.Contains(t, f.String(), tt.want, tt.name)
	}
	// A form with several results: the carry of a + 0 is 0, its sum a.
	f := one(1, []int{32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		return b.PTX(ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, ps[0], b.Func.Const(sem.U(0), 32))[1]
	})
	lower.Simplify(f)
	require.Empty(t, f.Blocks[0].Vals)
	require.Equal(t, ir.Const, f.Blocks[0].Args[0].Op)
}

func TestCSEKeepsOneOfEqualOperations(t *testing.T) {
	addcc, addc := ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, ptx.Form{Op: ptx.Addc, T: ptx.U32}
	f := one(32, []int{32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		x, y := b.PTX(addcc, ps...), b.PTX(addcc, ps...)
		other := b.PTX(addcc, ps[1], ps[0])
		s := b.New(ir.Sub, 32, b.PTX(addc, x[0], x[0], x[1])[0], b.PTX(addc, y[0], y[0], y[1])[0])
		return b.New(ir.Add, 32, s, other[0])
	})
	want := ir.Clone(f)
	lower.CSE(f)
	require.NoError(t, ir.Verify(f))
	require.NoError(t, sample(want, f, 20))
	count := map[string]int{}
	for _, v := range f.Blocks[0].Vals {
		count[v.Op.String()+" "+v.Form.Name()]++
	}
	require.Equal(t, map[string]int{"ptx add.cc.u32": 2, "ptx addc.u32": 1, "result ": 1, "sub ": 1, "add ": 1}, count)
}

func TestPassesAreNamedAndSeen(t *testing.T) {
	f := function(t, join, isa)
	for _, optimise := range []bool{true, false} {
		var want, seen []string
		for i := range lower.Passes {
			p := &lower.Passes[i]
			require.NotEmpty(t, p.Doc)
			if optimise || p.Needed() {
				want = append(want, p.Name)
			}
		}
		lower.Run(ir.Clone(f), optimise, nil, func(p *lower.Pass, g *ir.Func) {
			seen = append(seen, p.Name)
			require.NoError(t, ir.Verify(g))
			require.NoError(t, sample(f, g, 20))
		})
		require.Equal(t, want, seen)
	}
}
