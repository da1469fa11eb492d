package ptxlower

import (
	"fmt"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// Cost is what a sequence of native instructions costs.
type Cost struct {
	Count   int  `json:"count"`             // ops, constants made in registers included, moves not
	Moves   int  `json:"moves"`             // register to register
	Mul     int  `json:"mul"`               // ops on the multiplier
	Slots   int  `json:"slots"`             // issue slots, those of moves included
	Latency *int `json:"latency,omitempty"` // cycles of the longest chain; absent where an op's is unknown
	Regs    int  `json:"regs"`              // 32-bit registers that the sequence touches; 0 for LLVM IR
}

// costOf is the cost of a function of one block on a target.
func costOf(f *mach.Func, t *isel.Target) Cost {
	var c Cost
	c.Count, c.Moves = f.Count()
	insts := f.Blocks[0].Insts
	for i := range insts {
		op := insts[i].Op
		if op.Mul {
			c.Mul++
		}
		c.Slots += t.CostOf(op).Slots
	}
	if !t.Machine.SSA {
		c.Regs = f.Registers(t.Machine)
	}
	if l, ok := criticalPath(insts, t); ok {
		c.Latency = &l
	}
	return c
}

// String is the cost in words.
func (c Cost) String() string {
	s := plural(c.Count, "op")
	if c.Mul > 0 {
		s += fmt.Sprintf(" (%d on the multiplier)", c.Mul)
	}
	if c.Regs == 0 {
		return s
	}
	s += ", " + plural(c.Moves, "move")
	if c.Slots > c.Count+c.Moves {
		s += ", " + plural(c.Slots, "issue slot")
	}
	s += ", " + plural(c.Regs, "register")
	if c.Latency != nil {
		s += ", " + plural(*c.Latency, "cycle")
	}
	return s
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// criticalPath adds the latencies along the longest chain of dependent
// instructions; ok is false where one has no known latency.
func criticalPath(insts []mach.Inst, t *isel.Target) (cycles int, ok bool) {
	ready := map[mach.Reg]int{}
	for i := range insts {
		in := &insts[i]
		cost := t.CostOf(in.Op)
		if cost.Latency == 0 && !in.Move {
			return 0, false
		}
		at := 0
		for _, o := range in.In {
			if !o.IsConst() {
				at = max(at, ready[o.Reg])
			}
		}
		if in.Guard != nil {
			at = max(at, ready[in.Guard.Reg], ready[in.Out[0].Reg])
		}
		for i, o := range in.Out {
			latency := cost.Latency
			if cost.Flags > 0 && in.Op.Out[i].Bank != mach.General {
				latency = cost.Flags
			}
			ready[o.Reg] = max(ready[o.Reg], at+latency)
			cycles = max(cycles, ready[o.Reg])
		}
	}
	return cycles, true
}
