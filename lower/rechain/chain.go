package rechain

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
)

// Chain is what a group of digits was read as: with the digits that are wanted
// and others that are not, Σ 2^Digit.Off·digit is the sum of the terms modulo
// 2^Bits.
type Chain struct {
	Bits   int
	Terms  []Term
	Digits []Digit // those that are wanted, low first
	parts  []summand
}

// Term is a coefficient, from 1 to 2^Bits−1, times the product of one or two
// values of at most 32 bits; no value for a number.
type Term struct {
	Coef    *big.Int
	Factors []string
}

// Digit is 32 bits of the sum from bit Off on.
type Digit struct {
	Off  int
	Name string
}

// Products is the number of terms with two factors.
func (c *Chain) Products() (n int) {
	for _, t := range c.Terms {
		n += btoi(len(t.Factors) == 2)
	}
	return n
}

// number is Σ 2^(32·at)·name.
type number []place

type place struct {
	at   int
	name string
}

// bits is the width of the number, from its lowest place on.
func (x number) bits() int { return 32 * (x[len(x)-1].at - x[0].at + 1) }

func (x number) String() string {
	var s []string
	for i, p := range x {
		switch {
		case len(x) > 4 && i == 2:
			s = append(s, "…")
			continue
		case len(x) > 4 && i > 2 && i < len(x)-1:
			continue
		case p.at == 0:
			s = append(s, p.name)
		default:
			s = append(s, p.name+"·"+power(32*p.at))
		}
	}
	if len(s) == 1 {
		return s[0]
	}
	return "(" + strings.Join(s, " + ") + ")"
}

func power(k int) string { return "2^" + strconv.Itoa(k) }

// summand is a part of a polynomial that reads as one: ±factor·x·y·2^shift.
type summand struct {
	minus  bool
	factor *big.Int // nil for 1
	x, y   number   // y is nil for a plain number; x too for a constant
	square bool
}

func (p summand) String() string {
	var s []string
	if p.factor != nil {
		s = append(s, numeral(p.factor))
	}
	switch {
	case p.square:
		s = append(s, p.x.String()+"²")
	case p.x != nil:
		s = append(s, p.x.String())
	}
	if p.y != nil {
		s = append(s, p.y.String())
	}
	return strings.Join(s, "·")
}

// numeral is a number, a power of 2 as such.
func numeral(x *big.Int) string {
	if k := int(x.TrailingZeroBits()); k > 15 && x.BitLen() == k+1 {
		return power(k)
	}
	if x.BitLen() > 16 {
		return "0x" + x.Text(16)
	}
	return x.String()
}

// String says in a few words what it is: "256×256→512 product, 64 products".
func (c Chain) String() string {
	n := c.Products()
	var what string
	switch {
	case len(c.parts) == 1 && c.parts[0].square:
		what = fmt.Sprintf("square of %d bits", c.parts[0].x.bits())
		if 2*c.parts[0].x.bits() > c.Bits {
			what += " modulo " + power(c.Bits)
		}
	case len(c.parts) == 1 && c.parts[0].y != nil:
		p := c.parts[0]
		what = fmt.Sprintf("%d×%d→%d product", p.x.bits(), p.y.bits(), c.Bits)
	case n > 0:
		blocks := 0
		for _, p := range c.parts {
			blocks += btoi(p.y != nil || p.square)
		}
		what = fmt.Sprintf("sum of %d products of numbers", blocks)
		if blocks == 1 {
			what = "product and sum"
		}
		if blocks < len(c.parts) {
			what += fmt.Sprintf(" and %d more", len(c.parts)-blocks)
		}
		what += " modulo " + power(c.Bits)
	default:
		what = fmt.Sprintf("sum of %d numbers modulo %s", len(c.parts), power(c.Bits))
	}
	if n == 1 {
		return what + ", 1 product"
	}
	return fmt.Sprintf("%s, %d products", what, n)
}

// Formula is the equation of the digits, for people: where there are more than
// four of a kind, those in between are left out.
func (c Chain) Formula() string {
	var ds number
	for _, d := range c.Digits {
		ds = append(ds, place{d.Off / 32, d.Name})
	}
	left := strings.Trim(ds.String(), "()")
	if len(ds) == 0 || ds[0].at > 0 || 32*len(ds) < c.Bits {
		left = "… + " + left
	}
	var right strings.Builder
	for i, p := range c.parts {
		switch {
		case p.minus:
			right.WriteString(" − ")
		case i > 0:
			right.WriteString(" + ")
		}
		right.WriteString(p.String())
	}
	return left + " = " + strings.TrimPrefix(right.String(), " ") + "  (mod " + power(c.Bits) + ")"
}

// describe names what a group was read as.
func describe(r *reader, groups []*group, name map[id]string) []Chain {
	var out []Chain
	g := r.g
	for _, p := range groups {
		c := Chain{Bits: p.bits}
		for _, d := range p.want {
			c.Digits = append(c.Digits, Digit{d.off, nameOf(g, d.v, name)})
		}
		for _, m := range p.poly {
			t := Term{Coef: m.c.integer()}
			if m.v != none {
				t.Factors = []string{nameOf(g, m.v, name)}
				if n := g.at(m.v); n.kind == prod {
					t.Factors = []string{nameOf(g, n.a, name), nameOf(g, n.b, name)}
				}
			}
			c.Terms = append(c.Terms, t)
		}
		c.parts = partition(g, p, name)
		out = append(out, c)
	}
	return out
}

// namesOf are the names of nodes that are values, or words of values.
func namesOf(r *reader, vals []*ir.Value) map[id]string {
	name := map[id]string{}
	put := func(x id, s string) {
		if _, ok := name[x]; !ok {
			name[x] = s
		}
	}
	for _, v := range vals {
		x := r.of[v.ID]
		if x == none {
			continue
		}
		s := label(v)
		put(x, s)
		if h := r.g.at(x).halfs; h[0] != none {
			put(h[0], s+".lo")
			put(h[1], s+".hi")
		}
	}
	return name
}

func label(v *ir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "%" + strconv.Itoa(v.ID)
}

func nameOf(g *graph, v id, name map[id]string) string {
	if s, ok := name[v]; ok {
		return s
	}
	n := g.at(v)
	if n.kind != leaf {
		return "x" + strconv.Itoa(int(v))
	}
	s := label(n.val)
	switch {
	case n.val.W <= 32:
		return s
	case n.val.W == 64:
		return s + [...]string{".lo", ".hi"}[n.a/32]
	}
	return fmt.Sprintf("%s.w%d", s, n.a/32)
}

// partition reads a polynomial as products of numbers, multiples of numbers,
// and numbers.
func partition(g *graph, p *group, name map[id]string) []summand {
	var prods, rest []mono
	for _, m := range p.poly {
		if m.v != none && g.at(m.v).kind == prod {
			prods = append(prods, m)
		} else {
			rest = append(rest, m)
		}
	}
	out, left := blocks(g, prods, p.bits, name)
	for _, m := range left {
		n := g.at(m.v)
		out = append(out, summand{factor: unit(m.c), x: number{{0, nameOf(g, n.a, name)}}, y: number{{0, nameOf(g, n.b, name)}}})
	}
	return append(out, multiples(g, rest, p.bits, name)...)
}

func unit(c num) *big.Int {
	if c.isOne() {
		return nil
	}
	return c.integer()
}

// multiples reads words with coefficients ±c·2^(32k) as multiples of numbers.
func multiples(g *graph, ms []mono, bits int, name map[id]string) []summand {
	var out []summand
	type key struct {
		minus bool
		c     string
	}
	var keys []key
	by := map[key][]place{}
	factor := map[key]*big.Int{}
	for _, m := range ms {
		c, minus := m.c, false
		if c.add(pow2(bits-1).neg()).sign() > 0 {
			c, minus = pow2(bits).add(c.neg()), true
		}
		if m.v == none {
			out = append(out, summand{minus: minus, factor: c.integer()})
			continue
		}
		at := int(c.e) / 32
		f := c.shl(-32 * at).integer()
		k := key{minus, f.String()}
		if by[k] == nil {
			keys = append(keys, k)
		}
		factor[k] = f
		by[k] = append(by[k], place{at, nameOf(g, m.v, name)})
	}
	for _, k := range keys {
		ps := by[k]
		slices.SortStableFunc(ps, func(a, b place) int { return a.at - b.at })
		for len(ps) > 0 { // as many numbers as one place has words
			var x number
			var more []place
			for _, p := range ps {
				if len(x) == 0 || p.at > x[len(x)-1].at {
					x = append(x, p)
				} else {
					more = append(more, p)
				}
			}
			s := summand{minus: k.minus, x: x}
			if f := factor[k]; f.Cmp(big.NewInt(1)) != 0 {
				s.factor = f
			}
			out, ps = append(out, s), more
		}
	}
	return out
}

// blocks finds products of numbers: sets of words whose products are all there,
// each at the sum of the places of its factors, except beyond the top.
func blocks(g *graph, ms []mono, bits int, name map[id]string) (out []summand, left []mono) {
	type edge struct {
		to   id
		k    int // coefficient 2^(32k)
		cost int // 1, or 2 for twice that
	}
	next := map[id][]edge{}
	var nodes []id
	link := func(x, y id, k, c int) {
		if next[x] == nil {
			nodes = append(nodes, x)
		}
		next[x] = append(next[x], edge{y, k, c})
	}
	for _, m := range ms {
		k, ok := m.c.power()
		if !ok || k%32 > 1 {
			left = append(left, m)
			continue
		}
		n := g.at(m.v)
		link(n.a, n.b, k/32, 1+k%32)
		if n.a != n.b {
			link(n.b, n.a, k/32, 1+k%32)
		}
	}
	done := map[id]bool{}
	for _, x := range nodes {
		if done[x] {
			continue
		}
		// Places relative to the first; on which side they count up tells the side.
		at, side := map[id]int{x: 0}, map[id]int{x: 0}
		queue, square, sound := []id{x}, false, true
		for _, e := range next[x] {
			if e.to == x {
				square, at[x], sound = true, e.k/2, e.k%2 == 0
			}
		}
		for i := 0; i < len(queue); i++ {
			u := queue[i]
			done[u] = true
			for _, e := range next[u] {
				if _, ok := at[e.to]; !ok {
					at[e.to], side[e.to] = e.k-at[u], 1-side[u]
					queue = append(queue, e.to)
				}
				sound = sound && at[e.to] == e.k-at[u] && (square || side[e.to] != side[u] && e.cost == 1) &&
					(!square || e.cost == 1+btoi(e.to != u))
			}
		}
		edges := 0
		var xs, ys number
		for _, u := range queue {
			edges += len(next[u])
			if square || side[u] == 0 {
				xs = append(xs, place{at[u], nameOf(g, u, name)})
			} else {
				ys = append(ys, place{at[u], nameOf(g, u, name)})
			}
		}
		byPlace := func(a, b place) int { return a.at - b.at }
		slices.SortStableFunc(xs, byPlace)
		slices.SortStableFunc(ys, byPlace)
		full := 0
		other := ys
		if square {
			other = xs
		}
		for _, p := range xs {
			for _, q := range other {
				full += btoi(32*(p.at+q.at) < bits)
			}
		}
		if !square {
			edges /= 2
		}
		if !sound || edges != full {
			for _, m := range ms {
				if n := g.at(m.v); slices.Contains(queue, n.a) && !slices.Contains(left, m) {
					left = append(left, m)
				}
			}
			continue
		}
		if !square { // the second number starts at place 0
			low := ys[0].at
			for i := range ys {
				ys[i].at -= low
			}
			for i := range xs {
				xs[i].at += low
			}
		}
		out = append(out, summand{x: xs, y: ys, square: square})
	}
	return out, left
}
