package nv_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// known is what a rule's facts say of the operands of a form, and nothing more.
func known(r *isel.Rule, f ptx.Form) func(i int) sem.Facts {
	ws := ir.ArgWidths(f)
	return func(i int) sem.Facts {
		for _, x := range r.When {
			switch {
			case x.Arg != i:
			case x.Signed:
				return sem.BetweenS(sem.S(-int64(x.Max)-1), sem.U(x.Max), ws[i])
			default:
				return sem.Between(sem.U(x.Min), sem.U(x.Max), ws[i])
			}
		}
		return sem.Any(ws[i])
	}
}

// chosen calls do for the choices of a rule with facts, for one of so many forms
// and for the first.
func chosen(t *testing.T, tg *isel.Target, r *isel.Rule, every int, do func(c *isel.Choice, m ptx.Model) bool) {
	t.Helper()
	n := 0
	for i, f := range forms() {
		if !isel.Match(r.Forms, formNames()[i]) {
			continue
		}
		for _, m := range modelsOf(f) {
			if n++; n%every != 0 && every > 1 && f.SelA|f.SelB != ptx.Word {
				continue
			}
			c, err := tg.Choose(f, m, known(r, f))
			require.NoError(t, err)
			if c.Rule == r && !do(c, m) {
				return
			}
		}
	}
}

// restricted is a variable for which the facts about operand i hold.
func restricted(b *sem.Builder, name string, w int, r *isel.Rule, i int) (v, value *sem.Term) {
	for _, x := range r.When {
		switch {
		case x.Arg != i:
		case x.Signed:
			v = b.Var(name, bitsOf(x.Max)+1)
			return v, b.Sext(v, w)
		case x.Min == x.Max:
			return b.Var(name, w), b.U(x.Min, w)
		default:
			v = b.Var(name, bitsOf(x.Max-x.Min))
			value = b.Add(b.Zext(v, w), b.U(x.Min, w))
			return v, b.Ite(b.Ult(b.U(x.Max, w), value), b.U(x.Max, w), value)
		}
	}
	v = b.Var(name, w)
	return v, v
}

// bitsOf is n for 2^n − 1.
func bitsOf(top uint64) int {
	n := 0
	for ; top > 0; top >>= 1 {
		n++
	}
	return n
}

func TestEveryRuleWithFactsComputesTheSameWhereTheyHold(t *testing.T) {
	stride := 61 // package prove has all of them
	if full() {
		stride = 7
	}
	for _, tg := range append(distinct(), olderClasses(t)...) {
		checked := 0
		for i := range tg.Rules {
			r := &tg.Rules[i]
			if len(r.When) == 0 || !tg.Features.Has(r.Needs) || tg.Features&r.Lacks != 0 {
				continue
			}
			chosen(t, tg, r, stride, func(c *isel.Choice, m ptx.Model) bool {
				b := sem.NewBuilder()
				var vars, params []*sem.Term
				for i, w := range ir.ArgWidths(c.Form) {
					v, p := restricted(b, string("abce"[i]), w, r, i)
					vars, params = append(vars, v), append(params, p)
				}
				want, got := c.Form.Meaning(b, params, m), c.Meaning(b, tg, params)
				for i := range want {
					want[i] = b.Zext(want[i], got[i].W)
				}
				mm := eval.Compare(vars, want, got, nil, 300, uint64(i))
				require.Nil(t, mm, "%s %s (%s), rule %q: %s", tg.Name, c.Form.Name(), m, r.Name, mm)
				mm = eval.CheckChoice(tg, c, m, 100, uint64(i))
				require.Nil(t, mm, "%s %s (%s), rule %q: %s", tg.Name, c.Form.Name(), m, r.Name, mm)
				checked++
				return true
			})
		}
		t.Logf("%s: %d forms under facts", tg.Name, checked)
	}
}

// expand is a choice as a function of operands in registers.
func expand(t *testing.T, tg *isel.Target, c *isel.Choice) *mach.Func {
	t.Helper()
	f := &mach.Func{Name: "f", Blocks: []*mach.Block{{Term: mach.Ret}}}
	e := mach.NewEmitter(tg.Machine, f)
	e.B = f.Blocks[0]
	var args []mach.Operand
	for _, w := range ir.ArgWidths(c.Form) {
		cl, ok := tg.Machine.ClassOf(w)
		require.True(t, ok)
		f.Params = append(f.Params, f.NewReg(cl, ""))
		args = append(args, f.R(f.Params[len(args)]))
	}
	classes, err := tg.ResultClasses(c.Form)
	require.NoError(t, err)
	e.B.Ret, err = e.Emit(c.Out, classes, args)
	require.NoError(t, err, "%s %q", c.Form.Name(), c.Rule.Name)
	f.RemoveDead()
	return f
}

// emitted is the number of its instructions.
func emitted(t *testing.T, tg *isel.Target, c *isel.Choice) int {
	t.Helper()
	n, _ := expand(t, tg, c).Count()
	return n
}

func TestFactsNeverCostInstructions(t *testing.T) {
	for _, tg := range append(distinct(), olderClasses(t)...) {
		for i := range tg.Rules {
			r := &tg.Rules[i]
			if len(r.When) == 0 || !tg.Features.Has(r.Needs) || tg.Features&r.Lacks != 0 {
				continue
			}
			chosen(t, tg, r, every(301), func(c *isel.Choice, m ptx.Model) bool {
				general, err := tg.Choose(c.Form, m, nil)
				require.NoError(t, err)
				require.LessOrEqual(t, emitted(t, tg, c), emitted(t, tg, general), "%s %s (%s), rule %q", tg.Name, c.Form.Name(), m, r.Name)
				return true
			})
		}
	}
}

func TestConstantsAndRangesTakeFewerInstructions(t *testing.T) {
	u := func(hi uint64, w int) sem.Facts { return sem.Between(sem.U(0), sem.U(hi), w) }
	s := func(n, w int) sem.Facts {
		return sem.BetweenS(sem.S(-1<<(n-1)), sem.S(1<<(n-1)-1), w)
	}
	k := func(v uint64, w int) sem.Facts { return sem.Exactly(sem.U(v), w) }
	any32 := sem.Any(32)
	for _, c := range []struct {
		form    string
		known   []sem.Facts
		general int // sm_75
		less    int
	}{
		{"mul24.lo.u32", []sem.Facts{u(0xffffff, 32), u(100, 32)}, 3, 1},
		{"mad24.lo.s32", []sem.Facts{any32, s(24, 32), any32}, 3, 2},
		{"mul24.hi.u32", []sem.Facts{u(0xffffff, 32), u(0xffffff, 32)}, 3, 2},
		{"mad24.hi.sat.s32", []sem.Facts{any32, any32, s(31, 32)}, 6, 4},
		{"mad.hi.u32", []sem.Facts{any32, k(8, 32), any32}, 2, 1},
		{"mad.hi.cc.s32", []sem.Facts{any32, k(8, 32), any32}, 2, 1},
		{"mad.lo.cc.u32", []sem.Facts{any32, k(1<<31, 32), any32}, 2, 1},
		{"mad.lo.cc.u32", []sem.Facts{any32, any32, k(0, 32)}, 2, 1},
		{"mad.hi.sat.s32", []sem.Facts{any32, any32, k(0, 32)}, 4, 1},
		{"mul.lo.u64", []sem.Facts{sem.Any(64), u(1<<32-1, 64)}, 3, 2},
		{"mul.lo.s64", []sem.Facts{s(32, 64), s(32, 64)}, 3, 1},
		{"mad.lo.u64", []sem.Facts{sem.Any(64), k(8, 64), sem.Any(64)}, 3, 2},
		{"mul.hi.u64", []sem.Facts{sem.Any(64), k(1<<20, 64)}, 6, 2},
		{"mul.hi.s64", []sem.Facts{sem.Any(64), k(1<<20, 64)}, 10, 2},
		{"mul.wide.s16", []sem.Facts{sem.Any(16), u(0x7fff, 16)}, 3, 2},
		{"add.sat.s32", []sem.Facts{s(31, 32), s(31, 32)}, 3, 1},
		{"bfe.s32", []sem.Facts{any32, k(8, 32), k(8, 32)}, 4, 1},
		{"bfe.u32", []sem.Facts{any32, k(3, 32), k(7, 32)}, 4, 2},
		{"vmad.s32.s32.u32.sat", []sem.Facts{any32, u(1000, 32), any32}, 7, 5},
		{"vmad.s32.s32.s32.sat", []sem.Facts{s(16, 32), s(16, 32), s(30, 32)}, 5, 1},
		{"vmad.s32.s32.s32.sat.shr7 a.b0, b.b1, c", []sem.Facts{any32, any32, k(0, 32)}, 4, 3},
		{"vmad.u32.u32.u32.shr7 a.b0, b.b1, c", []sem.Facts{any32, any32, u(100, 32)}, 4, 3},
	} {
		tg := target(t, "sm_75")
		f := formOf(t, c.form)
		general, err := tg.Choose(f, ptx.ISA, nil)
		require.NoError(t, err)
		require.Equal(t, c.general, emitted(t, tg, general), c.form)
		less, err := tg.Choose(f, ptx.ISA, func(i int) sem.Facts {
			if i < len(c.known) {
				return c.known[i]
			}
			return sem.Any(1)
		})
		require.NoError(t, err)
		require.Equal(t, c.less, emitted(t, tg, less), "%s: rule %q", c.form, less.Rule.Name)
	}
}

// formOf is the form of a name.
func formOf(t testing.TB, name string) ptx.Form {
	t.Helper()
	i := slices.Index(formNames(), name)
	require.GreaterOrEqual(t, i, 0, "no form %q", name)
	return forms()[i]
}
