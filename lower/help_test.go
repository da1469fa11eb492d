package lower_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// lift reads and lifts a module; the text must be LLVM IR.
func lift(t testing.TB, text string, opt lower.Options) (*ll.Module, []*lower.Unit, []diag.Diagnostic) {
	t.Helper()
	var l diag.List
	m := ll.Parse(diag.NewFile("t.ll", []byte(text)), &l)
	require.NoError(t, l.Err())
	units := lower.Lift(m, opt, &l)
	l.Sort()
	return m, units, l.All
}

// function lifts a module without errors and gives its first function whole.
func function(t testing.TB, text string, opt lower.Options) *ir.Func {
	t.Helper()
	m, units, ds := lift(t, text, opt)
	for i := range ds {
		require.NotEqual(t, diag.Error, ds[i].Severity, ds[i].Head())
	}
	f, refusal := units[0].Function(m, opt.Model)
	require.Nil(t, refusal)
	require.NoError(t, ir.Verify(f))
	return f
}

// run runs a function on values; -1 stands for all ones.
func run(t testing.TB, f *ir.Func, in ...int64) []uint64 {
	t.Helper()
	var vals []sem.Val
	for _, x := range in {
		vals = append(vals, sem.S(x))
	}
	res, err := eval.RunIR(f, vals, 1000)
	require.NoError(t, err)
	var out []uint64
	for _, v := range res {
		out = append(out, v.Lo)
	}
	return out
}

// shown is each diagnostic as its severity, its identifier and what it marks.
func shown(ds []diag.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		mark := ""
		if d.File != nil {
			mark = string(d.File.Text[d.Span.Start:d.Span.End])
		}
		out = append(out, fmt.Sprintf("%s %s: %s", d.Severity, d.ID, mark))
	}
	return out
}

// forms are the instructions of each site, as sites lists them.
func forms(u *lower.Unit) (out []string) {
	for _, s := range u.Sites {
		var names []string
		for _, in := range s.Insts {
			names = append(names, in.Form.Name())
		}
		out = append(out, strings.Join(names, "; "))
	}
	return out
}

// sample compares two functions of the same parameters on edge-biased vectors;
// results of the second may be wider, and then hold those of the first
// zero-extended. The error is the first difference.
func sample(want, got *ir.Func, lanes int) error {
	widths := make([]int, len(want.Params))
	for i, p := range want.Params {
		widths[i] = p.W
	}
	cols := eval.Vectors(widths, lanes, 7)
	if len(cols) == 0 {
		lanes = 1
	}
	x, y := eval.CompileIR(want), eval.CompileIR(got)
	for l := range lanes {
		in := make([]sem.Val, len(cols))
		for i, c := range cols {
			in[i] = sem.U(c.Lo[l])
			if c.Hi != nil {
				in[i].Hi = c.Hi[l]
			}
		}
		a, err := x.Run(in, 5000)
		b, err2 := y.Run(in, 5000)
		if !errors.Is(err2, err) && (err != nil || err2 != nil) {
			return fmt.Errorf("%v: %v and %v", in, err, err2)
		}
		for i := range a {
			if a[i] != b[i] {
				return fmt.Errorf("%v: result %d is %v, not %v", in, i, b[i], a[i])
			}
		}
	}
	return nil
}

var isa = lower.Options{Model: ptx.ISA}
