package nv_test

import (
	"math/bits"
	"slices"
	"sync"
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

// modern are the targets from sm_70 on.
func modern() []*isel.Target {
	return slices.DeleteFunc(nv.Targets(), func(tg *isel.Target) bool { return !tg.Features.Has(nv.PredCarry) })
}

// distinct are those of them that differ in what their instructions do, and not
// only in how listings spell it.
func distinct() []*isel.Target {
	seen := map[ir.Features]bool{}
	return slices.DeleteFunc(modern(), func(tg *isel.Target) bool {
		f := tg.Features &^ nv.BothCarries
		again := seen[f]
		seen[f] = true
		return again
	})
}

// every is how many things one of is checked.
func every(n int) int {
	if full() {
		return 1
	}
	return n
}

var models = [...]ptx.Model{ptx.ISA, ptx.PTXAS}

// forms are all that a target must have rules for.
var forms = sync.OnceValue(func() []ptx.Form {
	return slices.Clip(slices.Concat(ptx.Behaviours(), ptx.Neighbours(), ptx.Fused()))
})

// halved are the forms of halves, which some targets have rules for.
func halved(tg *isel.Target) []ptx.Form {
	if !tg.Features.Has(nv.HalfMul) {
		return nil
	}
	return ptx.Halved()
}

// formNames are their names.
var formNames = sync.OnceValue(func() []string {
	var names []string
	for _, f := range forms() {
		names = append(names, f.Name())
	}
	return names
})

// modelsOf are the models in which a form means different things.
func modelsOf(f ptx.Form) []ptx.Model {
	if f.Op == ptx.Vmad {
		return models[:]
	}
	return models[:1]
}

func TestTargetsFromVoltaOnAreThere(t *testing.T) {
	var names []string
	for _, tg := range modern() {
		names = append(names, tg.Name)
	}
	require.Equal(t, []string{"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"}, names)
	require.Len(t, distinct(), 4)
}

func TestTargetsWithTheSameInstructionsHaveTheSameRules(t *testing.T) {
	rules := map[ir.Features]*isel.Rule{}
	for _, tg := range modern() {
		require.Same(t, target(t, "sm_70").Machine, tg.Machine)
		if first := rules[tg.Features]; first != nil {
			require.Same(t, first, &tg.Rules[0], tg.Name)
		}
		rules[tg.Features] = &tg.Rules[0]
	}
	require.Len(t, rules, 6)
	// What only listings tell apart has equal rules.
	for _, pair := range [...][2]string{{"sm_89", "sm_110"}, {"sm_90", "sm_100"}} {
		x, y := target(t, pair[0]), target(t, pair[1])
		require.Equal(t, len(x.Rules), len(y.Rules))
		for i, f := range forms() {
			if i%every(7) != 0 {
				continue
			}
			for _, m := range modelsOf(f) {
				p, err := x.Choose(f, m, nil)
				require.NoError(t, err)
				q, err := y.Choose(f, m, nil)
				require.NoError(t, err)
				require.Equal(t, p.Rule.Name, q.Rule.Name)
				require.Equal(t, mach.Ops(p.Out), mach.Ops(q.Out), "%s on %s and %s", f.Name(), x.Name, y.Name)
			}
		}
	}
}

func TestEveryFormComputesWhatItMeans(t *testing.T) {
	for _, tg := range distinct() {
		t.Run(tg.Name, func(t *testing.T) {
			for i, f := range forms() {
				for _, m := range modelsOf(f) {
					mm, err := eval.CheckForm(tg, f, m, 300, uint64(i))
					require.NoError(t, err)
					require.Nil(t, mm, "%s (%s): %s", f.Name(), m, mm)
				}
			}
		})
	}
}

// extremes are where limits are just reached, or just not: the least and the
// greatest word, halves and bytes, and their neighbours.
var extremes = [...]uint64{0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
	0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00010001, 0xffff0000}

func TestVmadIsRightAtTheExtremes(t *testing.T) {
	const n = len(extremes)
	in := make([]sem.Col, 3)
	for i := range n * n * n {
		in[0].Lo = append(in[0].Lo, extremes[i/n/n])
		in[1].Lo = append(in[1].Lo, extremes[i/n%n])
		in[2].Lo = append(in[2].Lo, extremes[i%n])
	}
	out := []sem.Col{{Lo: make([]uint64, len(in[0].Lo))}, {Lo: make([]uint64, len(in[0].Lo))}}
	for at, tg := range distinct() {
		for _, m := range models {
			for i, f := range ptx.Behaviours() {
				if f.Op != ptx.Vmad || (i+at)%every(2) != 0 {
					continue
				}
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				b := sem.NewBuilder()
				params := []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)}
				want, got := f.Meaning(b, params, m)[0], c.Meaning(b, tg, params)[0]
				sem.Compile(params, want, got).Run(in, out)
				if slices.Equal(out[0].Lo, out[1].Lo) {
					continue
				}
				for i := range out[0].Lo {
					require.Equal(t, out[0].Lo[i], out[1].Lo[i], "%s %s (%s): a=%#x b=%#x c=%#x", tg.Name, f.Name(), m, in[0].Lo[i], in[1].Lo[i], in[2].Lo[i])
				}
			}
		}
	}
}

// constants are operands that the encodings treat differently, or rules: RZ,
// small and large literals, all ones, powers of two, halves.
var constants = [...]uint64{0, 1, 5, 0xff, 0x12345678, 1 << 63, 0xffffffffffffffff, 0xfffffffe00000007, 8, 0x80000000, 0xfffb, 1 << 40}

func TestEveryFormIsRightInRegistersAndWithConstants(t *testing.T) {
	for at, tg := range distinct() {
		for n, f := range forms() {
			if f.Op == ptx.Vmad && n%every(29) != 0 || (n+at)%every(2) != 0 {
				continue
			}
			ins := ir.ArgWidths(f)
			for set := range 1 << len(ins) { // which operands are constants
				if k := bits.OnesCount(uint(set)); k > 1 && k < len(ins) {
					continue
				}
				fn := ir.NewFunc("f")
				args := make([]*ir.Value, len(ins))
				for i, w := range ins {
					if set>>i&1 == 0 {
						args[i] = fn.Param(string("abce"[i]), w)
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
				require.NoError(t, nf.Allocate(tg.Machine))
				mm, err := eval.CheckLowering(fn, nf, tg.Machine, 60, uint64(n))
				require.NoError(t, err, "%s", f.Name())
				require.Nil(t, mm, "%s %s, constants %b: %s", tg.Name, f.Name(), set, mm)
			}
		}
	}
}

func TestEveryRuleAndEveryRowIsUsed(t *testing.T) {
	rows := map[*mach.Op]bool{}
	for _, tg := range distinct() {
		rules := map[string]bool{}
		for _, m := range models {
			for _, f := range forms() {
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				rules[c.Rule.Name] = true
				use(t, rows, tg, c)
			}
		}
		for _, w := range [...]int{1, 32} {
			c, ok := tg.Machine.ClassOf(w)
			require.True(t, ok)
			rows[tg.Machine.Const(c)], rows[tg.Machine.Copy(c)] = true, true
		}
		seen := map[string]bool{}
		for i := range tg.Rules {
			r := &tg.Rules[i]
			require.False(t, seen[r.Name], "two rules %q", r.Name)
			seen[r.Name] = true
			if len(r.When) == 0 {
				require.True(t, rules[r.Name], "%s: no form chooses rule %q", tg.Name, r.Name)
			} else if tg.Features&r.Lacks == 0 {
				alive := false
				chosen(t, tg, r, every(101), func(c *isel.Choice, _ ptx.Model) bool {
					use(t, rows, tg, c)
					alive = true
					return true
				})
				require.True(t, alive, "%s: no form chooses rule %q", tg.Name, r.Name)
			}
		}
	}
	for _, o := range nv.Ops() {
		require.True(t, rows[o], "no rule uses %s %s", o.Name, o.Syntax)
		require.NotEmpty(t, o.Src)
		require.NotEmpty(t, o.Pipe)
		require.True(t, o.Latency > 0 || o.Pipe == "xu", o.Name)
	}
	require.Len(t, rows, len(nv.Ops()), "a rule uses a row that Ops does not list")
}

// use marks the rows of a choice, which the target must have.
func use(t *testing.T, rows map[*mach.Op]bool, tg *isel.Target, c *isel.Choice) {
	for _, o := range mach.Ops(c.Out) {
		require.True(t, tg.Features.Has(o.Needs), "%s uses %s, which %s lacks", c.Rule.Name, o.Name, tg.Name)
		rows[o] = true
	}
}

func TestRegistersKeepWhatTheConventionReserves(t *testing.T) {
	m := target(t, "sm_70").Machine
	order := m.Banks[mach.General].Order
	require.Len(t, order, 252)
	for _, r := range [...]int16{1, 20, 21, 255} {
		require.NotContains(t, order, r)
	}
	require.Len(t, m.Banks[mach.Predicate].Order, 7)
	for w, want := range map[int]int{1: 1, 2: 32, 8: 32, 32: 32, 33: 64, 64: 64} {
		c, ok := m.ClassOf(w)
		require.True(t, ok)
		require.EqualValues(t, want, c.Bits)
	}
	for _, w := range [...]int{0, 65, 128} {
		_, ok := m.ClassOf(w)
		require.False(t, ok)
	}
}
