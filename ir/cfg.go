package ir

import (
	"math/bits"
	"slices"
)

// ReversePostorder lists the blocks that the entry reaches; a block comes after
// its predecessors, except those along back edges.
func ReversePostorder(f *Func) []*Block {
	type frame struct {
		b    *Block
		next int
	}
	seen := make([]bool, len(f.Blocks))
	out := make([]*Block, 0, len(f.Blocks))
	stack := []frame{{b: f.Blocks[0]}}
	seen[0] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.Succs) {
			out = append(out, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last successor first: then the reverse has Succs[0] before Succs[1].
		s := top.b.Succs[len(top.b.Succs)-1-top.next]
		top.next++
		if !seen[s.ID] {
			seen[s.ID] = true
			stack = append(stack, frame{b: s})
		}
	}
	slices.Reverse(out)
	return out
}

// DomTree is the dominator tree of the blocks that the entry reaches.
type DomTree struct {
	idom     []*Block // by Block.ID
	pre, end []int32  // preorder interval of the subtree; end 0 where unreachable
}

// Dominators computes the tree by the iteration of Cooper, Harvey and Kennedy,
// "A Simple, Fast Dominance Algorithm".
func Dominators(f *Func) *DomTree {
	order := ReversePostorder(f)
	n := len(f.Blocks)
	d := &DomTree{idom: make([]*Block, n), pre: make([]int32, n), end: make([]int32, n)}
	rank := make([]int, n) // place in the order, from 1; 0 where unreachable
	for i, b := range order {
		rank[b.ID] = i + 1
	}
	d.idom[0] = order[0]
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			var x *Block
			for _, y := range b.Preds {
				switch {
				case d.idom[y.ID] == nil:
				case x == nil:
					x = y
				default:
					for x != y {
						if rank[x.ID] > rank[y.ID] {
							x = d.idom[x.ID]
						} else {
							y = d.idom[y.ID]
						}
					}
				}
			}
			if d.idom[b.ID] != x {
				d.idom[b.ID], changed = x, true
			}
		}
	}
	d.idom[0] = nil
	size := make([]int32, n)
	for _, b := range slices.Backward(order) {
		size[b.ID]++
		if i := d.idom[b.ID]; i != nil {
			size[i.ID] += size[b.ID]
		}
	}
	next := make([]int32, n) // where the next child's interval starts
	for _, b := range order {
		if i := d.idom[b.ID]; i != nil {
			d.pre[b.ID] = next[i.ID]
			next[i.ID] += size[b.ID]
		}
		next[b.ID] = d.pre[b.ID] + 1
		d.end[b.ID] = d.pre[b.ID] + size[b.ID]
	}
	return d
}

// Reachable reports that a path leads from the entry to the block.
func (d *DomTree) Reachable(b *Block) bool { return d.end[b.ID] != 0 }

// IDom is the immediate dominator, nil for the entry and unreachable blocks.
func (d *DomTree) IDom(b *Block) *Block { return d.idom[b.ID] }

// Dominates reports that every path from the entry to y leads through x; so a
// block dominates itself, and every block dominates an unreachable one.
func (d *DomTree) Dominates(x, y *Block) bool {
	return !d.Reachable(y) || d.pre[x.ID] <= d.pre[y.ID] && d.pre[y.ID] < d.end[x.ID]
}

// BitSet is a set of small numbers, here of Value.ID.
type BitSet []uint64

// NewBitSet holds numbers below n.
func NewBitSet(n int) BitSet { return make(BitSet, (n+63)/64) }

// Has reports membership.
func (s BitSet) Has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// Add puts i in.
func (s BitSet) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Remove takes i out.
func (s BitSet) Remove(i int) { s[i/64] &^= 1 << (i % 64) }

// Union adds what is in t and reports whether that was anything new.
func (s BitSet) Union(t BitSet) bool {
	var news uint64
	for i, x := range t {
		news |= x &^ s[i]
		s[i] |= x
	}
	return news != 0
}

// Len is the number of members.
func (s BitSet) Len() int {
	n := 0
	for _, x := range s {
		n += bits.OnesCount64(x)
	}
	return n
}

// Liveness says which values are needed where, as sets of Value.ID indexed by
// Block.ID. Constants belong to no block and are in no set.
type Liveness struct {
	In  []BitSet // at the start of the block, its own phis not counted
	Out []BitSet // at its end; what the successors' phis take from here is live
}

// Live computes liveness.
func Live(f *Func) *Liveness {
	n := len(f.Blocks)
	l := &Liveness{In: make([]BitSet, n), Out: make([]BitSet, n)}
	for i := range n {
		l.In[i], l.Out[i] = NewBitSet(f.values), NewBitSet(f.values)
	}
	use := func(s BitSet, v *Value) {
		if v.Op != Const && v.Op != Undef {
			s.Add(v.ID)
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if v.Op != Phi {
				break
			}
			for i, a := range v.Args {
				use(l.Out[b.Preds[i].ID], a)
			}
		}
	}
	transfer := func(b *Block, in BitSet) {
		for _, a := range b.Args {
			use(in, a)
		}
		for _, v := range slices.Backward(b.Vals) {
			in.Remove(v.ID)
			if v.Op != Phi {
				for _, a := range v.Args {
					use(in, a)
				}
			}
		}
	}
	tmp := NewBitSet(f.values)
	for first, changed := true, true; changed; first = false {
		changed = false
		for _, b := range slices.Backward(f.Blocks) {
			grew := first
			for _, s := range b.Succs {
				grew = l.Out[b.ID].Union(l.In[s.ID]) || grew
			}
			if grew {
				copy(tmp, l.Out[b.ID])
				transfer(b, tmp)
				changed = l.In[b.ID].Union(tmp) || changed
			}
		}
	}
	return l
}
