package rechain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// rewrite is a region and what is to stand in its place.
type rewrite struct {
	g      *graph
	groups []*group
	wanted []id        // what the results of code are to be
	code   *code       // its results, in the order of wanted
	marks  map[id]word // claimed: where code has a digit
}

var errProof = errors.New("not proved")

func unproved(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errProof, fmt.Sprintf(format, args...))
}

// prove shows for all inputs that code gives what is wanted. For each group,
// whose factors are inputs or digits that were shown to be equal before, the
// new text is telescoped from its top digit: that
//
//	Σ 2^off·d = P (mod 2^bits)
//
// holds for the digits of both texts with the same P, and that the digits have
// places of their own, makes them equal, for digits to the base 2^32 are unique.
// marks are hints; nothing is believed.
func (w *rewrite) prove() error {
	g := w.g
	r := newReader(g, w.code.f, nil)
	r.leafs = map[*ir.Value]id{}
	for i, p := range w.code.f.Params {
		r.leafs[p] = g.value(w.code.params[i], ones(p.W))
	}
	r.block(w.code.b.Vals)
	value := func(v *ir.Value) id {
		if r.of[v.ID] != none {
			return r.of[v.ID]
		}
		return r.asLeaf(v)
	}
	at := func(d id) (id, bool) {
		if _, c := g.isConst(d); c || g.at(d).kind == leaf {
			return d, true // what the new text makes of it is for the new text to use
		}
		x, ok := w.marks[d]
		if !ok {
			return none, false
		}
		if x.zero() {
			return g.constant(num{}), true
		}
		if cf := w.code.carry[x.v]; cf != nil {
			x.v = cf // the word may be gone where the carry alone was needed
		}
		v := value(x.v)
		switch x.part {
		case 1, 2:
			h := [2]id{}
			h[0], h[1] = g.split(v)
			v = h[x.part-1]
		}
		return v, true
	}
	shown := map[id]bool{}
	for _, p := range w.groups {
		if err := w.proveGroup(p, at, shown); err != nil {
			return err
		}
	}
	for i, v := range w.wanted {
		res := w.code.b.Args[i]
		if res.Op == ir.PTX && res.Form.Op == ptx.Setp && res.Form.Cmp == ptx.Ne && isK(res.Args[1], 0) && g.at(v).max.bits() <= 1 {
			res = res.Args[0] // x ≠ 0 is x where x is shown to be a bit
		}
		old, new := g.words(v), g.words(value(res))
		for len(new) < len(old) {
			new = append(new, g.constant(num{}))
		}
		for j, x := range new {
			if j >= len(old) {
				if k, ok := g.isConst(x); !ok || !k.isZero() {
					return unproved("result %d is wider", i)
				}
				continue
			}
			y, ok := at(old[j])
			if _, c := g.isConst(old[j]); !ok || !c && g.at(old[j]).kind != leaf && !shown[old[j]] {
				return unproved("result %d has a part that no group has", i)
			}
			if x != y {
				return unproved("result %d is another value", i)
			}
		}
	}
	return nil
}

func (w *rewrite) proveGroup(p *group, at func(id) (id, bool), shown map[id]bool) error {
	g := w.g
	want := slices.DeleteFunc(slices.Clone(p.want), func(d digit) bool { _, ok := g.isConst(d.v); return ok })
	if len(want) == 0 {
		return nil
	}
	var stop bitset
	back := map[id]id{} // from the new text's factors to the old one's
	var err error
	atom := func(x id) {
		y, ok := at(x)
		_, c := g.isConst(y)
		switch {
		case !ok || g.at(x).kind != leaf && !shown[x]:
			err = unproved("a factor is not shown to be equal")
			return
		case c:
			err = unproved("a factor is a constant")
			return
		case g.at(y).kind != leaf:
			stop.add(y)
		}
		if z, ok := back[y]; ok && z != x {
			err = unproved("two factors are one value")
		}
		back[y] = x
	}
	for _, m := range p.poly {
		switch {
		case m.v == none:
		case g.at(m.v).kind == prod:
			atom(g.at(m.v).a)
			atom(g.at(m.v).b)
		default:
			atom(m.v)
		}
	}
	if err != nil {
		return err
	}
	top := want[len(want)-1]
	v, ok := at(top.v)
	for ok && len(want) > 1 {
		if k, c := g.isConst(v); !c || !k.isZero() {
			break
		}
		// 0 ≤ P < 2^top.off: the digits from there on are 0.
		above := slices.Clone(p.poly)
		for i := range above {
			above[i].c = above[i].c.shl(-top.off)
		}
		if g.exceeds(above) {
			break
		}
		shown[top.v] = true
		want = want[:len(want)-1]
		top = want[len(want)-1]
		v, ok = at(top.v)
	}
	if !ok {
		return unproved("a digit is missing")
	}
	if _, ok := g.isConst(v); ok {
		return unproved("the top digit is a constant")
	}
	if stop.has(v) {
		return unproved("the top digit is a factor")
	}
	if g.at(v).max.bits() > top.w {
		return unproved("the top digit is too wide")
	}
	bits := top.off + top.w // what is above does not matter to digits below
	t := g.back([]mono{{pow2(top.off), v}}, reach{top: bits, least: 0, stop: stop})
	if len(t.open) > 0 {
		return unproved("a carry stays open")
	}
	ms := t.poly
	if len(g.of16) > 0 {
		ms = g.join16(ms, bits)
	}
	got := map[id]num{}
	var gots []id
	add := func(v id, c num) error {
		if c.e < 0 {
			return unproved("a fraction")
		}
		if _, ok := got[v]; !ok {
			gots = append(gots, v)
		}
		got[v] = got[v].add(c).mod(bits)
		return nil
	}
	old := func(v id) (id, bool) {
		x, ok := back[v]
		return x, ok
	}
	for _, m := range ms {
		v := m.v
		if v != none && g.at(v).kind == prod && !stop.has(v) {
			x, ok1 := old(g.at(v).a)
			y, ok2 := old(g.at(v).b)
			if !ok1 || !ok2 {
				return unproved("a product of other factors")
			}
			if x > y {
				x, y = y, x
			}
			var ok bool
			if v, ok = g.cons[key{kind: prod, a: x, b: y}]; !ok {
				return unproved("another product")
			}
		} else if v != none {
			x, ok := old(v)
			if !ok {
				return unproved("another summand")
			}
			v = x
		}
		if err := add(v, m.c); err != nil {
			return err
		}
	}
	n := 0
	for _, v := range gots {
		if got[v].isZero() {
			continue
		}
		n++
		c, ok := p.coef[v]
		if !ok || !c.mod(bits).equal(got[v]) {
			return unproved("the polynomials differ at bit %d", top.off)
		}
	}
	for _, m := range p.poly {
		if !m.c.mod(bits).isZero() {
			n--
		}
	}
	if n != 0 {
		return unproved("the polynomials differ at bit %d", top.off)
	}
	// One digit a place, no two places overlapping.
	ds := []digit{{top.off, top.w, v}}
	for _, c := range t.digits {
		k, ok := c.c.power()
		if !ok || k < 0 {
			return unproved("a digit's weight is no power of two")
		}
		d := digit{k, g.at(c.f).w, g.digit(c.f)}
		if d.w == 64 {
			lo, hi := g.split(d.v)
			ds = append(ds, digit{k, 32, lo}, digit{k + 32, 32, hi})
			continue
		}
		ds = append(ds, d)
	}
	slices.SortFunc(ds, func(a, b digit) int { return a.off - b.off })
	for i, d := range ds[1:] {
		if ds[i].off+ds[i].w > d.off {
			return unproved("digits overlap")
		}
	}
	place := map[int]digit{}
	for _, d := range ds {
		place[d.off] = d
	}
	for _, d := range want {
		x, ok := at(d.v)
		if !ok {
			return unproved("a digit is missing")
		}
		y, there := place[d.off]
		if k, c := g.isConst(x); !there && c && k.isZero() {
			if !emptyAt(ds, d) {
				return unproved("digit at bit %d is not 0", d.off)
			}
		} else if !there || x != y.v || d.w != y.w {
			return unproved("digit at bit %d is another value", d.off)
		}
		shown[d.v] = true
	}
	return nil
}

// emptyAt reports that no digit has a place in d's.
func emptyAt(ds []digit, d digit) bool {
	for _, e := range ds {
		if e.off < d.off+d.w && d.off < e.off+e.w {
			return false
		}
	}
	return true
}
