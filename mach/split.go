package mach

// splitPairs makes two registers of each pair that no instruction reads or
// writes as a whole, so that its halves live as long as they are needed and no
// longer. It gives the halves; parameters and results stay named as pairs in
// Params and Ret.
func (f *Func) splitPairs(m *Machine, copies map[*Block][]move) map[Reg][2]Reg {
	whole := make([]bool, len(f.Classes))
	mark := func(o Operand) {
		if o.Bits > 0 && !o.IsConst() && o.Sub == Whole {
			whole[o.Reg] = true
		}
	}
	f.operands(copies, func(o *Operand) { mark(*o) })
	halves := map[Reg][2]Reg{}
	for r := range Reg(len(whole)) {
		if c := f.Classes[r]; m.Units(c) == 2 && !whole[r] {
			lo, hi := "", ""
			if n := f.Names[r]; n != "" {
				lo, hi = n+".lo", n+".hi"
			}
			halves[r] = [2]Reg{f.NewReg(c.half(), lo), f.NewReg(c.half(), hi)}
		}
	}
	f.operands(copies, func(o *Operand) {
		if o.Bits > 0 && !o.IsConst() && o.Sub != Whole {
			if h, ok := halves[o.Reg]; ok {
				o.Reg, o.Sub = h[o.Sub-Low], Whole
			}
		}
	})
	return halves
}

// operands calls g for each operand of an instruction, branch or copy; the
// function's results are not among them.
func (f *Func) operands(copies map[*Block][]move, g func(o *Operand)) {
	for _, b := range f.Blocks {
		for i := range copies[b] {
			g(&copies[b][i].d)
			g(&copies[b][i].s)
		}
		for i := range b.Insts {
			in := &b.Insts[i]
			for j := range in.Out {
				g(&in.Out[j])
			}
			for j := range in.In {
				g(&in.In[j])
			}
			if in.Guard != nil {
				g(in.Guard)
			}
		}
		g(&b.Cond)
	}
}
