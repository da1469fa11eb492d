package nv

import "github.com/ptxlower/ptxlower/mach"

// combineCarries makes one IADD3.X of two that add a carry each, where the first
// sum is read by the second alone and neither carries out:
//
//	t = a + p; d = t + c + q    d = a + c + p + q
//
// Two carries out are not made of two: a sum of two words and two carries can
// carry 2, and where a further carry is kept for the next word that would read
// three, but IADD3.X reads two. So of the carries that chains of products leave,
// one is added for nothing, to the highest word.
func combineCarries(f *mach.Func) {
	c := combiner{f: f, defs: make([]int32, len(f.Classes)), uses: make([]int32, len(f.Classes))}
	for _, b := range f.Blocks {
		c.count(b)
	}
	for _, b := range f.Blocks {
		c.block(b)
	}
}

// addsCarry reports an addition that reads a carry and writes none.
func addsCarry(o *mach.Op) bool { return o == IADD3_X || o == IADD_X }

type combiner struct {
	f          *mach.Func
	defs, uses []int32 // by register
	crowded    *crowd  // of the block, once it is needed
}

func (c *combiner) count(b *mach.Block) {
	use := func(o mach.Operand) {
		if o.Bits > 0 && !o.IsConst() {
			c.uses[o.Reg]++
		}
	}
	for i := range b.Phis {
		c.defs[b.Phis[i].Out]++
		for _, o := range b.Phis[i].In {
			use(o)
		}
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		for _, o := range in.Out {
			c.defs[o.Reg]++
		}
		for _, o := range in.In {
			use(o)
		}
		if in.Guard != nil {
			use(*in.Guard)
		}
	}
	use(b.Cond)
	for _, o := range b.Ret {
		use(o)
	}
}

func (c *combiner) block(b *mach.Block) {
	c.crowded = nil
	at := map[mach.Reg]int{} // where the block writes t
	for i := range b.Insts {
		in := &b.Insts[i]
		if !addsCarry(in.Op) || in.Guard != nil {
			continue
		}
		for k, o := range in.In[:2] {
			if o.IsConst() || o.Sub != mach.Whole {
				continue
			}
			if j, ok := at[o.Reg]; ok && c.combine(b, j, i, in.In[1-k]) {
				break
			}
		}
		if o := in.Out[0]; addsCarry(in.Op) && o.Sub == mach.Whole && c.defs[o.Reg] == 1 && c.uses[o.Reg] == 1 {
			at[o.Reg] = i
		}
	}
}

// combine combines instructions j and i of a block; other is what i adds to the
// sum of j, which is not read then.
func (c *combiner) combine(b *mach.Block, j, i int, other mach.Operand) bool {
	first, second := &b.Insts[j], &b.Insts[i]
	a, p := first.In[0], first.In[2]
	if isZero(a) {
		a = first.In[1]
	} else if !isZero(first.In[1]) {
		return false
	}
	for _, o := range []mach.Operand{a, p} {
		if !o.IsConst() && c.defs[o.Reg] > 1 { // may be another value by then
			return false
		}
	}
	in := []mach.Operand{a, other, p, second.In[2]}
	if IADD3_XX.Legal(in) != nil {
		return false
	}
	if c.crowded == nil {
		c.crowded = c.crowd(b)
	}
	if !p.IsConst() && !c.crowded.keep(p.Reg, i) {
		return false
	}
	second.Op, second.In = IADD3_XX, in
	return true
}

// crowd is how many predicates are live behind each instruction of a block, by
// what the block itself reads of them.
type crowd struct {
	live []int
	last map[mach.Reg]int
}

func (c *combiner) crowd(b *mach.Block) *crowd {
	w := &crowd{make([]int, len(b.Insts)), map[mach.Reg]int{}}
	for i := range b.Insts {
		for _, o := range b.Insts[i].In {
			if !o.IsConst() && c.f.Classes[o.Reg] == p1 {
				w.last[o.Reg] = i
			}
		}
	}
	for i := range b.Insts {
		for _, o := range b.Insts[i].Out {
			if c.f.Classes[o.Reg] == p1 {
				for k := i; k < w.last[o.Reg]; k++ {
					w.live[k]++
				}
			}
		}
	}
	return w
}

// keep lets predicate p live on to instruction i, if there is room.
func (w *crowd) keep(p mach.Reg, i int) bool {
	from := w.last[p]
	for k := from; k < i; k++ {
		if w.live[k] >= len(predicates) {
			return false
		}
	}
	for k := from; k < i; k++ {
		w.live[k]++
	}
	w.last[p] = max(from, i)
	return true
}
