package amd_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// Every line of every form, alone and with constants, is for every GPU what the
// disassembler makes of its encoding. GPUs that are alike have the same lines, and
// each of them is asked. None comes too soon after another. Without
// PTXLOWER_FULL=1 it is a sample of the forms.
func TestEveryLineDisassemblesToItself(t *testing.T) {
	judges.Need(t, "llvm-mc-19")
	judges.Need(t, "llvm-mc-22")
	some := forms()
	if os.Getenv("PTXLOWER_FULL") != "1" {
		n := 0
		some = slices.DeleteFunc(slices.Clone(some), func(ptx.Form) bool { n++; return n%61 != 0 })
	}
	like := map[ir.Features][]*isel.Target{}
	for _, tg := range targets {
		like[tg.Features] = append(like[tg.Features], tg)
	}
	for _, tg := range leading() {
		lines := map[string]bool{}
		all(some, func(name string, form ptx.Form, fn *ir.Func) {
			var one strings.Builder
			require.NoError(t, tg.Print(&one, compiled(t, tg, fn)), form.Name())
			require.NoError(t, hazardsIn(tg.Name, one.String()), form.Name())
			for s := range strings.Lines(strings.TrimPrefix(one.String(), name+":\n")) {
				lines[s] = true
			}
		})
		var text bytes.Buffer
		for _, s := range slices.Sorted(maps.Keys(lines)) {
			text.WriteString(s)
		}
		for _, gpu := range like[tg.Features] {
			require.Equal(t, len(lines), requireAssembles(t, gpu.Name, text.Bytes()), gpu.Name)
		}
		t.Logf("%s, of %d alike: %d different lines", tg.Name, len(like[tg.Features]), len(lines))
	}
}
