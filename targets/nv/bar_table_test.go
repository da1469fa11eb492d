package nv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// bars are what single forms may take at most, on every target between two.
var bars = []struct {
	form        string
	first, last string
	most        int
	ptxas       string
}{
	{"mul24.hi.u32", "sm_70", "sm_121", 3, "5"},
	{"mul24.hi.s32", "sm_70", "sm_121", 3, "5"},
	{"mad24.hi.u32", "sm_70", "sm_121", 4, "6"},
	{"mad24.hi.s32", "sm_70", "sm_121", 4, "6"},
	{"mul24.hi.u32", "sm_50", "sm_62", 7, "11"},
	{"mul24.hi.s32", "sm_50", "sm_62", 7, "11"},
	{"mad24.hi.u32", "sm_50", "sm_62", 7, "12"},
	{"mad24.hi.s32", "sm_50", "sm_62", 7, "12"},
	{"mul24.hi.u32", "sm_20", "sm_37", 3, "6"},
	{"mul24.hi.s32", "sm_20", "sm_37", 3, "6"},
	{"mad24.hi.u32", "sm_20", "sm_37", 3, "7"},
	{"mad24.hi.s32", "sm_20", "sm_37", 3, "7"},
	{"mad24.hi.sat.s32", "sm_70", "sm_110", 7, "10"},
	{"mad24.hi.sat.s32", "sm_120", "sm_121", 4, "6"},
	{"mad24.hi.sat.s32", "sm_50", "sm_62", 8, "12"},
	{"mad.wide.u32", "sm_70", "sm_121", 1, "3"},
	{"mad.wide.s32", "sm_70", "sm_121", 1, "3"},
	{"subc.u32", "sm_20", "sm_62", 1, "2"},
	{"subc.s32", "sm_20", "sm_62", 1, "2"},
	{"subc.cc.u32", "sm_20", "sm_62", 1, "2"},
	{"subc.cc.s32", "sm_20", "sm_62", 1, "2"},
}

// between are the targets from one to another, in the order of generations.
func between(t *testing.T, first, last string) []*isel.Target {
	all := nv.Targets()
	at := func(name string) int {
		i := slices.IndexFunc(all, func(tg *isel.Target) bool { return tg.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return i
	}
	return all[at(first) : at(last)+1]
}

func TestBarsHoldOnEveryTargetOfTheirGroups(t *testing.T) {
	for _, bar := range bars {
		found := 0
		group := between(t, bar.first, bar.last)
		for _, tg := range group {
			ops, _ := cost(t, tg, formOf(t, bar.form), ptx.ISA)
			require.LessOrEqual(t, ops, bar.most, "%s on %s", bar.form, tg.Name)
			found = max(found, ops)
		}
		t.Logf("%-17s %s to %-6s (%2d targets): %d, bar %d, ptxas %s", bar.form, bar.first, bar.last, len(group), found, bar.most, bar.ptxas)
	}
}

func TestMeanOfVmadOnEveryTargetFromVoltaOn(t *testing.T) {
	for _, tg := range between(t, "sm_70", "sm_121") {
		n, sum := 0, 0
		for _, f := range ptx.Behaviours() {
			if f.Op == ptx.Vmad {
				ops, _ := cost(t, tg, f, ptx.ISA)
				n, sum = n+1, sum+ops
			}
		}
		require.Equal(t, 4704, n)
		require.LessOrEqual(t, float64(sum)/float64(n), 5.2, tg.Name) // bar 6.0, stretch 5.2, ptxas 10.7
		t.Logf("%s: vmad, mean %.3f", tg.Name, float64(sum)/float64(n))
	}
}

// The forms that the pair of low and high product becomes; that pairs become
// these where they are adjacent or not is ptxlower's TestPairs….
func TestAPairOfLowAndHighProductIsOneInstruction(t *testing.T) {
	n := 0
	for _, f := range ptx.Fused() {
		if !strings.HasSuffix(f.Name(), "32") {
			continue
		}
		n++
		for _, tg := range between(t, "sm_70", "sm_121") {
			ops, _ := cost(t, tg, f, ptx.ISA)
			require.Equal(t, 1, ops, "%s on %s", f.Name(), tg.Name)
		}
	}
	t.Logf("%d forms: 1 on each target, bar 1", n)
	require.Equal(t, 6, n)
}
