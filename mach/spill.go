package mach

import "slices"

// spill says which predicate goes to a general register to make room.
type spill struct {
	error
	r Reg
}

// crowded gives the error of a full bank: a spill of the predicate that is
// needed longest, if there is one that can be.
func (a *allocation) crowded(iv *interval) error {
	full := a.f.full(a.f.Classes[iv.r].Bank)
	if a.f.Classes[iv.r].Bank != Predicate || a.m.BoolIn == nil {
		return full
	}
	var victim *interval
	for _, o := range a.ivs {
		if o == nil || a.f.Classes[o.r].Bank != Predicate || o != iv && a.f.Phys[o.r] < 0 || o.all.start > iv.all.start || o.all.end < iv.all.start {
			continue
		}
		if _, fixed := a.fixed[o.r]; fixed {
			continue
		}
		if a.spillable(o.r) && (victim == nil || o.all.end > victim.all.end) {
			victim = o
		}
	}
	if victim == nil {
		return full
	}
	return spill{full, victim.r}
}

// spillable reports a predicate that no guarded instruction writes and that is
// no result, nor one that spilling made.
func (a *allocation) spillable(r Reg) bool {
	if a.short[r] || slices.Contains(a.f.Params, r) {
		return false
	}
	is := func(o Operand) bool { return !o.IsConst() && o.Reg == r }
	for _, b := range a.f.Blocks {
		if slices.ContainsFunc(b.Ret, is) {
			return false
		}
		for i := range b.Insts {
			if in := &b.Insts[i]; in.Guard != nil && slices.ContainsFunc(in.Out, is) {
				return false
			}
		}
	}
	return true
}

// spill keeps predicate r in a general register: it is saved behind each
// definition and made again before each use.
func (a *allocation) spill(r Reg) error {
	f, c := a.f, a.f.Classes[r]
	g := Class{General, a.m.Banks[General].Unit}
	saved := f.R(f.NewReg(g, ""))
	e := NewEmitter(a.m, f)
	short := func() Reg {
		p := f.NewReg(c, "")
		a.short[p] = true
		return p
	}
	for _, b := range f.Blocks {
		old := b.Insts
		b.Insts = make([]Inst, 0, len(old)+8)
		e.B = b
		restore := func() (Reg, error) {
			out, err := e.Emit([]Expr{a.m.BoolIn(Arg(0))}, []Class{c}, []Operand{saved})
			if err == nil {
				a.short[out[0].Reg] = true
			}
			return out[0].Reg, err
		}
		for _, in := range old {
			reads := false
			in.reads(func(o Operand) { reads = reads || o.Reg == r })
			if reads {
				p, err := restore()
				if err != nil {
					return err
				}
				in.In = slices.Clone(in.In)
				for j := range in.In {
					if !in.In[j].IsConst() && in.In[j].Reg == r {
						in.In[j].Reg = p
					}
				}
				if in.Guard != nil && in.Guard.Reg == r {
					guard := *in.Guard
					guard.Reg = p
					in.Guard = &guard
				}
			}
			at := slices.IndexFunc(in.Out, func(o Operand) bool { return o.Reg == r })
			if at < 0 {
				b.Insts = append(b.Insts, in)
				continue
			}
			p := short()
			in.Out = slices.Clone(in.Out)
			in.Out[at].Reg = p
			b.Insts = append(b.Insts, in)
			out, err := e.Emit([]Expr{a.m.BoolOut(Arg(0))}, []Class{g}, []Operand{f.R(p)})
			if err != nil {
				return err
			}
			last := &b.Insts[len(b.Insts)-1]
			if last.Out[0].Reg == out[0].Reg {
				last.Out[0] = saved
			} else {
				e.Move(saved, out[0], g)
			}
		}
		if b.Cond.Bits > 0 && !b.Cond.IsConst() && b.Cond.Reg == r {
			p, err := restore()
			if err != nil {
				return err
			}
			b.Cond.Reg = p
		}
	}
	return nil
}
