package ll

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

// relay prints a module's tokens with another separator between them.
func relay(m *Module, sep string) string {
	var b strings.Builder
	for x, t := m.lex(diag.Span{End: len(m.src)}); t.kind != tEOF; t = x.next() {
		b.WriteString(m.src[t.start:t.end])
		if t.kind == '!' || t.kind == '#' { // !{ and #dbg_value are written in one
			continue
		}
		b.WriteString(sep)
	}
	return b.String()
}

// shape is what must not depend on white space and comments.
func shape(m *Module) []string {
	var all []string
	for _, f := range m.Funcs {
		all = append(all, "define "+f.Name+" "+f.Ret.String())
		for _, b := range f.Blocks {
			all = append(all, b.Name+":")
			for i := range b.Insts {
				in := &b.Insts[i]
				s := in.Def + " = " + in.Word + " " + strings.Join(in.Targets, " ")
				if in.Type != nil {
					s += " " + in.Type.String()
				}
				for o := range in.Uses() {
					s += " %" + o.Name
				}
				all = append(all, s)
			}
		}
	}
	return all
}

func TestLayoutDoesNotMatter(t *testing.T) {
	corpus(t, func(t *testing.T, _ string, m *Module) {
		want := shape(m)
		for name, sep := range map[string]string{"one line": " ", "one token a line": "\n", "comments": " ; }\n", "block comments": "/* ( */"} {
			var l diag.List
			again := Parse(diag.NewFile(name, []byte(relay(m, sep))), &l)
			require.NoError(t, l.Err(), name)
			require.Empty(t, cmp.Diff(want, shape(again)), name)
		}
	})
}
