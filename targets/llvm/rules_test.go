package llvm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// ofTarget is every form for the first target, else a sample: the others differ
// in few rules, which are checked one by one.
func ofTarget(n int) []ptx.Form {
	if n == 0 {
		return everyForm()
	}
	return sampled(everyForm(), 5)
}

func TestEveryFormComputesWhatItMeans(t *testing.T) {
	for n, target := range llvm.Targets() {
		for _, f := range ofTarget(n) {
			for _, m := range models {
				bad, err := eval.CheckForm(target, f, m, 512, 1)
				require.NoError(t, err)
				require.Nil(t, bad, "%s %s %s: %v", target.Name, f.Name(), m, bad)
			}
		}
	}
}

// −a·b of 32 × 32 bits comes within 2^31 of 2^63, where a rounded high part
// overflows.
func TestTheLargestSumSaturates(t *testing.T) {
	env := map[string]sem.Val{"a": sem.U(1<<32 - 1), "b": sem.U(1 << 31), "c": {}}
	n := 0
	for _, target := range llvm.Targets() {
		for _, f := range everyForm() {
			if f.Name() != "vmad.s32.u32.s32.sat -a, b, c" {
				continue
			}
			n++
			c, err := target.Choose(f, ptx.ISA, nil)
			require.NoError(t, err)
			b := sem.NewBuilder()
			got := c.Meaning(b, target, []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)})
			require.Equal(t, sem.U(1<<31-1), sem.Eval(got[0], env), target.Name)
		}
	}
	require.Equal(t, len(llvm.Targets()), n)
}

// meeting gives facts of a form's operands under which the rule applies.
func meeting(r *isel.Rule, f ptx.Form) func(int) sem.Facts {
	ws := ir.ArgWidths(f)
	facts := make([]sem.Facts, len(ws))
	for n, w := range ws {
		facts[n] = sem.Any(w)
	}
	for n, w := range ws {
		if r.Fold != nil && n > 0 {
			facts[n] = sem.Exactly(sem.U(uint64(5*n)), w)
		}
	}
	for _, k := range r.When {
		if k.Arg < len(ws) {
			facts[k.Arg] = sem.Between(sem.U(k.Min), sem.U(k.Max), ws[k.Arg])
		}
	}
	return func(arg int) sem.Facts { return facts[arg] }
}

// underFacts compares a choice with its form where the rule's facts hold:
// operands of one value are constants.
func underFacts(target *isel.Target, c *isel.Choice, m ptx.Model) *eval.Mismatch {
	b := sem.NewBuilder()
	var vars, params []*sem.Term
	assume := b.U(1, 1)
	for n, w := range ir.ArgWidths(c.Form) {
		x := b.Var(string(rune('a'+n)), w)
		for _, k := range c.When {
			switch {
			case k.Arg == n && k.Min == k.Max:
				x = b.U(k.Min, w)
			case k.Arg == n:
				assume = b.And(assume, k.Term(b, x))
			}
		}
		if !x.IsConst() {
			vars = append(vars, x)
		}
		params = append(params, x)
	}
	return eval.Compare(vars, c.Form.Meaning(b, params, m), c.Meaning(b, target, params), assume, 1024, 3)
}

func TestEveryRuleAnswersAndIsRightUnderItsFacts(t *testing.T) {
	for _, target := range llvm.Targets() {
		answered := map[*isel.Rule]bool{}
		for n := range target.Rules {
			r := &target.Rules[n]
			for _, f := range everyForm() {
				if !isel.Match(r.Forms, f.Name()) {
					continue
				}
				for _, m := range models {
					c, err := target.Choose(f, m, meeting(r, f))
					require.NoError(t, err)
					if c.Rule != r || len(c.When) == 0 {
						answered[c.Rule] = true
						continue
					}
					answered[r] = true
					bad := underFacts(target, c, m)
					require.Nil(t, bad, "%s, rule %s, %s %s: %v", target.Name, r.Name, f.Name(), m, bad)
				}
			}
			require.True(t, answered[r], "%s: the rule %s answers nothing", target.Name, r.Name)
		}
	}
}

// A count that can reach the width makes poison.
func TestShiftCountsStayBelowTheWidth(t *testing.T) {
	shifts := map[string]bool{"shl": true, "lshr": true, "ashr": true}
	seen := 0
	for _, f := range everyForm() {
		fn := selected(t, generic(), single("f", f, ptx.ISA))
		b, vals := sem.NewBuilder(), map[mach.Reg]*sem.Term{}
		known := sem.NewAnalysis(nil)
		for _, r := range fn.Params {
			vals[r] = b.Var(fn.Names[r], int(fn.Classes[r].Bits))
		}
		for _, in := range fn.Blocks[0].Insts {
			var args []*sem.Term
			for _, o := range in.In {
				if o.IsConst() {
					args = append(args, b.Const(o.K, int(o.Bits)))
				} else {
					args = append(args, vals[o.Reg])
				}
			}
			if name, _, _ := strings.Cut(in.Op.Name, " "); shifts[name] {
				seen++
				w := sem.U(uint64(in.Out[0].Bits))
				require.True(t, known.Of(args[1]).UMax.Less(w), "%s: %s by %v", f.Name(), in.Op.Name, args[1])
			}
			for n, x := range in.Op.Meaning(b, args) {
				vals[in.Out[n].Reg] = x
			}
		}
	}
	require.Greater(t, seen, 1000)
}

func TestNoValueIsWiderThanTwoWords(t *testing.T) {
	for n, target := range llvm.Targets() {
		for _, f := range ofTarget(n) {
			widest := 64
			if f.Mode == ptx.Hi && f.T.Bits() == 64 {
				widest = 128 // every back end has the high half of a 64-bit product
			}
			for _, m := range models {
				fn := selected(t, target, single("f", f, m))
				for _, c := range fn.Classes {
					require.LessOrEqual(t, int(c.Bits), widest, "%s", f.Name())
				}
			}
		}
	}
}

func TestRowsAreShared(t *testing.T) {
	byName := map[string]*mach.Op{}
	for _, f := range everyForm() {
		for _, in := range selected(t, generic(), single("f", f, ptx.ISA)).Blocks[0].Insts {
			if first, ok := byName[in.Op.Name]; ok {
				require.Same(t, first, in.Op)
			}
			byName[in.Op.Name] = in.Op
		}
	}
	require.Contains(t, byName, "add i32")
}
