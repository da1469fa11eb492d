package prove_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The part of the package that has to be right is marked, and small.
func TestTheTrustedPartIsSmall(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	lines := map[string]int{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		n, all := 0, 0
		for line := range bytes.Lines(text) {
			all++
			if s := strings.TrimSpace(string(line)); s != "" && !strings.HasPrefix(s, "//") {
				n++
			}
		}
		require.Less(t, all, 600, f)
		part := "the rest"
		for _, mark := range []string{"Trusted: ", "Trusted, simulated: "} {
			if bytes.Contains(text, []byte("\n// "+mark)) {
				part = strings.TrimSuffix(mark, ": ")
			}
		}
		lines[part] += n
		t.Logf("%4d %-12s %s", n, f, part)
	}
	t.Logf("lines of code: %v", lines)
	require.Less(t, lines["Trusted"], 2000)
	require.Less(t, lines["Trusted, simulated"], 1100)
	require.Len(t, lines, 3)

	// What docs/proofs.md says of it.
	text, err := os.ReadFile("../docs/proofs.md")
	require.NoError(t, err)
	said := regexp.MustCompile(`\| (Trusted|Trusted, simulated|the rest) \| ([\d,]+) \|`).FindAllSubmatch(text, -1)
	require.Len(t, said, 3)
	for _, m := range said {
		n, err := strconv.Atoi(strings.ReplaceAll(string(m[2]), ",", ""))
		require.NoError(t, err)
		require.Equal(t, lines[string(m[1])], n, "lines of code of %q in docs/proofs.md", m[1])
	}
}
