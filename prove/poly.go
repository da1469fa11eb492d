package prove

// Trusted: polynomials over atoms.

import (
	"encoding/binary"
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// Kernel keeps the normal form of terms: every value is an exact integer
// polynomial over atoms, which are bit slices of variables, floor(P / 2^k) and
// [P = 0] of other polynomials, and the results of bitwise operations without
// a law. Equal polynomials of one Kernel are one pointer. A Kernel is not safe
// for concurrent use.
type Kernel struct {
	atoms  []atom
	monos  []mono             // monos[0] is 1
	mono   map[string]int32   // by atoms
	times  map[[2]int32]int32 // products
	polys  map[uint64]*Poly   // by hash, chained
	list   []*Poly            // by id
	floors map[floorKey]*Poly
	atomOf map[atomKey]int32

	slices  map[*sem.Term]*Poly      // variables
	known   map[*sem.Term]*knowledge // what is assumed of variables
	pieces  []piece                  // what is assumed of slices
	forced  []piece                  // what facts say of slices that have their atoms already
	facts   map[*Poly]interval       // what is assumed of polynomials, by primitive part
	nonzero map[*Poly]bool           // which are assumed not to be 0, by primitive part
	void    bool                     // the assumptions contradict each other
	cuts    map[*sem.Term]*bitset    // where variables are cut
	memo    map[*sem.Term]*Poly      // terms
	steps   int                      // work done, in terms of polynomials
	limit   int                      // of steps; beyond it terms become atoms
	cells   []cell                   // scratch
}

// Poly is a polynomial: a sum of integers times products of atoms.
type Poly struct {
	cells  []cell // ascending by monomial, no coefficient is 0
	id     int32
	next   *Poly // of the same hash
	ranged bool
	rng    interval
}

// cell is one summand, c · monomial.
type cell struct {
	m int32
	c num
}

// mono is a product of atoms in ascending order; bits occur once.
type mono struct {
	atoms []int32
	rng   interval
	bool  bool // all atoms are bits
}

// atomKind says what an atom stands for.
type atomKind uint8

const (
	sliceAtom  atomKind = iota // bits lo … lo+n−1 of a variable
	floorAtom                  // floor(p / 2^k)
	signAtom                   // −floor(p / 2^k) where that is 0 or −1: [p < 0]
	zeroAtom                   // [p = 0]
	opaqueAtom                 // a term
)

type atom struct {
	kind  atomKind
	rng   interval
	m     int32     // the monomial that is this atom alone
	p     *Poly     // floorAtom, signAtom, zeroAtom
	k     uint      // floorAtom, signAtom
	term  *sem.Term // sliceAtom: the variable; opaqueAtom: a term of this value
	lo, n int       // sliceAtom
}

type floorKey struct {
	p int32
	k uint
}

// atomKey is all that an atom's value depends on.
type atomKey struct {
	kind atomKind
	op   sem.Op
	x, y int32 // polynomials
	k    uint
	term *sem.Term
}

func newKernel() *Kernel {
	k := &Kernel{
		mono: map[string]int32{}, times: map[[2]int32]int32{}, polys: map[uint64]*Poly{},
		floors: map[floorKey]*Poly{}, atomOf: map[atomKey]int32{},
		slices: map[*sem.Term]*Poly{}, known: map[*sem.Term]*knowledge{}, cuts: map[*sem.Term]*bitset{},
		memo: map[*sem.Term]*Poly{}, facts: map[*Poly]interval{}, nonzero: map[*Poly]bool{}, limit: 1 << 20,
	}
	k.monos = append(k.monos, mono{rng: point(small(1)), bool: true})
	k.mono[""] = 0
	return k
}

// intern is the one polynomial of these cells, which it may keep.
func (k *Kernel) intern(cs []cell) *Poly {
	k.steps += len(cs) + 1
	h := uint64(len(cs))
	for _, c := range cs {
		h = mix(h^uint64(c.m), c.c.hash())
	}
	for p := k.polys[h]; p != nil; p = p.next {
		if slices.EqualFunc(p.cells, cs, func(a, b cell) bool { return a.m == b.m && a.c.equal(b.c) }) {
			return p
		}
	}
	p := &Poly{cells: slices.Clone(cs), id: int32(len(k.list)), next: k.polys[h]}
	k.list = append(k.list, p)
	k.polys[h] = p
	return p
}

// collect sorts cells, adds those of one monomial and interns the sum.
func (k *Kernel) collect(cs []cell) *Poly {
	slices.SortFunc(cs, func(a, b cell) int { return int(a.m) - int(b.m) })
	out := cs[:0]
	for _, c := range cs {
		if n := len(out); n > 0 && out[n-1].m == c.m {
			out[n-1].c = out[n-1].c.add(c.c)
			continue
		}
		out = append(out, c)
	}
	return k.intern(slices.DeleteFunc(out, func(c cell) bool { return c.c.isZero() }))
}

// constant is the polynomial c.
func (k *Kernel) constant(c num) *Poly {
	if c.isZero() {
		return k.intern(nil)
	}
	return k.intern([]cell{{0, c}})
}

// isConst reports that p is a number.
func (p *Poly) isConst() (num, bool) {
	switch {
	case len(p.cells) == 0:
		return num{}, true
	case len(p.cells) == 1 && p.cells[0].m == 0:
		return p.cells[0].c, true
	}
	return num{}, false
}

// linear is a·p + b·q.
func (k *Kernel) linear(p *Poly, a num, q *Poly, b num) *Poly {
	one := small(1)
	out := k.cells[:0]
	i, j := 0, 0
	for i < len(p.cells) || j < len(q.cells) {
		switch {
		case j == len(q.cells) || i < len(p.cells) && p.cells[i].m < q.cells[j].m:
			c := p.cells[i]
			if a != one {
				c.c = c.c.mul(a)
			}
			out = append(out, c)
			i++
		case i == len(p.cells) || q.cells[j].m < p.cells[i].m:
			c := q.cells[j]
			if b != one {
				c.c = c.c.mul(b)
			}
			out = append(out, c)
			j++
		default:
			if c := p.cells[i].c.mul(a).add(q.cells[j].c.mul(b)); !c.isZero() {
				out = append(out, cell{p.cells[i].m, c})
			}
			i, j = i+1, j+1
		}
	}
	k.cells = out
	return k.intern(out)
}

// centred is p with its coefficients modulo 2^w, in −2^(w−1) < c ≤ 2^(w−1): what
// a sign extension adds above w bits is not in it.
func (k *Kernel) centred(p *Poly, w uint) *Poly {
	half := pow2(w - 1)
	var cs []cell
	for _, c := range p.cells {
		r := c.c.mod(w)
		if r.cmp(half) > 0 {
			r = r.sub(half).sub(half)
		}
		if !r.isZero() {
			cs = append(cs, cell{c.m, r})
		}
	}
	return k.intern(cs)
}

// Add is p + q.
func (k *Kernel) Add(p, q *Poly) *Poly { return k.linear(p, small(1), q, small(1)) }

// Sub is p − q.
func (k *Kernel) Sub(p, q *Poly) *Poly { return k.linear(p, small(1), q, small(-1)) }

// scale is c·p for c ≠ 0.
func (k *Kernel) scale(p *Poly, c num) *Poly {
	if c == small(1) {
		return p
	}
	out := k.cells[:0]
	for _, x := range p.cells {
		out = append(out, cell{x.m, x.c.mul(c)})
	}
	k.cells = out
	return k.intern(out)
}

// Shl is 2^n · p.
func (k *Kernel) Shl(p *Poly, n uint) *Poly { return k.scale(p, pow2(n)) }

// not is 1 − p, for a bit its complement.
func (k *Kernel) not(p *Poly) *Poly { return k.Sub(k.constant(small(1)), p) }

// Mul is p · q.
func (k *Kernel) Mul(p, q *Poly) *Poly {
	if c, ok := p.isConst(); ok && !c.isZero() {
		return k.scale(q, c)
	}
	if c, ok := q.isConst(); ok && !c.isZero() {
		return k.scale(p, c)
	}
	out := make([]cell, 0, len(p.cells)*len(q.cells))
	for _, x := range p.cells {
		for _, y := range q.cells {
			out = append(out, cell{k.timesMono(x.m, y.m), x.c.mul(y.c)})
		}
	}
	return k.collect(out)
}

// atomPoly is the polynomial that is atom i.
func (k *Kernel) atomPoly(i int32) *Poly { return k.intern([]cell{{k.atoms[i].m, small(1)}}) }

// newAtom is the atom of this key, made on first use.
func (k *Kernel) newAtom(key atomKey, a atom) int32 {
	if i, ok := k.atomOf[key]; ok {
		return i
	}
	i := int32(len(k.atoms))
	a.m = int32(len(k.monos))
	k.atoms = append(k.atoms, a)
	k.monos = append(k.monos, mono{atoms: []int32{i}, rng: a.rng, bool: a.rng.isBit()})
	k.mono[monoKey([]int32{i})] = a.m
	k.atomOf[key] = i
	return i
}

func monoKey(atoms []int32) string {
	b := make([]byte, 0, 4*len(atoms))
	for _, a := range atoms {
		b = binary.LittleEndian.AppendUint32(b, uint32(a))
	}
	return string(b)
}

// timesMono is the product of two monomials. Rule 8: b² = b for a bit b.
func (k *Kernel) timesMono(x, y int32) int32 {
	if x == 0 {
		return y
	}
	if y == 0 {
		return x
	}
	if x > y {
		x, y = y, x
	}
	if m, ok := k.times[[2]int32{x, y}]; ok {
		return m
	}
	a, b := k.monos[x], k.monos[y]
	atoms := make([]int32, 0, len(a.atoms)+len(b.atoms))
	i, j := 0, 0
	for i < len(a.atoms) || j < len(b.atoms) {
		var next int32
		if j == len(b.atoms) || i < len(a.atoms) && a.atoms[i] <= b.atoms[j] {
			next = a.atoms[i]
			i++
		} else {
			next = b.atoms[j]
			j++
		}
		if n := len(atoms); n > 0 && atoms[n-1] == next && k.atoms[next].rng.isBit() {
			continue
		}
		atoms = append(atoms, next)
	}
	key := monoKey(atoms)
	m, ok := k.mono[key]
	if !ok {
		m = int32(len(k.monos))
		r := point(small(1))
		for _, i := range atoms {
			r = r.mul(k.atoms[i].rng)
		}
		k.monos = append(k.monos, mono{atoms: atoms, rng: r, bool: a.bool && b.bool})
		k.mono[key] = m
	}
	k.times[[2]int32{x, y}] = m
	return m
}
