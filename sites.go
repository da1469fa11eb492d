package ptxlower

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// SiteReport is one site of a module for people and programs.
type SiteReport struct {
	Schema   int      `json:"schema"`
	Function string   `json:"function"`
	Index    int      `json:"index"` // in its function, from 0
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	Kind     string   `json:"kind"`  // "asm", "ptx" (a call of @ptx.…), "builtin"
	Forms    []string `json:"forms"` // canonical, with operand pattern
	// CarryIn says where CC.CF comes from: the indices of the sites whose carry
	// can reach this one; empty where it reads none from outside.
	CarryIn []int `json:"carry_in,omitempty"`
	// CarryOut: CC.CF as this site leaves it is read by another one.
	CarryOut bool   `json:"carry_out,omitempty"`
	Kept     string `json:"kept,omitempty"` // the instruction for which the site stays as it is

	Target string     `json:"target,omitempty"`
	Rules  []string   `json:"rules,omitempty"` // of each form, in order
	Ops    []OpReport `json:"ops,omitempty"`
	*Cost             // with a target that has rules
}

// OpReport is one native operation.
type OpReport struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// Sites lists the sites of a module. Unknown instructions do not stop it.
func Sites(name string, src []byte) ([]SiteReport, []diag.Diagnostic, error) {
	r := &run{file: diag.NewFile(name, src)}
	r.m = ll.Parse(r.file, &r.diags)
	if r.diags.Errors() > 0 {
		return nil, r.diags.All, ErrInput
	}
	r.units = lower.Lift(r.m, lower.Options{KeepUnknown: true}, &r.diags)
	r.diags.Sort()
	if r.diags.Errors() > 0 {
		return nil, r.diags.All, ErrInput
	}
	return r.reports(), r.diags.All, nil
}

func (r *run) reports() []SiteReport {
	var out []SiteReport
	for _, u := range r.units {
		index := map[*lower.Site]int{}
		for i, s := range u.Sites {
			index[s] = i
		}
		for i, s := range u.Sites {
			line, col := r.file.Line(s.Span().Start)
			rep := SiteReport{Schema: 1, Function: u.Func.Name, Index: i, Line: line, Col: col, Kind: s.Kind.String(), Kept: s.Kept}
			for _, in := range s.Insts {
				rep.Forms = append(rep.Forms, in.Form.Name())
			}
			for _, in := range s.In {
				if in.State != nil && in.State.Var.CF {
					rep.CarryIn = carrySources(in.State, index)
				}
			}
			for _, o := range s.Out {
				rep.CarryOut = rep.CarryOut || o.State != nil && o.State.Var.CF
			}
			out = append(out, rep)
		}
	}
	return out
}

// carrySources are the sites whose carry reaches a state value, in order.
func carrySources(st *lower.State, index map[*lower.Site]int) []int {
	var out []int
	seen := map[*lower.State]bool{}
	var walk func(s *lower.State)
	walk = func(s *lower.State) {
		s = s.Resolve()
		if seen[s] {
			return
		}
		seen[s] = true
		if s.Kind == lower.StateOut {
			out = append(out, index[s.Site])
		}
		for _, in := range s.In {
			walk(in)
		}
	}
	walk(st)
	return out
}

// emitJSON prints the sites with what each becomes on the target, one object a
// line.
func (r *run) emitJSON() error {
	var out bytes.Buffer
	enc := jsonLines(&out)
	reps := r.reports()
	n := 0
	for _, u := range r.units {
		for _, s := range u.Sites {
			what := fmt.Sprintf("the site in line %d", reps[n].Line)
			err := r.costs(&reps[n], s, func(src *ir.Func, nf *mach.Func) error {
				return r.check(s.Span(), what, src, nf, r.res.Target.Target.Machine)
			})
			if err != nil {
				return err
			}
			if err := enc.Encode(&reps[n]); err != nil {
				return err
			}
			n++
		}
	}
	r.res.Output = out.Bytes()
	return nil
}

// jsonLines writes one object a line.
func jsonLines(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// costs fills in the native sequence of a site by itself; check, where not nil,
// decides whether it is right.
func (r *run) costs(rep *SiteReport, s *lower.Site, check func(src *ir.Func, nf *mach.Func) error) error {
	t := r.res.Target.Target
	if t == nil || s.Frag == nil {
		return nil
	}
	f := r.simplified(s.Frag)
	known := r.known(f)
	nf, err := t.SelectPart(f, known)
	if err != nil {
		return err
	}
	if check != nil {
		if err := check(s.Frag, nf); err != nil {
			return err
		}
	}
	rep.Target = t.Name
	for _, v := range f.Blocks[0].Vals {
		if v.Op == ir.PTX {
			c, err := t.Choose(v.Form, f.Model, func(i int) sem.Facts {
				if known != nil {
					if k, ok := known(v.Args[i]); ok {
						return k
					}
				}
				return constant(v.Args[i])
			})
			if err == nil {
				rep.Rules = append(rep.Rules, c.Rule.Name)
			}
		}
	}
	r.nameOperands(nf, s, t.Machine, false)
	rep.Ops = opReports(t, nf)
	cost := costOf(nf, t)
	if !t.Machine.SSA && nf.Allocate(t.Machine) == nil {
		cost.Regs = nf.Registers(t.Machine)
	}
	rep.Cost = &cost
	return nil
}

// constant is what is known of a value that may be a constant.
func constant(v *ir.Value) sem.Facts {
	if v.Op == ir.Const {
		return sem.Exactly(v.K, v.W)
	}
	return sem.Any(v.W)
}

func opReports(t *isel.Target, f *mach.Func) []OpReport {
	var out []OpReport
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			out = append(out, OpReport{in.Op.Name, t.Text(f, in)})
		}
	}
	return out
}

// emitIR prints every function as package ir does: whole where it can be, else
// the fragment of each site.
func (r *run) emitIR() error {
	var out bytes.Buffer
	for _, u := range r.units {
		f, refusal := u.Function(r.m, r.opt.Model)
		if refusal == nil {
			fmt.Fprintln(&out, r.passes(f, nil, rechain.Stay, nil))
			continue
		}
		r.diags.Warnf("not-selectable", r.file, refusal.Span, "@%s is printed site by site: %s", u.Func.Name, refusal.What)
		for i, s := range u.Sites {
			if s.Frag == nil {
				continue
			}
			f := ir.Clone(r.simplified(s.Frag))
			f.Name = fmt.Sprintf("%s.%d", u.Func.Name, i)
			fmt.Fprintln(&out, f)
		}
	}
	r.res.Output = out.Bytes()
	return nil
}
