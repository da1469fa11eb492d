package ptxlower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
)

// common is what of a function that is listed site by site is the same in all
// lanes of a wave: kernel arguments, parameters that are inreg, and what integer
// operations and sites make of them. What loads and calls give is not, nor are
// phis where lanes come together that went different ways. Names are not
// registers: where lanes are apart their common values stay so.
type common struct {
	t      *isel.Target
	values map[string]bool // by local name
	sites  map[*lower.Site]bool
	phis   map[*lower.State]bool
}

// commonValues finds them; nothing on targets without scalar registers.
func commonValues(t *isel.Target, u *lower.Unit) *common {
	c := &common{t: t, values: map[string]bool{}, sites: map[*lower.Site]bool{}, phis: map[*lower.State]bool{}}
	f := u.Func
	if t.Uniform == nil {
		return c
	}
	some := false
	for i := range f.Params {
		if f.Kernel || f.Params[i].InReg {
			c.values[f.Params[i].Name], some = true, true
		}
	}
	if !some {
		return c
	}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			if s := u.Site(in); s != nil {
				c.sites[s] = c.scalar(s)
				c.values[in.Def] = c.sites[s]
			} else {
				c.values[in.Def] = in.Modelled && in.Def != "" && keepsCommon(in.Op)
			}
		}
	}
	for _, p := range u.Phis {
		c.phis[p] = true
	}
	succs := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		for _, s := range b.Succs() {
			succs[i] = append(succs[i], s.Index)
		}
	}
	for again := true; again; {
		together, parts := mach.Together(succs, func(i int) bool {
			term := f.Blocks[i].Term()
			return term != nil && (term.Op == ll.OpBr || term.Op == ll.OpSwitch) && c.is(&term.Ops[0])
		})
		again = false
		drop := func(ok bool, is *bool) {
			if *is && !ok {
				*is, again = false, true
			}
		}
		for i, b := range f.Blocks {
			joined := !together[i]
			for _, p := range b.Preds {
				joined = joined || !together[p.Index] || parts[p.Index]
			}
			for j := range b.Insts {
				in := &b.Insts[j]
				is := c.values[in.Def]
				if s := u.Site(in); s != nil {
					is = c.sites[s]
					drop(c.inputs(s), &is)
					c.sites[s] = is
				} else {
					drop(c.operands(in) && (in.Op != ll.OpPhi || !joined), &is)
				}
				if in.Def != "" {
					c.values[in.Def] = is
				}
			}
			for _, p := range u.Phis {
				if p.Block != b {
					continue
				}
				is := c.phis[p]
				for _, x := range p.In {
					drop(!joined && c.state(x), &is)
				}
				c.phis[p] = is
			}
		}
	}
	return c
}

// keepsCommon reports an operation that gives the same for the same operands.
func keepsCommon(op ll.Opcode) bool {
	switch op {
	case ll.OpPhi, ll.OpICmp, ll.OpSelect, ll.OpFreeze, ll.OpExtractValue, ll.OpInsertValue, ll.OpGetElementPtr:
		return true
	}
	return op.IsBinary() || op.IsCast()
}

func (c *common) is(o *ll.Operand) bool { return o.Kind != ll.ValLocal || c.values[o.Name] }

func (c *common) operands(in *ll.Inst) bool {
	for i := range in.Ops {
		if !c.is(&in.Ops[i]) {
			return false
		}
	}
	return true
}

func (c *common) state(s *lower.State) bool {
	switch s = s.Resolve(); s.Kind {
	case lower.StateOut:
		return c.sites[s.Site]
	case lower.StatePhi:
		return c.phis[s]
	case lower.StateUndef:
		return true
	}
	return false
}

// input reports that all lanes have an input of a site in common.
func (c *common) input(s *lower.Site, in *lower.Input) bool {
	if in.Arg < 0 {
		return in.State != nil && c.state(in.State)
	}
	return c.is(&s.Inst.Ops[in.Arg])
}

func (c *common) inputs(s *lower.Site) bool {
	for i := range s.In {
		if !c.input(s, &s.In[i]) {
			return false
		}
	}
	return true
}

// scalar reports a site of which every form has scalar code.
func (c *common) scalar(s *lower.Site) bool {
	if s.Frag == nil || s.Lanes > 0 || len(s.In) == 0 {
		return false
	}
	for _, v := range s.Frag.Blocks[0].Vals {
		if v.Op != ir.PTX {
			continue
		}
		if _, err := c.t.ChooseUniform(v.Form, s.Frag.Model, nil); err != nil {
			return false
		}
	}
	return true
}
