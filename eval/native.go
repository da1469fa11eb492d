package eval

import (
	"fmt"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// native runs native code over terms: symbolic ones, or constants, which the
// builder folds. Registers are physical where the function is allocated, so
// that a wrong allocation shows.
type native struct {
	f    *mach.Func
	m    *mach.Machine
	b    *sem.Builder
	regs map[unit]*sem.Term

	concrete bool // every value is a constant
}

// unit is one register of a bank, or of a function that is not allocated one
// half of a virtual register.
type unit struct {
	bank mach.Bank
	n    int
}

func (n *native) unit(o mach.Operand, half int) unit {
	c := n.f.Classes[o.Reg]
	if o.Sub == mach.High {
		half++
	}
	if n.f.Phys == nil {
		return unit{c.Bank, 2*int(o.Reg) + half}
	}
	return unit{c.Bank, int(n.f.Phys[o.Reg]) + half}
}

// units is the number of registers that an operand takes.
func (n *native) units(o mach.Operand) int {
	if o.Sub != mach.Whole {
		return 1
	}
	return int(n.m.Units(n.f.Classes[o.Reg]))
}

func (n *native) read(o mach.Operand) (*sem.Term, error) {
	if o.IsConst() {
		return n.b.Const(o.K, int(o.Bits)), nil
	}
	w := int(o.Bits) / n.units(o)
	t, err := n.get(n.unit(o, 0), w)
	if err == nil && n.units(o) == 2 {
		var hi *sem.Term
		if hi, err = n.get(n.unit(o, 1), w); err == nil {
			t = n.b.Concat(hi, t)
		}
	}
	if err == nil && o.Not {
		t = n.b.Not(t)
	}
	return t, err
}

// get is what a register holds. A physical register that nothing wrote holds
// anything: a variable of its own, or where values are concrete a fixed pattern.
func (n *native) get(u unit, w int) (*sem.Term, error) {
	t := n.regs[u]
	switch {
	case t != nil:
		return t, nil
	case n.f.Phys == nil:
		return nil, fmt.Errorf("%s reads a register that nothing wrote", n.f.Name)
	case n.concrete:
		t = n.b.U(0x5a5a_c3c3_0f0f_9696, w)
	default:
		t = n.b.Var(fmt.Sprintf("junk.%d.%d", u.bank, u.n), w)
	}
	n.regs[u] = t
	return t, nil
}

func (n *native) write(o mach.Operand, t *sem.Term) {
	n.overwrite(o)
	if n.units(o) == 2 {
		h := t.W / 2
		n.regs[n.unit(o, 0)] = n.b.Bits(t, h-1, 0)
		n.regs[n.unit(o, 1)] = n.b.Bits(t, t.W-1, h)
		return
	}
	n.regs[n.unit(o, 0)] = t
}

// overwrite forgets what banks that share an operand's registers have in them.
func (n *native) overwrite(o mach.Operand) {
	bank := n.f.Classes[o.Reg].Bank
	if n.f.Phys == nil || n.m.Banks[bank].Span == 0 {
		return
	}
	from := n.unit(o, 0).n
	to := from + n.units(o)*int(n.m.Banks[bank].Span)
	for other := range mach.NumBanks {
		if span := int(n.m.Banks[other].Span); other != bank && span > 0 {
			for at := from - span + 1; at < to; at++ {
				delete(n.regs, unit{other, at})
			}
		}
	}
}

func (n *native) block(b *mach.Block) error {
	for i := range b.Insts {
		in := &b.Insts[i]
		args := make([]*sem.Term, len(in.In))
		for j, o := range in.In {
			t, err := n.read(o)
			if err != nil {
				return fmt.Errorf("%s: %w", in.Op.Name, err)
			}
			args[j] = t
		}
		out := in.Op.Meaning(n.b, args)
		if in.Guard != nil {
			p, err := n.read(*in.Guard)
			if err != nil {
				return err
			}
			for j := range out {
				old, err := n.read(in.Out[j])
				if err != nil {
					return err
				}
				out[j] = n.b.Ite(p, out[j], old)
			}
		}
		for j, o := range in.Out {
			n.write(o, out[j])
		}
	}
	return nil
}

func (n *native) start(params []*sem.Term) {
	for i, p := range n.f.Params {
		if n.f.Phys != nil && n.f.Phys[p] < 0 {
			continue // never read
		}
		o := n.f.R(p)
		t := n.b.Zext(params[i], int(o.Bits))
		n.write(o, t)
		if c := n.f.Classes[p]; c.Bank == mach.Scalar && n.units(o) == 2 && n.f.Phys != nil { // in two words that need not be neighbours
			n.regs[unit{c.Bank, int(n.m.Upper(c, n.f.Phys[p]))}] = n.b.Bits(t, t.W-1, t.W/2)
		}
	}
}

func (n *native) results(b *mach.Block) ([]*sem.Term, error) {
	var out []*sem.Term
	for _, o := range b.Ret {
		t, err := n.read(o)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// NativeTerms gives the results of a straight-line native function as terms
// over the parameters' terms, and over variables junk.… for what registers hold
// that are read unwritten.
func NativeTerms(f *mach.Func, m *mach.Machine, b *sem.Builder, params []*sem.Term) ([]*sem.Term, error) {
	if len(f.Blocks) != 1 || f.Blocks[0].Term != mach.Ret {
		return nil, fmt.Errorf("%s branches", f.Name)
	}
	n := &native{f: f, m: m, b: b, regs: map[unit]*sem.Term{}}
	n.start(params)
	if err := n.block(f.Blocks[0]); err != nil {
		return nil, err
	}
	return n.results(f.Blocks[0])
}

// RunNative runs a native function on concrete values, zero-extended to their
// registers. It gives ErrSteps after maxBlocks blocks.
func RunNative(f *mach.Func, m *mach.Machine, in []sem.Val, maxBlocks int) ([]sem.Val, error) {
	n := &native{f: f, m: m, b: sem.NewBuilder(), regs: map[unit]*sem.Term{}, concrete: true}
	params := make([]*sem.Term, len(f.Params))
	for i, p := range f.Params {
		params[i] = n.b.Const(in[i], int(f.Classes[p].Bits))
	}
	n.start(params)
	blk := f.Blocks[0]
	var from *mach.Block
	for range maxBlocks {
		if err := n.phis(blk, from); err != nil {
			return nil, err
		}
		if err := n.block(blk); err != nil {
			return nil, err
		}
		from = blk
		switch blk.Term {
		case mach.Ret:
			ts, err := n.results(blk)
			out := make([]sem.Val, len(ts))
			for i, t := range ts {
				out[i] = t.K
			}
			return out, err
		case mach.Jump:
			blk = blk.Succs[0]
		case mach.CondJump:
			c, err := n.read(blk.Cond)
			if err != nil {
				return nil, err
			}
			blk = blk.Succs[1-int(c.K.Lo)]
		default:
			return nil, ErrUnreachable
		}
	}
	return nil, ErrSteps
}

// phis are there before allocation only.
func (n *native) phis(b, from *mach.Block) error {
	vals := make([]*sem.Term, len(b.Phis))
	for i := range b.Phis {
		for j, p := range b.Preds {
			if p != from {
				continue
			}
			t, err := n.read(b.Phis[i].In[j])
			if err != nil {
				return err
			}
			vals[i] = t
		}
	}
	for i := range b.Phis {
		n.write(n.f.R(b.Phis[i].Out), vals[i])
	}
	return nil
}
