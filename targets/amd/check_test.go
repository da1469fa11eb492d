package amd_test

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// targets are made once, so that all tests share what they remember.
var targets = amd.Targets()

func target(t testing.TB, name string) *isel.Target {
	t.Helper()
	for _, x := range targets {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("no target %s", name)
	return nil
}

// forms are all forms that a target lowers.
func forms() []ptx.Form { return slices.Clip(allForms()) }

var allForms = sync.OnceValue(func() []ptx.Form { return append(ptx.Behaviours(), ptx.Neighbours()...) })

func models(f ptx.Form) []ptx.Model {
	if f.Op == ptx.Vmad {
		return []ptx.Model{ptx.ISA, ptx.PTXAS}
	}
	return []ptx.Model{ptx.ISA}
}

// sampled gives, for each target, the forms to check it on: all of them under
// PTXLOWER_FULL=1, else every so many from a place of its own on. Targets that
// have the features of an older one have its rules too, and get fewer forms.
func sampled(t *testing.T, every int, f func(t *testing.T, tg *isel.Target, forms []ptx.Form)) {
	t.Helper()
	all := forms()
	seen := map[ir.Features]bool{}
	for i, tg := range targets {
		stride := every
		if seen[tg.Features] {
			stride *= 16
		}
		seen[tg.Features] = true
		some := all
		if os.Getenv("PTXLOWER_FULL") != "1" {
			some = nil
			for n := i % stride; n < len(all); n += stride {
				some = append(some, all[n])
			}
		}
		t.Run(tg.Name, func(t *testing.T) { f(t, tg, some) })
	}
}

// leading are the first targets of each set of features.
func leading() []*isel.Target {
	seen := map[ir.Features]bool{}
	return slices.DeleteFunc(slices.Clone(targets), func(t *isel.Target) bool {
		old := seen[t.Features]
		seen[t.Features] = true
		return old
	})
}

func TestEveryFormComputesWhatItMeans(t *testing.T) {
	sampled(t, 11, func(t *testing.T, tg *isel.Target, forms []ptx.Form) {
		bad := 0
		for _, f := range forms {
			for _, m := range models(f) {
				x, err := eval.CheckForm(tg, f, m, 500, 1)
				require.NoError(t, err, f.Name())
				if x != nil {
					c, _ := tg.Choose(f, m, nil)
					t.Errorf("%s %v by rule %q: %v", f.Name(), m, c.Rule.Name, x)
					if bad++; bad > 30 {
						t.FailNow()
					}
				}
			}
		}
	})
}

// A form that PTX does not have gives an error or some code, never a panic.
func TestNoFormPanics(t *testing.T) {
	some := leading()
	rapid.Check(t, func(r *rapid.T) {
		tg := rapid.SampledFrom(some).Draw(r, "target")
		types := rapid.SampledFrom([]ptx.Type{ptx.NoType, ptx.U8, ptx.U16, ptx.U32, ptx.U64, ptx.S8, ptx.S16, ptx.S32, ptx.S64, ptx.B8, ptx.B16, ptx.B32, ptx.B64, ptx.Pred})
		flag := func(name string) bool { return rapid.Bool().Draw(r, name) }
		f := ptx.Form{
			Op:   ptx.Op(rapid.IntRange(1, int(ptx.NumOps)-1).Draw(r, "op")),
			Mode: ptx.Mode(rapid.IntRange(0, int(ptx.Right)).Draw(r, "mode")),
			T:    types.Draw(r, "t"), A: types.Draw(r, "a"), B: types.Draw(r, "b"),
			CC: flag("cc"), Sat: flag("sat"), PO: flag("po"),
			Shr:  rapid.SampledFrom([]uint8{0, 7, 15}).Draw(r, "shr"),
			SelA: ptx.Sel(rapid.IntRange(0, int(ptx.NumSels)-1).Draw(r, "sela")),
			SelB: ptx.Sel(rapid.IntRange(0, int(ptx.NumSels)-1).Draw(r, "selb")),
			NegA: flag("nega"), NegB: flag("negb"), NegC: flag("negc"),
			Cmp:  ptx.Cmp(rapid.IntRange(0, int(ptx.HsU)).Draw(r, "cmp")),
			Bool: ptx.BoolOp(rapid.IntRange(0, int(ptx.BoolXor)).Draw(r, "bool")),
			Dual: flag("dual"), Wrap: flag("wrap"), ShiftAmt: flag("amt"),
			Perm: ptx.PermMode(rapid.IntRange(0, int(ptx.RC16)).Draw(r, "perm")),
			Lut:  rapid.Uint8().Draw(r, "lut"),
			Pack: int8(rapid.SampledFrom([]int{0, 2, -2, 4, -4}).Draw(r, "pack")),
		}
		_, _ = tg.Choose(f, ptx.Model(rapid.IntRange(0, 1).Draw(r, "model")), nil)
	})
}
