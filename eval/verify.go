package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// BranchyRuns is how many vectors a function with branches is run on, one by one;
// branchySteps ends a run that loops for too long.
const (
	BranchyRuns  = 64
	branchySteps = 4096
)

// CheckLowering compares native code with the function that it was made from,
// on vectors: lanes of them for straight-line code. Registers wider than a
// value hold it zero-extended. An error means that one of the two could not be
// run, nil and nil that they agree.
func CheckLowering(src *ir.Func, nf *mach.Func, m *mach.Machine, lanes int, seed uint64) (*Mismatch, error) {
	if !src.StraightLine() || len(nf.Blocks) != 1 {
		return checkBranchy(src, nf, m, seed)
	}
	b := sem.NewBuilder()
	params := make([]*sem.Term, len(src.Params))
	for i, p := range src.Params {
		params[i] = b.Var(paramName(p, i), p.W)
	}
	want, err := Terms(src, b, params)
	if err != nil {
		return nil, err
	}
	got, err := NativeTerms(nf, m, b, params)
	if err != nil {
		return nil, err
	}
	for i := range want {
		want[i] = b.Zext(want[i], got[i].W)
	}
	for _, v := range sem.Vars(got...) {
		if !slices.Contains(params, v) { // no result may depend on junk
			params = append(params, v)
		}
	}
	return Compare(params, want, got, nil, lanes, seed), nil
}

func paramName(p *ir.Value, i int) string {
	if p.Name == "" {
		return fmt.Sprintf("arg%d", i)
	}
	return fmt.Sprintf("%s#%d", p.Name, i) // unique: two parameters may read one operand
}

func checkBranchy(src *ir.Func, nf *mach.Func, m *mach.Machine, seed uint64) (*Mismatch, error) {
	widths := make([]int, len(src.Params))
	for i, p := range src.Params {
		widths[i] = p.W
	}
	cols := Vectors(widths, BranchyRuns, seed)
	prog := CompileIR(src)
	for l := range BranchyRuns {
		in := make([]sem.Val, len(widths))
		for i := range in {
			in[i] = sem.U(cols[i].Lo[l])
			if l%2 == 1 { // small values keep loops short
				in[i] = sem.U(cols[i].Lo[l] & 7).Cut(widths[i])
			}
		}
		want, err := prog.Run(in, branchySteps)
		if errors.Is(err, ErrSteps) || errors.Is(err, ErrUnreachable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		got, err := RunNative(nf, m, in, 2*branchySteps)
		if err != nil {
			return nil, err
		}
		for i := range want {
			if want[i] == got[i] {
				continue
			}
			mm := &Mismatch{In: in, Widths: widths, Result: i, Want: want[i], Got: got[i], Bits: src.Results[i]}
			for j, p := range src.Params {
				mm.Names = append(mm.Names, paramName(p, j))
			}
			return mm, nil
		}
	}
	return nil, nil
}

// Table is the mismatch for people: a line for each input, then what was
// expected and what came out.
func (m *Mismatch) Table() string {
	var sb strings.Builder
	for i, v := range m.In {
		name, _, _ := strings.Cut(m.Names[i], "#")
		fmt.Fprintf(&sb, "  %-10s 0x%s\n", name, v.Hex(m.Widths[i]))
	}
	fmt.Fprintf(&sb, "  %-10s 0x%s\n", fmt.Sprintf("want[%d]", m.Result), m.Want.Hex(m.Bits))
	fmt.Fprintf(&sb, "  %-10s 0x%s", fmt.Sprintf("got[%d]", m.Result), m.Got.Hex(m.Bits))
	return sb.String()
}
