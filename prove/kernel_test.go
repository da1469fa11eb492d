package prove

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/sem"
)

// selfCheck compares every node of the terms with its polynomial, its signed
// polynomial and its ranges on values for which the claims hold.
func selfCheck(t *testing.T, k *Kernel, terms []*sem.Term, env map[string]sem.Val) (nodes int) {
	order := sem.Order(terms...)
	bounds := k.boundsOf(order) // makes atoms
	for _, x := range order {
		k.Signed(k.Of(x), uint(x.W))
	}
	vals := k.values(env)
	for i, a := range k.atoms {
		v := fromBig(new(big.Int).Set(vals[i]))
		require.True(t, point(v).within(a.rng), "atom %d is %s, not in %v", i, v, a.rng)
	}
	for _, x := range order {
		v := sem.Eval(x, env)
		p := k.Of(x)
		require.Zero(t, toBig(v).Cmp(k.evalAt(p, vals)), "%s", x)
		u, s := fromVal(v), signedVal(v, x.W)
		require.True(t, point(u).within(k.rangeOf(p)))
		q := k.Signed(p, uint(x.W))
		require.Zero(t, s.Big().Cmp(k.evalAt(q, vals)))
		require.True(t, point(s).within(k.rangeOf(q)))
		require.True(t, point(u).within(bounds[x].u) && point(s).within(bounds[x].s), "%s", x)
		for _, w := range [2]int{1, x.W} {
			same, flipped := k.residues(p, w)
			m := pow2(uint(w)).Big()
			require.Zero(t, new(big.Int).Mod(k.evalAt(k.list[same.p], vals), m).Cmp(toBig(v.Cut(w))))
			require.Zero(t, new(big.Int).Mod(k.evalAt(k.list[flipped.p], vals), m).Cmp(toBig(v.Not().Cut(w))))
		}
		nodes++
	}
	return nodes
}

func TestEveryNodeIsItsPolynomial(t *testing.T) {
	r := rng(t)
	nodes := 0
	for _, widths := range [][]int{{1, 2, 3, 4}, {1, 8, 12, 16}, {1, 24, 32, 48}, {1, 32, 33, 64}, {1, 64, 65, 128}} {
		for range 60 {
			z := newZoo(r, true, []int{widths[1], widths[3], widths[2]}, widths...)
			terms := []*sem.Term{z.term(z.size(), 4), z.term(z.size(), 4)}
			k := NewKernel(terms...)
			for range 12 {
				nodes += selfCheck(t, k, terms, z.env())
			}
		}
	}
	t.Logf("%d nodes", nodes)
	require.Greater(t, nodes, 30_000)
}

func TestEveryNodeIsItsPolynomialUnderClaims(t *testing.T) {
	r := rng(t)
	nodes, void, used, count := 0, 0, 0, 0
	for range 600 {
		z := newZoo(r, true, []int{4, 3, 2}, 1, 2, 3, 4)
		terms := []*sem.Term{z.term(4, 3), z.term(3, 3)}
		claims := []claim{{z.term(1, 2), true}, {z.term(1, 2), r.IntN(2) == 0}}
		roots := append([]*sem.Term{claims[0].t, claims[1].t}, terms...)
		p := &prover{g: Goal{Want: roots, Got: roots}}
		k := p.kernel(claims)
		met := false
		for n := range 1 << 9 {
			env := map[string]sem.Val{}
			for _, v := range z.vars {
				env[v.Name] = sem.U(uint64(n)).Cut(v.W)
				n >>= v.W
			}
			holds := true
			for _, c := range claims {
				holds = holds && sem.Eval(c.t, env).IsZero() != c.is
			}
			if !holds {
				continue
			}
			met = true
			if count++; count%24 == 0 {
				nodes += selfCheck(t, k, roots, env)
			}
		}
		require.False(t, met && k.void, "claims that hold are said to contradict each other")
		if k.void {
			void++
		}
		if len(k.facts)+len(k.pieces)+len(k.known) > 0 {
			used++
		}
	}
	t.Logf("%d nodes, %d void, %d with knowledge", nodes, void, used)
	require.Greater(t, nodes, 30_000)
	require.Greater(t, used, 200)
}

func TestClaimsOnVariablesFixTheirBits(t *testing.T) {
	b := sem.NewBuilder()
	x := b.Var("x", 8)
	k8 := func(v int64) *sem.Term { return b.S(v, 8) }
	for _, tt := range []struct {
		claim *sem.Term
		want  string
	}{
		{b.Eq(x, k8(5)), "5"},
		{b.Ult(x, k8(8)), "x<2..0>"},
		{b.Not(b.Ult(k8(7), x)), "x<2..0>"},
		{b.And(b.Not(b.Ult(x, k8(0x30))), b.Ult(x, k8(0x40))), "x<3..0> + 48"},
		{b.And(b.Not(b.Slt(x, k8(-4))), b.Slt(x, k8(4))), "x<1..0> + 252*x<2>"},
		{b.Slt(x, k8(0)), "x<6..0> + 128"},
		{b.Slt(k8(-1), x), "x<6..0>"},
		{b.Not(b.Or(b.Ult(x, k8(4)), b.Ult(k8(7), x))), "x<1..0> + 4"},
		{b.Eq(b.And(x, k8(1)), b.S(1, 8)), "2*x<7..1> + 1"},
	} {
		p := &prover{g: Goal{Want: []*sem.Term{x}, Got: []*sem.Term{x}, Assume: []*sem.Term{tt.claim}}}
		k := p.kernel(nil)
		text, where := k.Text(k.Of(x))
		require.Equal(t, tt.want, text, "%s", tt.claim)
		require.Empty(t, where)
	}
}

func TestBitwiseOperationsHaveLaws(t *testing.T) {
	b := sem.NewBuilder()
	x, y, c := b.Var("x", 8), b.Var("y", 8), b.Var("c", 1)
	hi, lo := b.ShlK(b.Bits(b.Zext(x, 16), 15, 0), 8), b.Zext(y, 16)
	for _, tt := range []struct {
		t    *sem.Term
		want string
	}{
		{b.And(x, b.U(0x3c, 8)), "4*x<5..2>"},
		{b.Or(x, b.U(0x0f, 8)), "16*x<7..4> + 15"},
		{b.Xor(x, b.U(0xf0, 8)), "x<3..0> - 16*x<7..4> + 240"},
		{b.Or(hi, lo), "y + 2^8*x"},
		{b.And(b.Sext(c, 8), x), "c*x"},
		{b.Xor(b.Sext(c, 8), x), "x - 2*c*x + 255*c"},
		{b.And(b.Bit(x, 0), c), "x<0>*c"},
		{b.Or(b.Bit(x, 0), c), "x<0> + c - x<0>*c"},
		{b.And(x, y), "(x & y)"},
		{b.And(c, b.Eq(x, b.U(255, 8))), "floor((c + x) / 2^8)"},
		{b.And(b.Eq(x, b.U(0, 8)), c), "[-x + c > 0]"},
		{b.Bits(b.Ite(c, x, y), 3, 0), "y<3..0> + c*x<3..0> - c*y<3..0>"},
	} {
		k, ps := Polynomials(tt.t)
		text, _ := k.Text(ps[0])
		require.Equal(t, tt.want, text)
	}
}

// What these laws say, for all values of small words.
func TestLawsHoldForAllValues(t *testing.T) {
	b := sem.NewBuilder()
	x, y, c := b.Var("x", 4), b.Var("y", 4), b.Var("c", 1)
	sum, over := b.AddCarry(x, y, nil)
	top := b.Bits(b.Add(b.Zext(x, 8), b.ShlK(b.Zext(y, 8), 2)), 7, 3)
	for _, u := range []*sem.Term{
		b.And(c, b.Eq(sum, b.U(15, 4))), b.And(b.Eq(x, b.U(0, 4)), b.Ult(y, x)), b.And(over, b.Eq(sum, x)), b.And(b.Ult(x, y), b.Eq(y, b.U(15, 4))),
		b.Eq(b.Sext(c, 4), sum), b.Eq(sum, b.Sext(b.Slt(x, y), 4)), b.Eq(b.Sext(c, 4), b.Sext(over, 4)),
		b.Bits(b.Ite(over, b.Ite(c, x, sum), y), 2, 1), b.Bits(b.Ite(c, b.U(9, 4), sum), 3, 2),
		b.Eq(b.Add(top, b.Zext(b.Bit(b.Add(b.Zext(x, 8), b.ShlK(b.Zext(y, 8), 2)), 2), 5)), b.U(0, 5)),
		b.Eq(b.Add(b.Bits(b.Mul(b.Sext(x, 8), b.Sext(y, 8)), 7, 4), b.Zext(b.Bit(b.Mul(x, y), 3), 4)), b.U(0, 4)),
	} {
		k, ps := Polynomials(u)
		for n := range 1 << 9 {
			env := map[string]sem.Val{"x": sem.U(uint64(n & 15)), "y": sem.U(uint64(n >> 4 & 15)), "c": sem.U(uint64(n >> 8))}
			require.Equal(t, sem.Eval(u, env).Lo, k.Eval(ps[0], env).Uint64(), "%s %v", u, env)
		}
	}
}
