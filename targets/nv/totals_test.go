package nv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// versus are the totals over all behaviours on a target, as the tests of the
// bars compare them.
type versus struct{ forms, ours, theirs, vmads, ourVmads, theirVmads int }

func totals(t *testing.T, tg *isel.Target) versus {
	byName := map[string]ptx.Form{}
	for _, f := range ptx.Behaviours() {
		byName[f.Name()] = f
	}
	arch := strings.TrimPrefix(tg.Name, "sm_")
	var v versus
	for _, row := range testutil.CSV(t, "spec/nv/counts_ptxas.csv") {
		if !slices.Contains(strings.Fields(row["archs"]), arch) {
			continue
		}
		theirs, err := strconv.Atoi(row["n_ops"])
		require.NoError(t, err)
		m := ptx.ISA
		if row["suspect"] != "" {
			m = ptx.PTXAS
		}
		for _, name := range unfold(row["form"]) {
			ours, _ := costStored(t, tg, byName[name], m)
			if arch == "35" {
				ours, _ = cost(t, tg, byName[name], m)
			}
			v.forms++
			v.ours += ours
			v.theirs += theirs
			if row["group"] == "vmad" {
				v.vmads++
				v.theirVmads += theirs
				isa, _ := cost(t, tg, byName[name], ptx.ISA)
				v.ourVmads += isa
			}
		}
	}
	require.Equal(t, len(byName), v.forms)
	return v
}

// A row of the table: its targets, "sm_50, sm_52" or "sm_70 to sm_110", our
// total, that of ptxas, and the means of vmad, that of ptxas where it emulates.
var totalsRow = regexp.MustCompile(`(?m)^\| (sm_[^|]*) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d.]*) ?\|$`)

func TestTotalsAgainstPtxasAreThoseOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "performance.md"))
	require.NoError(t, err)
	rows := totalsRow.FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 5)
	number := func(s string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		require.NoError(t, err)
		return n
	}
	n := 0
	for _, row := range rows {
		names := strings.Split(row[1], ", ")
		if first, last, ok := strings.Cut(row[1], " to "); ok {
			all := modern()
			at := func(name string) int {
				return slices.IndexFunc(all, func(tg *isel.Target) bool { return tg.Name == name })
			}
			names = nil
			for _, tg := range all[at(first) : at(last)+1] {
				names = append(names, tg.Name)
			}
		}
		for _, name := range names {
			v := totals(t, target(t, name))
			require.Equal(t, [2]int{v.ours, v.theirs}, [2]int{number(row[2]), number(row[3])}, "%s in docs/performance.md", name)
			require.Equal(t, row[4], fmt.Sprintf("%.2f", float64(v.ourVmads)/float64(v.vmads)), "vmad on %s", name)
			if row[5] != "" {
				require.Equal(t, row[5], fmt.Sprintf("%.2f", float64(v.theirVmads)/float64(v.vmads)), "vmad of ptxas on %s", name)
			}
			n++
		}
	}
	require.Equal(t, 21, n, "targets")
}
