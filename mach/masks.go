package mach

// localMasks keeps predicates from living across blocks on machines where they
// are lane masks: what crosses is a 0/1 register, made where the predicate is
// and compared where it is read.
func (f *Func) localMasks(m *Machine) error {
	if !m.Masks || len(f.Blocks) == 1 {
		return nil
	}
	l := masking{f: f, m: m, def: map[Reg]*Block{}, bit: map[Reg]Reg{}, kept: map[Reg]bool{}}
	l.find()
	for _, b := range f.Blocks {
		if err := l.block(b); err != nil {
			return err
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Phis {
			if r, ok := l.bit[b.Phis[i].Out]; ok {
				b.Phis[i].Out = r
			}
		}
	}
	f.RemoveDead()
	return nil
}

type masking struct {
	f   *Func
	m   *Machine
	def map[Reg]*Block // of masks that instructions make
	bit map[Reg]Reg    // of a mask that crosses: the register that is 0 where it is

	kept map[Reg]bool // that register was there before
}

func (l *masking) isMask(o Operand) bool {
	return o.Bits > 0 && !o.IsConst() && l.f.Classes[o.Reg].Bank == Predicate
}

// find gives the masks that cross their registers.
func (l *masking) find() {
	from := map[Reg]Reg{}
	cross := func(r Reg) {
		if x, ok := from[r]; ok { // the register it was compared from will do
			l.bit[r], l.kept[r] = x, true
		} else if _, ok := l.bit[r]; !ok {
			c, _ := l.m.ClassOf(32)
			l.bit[r] = l.f.NewReg(c, l.f.Names[r])
		}
	}
	compare := l.m.BoolIn(Arg(0)).n.op
	for _, b := range l.f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			for _, o := range in.Out {
				if l.isMask(o) {
					l.def[o.Reg] = b
				}
			}
			if in.Op == compare && in.In[0].IsConst() && in.In[0].K.IsZero() && !in.In[1].IsConst() && in.In[1].Sub == Whole {
				from[in.Out[0].Reg] = in.In[1].Reg
			}
		}
	}
	for _, b := range l.f.Blocks {
		read := func(o Operand) {
			if l.isMask(o) && l.def[o.Reg] != b {
				cross(o.Reg)
			}
		}
		for _, p := range b.Phis {
			if l.isMask(l.f.R(p.Out)) {
				cross(p.Out)
			}
			for _, o := range p.In {
				if l.isMask(o) {
					cross(o.Reg)
				}
			}
		}
		for i := range b.Insts {
			b.Insts[i].reads(read)
		}
		read(b.Cond)
	}
}

func (l *masking) block(b *Block) error {
	e := NewEmitter(l.m, l.f)
	old := b.Insts
	e.B, b.Insts = b, nil
	loaded := map[Reg]Reg{}
	var failed error
	local := func(o Operand) Operand {
		if !l.isMask(o) || l.def[o.Reg] == b {
			return o
		}
		r, ok := loaded[o.Reg]
		if !ok {
			x, err := e.Emit([]Expr{l.m.BoolIn(Arg(0))}, []Class{{Predicate, 1}}, []Operand{l.f.R(l.bit[o.Reg])})
			if err != nil {
				failed = err
				return o
			}
			r = x[0].Reg
			loaded[o.Reg] = r
		}
		o.Reg = r
		return o
	}
	number := func(o Operand) Operand {
		c, _ := l.m.ClassOf(32)
		x, err := e.Emit([]Expr{l.m.BoolOut(Arg(0))}, []Class{c}, []Operand{o})
		if err != nil {
			failed = err
			return o
		}
		return x[0]
	}
	for _, in := range old {
		e.Off = in.Off
		for j := range in.In {
			in.In[j] = local(in.In[j])
		}
		if in.Guard != nil {
			g := local(*in.Guard)
			in.Guard = &g
		}
		b.Insts = append(b.Insts, in)
		for _, o := range in.Out {
			if r, ok := l.bit[o.Reg]; ok && !l.kept[o.Reg] {
				number(o)
				b.Insts[len(b.Insts)-1].Out[0] = l.f.R(r)
			}
		}
	}
	if b.Term == CondJump {
		b.Cond = local(b.Cond)
	}
	for _, s := range b.Succs {
		for i := range s.Phis {
			for j, p := range s.Preds {
				o := s.Phis[i].In[j]
				if p != b || l.f.Classes[s.Phis[i].Out].Bank != Predicate {
					continue
				}
				switch {
				case o.IsConst():
					o = Imm(o.K.Cut(1), 32)
				case l.isMask(o) && o.Not:
					o = number(local(o))
				case l.isMask(o):
					o = l.f.R(l.bit[o.Reg])
				}
				s.Phis[i].In[j] = o
			}
		}
	}
	return failed
}
