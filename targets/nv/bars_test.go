package nv_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// target is the target of a name.
func target(t testing.TB, name string) *isel.Target {
	t.Helper()
	for _, tg := range nv.Targets() {
		if tg.Name == name {
			return tg
		}
	}
	t.Fatalf("no target %s", name)
	return nil
}

// cost is the number of instructions of a form, moves left out; a constant made
// in a register is one.
func cost(t testing.TB, tg *isel.Target, f ptx.Form, m ptx.Model) (ops, moves int) {
	t.Helper()
	nf, _, err := tg.SelectForm(f, m)
	require.NoError(t, err, f.Name())
	return nf.Count()
}

// unfold lists the forms of a row: "vmad.u32.u32.u32 a.{b0 b1 b2 b3},-b,c" has
// one for each selector.
func unfold(row string) []string {
	head, rest, ok := strings.Cut(row, "{")
	if ok {
		sels, tail, _ := strings.Cut(rest, "}")
		var out []string
		for _, s := range strings.Fields(sels) {
			out = append(out, unfold(head+s+tail)...)
		}
		return out
	}
	name, operands, _ := strings.Cut(row, " ")
	if operands == "" || operands == "a,b,c" {
		return []string{name}
	}
	return []string{name + " " + strings.ReplaceAll(operands, ",", ", ")}
}

func TestNoFormTakesMoreInstructionsThanInPtxas(t *testing.T) {
	rows := testutil.CSV(t, "spec/nv/counts_ptxas.csv")
	forms := map[string]ptx.Form{}
	for _, f := range ptx.Behaviours() {
		forms[f.Name()] = f
	}
	for _, tg := range modern() {
		t.Run(tg.Name, func(t *testing.T) {
			arch := strings.TrimPrefix(tg.Name, "sm_")
			type total struct{ forms, ours, moves, theirs, theirMoves int }
			groups := map[string]*total{}
			var order []string
			for _, row := range rows {
				if !slices.Contains(strings.Fields(row["archs"]), arch) {
					continue
				}
				theirs, err := strconv.Atoi(row["n_ops"])
				require.NoError(t, err)
				theirMoves, err := strconv.Atoi(row["n_mov"])
				require.NoError(t, err)
				for _, name := range unfold(row["form"]) {
					f, ok := forms[name]
					require.True(t, ok, "no form %q", name)
					// A suspect row counts code that does not compute what the manual says.
					m := ptx.ISA
					if row["suspect"] != "" {
						m = ptx.PTXAS
					}
					ours, moves := costStored(t, tg, f, m)
					if ours > theirs {
						t.Errorf("%s (%s): %d instructions, ptxas %d (%s)", name, m, ours, theirs, row["seq"])
					}
					g := groups[row["group"]]
					if g == nil {
						g = &total{}
						groups[row["group"]] = g
						order = append(order, row["group"])
					}
					g.forms++
					g.ours += ours
					g.moves += moves
					g.theirs += theirs
					g.theirMoves += theirMoves
				}
			}
			n := 0
			for _, name := range order {
				g := groups[name]
				n += g.forms
				t.Logf("%-6s %4d forms: %6d instructions and %5d moves; ptxas %6d and %5d", name, g.forms, g.ours, g.moves, g.theirs, g.theirMoves)
			}
			require.Equal(t, len(forms), n)
		})
	}
}

func TestVmadTakesFourAndAHalfInstructionsOnAverage(t *testing.T) {
	for _, tg := range distinct() {
		limit := 4.5 // ptxas 10.7
		if tg.Features.Has(nv.Int64) {
			limit = 4.25
		}
		for _, m := range models {
			n, sum, moved := 0, 0, 0
			for _, f := range ptx.Behaviours() {
				if f.Op == ptx.Vmad {
					ops, moves := cost(t, tg, f, m)
					n, sum, moved = n+1, sum+ops, moved+moves
				}
			}
			t.Logf("%s, model %s: %.3f instructions and %.3f moves over %d forms", tg.Name, m, float64(sum)/float64(n), float64(moved)/float64(n), n)
			require.Equal(t, 4704, n)
			require.Less(t, float64(sum), limit*float64(n), "%s, model %s", tg.Name, m)
		}
	}
}

func TestBarsOfSingleForms(t *testing.T) {
	for form, want := range map[string][2]int{ // sm_70 to sm_110, sm_120
		"mul24.hi.u32": {3, 3}, "mul24.hi.s32": {3, 3}, "mad24.hi.u32": {4, 4}, "mad24.hi.s32": {4, 4}, "mad24.hi.sat.s32": {6, 4},
		"mad.wide.u32": {1, 1}, "mad.wide.s32": {1, 1}, "subc.u32": {1, 1}, "subc.cc.s32": {1, 1}, "madc.lo.u32": {1, 1},
		"add.sat.s32": {3, 1}, "sub.sat.s32": {3, 1}, "mad.hi.sat.s32": {4, 2},
		"add.u64": {2, 1}, "sub.cc.s64": {2, 1}, "addc.cc.u64": {2, 1}, "mad.lo.cc.u64": {5, 4},
		"mul.lo.u64": {3, 3}, "mad.lo.s64": {3, 3}, "madc.lo.u64": {3, 3},
		"mul.hi.u64": {6, 6}, "mad.hi.u64": {7, 7}, "mul.hi.s64": {10, 10}, "mad.hi.s64": {11, 11}, "madc.hi.s64": {11, 11}, "madc.hi.cc.s64": {12, 11},
		"vmad.u32.u32.u32 a.b0, b.b3, c": {2, 2}, "vmad.s32.s32.s32 a.h1, b.b2, c": {2, 2},
		"vmad.s32.s32.s32.sat": {5, 4}, "vmad.u32.u32.u32.sat": {3, 3}, "vmad.u32.u32.u32.sat.shr7": {4, 4},
		"vmad.s32.s32.s32.sat.shr15 a.b0, b.h1, c": {4, 4}, "vmad.s32.s32.s32.sat a.b0, b.b1, -c": {5, 3},
		"mad.wide.cc.u32": {1, 1}, "madc.wide.cc.s32": {1, 1},
		"setp.lt.s64": {2, 1}, "abs.s64": {5, 2}, "sad.u64": {10, 4},
	} {
		for _, tg := range modern() {
			bar := want[0]
			if tg.Features.Has(nv.Int64) {
				bar = want[1]
			}
			ops, _ := cost(t, tg, formOf(t, form), ptx.ISA)
			require.Equal(t, bar, ops, "%s on %s", form, tg.Name)
		}
	}
	for form, want := range map[string][4]int{ // sm_70, sm_72 to sm_89 and sm_110, sm_90 to sm_103, sm_120
		"min.s32": {2, 1, 1, 1}, "max.u16": {2, 1, 1, 1}, "min.s16": {4, 4, 1, 1}, "max.u64": {4, 4, 4, 1},
		"cvt.sat.u8.s32": {4, 1, 1, 1}, "cvt.sat.s16.s32": {5, 2, 2, 2}, "cvt.sat.s32.s64": {3, 3, 3, 2}, "cvt.sat.u16.u32": {2, 1, 1, 1},
		"sad.s32": {1, 1, 1, 3},
	} {
		for _, tg := range modern() {
			i := 0
			switch f := tg.Features; {
			case f.Has(nv.Int64):
				i = 3
			case f.Has(nv.VectorInt):
				i = 2
			case f.Has(nv.MinMax):
				i = 1
			}
			ops, _ := cost(t, tg, formOf(t, form), ptx.ISA)
			require.Equal(t, want[i], ops, "%s on %s", form, tg.Name)
		}
	}
}
