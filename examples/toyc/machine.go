package main

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ir/llirdoor"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

// code is a function for a target, its registers allocated.
type code struct {
	f *mach.Func
	m *mach.Machine
}

// lowerModule gives the listing of a module with one function and the code that is
// listed. For generic the module is lowered in place.
func lowerModule(ctx context.Context, m *llir.Module, target string) (*code, *ptxlower.Result, error) {
	text := m.String()
	opt := ptxlower.Options{Target: target}
	enter := llirdoor.Lower
	info, err := targets.Find(target)
	if err == nil && info.Vendor == targets.None {
		enter = llirdoor.Replace
	}
	res, err := enter(ctx, m, opt)
	res.Diags = slices.DeleteFunc(res.Diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Remark })
	if err != nil {
		return nil, res, err
	}
	c, err := generate(text, info)
	return c, res, err
}

// generate takes the steps of a listing one by one, to have the code as data.
func generate(text string, info *targets.Info) (*code, error) {
	var l diag.List
	m := ll.Parse(diag.NewFile("<program>", []byte(text)), &l)
	units := lower.Lift(m, lower.Options{}, &l)
	if err := l.Err(); err != nil {
		return nil, err
	}
	f, refusal := units[0].Function(m, ptx.ISA)
	if refusal != nil {
		return nil, fmt.Errorf("%s", refusal.What)
	}
	nf, err := ptxlower.Select(f, info)
	if err != nil {
		return nil, err
	}
	return &code{nf, info.Target.Machine}, nil
}

// run runs the code on numbers that are cut into words of bits.
func (c *code) run(args []*big.Int, bits int) (*big.Int, error) {
	var in []sem.Val
	for _, a := range args {
		for _, w := range split(a, bits) {
			in = append(in, sem.U(w.Uint64()))
		}
	}
	out, err := eval.RunNative(c.f, c.m, in, 1)
	if err != nil {
		return nil, err
	}
	n := new(big.Int)
	for i := len(out) - 1; i >= 0; i-- {
		n.Lsh(n, uint(bits)).Or(n, new(big.Int).SetUint64(out[i].Lo))
	}
	return n, nil
}
