package sem

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// equalOnAll compares the terms on all values of the variables.
func equalOnAll(t *testing.T, vars []*Term, x, y *Term) {
	t.Helper()
	bits := 0
	for _, v := range vars {
		bits += v.W
	}
	env := map[string]Val{}
	for n := range uint64(1) << bits {
		for _, v := range vars {
			env[v.Name] = U(n).Cut(v.W)
			n >>= v.W
		}
		if a, b := Eval(x, env), Eval(y, env); a != b {
			t.Fatalf("at %v, %s is %s but %s is %s", env, x, a, y, b)
		}
	}
}

func TestIdentitiesKeepTheMeaningOfAllSmallTerms(t *testing.T) {
	r := rng(t)
	for n := range 12000 {
		maxW := 1 + r.IntN(5)
		widths := []int{1 + r.IntN(maxW), 1 + r.IntN(maxW)}
		z := newZoo(r, 6, widths, raw, built)
		ts := z.term(1+r.IntN(6), 1+n%4)
		require.Equal(t, ts[0].W, ts[1].W)
		equalOnAll(t, z.vars[0], ts[0], ts[1])
	}
}

func TestIdentitiesKeepTheMeaningOfWideTerms(t *testing.T) {
	r := rng(t)
	for range 3000 {
		z := newZoo(r, 128, []int{128, 64, 65, 32, 1}, raw, built)
		ts := z.term(1+r.IntN(128), 5)
		for range 20 {
			env := map[string]Val{}
			for _, v := range z.vars[0] {
				env[v.Name] = edge(r, v.W)
			}
			require.Equal(t, Eval(ts[0], env), Eval(ts[1], env), "%s and %s at %v", ts[0], ts[1], env)
		}
	}
}

// TestIdentities checks each identity at each width where it applies: the
// constructor gives the term of the right side, and that equals the left side
// as it would be without identities, on all values.
func TestIdentities(t *testing.T) {
	for w := 1; w <= 4; w++ {
		b := NewBuilder()
		x, y, c := b.Var("x", w), b.Var("y", w), b.Var("c", 1)
		zero, one, all := b.U(0, w), b.U(1, w), b.S(-1, w)
		node := func(op Op, xs ...*Term) *Term {
			rw := w
			if op >= OpEq && op <= OpSlt {
				rw = 1
			}
			return raw(b, op, rw, Val{}, xs...)
		}
		concat := func(x, y *Term) *Term { return raw(b, OpConcat, x.W+y.W, Val{}, x, y) }
		extract := func(x *Term, hi, lo int) *Term { return raw(b, OpExtract, hi-lo+1, U(uint64(lo)), x) }
		ext := func(op Op, x *Term, w int) *Term { return raw(b, op, w, Val{}, x) }
		type identity struct {
			name       string
			got        *Term // by the constructor
			left, want *Term
		}
		rows := []identity{
			{"x + 0 = x", b.Add(x, zero), node(OpAdd, x, zero), x},
			{"0 + x = x", b.Add(zero, x), node(OpAdd, zero, x), x},
			{"x − 0 = x", b.Sub(x, zero), node(OpSub, x, zero), x},
			{"x − x = 0", b.Sub(x, x), node(OpSub, x, x), zero},
			{"0 − x = −x", b.Sub(zero, x), node(OpSub, zero, x), node(OpNeg, x)},
			{"x · 0 = 0", b.Mul(x, zero), node(OpMul, x, zero), zero},
			{"x · 1 = x", b.Mul(one, x), node(OpMul, one, x), x},
			{"x & 0 = 0", b.And(x, zero), node(OpAnd, x, zero), zero},
			{"x & ones = x", b.And(all, x), node(OpAnd, all, x), x},
			{"x & x = x", b.And(x, x), node(OpAnd, x, x), x},
			{"x & ~x = 0", b.And(x, b.Not(x)), node(OpAnd, x, node(OpNot, x)), zero},
			{"~x & x = 0", b.And(b.Not(x), x), node(OpAnd, node(OpNot, x), x), zero},
			{"x | 0 = x", b.Or(x, zero), node(OpOr, x, zero), x},
			{"x | ones = ones", b.Or(x, all), node(OpOr, x, all), all},
			{"x | x = x", b.Or(x, x), node(OpOr, x, x), x},
			{"x | ~x = ones", b.Or(x, b.Not(x)), node(OpOr, x, node(OpNot, x)), all},
			{"x ^ 0 = x", b.Xor(x, zero), node(OpXor, x, zero), x},
			{"x ^ x = 0", b.Xor(x, x), node(OpXor, x, x), zero},
			{"x ^ ones = ~x", b.Xor(x, all), node(OpXor, x, all), node(OpNot, x)},
			{"~~x = x", b.Not(b.Not(x)), node(OpNot, node(OpNot, x)), x},
			{"−−x = x", b.Neg(b.Neg(x)), node(OpNeg, node(OpNeg, x)), x},
			{"x << 0 = x", b.ShlK(x, 0), node(OpShl, x, zero), x},
			{"x >>u 0 = x", b.LshrK(x, 0), node(OpLshr, x, zero), x},
			{"x >>s 0 = x", b.AshrK(x, 0), node(OpAshr, x, zero), x},
			{"x << W = 0", b.ShlK(x, w), node(OpShl, x, b.U(uint64(w), w)), zero},
			{"x >>u W = 0", b.LshrK(x, w+9), node(OpLshr, x, b.U(uint64(w), w)), zero},
			{"x >>s W = x >>s (W−1)", b.AshrK(x, w), node(OpAshr, x, b.U(uint64(w), w)), b.AshrK(x, w-1)},
			{"c ? x : x = x", b.Ite(c, x, x), node(OpIte, c, x, x), x},
			{"1 ? x : y = x", b.Ite(b.U(1, 1), x, y), node(OpIte, b.U(1, 1), x, y), x},
			{"0 ? x : y = y", b.Ite(b.U(0, 1), x, y), node(OpIte, b.U(0, 1), x, y), y},
			{"~c ? x : y = c ? y : x", b.Ite(b.Not(c), x, y), node(OpIte, raw(b, OpNot, 1, Val{}, c), x, y), node(OpIte, c, y, x)},
			{"x == x = 1", b.Eq(x, x), node(OpEq, x, x), b.U(1, 1)},
			{"x <u x = 0", b.Ult(x, x), node(OpUlt, x, x), b.U(0, 1)},
			{"x <u 0 = 0", b.Ult(x, zero), node(OpUlt, x, zero), b.U(0, 1)},
			{"ones <u x = 0", b.Ult(all, x), node(OpUlt, all, x), b.U(0, 1)},
			{"x <s x = 0", b.Slt(x, x), node(OpSlt, x, x), b.U(0, 1)},
			{"{0, x} = zext(x)", b.Concat(b.U(0, 2), x), concat(b.U(0, 2), x), ext(OpZext, x, w+2)},
			{"{zext(x), y} = zext({x, y})", b.Concat(b.Zext(x, w+1), y), concat(ext(OpZext, x, w+1), y), ext(OpZext, concat(x, y), 2*w+1)},
			{"{sext(x), y} = sext({x, y})", b.Concat(b.Sext(x, w+1), y), concat(ext(OpSext, x, w+1), y), ext(OpSext, concat(x, y), 2*w+1)},
			{"zext(zext(x)) = zext(x)", b.Zext(b.Zext(x, w+1), w+2), ext(OpZext, ext(OpZext, x, w+1), w+2), ext(OpZext, x, w+2)},
			{"sext(zext(x)) = zext(x)", b.Sext(b.Zext(x, w+1), w+2), ext(OpSext, ext(OpZext, x, w+1), w+2), ext(OpZext, x, w+2)},
			{"sext(sext(x)) = sext(x)", b.Sext(b.Sext(x, w+1), w+2), ext(OpSext, ext(OpSext, x, w+1), w+2), ext(OpSext, x, w+2)},
			{"zext(x) == zext(y) = x == y", b.Eq(b.Zext(x, w+2), b.Zext(y, w+2)), node(OpEq, ext(OpZext, x, w+2), ext(OpZext, y, w+2)), node(OpEq, x, y)},
			{"sext(x) == sext(y) = x == y", b.Eq(b.Sext(x, w+2), b.Sext(y, w+2)), node(OpEq, ext(OpSext, x, w+2), ext(OpSext, y, w+2)), node(OpEq, x, y)},
		}
		if w == 1 {
			rows = append(rows,
				identity{"c ? 1 : 0 = c", b.Ite(c, one, zero), node(OpIte, c, one, zero), c},
				identity{"c ? 0 : 1 = ~c", b.Ite(c, zero, one), node(OpIte, c, zero, one), node(OpNot, c)},
				identity{"x == 1 = x", b.Eq(one, x), node(OpEq, one, x), x},
				identity{"x == 0 = ~x", b.Eq(x, zero), node(OpEq, x, zero), node(OpNot, x)})
		}
		for k := range uint64(1) << (w + 1) {
			for _, op := range []Op{OpZext, OpSext} {
				k := b.U(k, w+1)
				want := b.U(0, 1)
				if cut := b.Bits(k, w-1, 0); b.Ext(cut, w+1, op == OpSext) == k {
					want = b.Eq(x, cut)
				}
				rows = append(rows, identity{fmt.Sprintf("%s(x) == %s", op, k), b.Eq(b.Ext(x, w+1, op == OpSext), k),
					node(OpEq, ext(op, x, w+1), k), want})
			}
		}
		for hi := range w {
			for lo := range hi + 1 {
				name := fmt.Sprintf("bits %d..%d of ", hi, lo)
				for in := range hi + 1 {
					if lo > in || lo == 0 && hi == w-1 && in == w-1 {
						continue
					}
					rows = append(rows, identity{name + "bits", b.Bits(b.Bits(x, hi, lo), in-lo, 0),
						extract(extract(x, hi, lo), in-lo, 0), b.Bits(x, in, lo)})
				}
				for _, signed := range []bool{false, true} {
					op := map[bool]Op{false: OpZext, true: OpSext}[signed]
					rows = append(rows, identity{name + op.String(), b.Bits(b.Ext(x, 2*w, signed), hi+w/2, lo+w/2),
						extract(ext(op, x, 2*w), hi+w/2, lo+w/2), b.extBits(x, hi+w/2, lo+w/2, signed)})
				}
				rows = append(rows,
					identity{name + "the low part of {x, y}", b.Bits(b.Concat(x, y), hi, lo), extract(concat(x, y), hi, lo), b.Bits(y, hi, lo)},
					identity{name + "the high part of {x, y}", b.Bits(b.Concat(x, y), hi+w, lo+w), extract(concat(x, y), hi+w, lo+w), b.Bits(x, hi, lo)})
				if lo > 0 {
					rows = append(rows, identity{"adjacent bits", b.Concat(b.Bits(x, hi, lo), b.Bits(x, lo-1, 0)),
						concat(extract(x, hi, lo), extract(x, lo-1, 0)), b.Bits(x, hi, 0)})
				}
				for k := range w {
					if lo == 0 && hi == w-1 { // no extract
						break
					}
					kk := b.U(uint64(k), w)
					rows = append(rows,
						identity{name + "x >>u k", b.Bits(b.LshrK(x, k), hi, lo), extract(node(OpLshr, x, kk), hi, lo), b.extBits(x, hi+k, lo+k, false)},
						identity{name + "x >>s k", b.Bits(b.AshrK(x, k), hi, lo), extract(node(OpAshr, x, kk), hi, lo), b.extBits(x, hi+k, lo+k, true)})
					switch {
					case lo >= k:
						rows = append(rows, identity{name + "x << k", b.Bits(b.ShlK(x, k), hi, lo), extract(node(OpShl, x, kk), hi, lo), b.Bits(x, hi-k, lo-k)})
					case hi < k:
						rows = append(rows, identity{name + "x << k", b.Bits(b.ShlK(x, k), hi, lo), extract(node(OpShl, x, kk), hi, lo), b.U(0, hi-lo+1)})
					}
				}
			}
		}
		for j := range w {
			for k := range w {
				jj, kk := b.U(uint64(j), w), b.U(uint64(k), w)
				for _, op := range []Op{OpShl, OpLshr, OpAshr} {
					want := built(b, op, w, Val{}, x, b.shiftBy(j+k, w))
					if j+k >= w && op != OpAshr {
						want = zero
					}
					rows = append(rows, identity{fmt.Sprintf("%s twice", op), built(b, op, w, Val{}, built(b, op, w, Val{}, x, jj), kk),
						node(op, node(op, x, jj), kk), want})
				}
			}
		}
		for _, tt := range rows {
			require.Same(t, tt.want, tt.got, "%s at %d bits: %s, not %s", tt.name, w, tt.got, tt.want)
			equalOnAll(t, []*Term{x, y, c}, tt.left, tt.want)
		}
	}
}

func TestProductsOfExtendedOperandsAreNarrowed(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 3), b.Var("y", 2)
	for _, sx := range []bool{false, true} {
		for _, sy := range []bool{false, true} {
			for w := 4; w <= 8; w++ {
				got := b.Mul(b.Ext(x, w, sx), b.Ext(y, w, sy))
				equalOnAll(t, []*Term{x, y}, raw(b, OpMul, w, Val{}, b.Ext(x, w, sx), b.Ext(y, w, sy)), got)
				if w > 5 {
					require.Same(t, b.Ext(b.Mul(b.Ext(x, 5, sx), b.Ext(y, 5, sy)), w, sx || sy), got)
				}
			}
		}
	}
}

func TestConstantsGoRightAndOtherOperandsStay(t *testing.T) {
	b := NewBuilder()
	x, y, k := b.Var("x", 8), b.Var("y", 8), b.U(5, 8)
	for op, f := range map[string]func(x, y *Term) *Term{"+": b.Add, "*": b.Mul, "&": b.And, "|": b.Or, "^": b.Xor, "==": b.Eq} {
		require.Same(t, f(x, k), f(k, x))
		require.Equal(t, "x "+op+" 5", Doc(f(k, x)))
		require.Equal(t, "y "+op+" x", Doc(f(y, x)))
	}
	for op, f := range map[string]func(x, y *Term) *Term{"-": b.Sub, "<<": b.Shl, ">>u": b.Lshr, ">>s": b.Ashr, "<u": b.Ult, "<s": b.Slt} {
		require.Equal(t, "5 "+op+" x", Doc(f(k, x)))
	}
}

func TestEqualTermsAreTheSamePointer(t *testing.T) {
	var b Builder
	var first []*Term
	for round := range 2 {
		i := 0
		for w := 1; w <= 128; w++ {
			for _, x := range []*Term{
				b.Var("x", w), b.Var("y", w), b.U(3, w), b.Const(Val{1, 2}, w),
				b.Add(b.Var("x", w), b.Var("y", w)), b.Add(b.Var("y", w), b.Var("x", w)),
				b.Ite(b.Var("c", 1), b.Var("x", w), b.Var("y", w)), b.Ite(b.Var("c", 1), b.Var("y", w), b.Var("x", w)),
			} {
				if round == 0 {
					first = append(first, x)
				} else {
					require.Same(t, first[i], x)
				}
				i++
			}
		}
	}
	byID := map[int]*Term{}
	for _, x := range Order(first...) {
		require.Nil(t, byID[x.ID])
		byID[x.ID] = x
		for _, a := range x.Args() {
			require.Less(t, a.ID, x.ID)
		}
	}
	require.GreaterOrEqual(t, b.Len(), len(byID))
}

func TestWrongWidthsPanic(t *testing.T) {
	b := NewBuilder()
	x, y, w := b.Var("x", 8), b.Var("y", 9), b.Var("w", 128)
	require.PanicsWithValue(t, "sem: add of 8 and 9 bits", func() { b.Add(x, y) })
	require.PanicsWithValue(t, "sem: add of 8 and 9 bits", func() { b.Add(x, b.U(0, 9)) })
	require.PanicsWithValue(t, "sem: concat of 129 bits", func() { b.Concat(w, b.Var("c", 1)) })
	require.PanicsWithValue(t, "sem: concat of 129 bits", func() { b.Concat(b.U(1, 128), b.U(1, 1)) })
	require.PanicsWithValue(t, "sem: bits 8..0 of 8", func() { b.Bits(x, 8, 0) })
	require.PanicsWithValue(t, "sem: ite of 8, 8 and 8 bits", func() { b.Ite(x, x, x) })
	require.PanicsWithValue(t, "sem: var of 0 bits", func() { b.Var("z", 0) })
}

func TestAbbreviationsMeanWhatTheySay(t *testing.T) {
	b := NewBuilder()
	x, y, c := b.Var("x", 4), b.Var("y", 4), b.Var("c", 1)
	sum, carry := b.AddCarry(x, y, c)
	sum0, carry0 := b.AddCarry(x, y, nil)
	clamp := b.Clamp(x, b.S(-3, 4), b.S(5, 4))
	for n := range uint64(512) {
		env := map[string]Val{"x": U(n & 15), "y": U(n >> 4 & 15), "c": U(n >> 8)}
		s := n&15 + n>>4&15
		require.Equal(t, U(s&15), Eval(sum0, env))
		require.Equal(t, U(s>>4), Eval(carry0, env))
		s += n >> 8
		require.Equal(t, U(s&15), Eval(sum, env))
		require.Equal(t, U(s>>4), Eval(carry, env))
		v := int64(n<<60) >> 60
		require.Equal(t, S(min(max(v, -3), 5)).Cut(4), Eval(clamp, env))
		require.Equal(t, bool1(n&15 != n>>4&15), Eval(b.Ne(x, y), env))
	}
}

// BenchmarkIntern makes terms, of which a third are there already; one operation
// is one term.
func BenchmarkIntern(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; {
		bl := NewBuilder()
		x, y := bl.Var("x", 32), bl.Var("y", 32)
		for a := x; bl.Len() < 1<<16 && i < b.N; i += 3 {
			s := bl.Xor(a, y)
			if bl.Xor(a, y) != s {
				b.Fatal("not interned")
			}
			a = bl.Add(s, x)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mterms/s")
}
