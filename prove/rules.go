package prove

import "slices"

// Trusted: the rules. Each is a theorem about integers, floor being rounding
// to −∞: for all values of the atoms, both sides are equal. Which rule is used
// when decides only how often equal values get equal polynomials.

// constantFloor is rule 1.
//
//	m·2^n ≤ P < (m+1)·2^n  ⇒  floor(P / 2^n) = m
func (k *Kernel) constantFloor(p *Poly, n uint) (m num, ok bool) {
	r := k.rangeOf(p).floor(n)
	return r.lo, r.lo.equal(r.hi)
}

// narrow is rule 2; it gives the least such j, or n.
//
//	−2^j ≤ P < 2^j, j < n  ⇒  floor(P / 2^n) = floor(P / 2^j)
func (k *Kernel) narrow(p *Poly, n uint) uint {
	r := k.rangeOf(p)
	return min(n, max(r.lo.width(), r.hi.width()))
}

// split is rule 3. Coefficients are cut so that Y's lie in −2^(n−1) < c ≤
// 2^(n−1), the constant's in 0 ≤ c < 2^n.
//
//	floor((2^n·X + Y) / 2^n) = X + floor(Y / 2^n)
func (k *Kernel) split(p *Poly, n uint) (x, y *Poly) {
	half := pow2(n - 1)
	var xs, ys []cell
	for _, c := range p.cells {
		q, r := c.c.shr(n), c.c.mod(n)
		if c.m != 0 && r.cmp(half) > 0 {
			q, r = q.add(small(1)), r.sub(half).sub(half)
		}
		if !q.isZero() {
			xs = append(xs, cell{c.m, q})
		}
		if !r.isZero() {
			ys = append(ys, cell{c.m, r})
		}
	}
	if len(xs) == 0 {
		return nil, p
	}
	return k.intern(xs), k.intern(ys)
}

// dropLow is rule 4. Z are the summands of P = 2^i·X + Z whose coefficients
// 2^i does not divide; the greatest i ≤ n that changes P is taken.
//
//	m·2^i ≤ Z < (m+1)·2^i, i ≤ n  ⇒  floor((2^i·X + Z) / 2^n) = floor((2^i·X + m·2^i) / 2^n)
func (k *Kernel) dropLow(p *Poly, n uint) (*Poly, bool) {
	for i := n; i > 0; {
		var xs, zs []cell
		next := uint(0) // the greatest exponent below i
		for _, c := range p.cells {
			if e := c.c.twos(); e >= i {
				xs = append(xs, c)
			} else {
				zs = append(zs, c)
				next = max(next, e)
			}
		}
		if len(zs) == 0 {
			return nil, false
		}
		z := k.intern(zs)
		r := k.rangeOf(z).floor(i)
		if r.lo.equal(r.hi) {
			m := r.lo.shl(i)
			if c, ok := z.isConst(); !ok || !c.equal(m) {
				return k.Add(k.intern(xs), k.constant(m)), true
			}
		}
		i = next
	}
	return nil, false
}

// cancel is rule 5; it gives the greatest such i.
//
//	floor(2^i·X / 2^n) = floor(X / 2^(n−i)), i ≤ n
func (k *Kernel) cancel(p *Poly, n uint) (x *Poly, i uint) {
	i = n
	for _, c := range p.cells {
		i = min(i, c.c.twos())
	}
	if i == 0 {
		return p, 0
	}
	xs := make([]cell, len(p.cells))
	for j, c := range p.cells {
		xs[j] = cell{c.m, c.c.shr(i)}
	}
	return k.intern(xs), i
}

// merge is rule 6, for the newest floor that P has with coefficient ±1. It is
// what makes digits of one big integer out of a chain of carries.
//
//	floor((floor(Y / 2^j) + Z) / 2^n) = floor((Y + 2^j·Z) / 2^(n+j))
//	floor((−floor(Y / 2^j) + Z) / 2^n) = floor((−Y + 2^j − 1 + 2^j·Z) / 2^(n+j))
func (k *Kernel) merge(p *Poly, n uint) (q *Poly, m uint, ok bool) {
	i, c := k.newestFloor(p, true)
	if i < 0 {
		return p, n, false
	}
	a := &k.atoms[i]
	z := k.Shl(k.Sub(p, k.intern([]cell{{a.m, c}})), a.k)
	if a.kind == signAtom {
		c = c.neg()
	}
	if c.sign() < 0 {
		z = k.Add(z, k.constant(ones(a.k)))
	}
	return k.linear(a.p, c, z, small(1)), n + a.k, true
}

// round is rule 11, used where it makes fewer of the floors that P has with
// coefficients ±1 or ±2. A high part plus the bit below it, which is how a quotient is
// rounded, becomes one floor.
//
//	floor(Y / 2^(n−1)) = floor(Y / 2^n) + floor((Y + 2^(n−1)) / 2^n)
func (k *Kernel) round(p *Poly) *Poly {
again:
	for _, a := range k.roundable(p) {
		half := k.constant(pow2(a.k - 1))
		for _, y := range [2]*Poly{a.p, k.Sub(a.p, half)} {
			zero := k.Sub(k.Floor(y, a.k-1), k.Add(k.Floor(y, a.k), k.Floor(k.Add(y, half), a.k)))
			for _, e := range [2]num{small(1), small(-1)} {
				if q := k.linear(p, small(1), zero, e); k.floorsIn(q) < k.floorsIn(p) {
					p = k.within(q, k.rangeOf(p))
					goto again
				}
			}
		}
	}
	return p
}

// roundable are the floors of p with coefficients ±1 or ±2 that have another
// beside them, of an operand that shares a monomial and a divisor that is the
// same or a neighbour.
func (k *Kernel) roundable(p *Poly) []*atom {
	var all, out []*atom
	for _, c := range p.cells {
		if a := k.floorAt(c); a != nil && c.c.abs().cmp(small(2)) <= 0 {
			all = append(all, a)
		}
	}
	for _, a := range all {
		m := a.p.lowest()
		for _, b := range all {
			if a != b && a.k <= b.k+1 && b.k <= a.k+1 && slices.ContainsFunc(b.p.cells, func(c cell) bool { return c.m == m }) {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// lowest is the monomial with the least power of two in its coefficient.
func (p *Poly) lowest() int32 {
	m, least := int32(0), ^uint(0)
	for _, c := range p.cells {
		if e := c.c.twos(); c.m != 0 && e < least {
			m, least = c.m, e
		}
	}
	return m
}

// floorsIn is the number of summands of p that are floors.
func (k *Kernel) floorsIn(p *Poly) int {
	n := 0
	for _, c := range p.cells {
		if k.floorAt(c) != nil {
			n++
		}
	}
	return n
}

// floorAt is the floor of a summand that is one, times a number.
func (k *Kernel) floorAt(c cell) *atom {
	as := k.monos[c.m].atoms
	if len(as) != 1 {
		return nil
	}
	if a := &k.atoms[as[0]]; a.kind == floorAtom || a.kind == signAtom {
		return a
	}
	return nil
}

// flip is rule 10: it gives −P + 2^n − 1. It is used where P is negative, and
// where rule 2 holds for the flipped P.
//
//	floor(P / 2^n) = −floor((−P + 2^n − 1) / 2^n)
func (k *Kernel) flip(p *Poly, n uint) *Poly {
	top := point(ones(n))
	q := k.linear(p, small(-1), k.constant(top.lo), small(1))
	// Each knows what the other does.
	q.rng = k.meet(k.rangeOf(q), k.rangeOf(p).scale(small(-1)).add(top))
	p.rng = k.meet(p.rng, q.rng.scale(small(-1)).add(top))
	return q
}

// negative reports that P's last coefficient is, but for those of 2^(n−1), which
// rule 3 makes positive.
func (p *Poly) negative(n uint) bool {
	half := pow2(n - 1)
	for i := len(p.cells) - 1; i >= 0; i-- {
		if c := p.cells[i]; c.m != 0 && !c.c.equal(half) {
			return c.c.sign() < 0
		}
	}
	return false
}

// narrowsFlipped reports that −2^j ≤ −P + 2^n − 1 < 2^j for some j < n.
func (k *Kernel) narrowsFlipped(p *Poly, n uint) bool {
	r, top := k.rangeOf(p), ones(n)
	return max(top.sub(r.lo).width(), top.sub(r.hi).width()) < n
}

// newestFloor is the last floor that is a summand of p, with unit one whose
// coefficient is ±1, and the coefficient; −1 if there is none.
func (k *Kernel) newestFloor(p *Poly, unit bool) (int32, num) {
	best, coef := int32(-1), num{}
	for _, c := range p.cells {
		as := k.monos[c.m].atoms
		if len(as) != 1 || as[0] <= best || unit && c.c != small(1) && c.c != small(-1) {
			continue
		}
		if kind := k.atoms[as[0]].kind; kind == floorAtom || kind == signAtom {
			best, coef = as[0], c.c
		}
	}
	return best, coef
}

// bitFloor is rule 7, B being a product of bits.
//
//	floor((c·B + d) / 2^n) = floor(d / 2^n) + (floor((c + d) / 2^n) − floor(d / 2^n))·B
func (k *Kernel) bitFloor(p *Poly, n uint) (*Poly, bool) {
	var d num
	cs := p.cells
	if len(cs) == 2 && cs[0].m == 0 {
		d, cs = cs[0].c, cs[1:]
	}
	if len(cs) != 1 || !k.monos[cs[0].m].bool {
		return nil, false
	}
	f := d.shr(n)
	return k.collect([]cell{{0, f}, {cs[0].m, cs[0].c.add(d).shr(n).sub(f)}}), true
}

// maxDepth limits how many floors rangeOf looks through.
const maxDepth = 64

// rangeOf is rule 9: p lies in the interval. It is interval arithmetic, met with
// what follows from the definition of the newest floor q = floor(Y / 2^j) that
// p has as a summand:
//
//	P = Z + c·q, 2^j·q = Y − r, 0 ≤ r < 2^j  ⇒  2^j·P = 2^j·Z + c·Y − c·r
//
// so that x − 2^32·floor(x / 2^32) is known to lie in 0 … 2^32 − 1.
func (k *Kernel) rangeOf(p *Poly) interval { return k.rangeAt(p, 0) }

func (k *Kernel) rangeAt(p *Poly, depth int) interval {
	if p.ranged {
		return p.rng
	}
	var r interval
	for _, c := range p.cells {
		r = r.add(k.monos[c.m].rng.scale(c.c))
	}
	if i, c := k.newestFloor(p, false); i >= 0 && depth < maxDepth {
		a := &k.atoms[i]
		z := k.Sub(p, k.intern([]cell{{a.m, c}}))
		if a.kind == signAtom {
			c = c.neg()
		}
		s := k.rangeAt(k.linear(z, pow2(a.k), a.p, c), depth+1)
		s = s.add(interval{hi: ones(a.k)}.scale(c.neg()))
		// Only multiples of 2^j count.
		r = r.meet(interval{s.lo.add(ones(a.k)).shr(a.k), s.hi.shr(a.k)})
	}
	if len(k.facts) > 0 {
		r = k.meetFact(p, r)
	}
	k.steps += len(p.cells)
	p.rng, p.ranged = r, true
	return r
}

// Floor is floor(p / 2^n).
func (k *Kernel) Floor(p *Poly, n uint) *Poly {
	key := floorKey{p.id, n}
	if f, ok := k.floors[key]; ok {
		return f
	}
	f := k.within(k.floor(p, n, 0), k.rangeOf(p).floor(n))
	k.floors[key] = f
	return f
}

// maxRounds limits the rounds of rewriting, maxFlips the uses of rule 10; what
// is left then is an atom.
const (
	maxRounds = 1 << 12
	maxFlips  = 4
)

// floor rewrites until no rule applies; flips counts the uses of rule 10.
func (k *Kernel) floor(p *Poly, n uint, flips int) *Poly {
	out := k.constant(num{})
	for round := 0; ; round++ {
		if n == 0 {
			return k.Add(out, p)
		}
		if m, ok := k.constantFloor(p, n); ok {
			return k.Add(out, k.constant(m))
		}
		if n = k.narrow(p, n); n == 0 {
			continue
		}
		if round == maxRounds {
			return k.Add(out, k.floorOf(p, n))
		}
		if flips < maxFlips && k.narrowsFlipped(p, n) {
			return k.Sub(out, k.floor(k.flip(p, n), n, flips+1))
		}
		if x, y := k.split(p, n); x != nil {
			out, p = k.Add(out, x), y
			continue
		}
		if q, ok := k.dropLow(p, n); ok {
			p = q
			continue
		}
		if q, i := k.cancel(p, n); i > 0 {
			p, n = q, n-i
			continue
		}
		if f, ok := k.bitFloor(p, n); ok {
			return k.Add(out, f)
		}
		if q, m, ok := k.merge(p, n); ok {
			p, n = q, m
			continue
		}
		if flips < maxFlips && p.negative(n) {
			return k.Sub(out, k.floor(k.flip(p, n), n, flips+1))
		}
		return k.Add(out, k.floorOf(p, n))
	}
}

// floorOf is floor(p / 2^n) as an atom. One that is 0 or −1 stands as the
// negative of a bit, so that rule 8 holds for it.
func (k *Kernel) floorOf(p *Poly, n uint) *Poly {
	r := k.rangeOf(p).floor(n)
	if r.within(interval{small(-1), num{}}) {
		i := k.newAtom(atomKey{kind: signAtom, x: p.id, k: n}, atom{kind: signAtom, rng: bit, p: p, k: n})
		return k.scale(k.atomPoly(i), small(-1))
	}
	return k.atomPoly(k.newAtom(atomKey{kind: floorAtom, x: p.id, k: n}, atom{kind: floorAtom, rng: r, p: p, k: n}))
}

// Wrap is p modulo 2^w: p − 2^w·floor(p / 2^w).
func (k *Kernel) Wrap(p *Poly, w uint) *Poly {
	return k.within(k.linear(p, small(1), k.Floor(p, w), pow2(w).neg()), interval{hi: ones(w)})
}

// Signed is the signed value of p, 0 ≤ p < 2^w: p − 2^w·floor(p / 2^(w−1)).
func (k *Kernel) Signed(p *Poly, w uint) *Poly {
	return k.within(k.linear(p, small(1), k.Floor(p, w-1), pow2(w).neg()), unknown(int(w)).s)
}

// Less is [p < q]: −floor((p − q) / 2^j) for −2^j ≤ p − q < 2^j.
func (k *Kernel) Less(p, q *Poly) *Poly {
	d := k.Sub(p, q)
	r := k.rangeOf(d)
	return k.scale(k.Floor(d, max(r.lo.width(), r.hi.width())), small(-1))
}

// maxZeroBits limits the bits that Zero multiplies out.
const maxZeroBits = 3

// Zero is [p = 0], a bit.
//
//	P = 0 ⇔ −P = 0 ⇔ g·P = 0 for g ≠ 0
//	0 ≤ P ≤ 1  ⇒  [P = 0] = 1 − P
//	x, y ≥ 0, c, d > 0  ⇒  [c·x + d·y = 0] = [x + y = 0] = [x = 0]·[y = 0]
//	[floor(Y / 2^j) = 0] = [Y < 2^j] − [Y < 0]
func (k *Kernel) Zero(p *Poly) *Poly {
	r := k.rangeOf(p)
	if len(p.cells) == 0 {
		return k.constant(small(1))
	}
	if r.lo.sign() > 0 || r.hi.sign() < 0 || k.isNonzero(p) {
		return k.constant(num{})
	}
	if y, j, ok := k.merge(p, 0); ok {
		k.within(y, interval{r.lo.shl(j), r.hi.add(small(1)).shl(j).sub(small(1))})
		return k.Sub(k.Less(y, k.constant(pow2(j))), k.Less(y, k.constant(num{})))
	}
	sum, bits := true, 0
	for _, c := range p.cells {
		m := &k.monos[c.m]
		sum = sum && m.rng.scale(c.c).lo.sign() >= 0
		if m.bool {
			bits++
		}
	}
	last := p.cells[len(p.cells)-1]
	switch {
	case sum:
		cs := slices.Clone(p.cells)
		for i := range cs {
			cs[i].c = small(int64(cs[i].c.sign()))
		}
		p = k.intern(cs)
	case last.c.sign() < 0:
		p = k.scale(p, small(-1))
		fallthrough
	default:
		p, _ = k.cancel(p, last.c.twos())
	}
	if k.rangeOf(p).isBit() {
		return k.not(p)
	}
	if sum && len(p.cells) > 1 && bits <= maxZeroBits {
		z := k.constant(small(1))
		for _, c := range p.cells {
			z = k.Mul(z, k.Zero(k.intern([]cell{c})))
		}
		return z
	}
	return k.atomPoly(k.newAtom(atomKey{kind: zeroAtom, x: p.id}, atom{kind: zeroAtom, rng: bit, p: p}))
}
