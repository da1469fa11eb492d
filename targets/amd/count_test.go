package amd_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// handForm is the form that a row of counts_hand.csv counts: mad24_hi_sat_s32,
// madc_lo_u32_cc, vmad_su_b1_h0_negp_sat_shr7. The pair of lo and hi that makes
// a 64-bit sum without carries is mad.wide.u32. ok is false for rows that are
// not of one form: pairs with carries, and whole big products.
func handForm(name string) (f ptx.Form, ok bool) {
	if name == "pair_mad_lohi" {
		return ptx.Form{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32}, true
	}
	w := strings.Split(name, "_")
	ops := map[string]ptx.Op{"mul24": ptx.Mul24, "mad24": ptx.Mad24, "mad": ptx.Mad, "madc": ptx.Madc, "vmad": ptx.Vmad}
	types := map[string]ptx.Type{"u32": ptx.U32, "s32": ptx.S32, "u64": ptx.U64, "s64": ptx.S64}
	sels := map[string]ptx.Sel{"w": ptx.Word, "b0": ptx.B0, "b1": ptx.B1, "b2": ptx.B2, "b3": ptx.B3, "h0": ptx.H0, "h1": ptx.H1}
	if f.Op = ops[w[0]]; f.Op == ptx.BadOp {
		return f, false
	}
	nsel := 0
	for _, x := range w[1:] {
		if s, is := sels[x]; is && f.Op == ptx.Vmad {
			*[]*ptx.Sel{&f.SelA, &f.SelB}[nsel] = s
			nsel++
			continue
		}
		if t, is := types[x]; is {
			f.T = t
			continue
		}
		switch x {
		case "lo":
			f.Mode = ptx.Lo
		case "hi":
			f.Mode = ptx.Hi
		case "cc":
			f.CC = true
		case "sat":
			f.Sat = true
		case "po":
			f.PO = true
		case "negp":
			f.NegA = true
		case "negc":
			f.NegC = true
		case "shr7":
			f.Shr = 7
		case "shr15":
			f.Shr = 15
		case "uu", "us", "su", "ss":
			f.A, f.B = map[byte]ptx.Type{'u': ptx.U32, 's': ptx.S32}[x[0]], map[byte]ptx.Type{'u': ptx.U32, 's': ptx.S32}[x[1]]
		default:
			return f, false
		}
	}
	return f.Behaviour(), true
}

// cost is the number of ops of a form, and of moves between registers.
func cost(t *testing.T, tg *isel.Target, f ptx.Form, m ptx.Model) (ops, moves int) {
	t.Helper()
	nf, _, err := tg.SelectForm(f, m)
	require.NoError(t, err, f.Name())
	return nf.Count()
}

// The count to reach is that of the best sequence found by hand. Rows that
// clamp v_mad_*_*16 may take one op more: what that clamp does is documented
// but was not seen to run.
func TestNoFormTakesMoreOpsThanTheBestHandSequence(t *testing.T) {
	all := ptx.Behaviours()
	for _, tg := range amd.Targets() {
		compared, better, skipped, total, hand := 0, 0, 0, 0, 0
		for _, row := range testutil.CSV(t, "spec/amd/counts_hand.csv") {
			if row["target"] != tg.Name {
				continue
			}
			f, ok := handForm(row["form"])
			best, err := strconv.Atoi(row["instrs"])
			if !ok || err != nil {
				skipped++
				continue
			}
			require.True(t, slices.Contains(all, f), "%s reads as %s", row["form"], f.Name())
			n, _ := cost(t, tg, f, ptx.ISA)
			limit := best
			if strings.Contains(row["sequence"], "v_mad_") && strings.Contains(row["sequence"], "clamp") {
				limit++
			}
			if n > limit {
				t.Errorf("%s takes %d ops, by hand %d: %s", f.Name(), n, best, row["sequence"])
			}
			if n < best {
				better++
				t.Logf("%s takes %d ops, by hand %d", f.Name(), n, best)
			}
			compared, total, hand = compared+1, total+n, hand+best
		}
		t.Logf("%s: %d rows compared, %d ops against %d by hand, %d rows better; %d rows are not of one form or have no count", tg.Name, compared, total, hand, better, skipped)
		require.Equal(t, []int{77, 6}, []int{compared, skipped}, "rows compared and left out")
	}
}

// What groups of forms cost, for people to read; a rule that makes a group
// dearer shows here.
func TestCostOfTheGroups(t *testing.T) {
	for _, tg := range amd.Targets() {
		type sum struct{ forms, ops, moves, most int }
		groups := map[string]*sum{}
		for _, f := range forms() {
			for _, m := range models(f) {
				name := f.Op.String()
				if f.Op == ptx.Vmad {
					name = fmt.Sprintf("vmad %v", m)
				}
				g := groups[name]
				if g == nil {
					g = &sum{}
					groups[name] = g
				}
				n, moves := cost(t, tg, f, m)
				g.forms, g.ops, g.moves, g.most = g.forms+1, g.ops+n, g.moves+moves, max(g.most, n)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			g := groups[name]
			t.Logf("%s %-10s %5d forms, %.2f ops and %.2f moves on average, at most %d", tg.Name, name, g.forms, float64(g.ops)/float64(g.forms), float64(g.moves)/float64(g.forms), g.most)
		}
		for name, most := range map[string]float64{"vmad isa": 4.02, "vmad ptxas": 3.99} {
			g := groups[name]
			require.LessOrEqual(t, float64(g.ops)/float64(g.forms), most, name)
		}
	}
}
