package sem

import (
	"fmt"
	"math/bits"
)

// Builder makes terms: it interns them, folds constants with the primitives'
// own functions and applies the few identities that keep terms small. A Builder
// is not safe for concurrent use; terms of two Builders do not mix. The zero
// value is ready for use.
type Builder struct {
	slots  []slot            // open addressing with linear probing; the length is a power of two
	blocks []*[blockLen]Term // term ID i is blocks[(i-1)/blockLen][(i-1)%blockLen]
	terms  int
	vars   map[varKey]*Term
	folded Term // scratch for folding
}

const blockLen = 64

// slot is empty where id is 0.
type slot struct{ hash, id uint32 }

type varKey struct {
	name string
	w    int
}

// NewBuilder gives an empty Builder.
func NewBuilder() *Builder { return &Builder{} }

// Len is the number of terms made so far.
func (b *Builder) Len() int { return b.terms }

// mk is the term of these parts, folded where all operands are constants.
func (b *Builder) mk(op Op, w int, x, y, z *Term, k Val) *Term {
	if x.Op == OpConst && (y == nil || y.Op == OpConst) && (z == nil || z.Op == OpConst) {
		var v [3]Val
		for i, t := range [3]*Term{x, y, z} {
			if t != nil {
				v[i] = t.K
			}
		}
		checkWidth(op, w)
		b.folded = Term{Op: op, N: prims[op].arity, W: w, A: [3]*Term{x, y, z}, K: k}
		return b.Const(prims[op].eval(&b.folded, v[0], v[1], v[2]), w)
	}
	return b.intern(op, w, x, y, z, k)
}

// intern is the one term of these parts.
func (b *Builder) intern(op Op, w int, x, y, z *Term, k Val) *Term {
	if b.terms >= len(b.slots)/2 {
		b.grow()
	}
	h := hash(op, w, x, y, z, k)
	mask := uint32(len(b.slots) - 1)
	i := h & mask
	for ; b.slots[i].id != 0; i = (i + 1) & mask {
		if b.slots[i].hash != h {
			continue
		}
		t := b.at(b.slots[i].id)
		if t.Op == op && t.W == w && t.A[0] == x && t.A[1] == y && t.A[2] == z && t.K == k {
			return t
		}
	}
	t := b.add(op, w)
	t.N, t.A, t.K = prims[op].arity, [3]*Term{x, y, z}, k
	b.slots[i] = slot{h, uint32(t.ID)}
	return t
}

// add is a new term, not yet in the table.
func (b *Builder) add(op Op, w int) *Term {
	checkWidth(op, w)
	if b.terms%blockLen == 0 {
		b.blocks = append(b.blocks, new([blockLen]Term))
	}
	b.terms++
	t := b.at(uint32(b.terms))
	t.Op, t.W, t.ID = op, w, b.terms
	return t
}

func (b *Builder) at(id uint32) *Term { return &b.blocks[(id-1)/blockLen][(id-1)%blockLen] }

func (b *Builder) grow() {
	old := b.slots
	b.slots = make([]slot, max(128, 2*len(old)))
	mask := uint32(len(b.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for b.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		b.slots[i] = s
	}
}

func hash(op Op, w int, x, y, z *Term, k Val) uint32 {
	id := func(t *Term) uint64 {
		if t == nil {
			return 0
		}
		return uint64(t.ID)
	}
	h := mix(uint64(op)<<8|uint64(w)|id(x)<<32, id(y)|id(z)<<32)
	if k != (Val{}) {
		h = mix(h^k.Lo, h^k.Hi)
	}
	return uint32(h)
}

// mix is the folded product of wyhash.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, y^0xe7037ed1a0b428db)
	return hi ^ lo
}

func checkWidth(op Op, w int) {
	if w < 1 || w > 128 {
		panic(fmt.Sprintf("sem: %s of %d bits", op, w))
	}
}

func (b *Builder) op2(op Op, x, y *Term) *Term {
	same(op, x, y)
	return b.mk(op, x.W, x, y, nil, Val{})
}

func (b *Builder) cmp(op Op, x, y *Term) *Term {
	same(op, x, y)
	return b.mk(op, 1, x, y, nil, Val{})
}

func same(op Op, x, y *Term) {
	if x.W != y.W {
		panic(fmt.Sprintf("sem: %s of %d and %d bits", op, x.W, y.W))
	}
}

// Var is a free variable: the same one for the same name and width.
func (b *Builder) Var(name string, w int) *Term {
	k := varKey{name, w}
	if t, ok := b.vars[k]; ok {
		return t
	}
	t := b.add(OpVar, w)
	t.Name = name
	if b.vars == nil {
		b.vars = map[varKey]*Term{}
	}
	b.vars[k] = t
	return t
}

// Const is a constant, cut to w bits.
func (b *Builder) Const(v Val, w int) *Term {
	return b.intern(OpConst, w, nil, nil, nil, v.Cut(w))
}

// U is an unsigned constant of w bits.
func (b *Builder) U(v uint64, w int) *Term { return b.Const(U(v), w) }

// S is a signed constant of w bits.
func (b *Builder) S(v int64, w int) *Term { return b.Const(S(v), w) }
