package rechain

import (
	"math/big"

	"github.com/ptxlower/ptxlower/ir"
)

// id numbers a value of the graph. Operands have smaller numbers than what is
// made of them.
type id = int32

const none id = -1

type kind uint8

// The kinds of values. All are integers that are not negative.
const (
	leaf  kind = iota // w bits of an ir value, from bit a on
	prod              // a·b, exact
	floor             // floor(a / 2^w): a carry, a high half, bits shifted out
	lin               // Σ terms + c, exact
	atom              // a, as a factor of a constant: not looked into
)

type term struct {
	c num
	v id
}

type node struct {
	kind  kind
	w     int // leaf: bits; floor: n; lin: width of a digit, 0 for other sums
	a, b  id
	terms []term
	c     num
	max   bound
	dig   id        // floor: a − 2^w·floor, once made; of a digit the floor
	halfs [2]id     // the low 32 bits and the rest, once made
	val   *ir.Value // leaf
}

type key struct {
	kind kind
	w    int
	a, b id
	v    *ir.Value
}

// graph holds exact equations of values: every floor f = floor(N / 2^w) comes
// with its digit d = N − 2^w·f, 0 ≤ d < 2^w. Equal values made alike are one.
type graph struct {
	nodes   []node
	cons    map[key]id
	lins    map[uint64][]id
	uses    []int32     // by node, the digit of a floor not counted
	zeros   []int8      // by floor: 0 not asked, 1 always zero, 2 not known to be
	stops   bitset      // digits of groups whose top carry is known to be zero
	asked   int         // floors below this number that nobody uses were asked
	visits  int         // node visits of telescoping so far
	limit   int         // of visits
	work    int         // visits that are allowed for a region, 0 for what the graph's size gives
	cut     []id        // values that were cut into halves
	of16    map[id]half // halves of words
	scratch [2]struct { // of back
		weight []num
		todo   bitset
	}
}

type half struct {
	word id
	high bool
}

type bitset []uint64

func (s *bitset) add(i id) {
	for int(i)/64 >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s bitset) has(i id) bool { return int(i)/64 < len(s) && s[i/64]>>(i%64)&1 != 0 }

func newGraph() *graph {
	return &graph{cons: map[key]id{}, lins: map[uint64][]id{}, of16: map[id]half{}}
}

func (g *graph) at(v id) *node { return &g.nodes[v] }

func (g *graph) push(n node) id {
	n.dig, n.halfs = none, [2]id{none, none}
	g.nodes = append(g.nodes, n)
	g.zeros = append(g.zeros, 0)
	g.uses = append(g.uses, 0)
	return id(len(g.nodes) - 1)
}

// leafOf is w bits of an ir value from bit off on; it is at most max.
func (g *graph) leafOf(v *ir.Value, off, w int, max bound) id {
	k := key{kind: leaf, w: w, a: id(off), v: v}
	if i, ok := g.cons[k]; ok {
		return i
	}
	i := g.push(node{kind: leaf, w: w, a: id(off), val: v, max: max.min(ones(w))})
	g.cons[k] = i
	return i
}

// value is a whole ir value as a leaf, cut into words of 32 bits.
func (g *graph) value(v *ir.Value, max bound) id {
	if v.W <= 32 {
		return g.leafOf(v, 0, v.W, max)
	}
	var ts []term
	var parts []id
	for off := 0; off < v.W; off += 32 {
		m := max.shr(off)
		if m.bits() > 32 {
			m = ones(32)
		}
		p := g.leafOf(v, off, min(32, v.W-off), m)
		parts, ts = append(parts, p), append(ts, term{pow2(off), p})
	}
	x := g.sum(ts, num{})
	if len(parts) == 2 {
		if g.at(x).halfs[0] == none {
			g.setHalves(x, parts[0], parts[1])
		}
	}
	return x
}

func (g *graph) constant(c num) id { return g.sum(nil, c) }

// isConst reports a number.
func (g *graph) isConst(v id) (num, bool) {
	n := g.at(v)
	if n.kind == lin && len(n.terms) == 0 {
		return n.c, true
	}
	return num{}, false
}

// sum is Σ ts + c, a value that is not negative.
func (g *graph) sum(ts []term, c num) id {
	out := make([]term, 0, len(ts))
next:
	for _, t := range ts {
		if k, ok := g.isConst(t.v); ok {
			c = c.add(k.mul(t.c))
			continue
		}
		for i := range out {
			if out[i].v == t.v {
				out[i].c = out[i].c.add(t.c)
				continue next
			}
		}
		out = append(out, t)
	}
	n := 0
	for _, t := range out {
		if !t.c.isZero() {
			out[n] = t
			n++
		}
	}
	out = out[:n]
	if n == 1 && c.isZero() && out[0].c.isOne() {
		return out[0].v
	}
	return g.lin(out, c)
}

func (g *graph) lin(ts []term, c num) id {
	h := hashNum(uint64(len(ts)), c)
	for _, t := range ts {
		h = hashNum(h^uint64(t.v)*0x9e3779b97f4a7c15, t.c)
	}
next:
	for _, i := range g.lins[h] {
		n := g.at(i)
		if len(n.terms) != len(ts) || !n.c.equal(c) {
			continue
		}
		for j, t := range ts {
			if n.terms[j].v != t.v || !n.terms[j].c.equal(t.c) {
				continue next
			}
		}
		return i
	}
	var max bound
	if c.sign() > 0 {
		max = bound{lo: 1}.scaled(c)
	}
	for _, t := range ts {
		if t.c.sign() > 0 {
			max = max.add(g.at(t.v).max.scaled(t.c))
		}
	}
	i := g.push(node{kind: lin, terms: ts, c: c, max: max})
	for _, t := range ts {
		g.uses[t.v]++
	}
	g.lins[h] = append(g.lins[h], i)
	return i
}

func hashNum(h uint64, x num) uint64 {
	h = (h ^ uint64(x.m)) * 0xff51afd7ed558ccd
	h ^= h >> 29
	h = (h ^ uint64(uint32(x.e))) * 0xc4ceb9fe1a85ec53
	if x.b != nil {
		for _, w := range x.b.Bits() {
			h = (h ^ uint64(w)) * 0xff51afd7ed558ccd
		}
	}
	return h ^ h>>32
}

func (g *graph) unary(k key, max bound) id {
	if i, ok := g.cons[k]; ok {
		return i
	}
	i := g.push(node{kind: k.kind, w: k.w, a: k.a, b: k.b, max: max})
	g.uses[k.a]++
	if k.kind == prod {
		g.uses[k.b]++
	}
	g.cons[k] = i
	return i
}

// times is the product of two words.
func (g *graph) times(x, y id) id {
	if k, ok := g.isConst(x); ok {
		return g.scaled(y, k)
	}
	if k, ok := g.isConst(y); ok {
		return g.scaled(x, k)
	}
	if x > y {
		x, y = y, x
	}
	return g.unary(key{kind: prod, a: x, b: y}, g.at(x).max.times(g.at(y).max))
}

// scaled is k·x for a number k. Where that is no power of two, x is a factor
// like one of a product; one of more than 32 bits by halves.
func (g *graph) scaled(x id, k num) id {
	if _, ok := k.power(); ok || k.isZero() {
		return g.sum([]term{{k, x}}, num{})
	}
	var ts []term
	for i, p := range g.words(x) {
		ts = append(ts, term{k.shl(32 * i), g.opaque(p)})
	}
	return g.sum(ts, num{})
}

func (g *graph) opaque(x id) id {
	if n := g.at(x); n.kind == leaf || n.kind == lin && len(n.terms) == 0 {
		return x
	}
	return g.unary(key{kind: atom, a: x}, g.at(x).max)
}

// product is x·y, by words.
func (g *graph) product(x, y id) id {
	if k, ok := g.isConst(x); ok {
		return g.scaled(y, k)
	}
	if k, ok := g.isConst(y); ok {
		return g.scaled(x, k)
	}
	xs, ys := g.words(x), g.words(y)
	var ts []term
	for i, p := range xs {
		for j, q := range ys {
			ts = append(ts, term{pow2(32 * (i + j)), g.times(p, q)})
		}
	}
	return g.sum(ts, num{})
}

// words are the digits of x to the base 2^32, low first; at least one.
func (g *graph) words(x id) []id {
	var out []id
	for g.at(x).max.bits() > 32 {
		lo, hi := g.split(x)
		out, x = append(out, lo), hi
	}
	return append(out, x)
}

// split is x modulo 2^32 and floor(x / 2^32).
func (g *graph) split(x id) (lo, hi id) {
	if h := g.at(x).halfs; h[0] != none {
		return h[0], h[1]
	}
	n := g.at(x)
	if ts := n.terms; n.kind == lin && n.w == 0 && n.c.isZero() && len(ts) > 1 && ts[0].c.isOne() && g.at(ts[0].v).max.bits() <= 32 {
		// x0 + 2^32·x1 + …: what stands in a register of several words
		rest := make([]term, 0, len(ts)-1)
		for _, t := range ts[1:] {
			if t.c.sign() > 0 && t.c.e >= 32 {
				rest = append(rest, term{t.c.shl(-32), t.v})
			}
		}
		if len(rest) == len(ts)-1 {
			lo, hi = ts[0].v, g.sum(rest, num{})
			g.setHalves(x, lo, hi)
			return lo, hi
		}
	}
	lo, hi = g.mod(x, 32)
	g.setHalves(x, lo, hi)
	return lo, hi
}

func (g *graph) setHalves(x, lo, hi id) {
	g.at(x).halfs = [2]id{lo, hi}
	g.cut = append(g.cut, x)
}

// mod is N modulo 2^w and floor(N / 2^w).
func (g *graph) mod(n id, w int) (digit, carry id) {
	if k, ok := g.isConst(n); ok {
		d := k.mod(w)
		return g.constant(d), g.constant(k.add(d.neg()).shl(-w))
	}
	if g.at(n).max.bits() <= w {
		return n, g.constant(num{})
	}
	if x := g.at(n); x.kind == lin && len(x.terms) == 1 && x.c.isZero() {
		// floor(2^j·v / 2^w) = floor(v / 2^(w−j))
		t := x.terms[0]
		if j, ok := t.c.power(); ok && 0 < j && j < w {
			_, f := g.mod(t.v, w-j)
			d := g.sum([]term{t, {pow2(w).neg(), f}}, num{})
			g.at(d).max = g.at(d).max.min(ones(w))
			return d, f
		}
	}
	f := g.unary(key{kind: floor, a: n, w: w}, g.at(n).max.shr(w))
	return g.digit(f), f
}

// digit is N − 2^w·f for f = floor(N / 2^w).
func (g *graph) digit(f id) id {
	if d := g.at(f).dig; d != none {
		return d
	}
	n, w := g.at(f).a, g.at(f).w
	d := g.lin([]term{{pow2(0), n}, {pow2(w).neg(), f}}, num{})
	g.uses[f]-- // its own digit does not count
	g.at(f).dig = d
	x := g.at(d)
	x.dig, x.w, x.max = f, w, x.max.min(ones(w))
	return d
}

// exceeds reports that Σ c·v, those with c < 0 left out, may be 1 or more.
func (g *graph) exceeds(p []mono) bool {
	low := int32(0)
	for _, m := range p {
		low = min(low, m.c.e)
	}
	acc := new(big.Int)
	for _, m := range p {
		if m.c.sign() <= 0 {
			continue
		}
		max := bound{lo: 1}
		if m.v != none {
			max = g.at(m.v).max
		}
		if max.inf {
			return true
		}
		max.addTo(acc, m.c, int(-low))
	}
	return acc.BitLen() > int(-low)
}
