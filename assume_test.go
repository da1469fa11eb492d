package ptxlower_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Montgomery in even and odd words drops carries that occur unless the top words
// of a and p are below 2^31: with that assumed, it is written again; within the
// bounds both compute the same, beyond them they need not.
func TestAssumptionsLetDroppedCarriesBeZero(t *testing.T) {
	c := readChain(t, "spec/nv/chains", "mont256_evenodd")
	text := c.Function("nvptx64-nvidia-cuda")
	want, _ := whole(t, text, ptx.ISA)
	opt := ptxlower.Options{Emit: ptxlower.EmitLLVM}
	small := []string{"@f:%a7<2^31", "%p7 <= 0x7fffffff"}
	for _, target := range []string{"sm_80", "sm_52", "gfx900"} {
		opt.Target, opt.Assume, opt.Verify = target, nil, ptxlower.VerifyRun
		without := lowered(t, text, opt)
		require.NotContains(t, string(without.Output), "ptxl.c0.r0")
		opt.Assume = small
		if target != "gfx900" {
			opt.Verify = ptxlower.VerifyProve
		}
		with := lowered(t, text, opt)
		require.Contains(t, string(with.Output), "ptxl.c0.r0")
		i := slices.IndexFunc(with.Diags, func(d diag.Diagnostic) bool { return d.ID == "rechain" })
		require.GreaterOrEqual(t, i, 0)
		require.Contains(t, with.Diags[i].Text, "proved by telescoping, assuming %a7 < 2^31 and %p7 <= 0x7fffffff")
		got, _ := whole(t, string(with.Output), ptx.ISA)
		require.Zero(t, differences(t, want, got, map[string]uint64{"a7": 1<<31 - 1, "p7": 1<<31 - 1}), target)
	}
	// In rows no carry is lost, whatever the numbers: there the assumption saves
	// operations, and what is wrongly assumed gives wrong results.
	rows := readChain(t, "spec/nv/chains", "mont256_rowlohi").Function("nvptx64-nvidia-cuda")
	want, _ = whole(t, rows, ptx.ISA)
	got, _ := whole(t, string(lowered(t, rows, ptxlower.Options{Target: "sm_80", Emit: ptxlower.EmitLLVM, Assume: small}).Output), ptx.ISA)
	require.Zero(t, differences(t, want, got, map[string]uint64{"a7": 1<<31 - 1, "p7": 1<<31 - 1}))
	require.NotZero(t, differences(t, want, got, nil))
	// A listing is checked where the assumption holds.
	res := lowered(t, text, ptxlower.Options{Target: "sm_80", Emit: ptxlower.EmitAsm, Assume: small})
	require.LessOrEqual(t, ops(string(res.Output)), 171)
	// Assumptions of another function say nothing of this one.
	other := lowered(t, text+"\ndefine void @g(i32 %a7, i32 %p7) {\n  ret void\n}\n", ptxlower.Options{Target: "sm_80", Emit: ptxlower.EmitLLVM, Assume: []string{"@g:%a7<2^31", "@g:%p7<2^31"}})
	require.NotContains(t, string(other.Output), "ptxl.c0.r0")
}

// differences counts the vectors for which two functions differ, some parameters
// at most as great as max says.
func differences(t *testing.T, want, got *ir.Func, max map[string]uint64) (n int) {
	cols := eval.Vectors(slices.Repeat([]int{32}, len(want.Params)), 300, 5)
	x, y := eval.CompileIR(want), eval.CompileIR(got)
	for l := range 300 {
		var in []sem.Val
		for i, p := range want.Params {
			v := cols[i].Lo[l]
			if l%2 == 1 { // great numbers, which carry
				v |= 0xfff00000
			}
			if m, ok := max[p.Name]; ok {
				v = min(v, m)
			}
			in = append(in, sem.U(v))
		}
		a, err := x.Run(in, 5000)
		require.NoError(t, err)
		b, err := y.Run(in, 5000)
		require.NoError(t, err)
		n += btoi(!slices.Equal(a, b))
	}
	return n
}

func TestAssumptionsThatSayNothingAreRefused(t *testing.T) {
	for _, s := range []string{"", "%a", "@f%a<3", "@:%a<3", "%<3", "%a<", "%a<2^129", "%a<x", "%a<0", "%a<=-1", "%z<5", "@g:%a<5"} {
		_, err := ptxlower.Lower(t.Context(), "t.ll", []byte("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n"), ptxlower.Options{Emit: ptxlower.EmitLLVM, Assume: []string{s}})
		require.ErrorIs(t, err, ptxlower.ErrUsage, s)
	}
	for _, s := range []string{"%a<1", "a<2^128", "@f:%a<=0xff", "@f:%a < 12"} {
		_, err := ptxlower.Lower(t.Context(), "t.ll", []byte("define i32 @f(i32 %a) {\n  ret i32 %a\n}\n"), ptxlower.Options{Emit: ptxlower.EmitLLVM, Assume: []string{s}})
		require.NoError(t, err, s)
	}
}
