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
	*Cost               // with a target
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
	return rep, rep.sequence(nf, c, t)
}

// Alternatives reports what a form can become on a target besides what Describe
// says: in no fewer issue slots, but for example sooner.
func Alternatives(f ptx.Form, m ptx.Model, t *isel.Target) ([]*FormReport, error) {
	var out []*FormReport
	for _, c := range t.Alternatives(f, m) {
		rep, _ := Describe(f, m, nil)
		nf, err := t.Sequence(c)
		if err != nil {
			return nil, err
		}
		if err := rep.sequence(nf, c, t); err != nil {
			return nil, err
		}
		out = append(out, rep)
	}
	return out, nil
}

func (rep *FormReport) sequence(nf *mach.Func, c *isel.Choice, t *isel.Target) error {
	if err := nf.Allocate(t.Machine); err != nil {
		return err
	}
	rep.Target, rep.Rule = t.Name, c.Rule.Name
	rep.Ops = opReports(t, nf)
	cost := costOf(nf, t)
	rep.Cost = &cost
	return nil
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
