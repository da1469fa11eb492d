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

// covered are the forms that a pattern covers.
var covered = func() func(pattern string) []ptx.Form {
	byPattern := map[string][]ptx.Form{}
	names := map[ptx.Form]string{}
	for _, f := range forms() {
		names[f] = f.Name()
	}
	return func(pattern string) []ptx.Form {
		fs, ok := byPattern[pattern]
		if !ok {
			for _, f := range forms() {
				if isel.Match(pattern, names[f]) {
					fs = append(fs, f)
				}
			}
			byPattern[pattern] = fs
		}
		return fs
	}
}()

// choices calls f with every choice that the target's rules make: for general
// operands, and for those that a rule's facts describe.
func choices(t *isel.Target, f func(*isel.Choice, ptx.Model)) {
	fused := ptx.Fused()
	for _, form := range append(forms(), fused...) {
		for _, m := range models(form) {
			c, err := t.Choose(form, m, nil)
			switch {
			case err == nil:
				f(c, m)
			case !slices.Contains(fused, form):
				panic(err)
			}
		}
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		if r.When == nil {
			continue
		}
		for _, form := range covered(r.Forms) {
			if c, err := t.Choose(form, ptx.ISA, known(r, form)); err == nil && c.Rule == r {
				f(c, ptx.ISA)
			}
		}
	}
}

// unlike are targets that differ in their scalar units; what others have is one of
// theirs.
var unlike = []string{"gfx600", "gfx900", "gfx1200"}

// uniformChoices calls f with every choice that the rules for scalar registers
// make: for general operands, for those that facts describe, and for constants.
func uniformChoices(t *isel.Target, f func(*isel.Choice)) {
	for _, form := range append(forms(), ptx.Fused()...) {
		if form.Op == ptx.Vmad {
			continue
		}
		if c, err := t.ChooseUniform(form, ptx.ISA, nil); err == nil {
			f(c)
		}
	}
	for i := range t.Uniform {
		r := &t.Uniform[i]
		for _, form := range covered(r.Forms) {
			facts := []func(int) sem.Facts{known(r, form)}
			if r.Fold != nil {
				facts = nil
				ws := ir.ArgWidths(form)
				for _, k := range []uint64{1, 3, 8, 16, 31} {
					facts = append(facts, func(i int) sem.Facts {
						if i == 0 {
							return sem.Any(ws[0])
						}
						return sem.Exactly(sem.U(k), ws[i])
					})
				}
			}
			for _, known := range facts {
				if c, err := t.ChooseUniform(form, ptx.ISA, known); err == nil && c.Rule == r {
					f(c)
				}
			}
		}
	}
}

func TestRulesUnderFactsComputeWhatTheFormMeans(t *testing.T) {
	for _, tg := range leading() {
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
			if x := eval.Compare(vars, want, got, nil, 500, 2); x != nil {
				t.Errorf("%s: %s by rule %q: %v", tg.Name, c.Form.Name(), c.Rule.Name, x)
			}
		})
	}
}

func TestEveryRuleIsChosenAndEveryRowIsUsed(t *testing.T) {
	chosen, rules, used := map[string]bool{}, map[string]bool{}, map[*mach.Op]bool{}
	for _, tg := range append(leading(), clampers(t)...) {
		uses := map[*mach.Op]int{}
		use := func(o *mach.Op) {
			used[o] = true
			uses[o]++
			require.True(t, tg.Features.Has(o.Needs), "%s has no %s", tg.Name, o.Name)
		}
		mc := tg.Machine
		for _, w := range []int{1, 32} {
			cl, _ := mc.ClassOf(w)
			use(mc.Const(cl))
			use(mc.Copy(cl))
		}
		use(mc.Complement(mach.Class{Bank: mach.Predicate, Bits: 1}))
		word, _ := mc.ScalarOf(32)
		use(mc.Const(word))
		use(mc.Copy(word))
		for _, o := range mach.Ops([]mach.Expr{mc.BoolIn(mach.Arg(0)), mc.BoolOut(mach.Arg(0)), mc.NotZero(mach.Arg(0)), mc.IsZero(mach.Arg(0)), mc.Bit(mach.Arg(0))}) {
			use(o)
		}
		if slices.Contains(unlike, tg.Name) {
			uniformChoices(tg, func(c *isel.Choice) {
				chosen[c.Rule.Name] = true
				for _, o := range mach.Ops(c.Out) {
					use(o)
				}
			})
		}
		for _, r := range tg.Uniform {
			rules[r.Name] = true
		}
		look := func(c *isel.Choice, _ ptx.Model) {
			chosen[c.Rule.Name] = true
			for _, o := range mach.Ops(c.Out) {
				use(o)
			}
		}
		if tg.Features.Has(amd.MADCLAMP) { // the rest is as without
			byClamp(t, tg, look)
		} else {
			choices(tg, look)
			requireSpecial(t, tg, uses)
		}
		names := map[string]bool{}
		for _, r := range tg.Rules {
			require.False(t, names[r.Name], "%s: two rules are named %q", tg.Name, r.Name)
			names[r.Name], rules[r.Name] = true, true
		}
	}
	for name := range rules {
		require.True(t, chosen[name], "no form is lowered by rule %q", name)
	}
	for _, o := range amd.Ops() {
		if o.Name == "s_movk_i32" { // in listings, for s_mov_b32
			continue
		}
		require.True(t, used[o], "no rule uses %s %s with %b", o.Name, o.Syntax, o.Needs)
		require.NotEmpty(t, o.Src, o.Name)
	}
}

// Rows with a single register as their 64-bit addend do not know the upper word
// of their result: whatever that is, no result of a rule may change.
func TestNoRuleReadsAnUpperWordThatDependsOnTheNextRegister(t *testing.T) {
	rows := map[*mach.Op]bool{}
	for _, op := range amd.Ops() {
		if !strings.Contains(op.Syntax, "$2:") {
			continue
		}
		rows[op] = false
		known := op.Meaning
		defer func() { op.Meaning = known }()
		op.Meaning = func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			out := known(b, in)
			noise := b.Mul(b.Add(in[0], in[2]), b.U(0x9e3779b1, 32))
			return []*sem.Term{b.Concat(noise, b.Bits(out[0], 31, 0)), b.Not(out[1])}
		}
	}
	require.NotEmpty(t, rows)
	for _, tg := range leading() {
		n := 0
		choices(tg, func(c *isel.Choice, m ptx.Model) {
			if c.Rule.When != nil {
				return
			}
			for _, op := range mach.Ops(c.Out) {
				if _, is := rows[op]; !is {
					continue
				}
				rows[op] = true
				if n++; n%5 != 0 {
					return
				}
				if x := eval.CheckChoice(tg, c, m, 300, 3); x != nil {
					t.Errorf("%s %s: %v", tg.Name, c.Form.Name(), x)
				}
				return
			}
		})
	}
	for op, reached := range rows {
		require.True(t, reached, "%s %b", op.Name, op.Needs)
	}
}

func TestMasksAndRegistersAreThoseThatCallersSave(t *testing.T) {
	for _, tg := range leading() {
		v := tg.Machine.Banks[mach.General].Order
		for _, n := range []int16{0, 39, 48, 55, 64} {
			require.Contains(t, v, n)
		}
		for _, n := range []int16{40, 47, 56, 255} {
			require.NotContains(t, v, n)
		}
		masks := []int16{106, 4, 6}
		if tg.Features.Has(amd.W32) {
			masks = []int16{106, 4, 5}
		}
		require.Equal(t, masks, tg.Machine.Banks[mach.Predicate].Order[:3])
	}
}

// The registry knows the same names; here is what tells one generation from the
// next (seen: llvm-mc 22).
func TestGenerationsHaveWhatTheyHave(t *testing.T) {
	require.Len(t, targets, 48)
	since := map[string][]string{ // feature: targets with it, after them those without
		"MAD64":   {"gfx700 gfx1250", "gfx600 gfx602"},
		"SDWA":    {"gfx801 gfx900 gfx942 gfx1036", "gfx705 gfx1100 gfx1250"},
		"OPS16":   {"gfx810 gfx90c gfx950", "gfx700 gfx1010 gfx1201"},
		"ALIGNED": {"gfx90a gfx940 gfx950 gfx1250", "gfx908 gfx1030 gfx1200"},
		"FWD":     {"gfx1100 gfx1103", "gfx1036 gfx1150 gfx1200"},
		"W32":     {"gfx1010 gfx1153 gfx1250", "gfx600 gfx950"},
		"XNOR":    {"gfx906 gfx908 gfx90a gfx1013", "gfx900 gfx909 gfx90c"},
		"BITOP3":  {"gfx950 gfx1250", "gfx942 gfx1201"},
		"NOPS":    {"gfx940 gfx950", "gfx90a gfx1250"},
		"WAITALU": {"gfx1200 gfx1201", "gfx1153 gfx1250"},
	}
	bits := map[string]ir.Features{"MAD64": amd.MAD64, "SDWA": amd.SDWA, "OPS16": amd.OPS16, "ALIGNED": amd.ALIGNED, "FWD": amd.FWD,
		"W32": amd.W32, "XNOR": amd.XNOR, "BITOP3": amd.BITOP3, "NOPS": amd.NOPS, "WAITALU": amd.WAITALU}
	for name, targets := range since {
		for i, want := range []bool{true, false} {
			for n := range strings.FieldsSeq(targets[i]) {
				require.Equal(t, want, target(t, n).Features.Has(bits[name]), "%s %s", n, name)
			}
		}
	}
}
