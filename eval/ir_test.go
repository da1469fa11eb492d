package eval_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/sem"
)

// walk is the plainest interpreter: an operation at a time, a Builder that folds
// constants for each.
func walk(f *ir.Func, in []sem.Val, blocks int) ([]sem.Val, error) {
	vals := map[*ir.Value][]*sem.Term{}
	b := sem.NewBuilder()
	get := func(v *ir.Value) *sem.Term {
		switch v.Op {
		case ir.Const, ir.Undef:
			return v.Meaning(b, nil, f.Model)[0]
		case ir.Result:
			return vals[v.Args[0]][v.Index]
		}
		return vals[v][0]
	}
	for i, p := range f.Params {
		vals[p] = []*sem.Term{b.Const(in[i], p.W)}
	}
	var from *ir.Block
	for blk := f.Blocks[0]; blocks > 0; blocks-- {
		next := map[*ir.Value][]*sem.Term{}
		for _, v := range blk.Vals {
			if v.Op == ir.Phi {
				for i, p := range blk.Preds {
					if p == from {
						next[v] = []*sem.Term{get(v.Args[i])}
					}
				}
			}
		}
		for v, t := range next {
			vals[v] = t
		}
		for _, v := range blk.Vals {
			if v.Op != ir.Phi && v.Op != ir.Result {
				var args []*sem.Term
				for _, a := range v.Args {
					args = append(args, get(a))
				}
				vals[v] = v.Meaning(b, args, f.Model)
			}
		}
		from = blk
		switch blk.Term {
		case ir.Ret:
			out := []sem.Val{}
			for _, v := range blk.Args {
				out = append(out, get(v).K)
			}
			return out, nil
		case ir.Br:
			blk = blk.Succs[0]
		case ir.CondBr:
			blk = blk.Succs[1-get(blk.Args[0]).K.Lo]
		case ir.Unreachable:
			return nil, eval.ErrUnreachable
		}
	}
	return nil, eval.ErrSteps
}

// vectors gives lanes of inputs as rows.
func vectors(f *ir.Func, lanes int, seed uint64) ([]sem.Col, [][]sem.Val) {
	widths := make([]int, len(f.Params))
	for i, p := range f.Params {
		widths[i] = p.W
	}
	cols := eval.Vectors(widths, lanes, seed)
	rows := make([][]sem.Val, lanes)
	for l := range rows {
		rows[l] = make([]sem.Val, len(cols))
		for i := range cols {
			rows[l][i] = at(cols[i], l)
		}
	}
	return cols, rows
}

func at(c sem.Col, l int) sem.Val {
	if c.Hi == nil {
		return sem.U(c.Lo[l])
	}
	return sem.Val{Hi: c.Hi[l], Lo: c.Lo[l]}
}

const steps = 100000

func TestRunningAgreesWithAPlainInterpreter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Loops).Draw(t, "f")
		p := eval.CompileIR(f)
		_, rows := vectors(f, 8, rapid.Uint64().Draw(t, "seed"))
		for _, in := range rows {
			want, err := walk(f, in, steps)
			require.NoError(t, err)
			got, err := p.Run(in, steps)
			require.NoError(t, err)
			require.Equal(t, want, got, "%v\n%s", in, f)
		}
	})
}

func TestTermsAgreeWithRunning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(rapid.SampledFrom([]irtest.Shape{irtest.Straight, irtest.Acyclic}).Draw(t, "shape")).Draw(t, "f")
		b := sem.NewBuilder()
		var params []*sem.Term
		for i, p := range f.Params {
			params = append(params, b.Var(fmt.Sprint("p", i), p.W))
		}
		terms, err := eval.Terms(f, b, params)
		require.NoError(t, err)
		require.Len(t, terms, len(f.Results))
		for i, w := range f.Results {
			require.Equal(t, w, terms[i].W)
		}
		_, rows := vectors(f, 8, rapid.Uint64().Draw(t, "seed"))
		for _, in := range rows {
			env := map[string]sem.Val{}
			for i, v := range in {
				env[fmt.Sprint("p", i)] = v
			}
			want, err := walk(f, in, steps)
			require.NoError(t, err)
			for i, x := range terms {
				require.Equal(t, want[i], sem.Eval(x, env), "result %d of %v\n%s", i, in, f)
			}
		}
	})
}

func TestABatchAgreesWithItsLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(rapid.SampledFrom([]irtest.Shape{irtest.Straight, irtest.Acyclic, irtest.Loops}).Draw(t, "shape")).Draw(t, "f")
		lanes := 5
		if len(f.Params) == 0 {
			lanes = 1
		}
		cols, rows := vectors(f, lanes, rapid.Uint64().Draw(t, "seed"))
		out, err := eval.RunIRBatch(f, cols, steps)
		require.NoError(t, err)
		require.Len(t, out, len(f.Results))
		for l, in := range rows {
			want, err := eval.RunIR(f, in, steps)
			require.NoError(t, err)
			for i := range out {
				require.Equal(t, want[i], at(out[i], l))
			}
		}
	})
}

// dags are functions whose branches join in any way that is not a loop; each
// block knows by which edges it was reached.
var dags = rapid.Custom(func(t *rapid.T) *ir.Func {
	f := ir.NewFunc("dag")
	f.Results = []int{64}
	n := rapid.IntRange(1, 10).Draw(t, "blocks")
	for i := range n {
		f.Param("", 1)
		if i > 0 {
			f.NewBlock("")
		}
	}
	for i, b := range f.Blocks {
		var trace *ir.Value = f.Const(sem.U(1), 64)
		if i > 0 {
			trace = b.Phi(64)
			for _, p := range b.Preds {
				trace.Args = append(trace.Args, p.Vals[len(p.Vals)-1])
			}
		}
		x := b.New(ir.Mul, 64, trace, f.Const(sem.U(31), 64))
		x = b.New(ir.Add, 64, x, f.Const(sem.U(uint64(i)), 64))
		to := func() *ir.Block { return f.Blocks[rapid.IntRange(i+1, n-1).Draw(t, "to")] }
		switch {
		case i == n-1 || rapid.IntRange(0, 5).Draw(t, "ret") == 0:
			b.Ret(x)
		case rapid.IntRange(0, 3).Draw(t, "br") == 0:
			b.Br(to())
		default:
			b.CondBr(f.Params[rapid.IntRange(0, n-1).Draw(t, "condition")], to(), to())
		}
	}
	ir.RemoveUnreachable(f)
	return f
})

func TestTermsFollowEveryPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := dags.Draw(t, "f")
		require.NoError(t, ir.Verify(f))
		cols, rows := vectors(f, 16, rapid.Uint64().Draw(t, "seed"))
		out, err := eval.RunIRBatch(f, cols, steps)
		require.NoError(t, err)
		for l, in := range rows {
			want, err := walk(f, in, steps)
			require.NoError(t, err)
			require.Equal(t, want[0], at(out[0], l), "%v\n%s", in, f)
		}
	})
}

func parse(t testing.TB, text string) *ir.Func {
	t.Helper()
	f, err := ir.ParseFunc(text)
	require.NoError(t, err)
	return f
}

const power = `func @power(%x: i128, %n: i32) -> (i128, i32) {
entry:
  br loop
loop:
  %r: i128 = phi [1, entry], [%next, body]
  %i: i32 = phi [0, entry], [%j, body]
  %more: i1 = icmp ult %i, %n
  condbr %more, body, done
body:
  %next: i128 = mul %r, %x
  %j: i32 = add %i, 1
  br loop
done:
  ret %r, %i
}
`

func TestALoopRunsToItsEnd(t *testing.T) {
	f := parse(t, power)
	got, err := eval.RunIR(f, []sem.Val{sem.U(3), sem.U(50)}, steps)
	require.NoError(t, err)
	require.Equal(t, sem.U(50), got[1])
	want := sem.U(1)
	for range 50 {
		want = want.Mul(sem.U(3))
	}
	require.Equal(t, want, got[0])
	require.NotZero(t, want.Hi)
}

func TestARunEndsAfterTheStepsAllowed(t *testing.T) {
	f := parse(t, power)
	in := []sem.Val{sem.U(3), sem.U(10)}
	p := eval.CompileIR(f)
	// entry, eleven times loop, ten times body, done
	_, err := p.Run(in, 23)
	require.NoError(t, err)
	_, err = p.Run(in, 22)
	require.ErrorIs(t, err, eval.ErrSteps)
	_, err = p.RunBatch([]sem.Col{{Lo: []uint64{3, 3}, Hi: []uint64{0, 0}}, {Lo: []uint64{5, 10}}}, 22)
	require.ErrorIs(t, err, eval.ErrSteps)
	require.ErrorContains(t, err, "lane 1: ")
}

func TestPhisAreCopiedAllAtOnce(t *testing.T) {
	f := parse(t, `func @swap(%x: i8, %y: i8, %n: i8) -> (i8, i8) {
entry:
  br loop
loop:
  %a: i8 = phi [%x, entry], [%b, loop]
  %b: i8 = phi [%y, entry], [%a, loop]
  %i: i8 = phi [0, entry], [%j, loop]
  %j: i8 = add %i, 1
  %more: i1 = icmp ult %j, %n
  condbr %more, loop, done
done:
  ret %a, %b
}
`)
	for n := range 5 {
		got, err := eval.RunIR(f, []sem.Val{sem.U(1), sem.U(2), sem.U(uint64(n))}, steps)
		require.NoError(t, err)
		swapped := max(n, 1)%2 == 0
		require.Equal(t, swapped, got[0] == sem.U(2), n)
		require.Equal(t, swapped, got[1] == sem.U(1), n)
	}
}

func TestACarryCrossesBlocks(t *testing.T) {
	f := parse(t, `func @f(%a: i32, %p: i1) -> (i32, i1) {
entry:
  %b: i32 = add %a, 1
  %1 = add.cc.u32 %a, %b
  condbr %p, next, next
next:
  %x: i32 = phi [%1, entry], [%1, entry]
  %c: i1 = result 1, %1
  %2 = addc.u32 %x, 0, %c
  condbr %p, yes, no
yes:
  ret %2, %c
no:
  unreachable
}
`)
	p := eval.CompileIR(f)
	for _, a := range []uint64{0x80000000, 5} {
		got, err := p.Run([]sem.Val{sem.U(a), sem.U(1)}, steps)
		require.NoError(t, err)
		sum := a + a + 1
		require.Equal(t, []sem.Val{sem.U(sum&0xffffffff + sum>>32), sem.U(sum >> 32)}, got)
	}
	_, err := p.Run([]sem.Val{sem.U(5), sem.U(0)}, steps)
	require.ErrorIs(t, err, eval.ErrUnreachable)
	_, err = p.RunBatch([]sem.Col{{Lo: []uint64{5}}, {Lo: []uint64{0}}}, steps)
	require.ErrorIs(t, err, eval.ErrUnreachable)

	b := sem.NewBuilder()
	x, q := b.Var("a", 32), b.Var("p", 1)
	terms, err := eval.Terms(f, b, []*sem.Term{x, q})
	require.NoError(t, err)
	require.NotContains(t, sem.Vars(terms...), q, "the end that is not reached asks for nothing")
}

func TestADiamondIsOneChoice(t *testing.T) {
	f := parse(t, `func @f(%a: i32, %p: i1, %q: i1) -> (i32) {
entry:
  condbr %p, yes, no
yes:
  condbr %q, both, one
both:
  br inner
one:
  br inner
inner:
  %x: i32 = phi [1, both], [2, one]
  br join
no:
  br join
join:
  %y: i32 = phi [%x, inner], [%a, no]
  condbr %q, end, back
back:
  br end
end:
  ret %y
}
`)
	b := sem.NewBuilder()
	a, p, q := b.Var("a", 32), b.Var("p", 1), b.Var("q", 1)
	terms, err := eval.Terms(f, b, []*sem.Term{a, p, q})
	require.NoError(t, err)
	require.Equal(t, b.Ite(p, b.Ite(q, b.U(1, 32), b.U(2, 32)), a), terms[0])
}

func TestTermsRefuse(t *testing.T) {
	b := sem.NewBuilder()
	x, n := b.Var("x", 128), b.Var("n", 32)
	_, err := eval.Terms(parse(t, power), b, []*sem.Term{x, n})
	require.EqualError(t, err, "power loops")
	_, err = eval.Terms(parse(t, power), b, []*sem.Term{x})
	require.EqualError(t, err, "1 terms for the 2 parameters of power")
	_, err = eval.Terms(parse(t, "func @f() {\nentry:\n  unreachable\n}\n"), b, nil)
	require.EqualError(t, err, "f does not return")
	_, err = eval.RunIR(parse(t, power), nil, steps)
	require.EqualError(t, err, "0 values for the 2 parameters of power")
	_, err = eval.RunIRBatch(parse(t, power), nil, steps)
	require.EqualError(t, err, "0 columns for the 2 parameters of power")
}

func TestTheModelOfAFunctionCounts(t *testing.T) {
	in := []sem.Val{{}, {}, sem.U(0x80000000)}
	for model, want := range map[string]uint64{"": 0x80000000, " vmad=ptxas": 0} {
		text := "func @f(%a: i32, %b: i32, %c: i32) -> (i32)" + model + " {\nentry:\n  %1 = vmad.u32.u32.u32.sat %a, %b, %c\n  ret %1\n}\n"
		got, err := eval.RunIR(parse(t, text), in, steps)
		require.NoError(t, err)
		require.Equal(t, sem.U(want), got[0])
	}
}

func TestInputsAreCutToTheirWidths(t *testing.T) {
	f := parse(t, "func @f(%a: i8) -> (i8, i16) {\nentry:\n  %1: i16 = zext %a\n  ret %a, %1\n}\n")
	got, err := eval.RunIR(f, []sem.Val{sem.S(-1)}, 1)
	require.NoError(t, err)
	require.Equal(t, []sem.Val{sem.U(255), sem.U(255)}, got)
}

func TestRunsMayBeConcurrent(t *testing.T) {
	p := eval.CompileIR(parse(t, power))
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for n := range 200 {
				got, err := p.Run([]sem.Val{sem.U(uint64(g)), sem.U(uint64(n % 20))}, steps)
				want := uint64(1)
				for range n % 20 {
					want *= uint64(g)
				}
				if err != nil || got[0] != sem.U(want) {
					t.Errorf("%d to the %d is %v, %v", g, n%20, got, err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkRunLoop(b *testing.B) {
	p := eval.CompileIR(parse(b, power))
	in := []sem.Val{sem.U(3), sem.U(1000)}
	for b.Loop() {
		if _, err := p.Run(in, steps); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/block")
}

func BenchmarkBatch(b *testing.B) {
	f := parse(b, "func @f(%a: i32, %b: i32, %c: i32) -> (i32) {\nentry:\n  %1 = vmad.s32.s32.s32.sat.shr7 %a, %b, %c\n  ret %1\n}\n")
	p := eval.CompileIR(f)
	cols := eval.Vectors([]int{32, 32, 32}, 4096, 1)
	for b.Loop() {
		if _, err := p.RunBatch(cols, steps); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/lane")
}
