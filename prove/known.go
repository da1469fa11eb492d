package prove

// Trusted: what assumptions say.

import "github.com/ptxlower/ptxlower/sem"

// knowledge bounds a variable, read as unsigned and as signed.
type knowledge struct{ u, s interval }

// piece is a slice of a variable, and a range that it is taken to lie in.
type piece struct {
	v     *sem.Term
	lo, n int
	r     interval
}

// claim is that a one-bit term is 1, or 0.
type claim struct {
	t  *sem.Term
	is bool
}

// assume takes claims for granted. What they say of single variables decides
// the variables' slices, so it comes before anything else is done with k; what
// they say of other values bounds their polynomials.
func (k *Kernel) assume(claims ...claim) {
	for _, c := range claims {
		k.each(c, k.ofVariable)
	}
	for _, c := range claims {
		k.each(c, k.ofPoly)
	}
}

// conditional reports that something was assumed.
func (k *Kernel) conditional() bool {
	return len(k.facts)+len(k.known)+len(k.nonzero)+len(k.pieces) > 0
}

// each takes claims apart into those that make them up.
func (k *Kernel) each(c claim, f func(claim)) {
	switch {
	case c.t.Op == sem.OpNot:
		k.each(claim{c.t.A[0], !c.is}, f)
	case c.t.Op == sem.OpAnd && c.is, c.t.Op == sem.OpOr && !c.is:
		k.each(claim{c.t.A[0], c.is}, f)
		k.each(claim{c.t.A[1], c.is}, f)
	default:
		f(c)
	}
}

// ofVariable uses comparisons of a variable with a constant.
func (k *Kernel) ofVariable(c claim) {
	t := c.t
	if t.Op == sem.OpVar {
		v := num{}
		if c.is {
			v = small(1)
		}
		k.bound(t, point(v), point(v.neg()))
		return
	}
	x, y := t.A[0], t.A[1]
	if t.N != 2 || !(x.Op == sem.OpVar && y.IsConst() || y.Op == sem.OpVar && x.IsConst()) {
		return
	}
	all, one := unknown(x.W), small(1)
	u, s := all.u, all.s
	v, left := x, true // the variable, and whether it stands left
	if y.Op == sem.OpVar {
		x, y = y, x
		v, left = x, false
	}
	a, b := fromVal(y.K), signedVal(y.K, y.W)
	below := func(r *interval, c num) { r.hi = c.sub(one) }
	above := func(r *interval, c num) { r.lo = c.add(one) }
	switch {
	case t.Op == sem.OpEq && c.is:
		u, s = point(a), point(b)
	case t.Op == sem.OpUlt && left && c.is:
		below(&u, a)
	case t.Op == sem.OpUlt && left:
		u.lo = a
	case t.Op == sem.OpUlt && c.is:
		above(&u, a)
	case t.Op == sem.OpUlt:
		u.hi = a
	case t.Op == sem.OpSlt && left && c.is:
		below(&s, b)
	case t.Op == sem.OpSlt && left:
		s.lo = b
	case t.Op == sem.OpSlt && c.is:
		above(&s, b)
	case t.Op == sem.OpSlt:
		s.hi = b
	}
	k.bound(v, u, s)
}

func signedVal(v sem.Val, w int) num {
	x := fromVal(v)
	if v.Bit(w-1) == 1 {
		return x.sub(pow2(uint(w)))
	}
	return x
}

// unknown is what holds of every w-bit value.
func unknown(w int) *knowledge {
	half := pow2(uint(w - 1))
	return &knowledge{interval{hi: ones(uint(w))}, interval{half.neg(), half.sub(small(1))}}
}

// bound adds bounds of a variable.
func (k *Kernel) bound(v *sem.Term, u, s interval) {
	f := k.known[v]
	if f == nil {
		f = unknown(v.W)
	}
	g := knowledge{k.meet(f.u, u), k.meet(f.s, s)}
	if g.s.lo.sign() >= 0 { // both readings agree
		g.u = k.meet(g.u, g.s)
	}
	if g.u.hi.cmp(ones(uint(v.W-1))) <= 0 {
		g.s = k.meet(g.s, g.u)
	}
	round := point(pow2(uint(v.W)))
	if g.s.hi.sign() < 0 { // the unsigned value is that + 2^w
		g.u = k.meet(g.u, g.s.add(round))
	}
	if g.u.lo.cmp(ones(uint(v.W-1))) > 0 {
		g.s = k.meet(g.s, g.u.add(point(round.lo.neg())))
	}
	k.known[v] = &g
}

// meet is what lies in both; if nothing does, the assumptions are void.
func (k *Kernel) meet(r, s interval) interval {
	m := r.meet(s)
	if m.lo.cmp(m.hi) > 0 {
		k.void = true
		return r
	}
	return m
}

// ofPoly bounds the difference of what a claim compares, and its own value.
func (k *Kernel) ofPoly(c claim) {
	x, y, v := c.t.A[0], c.t.A[1], num{}
	if c.is {
		v = small(1)
	}
	var d *Poly
	switch c.t.Op {
	case sem.OpEq:
		if d = k.Sub(k.Of(x), k.Of(y)); !c.is {
			k.different(d)
		} else {
			k.fact(d, point(num{}))
		}
	case sem.OpUlt:
		d = k.Sub(k.Of(x), k.Of(y))
	case sem.OpSlt:
		d = k.Sub(k.Signed(k.Of(x), uint(x.W)), k.Signed(k.Of(y), uint(y.W)))
	}
	if c.t.Op == sem.OpUlt || c.t.Op == sem.OpSlt {
		r := k.rangeOf(d)
		if c.is {
			r.hi = minNum(r.hi, small(-1))
		} else {
			r.lo = maxNum(r.lo, num{})
		}
		k.fact(d, r)
		if r == (interval{}) { // x = y, read as unsigned, too
			k.fact(k.Sub(k.Of(x), k.Of(y)), r)
		}
	}
	k.fact(k.Of(c.t), point(v))
	k.memo[c.t] = k.constant(v)
}

// part is a polynomial as c·p + d, p having a positive last coefficient, no
// constant and no common factor 2.
type part struct {
	p    *Poly
	c, d num
}

func (k *Kernel) primitive(p *Poly) part {
	cs, d := p.cells, num{}
	if len(cs) > 0 && cs[0].m == 0 {
		cs, d = cs[1:], cs[0].c
	}
	if len(cs) == 0 {
		return part{k.intern(nil), small(1), d}
	}
	e := cs[0].c.twos()
	for _, c := range cs {
		e = min(e, c.c.twos())
	}
	flip := cs[len(cs)-1].c.sign() < 0
	out := make([]cell, len(cs))
	for i, c := range cs {
		if out[i] = (cell{c.m, c.c.shr(e)}); flip {
			out[i].c = out[i].c.neg()
		}
	}
	f := pow2(e)
	if flip {
		f = f.neg()
	}
	return part{k.intern(out), f, d}
}

// fact says that p lies in r.
func (k *Kernel) fact(p *Poly, r interval) {
	k.force(p, r)
	q := k.primitive(p)
	if len(q.p.cells) == 0 {
		k.meet(point(q.d), r)
		return
	}
	// c·q + d ∈ r  ⇔  q ∈ (r − d) / c, rounded inwards.
	s := r.add(point(q.d.neg()))
	if q.c.sign() < 0 {
		s = s.scale(small(-1))
	}
	e := q.c.twos()
	s = interval{s.lo.add(ones(e)).shr(e), s.hi.shr(e)}
	old, ok := k.facts[q.p]
	if !ok {
		old = k.rangeOf(q.p)
	}
	k.facts[q.p] = k.meet(old, s)
	q.p.rng, p.rng = k.facts[q.p], k.meet(k.rangeOf(p), r)
	// P = floor(Y / 2^n) by rule 6, so 2^n·P ≤ Y < 2^n·(P + 1).
	if y, n, ok := k.merge(p, 0); ok {
		k.fact(y, interval{r.lo.shl(n), r.hi.add(small(1)).shl(n).sub(small(1))})
	}
}

// force bounds the slices that are summands of p: c·A = p − Z for the rest Z.
func (k *Kernel) force(p *Poly, r interval) {
	for _, c := range p.cells {
		as := k.monos[c.m].atoms
		if len(as) != 1 || k.atoms[as[0]].kind != sliceAtom {
			continue
		}
		z := k.rangeOf(k.Sub(p, k.intern([]cell{c})))
		// c·A lies in least … most; only multiples of 2^e ≤ |c| are looked at.
		s := r.add(z.scale(small(-1)))
		if c.c.sign() < 0 {
			s = s.scale(small(-1))
		}
		if c.c.abs().cmp(pow2(c.c.twos())) != 0 {
			continue
		}
		e := c.c.twos()
		a := &k.atoms[as[0]]
		if s = a.rng.meet(interval{s.lo.add(ones(e)).shr(e), s.hi.shr(e)}); s.lo.cmp(s.hi) <= 0 && s != a.rng {
			k.forced = append(k.forced, piece{a.term, a.lo, a.n, s})
		}
	}
}

// meetFact narrows the range of p by what is assumed of its primitive part.
func (k *Kernel) meetFact(p *Poly, r interval) interval {
	q := k.primitive(p)
	if f, ok := k.facts[q.p]; ok {
		return k.meet(r, f.scale(q.c).add(point(q.d)))
	}
	return r
}

// different says that p is not 0.
func (k *Kernel) different(p *Poly) {
	r := k.rangeOf(p)
	switch {
	case r == interval{}:
		k.void = true
		return
	case r.lo.isZero():
		k.fact(p, interval{small(1), r.hi})
	case r.hi.isZero():
		k.fact(p, interval{r.lo, small(-1)})
	}
	if q := k.primitive(p); q.d.isZero() {
		k.nonzero[q.p] = true
	}
}

func (k *Kernel) isNonzero(p *Poly) bool {
	if len(k.nonzero) == 0 {
		return false
	}
	q := k.primitive(p)
	return q.d.isZero() && k.nonzero[q.p]
}
