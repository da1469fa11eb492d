package prove

// Trusted: what the primitives of sem are on exact integers.

import (
	"math/bits"

	"github.com/ptxlower/ptxlower/sem"
)

// NewKernel is a Kernel for terms: variables are cut into the slices that the
// terms ask for. Terms met later use the same slices.
func NewKernel(terms ...*sem.Term) *Kernel {
	k := newKernel()
	k.cut(terms)
	return k
}

// Of is the unsigned value of t: 0 ≤ p < 2^t.W for all values of the variables.
func (k *Kernel) Of(t *sem.Term) *Poly {
	if p, ok := k.memo[t]; ok {
		return p
	}
	var x [3]*Poly
	for i, a := range t.Args() {
		x[i] = k.Of(a)
	}
	var p *Poly
	if k.steps < k.limit || t.N == 0 {
		p = k.apply(t, x[0], x[1], x[2])
	} else {
		p = k.opaqueTerm(t)
	}
	// Whatever interval arithmetic finds, t has t.W bits.
	p = k.within(p, interval{hi: ones(uint(t.W))})
	if p.rng.lo.equal(p.rng.hi) {
		p = k.constant(p.rng.lo)
	}
	k.memo[t] = p
	return p
}

// maxCells limits the products that are multiplied out, maxRuns the runs of
// ones in a mask that is cut out run by run.
const (
	maxCells = 1 << 12
	maxRuns  = 4
)

func (k *Kernel) apply(t *sem.Term, x, y, z *Poly) *Poly {
	w := uint(t.W)
	r, s := k.rangeOf, small(-1)
	switch t.Op {
	case sem.OpVar:
		return k.variable(t)
	case sem.OpConst:
		return k.constant(fromVal(t.K))
	case sem.OpAdd:
		return k.rounded(k.within(k.Add(x, y), r(x).add(r(y))), w)
	case sem.OpSub:
		return k.Wrap(k.within(k.Sub(x, y), r(x).add(r(y).scale(s))), w)
	case sem.OpNeg:
		return k.Wrap(k.scale(x, small(-1)), w)
	case sem.OpNot:
		return k.Sub(k.constant(ones(w)), x)
	case sem.OpMul:
		if len(x.cells)*len(y.cells) > maxCells {
			return k.opaqueTerm(t)
		}
		return k.Wrap(k.within(k.Mul(x, y), r(x).mul(r(y))), w)
	case sem.OpAnd, sem.OpOr, sem.OpXor:
		return k.bitwise(t, x, y)
	case sem.OpShl, sem.OpLshr, sem.OpAshr:
		if n := k.rangeOf(y).lo; n.equal(k.rangeOf(y).hi) || n.cmp(small(int64(w))) >= 0 {
			return k.shift(t.Op, x, n, w)
		}
		return k.opaque(t, x, y)
	case sem.OpConcat:
		n := uint(t.A[1].W)
		return k.within(k.Add(k.Shl(x, n), y), r(x).scale(pow2(n)).add(r(y)))
	case sem.OpExtract:
		return k.chosen(t.A[0], func(x *Poly) *Poly { return k.Wrap(k.Floor(x, uint(t.K.Lo)), w) })
	case sem.OpZext:
		return x
	case sem.OpSext:
		return k.Wrap(k.Signed(x, uint(t.A[0].W)), w)
	case sem.OpEq:
		return k.equal(x, y, uint(t.A[0].W))
	case sem.OpUlt:
		return k.Less(x, y)
	case sem.OpSlt:
		n := uint(t.A[0].W)
		return k.Less(k.Signed(x, n), k.Signed(y, n))
	case sem.OpIte:
		if len(x.cells)*(len(y.cells)+len(z.cells)) > maxCells {
			return k.opaqueTerm(t)
		}
		return k.ite(x, y, z)
	}
	return k.opaqueTerm(t)
}

// rounded is p modulo 2^w.
func (k *Kernel) rounded(p *Poly, w uint) *Poly {
	c := k.centred(p, w)
	if q := k.round(c); q != c {
		return k.Wrap(q, w)
	}
	return k.Wrap(p, w)
}

// within is p, known to lie in r.
func (k *Kernel) within(p *Poly, r interval) *Poly {
	p.rng = k.meet(k.rangeOf(p), r)
	return p
}

// ite is y where the bit x is 1, else z.
func (k *Kernel) ite(x, y, z *Poly) *Poly {
	return k.within(k.Add(k.Mul(x, y), k.Mul(k.not(x), z)), k.rangeOf(y).hull(k.rangeOf(z)))
}

// chosen is f of t's value, which a choice is left to:
//
//	f(B ? x : y) = B ? f(x) : f(y)
func (k *Kernel) chosen(t *sem.Term, f func(x *Poly) *Poly) *Poly {
	if t.Op != sem.OpIte {
		return f(k.Of(t))
	}
	if _, ok := k.Of(t.A[0]).isConst(); ok {
		return f(k.Of(t))
	}
	b, x, y := k.Of(t.A[0]), k.chosen(t.A[1], f), k.chosen(t.A[2], f)
	if len(b.cells)*(len(x.cells)+len(y.cells)) > maxCells {
		return f(k.Of(t))
	}
	return k.ite(b, x, y)
}

// shift is a shift by count, or by w or more if count is: all bits are out then.
func (k *Kernel) shift(op sem.Op, x *Poly, count num, w uint) *Poly {
	n := w
	if count.cmp(small(int64(w))) < 0 {
		n = uint(count.v)
	}
	switch op {
	case sem.OpShl:
		return k.Wrap(k.Shl(x, n), w)
	case sem.OpLshr:
		return k.Floor(x, n)
	}
	return k.Wrap(k.Floor(k.Signed(x, w), n), w)
}

// bitwise is and, or, xor. They have laws where one side is a constant, where
// one side is a bit's copies, and where no position is 1 on both sides.
//
//	x & (2^j − 2^i) = x<j−1..i> · 2^i, and so for each run of ones
//	x & (2^w − 1)·B = B·x
//	no common position: x & y = 0, x | y = x ^ y = x + y
//	x | y = x + y − (x & y), x ^ y = x + y − 2·(x & y)
func (k *Kernel) bitwise(t *sem.Term, x, y *Poly) *Poly {
	w := uint(t.W)
	if _, ok := x.isConst(); ok {
		x, y = y, x
	}
	var and *Poly
	c, isConst := y.isConst()
	switch {
	case x == y:
		and = x
	case isConst && runs(c, w) <= maxRuns:
		and = k.maskConst(x, c, w)
	case k.apart(x, y, w):
		and = k.constant(num{})
	case w == 1:
		if and = k.carry(t.A[0], t.A[1]); and == nil {
			and = k.Mul(x, y)
		}
	default:
		b := k.copies(y, w)
		if b == nil {
			if b = k.copies(x, w); b != nil {
				x, y = y, x
			}
		}
		if b == nil || len(b.cells)*len(x.cells) > maxCells {
			return k.opaque(t, x, y)
		}
		and = k.Mul(b, x)
	}
	switch t.Op {
	case sem.OpAnd:
		return and
	case sem.OpOr:
		return k.Sub(k.Add(x, y), and)
	}
	return k.Sub(k.Add(x, y), k.Shl(and, 1))
}

// equal is [x = y] for values of w bits. A word of copies of a bit stands for
// the bit's negative:
//
//	(2^w − 1)·B = y  ⇔  (y + B) mod 2^w = 0
func (k *Kernel) equal(x, y *Poly, w uint) *Poly {
	for range 2 {
		if _, ok := x.isConst(); !ok && w > 1 {
			if b := k.copies(x, w); b != nil {
				return k.Zero(k.rounded(k.Add(y, b), w))
			}
		}
		x, y = y, x
	}
	return k.Zero(k.Sub(x, y))
}

// carry is the bit x & (u = v) as what it is in a chain of carries, nil where it
// has not this form:
//
//	−2^n < Q ≤ 0  ⇒  B·[Q = 0] = floor((Q + 2^n − 1 + B) / 2^n)
func (k *Kernel) carry(x, y *sem.Term) *Poly {
	if x.Op == sem.OpEq {
		x, y = y, x
	}
	if y.Op != sem.OpEq || x.Op == sem.OpEq {
		return nil
	}
	q := k.Sub(k.Of(y.A[0]), k.Of(y.A[1]))
	if k.rangeOf(q).hi.sign() > 0 {
		q = k.scale(q, small(-1))
	}
	r := k.rangeOf(q)
	n := r.lo.neg().bitLen()
	if n < 2 || r.hi.sign() > 0 || !r.lo.neg().equal(ones(uint(n))) {
		return nil
	}
	return k.Floor(k.Add(k.Add(q, k.constant(ones(uint(n)))), k.Of(x)), uint(n))
}

// runs is the number of runs of ones in the low w bits of c.
func runs(c num, w uint) int {
	n, last := 0, uint(0)
	for i := range w {
		if b := c.bit(int(i)); b != last {
			n, last = n+int(b), b
		}
	}
	return n
}

// maskConst is x & c.
func (k *Kernel) maskConst(x *Poly, c num, w uint) *Poly {
	sum := k.constant(num{})
	for i := uint(0); i < w; {
		j := i
		for j < w && c.bit(int(j)) == 1 {
			j++
		}
		if j > i {
			sum = k.Add(sum, k.Shl(k.Wrap(k.Floor(x, i), j-i), i))
		}
		i = j + 1
	}
	return sum
}

// copies is the bit B with p = (2^w − 1)·B, or nil.
func (k *Kernel) copies(p *Poly, w uint) *Poly {
	if w == 1 {
		return p
	}
	m := ones(w)
	cs := make([]cell, len(p.cells))
	for i, c := range p.cells {
		q := c.c.shr(w) // of m·q, 0 < |q| < 2^w: q, or q − 1 for q > 0
		if q.sign() >= 0 {
			q = q.add(small(1))
		}
		if !q.mul(m).equal(c.c) {
			return nil
		}
		cs[i] = cell{c.m, q}
	}
	if b := k.intern(cs); k.rangeOf(b).isBit() {
		return b
	}
	return nil
}

// apart reports that no position can be 1 in both x and y.
func (k *Kernel) apart(x, y *Poly, w uint) bool {
	if w == 1 && k.rangeOf(k.Add(x, y)).isBit() {
		return true
	}
	below := func(x, y *Poly) bool { // y is below all bits of x
		if len(x.cells) == 0 {
			return true
		}
		e := x.cells[0].c.twos()
		for _, c := range x.cells {
			e = min(e, c.c.twos())
		}
		return k.rangeOf(y).within(interval{hi: ones(e)})
	}
	if below(x, y) || below(y, x) {
		return true
	}
	p, ok := k.positions(x)
	if !ok {
		return false
	}
	q, ok := k.positions(y)
	return ok && p.And(q).IsZero()
}

// positions has a 1 wherever p can have one. It is found where p's summands
// are multiples of powers of two without a common position, so that none
// carries into another.
func (k *Kernel) positions(p *Poly) (set sem.Val, ok bool) {
	for _, c := range p.cells {
		r := k.monos[c.m].rng
		if r.lo.sign() < 0 || c.c.sign() < 0 {
			return set, false
		}
		hi := r.hi.mul(c.c)
		if hi.bitLen() > 128 {
			return set, false
		}
		all := sem.Val{Hi: ^uint64(0), Lo: ^uint64(0)}
		bits := all.Shr(uint64(128 - hi.bitLen())).And(all.Shl(uint64(c.c.twos())))
		if !set.And(bits).IsZero() {
			return set, false
		}
		set = set.Or(bits)
	}
	return set, true
}

// opaque is an atom for what a bitwise operation or a shift does to values
// without a law; the same operation on equal values is the same atom.
func (k *Kernel) opaque(t *sem.Term, x, y *Poly) *Poly {
	shift := t.Op == sem.OpShl || t.Op == sem.OpLshr || t.Op == sem.OpAshr
	if !shift && y.id < x.id {
		x, y = y, x
	}
	key := atomKey{kind: opaqueAtom, op: t.Op, x: x.id, y: y.id, k: uint(t.W)}
	return k.atomPoly(k.newAtom(key, atom{kind: opaqueAtom, rng: interval{hi: ones(uint(t.W))}, term: t}))
}

// opaqueTerm is an atom for a term that is too large to be multiplied out.
func (k *Kernel) opaqueTerm(t *sem.Term) *Poly {
	r := interval{hi: ones(uint(t.W))}
	return k.atomPoly(k.newAtom(atomKey{kind: opaqueAtom, term: t}, atom{kind: opaqueAtom, rng: r, term: t}))
}

// variable is the sum of a variable's slices. What is known of it makes numbers
// of the slices that have one value, and ties the copies of the sign:
//
//	−2^(n−1) ≤ x < 2^(n−1), signed  ⇒  bits n−1 … w−1 of x are equal
//	floor(a / 2^e) = floor(b / 2^e), a ≤ x ≤ b  ⇒  floor(x / 2^e) is that, too
func (k *Kernel) variable(t *sem.Term) *Poly {
	if p, ok := k.slices[t]; ok {
		return p
	}
	f := k.known[t]
	if f == nil {
		f = unknown(t.W)
	}
	top, fill := t.W, num{} // slices end at top; the rest is fill times the highest
	if n := int(max(f.s.lo.width(), f.s.hi.width())) + 1; f.s.lo.sign() < 0 && f.s.hi.sign() >= 0 && n < top {
		top = n
		fill = pow2(uint(t.W)).sub(pow2(uint(n)))
	}
	fixed := 0 // bits from here on are those of f.u.lo
	for !f.u.lo.shr(uint(fixed)).equal(f.u.hi.shr(uint(fixed))) {
		fixed++
	}
	sum := k.constant(num{})
	for lo := 0; lo < top; {
		hi := lo + 1
		for hi < top && hi != fixed && !k.cuts[t].has(hi) && !(!fill.isZero() && hi == top-1) {
			hi++
		}
		n := uint(hi - lo)
		r := interval{hi: ones(n)}
		if hi >= fixed {
			r = interval{f.u.lo.shr(uint(lo)).mod(n), f.u.hi.shr(uint(lo)).mod(n)}
		}
		for _, x := range k.pieces {
			if x.v == t && x.lo == lo && x.n == hi-lo {
				r = k.meet(r, x.r)
			}
		}
		c := pow2(uint(lo))
		if hi == top {
			c = c.add(fill)
		}
		if r.lo.equal(r.hi) {
			sum = k.Add(sum, k.constant(c.mul(r.lo)))
		} else {
			key := atomKey{kind: sliceAtom, term: t, k: uint(lo)}
			a := k.atomPoly(k.newAtom(key, atom{kind: sliceAtom, rng: r, term: t, lo: lo, n: hi - lo}))
			sum = k.linear(sum, small(1), a, c)
		}
		lo = hi
	}
	return k.remember(t, sum)
}

func (k *Kernel) remember(t *sem.Term, p *Poly) *Poly {
	k.slices[t] = p
	return p
}

// bitset is a set of bit positions 0 … 128.
type bitset [3]uint64

func (s *bitset) has(i int) bool { return s != nil && s[i>>6]>>(i&63)&1 == 1 }

func (s *bitset) add(i int) { s[i>>6] |= 1 << (i & 63) }

// each calls f for the members in ascending order.
func (s *bitset) each(f func(i int)) {
	for j, w := range s {
		for ; w != 0; w &= w - 1 {
			f(j<<6 + bits.TrailingZeros64(w))
		}
	}
}
