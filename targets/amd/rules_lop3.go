package amd

import (
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// lop3Rules covers lop3: one op that has any truth table, or the cheapest tree
// of the logic ops that a generation has.
var lop3Rules = table{
	g("lop3 by table", "lop3.b32 *", BITOP3, bitop3),
	trees("lop3 with xor3", THREE|XNOR|XOR3),
	trees("lop3 with xnor", THREE|XNOR),
	trees("lop3 of three", THREE),
	trees("lop3", 0),
}

// trees is the rule of targets with some features.
func trees(name string, f ir.Features) rule {
	grown := sync.OnceValue(func() *forest { return grow(f) })
	return g(name, "lop3.b32 *", f, func(f ptx.Form, _ ptx.Model) []expr { return grown().lop3(f) })
}

// v_bitop3_b32 has bit abc of its table for each bit position, as lop3 has.
var v_bitop3_b32 = literals(mach.Op{Name: "v_bitop3_b32", Syntax: "$d, $0, $1, $2 bitop3:$3", Out: []mach.Class{r32}, Needs: BITOP3,
	In: []mach.Kind{inline, inline, inline, {Class: mach.Class{Bank: mach.General, Bits: 8}, Imm: func(k sem.Val) bool { return !k.IsZero() }, ImmOnly: true}},
	Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		d := b.U(0, 32)
		for i := range 8 {
			m := b.Sext(b.Bit(in[3], i), 32)
			for j, x := range in[:3] {
				if i>>(2-j)&1 == 0 {
					x = b.Not(x)
				}
				m = b.And(m, x)
			}
			d = b.Or(d, m)
		}
		return one(d)
	}})

// bitop3 leaves to other ops what takes no more than one of them.
func bitop3(f ptx.Form, _ ptx.Model) []expr {
	if t := simple(); t[f.Lut].cost <= 1 {
		return t.lop3(f)
	}
	return []expr{v_bitop3_b32.Of(a, b, c, k(int64(f.Lut)))}
}

var simple = sync.OnceValue(func() *forest { return grow(0) })

// logicOps are the ops of trees, and what tables they make of their operands'.
var logicOps = []struct {
	op    *op
	needs ir.Features
	n     int
	table func(x, y, z uint8) uint8
}{
	{v_not_b32, 0, 1, func(x, _, _ uint8) uint8 { return ^x }},
	{v_and_b32, 0, 2, func(x, y, _ uint8) uint8 { return x & y }},
	{v_or_b32, 0, 2, func(x, y, _ uint8) uint8 { return x | y }},
	{v_xor_b32, 0, 2, func(x, y, _ uint8) uint8 { return x ^ y }},
	{v_xnor_b32, XNOR, 2, func(x, y, _ uint8) uint8 { return ^(x ^ y) }},
	{v_bfi_b32, 0, 3, func(x, y, z uint8) uint8 { return x&y | ^x&z }},
	{v_and_or_b32, THREE, 3, func(x, y, z uint8) uint8 { return x&y | z }},
	{v_or3_b32, THREE, 3, func(x, y, z uint8) uint8 { return x | y | z }},
	{v_xor3_b32, XOR3, 3, func(x, y, z uint8) uint8 { return x ^ y ^ z }},
}

// forest is for each truth table the cheapest tree that has it.
type forest [256]logicTree

// logicTree is the op at the top of a truth table's tree, the tables of its
// operands, and the number of ops in the tree.
type logicTree struct {
	op   *op
	in   [3]uint8
	n    int
	cost int
}

// lop3 is the tree of the form's table.
func (t *forest) lop3(f ptx.Form) []expr {
	made := map[uint8]expr{0: k(0), 0xff: k(-1), 0xf0: a, 0xcc: b, 0xaa: c}
	var build func(table uint8) expr
	build = func(table uint8) expr {
		if x, ok := made[table]; ok {
			return x
		}
		s := &t[table]
		in := make([]expr, s.n)
		for i := range in {
			in[i] = build(s.in[i])
		}
		made[table] = s.op.Of(in...)
		return made[table]
	}
	return []expr{build(f.Lut)}
}

// grow finds the trees that targets with some features have, by increasing
// cost: for each cost, every op over operands whose costs add up to one less.
func grow(f ir.Features) *forest {
	all := new(forest)
	byCost := [][]uint8{{0xf0, 0xcc, 0xaa, 0, 0xff}} // a, b, c and the constants
	var seen [256]bool
	for _, t := range byCost[0] {
		seen[t] = true
	}
	nothing := []uint8{0}
	for n, found := 1, 5; found < 256; n++ {
		var level []uint8
		for i := range logicOps {
			o := &logicOps[i]
			if !f.Has(o.needs) {
				continue
			}
			for x := range n {
				for y := range n - x {
					z := n - 1 - x - y
					xs, ys, zs := byCost[x], byCost[y], byCost[z]
					switch { // operands that there are not cost nothing
					case o.n < 3 && z > 0, o.n < 2 && y > 0:
						continue
					case o.n == 1:
						ys, zs = nothing, nothing
					case o.n == 2:
						zs = nothing
					}
					for _, x := range xs {
						for _, y := range ys {
							for _, z := range zs {
								if t := o.table(x, y, z); !seen[t] {
									seen[t] = true
									all[t] = logicTree{op: o.op, in: [3]uint8{x, y, z}, n: o.n, cost: n}
									level = append(level, t)
								}
							}
						}
					}
				}
			}
		}
		byCost = append(byCost, level)
		found += len(level)
	}
	return all
}
