package rechain

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// region is a set of operations of one block that depend on each other and that
// are rewritten as one.
type region struct {
	vals     []*ir.Value // in order
	wanted   []*ir.Value // those that something outside reads, in order
	products int
	long     bool // there are products of more than 32 bits
}

// regions finds the regions of a block that have products.
func regions(r *reader, b *ir.Block, outside ir.BitSet) []*region {
	up := make([]int, len(r.of)) // union-find by Value.ID
	for i := range up {
		up[i] = i
	}
	var root func(i int) int
	root = func(i int) int {
		for up[i] != i {
			up[i], i = up[up[i]], up[i]
		}
		return i
	}
	wanted := outside
	for _, v := range b.Vals {
		for _, a := range v.Args {
			if a.Block != b || !r.family(a) {
				continue
			}
			switch {
			case v.Op == ir.Result, r.family(v) && r.level[v.ID] == r.level[a.ID]:
				up[root(a.ID)] = root(v.ID)
			default:
				wanted.Add(a.ID)
			}
		}
	}
	factors := map[[2]*ir.Value]int{} // products of the same factors share their halves
	for _, v := range b.Vals {
		if !isProduct(v) || !r.family(v) {
			continue
		}
		k := [2]*ir.Value{v.Args[0], v.Args[1]}
		if k[0].ID > k[1].ID {
			k[0], k[1] = k[1], k[0]
		}
		if i, ok := factors[k]; ok && r.level[i] == r.level[v.ID] {
			up[root(i)] = root(v.ID)
		}
		factors[k] = v.ID
	}
	by := map[int]*region{}
	var out []*region
	for _, v := range b.Vals {
		if !r.family(v) {
			continue
		}
		k := root(v.ID)
		x := by[k]
		if x == nil {
			x = &region{}
			by[k] = x
			out = append(out, x)
		}
		x.vals = append(x.vals, v)
		if wanted.Has(v.ID) {
			x.wanted = append(x.wanted, v)
		}
		if isProduct(v) {
			x.products++
			x.long = x.long || v.W > 32
		}
	}
	return slices.DeleteFunc(out, func(x *region) bool { return x.products == 0 || len(x.vals) < 3 && !x.long || len(x.wanted) == 0 })
}

func isProduct(v *ir.Value) bool {
	switch v.Op {
	case ir.Mul:
		return true
	case ir.PTX:
		return v.Form.Op == ptx.Mul || v.Form.Op == ptx.Mad || v.Form.Op == ptx.Madc
	}
	return false
}

// usedOutside are the values that another block or a terminator reads, or a phi.
func usedOutside(f *ir.Func) ir.BitSet {
	out := ir.NewBitSet(f.NumValues())
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			for _, a := range v.Args {
				if a.Block != nil && (a.Block != b || v.Op == ir.Phi) {
					out.Add(a.ID)
				}
			}
		}
		for _, a := range b.Args {
			if a.Block != nil {
				out.Add(a.ID)
			}
		}
	}
	return out
}

// replace puts code where a region was. final gives what stands for a value by
// now. It reports false, and changes nothing, if there is no order in which
// everything is computed before it is read.
func replace(b *ir.Block, x *region, c *code, final map[*ir.Value]*ir.Value) bool {
	f := b.Func
	at := func(v *ir.Value) *ir.Value {
		for final[v] != nil {
			v = final[v]
		}
		return v
	}
	to := map[*ir.Value]*ir.Value{}
	for i, p := range c.f.Params {
		to[p] = at(c.params[i])
	}
	for _, k := range c.f.Consts {
		if k.Op == ir.Undef {
			to[k] = f.Undef(k.W)
		} else {
			to[k] = f.Const(k.K, k.W)
		}
	}
	gone := map[*ir.Value]bool{}
	for _, v := range x.vals {
		gone[v] = true
	}
	off := x.vals[0].Off
	old := b.Vals
	b.Vals = nil
	for _, v := range c.b.Vals {
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = to[a]
		}
		n := b.New(v.Op, v.W, args...)
		n.Form, n.Pred, n.Index, n.Off = v.Form, v.Pred, v.Index, off
		to[v] = n
	}
	with := map[*ir.Value]*ir.Value{}
	for i, v := range x.wanted {
		with[v] = to[c.b.Args[i]]
	}
	fresh := b.Vals
	vals, ok := order(b, old, gone, with, fresh)
	if !ok {
		b.Vals = old
		return false
	}
	b.Vals = vals
	for v, n := range with {
		if n.Name == "" && n.Block != nil {
			n.Name = v.Name
		}
		final[v] = n
	}
	ir.ReplaceUses(f, with)
	return true
}

// order lists what is left of a block with the new operations, which stay
// together, before what reads them and behind what they read; else as it was.
func order(b *ir.Block, old []*ir.Value, gone map[*ir.Value]bool, with map[*ir.Value]*ir.Value, fresh []*ir.Value) ([]*ir.Value, bool) {
	isFresh := map[*ir.Value]bool{}
	for _, v := range fresh {
		isFresh[v] = true
	}
	state := map[*ir.Value]int8{} // 1 begun, 2 done; fresh ones share that of the first
	out := make([]*ir.Value, 0, len(old)+len(fresh))
	ok := true
	var place func(v *ir.Value)
	args := func(v *ir.Value) {
		for _, a := range v.Args {
			if n := with[a]; n != nil && v.Op != ir.Result {
				a = n
			}
			if a.Block == b && v.Op != ir.Phi {
				place(a)
			}
		}
	}
	place = func(v *ir.Value) {
		k := v
		if isFresh[v] {
			k = fresh[0]
		}
		switch {
		case state[k] == 2 || gone[v]:
			return
		case state[k] == 1:
			ok = false
			return
		}
		state[k] = 1
		if !isFresh[v] {
			args(v)
			out = append(out, v)
		} else {
			for _, n := range fresh {
				for _, a := range n.Args {
					if a.Block == b && !isFresh[a] {
						place(a)
					}
				}
			}
			out = append(out, fresh...)
		}
		state[k] = 2
	}
	last := -1
	for i, v := range old {
		if gone[v] {
			last = i
		}
	}
	for i, v := range old {
		if !gone[v] {
			place(v)
		}
		if i == last && len(fresh) > 0 {
			place(fresh[0])
		}
	}
	return out, ok
}
