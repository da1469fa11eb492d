package amd

import (
	"fmt"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
)

// How the lanes of a block come to it.
const (
	direct = iota // with EXEC as the block before leaves it
	alone         // from one block, which sets the mask
	all           // all that left an earlier block
	some          // those that jumped to it, from several blocks or turns of a loop
)

// arrival is how lanes come to a block: its mask is set up where from ends.
type arrival struct {
	how  int
	from *mach.Block
	mask int16
}

// steering writes the scalar code of a function.
type steering struct {
	*flow
	g        *flowGraph
	features ir.Features
	arrivals map[*mach.Block]*arrival
	spare    int16 // a mask for what is in between
}

// longBlock is how many instructions a block has that is worth jumping over.
const longBlock = 8

// newFlow leads lanes through a function with branches.
func newFlow(f *mach.Func, features ir.Features) (*flow, error) {
	f = copied(f)
	g, err := newFlowGraph(f)
	if err != nil {
		return nil, err
	}
	f.Blocks = g.blocks
	l := steering{
		flow: &flow{f: f, enter: map[*mach.Block][]scalar{}, leave: map[*mach.Block][]scalar{}, skip: map[*mach.Block]bool{},
			jumped: map[*mach.Block]bool{}, stops: map[*mach.Block]bool{}},
		g: g, features: features, arrivals: map[*mach.Block]*arrival{},
	}
	for i, b := range g.blocks {
		l.arrivals[b] = l.arrive(i, b)
	}
	if err := l.place(); err != nil {
		return nil, err
	}
	for i, b := range g.blocks {
		if a := l.arrivals[b]; a.how != direct {
			l.enter[b] = []scalar{l.op("s_mov", exec, a.mask, noMask)}
		}
		var next *mach.Block
		if i+1 < len(g.blocks) {
			next = g.blocks[i+1]
		}
		if l.jumps(b, next) {
			continue
		}
		l.branch(b)
		if b.Term == mach.Trap && next != nil && g.together[next] && g.gate[next] == nil {
			l.stops[b] = true
		}
		if next != nil {
			l.skip[b] = l.skippable(b, g.blocks[i+1])
		}
	}
	return l.flow, nil
}

func (l *steering) arrive(i int, b *mach.Block) *arrival {
	if gate := l.g.gate[b]; gate != nil {
		return &arrival{how: all, from: gate}
	}
	from, home := l.g.entries(b), l.g.home(b)
	if i == 0 || l.g.together[b] {
		return &arrival{how: direct}
	}
	one := len(from) == 1 && l.g.innermost(from[0]) == home
	if one && l.g.blocks[i-1] == from[0] {
		return &arrival{how: direct}
	}
	if one {
		return &arrival{how: alone, from: from[0]}
	}
	a := l.g.idom(b)
	for l.g.innermost(a) != home {
		a = l.g.idom(a)
	}
	if l.g.allCome(a, b) {
		return &arrival{how: all, from: a}
	}
	return &arrival{how: some, from: a}
}

// place gives the waiting masks SGPRs that the function has not otherwise.
func (l *steering) place() error {
	used := map[int16]bool{}
	step := int16(2)
	if l.features.Has(W32) {
		step = 1
	}
	for r, c := range l.f.Classes {
		if c == mask && r < len(l.f.Phys) {
			used[l.f.Phys[r]] = true
		}
	}
	words := l.words()
	clash := func(n int16, from, to int) bool { // a mask lives from the end of a block to the start of one
		for u := range step {
			if w, ok := words[n+u]; ok && w.from < to && w.to > from {
				return true
			}
		}
		return false
	}
	free := slices.DeleteFunc(masks(step)[1:], func(n int16) bool { return used[n] })
	tooMany := fmt.Errorf("%s has more branches around one another than there are SGPRs for the lanes that wait", l.f.Name)
	last := len(l.g.blocks) - 1
	spare := slices.IndexFunc(free, func(n int16) bool { return !clash(n, 0, last) })
	if spare < 0 {
		return tooMany
	}
	l.spare = free[spare]
	free = slices.Delete(free, spare, spare+1)
	until := make([]int, len(free))
	for i, from := range l.g.blocks {
		for j, b := range l.g.blocks {
			a := l.arrivals[b]
			if a.how == direct || a.from != from {
				continue
			}
			k := 0
			for k < len(free) && (until[k] > i || clash(free[k], i, j)) {
				k++
			}
			if k == len(free) {
				return tooMany
			}
			a.mask, until[k] = free[k], j
		}
	}
	return nil
}

// span is some blocks, by their indices.
type span struct{ from, to int }

// words are the blocks in which scalar registers may hold what is still needed:
// from the first that names one to the last, with the whole of a loop that one of
// them is in.
func (l *steering) words() map[int16]span {
	out := map[int16]span{}
	put := func(o mach.Operand, from, to int) {
		if o.IsConst() || o.Bits == 0 || l.f.Classes[o.Reg].Bank != mach.Scalar || l.f.Phys[o.Reg] < 0 {
			return
		}
		n, units := l.f.Phys[o.Reg], int16(1)
		if o.Sub == mach.High {
			n++
		} else if o.Bits > 32 {
			units = 2
		}
		for u := range units {
			if s, ok := out[n+u]; ok {
				from, to = min(from, s.from), max(to, s.to)
			}
			out[n+u] = span{from, to}
		}
	}
	whole := map[*loop]span{}
	for i, b := range l.g.blocks {
		for _, x := range l.g.loops {
			if s, ok := whole[x]; x.body[b] {
				if !ok {
					s.from = i
				}
				whole[x] = span{s.from, i}
			}
		}
	}
	for i, b := range l.g.blocks {
		from, to := i, i
		for x, s := range whole {
			if x.body[b] {
				from, to = min(from, s.from), max(to, s.to)
			}
		}
		for j := range b.Insts {
			for _, o := range b.Insts[j].In {
				put(o, from, to)
			}
			for _, o := range b.Insts[j].Out {
				put(o, from, to)
			}
		}
	}
	for _, at := range machineOf(l.features).ScalarParams { // those that are parameters have been there from the start
		if s, ok := out[at]; ok {
			out[at] = span{0, s.to}
		}
	}
	return out
}

// Operands of scalar code besides masks.
const (
	exec    int16 = -1
	noLanes int16 = -2
	noMask  int16 = -3
)

// name is that of a mask.
func laneMask(n int16, features ir.Features) string {
	wide := !features.Has(W32)
	switch {
	case n == exec && wide:
		return "exec"
	case n == exec:
		return "exec_lo"
	case n == noLanes:
		return "0"
	case n == vcc && wide:
		return "vcc"
	case n == vcc:
		return "vcc_lo"
	case wide:
		return fmt.Sprintf("s[%d:%d]", n, n+1)
	}
	return "s" + decimal(int(n))
}

// op is d = x op y on masks.
func (l *steering) op(name string, d, x, y int16) scalar {
	s := scalar{event: event{unit: salu, half: -1}}
	if l.features.Has(W32) {
		name += "_b32 "
	} else {
		name += "_b64 "
	}
	s.text = name + laneMask(d, l.features) + ", " + laneMask(x, l.features)
	if y != noMask {
		s.text += ", " + laneMask(y, l.features)
	}
	for _, n := range []int16{x, y} {
		if n >= 0 {
			s.reads |= maskBit(n)
		}
	}
	if d >= 0 {
		s.writes = maskBit(d)
	}
	return s
}

func (l *steering) andNot() string {
	if l.features.Has(NEW) {
		return "s_and_not1"
	}
	return "s_andn2"
}

// branch writes how lanes leave a block.
func (l *steering) branch(b *mach.Block) {
	var out []scalar
	add := func(name string, d, x, y int16) { out = append(out, l.op(name, d, x, y)) }
	saved := noMask
	for _, to := range l.g.blocks {
		if a := l.arrivals[to]; a.from == b && a.how == all {
			saved = a.mask
			add("s_mov", a.mask, exec, noMask)
		} else if a.from == b && a.how == some {
			add("s_mov", a.mask, noLanes, noMask)
		}
	}
	switch {
	case b.Term == mach.Jump && l.g.dominates(b.Succs[0], b):
		out = append(out, scalar{text: "s_cbranch_execnz " + label(l.f, b.Succs[0]), event: event{unit: salu, half: -1}})
	case b.Term == mach.Jump:
		switch a := l.arrivals[b.Succs[0]]; a.how {
		case alone:
			add("s_mov", a.mask, exec, noMask)
		case some:
			add("s_or", a.mask, a.mask, exec)
		}
	case b.Term == mach.CondJump:
		cond := noLanes
		if !b.Cond.IsConst() {
			cond = l.f.Phys[b.Cond.Reg]
		} else if b.Cond.K.Lo&1 == 1 {
			cond = exec
		}
		yes, no := l.arrivals[b.Succs[0]], l.arrivals[b.Succs[1]]
		if yes.how == direct && len(out) == 1 && saved >= 0 && no.how != some {
			out = nil
			add("s_and_saveexec", saved, cond, noMask)
			if no.how == alone {
				add(l.andNot(), no.mask, saved, exec)
			}
			break
		}
		last := -1
		for i, to := range b.Succs {
			op := []string{"s_and", l.andNot()}[i]
			switch a := l.arrivals[to]; a.how {
			case direct:
				last = i
			case alone:
				add(op, a.mask, exec, cond)
			case some:
				add(op, l.spare, exec, cond)
				add("s_or", a.mask, a.mask, l.spare)
			}
			if i == 1 && last >= 0 { // EXEC narrows when the others have read it
				add([]string{"s_and", l.andNot()}[last], exec, exec, cond)
			}
		}
	}
	l.leave[b] = out
}

// skippable reports a long block of which nothing is left to do if no lane comes.
func (l *steering) skippable(b, next *mach.Block) bool {
	return len(b.Insts) >= longBlock && len(l.leave[b]) == 0 && b.Term == mach.Jump &&
		l.arrivals[next].how != direct && len(b.Preds) == 1 && b.Preds[0].Term == mach.CondJump
}
