package mach

import "slices"

// Together tells for each block of a flow graph whether all lanes of a wave are
// in it together, each time that one is. Block 0 is the entry, succs are the
// successors; uniform reports a branch that sends all lanes the same way if they
// are together as they come to it.
//
// A branch that parts the lanes has them apart in all blocks from which they may
// come before they are together again, in the nearest block that all of them come
// to (its immediate postdominator). Lanes that are apart leave one block and come
// together in one other, with the branches between them for no one else: graphs
// of which that is not so, and those with blocks that never return, have no block
// with the lanes together. parts has the blocks that end with a branch which may
// part lanes; the others' lanes go the same way.
func Together(succs [][]int, uniform func(i int) bool) (together, parts []bool) {
	n := len(succs)
	none, all := make([]bool, n), make([]bool, n)
	for i := range all {
		all[i] = true
	}
	after := postdominators(succs)
	if after == nil {
		return none, all
	}
	parts = make([]bool, n)
	for i := range succs {
		parts[i] = len(succs[i]) > 1 && !uniform(i)
	}
	var apart []bool
	for again := true; again; {
		apart = make([]bool, n)
		for i := range succs {
			if parts[i] {
				between(succs, i, after[i], apart)
			}
		}
		again = false
		for i := range succs {
			if len(succs[i]) > 1 && !parts[i] && (apart[i] || slices.ContainsFunc(succs[i], func(s int) bool { return apart[s] })) {
				parts[i], again = true, true
			}
		}
	}
	if apart[0] {
		return none, all
	}
	group := groups(succs, apart)
	gate, exit := make([]int, n), make([]int, n) // of each group, plus 1
	for i := range succs {
		for _, s := range succs[i] {
			var at *int
			var is int
			switch {
			case apart[s] && !apart[i]:
				at, is = &gate[group[s]], i+1
			case apart[i] && !apart[s]:
				at, is = &exit[group[i]], s+1
			default:
				continue
			}
			if *at != 0 && *at != is {
				return none, all
			}
			*at = is
		}
	}
	together = make([]bool, n)
	for i := range together {
		together[i] = !apart[i]
	}
	return together, parts
}

// between marks the blocks that come behind block i before block end.
func between(succs [][]int, i, end int, marked []bool) {
	seen := make([]bool, len(succs))
	work := slices.Clone(succs[i])
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == end || seen[b] {
			continue
		}
		seen[b], marked[b] = true, true
		work = append(work, succs[b]...)
	}
}

// groups numbers the blocks that are in a set so that those that hang together
// have one number, that of one of them.
func groups(succs [][]int, in []bool) []int {
	g := make([]int, len(succs))
	for i := range g {
		g[i] = i
	}
	for again := true; again; {
		again = false
		for i := range succs {
			for _, s := range succs[i] {
				if in[i] && in[s] && g[i] != g[s] {
					g[i], g[s], again = min(g[i], g[s]), min(g[i], g[s]), true
				}
			}
		}
	}
	return g
}

// postdominators gives for each block the nearest other one that lies on all ways
// from it to the end, −1 where that is none. It is nil if some block has no way
// to the end.
func postdominators(succs [][]int) []int {
	n := len(succs)
	words := (n + 63) / 64
	on := make([]bits, n) // on all ways to the end
	ends := make([]bool, n)
	for i := range succs {
		on[i] = make(bits, words)
		ends[i] = len(succs[i]) == 0
		for j := range n {
			if !ends[i] || j == i {
				on[i].set(j)
			}
		}
	}
	for again := true; again; {
		again = false
		for i := range succs {
			for _, s := range succs[i] {
				if ends[s] && !ends[i] {
					ends[i], again = true, true
				}
				for w := range words {
					x := on[i][w] & on[s][w]
					if i>>6 == w {
						x |= 1 << (i & 63)
					}
					if x != on[i][w] {
						on[i][w], again = x, true
					}
				}
			}
		}
	}
	if slices.Contains(ends, false) {
		return nil
	}
	size := func(i int) (n int) { on[i].each(func(int) { n++ }); return n }
	out := make([]int, n)
	for i := range out {
		out[i] = -1
		on[i].each(func(j int) {
			if j != i && (out[i] < 0 || size(j) > size(out[i])) {
				out[i] = j
			}
		})
	}
	return out
}
