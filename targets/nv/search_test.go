package nv_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// The rows of docs/performance.md, "Sequences that were looked for": idea, form,
// target, instructions, ptxas', what they are.
func TestSequencesThatWereLookedForAreWhatTheDocumentationSays(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "performance.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "## Sequences that were looked for\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	n := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 5 || !strings.HasPrefix(cells[2], "sm_") {
			continue
		}
		n++
		form, ops := strings.Trim(cells[1], "`"), cells[4]
		nf, c, err := target(t, cells[2]).SelectForm(formOf(t, form), ptx.ISA)
		require.NoError(t, err)
		count, _ := nf.Count()
		require.Equal(t, strconv.Itoa(count), cells[3], "%s on %s", form, cells[2])
		var names []string
		for _, in := range nf.Blocks[0].Insts {
			if !in.Move {
				names = append(names, spelledName(in))
			}
		}
		got := strings.Join(names, ", ")
		require.Equal(t, got, strings.TrimSuffix(ops, " |"), "%s on %s (rule %s)", form, cells[2], c.Rule.Name)
	}
	require.Equal(t, 17, n)
}

// spelledName is the name of an instruction, with @ where it is guarded.
func spelledName(in mach.Inst) string {
	if in.Guard != nil {
		return "@" + in.Op.Name
	}
	return in.Op.Name
}
