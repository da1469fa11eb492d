package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// notIDs are the other strings of the source that look like an ID.
var notIDs = []string{
	"target-cpu", "target-features", "blackwell-rtx", // LLVM's attributes, a family
	"print-after", "opt-level", "diag-format", "error-limit", // flags
	"generic-sdwa", "gpu-name", "gpu-architecture", "cuda-gpu-arch", "offload-arch", "emit-llvm", "no-error", "amd-mad-clamp",
}

// TestEveryIDOfTheSourceIsInTheTable reads the source of every package: each
// string that looks like an ID, or stands where a diagnostic takes one, is in
// the table, and each ID of the table is in the source.
func TestEveryIDOfTheSourceIsInTheTable(t *testing.T) {
	shape := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	used := map[string]bool{}
	root := testutil.Root(t)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && (name == "internal" || name == "testdata" || name == "examples" || name == "diag" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		place := func(n ast.Node) string { return fset.Position(n.Pos()).String() }
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s := text(n); shape.MatchString(s) && !slices.Contains(notIDs, s) {
					used[s] = true
					_, ok := diag.Find(s)
					require.True(t, ok, "%s: %q is not in the table of diag/ids.go", place(n), s)
				}
			case *ast.CallExpr:
				id, sev := reported(n)
				if id == "" {
					return true
				}
				used[id] = true
				k, ok := diag.Find(id)
				require.True(t, ok, "%s: %q is not in the table of diag/ids.go", place(n), id)
				require.GreaterOrEqual(t, k.Severity, sev, "%s: %s is given as a %s", place(n), id, sev)
			}
			return true
		})
		return nil
	}))
	require.Contains(t, used, "verify") // a call whose ID is one word
	for _, k := range diag.Kinds() {
		require.True(t, used[k.ID], "no source file has %s", k.ID)
	}
}

// reported is the ID that a call of a method Errorf, Warnf or Add of diag.List
// gives, with its severity; "" for other calls.
func reported(c *ast.CallExpr) (id string, sev diag.Severity) {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) < 2 {
		return "", 0
	}
	switch sel.Sel.Name {
	case "Errorf":
		return onlyID(text(c.Args[0])), diag.Error
	case "Warnf":
		return onlyID(text(c.Args[0])), diag.Warning
	case "Add":
		if s, ok := c.Args[0].(*ast.SelectorExpr); ok {
			for sev := diag.Error; sev <= diag.Note; sev++ {
				if strings.EqualFold(s.Sel.Name, sev.String()) {
					return onlyID(text(c.Args[1])), sev
				}
			}
		}
	}
	return "", 0
}

// onlyID leaves out the formats of fmt.Errorf.
func onlyID(s string) string {
	if strings.ContainsAny(s, " %:") {
		return ""
	}
	return s
}

func text(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		if s, err := strconv.Unquote(l.Value); err == nil {
			return s
		}
	}
	return ""
}

func TestKindsAreSortedAndFound(t *testing.T) {
	require.True(t, slices.IsSortedFunc(diag.Kinds(), func(a, b diag.Kind) int { return strings.Compare(a.ID, b.ID) }))
	for _, k := range diag.Kinds() {
		got, ok := diag.Find(k.ID)
		require.True(t, ok)
		require.Equal(t, k, got)
		require.NotEmpty(t, k.Text)
	}
	_, ok := diag.Find("cc")
	require.False(t, ok)
}
