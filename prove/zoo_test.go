package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxlower/ptxlower/sem"
)

func rng(t testing.TB) *rand.Rand {
	var h uint64
	for _, c := range t.Name() {
		h = h*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(h, 1))
}

// zoo makes random terms over a few variables.
type zoo struct {
	r     *rand.Rand
	b     *sem.Builder
	vars  []*sem.Term
	sizes []int // widths that terms have
	muls  bool
	pool  map[int][]*sem.Term
}

func newZoo(r *rand.Rand, muls bool, vars []int, sizes ...int) *zoo {
	z := &zoo{r: r, b: sem.NewBuilder(), sizes: sizes, muls: muls, pool: map[int][]*sem.Term{}}
	for i, w := range vars {
		z.vars = append(z.vars, z.b.Var(string(rune('a'+i)), w))
	}
	return z
}

func (z *zoo) size() int { return z.sizes[z.r.IntN(len(z.sizes))] }

// cut is x in w bits.
func (z *zoo) cut(x *sem.Term, w int) *sem.Term {
	if x.W <= w {
		return z.b.Ext(x, w, z.r.IntN(2) == 0)
	}
	lo := z.r.IntN(x.W - w + 1)
	return z.b.Bits(x, lo+w-1, lo)
}

func (z *zoo) term(w, depth int) *sem.Term {
	if p := z.pool[w]; len(p) > 0 && z.r.IntN(3) == 0 {
		return p[z.r.IntN(len(p))]
	}
	t := z.fresh(w, depth)
	z.pool[w] = append(z.pool[w], t)
	return t
}

func (z *zoo) fresh(w, depth int) *sem.Term {
	b, r := z.b, z.r
	if depth == 0 {
		if r.IntN(5) == 0 {
			return b.Const(edgy(r, w), w)
		}
		return z.cut(z.vars[r.IntN(len(z.vars))], w)
	}
	d := depth - 1
	if w == 1 && r.IntN(2) == 0 {
		n := z.size()
		x, y := z.term(n, d), z.term(n, d)
		switch r.IntN(3) {
		case 0:
			return b.Eq(x, y)
		case 1:
			return b.Ult(x, y)
		}
		return b.Slt(x, y)
	}
	x := z.term(w, d)
	count := func() *sem.Term {
		if r.IntN(4) == 0 {
			return z.term(w, d)
		}
		return b.U(uint64(r.IntN(w+1)), w)
	}
	switch r.IntN(15) {
	case 0, 1:
		return b.Add(x, z.term(w, d))
	case 2:
		return b.Sub(x, z.term(w, d))
	case 3:
		if z.muls {
			return b.Mul(x, z.term(w, d))
		}
		return b.Mul(x, b.Const(edgy(r, w), w))
	case 4:
		return b.And(x, z.term(w, d))
	case 5:
		return b.Or(x, z.term(w, d))
	case 6:
		return b.Xor(x, z.term(w, d))
	case 7:
		return b.Not(x)
	case 8:
		return b.Neg(x)
	case 9:
		return b.Shl(x, count())
	case 10:
		return b.Lshr(x, count())
	case 11:
		return b.Ashr(x, count())
	case 12:
		if w > 1 {
			n := 1 + r.IntN(w-1)
			return b.Concat(z.cut(z.term(z.size(), d), w-n), z.cut(z.term(z.size(), d), n))
		}
	case 13:
		return z.cut(z.term(z.size(), d), w)
	}
	return b.Ite(z.term(1, d), x, z.term(w, d))
}

// same is a term equal to t that is made otherwise: identities are applied to
// some of its nodes.
func (z *zoo) same(t *sem.Term) *sem.Term {
	memo := map[*sem.Term]*sem.Term{}
	var again func(t *sem.Term) *sem.Term
	again = func(t *sem.Term) *sem.Term {
		if u, ok := memo[t]; ok {
			return u
		}
		var x [3]*sem.Term
		for i, a := range t.Args() {
			x[i] = again(a)
		}
		u := Rebuild(z.b, t, x[0], x[1], x[2])
		if z.r.IntN(2) == 0 {
			u = z.identity(t, u, x)
		}
		memo[t] = u
		return u
	}
	return again(t)
}

// identity is u, the primitive of t on x, by an identity.
func (z *zoo) identity(t, u *sem.Term, x [3]*sem.Term) *sem.Term {
	b, w := z.b, t.W
	one := b.U(1, w)
	switch t.Op {
	case sem.OpAdd:
		return b.Sub(x[1], b.Neg(x[0]))
	case sem.OpSub:
		return b.Add(b.Add(x[0], b.Not(x[1])), one)
	case sem.OpNeg:
		return b.Add(b.Not(x[0]), one)
	case sem.OpNot:
		return b.Sub(b.Const(sem.S(-1), w), x[0])
	case sem.OpMul:
		return b.Neg(b.Mul(b.Neg(x[1]), x[0]))
	case sem.OpAnd:
		return b.Not(b.Or(b.Not(x[1]), b.Not(x[0])))
	case sem.OpOr:
		return b.Add(b.Xor(x[0], x[1]), b.And(x[0], x[1]))
	case sem.OpXor:
		return b.Sub(b.Or(x[0], x[1]), b.And(x[0], x[1]))
	case sem.OpUlt:
		n := x[0].W
		if n >= 127 {
			return u
		}
		return b.Bit(b.Sub(b.Zext(x[0], n+1), b.Zext(x[1], n+1)), n)
	case sem.OpSlt:
		n := x[0].W
		top := b.Const(sem.U(1).Shl(uint64(n-1)), n)
		return b.Ult(b.Xor(x[0], top), b.Add(x[1], top))
	case sem.OpEq:
		return b.Not(b.Or(b.Ult(x[0], x[1]), b.Ult(x[1], x[0])))
	case sem.OpIte:
		m := b.Sext(x[0], w)
		return b.Xor(x[2], b.And(b.Xor(x[1], x[2]), m))
	case sem.OpSext:
		n := x[0].W
		top := b.Zext(b.Const(sem.U(1).Shl(uint64(n-1)), n), w)
		return b.Sub(b.Xor(b.Zext(x[0], w), top), top)
	case sem.OpConcat:
		n := x[1].W
		return b.Or(b.ShlK(b.Zext(x[0], w), n), b.Zext(x[1], w))
	case sem.OpShl:
		if n, ok := t.A[1].K, t.A[1].IsConst(); ok && n.Less(sem.U(uint64(w))) {
			return b.Mul(x[0], b.Const(sem.U(1).Shl(n.Lo), w))
		}
	}
	return u
}

// wrong is t with one node changed; it may be equal all the same.
func (z *zoo) wrong(t *sem.Term) *sem.Term {
	order := sem.Order(t)
	at := order[z.r.IntN(len(order))]
	memo := map[*sem.Term]*sem.Term{at: z.term(at.W, 1)}
	var again func(t *sem.Term) *sem.Term
	again = func(t *sem.Term) *sem.Term {
		if u, ok := memo[t]; ok {
			return u
		}
		var x [3]*sem.Term
		for i, a := range t.Args() {
			x[i] = again(a)
		}
		memo[t] = Rebuild(z.b, t, x[0], x[1], x[2])
		return memo[t]
	}
	return again(t)
}

// env gives random values to the variables.
func (z *zoo) env() map[string]sem.Val {
	env := map[string]sem.Val{}
	for _, v := range z.vars {
		env[v.Name] = edgy(z.r, v.W)
	}
	return env
}
