package mach

import "slices"

// file is what is known of a bank's registers while values are placed; banks
// that share registers share that.
type file struct {
	has    []bool   // a value can start there
	span   int16    // registers that a unit takes
	pinned [][]span // when parameters and results need them
	taken  [][]span // when others do: apart, in order
}

// files are those of all banks.
func (m *Machine) files() (files [NumBanks]*file) {
	n := 0
	for b := range files {
		for _, p := range m.Banks[b].Order {
			n = max(n, int(p)+2)
		}
	}
	for b := range files {
		info := &m.Banks[b]
		f := &file{has: make([]bool, n), span: max(info.Span, 1)}
		for _, p := range info.Order {
			f.has[p] = true
		}
		files[b] = f
	}
	for b, f := range files {
		own := files[m.file(Bank(b))]
		if own.taken == nil {
			own.pinned, own.taken = make([][]span, n), make([][]span, n)
		}
		f.pinned, f.taken = own.pinned, own.taken
	}
	return files
}

// free reports whether register p can be had for a time.
func (f *file) free(p int16, t span) bool {
	if p < 0 || int(p) >= len(f.has) || !f.has[p] {
		return false
	}
	for q := p; q < p+f.span; q++ {
		if slices.ContainsFunc(f.pinned[q], t.meets) {
			return false
		}
		taken := f.taken[q]
		i := len(taken)
		for i > 0 && taken[i-1].start > t.end {
			i--
		}
		if i > 0 && taken[i-1].end >= t.start {
			return false
		}
	}
	return true
}

func (f *file) pin(p int16, t span) {
	for q := p; q < p+f.span; q++ {
		f.pinned[q] = append(f.pinned[q], t)
	}
}

func (f *file) take(p int16, t span) {
	for q := p; q < p+f.span; q++ {
		i := len(f.taken[q])
		for i > 0 && f.taken[q][i-1].start > t.start {
			i--
		}
		f.taken[q] = slices.Insert(f.taken[q], i, t)
	}
}

// scan assigns registers in the order in which they are needed first; those
// that are joined together.
func (a *allocation) scan() error {
	f := a.f
	f.Phys = make([]int16, len(f.Classes))
	for i := range f.Phys {
		f.Phys[i] = -1
	}
	for r := range a.halves { // parameters and results are named as pairs
		if p, ok := a.fixed[r]; ok {
			f.Phys[r] = p
		}
	}
	files := a.m.files()
	var order []*interval // the first of each group
	for _, iv := range a.ivs {
		if iv == nil {
			continue
		}
		if p, ok := a.fixed[iv.r]; ok {
			f.Phys[iv.r] = p
			bank := files[f.Classes[iv.r].Bank]
			for u := range a.units(iv.r) {
				bank.pin(p+u, iv.units[u])
			}
			continue
		}
		if a.groups[iv.r].first == iv.r {
			order = append(order, iv)
		}
	}
	start := func(iv *interval) int { return a.groups[iv.r].start }
	slices.SortStableFunc(order, func(x, y *interval) int { return start(x) - start(y) })
	for _, iv := range order {
		bank := files[f.Classes[iv.r].Bank]
		g := &a.groups[iv.r]
		p, ok := a.pick(g, bank)
		if !ok {
			return a.crowded(iv)
		}
		for _, m := range g.members {
			f.Phys[m.r] = p + m.at
		}
		for u, t := range g.times {
			if t != noTime {
				bank.take(p+int16(u), t)
			}
		}
	}
	return nil
}

// pick chooses the place of a group: where a hint points, else the first in the
// bank's order.
func (a *allocation) pick(g *group, bank *file) (int16, bool) {
	f := a.f
	var banned []int16
	for _, m := range g.members {
		for _, o := range a.ivs[m.r].behind {
			if !o.IsConst() && f.Classes[o.Reg].Bank == f.Classes[g.first].Bank && f.Phys[o.Reg] >= 0 {
				banned = append(banned, f.unit(o)+1)
			}
		}
	}
	ok := func(p int16) bool {
		if a.m.aligns(f.Classes[g.first].Bank) && g.aligned >= 0 && (p+g.aligned)&1 != 0 {
			return false
		}
		for u, t := range g.times {
			if t != noTime && !bank.free(p+int16(u), t) {
				return false
			}
		}
		for _, x := range banned {
			for _, m := range g.members {
				if len(a.ivs[m.r].behind) > 0 && p+m.at <= x && x < p+m.at+a.units(m.r) {
					return false
				}
			}
		}
		return true
	}
	for _, m := range g.members {
		at := func(p int16) bool { return ok(p - m.at) }
		if p, found := a.hinted(a.ivs[m.r], 3, at); found {
			return p - m.at, true
		}
	}
	order := a.m.Banks[f.Classes[g.first].Bank].Order
	if len(a.results) > few { // the places of results stay free for those
		for _, p := range order {
			if bank.later(p, g) && ok(p) {
				return p, true
			}
		}
	}
	for _, p := range order {
		if ok(p) {
			return p, true
		}
	}
	return 0, false
}

// few is up to how many results anything may lie where they are returned.
const few = 4

// later reports that nothing pinned needs the places of a group at p once the
// group has left them.
func (f *file) later(p int16, g *group) bool {
	for u, t := range g.times {
		if at := int(p) + u; at < len(f.pinned) && slices.ContainsFunc(f.pinned[at], func(s span) bool { return s.start > t.end }) {
			return false
		}
	}
	return true
}

// hinted follows the interval's hints, through up to depth registers that have
// no place yet, to one where ok holds.
func (a *allocation) hinted(iv *interval, depth int, ok func(int16) bool) (int16, bool) {
	for _, h := range iv.hints {
		shift := int16(0)
		if h.of.Sub == High {
			shift++
		}
		if h.own == High {
			shift--
		}
		if p := a.f.Phys[h.of.Reg]; p >= 0 {
			if p += shift; p >= 0 && ok(p) {
				return p, true
			}
		} else if next := a.ivs[h.of.Reg]; depth > 0 && next != nil {
			if p, found := a.hinted(next, depth-1, func(p int16) bool { return p+shift >= 0 && ok(p+shift) }); found {
				return p + shift, true
			}
		}
	}
	return 0, false
}
