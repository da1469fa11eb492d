package rechain

import "math/bits"

// mono is c times a value: a product, a value that is not looked into, or none
// for the number 1.
type mono struct {
	c num
	v id
}

// cut is a floor whose digit was put back, or that stayed open, and the weight.
type cut struct {
	c num
	f id
}

// telescoped says Σ start + Σ digits = poly, modulo 2^top where there is one.
type telescoped struct {
	poly   []mono // by falling number of the value, 1 last
	digits []cut  // c times the digit of f
	open   []cut  // floors that stand in poly
}

// reach says how far back goes.
type reach struct {
	top   int    // weights that 2^top divides are dropped; noTop for none
	stop  bitset // values that are not looked into
	least int    // digits of a weight below 2^least are not put back
	bound bool   // nothing is asked about floors: what is open is bounded
	plain bool   // halves of products are not looked into
}

const noTop = 1 << 30

// back expands values into products and leaves by the equations of the graph,
// users before operands, so that the weight w of a floor f = floor(N / 2^n) is
// final when f is met:
//
//	w = 0    its digit was there, too: N − 2^n·f, weighted so that f cancels
//	w > 0    the digit was not there: with its weight w/2^n, w·f + w/2^n·d = w/2^n·N
//	2^top | w, or f = 0 for all inputs: w·f adds nothing
func (g *graph) back(start []mono, r reach) telescoped {
	var out telescoped
	s := &g.scratch[0]
	if r.bound { // which may be asked in the middle of another search
		s = &g.scratch[1]
	}
	for len(s.weight) < len(g.nodes) {
		s.weight = append(s.weight, num{})
	}
	for len(s.todo) <= len(g.nodes)/64 {
		s.todo = append(s.todo, 0)
	}
	weight, todo := s.weight, s.todo
	var unit num
	highest := 0
	add := func(v id, c num) {
		weight[v] = weight[v].add(c)
		todo[v/64] |= 1 << (v % 64)
		highest = max(highest, int(v/64))
	}
	for _, m := range start {
		add(m.v, m.c)
	}
	for at := highest; at >= 0; {
		if todo[at] == 0 {
			at--
			continue
		}
		v := id(at*64 + 63 - bits.LeadingZeros64(todo[at]))
		todo[at] &^= 1 << (v % 64)
		w := weight[v]
		weight[v] = num{}
		g.visits++
		if w.isZero() {
			continue
		}
		n := &g.nodes[v]
		if r.stop.has(v) || r.plain && g.ofProduct(v) {
			out.poly = append(out.poly, mono{w, v})
			continue
		}
		switch n.kind {
		case leaf, prod:
			out.poly = append(out.poly, mono{w, v})
		case atom:
			out.poly = append(out.poly, mono{w, n.a})
		case lin:
			for _, t := range n.terms {
				add(t.v, w.mul(t.c))
			}
			if !n.c.isZero() {
				unit = unit.add(w.mul(n.c))
			}
		case floor:
			switch d := w.shl(-n.w); {
			case int(w.e) >= r.top, g.zeros[v] == 1:
			case w.sign() > 0 && atLeast(d, r.least):
				out.digits = append(out.digits, cut{d, v})
				add(n.a, d)
			case !r.bound && g.zero(v):
			default:
				out.open = append(out.open, cut{w, v})
				out.poly = append(out.poly, mono{w, v})
			}
		}
	}
	if !unit.isZero() {
		out.poly = append(out.poly, mono{unit, none})
	}
	return out
}

// atLeast reports x ≥ 2^k for x > 0.
func atLeast(x num, k int) bool { return int(x.e)+x.mant().BitLen() > k }

// ofProduct reports a half of one product.
func (g *graph) ofProduct(v id) bool {
	n := &g.nodes[v]
	if n.kind == lin && n.dig != none {
		n = &g.nodes[n.dig]
	}
	return n.kind == floor && g.nodes[n.a].kind == prod
}

// zero reports that a floor is known to be 0 for all inputs. With all digits d
// not negative, and likewise what is open with a positive weight,
//
//	f + Σ c·d = P, max P < 1  ⇒  f = 0
//
// It asks about earlier floors that nobody uses first: their groups' digits
// then end the search, which keeps it linear for each row of a product.
func (g *graph) zero(f id) bool {
	for v := g.asked; v < int(f); v++ {
		if g.asked = v + 1; g.nodes[v].kind == floor && g.uses[v] == 0 && g.zeros[v] == 0 {
			g.test(id(v))
		}
	}
	if g.zeros[f] == 0 {
		g.test(f)
	}
	return g.zeros[f] == 1
}

func (g *graph) test(f id) {
	g.zeros[f] = 2
	n := g.nodes[f]
	if n.max.bits() == 0 {
		g.zeros[f] = 1
		return
	}
	if g.nodes[n.a].kind == prod {
		return
	}
	try := func(r reach) bool {
		if g.visits > g.limit {
			return false
		}
		r.top, r.bound = noTop, true
		t := g.back([]mono{{pow2(0), f}}, r)
		if g.exceeds(t.poly) {
			return false
		}
		g.zeros[f] = 1
		if r.least < -200 { // all digits down to earlier groups
			for _, d := range t.digits {
				g.stops.add(g.digit(d.f))
			}
		}
		return true
	}
	const all = -1 << 29
	if try(reach{least: all, stop: g.stops}) {
		return
	}
	// Two or three words deep, some of the carries that come in taken as 0 or 1.
	var carries []id
	if a := &g.nodes[n.a]; a.kind == lin {
		for _, t := range a.terms {
			if x := &g.nodes[t.v]; x.kind == floor && g.nodes[x.a].kind != prod && len(carries) < 3 {
				carries = append(carries, t.v)
			}
		}
	}
	for _, least := range []int{-64, -96} {
		for set := range 1 << len(carries) {
			var stop bitset
			for i, c := range carries {
				if set>>i&1 != 0 {
					stop.add(c)
				}
			}
			if try(reach{least: least, stop: stop}) {
				return
			}
		}
	}
	if !try(reach{least: all}) {
		try(reach{least: all, plain: true})
	}
}
