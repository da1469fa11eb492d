package prove

// Trusted, simulated: which bits are shared, and what is said of free words.

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// hybrid is a goal as a circuit in which the polynomials are used thrice: terms
// of equal or congruent polynomials share their bits; a product of two unknown
// words is itself an unknown word, bounded by its range; and where bits are
// moved, both ways to get them are tied.
//
// For all values of the variables under which the assumptions hold, the
// circuit has an input (the variables' bits and the free words' values) for
// which every term's bits are its value and every fact is 1. So a circuit in
// which no input makes all facts 1 and two results differ proves them equal.
type hybrid struct {
	k        *Kernel
	c        *circuit
	depth    depth
	order    []*sem.Term
	bounds   map[*sem.Term]knowledge
	widths   []int   // at which low bits are shared
	fields   []field // that are shared
	common   map[*sem.Term]bool
	bits     map[*sem.Term][]lit
	unsigned map[int32][]lit // bits by polynomial of the unsigned value
	signed   map[int32][]lit // of the signed value
	low      map[residue]word
	shown    map[residue]bool // polynomials whose bits are published
	free     map[int][2]int   // a free input: the index of its term, its bit
	facts    []lit
	assumed  []lit
	words    []unknownWord
	shared   int // terms that have the bits of another
	ties     int // facts that tie bits
}

// unknownWord is a term that is a free word, and its range.
type unknownWord struct {
	t      *sem.Term
	signed bool
	rng    interval
}

// depth says which terms are free words.
type depth uint8

const (
	common   depth = iota // products, and sums that both sides of the goal have
	products              // products
	exact                 // none
)

func newHybrid(k *Kernel, g *Goal, order []*sem.Term, under []claim, d depth) *hybrid {
	h := &hybrid{
		k: k, c: newCircuit(), depth: d, order: order, bounds: k.boundsOf(order),
		bits: make(map[*sem.Term][]lit, len(order)), unsigned: map[int32][]lit{}, signed: map[int32][]lit{},
		low: map[residue]word{}, shown: map[residue]bool{}, free: map[int][2]int{},
	}
	h.widths, h.fields = shapesOf(order)
	if d == common {
		h.common = h.onBothSides(g)
	}
	for i, t := range order {
		h.add(i, t)
	}
	for _, c := range slices.Concat(claims(g.Assume), under) {
		l := h.bits[c.t][0]
		if !c.is {
			l ^= 1
		}
		h.assumed = append(h.assumed, l)
	}
	return h
}

// add makes the bits of one term; its operands have theirs.
func (h *hybrid) add(i int, t *sem.Term) {
	var x [3][]lit
	for j, a := range t.Args() {
		x[j] = h.bits[a]
	}
	p := h.k.Of(t)
	q := h.k.Signed(p, uint(t.W))
	if v, ok := p.isConst(); ok {
		h.bits[t] = constBits(v, t.W)
		if h.k.conditional() && t.Op != sem.OpMul && t.N > 0 {
			// What is so by assumption only is a fact to be met.
			h.tie(h.c.blast(t, x[0], x[1], x[2]), h.bits[t])
		}
		return
	}
	if t.Op == sem.OpVar {
		h.variable(i, t, p, q)
		return
	}
	if b, ok := h.value(p, t.W); ok {
		h.share(t, b, x)
		h.unsigned[p.id] = h.bits[t]
		h.publish(t, p)
		return
	}
	if b, ok := h.signed[q.id]; ok {
		h.share(t, extend(b, b[len(b)-1], t.W), x)
	} else if w, ok := h.congruent(t, p, t.W); ok {
		h.share(t, w, x)
	} else if h.isFree(t, x) {
		h.word(i, t)
	} else {
		h.bits[t] = h.c.blast(t, x[0], x[1], x[2])
	}
	h.publish(t, p)
	h.unsigned[p.id], h.signed[q.id] = h.bits[t], h.bits[t]
}

// isFree reports that t is a free word: bits that are bounded, but not computed.
func (h *hybrid) isFree(t *sem.Term, x [3][]lit) bool {
	switch t.Op {
	case sem.OpMul:
		if h.depth < exact && !t.A[1].IsConst() && min(rows(x[0]), rows(x[1])) > 2 {
			return true
		}
	case sem.OpAdd, sem.OpSub, sem.OpNeg:
	default:
		return false
	}
	b := h.bounds[t]
	return h.common[t] && minNum(b.u.size(), b.s.size()).bitLen() > minField
}

// share gives t the bits of a term of equal value. Where t only moves bits, its
// operands' bits are tied to them.
func (h *hybrid) share(t *sem.Term, b []lit, x [3][]lit) {
	h.bits[t] = b
	h.shared++
	if wiring(t.Op) {
		h.tie(h.c.blast(t, x[0], x[1], x[2]), b)
	}
}

// tie says that two words of equal value are equal.
func (h *hybrid) tie(a, b []lit) {
	for i := range a {
		if e := h.c.xor(a[i], b[i]) ^ 1; e != yes {
			h.facts = append(h.facts, e)
			h.ties++
		}
	}
}

// variable has free bits where its polynomial has slices; the others are the
// constant's, or copies of the sign.
func (h *hybrid) variable(i int, t *sem.Term, p, q *Poly) {
	b := make([]lit, t.W)
	for _, c := range p.cells {
		if c.m == 0 {
			copy(b, constBits(c.c, t.W))
			continue
		}
		a := h.k.atoms[h.k.monos[c.m].atoms[0]]
		for j := range a.n {
			b[a.lo+j] = h.c.input()
			h.free[b[a.lo+j].gate()] = [2]int{i, a.lo + j}
		}
		// 2^lo + 2^(lo+n) + … + 2^(w−1): the sign and its copies.
		for j := a.lo + a.n; j < t.W && c.c.bit(j) == 1; j++ {
			b[j] = b[a.lo]
		}
	}
	h.bits[t] = b
	h.unsigned[p.id] = b
	h.signed[q.id] = b
}

// word makes t a free word within its bounds.
func (h *hybrid) word(i int, t *sem.Term) {
	u, s := h.bounds[t].u, h.bounds[t].s
	w := unknownWord{t: t, rng: u}
	n := u.hi.bitLen()
	if s.lo.sign() < 0 && s.size().cmp(u.size()) < 0 {
		w = unknownWord{t: t, signed: true, rng: s}
		n = int(max(s.lo.width(), s.hi.width())) + 1
	}
	b := h.c.inputs(n)
	for j, l := range b {
		h.free[l.gate()] = [2]int{i, j}
	}
	fill := no
	lo, hi, c := w.rng.lo, w.rng.hi, b
	if w.signed {
		fill = b[n-1]
		half := pow2(uint(n - 1))
		lo, hi, c = lo.add(half), hi.add(half), flipTop(b)
	}
	for _, f := range [2]lit{h.c.below(c, constBits(lo, n)) ^ 1, h.c.below(constBits(hi, n), c) ^ 1} {
		if f != yes {
			h.facts = append(h.facts, f)
		}
	}
	h.bits[t] = extend(b, fill, t.W)
	h.words = append(h.words, w)
}

// differ is 1 where a pair of terms differs.
func (c *circuit) differ(bits map[*sem.Term][]lit, pairs [][2]*sem.Term) lit {
	out := no
	for _, p := range pairs {
		x, y := bits[p[0]], bits[p[1]]
		for i := range x {
			out = c.or(out, c.xor(x[i], y[i]))
		}
	}
	return out
}
