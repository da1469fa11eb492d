package nv_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// ptxasCounts are the instructions, without moves, that ptxas makes of each form
// that was counted for an architecture.
func ptxasCounts(t *testing.T, tg *isel.Target) map[string]string {
	out := map[string]string{}
	for _, row := range testutil.CSV(t, "spec/nv/counts_ptxas.csv") {
		if slices.Contains(strings.Fields(row["archs"]), strings.TrimPrefix(tg.Name, "sm_")) {
			for _, name := range unfold(row["form"]) {
				out[name] = row["n_ops"]
			}
		}
	}
	return out
}

// performance gives a section of docs/performance.md.
func performance(t *testing.T, title string) string {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "performance.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## "+title+"\n")
	require.True(t, ok, title)
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

func TestTheSequencesInTheDocumentationTakeWhatItSays(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\|.*\\| `([^`]+)` \\| (\\d+) \\| (\\d+) \\|.*\\|$").FindAllStringSubmatch(performance(t, "Sequences that were looked for"), -1)
	require.Len(t, rows, 9)
	tg := target(t, "sm_70")
	theirs := ptxasCounts(t, tg)
	for _, said := range rows {
		f := formOf(t, said[1])
		ours, _ := cost(t, tg, f, ptx.ISA)
		assert.Equal(t, said[2], strconv.Itoa(ours), said[1])
		if f.Op.Family() { // cvt is from research/ptxas-counts.md
			assert.Equal(t, said[3], theirs[f.Name()], said[1])
		}
	}
}
