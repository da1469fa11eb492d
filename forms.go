package ptxlower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// FormReport is one form, and with a target what it becomes there. One report
// stands for all forms with the same behaviour (ptx.Form.Behaviour).
type FormReport struct {
	Schema   int        `json:"schema"`
	Group    string     `json:"group"`    // the opcode: "mad24"
	Form     string     `json:"form"`     // the mnemonic: "mad24.hi.u32"
	Operands string     `json:"operands"` // "d, a, b, c"
	Model    string     `json:"model"`    // which meaning vmad has: "isa" or "ptxas"
	Target   string     `json:"target,omitempty"`
	Rule     string     `json:"rule,omitempty"`
	Ops      []OpReport `json:"ops,omitempty"`
	Count    *int       `json:"count,omitempty"`   // ops, constants made in registers included, moves not
	Moves    *int       `json:"moves,omitempty"`   // register to register
	Mul      *int       `json:"mul,omitempty"`     // ops on the multiplier
	Latency  *int       `json:"latency,omitempty"` // cycles of the longest chain; absent where an op's is unknown
	Regs     *int       `json:"regs,omitempty"`    // 32-bit registers that the sequence touches
}

// Describe reports a form, on a target or with t nil alone.
func Describe(f ptx.Form, m ptx.Model, t *isel.Target) (*FormReport, error) {
	rep := &FormReport{Schema: 1, Group: f.Op.String(), Form: f.String(), Operands: f.Operands(), Model: m.String()}
	if t == nil {
		return rep, nil
	}
	nf, c, err := t.SelectForm(f, m)
	if err != nil {
		return nil, err
	}
	if err := nf.Allocate(t.Machine); err != nil {
		return nil, err
	}
	rep.Target, rep.Rule = t.Name, c.Rule.Name
	rep.Ops = opReports(t, nf)
	ops, moves := nf.Count()
	mul, regs := 0, nf.Registers(t.Machine)
	for i := range nf.Blocks[0].Insts {
		if nf.Blocks[0].Insts[i].Op.Mul {
			mul++
		}
	}
	rep.Count, rep.Moves, rep.Mul, rep.Regs = &ops, &moves, &mul, &regs
	if l, ok := criticalPath(nf.Blocks[0].Insts); ok {
		rep.Latency = &l
	}
	return rep, nil
}

// criticalPath adds the latencies along the longest chain of dependent
// instructions; ok is false where one has no known latency.
func criticalPath(insts []mach.Inst) (cycles int, ok bool) {
	ready := map[mach.Reg]int{}
	for i := range insts {
		in := &insts[i]
		if in.Op.Latency == 0 && !in.Move {
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
		at += in.Op.Latency
		for _, o := range in.Out {
			ready[o.Reg] = max(ready[o.Reg], at)
		}
		cycles = max(cycles, at)
	}
	return cycles, true
}

// Meaning is what a form computes, as lines of text over its operands' letters:
// sources a, b, c, results d, e, …, and cf for CC.CF before and after.
func Meaning(f ptx.Form, m ptx.Model) []string {
	b := sem.NewBuilder()
	var in []*sem.Term
	for i, w := range ir.ArgWidths(f) {
		name := string("abce"[i])
		if f.ReadsCF() && i == len(f.Ins()) {
			name = "cf"
		}
		in = append(in, b.Var(name, w))
	}
	out := f.Meaning(b, in, m)
	names := []string{"d", "e", "f", "g"}[:len(out)]
	if f.WritesCF() {
		names[len(out)-1] = "cf"
	}
	return sem.DocLines(names, out...)
}
