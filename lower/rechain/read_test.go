package rechain

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// evaluate gives every node of a graph its value, the leaves being given.
func evaluate(g *graph, leafValue func(n *node) *big.Int) []*big.Int {
	out := make([]*big.Int, len(g.nodes))
	times := func(c num, x *big.Int) *big.Int { return new(big.Int).Mul(c.integer(), x) }
	for i := range g.nodes {
		n := &g.nodes[i]
		x := new(big.Int)
		switch n.kind {
		case leaf:
			x = leafValue(n)
		case prod:
			x.Mul(out[n.a], out[n.b])
		case floor:
			x.Rsh(out[n.a], uint(n.w))
		case atom:
			x = out[n.a]
		case lin:
			x.Set(n.c.integer())
			for _, t := range n.terms {
				x.Add(x, times(t.c, out[t.v]))
			}
		}
		out[i] = x
	}
	return out
}

func bigOf(v sem.Val) *big.Int {
	x := new(big.Int).SetUint64(v.Hi)
	return x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(v.Lo))
}

func bigBound(b bound) *big.Int { return bigOf(sem.Val{Hi: b.hi, Lo: b.lo}) }

// equationsHold reads a function of one block and compares every value that has
// an equation with what it is.
func equationsHold(t require.TestingT, f *ir.Func, in []sem.Val) (family int) {
	all := ir.Clone(f)
	b := all.Blocks[0]
	b.Args, all.Results = nil, nil
	for _, v := range b.Vals {
		b.Args = append(b.Args, v)
		all.Results = append(all.Results, v.W)
	}
	got, err := eval.RunIR(all, in, 10)
	require.NoError(t, err)
	is := map[*ir.Value]*big.Int{}
	for i, p := range all.Params {
		is[p] = bigOf(in[i].Cut(p.W))
	}
	for i, v := range b.Vals {
		is[v] = bigOf(got[i])
	}
	g := newGraph()
	r := newReader(g, all, nil)
	r.block(b.Vals)
	for _, v := range b.Vals {
		if r.family(v) {
			g.words(r.of[v.ID])
		}
	}
	vals := evaluate(g, func(n *node) *big.Int {
		x := new(big.Int).Rsh(is[n.val], uint(n.a))
		return x.And(x, bigBound(ones(n.w)))
	})
	for i, x := range vals {
		require.GreaterOrEqual(t, x.Sign(), 0, "node %d", i)
		if m := g.nodes[i].max; !m.inf {
			require.LessOrEqual(t, x.Cmp(bigBound(m)), 0, "bound of node %d of %s", i, f)
		}
	}
	for _, v := range b.Vals {
		if x := r.of[v.ID]; x != none {
			family++
			require.Zero(t, vals[x].Cmp(is[v]), "%s in %s", v, f)
		}
	}
	return family
}

// value is a value of w bits that is an edge more often than not.
func value(rnd *rand.Rand, w int) sem.Val {
	c := column(rnd, w, ones(w), 4)
	v := sem.Val{Lo: c.Lo[rnd.IntN(4)]}
	if c.Hi != nil {
		v.Hi = c.Hi[rnd.IntN(4)]
	}
	return v.Cut(w)
}

func inputs(rnd *rand.Rand, f *ir.Func) []sem.Val {
	var in []sem.Val
	for _, p := range f.Params {
		in = append(in, value(rnd, p.W))
	}
	return in
}

func TestEquationsHoldInRandomFunctions(t *testing.T) {
	family := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := irtest.Funcs(irtest.Straight).Draw(rt, "f")
		if !f.StraightLine() {
			return
		}
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for range 4 {
			family += equationsHold(rt, f, inputs(rnd, f))
		}
	})
	require.Greater(t, family, 100)
}

// randomChain makes straight-line code of the family: products, additions and
// subtractions with and without carries, of 32 and 64 bits, shifts, packs.
func randomChain(rnd *rand.Rand, n int) *ir.Func {
	f := ir.NewFunc("chain")
	b := f.Blocks[0]
	have := map[int][]*ir.Value{}
	put := func(vs ...*ir.Value) {
		for _, v := range vs {
			have[v.W] = append(have[v.W], v)
		}
	}
	for _, w := range []int{32, 32, 32, 32, 64, 64, 1, 16} {
		put(f.Param("", w))
	}
	pick := func(w int) *ir.Value {
		vs := have[w]
		switch {
		case rnd.IntN(8) == 0:
			return f.Const(value(rnd, w), w)
		case len(vs) > 4 && rnd.IntN(3) > 0: // recent ones make chains
			vs = vs[len(vs)-4:]
		}
		return vs[rnd.IntN(len(vs))]
	}
	forms := []ptx.Form{{Op: ptx.Mul, Mode: ptx.Lo}, {Op: ptx.Mul, Mode: ptx.Hi}, {Op: ptx.Mad, Mode: ptx.Lo}, {Op: ptx.Mad, Mode: ptx.Hi},
		{Op: ptx.Mad, Mode: ptx.Lo, CC: true}, {Op: ptx.Madc, Mode: ptx.Hi, CC: true}, {Op: ptx.Madc, Mode: ptx.Lo, CC: true}, {Op: ptx.Madc, Mode: ptx.Hi},
		{Op: ptx.Add}, {Op: ptx.Sub}, {Op: ptx.Add, CC: true}, {Op: ptx.Addc, CC: true}, {Op: ptx.Addc}, {Op: ptx.Sub, CC: true},
		{Op: ptx.Subc, CC: true}, {Op: ptx.Subc}}
	other := []ptx.Form{{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}, {Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32}, {Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U16},
		{Op: ptx.Mov, T: ptx.B64, Pack: 2}, {Op: ptx.Mov, T: ptx.B64, Pack: -2}, {Op: ptx.Mov, T: ptx.B32, Pack: -2}, {Op: ptx.Mov, T: ptx.B32, Pack: 2},
		{Op: ptx.Cvt, T: ptx.U64, A: ptx.U32}, {Op: ptx.Cvt, T: ptx.U32, A: ptx.U64}, {Op: ptx.Not, T: ptx.B32},
		{Op: ptx.Setp, Cmp: ptx.Lt, T: ptx.U32}, {Op: ptx.Setp, Cmp: ptx.Gt, T: ptx.U64}, {Op: ptx.Xor, T: ptx.B32}, {Op: ptx.Min, T: ptx.U32}}
	shifts := []ptx.Form{{Op: ptx.Shl, T: ptx.B32}, {Op: ptx.Shl, T: ptx.B64}, {Op: ptx.Shr, T: ptx.U32}, {Op: ptx.Shr, T: ptx.U64}, {Op: ptx.Shr, T: ptx.S32}}
	for range n {
		var g ptx.Form
		switch rnd.IntN(8) {
		default:
			g = forms[rnd.IntN(len(forms))]
			g.T = []ptx.Type{ptx.U32, ptx.U32, ptx.U64, ptx.S32}[rnd.IntN(4)]
		case 0:
			g = other[rnd.IntN(len(other))]
		case 1:
			if rnd.IntN(2) == 0 {
				g = shifts[rnd.IntN(len(shifts))]
				put(b.PTX(g, pick(g.T.Bits()), f.Const(sem.U(uint64(rnd.IntN(g.T.Bits()+2))), 32))...)
				continue
			}
			k := f.Const(sem.U(uint64(rnd.IntN(40))), 32)
			switch rnd.IntN(4) {
			case 0:
				put(b.PTX(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, Wrap: rnd.IntN(2) == 0, T: ptx.B32}, pick(32), pick(32), k)...)
			case 1:
				put(b.PTX(ptx.Form{Op: ptx.Shf, Mode: ptx.Right, Wrap: rnd.IntN(2) == 0, T: ptx.B32}, pick(32), pick(32), k)...)
			case 2:
				put(b.PTX(ptx.Form{Op: ptx.And, T: ptx.B32}, pick(32), f.Const(sem.U(1<<rnd.IntN(32)-1), 32))...)
			case 3:
				put(b.PTX(ptx.Form{Op: ptx.Selp, T: ptx.B32}, f.Const(sem.U(1), 32), f.Const(sem.Val{}, 32), pick(1))...)
			}
			continue
		}
		var args []*ir.Value
		for _, w := range ir.ArgWidths(g) {
			args = append(args, pick(w))
		}
		put(b.PTX(g, args...)...)
	}
	var rets []*ir.Value
	for range 1 + rnd.IntN(6) {
		w := []int{32, 32, 64, 1}[rnd.IntN(4)]
		if vs := have[w]; len(vs) > 0 {
			rets = append(rets, vs[len(vs)-1-rnd.IntN(min(len(vs), 4))])
		}
	}
	for _, v := range rets {
		f.Results = append(f.Results, v.W)
	}
	b.Ret(rets...)
	ir.RemoveDead(f)
	return f
}

func TestEquationsHoldInRandomChains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	family := 0
	for range 1000 {
		f := randomChain(rnd, 3+rnd.IntN(25))
		for range 3 {
			family += equationsHold(t, f, inputs(rnd, f))
		}
	}
	require.Greater(t, family, 10_000)
}

func TestRandomChainsKeepTheirMeaning(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	changed, reports := 0, 0
	for range 450 {
		f := randomChain(rnd, 3+rnd.IntN(30))
		for class := Generic; class < NumClasses; class++ {
			g := ir.Clone(f)
			for _, rep := range Run(g, class) {
				reports++
				changed += btoi(rep.Changed)
				require.NotContains(t, rep.Reason, "fault", "%s", f)
				if rep.Changed {
					require.Less(t, rep.After.Ops, rep.Before.Ops)
				}
			}
			require.NoError(t, ir.Verify(g), "%s\n%s", f, g)
			for range 3 {
				in := inputs(rnd, f)
				want, err := eval.RunIR(f, in, 10)
				require.NoError(t, err)
				got, err := eval.RunIR(g, in, 10)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s\n%s", f, g)
			}
		}
	}
	t.Logf("%d regions, %d rewritten", reports, changed)
	require.Greater(t, changed, 200)
}

func TestRandomFunctionsKeepTheirMeaning(t *testing.T) {
	for _, shape := range []irtest.Shape{irtest.Straight, irtest.Loops} {
		rapid.Check(t, func(rt *rapid.T) {
			f := irtest.Funcs(shape).Draw(rt, "f")
			class := Class(rapid.IntRange(int(Generic), int(NumClasses)-1).Draw(rt, "class"))
			g := ir.Clone(f)
			Run(g, class)
			require.NoError(rt, ir.Verify(g))
			rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
			for range 3 {
				in := inputs(rnd, f)
				want, err := eval.RunIR(f, in, 100_000)
				require.NoError(rt, err)
				got, err := eval.RunIR(g, in, 100_000)
				require.NoError(rt, err)
				require.Equal(rt, want, got)
			}
		})
	}
}
