package mach

import "slices"

// lowerPhis replaces phis by parallel copies at the ends of the predecessors.
// An edge from a branch to a block with several predecessors gets a block of
// its own, which stands behind the branch: there it is near what it copies.
func (f *Func) lowerPhis(m *Machine) {
	id := 0
	for _, b := range f.Blocks {
		id = max(id, b.ID+1)
	}
	edges := map[*Block][]*Block{}
	for _, b := range f.Blocks {
		if len(b.Phis) == 0 {
			continue
		}
		for i, p := range b.Preds {
			at := p
			if p.Term == CondJump {
				at = splitEdge(p, b, id)
				id++
				b.Preds[i] = at
				edges[p] = append(edges[p], at)
			}
			var cs []move
			for _, phi := range b.Phis {
				cs = append(cs, moves(m, f.R(phi.Out), phi.In[i], f.Classes[phi.Out])...)
			}
			at.Insts = append(at.Insts, f.sequence(m, cs)...)
		}
		b.Phis = nil
	}
	if len(edges) == 0 {
		return
	}
	layout := make([]*Block, 0, len(f.Blocks)+len(edges))
	for _, b := range f.Blocks {
		layout = append(append(layout, b), edges[b]...)
	}
	f.Blocks = layout
}

// splitEdge puts a block between two others.
func splitEdge(from, to *Block, id int) *Block {
	e := &Block{ID: id, Term: Jump, Succs: []*Block{to}, Preds: []*Block{from}}
	from.Succs[slices.Index(from.Succs, to)] = e
	return e
}
