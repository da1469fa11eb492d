package amd

import (
	"fmt"
	"slices"

	"github.com/ptxlower/ptxlower/mach"
)

// Branches of all lanes at once. Blocks that all come to together are as a
// compiler for one lane would have them: they jump. Those in which lanes are
// apart, led by EXEC, stand behind the block that they left together, and behind
// them a block in which they are together again.

// bySCC reports a block that branches by SCC.
func (g *flowGraph) bySCC(b *mach.Block) bool {
	return b.Term == mach.CondJump && !b.Cond.IsConst() && g.f.Classes[b.Cond.Reg] == scc
}

// join finds where lanes are together; nowhere, where no branch is by SCC.
func (g *flowGraph) join() {
	g.together, g.parts = map[*mach.Block]bool{}, map[*mach.Block]bool{}
	if !slices.ContainsFunc(g.blocks, g.bySCC) {
		return
	}
	succs := make([][]int, len(g.blocks))
	for i, b := range g.blocks {
		for _, s := range b.Succs {
			succs[i] = append(succs[i], g.at[s])
		}
	}
	together, parts := mach.Together(succs, func(i int) bool { return g.bySCC(g.blocks[i]) })
	for i, b := range g.blocks {
		g.together[b], g.parts[b] = together[i], parts[i]
	}
}

// gather puts the blocks of lanes that are apart behind where they part, and
// behind them one where they come together, numbered from id on.
func (g *flowGraph) gather(id int) error {
	g.join()
	g.gate = map[*mach.Block]*mach.Block{}
	if !slices.ContainsFunc(g.blocks, g.bySCC) {
		return nil
	}
	var order []*mach.Block
	placed := 0
	for _, b := range g.blocks {
		if g.bySCC(b) && (!g.together[b] || g.parts[b]) {
			return fmt.Errorf("the lanes of %s are not together where they branch as one", g.f.Name)
		}
		if !g.together[b] {
			continue
		}
		order = append(order, b)
		apart, exit := g.apart(b)
		placed += 1 + len(apart)
		order = append(order, apart...)
		if exit == nil {
			continue
		}
		end := &mach.Block{ID: id, Term: mach.Jump, Succs: []*mach.Block{exit}}
		id++
		for _, x := range append(apart, b) {
			for i, s := range x.Succs {
				if s == exit {
					x.Succs[i] = end
				}
			}
		}
		order = append(order, end)
		g.together[end], g.gate[end] = true, b
	}
	if placed != len(g.blocks) {
		return fmt.Errorf("the lanes of %s come together in several places", g.f.Name)
	}
	g.blocks = order
	for i, l := range g.loops { // which have the new blocks, too
		for end := range g.gate {
			if l.body[g.gate[end]] && l.body[end.Succs[0]] {
				g.loops[i].body[end] = true
			}
		}
	}
	g.place()
	return nil
}

// apart are the blocks, in order, in which the lanes that leave a block together
// are apart, and the one where they are together again, nil if that is none.
func (g *flowGraph) apart(b *mach.Block) (blocks []*mach.Block, exit *mach.Block) {
	inside := map[*mach.Block]bool{}
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case !g.together[x] && !inside[x]:
			inside[x] = true
			work = append(work, x.Succs...)
		case g.together[x] && (g.parts[b] || len(inside) > 0):
			exit = x
		}
	}
	for _, x := range g.blocks {
		if inside[x] {
			blocks = append(blocks, x)
		}
	}
	return blocks, exit
}

// jumps writes how lanes leave a block together, which next follows. ok is false
// for a block of which that is not so.
func (l *steering) jumps(b, next *mach.Block) bool {
	if !l.g.together[b] || l.g.parts[b] || slices.ContainsFunc(b.Succs, func(s *mach.Block) bool { return !l.g.together[s] }) {
		return false
	}
	to := func(name string, s *mach.Block) {
		l.jumped[s] = true
		l.leave[b] = append(l.leave[b], scalar{text: name + " " + label(l.f, s), event: event{unit: salu, half: -1}})
	}
	switch b.Term {
	case mach.Jump:
		if b.Succs[0] != next {
			to("s_branch", b.Succs[0])
		}
	case mach.CondJump:
		yes, no := b.Succs[0], b.Succs[1]
		if yes == next {
			to("s_cbranch_scc0", no)
			break
		}
		to("s_cbranch_scc1", yes)
		if no != next {
			to("s_branch", no)
		}
	case mach.Trap:
		l.stops[b] = true
	}
	return true
}
