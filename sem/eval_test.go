package sem

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// column splits values into words.
func column(vs []Val, w int) Col {
	c := Col{Lo: make([]uint64, len(vs))}
	if w > 64 {
		c.Hi = make([]uint64, len(vs))
	}
	for i, v := range vs {
		c.Lo[i] = v.Lo
		if w > 64 {
			c.Hi[i] = v.Hi
		}
	}
	return c
}

func (c Col) at(i int) Val {
	v := U(c.Lo[i])
	if c.Hi != nil {
		v.Hi = c.Hi[i]
	}
	return v
}

// agree runs the roots on the vectors and compares each result with Eval's.
func agree(t *testing.T, params []*Term, vecs [][]Val, roots ...*Term) {
	t.Helper()
	p := Compile(params, roots...)
	var in, out []Col
	for _, v := range params {
		var vs []Val
		for _, vec := range vecs {
			vs = append(vs, vec[len(in)])
		}
		in = append(in, column(vs, v.W))
	}
	for _, r := range roots {
		out = append(out, column(make([]Val, len(vecs)), r.W))
	}
	p.Run(in, out)
	env := map[string]Val{}
	for i, vec := range vecs {
		for j, v := range params {
			env[v.Name] = vec[j]
		}
		for j, r := range roots {
			want, got := Eval(r, env), out[j].at(i)
			if want != got {
				t.Fatalf("%s of %d bits at %v: Run gives %s, Eval %s", r, r.W, env, got, want)
			}
		}
	}
	if len(vecs) > 0 {
		for j, v := range p.Eval(vecs[0]...) {
			require.Equal(t, out[j].at(0), v)
		}
	}
}

// each calls f with a node of every primitive over variables, for a result of w
// bits where there is one.
func each(r *rand.Rand, w, maxW int, f func(params []*Term, t *Term)) {
	for op := OpAdd; op < NumOps; op++ {
		w := w
		if op == OpEq || op == OpUlt || op == OpSlt {
			w = 1
		}
		ws, k, ok := shape(r, op, w, maxW)
		if !ok {
			continue
		}
		if w == 1 && op >= OpEq && op <= OpSlt {
			ws[0], ws[1] = maxW, maxW
		}
		b := NewBuilder()
		var vs []*Term
		for i, vw := range ws {
			vs = append(vs, b.Var(string(rune('a'+i)), vw))
		}
		f(vs, raw(b, op, w, k, vs...))
	}
}

func TestRunEqualsEvalOnAllValuesOfSmallWidths(t *testing.T) {
	r := rng(t)
	for w := 1; w <= 4; w++ {
		for maxW := w; maxW <= 5; maxW++ {
			for range 3 { // the shapes of concat and extract vary
				each(r, w, maxW, func(vs []*Term, x *Term) {
					var vecs [][]Val
					bits := 0
					for _, v := range vs {
						bits += v.W
					}
					for n := range uint64(1) << bits {
						var vec []Val
						for _, v := range vs {
							vec = append(vec, U(n).Cut(v.W))
							n >>= v.W
						}
						vecs = append(vecs, vec)
					}
					agree(t, vs, vecs, x)
				})
			}
		}
	}
}

func TestRunEqualsEvalOnRandomValuesOfAllWidths(t *testing.T) {
	r := rng(t)
	for w := 1; w <= 128; w++ {
		n := 60
		switch w {
		case 31, 32, 33, 63, 64, 65, 127, 128:
			n = 600
		}
		each(r, w, min(128, w+r.IntN(40)), func(vs []*Term, x *Term) { agree(t, vs, randomVecs(r, vs, n), x) })
		each(r, w, w, func(vs []*Term, x *Term) { agree(t, vs, randomVecs(r, vs, n), x) })
	}
}

func randomVecs(r *rand.Rand, vs []*Term, n int) [][]Val {
	vecs := make([][]Val, n)
	for i := range vecs {
		for _, v := range vs {
			x := edge(r, v.W)
			if r.IntN(4) == 0 {
				x = U(uint64(r.IntN(v.W + 2))).Cut(v.W)
			}
			vecs[i] = append(vecs[i], x)
		}
	}
	return vecs
}

func TestRunEqualsEvalOnRandomTerms(t *testing.T) {
	r := rng(t)
	for _, maxW := range []int{4, 33, 64, 65, 66, 128} {
		for n := range 400 {
			widths := []int{maxW, maxW, min(maxW, 32), min(maxW, 32), 1, 1 + r.IntN(maxW)}
			z := newZoo(r, maxW, widths, raw, built)
			var roots [2][]*Term
			for range 1 + n%3 {
				for m, x := range z.term(1+r.IntN(maxW), 1+r.IntN(6)) {
					roots[m] = append(roots[m], x)
				}
			}
			for m := range roots {
				agree(t, z.vars[m], randomVecs(r, z.vars[m], 70), roots[m]...)
			}
		}
	}
}

// TestRunEqualsEvalOnWideTermsOfEachShape goes through what the compiler does
// by constants and by what it knows of a value: shifts, bits, products and
// bitwise operations of wide values that do and that do not fit one word.
func TestRunEqualsEvalOnWideTermsOfEachShape(t *testing.T) {
	r := rng(t)
	for _, w := range []int{65, 66, 96, 127, 128} {
		b := NewBuilder()
		x, y, c := b.Var("x", w), b.Var("y", 64), b.Var("c", 1)
		vs := []*Term{x, y, c}
		sources := []*Term{
			x, raw(b, OpZext, w, Val{}, y), raw(b, OpSext, w, Val{}, y), b.Zext(b.Bits(y, 31, 0), w), b.Sext(b.Bits(y, 40, 0), w),
			b.Const(Val{1, 0}, w), b.Const(Val{0, ^uint64(0)}, w), b.Const(Val{^uint64(0), 0}, w), b.S(-5, w), b.U(9, w),
		}
		var roots []*Term
		for _, s := range sources {
			for _, op := range []Op{OpShl, OpLshr, OpAshr} {
				for k := 0; k <= w; k++ {
					roots = append(roots, raw(b, op, w, Val{}, s, b.U(uint64(k), w)))
				}
			}
			for lo := range w {
				for _, n := range []int{1, 7, 32, 63, 64, 65, 100} {
					if lo+n < w {
						e := raw(b, OpExtract, n, U(uint64(lo)), s)
						roots = append(roots, e, raw(b, OpSext, 128, Val{}, e))
					}
				}
			}
			for _, u := range sources {
				for _, op := range []Op{OpAdd, OpSub, OpMul, OpAnd, OpOr, OpXor} {
					roots = append(roots, raw(b, op, w, Val{}, s, u))
				}
				for _, op := range []Op{OpEq, OpUlt, OpSlt} {
					roots = append(roots, raw(b, op, 1, Val{}, s, u), raw(b, OpIte, w, Val{}, raw(b, op, 1, Val{}, s, u), u, s))
				}
				roots = append(roots, raw(b, OpIte, w, Val{}, c, s, u))
			}
		}
		vecs := randomVecs(r, vs, 12)
		agree(t, vs, vecs, roots...)
		for i := 0; i < len(roots); i += 7 { // alone, nothing is there already
			agree(t, vs, vecs, roots[i])
		}
	}
}

func TestRunTakesAnyNumberOfVectorsAndOutputsInPlace(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 32), b.Var("y", 32)
	p := Compile([]*Term{x, y}, b.Sub(x, y), y, b.U(7, 100))
	for _, n := range []int{0, 1, 63, 64, 65, 511, 512, 513, 2000} {
		a, c, k := column(make([]Val, n), 32), column(make([]Val, n), 32), column(make([]Val, n), 100)
		for i := range n {
			a.Lo[i], c.Lo[i] = uint64(i), uint64(3*i)
		}
		p.Run([]Col{a, c}, []Col{a, c, k})
		for i := range n {
			require.Equal(t, []uint64{uint64(uint32(-2 * i)), uint64(3 * i), 7, 0}, []uint64{a.Lo[i], c.Lo[i], k.Lo[i], k.Hi[i]})
		}
	}
}

func TestRunIsSafeForConcurrentUseAndDoesNotAllocate(t *testing.T) {
	p, in, want := vmadColumns(4096)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			out := []Col{{Lo: make([]uint64, 4096)}}
			for range 20 {
				p.Run(in, out)
				for i, v := range out[0].Lo {
					if v != want[i] {
						t.Errorf("vector %d: %#x, want %#x", i, v, want[i])
						return
					}
				}
			}
		})
	}
	wg.Wait()
	out := []Col{{Lo: make([]uint64, 4096)}}
	if n := testing.AllocsPerRun(100, func() { p.Run(in, out) }); n >= 1 {
		t.Errorf("Run allocates %v times", n)
	}
}

func TestCompileAndEvalNameAVariableThatIsMissing(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 8), b.Var("why", 8)
	require.PanicsWithValue(t, "sem: free variable why is not a parameter", func() { Compile([]*Term{x}, b.Add(x, y)) })
	require.PanicsWithValue(t, "sem: free variable why", func() { Eval(b.Add(x, y), map[string]Val{"x": {}}) })
	require.PanicsWithValue(t, "sem: parameter x + why is not a variable", func() { Compile([]*Term{b.Add(x, y)}, x) })
	p := Compile([]*Term{x}, x)
	require.Panics(t, func() { p.Run([]Col{{Lo: make([]uint64, 3)}}, []Col{{Lo: make([]uint64, 2)}}) })
	require.Panics(t, func() { p.Run([]Col{{Lo: make([]uint64, 3)}}, nil) })
	require.Panics(t, func() { p.Eval() })
	require.PanicsWithValue(t, "sem: a column of 3 and 0 words for 3 vectors of 65 bits", func() {
		Compile(nil, b.U(1, 65)).Run(nil, []Col{{Lo: make([]uint64, 3)}})
	})
	Compile(nil).Run(nil, nil)
}

func TestCompiledCodeExtendsAndMasksOnlyWhereNeeded(t *testing.T) {
	b := NewBuilder()
	x, y, c, cf := b.Var("x", 32), b.Var("y", 32), b.Var("c", 32), b.Var("cf", 1)
	p, q := b.Var("p", 64), b.Var("q", 64)
	params := []*Term{x, y, c, cf, p, q}
	sum, carry := b.AddCarry(x, y, cf)
	sum64, carry64 := b.AddCarry(p, q, cf)
	vmad, d := vmadTerm(b)
	for _, tt := range []struct {
		name  string
		want  int
		roots []*Term
	}{
		{"a sum: add, mask", 2, []*Term{b.Add(x, y)}},
		{"a chain of sums: one mask", 4, []*Term{b.Sub(b.Add(b.Add(x, y), c), b.U(5, 32))}},
		{"bits: one operation", 1, []*Term{b.Bits(x, 15, 8)}},
		{"a masked sum: one mask", 2, []*Term{b.And(b.Add(x, y), b.U(0xff, 32))}},
		{"parts that are there: nothing", 0, []*Term{x, p, b.U(3, 128), b.Zext(x, 100)}},
		{"mad.hi: mul, shift, add, mask", 4, []*Term{b.Add(b.Bits(b.Mul(b.Zext(x, 64), b.Zext(y, 64)), 63, 32), c)}},
		{"an add with carries: two adds, mask, shift", 4, []*Term{sum, carry}},
		{"a 64-bit add with carries: two adds of two words", 2, []*Term{sum64, carry64}},
		{"a 64×64 product: one operation", 1, []*Term{b.Mul(b.Zext(p, 128), b.Zext(q, 128))}},
		{"the low half of it: one operation", 1, []*Term{b.Bits(b.Mul(b.Zext(p, 128), b.Zext(q, 128)), 63, 0)}},
		{"vmad with a clamp of 65 bits: in one word", 11, []*Term{d}},
	} {
		ps := params
		if tt.roots[0] == d {
			ps = vmad
		}
		prog := Compile(ps, tt.roots...)
		require.Len(t, prog.code, tt.want, "%s:\n%s", tt.name, listing(prog))
	}
}

func listing(p *Prog) string {
	s := ""
	for _, in := range p.code {
		s += fmt.Sprintf("%+v\n", in)
	}
	return s
}
