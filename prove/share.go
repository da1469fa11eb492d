package prove

// Trusted, simulated: congruent terms.

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// residue is a polynomial with its coefficients modulo 2^w. Terms of equal
// residue have the same low w bits:
//
//	P − Q = 2^w·R  ⇒  P mod 2^w = Q mod 2^w
//
// and −1 − P is the complement of P's bits. A polynomial and its complement
// have one residue, which is that of the first met.
type residue struct {
	p int32
	w int
}

// word is bits of a value.
type word []lit

// residues are those of p and of −1 − p modulo 2^w.
func (k *Kernel) residues(p *Poly, w int) (same, flipped residue) {
	cut := func(p *Poly) residue {
		cs := make([]cell, 0, len(p.cells))
		for _, c := range p.cells {
			if c.c = c.c.mod(uint(w)); !c.c.isZero() {
				cs = append(cs, c)
			}
		}
		return residue{k.intern(cs).id, w}
	}
	return cut(p), cut(k.linear(p, small(-1), k.constant(small(-1)), small(1)))
}

// field is bits lo … lo+n−1 of a word.
type field struct{ lo, n int }

// sums reports the primitives whose bits may be those of another sum.
func sums(op sem.Op) bool {
	switch op {
	case sem.OpAdd, sem.OpSub, sem.OpNeg, sem.OpMul, sem.OpNot, sem.OpConcat:
		return true
	}
	return false
}

// minField is the width from which on fields are shared; narrower ones are
// common to much that has little to do with each other.
const minField = 8

// shapesOf are the widths of the sums of a goal, ascending, and the fields that
// it extracts or that reach from there to the top of a sum.
func shapesOf(order []*sem.Term) (widths []int, fields []field) {
	add := func(f field) {
		if f.n >= minField && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	for _, t := range order {
		if sums(t.Op) && !slices.Contains(widths, t.W) {
			widths = append(widths, t.W)
		}
		if t.Op == sem.OpExtract {
			add(field{int(t.K.Lo), t.W})
		}
	}
	slices.Sort(widths)
	for _, f := range slices.Clone(fields) {
		for _, w := range widths {
			add(field{f.lo, w - f.lo})
		}
	}
	return widths, fields
}

// complement is 2^w − 1 − p, the value of the complemented bits.
func (k *Kernel) complement(p *Poly, w int) *Poly {
	return k.linear(p, small(-1), k.constant(ones(uint(w))), small(1))
}

// digit is the value of a field of p: floor(p / 2^lo) modulo 2^n.
func (k *Kernel) digit(p *Poly, f field) *Poly {
	return k.Wrap(k.Floor(p, uint(f.lo)), uint(f.n))
}

// value gives w bits that are known to have the value of p, or to be the
// complement of bits that have the complement's.
func (h *hybrid) value(p *Poly, w int) (word, bool) {
	if b, ok := h.unsigned[p.id]; ok {
		return extend(b, no, w), true
	}
	if b, ok := h.unsigned[h.k.complement(p, w).id]; ok {
		return complement(extend(b, no, w)), true
	}
	return nil, false
}

// congruent gives bits that are equal to the low w bits of t, of polynomial p.
func (h *hybrid) congruent(t *sem.Term, p *Poly, w int) (word, bool) {
	if !sums(t.Op) {
		return nil, false
	}
	same, flipped := h.k.residues(p, w)
	if b, ok := h.low[same]; ok {
		return b, true
	}
	if b, ok := h.low[flipped]; ok {
		return complement(b), true
	}
	return nil, false
}

// publish makes the low bits and the fields of t known, and ties them to those
// that are.
func (h *hybrid) publish(t *sem.Term, p *Poly) {
	if !sums(t.Op) || h.shown[residue{p.id, t.W}] {
		return
	}
	h.shown[residue{p.id, t.W}] = true
	for _, w := range h.widths {
		if w > t.W {
			break
		}
		b := h.bits[t][:w]
		if c, ok := h.congruent(t, p, w); ok {
			h.tie(b, c)
			continue
		}
		same, _ := h.k.residues(p, w)
		h.low[same] = b
	}
	for _, f := range h.fields {
		if f.lo+f.n > t.W || f.n == t.W {
			continue
		}
		d := h.k.digit(p, f)
		if _, ok := d.isConst(); ok {
			continue
		}
		b := h.bits[t][f.lo : f.lo+f.n]
		if c, ok := h.value(d, f.n); ok {
			h.tie(b, c)
			continue
		}
		h.unsigned[d.id] = b
	}
}

// onBothSides are the sums that Want and Got read, as they are, congruent, or a
// field of them.
func (h *hybrid) onBothSides(g *Goal) map[*sem.Term]bool {
	class := map[residue]int{}
	of := map[*sem.Term]int{}
	var parent []int
	var root func(i int) int
	root = func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, t := range h.order {
		p := h.k.Of(t)
		if _, ok := p.isConst(); ok || t.Op == sem.OpVar {
			continue
		}
		me := len(parent)
		parent = append(parent, me)
		of[t] = me
		join := func(r residue) {
			if h.k.rangeOf(h.k.list[r.p]).size().bitLen() <= minField {
				return
			}
			if c, ok := class[r]; ok {
				parent[root(me)] = root(c)
			} else {
				class[r] = me
			}
		}
		join(residue{min(p.id, h.k.complement(p, t.W).id), 0})
		if !sums(t.Op) {
			continue
		}
		join(residue{h.k.Signed(p, uint(t.W)).id, 0})
		for _, w := range h.widths {
			if w <= t.W {
				same, flipped := h.k.residues(p, w)
				join(residue{min(same.p, flipped.p), w})
			}
		}
		for _, f := range h.fields {
			if f.lo+f.n <= t.W {
				d := h.k.digit(p, f)
				join(residue{min(d.id, h.k.complement(d, f.n).id), 0})
			}
		}
	}
	sides := map[int]uint8{}
	for i, ts := range [2][]*sem.Term{g.Want, g.Got} {
		for _, t := range sem.Order(ts...) {
			if c, ok := of[t]; ok {
				sides[root(c)] |= 1 << i
			}
		}
	}
	both := map[*sem.Term]bool{}
	for t, c := range of {
		both[t] = sums(t.Op) && sides[root(c)] == 3
	}
	return both
}
