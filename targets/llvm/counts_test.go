package llvm_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
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

// longer are the rows that stay over the bar, with what llc-22 makes of them and
// why. The bar is that of files that llc compiles as they are; the same files after
// opt -O2 are as long as ours, which the test shows.
var longer = map[string]struct {
	count int
	why   string
}{
	"gfx1100 vmad_uu_h0_h0_shr15": {6, "InstCombine makes the product one of 32 bits, whose 33-bit sum needs a carry"},
}

// afterOpt is the least that llc makes of a function of the files of portable IR
// after opt -O2.
func afterOpt(t testing.TB, cpu, function string) int {
	files, err := filepath.Glob(filepath.Join(testutil.Shared(t, "spec/amd/ll"), "*.ll"))
	require.NoError(t, err)
	least := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, rest, ok := strings.Cut(string(text), "define i32 @"+function+"(")
		if !ok || strings.Contains(file, "amdgcn") {
			continue
		}
		body, _, _ := strings.Cut(rest, "\n}\n")
		if n := len(gcnCode(t, "define i32 @f("+body+"\n}\n", "22", cpu, "-O2")["f"]); least == 0 || n < least {
			least = n
		}
	}
	require.NotZero(t, least, function)
	return least
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
// row of lows, then a row of highs, for each word of the second. ptx applies a form.
func product[V any](words int, zero V, param func(name string) V, ptx func(form string, args ...V) []V) []V {
	var a, b []V
	for i := range words {
		a = append(a, param(fmt.Sprintf("a%d", i)))
	}
	for i := range words {
		b = append(b, param(fmt.Sprintf("b%d", i)))
	}
	d := make([]V, 2*words)
	for i := range d {
		d[i] = zero
	}
	for j, y := range b {
		for half, mode := range []string{"lo", "hi"} {
			var cf []V
			for i, x := range a {
				at := &d[i+j+half]
				name, args := "mad."+mode, []V{x, y, *at}
				switch {
				case half == 0 && j == 0:
					name, args = "mul.lo", args[:2]
				case cf != nil:
					name, args = "madc."+mode, append(args, cf...)
				}
				if name != "mul.lo" && (half == 0 || i < words-1) {
					name += ".cc"
				}
				out := ptx(name+".u32", args...)
				*at, cf = out[0], out[1:]
				if len(cf) == 0 {
					cf = nil
				}
			}
			if half == 0 && j > 0 {
				d[j+words] = ptx("addc.u32", zero, zero, cf[0])[0]
			}
		}
	}
	return d
}

func productFunc(t testing.TB, name string, words int) *ir.Func {
	f := ir.NewFunc(name)
	e := f.Blocks[0]
	e.Ret(product(words, f.Const(sem.U(0), 32), func(name string) *ir.Value { return f.Param(name, 32) },
		func(form string, args ...*ir.Value) []*ir.Value { return e.PTX(named(t, form), args...) })...)
	return f
}

// productIR is what ptxlower makes of the same in LLVM IR, its carry chains
// written again as they are for users.
func productIR(t testing.TB, name string, words int, cpu string) string {
	var params, body, results strings.Builder
	declares, n := map[string]bool{}, 0
	out := product(words, "0", func(name string) string {
		fmt.Fprintf(&params, ", i32 %%%s", name)
		return "%" + name
	}, func(form string, args ...string) []string {
		n++
		list, types, result := "", "", "i32"
		for i, x := range args {
			ty := "i32"
			if i == len(args)-1 && strings.Contains(form, "c.") && !strings.HasPrefix(form, "mad.") {
				ty = "i1"
			}
			list, types = list+", "+ty+" "+x, types+", "+ty
		}
		if strings.Contains(form, ".cc") {
			result = "{ i32, i1 }"
		}
		declares[fmt.Sprintf("declare %s @ptx.%s(%s)\n", result, form, types[2:])] = true
		fmt.Fprintf(&body, "  %%v%d = call %s @ptx.%s(%s)\n", n, result, form, list[2:])
		if result == "i32" {
			return []string{fmt.Sprintf("%%v%d", n)}
		}
		fmt.Fprintf(&body, "  %%d%d = extractvalue { i32, i1 } %%v%[1]d, 0\n  %%c%[1]d = extractvalue { i32, i1 } %%v%[1]d, 1\n", n)
		return []string{fmt.Sprintf("%%d%d", n), fmt.Sprintf("%%c%d", n)}
	})
	ty, last := "{ "+strings.Repeat("i32, ", 2*words-1)+"i32 }", "undef"
	for i, x := range out {
		fmt.Fprintf(&results, "  %%r%d = insertvalue %s %s, i32 %s, %d\n", i, ty, last, x, i)
		last = fmt.Sprintf("%%r%d", i)
	}
	text := strings.Join(slices.Sorted(maps.Keys(declares)), "") +
		fmt.Sprintf("define %s @%s(%s) {\n%s%s  ret %[1]s %[6]s\n}\n", ty, name, params.String()[2:], body.String(), results.String(), last)
	res, err := ptxlower.Lower(t.Context(), name, []byte(text), ptxlower.Options{Target: cpu, Emit: ptxlower.EmitLLVM})
	require.NoError(t, err, "%v\n%s", res.Diags, text)
	return string(res.Output)
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
	return productFunc(t, row, n/32)
}

// What llc makes of the rules, after opt, is about as short as what it makes of
// the best portable IR that was tried for each form by itself; and it is right.
func TestSequencesOnAMDAreAboutAsShortAsAnyPortableIRGives(t *testing.T) {
	best := bestCounts(t)
	for _, cpu := range []string{"gfx900", "gfx1100"} {
		var m module
		rows := slices.Sorted(maps.Keys(best[cpu]))
		require.Len(t, rows, 88)
		fns, code, older := map[string]*ir.Func{}, map[string][]string{}, map[string][]string{}
		for _, row := range rows {
			fns[row] = counted(t, row)
			if p := productRow.FindStringSubmatch(row); p != nil { // a chain, which is more than its forms
				n, err := strconv.Atoi(p[1])
				require.NoError(t, err)
				whole := productIR(t, row, n/32, cpu)
				maps.Copy(code, gcnCode(t, whole, "22", cpu, "-O2"))
				maps.Copy(older, gcnCode(t, whole, "19", cpu, "-O2"))
				continue
			}
			f := ir.Clone(fns[row])
			lower.WidenLows(f, nil)
			m.add(t, profile(t, cpu), selected(t, profile(t, cpu), f))
		}
		maps.Copy(code, gcnCode(t, m.String(), "22", cpu, "-O2"))
		maps.Copy(older, gcnCode(t, m.String(), "19", cpu, "-O2"))
		ours, theirs, over := 0, 0, 0
		for _, row := range rows {
			n, bar := len(code[row]), best[cpu][row]
			ours, theirs = ours+n, theirs+bar
			note := ""
			if e, ok := longer[cpu+" "+row]; ok {
				note, over = e.why, over+1
				require.Equal(t, e.count, n, "%s on %s: the exception says otherwise", row, cpu)
				require.Greater(t, 10*n, 11*bar, "%s on %s is no exception any more", row, cpu)
				require.LessOrEqual(t, n, afterOpt(t, cpu, row), "%s on %s: the file is shorter after opt, too", row, cpu)
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
