package rechain

import (
	"container/heap"
	"errors"
	"slices"
)

// digit is a value that holds w bits of a group's polynomial from bit off on.
type digit struct {
	off, w int
	v      id
}

// group is a wide value: a polynomial of inputs and of digits of other groups,
// modulo a power of 2, and the places at which something wants its digits.
//
// It says Σ 2^off·v of its digits = poly modulo 2^bits; the digits have places of
// their own, so that poly alone decides them.
//
// This is all that is kept of a chain between reading and writing: terms and a
// list of digits, for no target and in no layout. grouper makes groups of a
// region, plan holds them, Chain prints them (--print-after=rechain). The layout
// is chosen when a target is: synth writes the groups with the machine of the
// class (evenOdd, xmad, columns, wordwise, scan) in its variants, and prove shows
// that the text read back gives the same groups. ir has no operation for it: a
// group lives as long as one run of the pass, and what it would be selected by is
// the text that synth writes.
type group struct {
	top    id
	bits   int
	poly   []mono // coefficients in 1 … 2^bits − 1
	coef   map[id]num
	digits []digit // by off
	want   []digit // those that something outside needs, or another group
	open   []id    // carries that stand in poly
	rank   int
}

var (
	errFraction = errors.New("a digit has a part of a product")
	errColumn   = errors.New("two digits in one column")
	errWeight   = errors.New("a digit's weight is no power of two")
	errLimit    = errors.New("it is too long to be read in the time allowed")
)

// grouper finds the groups of the values that are wanted.
type grouper struct {
	g      *graph
	wanted map[id]bool
	list   requests
	last   int // nodes that were read; what is numbered later was made of them
}

// rank is the place in the program: what was made up later counts as what it is
// cut from.
func (s *grouper) rank(v id) int {
	for int(v) >= s.last {
		n := s.g.at(v)
		switch {
		case n.kind == lin && len(n.terms) > 0:
			v = n.terms[0].v
		case n.kind == floor || n.kind == atom:
			v = n.a
		default:
			return int(v)
		}
	}
	return int(v)
}

func (s *grouper) need(v id) {
	for _, x := range s.g.words(v) {
		if _, ok := s.g.isConst(x); !ok && s.g.at(x).kind != leaf && !s.wanted[x] {
			s.wanted[x] = true
			heap.Push(&s.list, request{s.rank(x), s.g.at(x).kind == floor, x})
		}
	}
}

// request is a wanted value. The one that stands last in the program comes
// first: its group has most of the others as lower digits. Of the words of one
// value the top comes first: what is left when the others are cut off.
type request struct {
	rank int
	rest bool
	v    id
}

type requests []request

func (q requests) Len() int { return len(q) }
func (q requests) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.rank != b.rank:
		return a.rank > b.rank
	case a.rest != b.rest:
		return a.rest
	}
	return a.v > b.v
}
func (q requests) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *requests) Push(x any)   { *q = append(*q, x.(request)) }
func (q *requests) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// groups finds groups for all that s.need was told, in the order of the program.
func (s *grouper) groups() ([]*group, error) {
	var all []*group
	seen := map[id]bool{}
	for len(s.list) > 0 {
		v := heap.Pop(&s.list).(request).v
		if seen[v] {
			continue
		}
		p, err := s.group(v)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		for _, d := range p.digits {
			seen[d.v] = true
		}
		for _, m := range p.poly {
			s.factors(m.v, s.need)
		}
	}
	all = withoutParts(all)
	for _, p := range all {
		p.rank = s.rank(p.top)
		p.want = s.wantOf(p.digits)
	}
	slices.SortStableFunc(all, func(p, q *group) int { return p.rank - q.rank })
	for i, p := range all {
		if s.g.visits > s.g.limit {
			break
		}
		for j := i - 1; j >= max(0, i-3); j-- {
			f := all[j]
			if len(f.digits) < 2 {
				continue
			}
			q := s.over(p, f)
			if q == nil {
				continue
			}
			used := map[id]bool{}
			for _, m := range q.poly {
				s.factors(m.v, func(v id) { used[v] = true })
			}
			for _, d := range f.digits {
				if used[d.v] && !slices.Contains(f.want, d) {
					f.want = append(f.want, d)
				}
			}
			slices.SortFunc(f.want, func(a, b digit) int { return a.off - b.off })
			q.rank, q.want = p.rank, s.wantOf(q.digits)
			all[i] = q
			break
		}
	}
	return all, nil
}

func (s *grouper) wantOf(ds []digit) (out []digit) {
	for _, d := range ds {
		if s.wanted[d.v] {
			out = append(out, d)
		}
	}
	return out
}

// factors gives the values that a monomial is made of, except leaves.
func (s *grouper) factors(v id, each func(id)) {
	if v == none {
		return
	}
	n := s.g.at(v)
	switch n.kind {
	case leaf:
	case prod:
		for _, x := range []id{n.a, n.b} {
			if s.g.at(x).kind != leaf {
				each(x)
			}
		}
	default:
		each(v)
	}
}

// withoutParts drops groups whose digits are all digits of another, at the same
// places.
func withoutParts(all []*group) []*group {
	slices.SortStableFunc(all, func(p, q *group) int { return len(q.digits) - len(p.digits) })
	var keep []*group
	have := map[digit][]*group{}
next:
	for _, p := range all {
		for _, q := range have[digit{p.digits[0].off, 0, p.digits[0].v}] {
			part := true
			for _, d := range p.digits {
				part = part && slices.ContainsFunc(q.digits, func(e digit) bool { return e.off == d.off && e.v == d.v })
			}
			if part {
				continue next
			}
		}
		keep = append(keep, p)
		for _, d := range p.digits {
			k := digit{d.off, 0, d.v}
			have[k] = append(have[k], p)
		}
	}
	return keep
}

// topBits is how many bits a digit takes as the top of a group.
func (s *grouper) topBits(v id) int {
	n := s.g.at(v)
	if n.kind == lin && n.w > 0 {
		return max(32, n.w)
	}
	return max(32, n.max.bits())
}

// group reads back from one digit. Where a carry stays open, what is left to be
// summed up is not all there: the search is started again with the digit that
// the carry came from as a value of its own.
func (s *grouper) group(v id) (*group, error) {
	g, w := s.g, s.topBits(v)
	t := g.back([]mono{{pow2(0), v}}, reach{top: w, least: -1 << 29})
	first := t
	var stop bitset
	for range 300 {
		fresh := false
		for _, c := range t.open {
			if g.at(g.at(c.f).a).kind == prod {
				fresh = false
				break
			}
			if d := g.digit(c.f); d != v && !stop.has(d) {
				fresh = true
				stop.add(d)
			}
		}
		if !fresh {
			break
		}
		t = g.back([]mono{{pow2(0), v}}, reach{top: w, least: -1 << 29, stop: stop})
	}
	if g.visits > g.limit {
		return nil, errLimit
	}
	if len(stop) > 0 && len(t.open) == 0 {
		if p, err := s.build(v, w, t); err == nil {
			return p, nil
		}
	}
	return s.build(v, w, first)
}

// build makes a group of what telescoping gave.
func (s *grouper) build(v id, w int, t telescoped) (*group, error) {
	g := s.g
	low := 0
	for _, d := range t.digits {
		k, ok := d.c.power()
		if !ok {
			return nil, errWeight
		}
		low = min(low, k)
	}
	p := &group{top: v, bits: w - low, coef: map[id]num{}}
	for _, c := range t.open {
		p.open = append(p.open, c.f)
	}
	put := func(v id, c num) {
		x, ok := p.coef[v]
		if !ok {
			p.poly = append(p.poly, mono{v: v})
		}
		p.coef[v] = x.add(c).mod(p.bits)
	}
	monos := t.poly
	if len(g.of16) > 0 {
		monos = g.join16(monos, w)
	}
	for _, m := range monos {
		c := m.c.shl(-low)
		if c.e < 0 {
			return nil, errFraction
		}
		if m.v != none && g.at(m.v).kind != prod && g.at(m.v).max.bits() > 32 {
			for i, x := range g.words(m.v) {
				put(x, c.shl(32*i))
			}
			continue
		}
		put(m.v, c)
	}
	n := 0
	for _, m := range p.poly {
		if m.c = p.coef[m.v]; !m.c.isZero() {
			p.poly[n] = m
			n++
		} else {
			delete(p.coef, m.v)
		}
	}
	p.poly = p.poly[:n]
	place := func(off, w int, v id) {
		if w == 64 {
			lo, hi := g.split(v)
			p.digits = append(p.digits, digit{off, 32, lo}, digit{off + 32, 32, hi})
			return
		}
		p.digits = append(p.digits, digit{off, w, v})
	}
	for _, d := range t.digits {
		place(int(d.c.e)-low, g.at(d.f).w, g.digit(d.f))
	}
	place(-low, w, v)
	slices.SortStableFunc(p.digits, func(a, b digit) int { return a.off - b.off })
	for i, d := range p.digits[1:] {
		if e := p.digits[i]; e.off+e.w > d.off {
			return nil, errColumn
		}
	}
	return p, nil
}

// over writes a group over the digits of an earlier one, if that closes and is
// shorter.
func (s *grouper) over(p, f *group) *group {
	g := s.g
	var stop bitset
	for _, d := range f.digits {
		stop.add(d.v)
	}
	if stop.has(p.top) {
		return nil
	}
	for _, v := range g.cut {
		if h := g.nodes[v].halfs; stop.has(h[0]) && stop.has(h[1]) {
			stop.add(v)
		}
	}
	g.visits += len(g.cut)
	w := s.topBits(p.top)
	t := g.back([]mono{{pow2(0), p.top}}, reach{top: w, least: -1 << 29, stop: stop})
	if len(t.open) > 0 {
		return nil
	}
	for _, d := range t.digits {
		if stop.has(g.digit(d.f)) {
			return nil
		}
	}
	q, err := s.build(p.top, w, t)
	if err != nil || len(q.poly) >= len(p.poly) {
		return nil
	}
	return q
}

// join16 writes the four products of the halves of two words as one:
//
//	c·(x0·y0 + 2^16·(x0·y1 + x1·y0) + 2^32·x1·y1) = c·x·y
//
// and c·(x0 + 2^16·x1) = c·x. What does not fit stays. Coefficients are taken
// modulo 2^top.
func (g *graph) join16(ms []mono, top int) []mono {
	type pair struct{ x, y id }
	parts := map[pair]*[2][2]num{}
	var order []pair
	var out []mono
	lookup := func(v id) (id, int) {
		if h, ok := g.of16[v]; ok {
			return h.word, btoi(h.high)
		}
		return v, -1
	}
	for _, m := range ms {
		if m.v == none {
			out = append(out, m)
			continue
		}
		n := g.at(m.v)
		a, b := m.v, none
		if n.kind == prod {
			a, b = n.a, n.b
		}
		x, i := lookup(a)
		y, j := b, -1
		if b != none {
			y, j = lookup(b)
		}
		if i < 0 && j < 0 {
			out = append(out, m)
			continue
		}
		if y != none && x > y {
			x, y, i, j = y, x, j, i
		}
		k := pair{x, y}
		p := parts[k]
		if p == nil {
			p = &[2][2]num{}
			parts[k] = p
			order = append(order, k)
		}
		// A factor that is whole counts as its low half; the high one is derived.
		c := m.c
		switch {
		case i < 0:
			p[0][j], p[1][j] = p[0][j].add(c), p[1][j].add(c.shl(16))
		case j < 0:
			p[i][0], p[i][1] = p[i][0].add(c), p[i][1].add(c.shl(16))
		default:
			p[i][j] = p[i][j].add(c)
		}
	}
	same := func(x, y num) bool {
		d := x.add(y.neg())
		return d.isZero() || int(d.e) >= top
	}
	for _, k := range order {
		p := parts[k]
		c := p[0][0]
		if k.x == k.y { // x0·x1 is one value for both
			s := p[0][1].add(p[1][0])
			if same(s, c.shl(17)) && same(p[1][1], c.shl(32)) {
				out = append(out, mono{c, g.times(k.x, k.y)})
				continue
			}
		} else if same(p[0][1], c.shl(16)) && same(p[1][0], c.shl(16)) && same(p[1][1], c.shl(32)) {
			v := k.x
			if k.y != none {
				v = g.times(k.x, k.y)
			}
			out = append(out, mono{c, v})
			continue
		}
		return ms
	}
	return out
}
