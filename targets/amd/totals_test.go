package amd_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

var update = flag.Bool("update", false, "write the tables of docs/targets-amd.md and docs/performance.md anew")

// llcBest is the least number of instructions that llc 22 makes of portable IR of
// a form, by target and form.
func llcBest(t *testing.T) map[[2]string]int {
	best := map[[2]string]int{}
	for _, row := range testutil.CSV(t, "spec/amd/counts_llc22.csv") {
		if slices.Contains([]string{"mad24_amdgcn", "mad24_known", "mad24_bugprobe", "mad24_bugprobe_s"}, row["file"]) {
			continue
		}
		n, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		k := [2]string{row["target"], row["function"]}
		if old, ok := best[k]; !ok || n < old {
			best[k] = n
		}
	}
	return best
}

// dearer are the forms that llc 22 makes of portable IR in fewer instructions, by
// how many: a pair of ops that it joins to v_dual counts once.
var dearer = map[string]int{"gfx1250 vmad_ss_h1_w_sat": 1}

func TestNoFormTakesMoreOpsThanLLVM(t *testing.T) {
	best := llcBest(t)
	compared, over := 0, map[string]int{}
	for k, n := range best {
		f, ok := handForm(k[1])
		if !ok || f.ReadsCF() || f.CC { // LLVM's functions pass the carry in a register
			continue
		}
		tg := target(t, k[0])
		ops, _ := cost(t, tg, f, ptx.ISA)
		compared++
		if ops > n {
			over[k[0]+" "+k[1]] = ops - n
		}
	}
	t.Logf("%d forms on targets compared", compared)
	require.Greater(t, compared, 1000)
	require.Equal(t, dearer, over)
}

// Where docs/performance.md has the table.
const (
	tableBegins = "<!-- AMD: go test ./targets/amd -run Totals -update -->\n"
	tableEnds   = "<!-- AMD: end -->\n"
)

// The table of docs/targets-amd.md and docs/performance.md is what is measured now. The means are measured
// anew on some targets, under PTXLOWER_FULL=1 on all.
func TestTotalsAreAsTheDocumentSays(t *testing.T) {
	best, rows := llcBest(t), testutil.CSV(t, "spec/amd/counts_hand.csv")
	file := filepath.Join(testutil.Root(t), "docs", "targets-amd.md")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var out bytes.Buffer
	out.WriteString("# AMD targets: operations per form\n\n" +
		"Written by `go test ./targets/amd -run Totals -update`; the test fails when it is stale.\n" +
		"Forms: those counted by hand, without carries between functions; ours, by hand, llc 22's best\n" +
		"of portable IR (a form that was not compiled is left out of all three). vmad: mean over all\n" +
		"vmad behaviours, by the ISA's text and as ptxas does it.\n\n" +
		"| target | forms | ours | by hand | llc 22 | vmad, ISA | vmad, ptxas |\n|---|---|---|---|---|---|---|\n")
	for _, tg := range targets {
		forms, ours, hand, llc := 0, 0, 0, 0
		for _, row := range rows {
			f, ok := handForm(row["form"])
			n, err := strconv.Atoi(row["instrs"])
			by, known := best[[2]string{tg.Name, row["form"]}]
			if row["target"] != tg.Name || !ok || err != nil || !known || f.ReadsCF() || f.CC {
				continue
			}
			ops, _ := cost(t, tg, f, ptx.ISA)
			forms, ours, hand, llc = forms+1, ours+ops, hand+n, llc+by
		}
		if forms == 0 {
			continue
		}
		if !*update && os.Getenv("PTXLOWER_FULL") != "1" && !slices.Contains([]string{"gfx600", "gfx1250"}, tg.Name) {
			row := fmt.Sprintf("| %s | %d | %d | %d | %d |", tg.Name, forms, ours, hand, llc)
			_, rest, ok := strings.Cut(string(text), row)
			require.True(t, ok, "the document has no row %s", row)
			rest, _, _ = strings.Cut(rest, "\n")
			out.WriteString(row + rest + "\n")
			continue
		}
		var mean [2]float64
		n := 0
		for _, f := range ptx.Behaviours() {
			if f.Op != ptx.Vmad {
				continue
			}
			n++
			for i, m := range models(f) {
				ops, _ := cost(t, tg, f, m)
				mean[i] += float64(ops)
			}
		}
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d | %.2f | %.2f |\n", tg.Name, forms, ours, hand, llc, mean[0]/float64(n), mean[1]/float64(n))
	}
	_, table, _ := strings.Cut(out.String(), "\n\n|")
	page := filepath.Join(testutil.Root(t), "docs", "performance.md")
	whole, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(whole), tableBegins)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, tableEnds)
	require.True(t, ok)
	wanted := before + tableBegins + "\n|" + table + tableEnds + after
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(page, []byte(wanted), 0o644))
		return
	}
	require.Equal(t, string(text), out.String())
	require.True(t, wanted == string(whole), "the table of docs/performance.md is stale: go test ./targets/amd -run Totals -update")
}
