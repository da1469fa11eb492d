package amd

import (
	"sync"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// lop3 is the cheapest tree of logic ops that has the form's truth table.
func lop3(f ptx.Form, _ ptx.Model) []expr {
	made := map[uint8]expr{0: k(0), 0xff: k(-1), 0xf0: a, 0xcc: b, 0xaa: c}
	var build func(t uint8) expr
	build = func(t uint8) expr {
		if x, ok := made[t]; ok {
			return x
		}
		s := logicTrees()[t]
		in := make([]expr, len(s.op.In))
		for i := range in {
			in[i] = build(s.in[i])
		}
		made[t] = s.op.Of(in...)
		return made[t]
	}
	return []expr{build(f.Lut)}
}

// logicTree is the op at the top of a truth table's tree, the tables of its
// operands, and the number of ops in the tree.
type logicTree struct {
	op   *mach.Op
	in   [3]uint8
	cost int
}

// logicTrees finds trees by increasing cost: for each cost, every op over
// operands whose costs add up to one less.
var logicTrees = sync.OnceValue(func() *[256]logicTree {
	trees := new([256]logicTree)
	byCost := [][]uint8{{0xf0, 0xcc, 0xaa, 0, 0xff}} // a, b, c and the constants
	found := 5
	seen := map[uint8]bool{}
	for _, t := range byCost[0] {
		seen[t] = true
	}
	for n := 1; found < 256; n++ {
		var level []uint8
		add := func(op *mach.Op, t uint8, in ...uint8) {
			if !seen[t] {
				seen[t] = true
				trees[t] = logicTree{op: op, cost: n}
				copy(trees[t].in[:], in)
				level = append(level, t)
			}
		}
		for _, x := range byCost[n-1] {
			add(v_not_b32, ^x, x)
		}
		for i := range n {
			for _, x := range byCost[i] {
				for _, y := range byCost[n-1-i] {
					add(v_and_b32, x&y, x, y)
					add(v_or_b32, x|y, x, y)
					add(v_xor_b32, x^y, x, y)
				}
			}
		}
		for i := range n {
			for j := range n - i {
				for _, x := range byCost[i] {
					for _, y := range byCost[j] {
						for _, z := range byCost[n-1-i-j] {
							add(v_bfi_b32, x&y|^x&z, x, y, z)
							add(v_and_or_b32, x&y|z, x, y, z)
							add(v_or3_b32, x|y|z, x, y, z)
						}
					}
				}
			}
		}
		byCost = append(byCost, level)
		found += len(level)
	}
	return trees
})
