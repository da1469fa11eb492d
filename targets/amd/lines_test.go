package amd_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"regexp"
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

// The targets are LLVM's, the newest that has them, by its names and code names.
// Other names, those of products, LLVM does not have.
func TestTargetsAreThoseThatLLVMHas(t *testing.T) {
	known := map[string]bool{}
	for _, version := range []string{"22", "19"} {
		cmd := exec.Command(judges.Need(t, "llvm-mc-"+version), "-triple=amdgcn", "-mcpu=help")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err)
		list, _, _ := strings.Cut(string(out), "Available features")
		for _, m := range regexp.MustCompile(`(?m)^ +(\S+) +- Select`).FindAllStringSubmatch(list, -1) {
			known[m[1]] = true
		}
	}
	flags := func(cpu string) string { // of the ELF header: which GPU it is
		file := judges.GFXObject(t, cpu, nil)
		elf, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(elf[48:52])
	}
	ours, products := map[string]bool{}, 0
	for _, tg := range targets {
		require.True(t, known[tg.Name], tg.Name)
		ours[tg.Name] = true
		for _, a := range tg.Aliases {
			if ours[a] = true; !known[a] {
				products++
				continue
			}
			require.Equal(t, flags(tg.Name), flags(a), "%s is not %s", a, tg.Name)
		}
	}
	t.Logf("%d names of products that LLVM has not", products)
	for name := range known {
		other := strings.Contains(name, "generic") || name == "gfx1251"
		require.True(t, ours[name] || other, "LLVM has %s", name)
	}
}
