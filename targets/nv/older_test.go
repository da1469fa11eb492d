package nv_test

import (
	"math/bits"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// full reports the run over all forms and targets; else tests take samples.
func full() bool { return os.Getenv("PTXLOWER_FULL") != "" }

// olderClasses are the first targets before sm_70 of each set of features; the
// others of a set have the same machine and rules.
func olderClasses(t testing.TB) []*isel.Target {
	t.Helper()
	first := map[ir.Features]*isel.Target{}
	var out []*isel.Target
	for _, tg := range nv.OlderTargets() {
		f, ok := first[tg.Features]
		if !ok {
			first[tg.Features] = tg
			out = append(out, tg)
			continue
		}
		require.Same(t, f.Machine, tg.Machine, "%s and %s", f.Name, tg.Name)
		require.Same(t, &f.Rules[0], &tg.Rules[0], "%s and %s", f.Name, tg.Name)
	}
	return out
}

func older(t testing.TB, name string) *isel.Target {
	t.Helper()
	for _, tg := range nv.OlderTargets() {
		if tg.Name == name {
			return tg
		}
	}
	t.Fatalf("no target %s", name)
	return nil
}

// sample are all forms but vmad and one of some forms of vmad; every stride that
// is no multiple of 7 or 2 sees all selectors and modifiers.
func sample(stride int) []ptx.Form {
	var out []ptx.Form
	for i, f := range forms() {
		if full() || f.Op != ptx.Vmad || i%stride == 0 {
			out = append(out, f)
		}
	}
	return out
}

func TestOlderGenerationsAreFiveSetsOfFeatures(t *testing.T) {
	var names []string
	sets := map[ir.Features]bool{}
	for _, tg := range nv.OlderTargets() {
		names = append(names, tg.Name)
		sets[tg.Features] = true
	}
	require.Equal(t, []string{"sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21", "sm_30", "sm_32", "sm_35", "sm_37",
		"sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62"}, names)
	require.Len(t, sets, 5)
	require.Len(t, olderClasses(t), 5)
}

// Halves of words are read in place by XMAD alone.
func TestOnlyTargetsThatMultiplyHalvesHaveFormsOfThem(t *testing.T) {
	require.Len(t, ptx.Halved(), 20)
	for _, tg := range append(nv.OlderTargets(), nv.Targets()...) {
		for _, f := range ptx.Halved() {
			require.Equal(t, tg.Features.Has(nv.HalfMul), tg.Has(f), "%s on %s", f.Name(), tg.Name)
			if tg.Has(f) {
				nf, _, err := tg.SelectForm(f, ptx.ISA)
				require.NoError(t, err)
				ops, moves := nf.Count()
				require.Equal(t, 1, ops+moves, f.Name())
			}
		}
	}
}

func TestEveryFormComputesWhatItMeansOnOlderGenerations(t *testing.T) {
	for _, tg := range olderClasses(t) {
		t.Run(tg.Name, func(t *testing.T) {
			for _, m := range models {
				for i, f := range append(sample(9), halved(tg)...) {
					mm, err := eval.CheckForm(tg, f, m, 200, uint64(i))
					require.NoError(t, err)
					require.Nil(t, mm, "%s (%s): %s", f.Name(), m, mm)
				}
			}
		})
	}
}

// A carry register that is overwritten before it is read has no place: then
// allocation fails, or the allocated code computes something else.
func TestEveryFormKeepsItsCarriesInRegisters(t *testing.T) {
	for _, tg := range olderClasses(t) {
		t.Run(tg.Name, func(t *testing.T) {
			for _, m := range models {
				for i, f := range append(sample(17), halved(tg)...) {
					nf, _, err := tg.SelectForm(f, m)
					require.NoError(t, err)
					for _, in := range nf.Blocks[0].Insts {
						require.NoError(t, in.Op.Legal(in.In), "%s", f.Name())
						require.True(t, tg.Features.Has(in.Op.Needs), "%s uses %s, which %s lacks", f.Name(), in.Op.Name, tg.Name)
					}
					require.NoError(t, nf.Allocate(tg.Machine), "%s (%s)", f.Name(), m)
					b := sem.NewBuilder()
					var params []*sem.Term
					for j, w := range ir.ArgWidths(f) {
						params = append(params, b.Var(string("abcef"[j]), w))
					}
					want := f.Meaning(b, params, m)
					got, err := eval.NativeTerms(nf, tg.Machine, b, params)
					require.NoError(t, err)
					for j := range want {
						want[j] = b.Zext(want[j], got[j].W)
					}
					mm := eval.Compare(params, want, got, nil, 60, uint64(i))
					require.Nil(t, mm, "%s (%s): %s", f.Name(), m, mm)
				}
			}
		})
	}
}

func TestVmadIsRightAtTheExtremesOnOlderGenerations(t *testing.T) {
	const n = len(extremes)
	in := make([]sem.Col, 3)
	for i := range n * n * n {
		in[0].Lo = append(in[0].Lo, extremes[i/n/n])
		in[1].Lo = append(in[1].Lo, extremes[i/n%n])
		in[2].Lo = append(in[2].Lo, extremes[i%n])
	}
	out := []sem.Col{{Lo: make([]uint64, len(in[0].Lo))}, {Lo: make([]uint64, len(in[0].Lo))}}
	for _, tg := range olderClasses(t) {
		for _, m := range models {
			for _, f := range sample(9) {
				if f.Op != ptx.Vmad {
					continue
				}
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				b := sem.NewBuilder()
				params := []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)}
				want, got := f.Meaning(b, params, m)[0], c.Meaning(b, tg, params)[0]
				if want == got {
					continue
				}
				sem.Compile(params, want, got).Run(in, out)
				for i := range out[0].Lo {
					if out[0].Lo[i] != out[1].Lo[i] {
						t.Fatalf("%s, %s (%s): a=%#x b=%#x c=%#x: %#x, got %#x", tg.Name, f.Name(), m,
							in[0].Lo[i], in[1].Lo[i], in[2].Lo[i], out[0].Lo[i], out[1].Lo[i])
					}
				}
			}
		}
	}
}

// What ptxas computes is what the manual says for 3,804 behaviours; on targets
// where VMAD multiplies words, the others alone take steps.
func TestOlderGenerationsUseVmadWhereBothModelsAgree(t *testing.T) {
	for name, want := range map[string][2]int{
		"sm_20": {4704, 3804}, "sm_50": {4704, 3804}, // {in the manual's model, in ptxas'}
		"sm_60": {3456, 3096}, "sm_10": {0, 0},
	} {
		tg := older(t, name)
		for i, m := range models {
			n := 0
			for _, f := range ptx.Behaviours() {
				if f.Op != ptx.Vmad {
					continue
				}
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				if ops := mach.Ops(c.Out); len(ops) == 1 && ops[0] == nv.VMAD(f) {
					n++
				}
			}
			require.Equal(t, want[i], n, "%s, model %s", name, m)
		}
	}
}

func TestEveryFormIsRightWithConstantsOnOlderGenerations(t *testing.T) {
	for _, tg := range olderClasses(t) {
		for n, f := range sample(61) {
			ins := ir.ArgWidths(f)
			if f.Op == ptx.Lop3 && f.Lut%5 != 0 {
				continue
			}
			for set := range 1 << len(ins) { // which operands are constants
				if k := bits.OnesCount(uint(set)); k > 1 && k < len(ins) {
					continue
				}
				fn := ir.NewFunc("f")
				args := make([]*ir.Value, len(ins))
				for i, w := range ins {
					if set>>i&1 == 0 {
						args[i] = fn.Param(string("abcef"[i]), w)
					} else {
						args[i] = fn.Const(sem.U(constants[(n+3*i+set)%len(constants)]), w)
					}
				}
				fn.Results = ir.ResultWidths(f)
				fn.Blocks[0].Ret(fn.Blocks[0].PTX(f, args...)...)
				nf, err := tg.Select(fn, nil)
				require.NoError(t, err, "%s on %s", f.Name(), tg.Name)
				for _, in := range nf.Blocks[0].Insts {
					require.NoError(t, in.Op.Legal(in.In), "%s", f.Name())
				}
				require.NoError(t, nf.Allocate(tg.Machine), "%s on %s, constants %b", f.Name(), tg.Name, set)
				mm, err := eval.CheckLowering(fn, nf, tg.Machine, 30, uint64(n))
				require.NoError(t, err, "%s", f.Name())
				require.Nil(t, mm, "%s on %s, constants %b: %s", f.Name(), tg.Name, set, mm)
			}
		}
	}
}

func TestEveryRuleAndEveryRowOfOlderGenerationsIsUsed(t *testing.T) {
	rules, rows := map[*isel.Rule]bool{}, map[*mach.Op]bool{}
	for _, tg := range olderClasses(t) {
		for _, m := range models {
			for _, f := range slices.Concat(forms(), halved(tg)) {
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				rules[c.Rule] = true
				for _, o := range mach.Ops(c.Out) {
					require.True(t, tg.Features.Has(o.Needs), "%s uses %s, which %s lacks", c.Rule.Name, o.Name, tg.Name)
					rows[o] = true
				}
			}
		}
		m := tg.Machine
		for _, w := range [...]int{1, 32} {
			c, ok := m.ClassOf(w)
			require.True(t, ok)
			rows[m.Const(c)], rows[m.Copy(c)] = true, true
		}
		for _, e := range [...]mach.Expr{m.SaveCarry(mach.Arg(0)), m.LoadCarry(mach.Arg(0)), m.BoolIn(mach.Arg(0)), m.BoolOut(mach.Arg(0))} {
			for _, o := range mach.Ops([]mach.Expr{e}) {
				rows[o] = true
			}
		}
	}
	for _, tg := range olderClasses(t) {
		names := map[string]bool{}
		for i := range tg.Rules {
			r := &tg.Rules[i]
			require.False(t, names[r.Name], "two rules %q", r.Name)
			names[r.Name] = true
			if len(r.When) > 0 && tg.Features.Has(r.Needs) {
				chosen(t, tg, r, every(101), func(c *isel.Choice, _ ptx.Model) bool {
					rules[r] = true
					return true
				})
			}
			if tg.Features.Has(r.Needs) && tg.Features&r.Lacks == 0 {
				require.True(t, rules[r], "no form chooses rule %q of %s", r.Name, tg.Name)
			}
		}
	}
	all := append(nv.FermiOps(), nv.TeslaOps()...)
	for _, o := range all {
		require.True(t, rows[o], "no rule uses %s %s", o.Name, o.Syntax)
		require.NotEmpty(t, o.Src)
	}
	require.Len(t, rows, len(all), "a rule uses a row that is not listed")
}

func TestOlderMachinesHaveOneCarryRegister(t *testing.T) {
	for name, want := range map[string]int{"sm_10": 64, "sm_20": 62, "sm_30": 62, "sm_32": 254, "sm_50": 254, "sm_62": 254} {
		m := older(t, name).Machine
		require.Len(t, m.Banks[mach.General].Order, want, name)
		require.Len(t, m.Banks[mach.Carry].Order, 1)
		require.Equal(t, mach.Carry, m.Carry.Bank)
		if name != "sm_10" {
			require.NotContains(t, m.Banks[mach.General].Order, int16(1), "R1 is the stack pointer")
			require.Len(t, m.Banks[mach.Predicate].Order, 7)
		}
	}
}

func TestCSFUTakesOneForEachNegativeFactor(t *testing.T) {
	b := sem.NewBuilder()
	x, y, c := b.Var("x", 32), b.Var("y", 32), b.Var("c", 32)
	half := func(v *sem.Term, lo int) *sem.Term { return b.Sext(b.Bits(v, lo+15, lo), 32) }
	takes := func(v, w *sem.Term) *sem.Term { // v negative, the low half of w not 0
		low := b.Eq(b.Bits(w, 15, 0), b.U(0, 16))
		return b.ShlK(b.Zext(b.And(b.Bit(v, 31), b.Not(low)), 32), 16)
	}
	want := b.Sub(b.Sub(b.Add(b.Mul(half(x, 16), half(y, 16)), c), takes(x, y)), takes(y, x))
	got := nv.X_CSFU.Meaning(b, []*sem.Term{x, y, c})
	require.Nil(t, eval.Compare([]*sem.Term{x, y, c}, []*sem.Term{want}, got, nil, 1<<20, 1))
}
