package prove

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// SMT2 is the goal as an SMT-LIB 2 question in the logic QF_BV for other
// solvers: unsat means equal. No solver equates two decompositions of a product
// by its circuits, so products are written over the pieces of the operands that
// the goal reads, x·y = Σ 2^(i+j)·x_i·y_j, and each product of two pieces is a
// variable of its own, shared by all of them and bounded by its range. That
// forgets how these variables hang together, so sat means nothing.
func SMT2(g Goal) (string, error) {
	if err := g.check(); err != nil {
		return "", err
	}
	p := newProver(g, Options{})
	a := &abstraction{
		b: sem.NewBuilder(), k: p.k, memo: map[*sem.Term]*sem.Term{}, words: map[[2]int32]*sem.Term{},
		bounds: p.k.boundsOf(p.order),
	}
	for _, v := range g.Params {
		a.names = append(a.names, v.Name)
	}
	var pairs [][2]*sem.Term
	for i, t := range g.Want {
		pairs = append(pairs, [2]*sem.Term{a.term(t), a.term(g.Got[i])})
	}
	var assume []*sem.Term
	for _, t := range g.Assume {
		assume = append(assume, a.term(t))
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "; %s\n", strings.ReplaceAll(g.Name, "\n", " "))
	sb.WriteString("; unsat: equal for all inputs. sat says nothing: products are abstracted.\n")
	for _, n := range a.notes {
		sb.WriteString("; " + n + "\n")
	}
	sb.WriteString(sem.Query(pairs, append(assume, a.ranges...)))
	return sb.String(), nil
}

// abstraction rebuilds terms with products as variables.
type abstraction struct {
	b      *sem.Builder
	k      *Kernel
	memo   map[*sem.Term]*sem.Term
	words  map[[2]int32]*sem.Term // by atoms, or by polynomials of the factors
	bounds map[*sem.Term]knowledge
	names  []string
	ranges []*sem.Term
	notes  []string
}

func (a *abstraction) term(t *sem.Term) *sem.Term {
	if r, ok := a.memo[t]; ok {
		return r
	}
	var x [3]*sem.Term
	for i, y := range t.Args() {
		x[i] = a.term(y)
	}
	r := a.product(t)
	if r == nil {
		r = Rebuild(a.b, t, x[0], x[1], x[2])
	}
	a.memo[t] = r
	return r
}

// product is t as a sum of products of pieces, or nil where t is no product of
// two unknown values.
func (a *abstraction) product(t *sem.Term) *sem.Term {
	if t.Op != sem.OpMul {
		return nil
	}
	// The low bits of a product are those of factors with the same low bits.
	p, q := a.k.centred(a.k.Of(t.A[0]), uint(t.W)), a.k.centred(a.k.Of(t.A[1]), uint(t.W))
	if _, ok := p.isConst(); ok {
		return nil
	}
	if _, ok := q.isConst(); ok {
		return nil
	}
	if !a.k.slicesOnly(p) || !a.k.slicesOnly(q) {
		return a.whole(t)
	}
	sum := a.b.U(0, t.W)
	for _, x := range p.cells {
		for _, y := range q.cells {
			c := x.c.mul(y.c)
			v := a.b.Zext(a.piece(x.m, y.m), max(t.W, a.piece(x.m, y.m).W))
			v = a.b.Bits(v, t.W-1, 0)
			switch e := c.twos(); {
			case !c.abs().equal(pow2(e)):
				sum = a.b.Add(sum, a.b.Mul(v, a.b.Const(toVal(c, t.W), t.W)))
			case c.sign() < 0:
				sum = a.b.Sub(sum, a.b.ShlK(v, int(e)))
			default:
				sum = a.b.Add(sum, a.b.ShlK(v, int(e)))
			}
		}
	}
	// What the pieces forget: the range of the whole.
	lo, hi := a.b.Const(toVal(a.bounds[t].s.lo, t.W), t.W), a.b.Const(toVal(a.bounds[t].s.hi, t.W), t.W)
	a.ranges = append(a.ranges, a.b.Not(a.b.Slt(sum, lo)), a.b.Not(a.b.Slt(hi, sum)))
	return sum
}

// slicesOnly reports that p is a sum of slices of variables.
func (k *Kernel) slicesOnly(p *Poly) bool {
	for _, c := range p.cells {
		as := k.monos[c.m].atoms
		if len(as) > 1 || len(as) == 1 && k.atoms[as[0]].kind != sliceAtom {
			return false
		}
	}
	return true
}

// slice is the piece that a monomial of at most one slice is.
func (a *abstraction) slice(m int32) *sem.Term {
	if m == 0 {
		return a.b.U(1, 1)
	}
	s := &a.k.atoms[a.k.monos[m].atoms[0]]
	return a.b.Bits(a.b.Var(s.term.Name, s.term.W), s.lo+s.n-1, s.lo)
}

// piece is the product of two slices, exact.
func (a *abstraction) piece(m, n int32) *sem.Term {
	x, y := a.slice(m), a.slice(n)
	w := x.W + y.W
	switch {
	case x.W == 1:
		return a.b.Ite(x, a.b.Zext(y, w), a.b.U(0, w))
	case y.W == 1:
		return a.b.Ite(y, a.b.Zext(x, w), a.b.U(0, w))
	}
	return a.word([2]int32{min(m, n), max(m, n)}, w, a.k.monos[m].rng.mul(a.k.monos[n].rng), fmt.Sprintf("%s * %s", x, y))
}

// whole is a product of values that are no sums of slices: a variable for its
// polynomial.
func (a *abstraction) whole(t *sem.Term) *sem.Term {
	key := [2]int32{-1 - a.k.Of(t).id, int32(t.W)}
	return a.word(key, t.W, a.bounds[t].u, sem.Doc(t))
}

// word is the variable of this key, at most w bits wide, in a range.
func (a *abstraction) word(key [2]int32, w int, r interval, what string) *sem.Term {
	if v, ok := a.words[key]; ok {
		return v
	}
	name := fmt.Sprintf("p%d", len(a.words)+1)
	for taken := true; taken; {
		taken = false
		for _, n := range a.names {
			if n == name {
				name, taken = name+"_", true
			}
		}
	}
	v := a.b.Var(name, w)
	a.words[key] = v
	lo, hi := a.b.Const(toVal(r.lo, w), w), a.b.Const(toVal(r.hi, w), w)
	a.ranges = append(a.ranges, a.b.Not(a.b.Ult(v, lo)), a.b.Not(a.b.Ult(hi, v)))
	a.notes = append(a.notes, fmt.Sprintf("%s = %s", name, what))
	return v
}
