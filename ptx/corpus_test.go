package ptx

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// templates are the asm strings of an .ll text, unescaped.
func templates(t testing.TB, text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, " asm ")
		if !ok || !strings.Contains(line, "call") {
			continue
		}
		_, rest, ok = strings.Cut(rest, `"`)
		if !ok {
			continue
		}
		s, _, _ := strings.Cut(rest, `"`)
		var sb strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' {
				v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
				require.NoError(t, err, s)
				sb.WriteByte(byte(v))
				i += 2
				continue
			}
			sb.WriteByte(s[i])
		}
		all = append(all, sb.String())
	}
	return all
}

func TestTheCorpusIsReadWithoutAnError(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testutil.Shared(t, "corpus/ll"), "*.ll"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	insts := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, s := range templates(t, string(text)) {
			body := ParseBody([]byte(s), func(sev diag.Severity, id string, at diag.Span, format string, args ...any) {
				t.Errorf("%s: %q: %s at %d: "+format, append([]any{filepath.Base(f), s, id, at.Start}, args...)...)
			})
			for _, it := range body.Items {
				if it.Inst == nil {
					continue
				}
				insts++
				require.True(t, !it.Inst.Opaque || VideoSibling(it.Inst.Name), "%s is opaque in %q", it.Inst.Name, s)
			}
		}
	}
	require.Greater(t, insts, 5000)
}
