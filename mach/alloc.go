package mach

import (
	"fmt"
	"slices"
)

// Allocate gives every virtual register a physical one: phis become copies,
// halves are coalesced into the pairs that they build, and a linear scan over
// live intervals assigns registers, parameters and results at their ABI places.
// Predicates that find no place are kept in general registers. The error says
// which bank ran out; the function is not usable then.
func (f *Func) Allocate(m *Machine) error {
	if m.SSA {
		return nil
	}
	if err := f.localMasks(m); err != nil {
		return err
	}
	if err := f.BranchFlags(m); err != nil {
		return err
	}
	f.lowerPhis(m)
	f.coalesceHalves(m)
	a := allocation{f: f, m: m}
	a.results, a.copies = f.placeResults(m)
	a.halves = f.splitPairs(m, a.copies)
	return a.run()
}

// move is a copy of one register unit.
type move struct {
	d, s Operand
	c    Class
}

func moves(m *Machine, d, s Operand, c Class) []move {
	var out []move
	for _, in := range m.MoveInsts(d, s, c, -1) {
		out = append(out, move{in.Out[0], in.In[0], unitClass(m, c)})
	}
	return out
}

func unitClass(m *Machine, c Class) Class {
	if m.Units(c) == 2 {
		return c.half()
	}
	return c
}

func sameUnit(a, b Operand) bool { return a.Reg == b.Reg && a.Sub == b.Sub && !a.IsConst() }

// nothing reports a copy of a unit to itself.
func nothing(d, s Operand) bool { return sameUnit(d, s) && !s.Not }

// sequence orders parallel copies so that no source is overwritten before it
// is read; cycles go through a new register.
func (f *Func) sequence(m *Machine, cs []move) []Inst {
	var out []Inst
	cs = slices.DeleteFunc(cs, func(c move) bool { return nothing(c.d, c.s) })
	for len(cs) > 0 {
		i := slices.IndexFunc(cs, func(c move) bool {
			return !slices.ContainsFunc(cs, func(o move) bool { return sameUnit(o.s, c.d) && !sameUnit(o.d, c.d) })
		})
		if i < 0 { // every destination is still read: save one
			t := f.R(f.NewReg(cs[0].c, ""))
			saved := cs[0].d
			out = append(out, m.MoveInsts(t, saved, cs[0].c, -1)...)
			for j := range cs {
				if s := &cs[j].s; sameUnit(*s, saved) {
					s.Reg, s.Sub = t.Reg, t.Sub
				}
			}
			continue
		}
		out = append(out, m.MoveInsts(cs[i].d, cs[i].s, cs[i].c, -1)...)
		cs = slices.Delete(cs, i, i+1)
	}
	return out
}

// coalesceHalves writes a register straight into the half of the pair that it
// is copied to, where both have one definition.
func (f *Func) coalesceHalves(m *Machine) {
	type unit struct {
		r Reg
		s Sub
	}
	defs := map[unit]int{}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			for _, o := range b.Insts[i].Out {
				defs[unit{o.Reg, o.Sub}]++
				if o.Sub == Whole {
					defs[unit{o.Reg, Low}]++
					defs[unit{o.Reg, High}]++
				}
			}
		}
	}
	for _, p := range f.Params {
		defs[unit{p, Whole}] += 2
	}
	to := map[Reg]Operand{}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			if !in.Move || in.Guard != nil {
				continue
			}
			d, s := in.Out[0], in.In[0]
			if f.Classes[d.Reg].Bank != f.Classes[s.Reg].Bank {
				continue
			}
			if d.Sub == Whole || s.Sub != Whole || s.Not || defs[unit{d.Reg, d.Sub}] != 1 || defs[unit{s.Reg, Whole}] != 1 {
				continue
			}
			if _, done := to[s.Reg]; !done {
				to[s.Reg] = Operand{Reg: d.Reg, Sub: d.Sub, Bits: d.Bits}
			}
		}
	}
	if len(to) == 0 {
		return
	}
	put := func(o *Operand) {
		if o.IsConst() || o.Bits == 0 {
			return
		}
		if n, ok := to[o.Reg]; ok && o.Sub == Whole {
			n.Not = o.Not
			*o = n
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			for j := range in.Out {
				put(&in.Out[j])
			}
			for j := range in.In {
				put(&in.In[j])
			}
			if in.Guard != nil {
				put(in.Guard)
			}
		}
		put(&b.Cond)
		for j := range b.Ret {
			put(&b.Ret[j])
		}
		b.Insts = slices.DeleteFunc(b.Insts, func(in Inst) bool { return in.Move && nothing(in.Out[0], in.In[0]) })
	}
}

// placeResults makes a register for each result, which must lie where results
// are returned, and gives the places and the copies into them: those of a block
// happen at once, as it returns.
func (f *Func) placeResults(m *Machine) (map[Reg]int16, map[*Block][]move) {
	fixed, copies := map[Reg]int16{}, map[*Block][]move{}
	for _, b := range f.Blocks {
		if b.Term != Ret {
			continue
		}
		var cs []Class
		var which []int
		for i, o := range b.Ret {
			if !o.IsConst() && f.Classes[o.Reg].Bank != General && !f.IsScalar(o) {
				continue // a predicate stays where it is
			}
			cs = append(cs, Class{General, max(o.Bits, m.Banks[General].Unit)})
			which = append(which, i)
		}
		for j, at := range m.Layout(cs) {
			r := f.NewReg(cs[j], "")
			fixed[r] = at
			copies[b] = append(copies[b], moves(m, f.R(r), b.Ret[which[j]], cs[j])...)
			b.Ret[which[j]] = f.R(r)
		}
	}
	return fixed, copies
}

// span is a time: instruction i reads at 2i, writes at 2i+1.
type span struct{ start, end int }

func (s span) meets(t span) bool { return s.start <= t.end && t.start <= s.end }

var noTime = span{start: 1 << 62, end: -1 << 62}

func (s *span) add(at int) { s.start, s.end = min(s.start, at), max(s.end, at) }

// interval is when a register is needed, and its units apart.
type interval struct {
	r      Reg
	all    span
	units  [2]span
	hints  []hint
	behind []Operand // it must not lie right behind these
}

// hint: register r (a part of it) should lie where part sub of reg lies.
type hint struct {
	own Sub
	of  Operand
}

type allocation struct {
	f       *Func
	m       *Machine
	results map[Reg]int16
	copies  map[*Block][]move // into the results
	apart   map[Reg]bool      // pairs whose halves are built one after the other
	halves  map[Reg][2]Reg    // of pairs that were split
	ivs     []*interval       // by register
	fixed   map[Reg]int16
	short   map[Reg]bool // predicates that spilling made
	groups  []group      // by register
	alone   bool         // registers are not joined
}

// parts are the registers that stand for one: its halves, or itself.
func (a *allocation) parts(r Reg) []Reg {
	if h, ok := a.halves[r]; ok {
		return h[:]
	}
	return []Reg{r}
}

// fix places a register and what it was split into.
func (a *allocation) fix(r Reg, at int16) {
	a.fixed[r] = at
	if h, ok := a.halves[r]; ok {
		a.fixed[h[0]], a.fixed[h[1]] = at, a.m.Upper(a.f.Classes[r], at)
	}
}

func (a *allocation) run() error {
	f, m := a.f, a.m
	a.fixed = map[Reg]int16{}
	for r, p := range a.results {
		if !m.has(f.Classes[r], p) {
			return f.full(General)
		}
		a.fix(r, p)
	}
	classes := make([]Class, len(f.Params))
	for i, p := range f.Params {
		classes[i] = f.Classes[p]
	}
	for i, at := range m.Layout(classes) {
		if !m.has(classes[i], at) {
			return f.full(classes[i].Bank)
		}
		a.fix(f.Params[i], at)
	}
	a.short = map[Reg]bool{}
	a.build()
	for {
		err := a.scan()
		switch s, ok := err.(spill); {
		case ok:
			err = a.spill(s.r)
		case err != nil && !a.alone: // joined registers may be too many in a row
			a.alone, err = true, nil
		case err == nil && !a.crossed():
			a.finish()
			return f.flagsHold(m)
		}
		if err != nil {
			return err
		}
		a.build()
	}
}

// full is the error of a bank that has too few registers.
func (f *Func) full(b Bank) error {
	return fmt.Errorf("%s needs more %s registers than there are", f.Name, b)
}

func (a *allocation) units(r Reg) int16 { return a.m.Units(a.f.Classes[r]) }

// build computes the live intervals over the layout order of the blocks.
func (a *allocation) build() {
	f := a.f
	n := len(f.Classes)
	a.ivs = make([]*interval, n)
	live := f.liveness(a.copies)
	pos := 0
	touch := func(o Operand, at int) *interval {
		iv := a.ivs[o.Reg]
		if iv == nil {
			iv = &interval{r: o.Reg, all: noTime, units: [2]span{noTime, noTime}}
			a.ivs[o.Reg] = iv
		}
		iv.all.add(at)
		if o.Sub != High {
			iv.units[0].add(at)
		}
		if o.Sub != Low {
			iv.units[1].add(at)
		}
		return iv
	}
	link := func(d, s Operand) {
		if f.Classes[d.Reg].Bank != f.Classes[s.Reg].Bank {
			return
		}
		a.ivs[d.Reg].hints = append(a.ivs[d.Reg].hints, hint{d.Sub, s})
		a.ivs[s.Reg].hints = append(a.ivs[s.Reg].hints, hint{s.Sub, d})
	}
	for _, p := range f.Params {
		for _, part := range a.parts(p) {
			if a.used(part) {
				touch(f.R(part), -1)
			}
		}
	}
	from, to := make([]int, len(f.Blocks)), make([]int, len(f.Blocks))
	for bi, b := range f.Blocks {
		first := 2 * pos
		from[bi] = first - 1
		live.in[bi].each(func(r int) { touch(f.R(Reg(r)), first-1) })
		for i := range b.Insts {
			in := &b.Insts[i]
			if a.together(b.Insts, i) {
				pos--
			}
			in.reads(func(o Operand) { touch(o, 2*pos) })
			for _, o := range in.Out {
				if in.Guard != nil || in.Op.EarlyClobber {
					touch(o, 2*pos)
				}
				iv := touch(o, 2*pos+1)
				if in.Op.EarlyClobber {
					iv.behind = append(iv.behind, in.In...)
				}
			}
			if in.Move {
				link(in.Out[0], in.In[0])
			}
			pos++
		}
		if b.Cond.Bits > 0 && !b.Cond.IsConst() {
			touch(b.Cond, 2*pos)
		}
		for _, c := range a.copies[b] {
			if !c.s.IsConst() {
				touch(c.s, 2*pos)
			}
		}
		for _, c := range a.copies[b] {
			touch(c.d, 2*pos+1)
			if !c.s.IsConst() {
				link(c.d, c.s)
			}
		}
		for _, o := range b.Ret {
			if !o.IsConst() && a.f.Classes[o.Reg].Bank != General {
				touch(o, 2*pos)
			}
		}
		pos++
		to[bi] = 2*pos - 1
		live.out[bi].each(func(r int) { touch(f.R(Reg(r)), 2*pos-1) })
	}
	f.keepApart(a.m, live, from, to, func(r Reg, at int) { touch(f.R(r), at) })
	a.join()
}

func (a *allocation) used(p Reg) bool {
	for _, b := range a.f.Blocks {
		for i := range b.Insts {
			hit := false
			b.Insts[i].reads(func(o Operand) { hit = hit || o.Reg == p })
			if hit {
				return true
			}
		}
		if b.Cond.Bits > 0 && b.Cond.Reg == p {
			return true
		}
		for _, c := range a.copies[b] {
			if !c.s.IsConst() && c.s.Reg == p {
				return true
			}
		}
	}
	return false
}

// together reports whether instruction i is the second of two moves that build
// a pair. They count as one step, so that a pair can be built where its halves
// are.
func (a *allocation) together(insts []Inst, i int) bool {
	if i == 0 || !insts[i].Move || !insts[i-1].Move || insts[i].Guard != nil || insts[i-1].Guard != nil {
		return false
	}
	lo, hi := insts[i-1].Out[0], insts[i].Out[0]
	return lo.Reg == hi.Reg && lo.Sub == Low && hi.Sub == High && !a.apart[lo.Reg] && !sameUnit(insts[i].In[0], lo)
}

// crossed puts moves that build a pair into the order in which neither destroys
// what the other reads. It reports whether some cannot be: their halves would
// have to change places. These are built one after the other in a second try.
func (a *allocation) crossed() bool {
	f, again := a.f, false
	for _, b := range f.Blocks {
		for i := range b.Insts {
			if !a.together(b.Insts, i) {
				continue
			}
			lo, hi := &b.Insts[i-1], &b.Insts[i]
			loHurts := f.unit(lo.Out[0]) == f.unit(hi.In[0]) && f.Classes[lo.Out[0].Reg].Bank == f.Classes[hi.In[0].Reg].Bank
			hiHurts := f.unit(hi.Out[0]) == f.unit(lo.In[0]) && f.Classes[hi.Out[0].Reg].Bank == f.Classes[lo.In[0].Reg].Bank
			switch {
			case loHurts && hiHurts:
				if a.apart == nil {
					a.apart = map[Reg]bool{}
				}
				a.apart[lo.Out[0].Reg] = true
				again = true
			case loHurts:
				*lo, *hi = *hi, *lo
			}
		}
	}
	return again
}

// finish puts the copies of results into an order in which they can happen one
// after the other, and drops the moves that came to nothing.
func (a *allocation) finish() {
	f := a.f
	for _, b := range f.Blocks {
		b.Insts = append(b.Insts, a.order(a.copies[b])...)
		b.Insts = slices.DeleteFunc(b.Insts, func(in Inst) bool {
			return in.Move && in.Guard == nil && !in.In[0].Not && f.unit(in.Out[0]) == f.unit(in.In[0]) &&
				f.Classes[in.Out[0].Reg].Bank == f.Classes[in.In[0].Reg].Bank
		})
	}
}

// order is sequence for physical registers. All else is dead as the function
// returns, so that any register that no copy names breaks a cycle.
func (a *allocation) order(cs []move) []Inst {
	f, m := a.f, a.m
	at := func(o Operand) int16 {
		if o.IsConst() || f.Classes[o.Reg].Bank != General {
			return -1
		}
		return f.unit(o)
	}
	all := cs
	cs = slices.DeleteFunc(slices.Clone(cs), func(c move) bool { return at(c.d) == at(c.s) && !c.s.Not })
	var out []Inst
	for len(cs) > 0 {
		i := slices.IndexFunc(cs, func(c move) bool {
			return !slices.ContainsFunc(cs, func(o move) bool { return at(o.s) == at(c.d) && at(o.d) != at(c.d) })
		})
		if i < 0 {
			free := slices.IndexFunc(m.Banks[General].Order, func(p int16) bool {
				return !slices.ContainsFunc(all, func(c move) bool { return at(c.d) == p || at(c.s) == p })
			})
			saved := cs[0].d
			from := at(saved)
			t := f.R(f.NewReg(cs[0].c, ""))
			f.Phys = append(f.Phys, m.Banks[General].Order[free])
			out = append(out, m.MoveInsts(t, saved, cs[0].c, -1)...)
			for j := range cs {
				if at(cs[j].s) == from {
					t.Not = cs[j].s.Not
					cs[j].s = t
				}
			}
			continue
		}
		out = append(out, m.MoveInsts(cs[i].d, cs[i].s, cs[i].c, -1)...)
		cs = slices.Delete(cs, i, i+1)
	}
	return out
}

// unit is the physical register of an operand's first unit.
func (f *Func) unit(o Operand) int16 {
	p := f.Phys[o.Reg]
	if o.Sub == High {
		p++
	}
	return p
}
