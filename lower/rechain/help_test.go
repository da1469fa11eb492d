package rechain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

var (
	loadLine  = regexp.MustCompile(`^ld\.global\.[bu]\d+ (\w+),`)
	storeLine = regexp.MustCompile(`^st\.global\.[bu]\d+ \[P_\+\d+\],\s*(\w+);`)
)

// kernel reads the text between the loads and the stores of a chain's kernel:
// its results are what is stored.
func kernel(t testing.TB, path string) *ir.Func {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var body, outs []string
	loaded := false
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		switch {
		case line == "", strings.HasPrefix(line, ".reg"):
		case loadLine.MatchString(line):
			loaded = true
		case storeLine.MatchString(line):
			outs = append(outs, storeLine.FindStringSubmatch(line)[1])
		case line == "ret;":
			loaded = false
		case loaded:
			body = append(body, line)
		}
	}
	return flat(t, strings.Join(body, "\n"), outs...)
}

// flat is PTX text as a function; its results are the registers outs.
func flat(t testing.TB, text string, outs ...string) *ir.Func {
	t.Helper()
	file := diag.NewFile("chain", []byte(text))
	var l diag.List
	body := ptx.ParseFlat([]byte(text), func(sev diag.Severity, id string, sp diag.Span, format string, args ...any) {
		l.Add(sev, id, file, sp, format, args...)
	})
	fl := lower.FromFlat(file, body, ptx.ISA, &l)
	require.NoError(t, l.Err())
	f := fl.Func
	var vals []*ir.Value
	f.Results = nil
	for _, o := range outs {
		i := slices.Index(fl.Results, o)
		if i < 0 {
			i = slices.Index(fl.Params, o)
			vals = append(vals, f.Params[i])
		} else {
			vals = append(vals, f.Blocks[0].Args[i])
		}
		f.Results = append(f.Results, vals[len(vals)-1].W)
	}
	f.Blocks[0].Args = vals
	ir.RemoveDead(f)
	lower.Simplify(f)
	require.NoError(t, ir.Verify(f))
	return f
}

// kernels are the chains of the specification material that match a pattern.
func kernels(t testing.TB, folder, pattern string) map[string]*ir.Func {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testutil.Shared(t, folder), pattern+".ptx"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := map[string]*ir.Func{}
	for _, f := range files {
		out[strings.TrimSuffix(filepath.Base(f), ".ptx")] = kernel(t, f)
	}
	return out
}

func names(m map[string]*ir.Func) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
