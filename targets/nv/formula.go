package nv

import "sync"

// A formula computes a function of three bits, and so of three words, bit by
// bit, from two-operand operations whose second operand may be complemented: for
// machines without LOP3. Tables are those of LOP3: bit 4a + 2b + c.
type formula struct {
	cost int // operations; 0 for a, b, c and constants
	op   byte
	x, y uint8 // tables of the operands
}

// formulaTable has a shortest formula of each table, sharing not counted.
type formulaTable [256]formula

// The operations: and, or, xor, and-not, or-not, not.
const (
	leaf   = 0
	andOp  = '&'
	orOp   = '|'
	xorOp  = '^'
	andNot = 'a'
	orNot  = 'o'
	notOp  = '~'
)

// formulas finds the formulas in the order of their cost.
var formulas = sync.OnceValue(func() *formulaTable {
	var t formulaTable
	byCost := [][]uint8{{0, 0xff, lutA, lutB, lutC}}
	known := map[uint8]bool{}
	for _, x := range byCost[0] {
		known[x] = true
	}
	for cost := 1; len(known) < len(t); cost++ {
		var found []uint8
		add := func(table uint8, op byte, x, y uint8) {
			if !known[table] {
				known[table] = true
				t[table] = formula{cost, op, x, y}
				found = append(found, table)
			}
		}
		for cx := range byCost {
			for _, x := range byCost[cx] {
				if cx == cost-1 {
					add(^x, notOp, x, x)
				}
				cy := cost - 1 - cx
				if cy < 0 || cy >= len(byCost) {
					continue
				}
				for _, y := range byCost[cy] {
					add(x&y, andOp, x, y)
					add(x|y, orOp, x, y)
					add(x^y, xorOp, x, y)
					add(x&^y, andNot, x, y)
					add(x|^y, orNot, x, y)
				}
			}
		}
		byCost = append(byCost, found)
	}
	return &t
})

// expr builds the formula of a table with a machine's operations; equal parts
// are shared.
func (t *formulaTable) expr(table uint8, apply func(op byte, x, y expr) expr) expr {
	made := map[uint8]expr{0: zero, 0xff: minus, lutA: a, lutB: b, lutC: c}
	var build func(table uint8) expr
	build = func(table uint8) expr {
		if x, ok := made[table]; ok {
			return x
		}
		f := t[table]
		x := apply(f.op, build(f.x), build(f.y))
		made[table] = x
		return x
	}
	return build(table)
}

func fermiFormula(op byte, x, y expr) expr {
	switch op {
	case andOp:
		return F_AND.Of(x, y)
	case orOp:
		return F_OR.Of(x, y)
	case xorOp:
		return F_XOR.Of(x, y)
	case andNot:
		return F_ANDN.Of(x, y)
	case orNot:
		return F_ORN.Of(x, y)
	}
	return F_NOT.Of(x)
}
