package ptxlower

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// ParseBody reads flat PTX — no declarations, the last semicolon optional — as
// a function. It is nil where the text is wrong; l says why.
func ParseBody(name, text string, m ptx.Model, l *diag.List) *lower.Flat {
	file := diag.NewFile(name, []byte(text))
	body := ptx.ParseFlat(file.Text, func(sev diag.Severity, id string, sp diag.Span, format string, args ...any) {
		l.Add(sev, id, file, sp, format, args...)
	}, ptx.OptionalSemicolon)
	if l.Errors() > 0 {
		return nil
	}
	fl := lower.FromFlat(file, body, m, l)
	if fl != nil && len(fl.Insts) == 0 {
		l.Errorf("ptx-empty", file, diag.Span{}, "no instruction")
		return nil
	}
	return fl
}

// LowerBody lowers PTX text that stands alone: registers that are read before
// they are written are parameters, in the order of reading, and those written
// are results; so is CC.CF, as cf, where the last instruction that touches it
// writes it: at the end of a chain it is spent.
func LowerBody(ctx context.Context, text string, opt Options) (*Result, error) {
	r := &run{ctx: ctx, opt: opt}
	if r.opt.Target == "" {
		r.opt.Target = "generic"
		if r.opt.Emit == EmitDefault {
			r.opt.Emit = EmitLLVM
		}
	}
	err := r.lowerBody(text)
	r.res.Diags = r.diags.All
	if err == nil && r.diags.Errors() > 0 {
		err = ErrInput
	}
	if err != nil {
		r.res.Output = nil
	}
	return &r.res, err
}

func (r *run) lowerBody(text string) error {
	if err := r.target(); err != nil {
		return err
	}
	fl := ParseBody("<expr>", text, r.opt.Model, &r.diags)
	if fl == nil {
		return ErrInput
	}
	r.file = diag.NewFile("<expr>", []byte(text))
	sites := []*lower.Site{{Insts: fl.Insts}}
	r.assumptions(sites)
	if r.opt.Sites == SitesAsm {
		return r.bodyAsm(fl)
	}
	t := r.res.Target.Target
	if t == nil || r.res.Emit == EmitLLVM {
		t = r.res.Target.Portable()
	}
	r.floors(sites)
	dropSpentCarry(fl)
	src := ir.Clone(fl.Func)
	has := t.Fuses
	if t.Machine.SSA { // LLVM makes its own choice
		has = nil
	}
	all := diag.Span{Start: 0, End: len(text)}
	if r.res.Emit == EmitIR {
		f := r.passes(fl.Func, has, rechain.Stay, nil)
		r.res.Output = []byte(f.String() + "\n")
		return nil
	}
	nf, same, err := r.selected(src, all, t)
	var few *registers
	switch {
	case errors.As(err, &few):
		r.diags.Errorf("body-registers", r.file, all, "%v", err)
		return ErrInput
	case err != nil:
		return err
	}
	if err := r.check(all, "the body", r.basis(src, same), nf, t.Machine); err != nil {
		return err
	}
	if r.wrong {
		return ErrCounterexample
	}
	var out bytes.Buffer
	switch r.res.Emit {
	case EmitNone:
		return nil
	case EmitJSON:
		return r.bodyJSON(fl)
	case EmitLLVM:
		for _, d := range slices.Sorted(maps.Values(llvm.Declares(nf))) {
			fmt.Fprintln(&out, d)
		}
	}
	if err := t.Print(&out, nf); err != nil {
		r.diags.Errorf("body-registers", r.file, all, "%v", err)
		return ErrInput
	}
	r.res.Output = out.Bytes()
	return nil
}

// dropSpentCarry takes CC.CF from the results where an instruction that leaves
// it alone read it last.
func dropSpentCarry(fl *lower.Flat) {
	spent := false
	for _, in := range fl.Insts {
		if in.Form.ReadsCF() || in.Form.WritesCF() {
			spent = !in.Form.WritesCF()
		}
	}
	n := len(fl.Results) - 1
	if !spent || n < 0 || fl.Results[n] != "cf" {
		return
	}
	b := fl.Func.Blocks[0]
	fl.Results, fl.Func.Results = fl.Results[:n], fl.Func.Results[:n]
	b.Args = b.Args[:n]
}

// bodyJSON reports each instruction of a body.
func (r *run) bodyJSON(fl *lower.Flat) error {
	var out bytes.Buffer
	enc := jsonLines(&out)
	for _, in := range fl.Insts {
		rep, err := Describe(in.Form, r.opt.Model, r.res.Target.Target)
		if err != nil {
			return err
		}
		if err := enc.Encode(rep); err != nil {
			return err
		}
	}
	r.res.Output = out.Bytes()
	return nil
}
