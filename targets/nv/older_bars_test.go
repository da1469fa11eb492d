package nv_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func TestNoFormTakesMoreInstructionsThanInPtxasOnOlderGenerations(t *testing.T) {
	rows := testutil.CSV(t, "spec/nv/counts_ptxas.csv")
	byName := map[string]ptx.Form{}
	for _, f := range ptx.Behaviours() {
		byName[f.Name()] = f
	}
	for _, arch := range []string{"35", "50", "52", "53", "60", "61", "62"} {
		t.Run("sm_"+arch, func(t *testing.T) {
			tg := older(t, "sm_"+arch)
			type total struct{ forms, ours, moves, theirs, fewer int }
			groups := map[string]*total{}
			var order []string
			n := 0
			for _, row := range rows {
				if !slices.Contains(strings.Fields(row["archs"]), arch) {
					continue
				}
				theirs, err := strconv.Atoi(row["n_ops"])
				require.NoError(t, err)
				for _, name := range unfold(row["form"]) {
					f, ok := byName[name]
					require.True(t, ok, "no form %q", name)
					// A suspect row counts code that does not compute what the manual says.
					m := ptx.ISA
					if row["suspect"] != "" {
						m = ptx.PTXAS
					}
					ours, moves := costStored(t, tg, f, m)
					if arch == "35" { // measured with the extensions of the calling convention
						ours, moves = cost(t, tg, f, m)
					}
					if ours > theirs {
						t.Errorf("%s (%s): %d instructions, ptxas %d (%s)", name, m, ours, theirs, row["seq"])
					}
					g := groups[row["group"]]
					if g == nil {
						g = &total{}
						groups[row["group"]] = g
						order = append(order, row["group"])
					}
					n++
					g.forms++
					g.ours += ours
					g.moves += moves
					g.theirs += theirs
					if ours < theirs {
						g.fewer++
					}
				}
			}
			for _, name := range order {
				g := groups[name]
				t.Logf("%-6s %4d forms: %6d instructions and %5d moves; ptxas %6d; fewer in %d", name, g.forms, g.ours, g.moves, g.theirs, g.fewer)
			}
			require.Equal(t, len(byName), n)
		})
	}
}

// The counts that no later change may exceed.
func TestBarsOfSingleFormsOnOlderGenerations(t *testing.T) {
	for name, bars := range map[string]map[string]int{
		"sm_10": {
			"mul24.lo.u32": 1, "mul24.hi.s32": 1, "mad24.lo.s32": 1, "mad24.hi.u32": 1, "mad24.hi.sat.s32": 1,
			"mul.lo.u32": 4, "mad.lo.u32": 5, "mul.hi.u32": 10, "mul.hi.s32": 16, "mul.wide.u32": 13,
			"add.cc.u32": 1, "addc.cc.u32": 1, "subc.u32": 2, "mul.lo.u64": 21, "mad.wide.s16": 1,
		},
		"sm_20": {
			"mul24.lo.u32": 3, "mul24.hi.u32": 3, "mad24.hi.u32": 3, "mad24.hi.s32": 3, "mad24.hi.sat.s32": 3,
			"mad.lo.u32": 1, "mad.hi.s32": 1, "mad.wide.u32": 2, "mad.lo.u64": 4, "mul.hi.u64": 8, "mul.hi.s64": 11,
			"subc.u32": 1, "subc.cc.s64": 2, "madc.hi.cc.u32": 1, "madc.lo.cc.u64": 5, "madc.hi.u64": 10, "madc.hi.cc.u64": 11,
			"mad.wide.cc.u32": 2, "madc.wide.s32": 2, "vmad.s32.s32.u32.po.sat.shr15 a.b1, b.h1, c": 1,
			"mul.wide.s16": 1, "bfi.b32": 2, "setp.lt.u64": 2, "set.eq.u32.u32": 1, "min.u32": 1,
		},
		"sm_50": {
			"mul24.lo.u32": 4, "mad24.lo.s32": 4, "mul24.hi.u32": 5, "mul24.hi.s32": 5, "mad24.hi.u32": 6, "mad24.hi.s32": 6,
			"mad24.hi.sat.s32": 6, "mad.lo.u32": 3, "mad.hi.u32": 5, "mad.hi.s32": 5, "mad.hi.sat.s32": 1,
			"mul.wide.u32": 6, "mad.wide.u32": 6, "mad.wide.s32": 8, "mul.lo.u64": 12, "mad.lo.u64": 12,
			"mul.hi.u64": 24, "mul.hi.s64": 32, "mad.hi.cc.u64": 26, "madc.hi.cc.u64": 26, "madc.hi.cc.s64": 36,
			"subc.u32": 1, "subc.cc.u64": 2, "mad.wide.cc.u32": 8, "madc.wide.cc.s32": 8,
		},
		"sm_60": {
			"vmad.u32.u32.u32": 3, "vmad.s32.s32.s32 a.h1, b, c": 2, "vmad.s32.s32.s32 a.b0, b.h1, c": 1,
			"vmad.u32.u32.u32.sat": 8, "vmad.s32.s32.s32.sat": 13, "vmad.s32.s32.s32.sat.shr7": 14,
		},
	} {
		tg := older(t, name)
		for _, f := range forms() {
			if want, ok := bars[f.Name()]; ok {
				ops, _ := cost(t, tg, f, ptx.ISA)
				require.Equal(t, want, ops, "%s on %s", f.Name(), name)
				delete(bars, f.Name())
			}
		}
		require.Empty(t, bars, "no such forms")
	}
}

func TestMeansOfVmadOnOlderGenerations(t *testing.T) {
	bars := map[string][2]float64{"sm_10": {12.2, 12.5}, "sm_20": {1, 2.5}, "sm_32": {1, 2.3}, "sm_50": {1, 2.6}, "sm_60": {3.4, 3.8}} // isa, ptxas
	for name, bar := range bars {
		tg := older(t, name)
		for i, m := range models {
			n, sum := 0, 0
			for _, f := range ptx.Behaviours() {
				if f.Op == ptx.Vmad {
					ops, _ := cost(t, tg, f, m)
					n, sum = n+1, sum+ops
				}
			}
			t.Logf("%s, model %s: %.3f instructions over %d forms", name, m, float64(sum)/float64(n), n)
			require.Equal(t, 4704, n)
			require.LessOrEqual(t, float64(sum), bar[i]*float64(n), "%s, model %s", name, m)
		}
	}
}

func TestEveryInstructionBeforeVoltaHasACost(t *testing.T) {
	for _, tg := range nv.OlderTargets() {
		require.NotEmpty(t, tg.CostSrc)
		for _, o := range append(nv.FermiOps(), nv.TeslaOps()...) {
			if !tg.Features.Has(o.Needs) {
				continue
			}
			c, ok := tg.Costs[o.Pipe]
			require.True(t, ok, "%s on %s", o.Name, tg.Name)
			require.Equal(t, c, tg.CostOf(o))
			varies := o.Pipe == "cvt" || o.Pipe == "xu"
			require.True(t, c.Slots > 0 && (c.Latency > 0 || varies), "%s on %s", o.Name, tg.Name)
		}
	}
}

// slots are the issue slots of a choice.
func slots(t *testing.T, tg *isel.Target, c *isel.Choice) int {
	f, err := tg.Sequence(c)
	require.NoError(t, err)
	n := 0
	for _, in := range f.Blocks[0].Insts {
		n += tg.CostOf(in.Op).Slots
	}
	return n
}

func TestNoAlternativeTakesFewerIssueSlots(t *testing.T) {
	for _, tg := range nv.Targets() {
		n := 0
		for _, f := range forms() {
			for _, m := range modelsOf(f) {
				for _, other := range tg.Alternatives(f, m) {
					c, err := tg.Choose(f, m, nil)
					require.NoError(t, err)
					require.GreaterOrEqual(t, slots(t, tg, other), slots(t, tg, c), "%s on %s", other.Rule.Name, tg.Name)
					require.NotEqual(t, mach.Ops(c.Out), mach.Ops(other.Out))
					n++
				}
			}
		}
		require.Equal(t, len(tg.Others), n, "%s: an alternative is to no form", tg.Name)
	}
}
