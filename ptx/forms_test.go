package ptx

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

func names(fs []Form, name func(Form) string) []string {
	var s []string
	for _, f := range fs {
		s = append(s, name(f))
	}
	slices.Sort(s)
	return s
}

func TestTheFamilyIsTheTwoHundredLegalMnemonics(t *testing.T) {
	text, err := os.ReadFile(testutil.Shared(t, "spec/legal_mnemonics.txt"))
	require.NoError(t, err)
	var want []string
	for line := range strings.Lines(string(text)) {
		want = append(want, strings.Fields(line)[1])
	}
	slices.Sort(want)
	require.Len(t, want, 200)
	require.Equal(t, want, names(Forms(), Form.String))
}

func TestFormsAreDistinctAndNamedApart(t *testing.T) {
	for _, c := range []struct {
		what string
		fs   []Form
		n    int
	}{
		{"Forms", Forms(), 200},
		{"VmadForms", VmadForms(), 16464},
		{"Behaviours", Behaviours(), 4808},
		// 44 of arithmetic, 432 set, 432 setp, 18 selp and slct, 19 of logic, 256 lop3,
		// 16 shifts, 20 mov, 7 prmt, 64 cvt and 38 where .sat can saturate.
		{"Neighbours", Neighbours(), 1346},
	} {
		require.Equal(t, c.n, len(c.fs), c.what)
		require.Equal(t, c.n, len(slices.Compact(names(c.fs, Form.Name))), "names of %s", c.what)
	}
	require.Equal(t, Forms(), Forms())
	require.Equal(t, Neighbours(), Neighbours())
}

// unfold writes out the sets of a name: "a.{h0 h1},b" is "a.h0,b" and "a.h1,b".
func unfold(s string) []string {
	open := strings.IndexByte(s, '{')
	if open < 0 {
		return []string{s}
	}
	end := open + strings.IndexByte(s[open:], '}')
	var all []string
	for _, w := range strings.Fields(s[open+1 : end]) {
		all = append(all, unfold(s[:open]+w+s[end+1:])...)
	}
	return all
}

func TestBehavioursAreTheRowsOfThePtxasCounts(t *testing.T) {
	want := map[string]bool{}
	for _, row := range testutil.CSV(t, "spec/nv/counts_ptxas.csv") {
		for _, f := range unfold(row["form"]) {
			want[f] = true
		}
	}
	got := map[string]bool{}
	for _, f := range Behaviours() {
		s := f.String()
		if f.Op == Vmad {
			s += " " + strings.ReplaceAll(strings.TrimPrefix(f.Operands(), "d, "), ", ", ",")
		}
		got[s] = true
	}
	require.Equal(t, 4808, len(want))
	require.Equal(t, want, got)
}

func TestEveryVmadFormHasItsBehaviourInTheList(t *testing.T) {
	all := map[Form]int{}
	for _, f := range Behaviours() {
		require.Equal(t, f, f.Behaviour())
		all[f] = 0
	}
	for _, f := range VmadForms() {
		_, ok := all[f.Behaviour()]
		require.True(t, ok, f.Name())
		all[f.Behaviour()]++
	}
	for f, n := range all {
		if f.Op == Vmad {
			require.Contains(t, []int{2, 4}, n, "%s stands for both dtypes, and -a for -b too", f.Name())
		} else {
			require.Zero(t, n)
		}
	}
}

func TestFloorsAreThoseOfPtxas(t *testing.T) {
	for mnemonic, want := range map[string]struct {
		version string
		sm      int
	}{
		"mul24.lo.u32": {"1.0", 10}, "mad24.hi.sat.s32": {"1.0", 10}, "mad.hi.sat.s32": {"1.0", 10}, "mul.wide.s16": {"1.0", 10}, "add.u64": {"1.0", 10},
		"add.cc.u32": {"1.2", 10}, "addc.s32": {"1.2", 10}, "addc.cc.s32": {"1.2", 10}, "addc.u64": {"1.2", 10},
		"sub.cc.u32": {"1.3", 10}, "subc.u32": {"1.3", 10}, "subc.cc.s32": {"1.3", 10}, "subc.s64": {"1.3", 10},
		"mad.lo.cc.u32": {"3.0", 20}, "madc.hi.u32": {"3.0", 20}, "madc.lo.cc.s32": {"3.0", 20}, "madc.lo.u64": {"3.0", 20},
		"add.cc.u64": {"4.3", 20}, "subc.cc.s64": {"4.3", 20}, "madc.hi.cc.u64": {"4.3", 20}, "mad.lo.cc.s64": {"4.3", 20},
		"vmad.s32.s32.s32.po.sat.shr7": {"2.0", 20},
		"lop3.b32":                     {"4.3", 50}, "shf.l.wrap.b32": {"3.1", 32}, "prmt.b32.f4e": {"2.0", 20}, "bfe.s64": {"2.0", 20}, "popc.b32": {"2.0", 20}, "setp.eq.u32": {"1.0", 10},
	} {
		version, sm := Floor(Lookup(mnemonic).Form)
		require.Equal(t, want.version, version, mnemonic)
		require.Equal(t, want.sm, sm, mnemonic)
	}
}

func TestWidthsOfOperandsFollowTheTypes(t *testing.T) {
	all := append(append(Forms(), Neighbours()...), VmadForms()[:98]...)
	for _, f := range all {
		for _, ty := range append(f.Ins(), f.Outs()...) {
			require.NotEqual(t, NoType, ty, f.Name())
		}
		require.NotEmpty(t, f.Outs(), f.Name())
	}
}
