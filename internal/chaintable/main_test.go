package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/chains"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

func tableRows(t *testing.T) []*row {
	t.Helper()
	t.Chdir(testutil.Root(t))
	f, err := os.Open(table)
	require.NoError(t, err)
	defer f.Close()
	rows, err := readRows(f)
	require.NoError(t, err)
	return rows
}

func TestPagesShowTheTable(t *testing.T) {
	rows := tableRows(t)
	text, err := os.ReadFile("docs/rechaining.md")
	require.NoError(t, err)
	with, err := withFigures(string(text), figures(rows))
	require.NoError(t, err)
	const how = "out of date: go run ./internal/chaintable -pages"
	require.Equal(t, with, string(text), how)
	text, err = os.ReadFile("docs/chains.md")
	require.NoError(t, err)
	require.Equal(t, page(rows), string(text), how)
}

// No chain gets longer, through ptxas, in a listing, or through llc.
func TestNoRowGetsLonger(t *testing.T) {
	rows := tableRows(t)
	require.Greater(t, len(rows), 1000)
	for _, r := range rows {
		require.LessOrEqual(t, r.after.Ops, r.before.Ops, "%s on %s (%s)", r.chain, r.target, r.reader)
	}
}

// The table says what is counted now: of listings all rows, of what other programs
// read a sample, all with PTXLOWER_FULL=1.
func TestTheTableIsWhatIsCounted(t *testing.T) {
	rows := tableRows(t)
	for _, name := range []string{"llc-22", "ptxas-12.9", "ptxas-13.5", "nvdisasm-12.8", "nvdisasm-13.5"} {
		judges.Need(t, name)
	}
	readers, chain := ".", "."
	if os.Getenv("PTXLOWER_FULL") != "1" {
		readers, chain = "llc|ptxas", "^sqr64_dbl$"
	}
	check := func(chain, reader string) {
		var b strings.Builder
		require.NoError(t, run(chain, ".", reader, &b))
		now, err := readRows(strings.NewReader(b.String()))
		require.NoError(t, err)
		n := 0
		for _, r := range rows {
			if regexp.MustCompile(chain).MatchString(r.chain) && regexp.MustCompile(reader).MatchString(r.reader) {
				require.Less(t, n, len(now))
				require.Equal(t, now[n], r)
				n++
			}
		}
		require.Len(t, now, n)
		t.Logf("%d rows", n)
	}
	check(chain, readers)
	check("^(mul128|sqr128|sub256|mont)", "listing")
}

// The one form for each shape gains nearly as much as the best of up to 17 texts
// that ptxas chose among for each chain.
func TestOneFormGainsNearlyAsMuchAsTheBestOfMany(t *testing.T) {
	rows := tableRows(t)
	type at struct{ chain, arch string }
	of := map[at]*row{}
	for _, r := range rows {
		if r.reader == "ptxas" {
			of[at{r.chain, strings.TrimPrefix(r.target, "sm_")}] = r
		}
	}
	files := map[string]string{}
	for _, f := range chains.Files(testutil.Shared(t, ".")) {
		files[strings.TrimSuffix(filepath.Base(f), ".ptx")] = f
	}
	best, ours, n := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, b := range testutil.CSV(t, "spec/nv/rechain_ptxas.csv") {
		r := of[at{b["chain"], b["arch"]}]
		if r == nil || files[b["chain"]] == "" {
			continue
		}
		c, err := chains.Read(files[b["chain"]])
		require.NoError(t, err)
		if !c.Products() {
			continue
		}
		before, err := strconv.Atoi(b["ops_before"])
		require.NoError(t, err)
		after := before
		if b["decision"] == "rewrite" {
			after, err = strconv.Atoi(b["ops_after"])
			require.NoError(t, err)
		}
		arch := b["arch"]
		best[arch] += math.Log(float64(before) / float64(after))
		ours[arch] += math.Log(float64(r.before.Ops) / float64(r.after.Ops))
		n[arch]++
	}
	require.GreaterOrEqual(t, len(n), 5)
	for arch := range n {
		b, o := math.Exp(best[arch]/n[arch]), math.Exp(ours[arch]/n[arch])
		t.Logf("sm_%s: %.0f chains, mean gain %.3f, the best of all %.3f: %.1f %%", arch, n[arch], o, b, 100*o/b)
		require.GreaterOrEqual(t, o, 0.95*b, arch)
		require.GreaterOrEqual(t, o-1, 0.94*(b-1), arch)
	}
}
