package ptxlower

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// emitLLVM replaces the sites by portable IR and leaves every other byte as it
// is, but for the declarations of intrinsics that are newly called.
func (r *run) emitLLVM() error {
	e, err := r.splice()
	if err != nil {
		return err
	}
	if err := e.checkChains(); err != nil {
		return err
	}
	if r.opt.Verify == VerifyProve && r.opt.Sites != SitesAsm {
		return e.validateLLVM()
	}
	return nil
}

// splice makes the output.
func (r *run) splice() (*splicer, error) {
	t := r.res.Target.Portable()
	e := &splicer{run: r, t: t, declares: map[string]string{}, code: map[*ir.Func]*mach.Func{}, native: map[*ir.Func]*mach.Func{}, wide: map[string]*ir.Func{}, masks: map[*lower.State]string{}, memo: rechain.NewMemo(), prefix: "ptxl."}
	for n := 1; bytes.Contains(r.file.Text, []byte(e.prefix)); n++ {
		e.prefix = fmt.Sprintf("ptxl%d.", n)
	}
	var touched []*ll.Func
	for _, u := range r.units {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		before, place := len(e.edits), e.site
		e.highs = e.highHalves(u)
		if len(u.Sites) > 0 && e.inlines(u.Func) {
			e.wanted, place = carriesOut(u), e.asmSite
		}
		c := e.findChains(u)
		e.chains = append(e.chains, c)
		e.rename = c.rename
		c.kept = e.keptWebs(u, c)
		if err := e.spliceChains(u, c); err != nil {
			return nil, err
		}
		for i, s := range u.Sites {
			if c.gone[s] || c.kept[s] {
				continue
			}
			if s.Frag == nil {
				r.diags.Add(diag.Remark, "site-kept", r.file, s.KeptSpan, "this statement stays as it is: %s is not lowered", s.Kept)
				continue
			}
			if err := place(s, i); err != nil {
				line, _ := r.file.Line(s.Span().Start)
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		}
		e.phis(u)
		if len(e.edits) > before {
			touched = append(touched, u.Func)
		}
	}
	e.edits = append(e.edits, r.m.UseListEdits(touched...)...)
	if len(e.declares) > 0 {
		edit, err := r.m.DeclareEdit(slices.Sorted(maps.Values(e.declares))...)
		if err != nil {
			return nil, err
		}
		if edit.Text != "" {
			e.edits = append(e.edits, edit)
		}
	}
	var err error
	r.res.Output, err = ll.Splice(r.file.Text, e.edits)
	return e, err
}

type splicer struct {
	*run
	t        *isel.Target
	prefix   string
	edits    []ll.Edit
	declares map[string]string
	code     map[*ir.Func]*mach.Func // by the simplified fragment
	native   map[*ir.Func]*mach.Func // the same for sites that become assembly
	wide     map[string]*ir.Func     // fragments with wide products, by their text
	chains   []*chains               // by unit
	rename   map[string]string       // of the unit at hand
	memo     *rechain.Memo           // what became of chains

	highs  map[[2]string]ptx.Type  // products of the function whose high halves are taken
	masks  map[*lower.State]string // of carries that assembly made
	wanted map[*lower.State]bool   // carries of the function that are needed as i1
}

// state is the name of a state value, or the constant that it reads as where
// nothing was written.
func (e *splicer) state(s *lower.State) string {
	s = s.Resolve()
	switch {
	case s.Kind != lower.StateUndef && s.Kind != lower.StateCall:
		return "%" + e.prefix + strings.TrimPrefix(stateName(s), "%ptxl.")
	case s.Var.W == 1:
		return "false"
	}
	return "0"
}

// site replaces one call.
func (e *splicer) site(s *lower.Site, index int) error {
	nf, err := e.selected(s)
	if err != nil {
		return err
	}
	b := siteText{splicer: e, s: s, base: fmt.Sprintf("%s%d.", e.prefix, index)}
	lanes := max(s.Lanes, 1)
	finals := b.finals()
	for lane := range lanes {
		ctx := llvm.Context{Prefix: b.prefix(lane)}
		for i, in := range s.In {
			ctx.Args = append(ctx.Args, b.arg(in, s.Frag.Params[i].W, lane))
		}
		for i, o := range s.Out {
			ctx.Results = append(ctx.Results, b.result(o, s.Frag.Results[i], i, lane))
		}
		code, err := llvm.Lines(nf, ctx)
		if err != nil {
			return err
		}
		b.lines = append(b.lines, code.Lines...)
		maps.Copy(e.declares, code.Declares)
		finals(lane)
	}
	b.replace()
	return nil
}

// selected is the code of a site; those that compute the same share it.
func (e *splicer) selected(s *lower.Site) (*mach.Func, error) {
	f := e.simplified(s.Frag)
	if e.highs != nil {
		f = e.widened(s, f)
	}
	if nf := e.code[f]; nf != nil {
		return nf, nil
	}
	nf, err := e.t.Select(f, lower.Known(f))
	if err != nil {
		return nil, err
	}
	e.code[f] = nf
	return nf, e.check(s.Span(), "the site", s.Frag, nf, e.t.Machine)
}

// widened is the code of a site with low halves taken from the whole product,
// where another statement takes the high half.
func (e *splicer) widened(s *lower.Site, f *ir.Func) *ir.Func {
	vals := f.Blocks[0].Vals
	if !slices.ContainsFunc(vals, lower.Low) || !slices.ContainsFunc(vals, func(v *ir.Value) bool {
		return lower.High(v) || lower.Low(v) && e.highs[e.factors(s, f, v.Args[0], v.Args[1])] != ptx.NoType
	}) {
		return f
	}
	wide := ir.Clone(f)
	lower.WidenLows(wide, func(x, y *ir.Value) (ptx.Type, bool) {
		t, ok := e.highs[e.factors(s, wide, x, y)]
		return t, ok
	})
	text := wide.String()
	if g := e.wide[text]; g != nil {
		return g
	}
	e.wide[text] = wide
	return wide
}

// highHalves are the products of which statements of a function take the high
// half, by their factors: LLVM merges a low half taken from the same product.
// It is nil if there are none.
func (e *splicer) highHalves(u *lower.Unit) map[[2]string]ptx.Type {
	if e.opt.O0 {
		return nil
	}
	var highs map[[2]string]ptx.Type
	for _, s := range u.Sites {
		if s.Frag == nil || s.Lanes > 0 {
			continue
		}
		for _, v := range s.Frag.Blocks[0].Vals {
			if lower.High(v) {
				if highs == nil {
					highs = map[[2]string]ptx.Type{}
				}
				highs[e.factors(s, s.Frag, v.Args[0], v.Args[1])] = v.Form.T
			}
		}
	}
	delete(highs, [2]string{})
	return highs
}

// factors names two values of a site's code by the module's operands, in order;
// it is zero where one is something else.
func (e *splicer) factors(s *lower.Site, f *ir.Func, x, y *ir.Value) (names [2]string) {
	for k, v := range []*ir.Value{x, y} {
		i := slices.Index(f.Params, v)
		if i < 0 || s.In[i].Arg < 0 {
			return [2]string{}
		}
		names[k] = e.m.Text(operandSpan(s, s.In[i].Arg))
	}
	slices.Sort(names[:])
	return names
}

// siteText collects the lines that replace a call.
type siteText struct {
	*splicer
	s     *lower.Site
	base  string
	lines []string
	n     int // temporaries of conversions
}

func (b *siteText) prefix(lane int) string {
	if b.s.Lanes == 0 {
		return b.base
	}
	return fmt.Sprintf("%sl%d.", b.base, lane)
}

func (b *siteText) line(format string, args ...any) {
	b.lines = append(b.lines, fmt.Sprintf(format, args...))
}

func (b *siteText) temp() string {
	b.n++
	return fmt.Sprintf("%%%sc%d", b.base, b.n-1)
}

// arg is the text of an operand of w bits, converted where the module's value
// has another type.
func (b *siteText) arg(in lower.Input, w, lane int) string {
	if in.Arg < 0 {
		return b.state(in.State)
	}
	o := &b.s.Inst.Ops[in.Arg]
	text := b.m.Text(o.Span())
	if n := b.rename[o.Name]; n != "" && o.Kind == ll.ValLocal {
		text = n
	}
	t := o.Type
	if b.s.Lanes > 0 {
		d := b.temp()
		b.line("%s = extractelement %s %s, i64 %d", d, t, text, lane)
		return d
	}
	if how := conversion(t, w, true); how != "" {
		d := b.temp()
		b.line("%s = %s %s %s to i%d", d, how, t, text, w)
		return d
	}
	return text
}

// conversion is the cast between a value of type t and an integer of w bits,
// into the integer or out of it; "" where t is that integer.
func conversion(t *ll.Type, w int, in bool) string {
	switch {
	case t.IsInt(w):
		return ""
	case t.Kind == ll.TyInt && in:
		return "zext"
	case t.Kind == ll.TyInt:
		return "trunc"
	case t.Kind == ll.TyPtr && in:
		return "ptrtoint"
	case t.Kind == ll.TyPtr:
		return "inttoptr"
	}
	return "bitcast"
}

// fieldType is the type of a field of the call's result.
func (b *siteText) fieldType(field int) *ll.Type {
	t := b.s.Inst.Type
	if u := t.Under(); u != nil && u.Kind == ll.TyStruct && b.structured() {
		return u.Fields[field]
	}
	if b.s.Lanes > 0 {
		return t.Elem
	}
	return t
}

// structured reports a call whose result is a struct.
func (b *siteText) structured() bool {
	u := b.s.Inst.Type.Under()
	return u != nil && (u.Kind == ll.TyStruct || u.Kind == ll.TyPacked)
}

// result is the name under which the code defines result i: the call's own
// name where it needs no further step.
func (b *siteText) result(o lower.Output, w, i, lane int) string {
	switch {
	case o.Field < 0:
		return b.state(o.State)
	case b.structured(), b.s.Lanes > 0, conversion(b.fieldType(o.Field), w, false) != "":
		return fmt.Sprintf("%%%sr%d", b.prefix(lane), i)
	}
	return "%" + b.s.Inst.Def
}

// finals gives the steps after each lane: conversion, and building a struct or
// vector; the last one defines the call's name.
func (b *siteText) finals() func(lane int) {
	agg := "undef"
	return func(lane int) {
		fields := 0
		for _, o := range b.s.Out {
			if o.Field >= 0 {
				fields++
			}
		}
		done := 0
		for i, o := range b.s.Out {
			if o.Field < 0 {
				continue
			}
			done++
			w := b.s.Frag.Results[i]
			v := b.result(o, w, i, lane)
			last := done == fields && lane == max(b.s.Lanes, 1)-1
			next := func() string {
				if last {
					return "%" + b.s.Inst.Def
				}
				return b.temp()
			}
			t := b.fieldType(o.Field)
			if how := conversion(t, w, false); how != "" {
				d := "%" + b.s.Inst.Def
				if b.structured() || b.s.Lanes > 0 {
					d = b.temp()
				}
				b.line("%s = %s i%d %s to %s", d, how, w, v, t)
				v = d
			}
			switch {
			case b.structured():
				d := next()
				b.line("%s = insertvalue %s %s, %s %s, %d", d, b.s.Inst.Type, agg, t, v, o.Field)
				agg = d
			case b.s.Lanes > 0:
				d := next()
				b.line("%s = insertelement %s %s, %s %s, i64 %d", d, b.s.Inst.Type, agg, t, v, lane)
				agg = d
			}
		}
	}
}

// replace puts the lines in the place of the call, each with its !dbg; without
// lines the call's own line goes.
func (b *siteText) replace() {
	in := b.s.Inst
	sp := in.Span()
	if len(b.lines) == 0 {
		start := b.m.LineStart(in)
		end := sp.End
		for end < len(b.file.Text) && b.file.Text[end] != '\n' {
			end++
		}
		if end < len(b.file.Text) {
			end++
		}
		if strings.TrimSpace(string(b.file.Text[start:sp.Start])) == "" && strings.TrimSpace(string(b.file.Text[sp.End:end])) == "" {
			sp = diag.Span{Start: start, End: end}
		}
		b.edits = append(b.edits, ll.Edit{Span: sp})
		return
	}
	dbg := b.m.Text(in.Dbg())
	for i := range b.lines {
		b.lines[i] += dbg
	}
	text := strings.Join(b.lines, "\n"+b.m.Indent(in))
	if sp.End < len(b.file.Text) && !bytes.ContainsAny(b.file.Text[sp.End:sp.End+1], " \t\r\n;") {
		text += " " // what followed a parenthesis must not follow a name
	}
	b.edits = append(b.edits, ll.Edit{Span: sp, Text: text})
}

// phis inserts the phis of state values at the starts of their blocks.
func (e *splicer) phis(u *lower.Unit) {
	var at []*ll.Block
	text := map[*ll.Block]*strings.Builder{}
	for _, p := range u.Phis {
		sb := text[p.Block]
		if sb == nil {
			sb = &strings.Builder{}
			text[p.Block] = sb
			at = append(at, p.Block)
		}
		var in []string
		for i, pred := range p.Block.Preds {
			one := fmt.Sprintf("[ %s, %%%s ]", e.state(p.In[i]), pred.Name)
			for range edges(pred, p.Block) {
				in = append(in, one)
			}
		}
		indent := e.m.Indent(&p.Block.Insts[0])
		fmt.Fprintf(sb, "%s%s = phi i%d %s\n", indent, e.state(p), p.Var.W, strings.Join(in, ", "))
	}
	for _, b := range at {
		e.edits = append(e.edits, ll.Edit{Span: diag.Span{Start: b.First(), End: b.First()}, Text: text[b].String()})
	}
}

// edges is how many edges go from one block to another: LLVM wants a phi
// operand for each.
func edges(from, to *ll.Block) int {
	n := 0
	for _, name := range from.Term().Targets {
		if name == to.Name {
			n++
		}
	}
	return n
}
