package ir

import "slices"

// ReplaceUses makes every use of a key a use of its value. Chains are followed:
// with x → y and y → z, uses of x become uses of z. A further result of a form
// stays with it, for it does not use the form's value. What is replaced stays
// where it is; RemoveDead removes it.
func ReplaceUses(f *Func, with map[*Value]*Value) {
	if len(with) == 0 {
		return
	}
	replace := func(args []*Value) {
		for i, a := range args {
			for range with { // a chain has no more links than that
				b, ok := with[a]
				if !ok {
					break
				}
				a = b
			}
			args[i] = a
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if v.Op != Result {
				replace(v.Args)
			}
		}
		replace(b.Args)
	}
}

// RemoveDead removes the operations that no terminator needs, phis that only
// feed each other included, and gives their number. Every operation is pure.
func RemoveDead(f *Func) int {
	live := NewBitSet(f.values)
	var work []*Value
	need := func(args []*Value) {
		for _, a := range args {
			if !live.Has(a.ID) {
				live.Add(a.ID)
				work = append(work, a)
			}
		}
	}
	for _, b := range f.Blocks {
		need(b.Args)
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		need(v.Args)
	}
	n := 0
	for _, b := range f.Blocks {
		before := len(b.Vals)
		b.Vals = slices.DeleteFunc(b.Vals, func(v *Value) bool { return !live.Has(v.ID) })
		n += before - len(b.Vals)
	}
	return n
}

// RemoveUnreachable removes the blocks that the entry does not reach, and with
// them what they gave to phis, and gives their number. The blocks that stay are
// numbered anew.
func RemoveUnreachable(f *Func) int {
	reached := NewBitSet(len(f.Blocks))
	for _, b := range ReversePostorder(f) {
		reached.Add(b.ID)
	}
	before := len(f.Blocks)
	if reached.Len() == before {
		return 0
	}
	gone := func(b *Block) bool { return !reached.Has(b.ID) }
	for _, b := range f.Blocks {
		if gone(b) || !slices.ContainsFunc(b.Preds, gone) {
			continue
		}
		for _, v := range b.Vals {
			if v.Op != Phi {
				break
			}
			kept := v.Args[:0]
			for i, a := range v.Args {
				if !gone(b.Preds[i]) {
					kept = append(kept, a)
				}
			}
			v.Args = kept
		}
		b.Preds = slices.DeleteFunc(b.Preds, gone)
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, gone)
	for i, b := range f.Blocks {
		b.ID = i
	}
	return before - len(f.Blocks)
}

// Clone copies a function; numbers and names stay the same.
func Clone(f *Func) *Func {
	g := &Func{Name: f.Name, Results: slices.Clone(f.Results), Model: f.Model, values: f.values, consts: map[constKey]*Value{}}
	vals := make([]*Value, f.values)
	for _, b := range f.Blocks {
		g.NewBlock(b.Name)
	}
	copies := func(vs []*Value) []*Value {
		out := make([]*Value, len(vs))
		for i, v := range vs {
			c := *v
			if v.Block != nil {
				c.Block = g.Blocks[v.Block.ID]
			}
			out[i], vals[v.ID] = &c, &c
		}
		return out
	}
	refs := func(vs []*Value) []*Value {
		if vs == nil {
			return nil
		}
		out := make([]*Value, len(vs))
		for i, v := range vs {
			out[i] = vals[v.ID]
		}
		return out
	}
	blocks := func(bs []*Block) []*Block {
		out := make([]*Block, len(bs))
		for i, b := range bs {
			out[i] = g.Blocks[b.ID]
		}
		return out
	}
	g.Params, g.Consts = copies(f.Params), copies(f.Consts)
	for _, v := range g.Consts {
		g.consts[constKey{k: v.K, w: v.W, u: v.Op == Undef}] = v
	}
	for i, b := range f.Blocks {
		g.Blocks[i].Vals = copies(b.Vals)
	}
	for i, b := range f.Blocks {
		c := g.Blocks[i]
		c.Term, c.Args, c.Succs, c.Preds = b.Term, refs(b.Args), blocks(b.Succs), blocks(b.Preds)
		for _, v := range c.Vals {
			v.Args = refs(v.Args)
		}
	}
	return g
}
