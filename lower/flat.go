package lower

import (
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// Flat is PTX text without declarations, outside any module, as a function of
// one block: its parameters are the registers read before they are written, in
// the order of reading, CC.CF under the name "cf"; its results are the registers
// written, in the order of first writing, and then CC.CF if it was written.
type Flat struct {
	Func    *ir.Func
	Params  []string
	Results []string
	Insts   []SiteInst

	written []*cell
	byName  map[string]*cell
}

// FromFlat builds the function of a body that ptx.ParseFlat read from file.
// Widths follow from the instructions. It is nil where something is wrong.
func FromFlat(file *diag.File, body *ptx.Body, model ptx.Model, l *diag.List) *Flat {
	fl := &Flat{Func: ir.NewFunc("body"), byName: map[string]*cell{}}
	fl.Func.Model = model
	g := &fragment{l: l, file: file, f: fl.Func, b: fl.Func.Blocks[0], site: &Site{}, flat: fl, cfIn: -1,
		pos: func(sp diag.Span) diag.Span { return sp }}
	g.cf = fl.add(g, "cf", ptx.Pred)
	for i := range body.Items {
		it := &body.Items[i]
		switch {
		case it.Kind == ptx.ItemDecl, it.Kind == ptx.ItemOpen, it.Kind == ptx.ItemClose, it.Kind == ptx.ItemLabel:
		case it.Inst.Opaque || special(it.Inst):
			what := "is not an instruction that ptxlower lowers"
			if ptx.VideoSibling(it.Inst.Name) {
				what = "is a video instruction that ptxlower does not lower yet"
			}
			g.errorf("asm-unknown", it.Inst.NameSpan, "%s %s", it.Inst.Name, what)
		default:
			si := SiteInst{Name: it.Inst.Name, Form: it.Inst.Form, Span: it.Inst.NameSpan}
			g.site.Insts = append(g.site.Insts, si)
			g.inst(it.Inst)
		}
	}
	if g.bad {
		return nil
	}
	fl.Insts = g.site.Insts
	var rets []*ir.Value
	result := func(c *cell) {
		if c.wrote {
			fl.Results = append(fl.Results, c.name)
			rets = append(rets, c.val)
			fl.Func.Results = append(fl.Func.Results, c.val.W)
		}
	}
	for _, c := range fl.written {
		result(c)
	}
	result(g.cf)
	fl.Func.Blocks[0].Ret(rets...)
	return fl
}

// register is the register of a name, made when it is first seen.
func (fl *Flat) register(g *fragment, name string, want ptx.Type) *cell {
	if c := fl.byName[name]; c != nil {
		return c
	}
	t := ptx.Pred
	if want != ptx.Pred {
		t = ptx.IntType('b', want.Bits())
		if want.Bits() == 8 {
			t = ptx.B32
		}
	}
	return fl.add(g, name, t)
}

func (fl *Flat) add(g *fragment, name string, t ptx.Type) *cell {
	c := &cell{name: name, typ: t}
	c.fetch = func(soft bool, _ diag.Span) *ir.Value {
		v := fl.Func.Param(name, c.bits())
		fl.Params = append(fl.Params, name)
		c.val = v
		return v
	}
	fl.byName[name] = c
	return c
}
