package sem

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sets are the facts of each shape over w bits: all patterns of known bits, all
// unsigned and all signed ranges.
func sets(w int) (out []Facts) {
	n := uint64(1) << w
	for zeros := range n {
		for ones := range n {
			if zeros&ones == 0 {
				out = append(out, KnownBits(U(zeros), U(ones), w))
			}
		}
	}
	for lo := range n {
		for hi := lo; hi < n; hi++ {
			out = append(out, Between(U(lo), U(hi), w))
			out = append(out, BetweenS(S(int64(lo)-int64(n/2)), S(int64(hi)-int64(n/2)), w))
		}
	}
	return out
}

func members(f Facts, w int) (out []Val) {
	for v := range uint64(1) << w {
		if f.Holds(U(v), w) {
			out = append(out, U(v))
		}
	}
	return out
}

// sound checks the facts of t against its value on all members of its
// operands' facts.
func sound(t *testing.T, x *Term, got Facts, in [3]Facts) {
	t.Helper()
	ms := [3][]Val{{{}}, {{}}, {{}}}
	for i, a := range x.Args() {
		ms[i] = members(in[i], a.W)
	}
	for _, a := range ms[0] {
		for _, b := range ms[1] {
			for _, c := range ms[2] {
				v := prims[x.Op].eval(x, a, b, c).Cut(x.W)
				if !got.Holds(v, x.W) {
					t.Fatalf("%s of %d bits at %s %s %s is %s, outside %+v, from %+v", x.Op, x.W, a, b, c, v, got, in)
				}
			}
		}
	}
}

func TestFactsHoldForAllOperandsOfSmallWidths(t *testing.T) {
	r := rng(t)
	all := map[int][]Facts{}
	for w := 1; w <= 4; w++ {
		all[w] = sets(w)
	}
	for w := 1; w <= 4; w++ {
		for range 3 {
			each(r, w, min(4, w+1), func(vs []*Term, x *Term) {
				pick := func(i int) []Facts {
					if i >= len(vs) {
						return []Facts{{}}
					}
					fs := all[vs[i].W]
					if len(vs) < 2 || vs[i].W < 4 && len(vs) < 3 {
						return fs
					}
					var some []Facts // all pairs of the wider ones are too many
					for range 25 {
						some = append(some, fs[r.IntN(len(fs))])
					}
					return some
				}
				for _, fa := range pick(0) {
					for _, fb := range pick(1) {
						for _, fc := range pick(2) {
							in := [3]Facts{fa, fb, fc}
							sound(t, x, prims[x.Op].facts(x, fa, fb, fc).tighten(x.W), in)
						}
					}
				}
			})
		}
	}
}

// TestKnownBitsAreTheBestPossible where that is within reach: all pairs of
// partly known operands of three bits.
func TestKnownBitsAreTheBestPossible(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 3), b.Var("y", 3)
	for _, op := range []Op{OpAdd, OpSub, OpAnd, OpOr, OpXor, OpNot, OpNeg, OpShl, OpLshr, OpAshr} {
		n := raw(b, op, 3, Val{}, []*Term{x, y}[:prims[op].arity]...)
		for _, fx := range sets(3)[:27] {
			for _, fy := range sets(3)[:27] {
				zeros, one := ones(3), ones(3)
				for _, v := range members(fx, 3) {
					for _, u := range members(fy, 3) {
						d := prims[op].eval(n, v, u, Val{}).Cut(3)
						zeros, one = zeros.And(d.Not()), one.And(d)
					}
				}
				f := prims[op].facts(n, fx, fy, Facts{}).tighten(3)
				if f.Zeros != zeros || f.Ones != one {
					t.Fatalf("%s: known %s %s, could be %s %s, from %+v %+v", op, f.Zeros, f.Ones, zeros, one, fx, fy)
				}
			}
		}
	}
}

// randomFacts are true facts of v.
func randomFacts(z *zoo, v Val, w int) Facts {
	switch z.r.IntN(4) {
	case 0:
		return Any(w)
	case 1:
		m := edge(z.r, w)
		return KnownBits(v.Not().And(m), v.And(m), w)
	case 2:
		u := edge(z.r, w)
		return Between(minU(u, v), maxU(u, v), w)
	}
	u, s := edge(z.r, w).SignExtend(w), v.SignExtend(w)
	return BetweenS(minS(u, s), maxS(u, s), w)
}

func TestFactsHoldForRandomTerms(t *testing.T) {
	r := rng(t)
	for _, maxW := range []int{4, 8, 32, 64, 65, 127, 128} {
		for range 300 {
			z := newZoo(r, maxW, []int{maxW, maxW, min(maxW, 32), 1}, raw, built)
			ts := z.term(1+r.IntN(maxW), 5)
			for m, x := range ts {
				for range 20 {
					env, assume := map[string]Val{}, map[*Term]Facts{}
					for _, v := range z.vars[m] {
						env[v.Name] = edge(r, v.W)
						assume[v] = randomFacts(z, env[v.Name], v.W)
					}
					a := NewAnalysis(assume)
					for _, y := range Order(x) {
						if v := Eval(y, env); !a.Of(y).Holds(v, y.W) {
							t.Fatalf("%s of %d bits at %v is %s, outside %+v; %+v", y, y.W, env, v, a.Of(y), assume)
						}
					}
				}
			}
		}
	}
}

func TestFactsKnowWhatLoweringAsks(t *testing.T) {
	b := NewBuilder()
	x, y, c := b.Var("x", 32), b.Var("y", 32), b.Var("c", 1)
	for _, tt := range []struct {
		name string
		t    *Term
		want func(Facts) bool
	}{
		{"a mask", b.And(x, b.U(0xffffff, 32)), func(f Facts) bool { return f.FitsU(24) && f.FitsS(25) && !f.FitsU(23) }},
		{"a sign-extended byte", b.Sext(b.Bits(x, 7, 0), 32), func(f Facts) bool { return f.FitsS(8) && !f.FitsS(7) && !f.FitsU(31) }},
		{"a 16×16 product", b.Mul(b.Zext(b.Bits(x, 15, 0), 32), b.Zext(b.Bits(y, 31, 16), 32)),
			func(f Facts) bool { return f.UMax == U(0xfffe0001) }},
		{"a signed product", b.Mul(b.Sext(x, 64), b.Sext(y, 64)),
			func(f Facts) bool { return f.SMax == U(1<<62) && f.SMin == S(-1<<62+1<<31) }},
		{"the high half of an unsigned product", b.Bits(b.Mul(b.Zext(x, 64), b.Zext(y, 64)), 63, 32),
			func(f Facts) bool { return f.UMax == U(1<<32-2) }},
		{"a sum with a carry", b.Sum(b.Zext(x, 33), b.Zext(y, 33), b.Zext(c, 33)),
			func(f Facts) bool { return f.UMax == U(1<<33-1) }},
		{"a clamp", b.Clamp(b.Sext(x, 40), b.S(-128, 40), b.S(127, 40)), func(f Facts) bool { return f.FitsS(8) }},
		{"an unsigned minimum", b.Ite(b.Ult(x, b.U(100, 32)), x, b.U(100, 32)), func(f Facts) bool { return f.UMax == U(100) }},
		{"an unsigned maximum", b.Ite(b.Ult(b.U(100, 32), x), x, b.U(100, 32)), func(f Facts) bool { return f.UMin == U(100) }},
		{"an unsigned minimum by its last arm", b.Ite(b.Ult(b.U(100, 32), x), b.U(100, 32), x), func(f Facts) bool { return f.UMax == U(100) }},
		{"an unsigned maximum by its last arm", b.Ite(b.Ult(x, b.U(100, 32)), b.U(100, 32), x), func(f Facts) bool { return f.UMin == U(100) }},
		{"a signed minimum", b.Ite(b.Slt(x, b.S(-9, 32)), x, b.S(-9, 32)), func(f Facts) bool { return f.SMax == S(-9) }},
		{"a signed maximum", b.Ite(b.Slt(b.S(-9, 32), x), x, b.S(-9, 32)), func(f Facts) bool { return f.SMin == S(-9) }},
		{"a value below another", b.Ite(b.Ult(x, b.U(100, 32)), x, b.U(0, 32)), func(f Facts) bool { return f.UMax == U(99) }},
		{"a value above another", b.Ite(b.Ult(b.U(100, 32), x), x, b.U(200, 32)), func(f Facts) bool { return f.UMin == U(101) }},
		{"a choice by equality", b.Ite(b.Eq(x, b.U(9, 32)), x, b.U(8, 32)), func(f Facts) bool { return f.UMin == U(8) && f.UMax == U(9) }},
		{"a shift by a count", b.Lshr(x, b.Or(b.Zext(b.Bits(y, 2, 0), 32), b.U(24, 32))), func(f Facts) bool { return f.FitsU(8) && !f.FitsU(7) }},
		{"the low bits of a product", b.Mul(b.ShlK(x, 2), b.ShlK(y, 3)), func(f Facts) bool { return f.Zeros == U(31) }},
		{"a comparison of ranges apart", b.Ult(b.And(x, b.U(7, 32)), b.Or(y, b.U(8, 32))), func(f Facts) bool { v, ok := f.Const(); return ok && v == U(1) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := b.Facts(tt.t, nil)
			require.True(t, tt.want(f), "%s: %+v", tt.t, f)
		})
	}
}

func TestEachKindOfFactImprovesTheOthers(t *testing.T) {
	s := func(v int64) Val { return S(v) }
	for _, tt := range []struct {
		name      string
		got, want Facts
	}{
		{"an unsigned range of positive values", Between(U(5), U(9), 8), Facts{U(0xf0), U(0), U(5), U(9), U(5), U(9)}},
		{"an unsigned range of negative values", Between(U(0xf7), U(0xfb), 8), Facts{U(0), U(0xf0), U(0xf7), U(0xfb), s(-9), s(-5)}},
		{"an unsigned range of both", Between(U(0x7f), U(0x80), 8), Facts{U(0), U(0), U(0x7f), U(0x80), s(-128), U(127)}},
		{"a signed range of negative values", BetweenS(s(-9), s(-5), 8), Facts{U(0), U(0xf0), U(0xf7), U(0xfb), s(-9), s(-5)}},
		{"a signed range of both", BetweenS(s(-1), s(1), 8), Facts{U(0), U(0), U(0), U(0xff), s(-1), U(1)}},
		{"known bits, sign too", KnownBits(U(0x81), U(2), 8), Facts{U(0x81), U(2), U(2), U(0x7e), U(2), U(0x7e)}},
		{"known bits, not the sign", KnownBits(U(2), U(1), 8), Facts{U(2), U(1), U(1), U(0xfd), s(-127), U(0x7d)}},
		{"a value", Exactly(s(-2), 100), Facts{U(1), ones(100).Xor(U(1)), ones(100).Xor(U(1)), ones(100).Xor(U(1)), s(-2), s(-2)}},
		{"a range of one value", Between(U(7), U(7), 8), Exactly(U(7), 8)},
		{"both", Between(U(3), U(9), 8).And(KnownBits(U(1), U(0), 8), 8), Facts{U(0xf1), U(0), U(3), U(9), U(3), U(9)}},
		{"either", Exactly(U(3), 8).Or(Exactly(s(-1), 8)), Facts{U(0), U(3), U(3), U(0xff), s(-1), U(3)}},
	} {
		require.Equal(t, tt.want, tt.got, tt.name)
	}
}

func TestFactsUseAssumptionsOfAnyTerm(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 32), b.Var("y", 32)
	s := b.Add(x, y)
	require.True(t, b.Facts(b.Add(s, b.U(1, 32)), map[*Term]Facts{s: Between(U(3), U(7), 32)}).FitsU(4))
	require.False(t, b.Facts(b.Add(s, b.U(1, 32)), nil).FitsU(31))
	choice := b.Ite(b.Var("c", 1), x, y)
	assume := map[*Term]Facts{choice: Between(U(3), U(7), 32)}
	require.True(t, b.Facts(b.Ite(b.Var("d", 1), choice, b.U(0, 32)), assume).FitsU(3))
}

func TestFactsOfContradictoryAssumptionsDoNotPanic(t *testing.T) {
	r := rng(t)
	for range 300 {
		z := newZoo(r, 40, []int{40, 32, 1}, raw)
		x := z.term(1+r.IntN(40), 5)[0]
		assume := map[*Term]Facts{}
		for _, v := range z.vars[0] {
			assume[v] = Facts{Zeros: edge(r, v.W), Ones: edge(r, v.W), UMin: edge(r, v.W), UMax: edge(r, v.W),
				SMin: edge(r, v.W).SignExtend(v.W), SMax: edge(r, v.W).SignExtend(v.W)}
		}
		NewAnalysis(assume).Of(x)
	}
}

func BenchmarkFacts(b *testing.B) {
	_, d := vmadTerm(NewBuilder())
	for b.Loop() {
		NewAnalysis(nil).Of(d)
	}
}
