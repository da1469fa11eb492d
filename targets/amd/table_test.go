package amd_test

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// known makes the facts of a rule all that is known of the operands.
func known(r *isel.Rule, f ptx.Form) func(int) sem.Facts {
	ws := ir.ArgWidths(f)
	return func(i int) sem.Facts {
		for _, x := range r.When {
			switch {
			case x.Arg != i:
			case x.Signed:
				return sem.BetweenS(sem.S(-int64(x.Max)-1), sem.S(int64(x.Max)), ws[i])
			default:
				return sem.Between(sem.U(x.Min), sem.U(x.Max), ws[i])
			}
		}
		return sem.Any(ws[i])
	}
}

// within is a term that takes just the values that a fact allows, from x.
func within(b *sem.Builder, x *sem.Term, f isel.Fact) *sem.Term {
	n := bits.Len64(f.Max - f.Min)
	if f.Signed {
		return b.Sext(b.Bits(x, n, 0), x.W)
	}
	if n == 0 {
		return b.U(f.Min, x.W)
	}
	return b.Add(b.Zext(b.Bits(x, n-1, 0), x.W), b.U(f.Min, x.W))
}

// choices calls f with every choice that the target's rules make: for general
// operands, and for those that a rule's facts describe.
func choices(t *isel.Target, f func(*isel.Choice, ptx.Model)) {
	for _, form := range append(forms(), ptx.Fused()...) {
		for _, m := range models(form) {
			if c, err := t.Choose(form, m, nil); err == nil {
				f(c, m)
			}
		}
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		if r.When == nil {
			continue
		}
		for _, form := range forms() {
			if !isel.Match(r.Forms, form.Name()) {
				continue
			}
			if c, err := t.Choose(form, ptx.ISA, known(r, form)); err == nil && c.Rule == r {
				f(c, ptx.ISA)
			}
		}
	}
}

func TestRulesUnderFactsComputeWhatTheFormMeans(t *testing.T) {
	for _, tg := range amd.Targets() {
		choices(tg, func(c *isel.Choice, m ptx.Model) {
			if c.Rule.When == nil {
				return
			}
			b := sem.NewBuilder()
			var vars, params []*sem.Term
			for i, w := range ir.ArgWidths(c.Form) {
				x := b.Var(string("abce"[i]), w)
				vars = append(vars, x)
				for _, f := range c.Rule.When {
					if f.Arg == i {
						x = within(b, x, f)
					}
				}
				params = append(params, x)
			}
			want, got := c.Form.Meaning(b, params, m), c.Meaning(b, tg, params)
			for i := range want {
				want[i] = b.Zext(want[i], got[i].W)
			}
			if x := eval.Compare(vars, want, got, nil, 2000, 2); x != nil {
				t.Errorf("%s: %s by rule %q: %v", tg.Name, c.Form.Name(), c.Rule.Name, x)
			}
		})
	}
}

func TestEveryRuleIsChosenAndEveryRowIsUsed(t *testing.T) {
	usedRules, usedRows := map[string]bool{}, map[*mach.Op]bool{}
	for _, tg := range amd.Targets() {
		mc := tg.Machine
		for _, w := range []int{1, 32} {
			cl, _ := mc.ClassOf(w)
			usedRows[mc.Const(cl)], usedRows[mc.Copy(cl)] = true, true
		}
		choices(tg, func(c *isel.Choice, _ ptx.Model) {
			usedRules[c.Rule.Name] = true
			for _, o := range mach.Ops(c.Out) {
				usedRows[o] = true
				if !c.Rule.Needs.Has(o.Needs) {
					t.Errorf("rule %q uses %s without its features", c.Rule.Name, o.Name)
				}
			}
		})
		names := map[string]bool{}
		for _, r := range tg.Rules {
			require.False(t, names[r.Name], "two rules are named %q", r.Name)
			names[r.Name] = true
			require.True(t, usedRules[r.Name], "no form is lowered by rule %q", r.Name)
		}
	}
	for _, o := range amd.Ops() {
		require.True(t, usedRows[o], "no rule uses %s %s", o.Name, o.Syntax)
		require.NotEmpty(t, o.Src, o.Name)
	}
}

// The row with a single register as its 64-bit addend does not know the upper
// word of its result: whatever that is, no result of a rule may change.
func TestNoRuleReadsAnUpperWordThatDependsOnTheNextRegister(t *testing.T) {
	i := slices.IndexFunc(amd.Ops(), func(o *mach.Op) bool { return strings.Contains(o.Syntax, "$2:") })
	require.GreaterOrEqual(t, i, 0)
	op := amd.Ops()[i]
	known := op.Meaning
	defer func() { op.Meaning = known }()
	op.Meaning = func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		out := known(b, in)
		noise := b.Mul(b.Add(in[0], in[2]), b.U(0x9e3779b1, 32))
		return []*sem.Term{b.Concat(noise, b.Bits(out[0], 31, 0)), b.Not(out[1])}
	}
	n := 0
	for _, tg := range amd.Targets() {
		choices(tg, func(c *isel.Choice, m ptx.Model) {
			if c.Rule.When != nil || !slices.Contains(mach.Ops(c.Out), op) {
				return
			}
			n++
			if x := eval.CheckChoice(tg, c, m, 500, 3); x != nil {
				t.Errorf("%s: %v", c.Form.Name(), x)
			}
		})
	}
	require.Greater(t, n, 100)
}

func TestMasksAndRegistersAreThoseThatCallersSave(t *testing.T) {
	for _, tg := range amd.Targets() {
		v := tg.Machine.Banks[mach.General].Order
		for _, n := range []int16{0, 39, 48, 55, 64} {
			require.Contains(t, v, n)
		}
		for _, n := range []int16{40, 47, 56, 255} {
			require.NotContains(t, v, n)
		}
		require.Equal(t, []int16{106, 4, 6}, tg.Machine.Banks[mach.Predicate].Order[:3])
	}
}
