package amd

import (
	"fmt"
	"slices"

	"github.com/ptxlower/ptxlower/mach"
)

// Branches on lane masks. Blocks stand one behind the other, each loop in one
// piece, and every one runs for the lanes that come to it, which EXEC says:
// a branch narrows EXEC, and lanes that go elsewhere than to the next block wait
// for theirs in a mask. A block that all active lanes of a block before it come
// to has their EXEC as its mask (the save and restore of structured code); for
// others the lanes are gathered as they jump. A loop goes on while EXEC has lanes.
//
// Nothing else jumps but past long blocks that have no lanes, so what is right for
// a lane alone is right for a wave: VALUs write the registers of active lanes
// only, and no mask but those kept here lives across blocks (mach.Machine.Masks).

// Where all lanes are together and a branch sends them all the same way, by SCC,
// they jump, and EXEC stays as it is (together.go).

// flow is the code that leads lanes through a function.
type flow struct {
	f            *mach.Func // with its blocks in order
	enter, leave map[*mach.Block][]scalar
	skip         map[*mach.Block]bool // blocks that are jumped over if no lane comes
	jumped       map[*mach.Block]bool // blocks that all lanes jump to
	stops        map[*mach.Block]bool // blocks behind which nothing comes
}

// scalar is a line of scalar code. It has a mask as its operand where at is.
type scalar struct {
	text string
	event
}

// flowGraph is what is known of the blocks, by their index in order.
type flowGraph struct {
	blocks []*mach.Block
	at     map[*mach.Block]int
	dom    [][]bool // dom[a][b]: a dominates b
	loops  []*loop  // the largest first
	in     []*loop  // the innermost of each block

	f               *mach.Func
	together, parts map[*mach.Block]bool        // see mach.Together
	gate            map[*mach.Block]*mach.Block // of a block where lanes come together: where they parted
}

type loop struct {
	head *mach.Block
	body map[*mach.Block]bool
}

// copied is the function with blocks of its own, those that are reached, in
// reverse postorder; several returns become one.
func copied(f *mach.Func) *mach.Func {
	g := *f
	g.Blocks = nil
	twin := map[*mach.Block]*mach.Block{}
	id := 0
	var visit func(b *mach.Block) *mach.Block
	visit = func(b *mach.Block) *mach.Block {
		if c := twin[b]; c != nil {
			return c
		}
		c := new(mach.Block)
		*c = *b
		c.Preds, c.Succs = nil, slices.Clone(b.Succs)
		c.Insts = slices.Clone(b.Insts)
		twin[b], id = c, max(id, b.ID+1)
		if b.Term == mach.CondJump && b.Succs[0] == b.Succs[1] {
			c.Term, c.Succs = mach.Jump, c.Succs[:1]
		}
		if c.Cond.Not && c.Term == mach.CondJump {
			c.Cond.Not = false
			c.Succs[0], c.Succs[1] = c.Succs[1], c.Succs[0]
		}
		for i := len(c.Succs) - 1; i >= 0; i-- { // the first branch comes first
			c.Succs[i] = visit(c.Succs[i])
		}
		g.Blocks = append(g.Blocks, c)
		return c
	}
	first := visit(f.Blocks[0])
	slices.Reverse(g.Blocks)
	var rets []*mach.Block
	entered := false
	for _, b := range g.Blocks {
		if b.Term == mach.Ret {
			rets = append(rets, b)
		}
		entered = entered || slices.Contains(b.Succs, first)
	}
	if len(rets) > 1 {
		exit := &mach.Block{ID: id, Term: mach.Ret, Ret: rets[0].Ret}
		id++
		for _, b := range rets {
			b.Term, b.Ret, b.Succs = mach.Jump, nil, []*mach.Block{exit}
		}
		g.Blocks = append(g.Blocks, exit)
	}
	if entered {
		g.Blocks = slices.Insert(g.Blocks, 0, &mach.Block{ID: id, Term: mach.Jump, Succs: []*mach.Block{first}})
	}
	return &g
}

// newFlowGraph analyses blocks, and gives each loop one block that ends with the
// jump back. The error is that of control flow that is irreducible.
func newFlowGraph(f *mach.Func) (*flowGraph, error) {
	blocks := f.Blocks
	g := &flowGraph{blocks: blocks, f: f}
	g.dominance()
	g.join()
	id := 0
	for _, b := range blocks {
		id = max(id, b.ID+1)
	}
	for _, h := range slices.Clone(blocks) {
		var latches []*mach.Block
		for _, p := range h.Preds {
			if g.dominates(h, p) {
				latches = append(latches, p)
			}
		}
		alone := len(latches) == 1 && latches[0].Term == mach.Jump
		if g.together[h] {
			alone = !slices.ContainsFunc(latches, func(p *mach.Block) bool { return !g.together[p] || g.parts[p] })
		}
		if len(latches) == 0 || alone {
			continue
		}
		back := &mach.Block{ID: id, Term: mach.Jump, Succs: []*mach.Block{h}}
		id++
		for _, p := range latches {
			p.Succs[slices.Index(p.Succs, h)] = back
		}
		g.blocks = append(g.blocks, back)
	}
	g.postorder()
	g.dominance()
	for _, b := range g.blocks {
		for _, s := range b.Succs {
			if g.at[s] <= g.at[b] && !g.dominates(s, b) {
				return nil, fmt.Errorf("the control flow of %s is irreducible: a loop is entered in several places", f.Name)
			}
		}
	}
	g.findLoops()
	return g, g.gather(id)
}

func (g *flowGraph) postorder() {
	seen := map[*mach.Block]bool{}
	var order []*mach.Block
	var visit func(b *mach.Block)
	visit = func(b *mach.Block) {
		seen[b] = true
		for i := len(b.Succs) - 1; i >= 0; i-- {
			if !seen[b.Succs[i]] {
				visit(b.Succs[i])
			}
		}
		order = append(order, b)
	}
	visit(g.blocks[0])
	slices.Reverse(order)
	g.blocks = order
}

// dominance is that a block is not reached without another.
func (g *flowGraph) dominance() {
	g.number()
	for _, b := range g.blocks {
		b.Preds = nil
	}
	for _, b := range g.blocks {
		for _, s := range b.Succs {
			s.Preds = append(s.Preds, b)
		}
	}
	g.dom = make([][]bool, len(g.blocks))
	for i, a := range g.blocks {
		reached := g.reach(g.blocks[0], a)
		g.dom[i] = make([]bool, len(g.blocks))
		for j, b := range g.blocks {
			g.dom[i][j] = i == 0 || !reached[b]
		}
	}
}

func (g *flowGraph) number() {
	g.at = map[*mach.Block]int{}
	for i, b := range g.blocks {
		g.at[b] = i
	}
}

// reach are the blocks on paths from one on that do not come to another.
func (g *flowGraph) reach(from, without *mach.Block) map[*mach.Block]bool {
	seen := map[*mach.Block]bool{}
	work := []*mach.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == without || seen[b] {
			continue
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return seen
}

func (g *flowGraph) dominates(a, b *mach.Block) bool { return g.dom[g.at[a]][g.at[b]] }

// idom is the nearest of the other blocks that dominate one.
func (g *flowGraph) idom(b *mach.Block) *mach.Block {
	var best *mach.Block
	for _, a := range g.blocks {
		if a != b && g.dominates(a, b) && (best == nil || g.dominates(best, a)) {
			best = a
		}
	}
	return best
}

// findLoops finds the loops and puts their blocks together.
func (g *flowGraph) findLoops() {
	for _, h := range g.blocks {
		l := &loop{h, map[*mach.Block]bool{h: true}}
		var work []*mach.Block
		for _, p := range h.Preds {
			if g.dominates(h, p) {
				work = append(work, p)
			}
		}
		if work == nil {
			continue
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !l.body[b] {
				l.body[b] = true
				work = append(work, b.Preds...)
			}
		}
		g.loops = append(g.loops, l)
	}
	slices.SortStableFunc(g.loops, func(a, b *loop) int { return len(b.body) - len(a.body) })
	order := g.blocks
	for _, l := range g.loops {
		var before, inside, after []*mach.Block
		for _, b := range order {
			switch {
			case l.body[b]:
				inside = append(inside, b)
			case inside == nil:
				before = append(before, b)
			default:
				after = append(after, b)
			}
		}
		order = slices.Concat(before, inside, after)
	}
	g.blocks = order
	g.place()
}

// place finds out which loops blocks are in, when they are in order.
func (g *flowGraph) place() {
	g.dominance()
	g.in = make([]*loop, len(g.blocks))
	for _, l := range g.loops {
		for b := range l.body {
			g.in[g.at[b]] = l
		}
	}
}

func (g *flowGraph) innermost(b *mach.Block) *loop { return g.in[g.at[b]] }

// home is the loop in which a block is entered: of a loop's head the one around.
func (g *flowGraph) home(b *mach.Block) *loop {
	var home *loop
	for _, l := range g.loops {
		if l.body[b] && l.head != b {
			home = l
		}
	}
	return home
}

// entries are the blocks from which one is entered, not around a loop.
func (g *flowGraph) entries(b *mach.Block) []*mach.Block {
	return slices.DeleteFunc(slices.Clone(b.Preds), func(p *mach.Block) bool { return g.dominates(b, p) })
}

// allCome reports whether all lanes that leave a come to b, in this turn of the
// loop that both are in.
func (g *flowGraph) allCome(a, b *mach.Block) bool {
	l := g.home(b)
	for _, s := range a.Succs {
		for x := range g.reach(s, b) {
			if x.Term == mach.Ret || l != nil && (x == l.head || !l.body[x]) {
				return false
			}
		}
	}
	return true
}
