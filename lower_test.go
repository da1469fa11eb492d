package ptxlower_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

// lowered runs Lower and fails on any error; it gives the output.
func lowered(t require.TestingT, text string, opt ptxlower.Options) *ptxlower.Result {
	res, err := ptxlower.Lower(context.Background(), "t.ll", []byte(text), opt)
	if err != nil {
		var heads []string
		for i := range res.Diags {
			heads = append(heads, res.Diags[i].Error())
		}
		require.NoError(t, err, "%v\n%s", heads, text)
	}
	return res
}

func TestRandomProgramsAreLoweredForEveryTarget(t *testing.T) {
	some := strings.Fields("sm_13 sm_20 sm_35 sm_52 sm_61 sm_70 sm_90 sm_120 gfx600 gfx803 gfx900 gfx90a gfx1030 gfx1100 gfx1250 generic generic64 generic-sdwa")
	for _, tg := range targets.Supported() {
		if os.Getenv("PTXLOWER_FULL") == "" && !slices.Contains(some, tg.Name) {
			continue
		}
		t.Run(tg.Name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			rapid.Check(t, func(rt *rapid.T) {
				text := programs(true).Draw(rt, "program")
				opt := ptxlower.Options{Target: tg.Name, Emit: ptxlower.EmitAsm, O0: rapid.Bool().Draw(rt, "-O0")}
				if rapid.Bool().Draw(rt, "--vmad=ptxas") {
					opt.Model = ptx.PTXAS
				}
				if tg.Machine.SSA {
					opt.Emit = ptxlower.EmitLLVM
				}
				res := lowered(rt, text, opt)
				if opt.Emit == ptxlower.EmitAsm && res.Checked != 1 {
					rt.Fatalf("%d checks\n%s", res.Checked, text)
				}
				for _, d := range res.Diags {
					if d.ID == "not-selectable" {
						rt.Fatalf("%s\n%s", d.Text, text)
					}
				}
				checked += res.Checked
			})
			require.Greater(t, checked, 50, "checks are made")
		})
	}
}

// whole is the first function of a module as IR.
func whole(t require.TestingT, text string, m ptx.Model) (*ir.Func, []*lower.Unit) {
	var l diag.List
	mod := ll.Parse(diag.NewFile("t.ll", []byte(text)), &l)
	units := lower.Lift(mod, lower.Options{Model: m}, &l)
	require.NoError(t, l.Err(), text)
	f, refusal := units[0].WideFunction(mod, m)
	require.Nil(t, refusal, "%v\n%s", refusal, text)
	return f, units
}

// differs compares two functions of the same parameters on vectors.
func differs(want, got *ir.Func, lanes int) error {
	var widths []int
	for _, p := range want.Params {
		widths = append(widths, p.W)
	}
	cols := eval.Vectors(widths, lanes, 11)
	x, y := eval.CompileIR(want), eval.CompileIR(got)
	for l := range lanes {
		in := make([]sem.Val, len(cols))
		for i, c := range cols {
			in[i] = sem.U(c.Lo[l])
		}
		a, err := x.Run(in, 5000)
		b, err2 := y.Run(in, 5000)
		if err = errors.Join(err, err2); err != nil {
			return err
		}
		for i := range a {
			if a[i] != b[i] {
				return fmt.Errorf("%v: result %d is %v, not %v", in, i, b[i], a[i])
			}
		}
	}
	return nil
}

func carries(s *lower.Site) bool {
	return slices.ContainsFunc(s.Insts, func(x lower.SiteInst) bool { return x.Form.CC || x.Form.ReadsCF() })
}

// The text that --emit=llvm writes is read again, phis, names and all, and run
// against the source.
func TestTheTextOfPortableIRComputesWhatItsSourceDoes(t *testing.T) {
	for _, branches := range []bool{false, true} {
		t.Run(fmt.Sprintf("branches %v", branches), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				text := programs(branches).Draw(rt, "program")
				opt := ptxlower.Options{Target: rapid.SampledFrom([]string{"generic", "sm_70", "gfx900"}).Draw(rt, "target"), Emit: ptxlower.EmitLLVM,
					O0: rapid.Bool().Draw(rt, "-O0"), Verify: ptxlower.VerifyOff}
				out := string(lowered(rt, text, opt).Output)
				want, _ := whole(rt, text, ptx.ISA)
				got, units := whole(rt, out, ptx.ISA)
				ofChains := slices.ContainsFunc(units[0].Sites, func(s *lower.Site) bool { return carries(s) })
				for _, s := range units[0].Sites { // chains of carries stay for NVIDIA, with their products
					if opt.Target != "sm_70" || opt.O0 || !ofChains || !s.Family() {
						rt.Fatalf("a site is left\n%s", out)
					}
				}
				if err := differs(want, got, 40); err != nil {
					rt.Fatalf("%v\n%s\n%s", err, text, out)
				}
			})
		})
	}
}
