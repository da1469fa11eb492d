// Package llirdoor lowers modules that a program builds in memory with
// github.com/llir/llvm/ir. A module enters as the text that it prints; what
// comes back is a listing, portable LLVM IR as text, or the same module with
// other instructions in the places of its sites.
//
// Only the ir packages of llir are used, not its parser. What llir prints
// wrongly enters as printed: an alloca in an address space loses the address
// space where it is used, atomicrmw and cmpxchg lose their alignment.
//
// A module must not be used by others while it is in here: printing numbers
// its unnamed values.
package llirdoor

import (
	"context"
	"fmt"

	llir "github.com/llir/llvm/ir"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir/ll"
)

// FileName stands for the module's text in diagnostics, which show its lines.
const FileName = "<llir>"

// Lower lowers a module to text, as ptxlower.Lower does. The module stays as it
// is. A module that is broken, or that llir cannot print, is ErrInput:
//
//	llir-module   llir cannot print it, or not without holes
//	llir-operand  a function uses a value that is not in it
//	llir-type     a type without a name contains itself
//	llir-inexact  a warning: llir prints a constant inexactly
//
// or one of the diagnostics of package ir/ll.
func Lower(ctx context.Context, m *llir.Module, opt ptxlower.Options) (*ptxlower.Result, error) {
	text, res, err := enter(m)
	if err != nil {
		return res, err
	}
	return lower(ctx, text, opt, res.Diags)
}

// Replace lowers a module to portable IR in place: each site becomes llir
// instructions, with declarations of the intrinsics that they call. All other
// instructions stay the same objects; calls that were sites are no longer in
// the module. The text of the lowered module is the result's output.
//
// Errors are those of Lower; after one the module is unchanged. Outputs other
// than EmitLLVM are ErrUsage.
func Replace(ctx context.Context, m *llir.Module, opt ptxlower.Options) (*ptxlower.Result, error) {
	if opt.Emit != ptxlower.EmitDefault && opt.Emit != ptxlower.EmitLLVM {
		return &ptxlower.Result{}, fmt.Errorf("%w: a module takes the output llvm, not %s", ptxlower.ErrUsage, opt.Emit)
	}
	opt.Emit = ptxlower.EmitLLVM
	old, res, err := enter(m)
	if err != nil {
		return res, err
	}
	if res, err = lower(ctx, old, opt, res.Diags); err != nil {
		return res, err
	}
	var l diag.List
	lowered := ll.Parse(diag.NewFile(FileName, res.Output), &l)
	if err := l.Err(); err != nil {
		return res, fmt.Errorf("the lowered module: %w", err)
	}
	return res, replace(m, old, lowered)
}

// lower adds the warnings that a module came in with to those of its lowering.
func lower(ctx context.Context, m *ll.Module, opt ptxlower.Options, warnings []diag.Diagnostic) (*ptxlower.Result, error) {
	res, err := ptxlower.Lower(ctx, FileName, m.File.Text, opt)
	res.Diags = append(warnings, res.Diags...)
	return res, err
}

// enter prints a module and reads the text. Function, block and instruction
// numbers of the two are the same, the terminator being the last instruction.
func enter(m *llir.Module) (*ll.Module, *ptxlower.Result, error) {
	var l diag.List
	read := func() *ll.Module {
		if !verify(m, &l) {
			return nil
		}
		file := printed(m, &l)
		if file == nil {
			return nil
		}
		old := ll.Parse(file, &l)
		for _, f := range old.Funcs {
			f.Check(&l)
		}
		if l.Errors() == 0 {
			compare(m, old, &l)
		}
		return old
	}
	old := read()
	res := &ptxlower.Result{Diags: l.All}
	if l.Errors() > 0 {
		return nil, res, ptxlower.ErrInput
	}
	return old, res, nil
}

// compare reports a module whose text has other blocks or instructions than it
// holds, as a name with a line break in it can do.
func compare(m *llir.Module, text *ll.Module, l *diag.List) {
	fs := definitions(m)
	if len(fs) != len(text.Funcs) {
		l.Errorf("llir-module", nil, diag.Span{}, "the module holds %d functions and prints %d", len(fs), len(text.Funcs))
		return
	}
	for i, f := range fs {
		g := text.Funcs[i]
		same := len(f.Blocks) == len(g.Blocks) && len(f.Params) == len(g.Params)
		for j := 0; same && j < len(f.Blocks); j++ {
			same = len(f.Blocks[j].Insts)+1 == len(g.Blocks[j].Insts)
		}
		if !same {
			l.Errorf("llir-module", text.File, g.NameSpan(), "%s prints other parameters, blocks or instructions than it holds", f.Ident())
		}
	}
}

// definitions are the functions with a body, in order.
func definitions(m *llir.Module) []*llir.Func {
	var fs []*llir.Func
	for _, f := range m.Funcs {
		if len(f.Blocks) > 0 {
			fs = append(fs, f)
		}
	}
	return fs
}
