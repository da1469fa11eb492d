package llvm_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

var (
	vmadRow = regexp.MustCompile(`^vmad_([us])([us])(?:_([bhw]\d?)_([bhw]\d?)|_([bh]\d)_w)?(_negp|_negc)?(_po)?(_sat)?(?:_shr(\d+))?$`)
	m24Row  = regexp.MustCompile(`^(mul24|mad24)_(lo|hi)(_sat)?_([us]32)$`)
	madRow  = regexp.MustCompile(`^(mad|madc)_(lo|hi)_([us]\d\d)(_cc)?(_ci_i1)?$`)
)

// formOf is the form of a function of the tables of llc's counts, ok false for
// those that are no single form with an i1 for a carry.
func formOf(t testing.TB, function string) (f ptx.Form, ok bool) {
	if m := m24Row.FindStringSubmatch(function); m != nil {
		return named(t, strings.ReplaceAll(function, "_", ".")), true
	}
	if m := madRow.FindStringSubmatch(function); m != nil && (m[1] == "madc") == (m[5] != "") {
		return named(t, fmt.Sprintf("%s.%s%s.%s", m[1], m[2], strings.ReplaceAll(m[4], "_", "."), m[3])), true
	}
	m := vmadRow.FindStringSubmatch(function)
	if m == nil {
		return f, false
	}
	types := map[string]ptx.Type{"u": ptx.U32, "s": ptx.S32}
	sels := map[string]ptx.Sel{"b0": ptx.B0, "b1": ptx.B1, "b2": ptx.B2, "b3": ptx.B3, "h0": ptx.H0, "h1": ptx.H1}
	n, _ := strconv.Atoi("0" + m[9])
	f = ptx.Form{
		Op: ptx.Vmad, A: types[m[1]], B: types[m[2]], SelA: max(sels[m[3]], sels[m[5]]), SelB: sels[m[4]],
		NegA: m[6] == "_negp", NegC: m[6] == "_negc", PO: m[7] != "", Sat: m[8] != "", Shr: uint8(n),
	}
	return f.Behaviour(), true
}

// What llc makes of the rules, after opt, is about as short as what it makes of
// the best portable IR that was tried for each form by itself.
func TestSequencesOnAMDAreAboutAsShortAsAnyPortableIRGives(t *testing.T) {
	best := map[string]map[string]int{} // by CPU and function
	for _, row := range testutil.CSV(t, "spec/amd/counts_llc22.csv") {
		switch row["file"] {
		case "mad24_amdgcn", "mad24_known", "mad24_bugprobe", "mad24_bugprobe_s", "uniform_sgpr":
			continue // intrinsics of AMD, known operands, wrong code, scalars
		}
		cpu, function := row["target"], row["function"]
		if best[cpu] == nil {
			best[cpu] = map[string]int{}
		}
		n, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		if old, ok := best[cpu][function]; !ok || n < old {
			best[cpu][function] = n
		}
	}
	for _, cpu := range []string{"gfx900", "gfx1100"} {
		var m module
		functions := slices.Sorted(maps.Keys(best[cpu]))
		functions = slices.DeleteFunc(functions, func(s string) bool {
			f, ok := formOf(t, s)
			if ok {
				m.add(t, generic(), selected(t, generic(), single(s, f, ptx.ISA)))
			}
			return !ok
		})
		code := gcnCode(t, m.String(), "22", cpu, "-O2")
		ours, theirs := 0, 0
		for _, s := range functions {
			ours += len(code[s])
			theirs += best[cpu][s]
			require.LessOrEqual(t, len(code[s]), best[cpu][s]+2, "%s on %s: %s", s, cpu, strings.Join(code[s], "\n"))
		}
		t.Logf("%s: %d instructions in %d forms, %d in the best of all variants", cpu, ours, len(functions), theirs)
		require.Greater(t, len(functions), 80)
		require.LessOrEqual(t, float64(ours), 1.02*float64(theirs))
	}
}
