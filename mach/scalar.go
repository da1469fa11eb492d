package mach

import (
	"fmt"
	"slices"
)

// IsScalar reports an operand in a scalar register.
func (f *Func) IsScalar(o Operand) bool {
	return o.Bits > 0 && !o.IsConst() && f.Classes[o.Reg].Bank == Scalar
}

// spreadAll copies the scalar operands that an op of lanes cannot read where they
// are: those that have no place in it, and those of which there are too many.
func (e *Emitter) spreadAll(op *Op, in []Operand) error {
	if !slices.ContainsFunc(in, e.F.IsScalar) {
		return nil
	}
	room := e.M.Bus
	for i, o := range in {
		if op.In[i].Class.Bank == Predicate || o.IsConst() && op.Accepts(i, o.K) && op.literal(i, o.K) {
			room--
		}
	}
	var read []Reg
	for i, o := range in {
		c := op.In[i].Class
		if !e.F.IsScalar(o) || c.Bank == Scalar {
			continue
		}
		if op.In[i].Scalar && (slices.Contains(read, o.Reg) || len(read) < room) {
			if !slices.Contains(read, o.Reg) {
				read = append(read, o.Reg)
			}
			continue
		}
		var err error
		if in[i], err = e.Spread(o, c); err != nil {
			return err
		}
	}
	return nil
}

// Spread is a scalar operand in a register of each lane, made once in each block:
// a copy, or of a bit the predicate.
func (e *Emitter) Spread(o Operand, c Class) (Operand, error) {
	if !e.F.IsScalar(o) || c.Bank == Scalar {
		return o, nil
	}
	not := o.Not
	o.Not = false
	k := spreadKey{e.B, o, c}
	d, ok := e.spread[k]
	switch {
	case ok:
	case c.Bank == General:
		d = e.F.R(e.F.NewReg(Class{General, o.Bits}, ""))
		e.Move(d, o, Class{General, o.Bits})
	case c.Bank == Predicate:
		out, err := e.Emit([]Expr{e.M.BoolIn(Arg(0))}, []Class{c}, []Operand{o})
		if err != nil {
			return o, err
		}
		d = out[0]
	default:
		return o, fmt.Errorf("mach: a scalar as %s", c.Bank)
	}
	e.spread[k] = d
	d.Not = not
	return d, nil
}

// BranchFlags makes carries of the scalar bits by which blocks branch, and reads
// carries from the carry register where they are in it.
func (f *Func) BranchFlags(m *Machine) error {
	if m.ScalarOf == nil {
		return nil
	}
	e := NewEmitter(m, f)
	for _, b := range f.Blocks {
		if b.Term == CondJump && f.IsScalar(b.Cond) {
			e.B = b
			out, err := e.Emit([]Expr{m.NotZero(Arg(0))}, []Class{{Carry, 1}}, []Operand{b.Cond})
			if err != nil {
				return err
			}
			b.Cond = out[0]
		}
		f.forwardFlags(m, b)
	}
	f.RemoveDead()
	return nil
}

// forwardFlags lets what tests a bit that was made of a carry have the carry: as
// it is, where nothing overwrote it, or compared once more.
func (f *Func) forwardFlags(m *Machine, b *Block) {
	test, zero := m.NotZero(Arg(0)).n.op, m.IsZero(Arg(0)).n.op
	bit := m.Bit(Arg(0)).n.op
	type made struct {
		flag Reg
		not  bool
	}
	bits := map[Reg]made{}   // words that are a carry, or its complement
	whence := map[Reg]Inst{} // of carries
	same := map[Reg]Reg{}    // carries that are others
	now := NoReg
	flag := func(o *Operand) {
		if s, ok := same[o.Reg]; ok && o.Bits > 0 && !o.IsConst() {
			o.Reg = s
		}
	}
	kept := b.Insts[:0]
	for _, in := range b.Insts {
		for i := range in.In {
			flag(&in.In[i])
		}
		if (in.Op == test || in.Op == zero) && in.In[1].IsConst() && in.In[1].K.IsZero() && !in.In[0].IsConst() && in.In[0].Sub == Whole {
			x, ok := bits[in.In[0].Reg]
			not := in.Op == zero
			switch {
			case ok && x.not == not && x.flag == now:
				same[in.Out[0].Reg] = now
				continue
			case ok && x.not == not && len(whence[x.flag].Out) == 1:
				out := in.Out
				in = whence[x.flag]
				in.In, in.Out = slices.Clone(in.In), out
			}
		}
		if in.Op == bit && !in.In[2].IsConst() && in.In[0].IsConst() && in.In[1].IsConst() {
			switch yes, no := in.In[0].K, in.In[1].K; {
			case yes.Lo == 1 && no.IsZero():
				bits[in.Out[0].Reg] = made{in.In[2].Reg, false}
			case no.Lo == 1 && yes.IsZero():
				bits[in.Out[0].Reg] = made{in.In[2].Reg, true}
			}
		}
		if in.Op.Spoils {
			now = NoReg
		}
		for _, o := range in.Out {
			if f.Classes[o.Reg].Bank == Carry {
				now = o.Reg
				whence[now] = in
			}
		}
		kept = append(kept, in)
	}
	b.Insts = kept
	flag(&b.Cond)
}

// flagsHold checks that carries are read where they are in the carry register,
// on machines where ops overwrite it that have no carry.
func (f *Func) flagsHold(m *Machine) error {
	if m.ScalarOf == nil {
		return nil
	}
	for _, b := range f.Blocks {
		now := NoReg
		wrong := false
		read := func(o Operand) {
			wrong = wrong || o.Bits > 0 && !o.IsConst() && f.Classes[o.Reg].Bank == Carry && o.Reg != now
		}
		for i := range b.Insts {
			in := &b.Insts[i]
			in.reads(read)
			if in.Op.Spoils {
				now = NoReg
			}
			for _, o := range in.Out {
				if f.Classes[o.Reg].Bank == Carry {
					now = o.Reg
				}
			}
		}
		read(b.Cond)
		if wrong {
			return f.full(Carry)
		}
	}
	return nil
}

// keepApart lets scalar registers that are live into blocks where lanes are apart
// live through all blocks of those lanes: they go through them one after the
// other, in whatever order, and some have predicates in the same file.
func (f *Func) keepApart(m *Machine, live liveSets, from, to []int, touch func(r Reg, at int)) {
	if m.ScalarOf == nil || len(f.Blocks) == 1 {
		return
	}
	at := map[*Block]int{}
	for i, b := range f.Blocks {
		at[b] = i
	}
	succs := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		for _, s := range b.Succs {
			succs[i] = append(succs[i], at[s])
		}
	}
	together, _ := Together(succs, func(i int) bool {
		c := f.Blocks[i].Cond
		return c.Bits > 0 && !c.IsConst() && f.Classes[c.Reg].Bank == Carry
	})
	apart := make([]bool, len(together))
	for i := range together {
		apart[i] = !together[i]
	}
	group := groups(succs, apart)
	for i := range succs { // the ways on which lanes leave one block
		for _, s := range succs[i] {
			if o := group[succs[i][0]]; apart[succs[i][0]] && apart[s] && group[s] != o {
				was := group[s]
				for j := range group {
					if group[j] == was {
						group[j] = o
					}
				}
			}
		}
	}
	first, last := map[int]int{}, map[int]int{}
	for i, g := range group {
		if !apart[i] {
			continue
		}
		if _, ok := first[g]; !ok {
			first[g] = from[i]
		}
		first[g], last[g] = min(first[g], from[i]), max(last[g], to[i])
	}
	for i, g := range group {
		if !apart[i] {
			continue
		}
		live.in[i].each(func(r int) {
			if f.Classes[r].Bank == Scalar {
				touch(Reg(r), first[g])
				touch(Reg(r), last[g])
			}
		})
	}
}
