package mach

// group is registers that lie at fixed distances from each other, so that
// copies between them come to nothing: the high half of one pair may be the low
// half of another.
type group struct {
	first   Reg // the register that stands for it
	members []member
	start   int    // when it is needed first
	times   []span // when its places are needed
	aligned int16  // the place of a pair in it, −1 without
}

type member struct {
	r  Reg
	at int16
}

// unit is a register, or half of a pair.
type unit struct {
	r    Reg
	high bool
}

// joiner finds the groups.
type joiner struct {
	a    *allocation
	defs map[unit]int
	same map[unit]unit // of a copy: what it copies
}

// join makes a group of each register, and one of groups that copies link,
// where each place has one value at a time.
func (a *allocation) join() {
	f := a.f
	a.groups = make([]group, len(f.Classes))
	for r, iv := range a.ivs {
		if iv == nil {
			continue
		}
		g := group{first: Reg(r), members: []member{{r: Reg(r)}}, start: iv.all.start, times: iv.units[:1:1], aligned: -1}
		if a.units(Reg(r)) == 2 {
			g.times, g.aligned = iv.units[:2:2], 0
		}
		a.groups[r] = g
	}
	if a.alone {
		return
	}
	j := joiner{a, map[unit]int{}, map[unit]unit{}}
	j.count()
	for _, b := range f.Blocks {
		for i := range b.Insts {
			if in := &b.Insts[i]; in.Move && in.Guard == nil && !in.In[0].Not {
				j.link(in.Out[0], in.In[0])
			}
		}
	}
}

// count notes how often each part is written.
func (j *joiner) count() {
	f := j.a.f
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			for _, o := range in.Out {
				n := 1
				if in.Guard != nil {
					n = 2
				}
				if o.Sub != High {
					j.defs[unit{o.Reg, false}] += n
				}
				if o.Sub == High || o.Sub == Whole && j.a.units(o.Reg) == 2 {
					j.defs[unit{o.Reg, true}] += n
				}
			}
		}
	}
}

// link joins the groups of a copy if they can be: both sides are written once,
// so that they stay equal.
func (j *joiner) link(d, s Operand) {
	a := j.a
	x, y := unit{d.Reg, d.Sub == High}, unit{s.Reg, s.Sub == High}
	_, fixedX := a.fixed[d.Reg]
	_, fixedY := a.fixed[s.Reg]
	if fixedX || fixedY || j.defs[x] != 1 || j.defs[y] != 1 || a.f.Classes[d.Reg].Bank != a.f.Classes[s.Reg].Bank {
		return
	}
	g, h := &a.groups[a.groups[d.Reg].first], &a.groups[a.groups[s.Reg].first]
	if g == h {
		return
	}
	j.same[x] = y
	shift := spot(h, y) - spot(g, x) // of g's places among h's
	if !j.fits(g, h, shift) {
		delete(j.same, x)
		return
	}
	for _, m := range g.members {
		h.members = append(h.members, member{m.r, m.at + shift})
		a.groups[m.r].first = h.first
	}
	low := min(0, shift)
	for i := range h.members {
		h.members[i].at -= low
	}
	times := make([]span, max(int(shift)+len(g.times), len(h.times))-int(low))
	for i := range times {
		times[i] = noTime
	}
	put := func(ts []span, from int16) {
		for i, t := range ts {
			if t != noTime {
				times[i+int(from)].add(t.start)
				times[i+int(from)].add(t.end)
			}
		}
	}
	put(h.times, -low)
	put(g.times, shift-low)
	h.times, h.start = times, min(h.start, g.start)
	switch {
	case h.aligned >= 0:
		h.aligned -= low
	case g.aligned >= 0:
		h.aligned = g.aligned + shift - low
	}
}

// spot is where in its group a part lies.
func spot(g *group, x unit) int16 {
	for _, m := range g.members {
		if m.r == x.r {
			if x.high {
				return m.at + 1
			}
			return m.at
		}
	}
	panic("mach: no member of its group")
}

// widest is how many registers in a row are joined at most.
const widest = 4

// fits reports whether group g can lie shift places from where h begins.
func (j *joiner) fits(g, h *group, shift int16) bool {
	a := j.a
	if max(int(shift)+len(g.times), len(h.times))-int(min(0, shift)) > widest {
		return false
	}
	if a.m.aligns(a.f.Classes[g.first].Bank) && g.aligned >= 0 && h.aligned >= 0 && (g.aligned+shift-h.aligned)&1 != 0 {
		return false
	}
	// What must not lie behind an operand is placed when that operand has a place.
	late := g
	if h.start > g.start {
		late = h
	}
	for _, m := range late.members {
		if len(a.ivs[m.r].behind) > 0 {
			return false
		}
	}
	for _, m := range g.members {
		for u := range a.units(m.r) {
			for _, n := range h.members {
				for v := range a.units(n.r) {
					if m.at+u+shift == n.at+v && a.ivs[m.r].units[u].meets(a.ivs[n.r].units[v]) &&
						j.value(unit{m.r, u == 1}) != j.value(unit{n.r, v == 1}) {
						return false
					}
				}
			}
		}
	}
	return true
}

// value is the part that has a value first.
func (j *joiner) value(x unit) unit {
	for {
		y, ok := j.same[x]
		if !ok {
			return x
		}
		x = y
	}
}
