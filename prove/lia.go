package prove

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// LIA is the goal as an SMT-LIB 2 question in the logic QF_LIA, linear integer
// arithmetic: unsat means equal. Every cut of a value to w bits is an equation
// x = 2^w·q + r with a quotient and 0 ≤ r < 2^w; products are integer variables
// for the products of pieces, as in SMT2, so that sat means nothing. The error
// names what has no such form: bitwise operations on words, shifts by a
// variable, products of computed values.
func LIA(g Goal) (string, error) {
	if err := g.check(); err != nil {
		return "", err
	}
	p := newProver(g, Options{})
	l := &liaWriter{
		k: p.k, bounds: p.k.boundsOf(p.order), memo: map[*sem.Term]liaExpr{}, cuts: map[string][2]liaExpr{},
		products: map[[2]int32]string{}, slices: map[int32]string{},
	}
	var equal strings.Builder
	for i, t := range g.Want {
		x, err := l.term(t)
		if err != nil {
			return "", err
		}
		y, err := l.term(g.Got[i])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&equal, " (= %s %s)", x.s, y.s)
	}
	for _, t := range g.Assume {
		x, err := l.term(t)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&l.body, "(assert (= %s 1))\n", x.s)
	}
	return fmt.Sprintf("; %s\n; unsat: equal for all inputs. sat says nothing: products are abstracted.\n(set-logic QF_LIA)\n%s%s(assert (not (and true%s)))\n(check-sat)\n",
		strings.ReplaceAll(g.Name, "\n", " "), l.head.String(), l.body.String(), equal.String()), nil
}

// liaExpr is an integer expression and its range.
type liaExpr struct {
	s   string
	rng interval
}

type liaWriter struct {
	k          *Kernel
	bounds     map[*sem.Term]knowledge
	head, body strings.Builder // declarations, definitions
	n          int
	memo       map[*sem.Term]liaExpr
	cuts       map[string][2]liaExpr // quotient and rest, by expression and exponent
	products   map[[2]int32]string
	slices     map[int32]string // atoms
}

func liaNum(x num) string {
	if x.sign() < 0 {
		return "(- " + x.neg().String() + ")"
	}
	return x.String()
}

// variable declares an integer in a range.
func (l *liaWriter) variable(r interval) liaExpr {
	l.n++
	s := fmt.Sprintf("x%d", l.n)
	fmt.Fprintf(&l.head, "(declare-fun %s () Int)\n(assert (<= %s %s %s))\n", s, liaNum(r.lo), s, liaNum(r.hi))
	return liaExpr{s, r}
}

// name gives an expression a name.
func (l *liaWriter) name(e liaExpr) liaExpr {
	if !strings.HasPrefix(e.s, "(") {
		return e
	}
	l.n++
	s := fmt.Sprintf("x%d", l.n)
	fmt.Fprintf(&l.head, "(declare-fun %s () Int)\n", s)
	fmt.Fprintf(&l.body, "(assert (= %s %s))\n", s, e.s)
	return liaExpr{s, e.rng}
}

// add is a + b.
func (l *liaWriter) add(a, b liaExpr) liaExpr {
	return liaExpr{fmt.Sprintf("(+ %s %s)", a.s, b.s), a.rng.add(b.rng)}
}

// times is c·e.
func (l *liaWriter) times(c num, e liaExpr) liaExpr {
	return liaExpr{fmt.Sprintf("(* %s %s)", liaNum(c), e.s), e.rng.scale(c)}
}

func liaConst(c num) liaExpr { return liaExpr{liaNum(c), point(c)} }

// cut is floor(e / 2^k) and the rest.
func (l *liaWriter) cut(e liaExpr, k uint) (q, r liaExpr) {
	if k == 0 {
		return e, liaConst(num{})
	}
	key := fmt.Sprintf("%d %s", k, e.s)
	if c, ok := l.cuts[key]; ok {
		return c[0], c[1]
	}
	if f := e.rng.floor(k); f.lo.equal(f.hi) {
		q = liaConst(f.lo)
		r = l.name(l.add(e, liaConst(f.lo.shl(k).neg())))
		r.rng = interval{hi: ones(k)}.meet(e.rng.add(point(f.lo.shl(k).neg())))
	} else {
		q, r = l.variable(f), l.variable(interval{hi: ones(k)})
		fmt.Fprintf(&l.body, "(assert (= %s (+ %s (* %s %s))))\n", e.s, r.s, pow2(k), q.s)
	}
	l.cuts[key] = [2]liaExpr{q, r}
	return q, r
}

func (l *liaWriter) wrap(e liaExpr, w int) liaExpr {
	_, r := l.cut(e, uint(w))
	return r
}

// signed is the signed value of e, an unsigned one of w bits.
func (l *liaWriter) signed(e liaExpr, w int) liaExpr {
	q, _ := l.cut(e, uint(w-1))
	s := l.name(l.add(e, l.times(pow2(uint(w)).neg(), q)))
	s.rng = unknown(w).s
	return s
}

// choice is b ? x : y.
func (l *liaWriter) choice(b string, x, y liaExpr) liaExpr {
	return liaExpr{fmt.Sprintf("(ite %s %s %s)", b, x.s, y.s), x.rng.hull(y.rng)}
}

func (l *liaWriter) bit(b string) liaExpr { return l.choice(b, liaConst(small(1)), liaConst(num{})) }

// term is the unsigned value of t.
func (l *liaWriter) term(t *sem.Term) (liaExpr, error) {
	if e, ok := l.memo[t]; ok {
		return e, nil
	}
	var x [3]liaExpr
	for i, a := range t.Args() {
		e, err := l.term(a)
		if err != nil {
			return e, err
		}
		x[i] = e
	}
	e, err := l.apply(t, x[0], x[1], x[2])
	if err != nil {
		return e, err
	}
	e = l.name(e)
	l.memo[t] = e
	return e, nil
}

func (l *liaWriter) apply(t *sem.Term, x, y, z liaExpr) (liaExpr, error) {
	w, minus := t.W, small(-1)
	none := func() (liaExpr, error) { return liaExpr{}, fmt.Errorf("no linear form: %s of %d bits", t.Op, t.W) }
	switch t.Op {
	case sem.OpVar, sem.OpConst:
		return l.linear(l.k.Of(t)), nil
	case sem.OpAdd:
		return l.wrap(l.add(x, y), w), nil
	case sem.OpSub:
		return l.wrap(l.add(x, l.times(minus, y)), w), nil
	case sem.OpNeg:
		return l.wrap(l.times(minus, x), w), nil
	case sem.OpNot:
		return l.add(liaConst(ones(uint(w))), l.times(minus, x)), nil
	case sem.OpMul:
		p, q := l.k.Of(t.A[0]), l.k.Of(t.A[1])
		if c, ok := p.isConst(); ok {
			return l.wrap(l.times(c, y), w), nil
		}
		if c, ok := q.isConst(); ok {
			return l.wrap(l.times(c, x), w), nil
		}
		if !l.k.slicesOnly(p) || !l.k.slicesOnly(q) {
			return none()
		}
		e := l.wrap(l.product(p, q), w)
		// What the pieces forget: the range of the whole.
		s := l.bounds[t].s
		fmt.Fprintf(&l.body, "(assert (<= %s %s %s))\n", liaNum(s.lo), l.signed(e, w).s, liaNum(s.hi))
		return e, nil
	case sem.OpAnd, sem.OpOr, sem.OpXor:
		return l.bitwise(t, x, y)
	case sem.OpShl, sem.OpLshr, sem.OpAshr:
		c, ok := l.k.Of(t.A[1]).isConst()
		if !ok || c.cmp(small(int64(w))) >= 0 {
			return none()
		}
		switch n := uint(c.v); t.Op {
		case sem.OpShl:
			return l.wrap(l.times(pow2(n), x), w), nil
		case sem.OpLshr:
			q, _ := l.cut(x, n)
			return q, nil
		default:
			q, _ := l.cut(l.signed(x, w), n)
			return l.wrap(q, w), nil
		}
	case sem.OpConcat:
		return l.add(l.times(pow2(uint(t.A[1].W)), x), y), nil
	case sem.OpExtract:
		q, _ := l.cut(x, uint(t.K.Lo))
		return l.wrap(q, w), nil
	case sem.OpZext:
		return x, nil
	case sem.OpSext:
		return l.wrap(l.signed(x, t.A[0].W), w), nil
	case sem.OpEq:
		return l.bit(fmt.Sprintf("(= %s %s)", x.s, y.s)), nil
	case sem.OpUlt:
		return l.bit(fmt.Sprintf("(< %s %s)", x.s, y.s)), nil
	case sem.OpSlt:
		n := t.A[0].W
		return l.bit(fmt.Sprintf("(< %s %s)", l.signed(x, n).s, l.signed(y, n).s)), nil
	}
	return l.choice(fmt.Sprintf("(= %s 1)", x.s), y, z), nil
}

func (l *liaWriter) bitwise(t *sem.Term, x, y liaExpr) (liaExpr, error) {
	p, q := l.k.Of(t.A[0]), l.k.Of(t.A[1])
	and := liaConst(num{})
	c, isConst := q.isConst()
	switch {
	case t.W == 1:
		and = l.bit(fmt.Sprintf("(= 2 (+ %s %s))", x.s, y.s))
	case isConst:
		for i := uint(0); i < uint(t.W); {
			j := i
			for j < uint(t.W) && c.bit(int(j)) == 1 {
				j++
			}
			if j > i {
				f, _ := l.cut(x, i)
				and = l.add(and, l.times(pow2(i), l.wrap(f, int(j-i))))
			}
			i = j + 1
		}
	case l.k.apart(p, q, uint(t.W)):
	default:
		return liaExpr{}, fmt.Errorf("no linear form: %s of %d bits", t.Op, t.W)
	}
	and = l.name(and)
	switch t.Op {
	case sem.OpAnd:
		return and, nil
	case sem.OpOr:
		return l.within(l.add(l.add(x, y), l.times(small(-1), and)), t.W), nil
	}
	return l.within(l.add(l.add(x, y), l.times(small(-2), and)), t.W), nil
}

// within says that an expression is a value of w bits.
func (l *liaWriter) within(e liaExpr, w int) liaExpr {
	e.rng = e.rng.meet(interval{hi: ones(uint(w))})
	return e
}

// linear is a polynomial of slices.
func (l *liaWriter) linear(p *Poly) liaExpr {
	sum := liaConst(num{})
	for _, c := range p.cells {
		if c.m == 0 {
			sum = l.add(sum, liaConst(c.c))
			continue
		}
		sum = l.add(sum, l.times(c.c, l.slice(l.k.monos[c.m].atoms[0])))
	}
	return l.name(sum)
}

func (l *liaWriter) slice(i int32) liaExpr {
	r := l.k.atoms[i].rng
	if s, ok := l.slices[i]; ok {
		return liaExpr{s, r}
	}
	e := l.variable(r)
	l.slices[i] = e.s
	return e
}

// product is the exact product of two polynomials of slices.
func (l *liaWriter) product(p, q *Poly) liaExpr {
	sum := liaConst(num{})
	for _, x := range p.cells {
		for _, y := range q.cells {
			c := x.c.mul(y.c)
			switch {
			case x.m == 0 && y.m == 0:
				sum = l.add(sum, liaConst(c))
			case x.m == 0:
				sum = l.add(sum, l.times(c, l.slice(l.k.monos[y.m].atoms[0])))
			case y.m == 0:
				sum = l.add(sum, l.times(c, l.slice(l.k.monos[x.m].atoms[0])))
			default:
				sum = l.add(sum, l.times(c, l.piece(l.k.monos[x.m].atoms[0], l.k.monos[y.m].atoms[0])))
			}
		}
	}
	return l.name(sum)
}

// piece is the product of two slices: exact where one is a bit, else any
// integer in the range.
func (l *liaWriter) piece(i, j int32) liaExpr {
	if i > j {
		i, j = j, i
	}
	x, y := l.slice(i), l.slice(j)
	r := x.rng.mul(y.rng)
	if s, ok := l.products[[2]int32{i, j}]; ok {
		return liaExpr{s, r}
	}
	var e liaExpr
	switch {
	case x.rng.isBit():
		e = l.name(l.choice(fmt.Sprintf("(= %s 1)", x.s), y, liaConst(num{})))
	case y.rng.isBit():
		e = l.name(l.choice(fmt.Sprintf("(= %s 1)", y.s), x, liaConst(num{})))
	default:
		e = l.variable(r)
	}
	l.products[[2]int32{i, j}] = e.s
	return liaExpr{e.s, r}
}
