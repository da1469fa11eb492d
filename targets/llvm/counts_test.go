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

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
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

// profile is the profile of portable IR for a GPU.
func profile(t testing.TB, cpu string) *isel.Target {
	i, err := targets.Find(cpu)
	require.NoError(t, err)
	return i.Portable()
}

// longer are the rows that stay over the bar, with what llc-22 makes of them
// and why.
var longer = map[string]struct {
	count int
	why   string
}{
	"gfx1100 vmad_uu_h0_h0_shr15": {6, "InstCombine makes the product one of 32 bits, whose 33-bit sum needs a carry; the best file was not optimised"},
	"gfx900 mul64x64":             {13, "a chain of multiply-adds adds in 32-bit words, as it was written; the best is a product of wide integers"},
}

// bestCounts is the least count of llc for each GPU and function among the files of
// portable IR. Not portable: intrinsics of AMD; not comparable: operands known
// to be narrow, wrong code, scalars, and carries that are words of their own,
// which PTX has not.
func bestCounts(t testing.TB) map[string]map[string]int {
	best := map[string]map[string]int{}
	for _, row := range testutil.CSV(t, "spec/amd/counts_llc22.csv") {
		switch row["file"] {
		case "mad24_amdgcn", "mad24_known", "mad24_bugprobe", "mad24_bugprobe_s", "uniform_sgpr":
			continue
		}
		cpu, function := row["target"], row["function"]
		if strings.HasSuffix(function, "_ci_i32") {
			continue
		}
		if best[cpu] == nil {
			best[cpu] = map[string]int{}
		}
		n, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		if old, ok := best[cpu][function]; !ok || n < old {
			best[cpu][function] = n
		}
	}
	return best
}

// product multiplies two integers of some words, as people write it in PTX: a
// row of lows, then a row of highs, for each word of the second.
func product(t testing.TB, name string, words int) *ir.Func {
	f := ir.NewFunc(name)
	e, zero := f.Blocks[0], f.Const(sem.U(0), 32)
	var a, b []*ir.Value
	for i := range words {
		a = append(a, f.Param(fmt.Sprintf("a%d", i), 32))
	}
	for i := range words {
		b = append(b, f.Param(fmt.Sprintf("b%d", i), 32))
	}
	d := make([]*ir.Value, 2*words)
	for i := range d {
		d[i] = zero
	}
	for j, y := range b {
		for half, mode := range []string{"lo", "hi"} {
			var cf *ir.Value
			for i, x := range a {
				at := &d[i+j+half]
				switch last := half == 1 && i == words-1; {
				case half == 0 && j == 0:
					*at = e.PTX(named(t, "mul.lo.u32"), x, y)[0]
				case cf == nil && last:
					*at = e.PTX(named(t, "mad.hi.u32"), x, y, *at)[0]
				case last:
					*at = e.PTX(named(t, "madc.hi.u32"), x, y, *at, cf)[0]
				case cf == nil:
					out := e.PTX(named(t, "mad."+mode+".cc.u32"), x, y, *at)
					*at, cf = out[0], out[1]
				default:
					out := e.PTX(named(t, "madc."+mode+".cc.u32"), x, y, *at, cf)
					*at, cf = out[0], out[1]
				}
			}
			if half == 0 && j > 0 {
				d[j+words] = e.PTX(named(t, "addc.u32"), zero, zero, cf)[0]
			}
		}
	}
	e.Ret(d...)
	return f
}

var productRow = regexp.MustCompile(`^mul(\d+)x\d+$`)

// counted is the function of a row of the tables.
func counted(t testing.TB, row string) *ir.Func {
	if f, ok := formOf(t, row); ok {
		return single(row, f, ptx.ISA)
	}
	m := productRow.FindStringSubmatch(row)
	require.NotNil(t, m, "the row %s is no form", row)
	n, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	return product(t, row, n/32)
}

// What llc makes of the rules, after opt, is about as short as what it makes of
// the best portable IR that was tried for each form by itself; and it is right.
func TestSequencesOnAMDAreAboutAsShortAsAnyPortableIRGives(t *testing.T) {
	best := bestCounts(t)
	for _, cpu := range []string{"gfx900", "gfx1100"} {
		var m module
		rows := slices.Sorted(maps.Keys(best[cpu]))
		require.Len(t, rows, 88)
		fns := map[string]*ir.Func{}
		for _, row := range rows {
			fns[row] = counted(t, row)
			f := ir.Clone(fns[row])
			lower.WidenLows(f, nil)
			m.add(t, profile(t, cpu), selected(t, profile(t, cpu), f))
		}
		code := gcnCode(t, m.String(), "22", cpu, "-O2")
		older := gcnCode(t, m.String(), "19", cpu, "-O2")
		ours, theirs, over := 0, 0, 0
		for _, row := range rows {
			n, bar := len(code[row]), best[cpu][row]
			ours, theirs = ours+n, theirs+bar
			note := ""
			if e, ok := longer[cpu+" "+row]; ok {
				note, over = e.why, over+1
				require.Equal(t, e.count, n, "%s on %s: the exception says otherwise", row, cpu)
				require.Greater(t, 10*n, 11*bar, "%s on %s is no exception any more", row, cpu)
			} else {
				require.LessOrEqual(t, 10*n, 11*bar, "%s on %s: %d, best %d\n%s", row, cpu, n, bar, strings.Join(code[row], "\n"))
			}
			t.Logf("%-8s%-24s%4d of %4d  %s", cpu, row, n, bar, note)
			runs(t, fns[row], code[row], 40)
			runs(t, fns[row], older[row], 40)
		}
		t.Logf("%s: %d instructions in %d rows, %d in the best of all variants; %d exceptions", cpu, ours, len(rows), theirs, over)
	}
}

// runs compares the code of a function with its meaning.
func runs(t testing.TB, f *ir.Func, code []string, lanes int) {
	t.Helper()
	ws := make([]int, len(f.Params))
	for n, p := range f.Params {
		ws[n] = p.W
	}
	cols, prog := eval.Vectors(ws, lanes, 11), meaning(f)
	for l := range lanes {
		var in []uint32
		var vals []sem.Val
		for n, w := range ws {
			x := cols[n].Lo[l]
			vals = append(vals, sem.U(x))
			in = append(in, uint32(x))
			if w == 64 {
				in = append(in, uint32(x>>32))
			}
		}
		want := wordsOf(f, prog.Eval(vals...))
		got, err := new(gcn).run(code, in, len(want))
		require.NoError(t, err, "%s:\n%s", f.Name, strings.Join(code, "\n"))
		at := 0
		for _, v := range f.Blocks[0].Args { // higher bits do not count
			if v.W < 32 {
				got[at] &= 1<<v.W - 1
			}
			at += max(v.W/32, 1)
		}
		require.Equal(t, want, got, "%s of %x:\n%s", f.Name, in, strings.Join(code, "\n"))
	}
}
