package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// kindsTable is the table of diagnostics in docs/using.md.
func kindsTable() string {
	var b strings.Builder
	b.WriteString("| ID | | about |\n|---|---|---|\n")
	for _, k := range diag.Kinds() {
		mark := map[diag.Severity]string{diag.Warning: "w", diag.Remark: "r"}[k.Severity]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", k.ID, mark, k.Text)
	}
	return b.String()
}

func TestTheDocumentationHasEveryDiagnostic(t *testing.T) {
	path := filepath.Join(testutil.Root(t), "docs", "using.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	table := regexp.MustCompile(`(?s)(<!-- ids: [^\n]* -->\n).*(<!-- end of ids -->\n)`)
	require.Regexp(t, table, string(text))
	want := table.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(kindsTable(), "$", "$$")+"${2}")
	if *update && want != string(text) {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o666))
		return
	}
	require.True(t, want == string(text), "the table of docs/using.md is out of date: go test ./cmd/ptxlower -update")
}

func TestTheDocumentationHasEveryFieldOfTheJSON(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "using.md"))
	require.NoError(t, err)
	_, formats, ok := strings.Cut(string(text), "\n## JSON\n")
	require.True(t, ok)
	ds := []diag.Diagnostic{{ID: "x", Text: "x", File: diag.NewFile("x", nil)}}
	ds[0].Notef(nil, diag.Span{}, "x")
	var b bytes.Buffer
	diag.Render(&b, ds, diag.JSON, 0)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &fields))
	require.Len(t, fields, 9)
	for name := range fields {
		require.Contains(t, formats, "`"+name+"`")
	}
	for _, row := range []any{ptxlower.SiteReport{}, ptxlower.OpReport{}, ptxlower.FormReport{}, failure{}, targetRow{}, proof{}} {
		for f := range reflect.TypeOf(row).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			require.Regexp(t, "`"+name+"`|\""+name+"\":", formats, "%T", row)
		}
	}
}

// TestTheFunctionsInTheDocumentationAreForms calls each function of the table
// of @ptx.… functions with the type shown there.
func TestTheFunctionsInTheDocumentationAreForms(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "docs", "using.md"))
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `(.*) (@ptx\\.[\\w.]+)\\((.*)\\)` \\|$").FindAllStringSubmatch(string(text), -1)
	require.GreaterOrEqual(t, len(rows), 5)
	for _, r := range rows {
		var args []string
		for i, typ := range strings.Split(r[4], ", ") {
			args = append(args, fmt.Sprintf("%s %%a%d", typ, i))
		}
		list := strings.Join(args, ", ")
		module := fmt.Sprintf("define %s @f(%s) {\n  %%r = call %s %s(%s)\n  ret %s %%r\n}\n", r[2], list, r[2], r[3], list, r[2])
		reps, ds, err := ptxlower.Sites("f.ll", []byte(module))
		require.NoError(t, err, "%s: %v", module, ds)
		require.Len(t, reps, 1, module)
		form, operands, _ := strings.Cut(r[1], " d, ")
		if operands == "a, b" || operands == "a, b, c" {
			operands = "" // a name leaves plain ones out
		}
		require.Equal(t, strings.TrimSpace(form+" "+operands), reps[0].Forms[0])
	}
}
