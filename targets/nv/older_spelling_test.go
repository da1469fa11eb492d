package nv_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

func TestZZSpell(t *testing.T) {
	for _, name := range []string{"sm_50", "sm_60"} {
		theirs, ours := olderSeen(t, name), olderPrinted(t, older(t, name))
		for _, s := range slices.Sorted(maps.Keys(ours)) {
			if !theirs[s] {
				fmt.Printf("%s\t%s\t(%s)\n", name, s, ours[s])
			}
		}
		fmt.Println(len(ours), len(theirs))
	}
}

// olderPrinted are the shapes of all that a target prints for the forms, each
// with a line that has it.
func olderPrinted(t *testing.T, tg *isel.Target) map[string]string {
	out := map[string]string{}
	add := func(f *mach.Func) {
		for line := range strings.Lines(listing(t, tg, f)) {
			if strings.HasPrefix(line, "        ") {
				out[shape(line)] = strings.TrimSpace(line)
			}
		}
	}
	for _, f := range forms() {
		for _, m := range modelsOf(f) {
			nf, _, err := tg.SelectForm(f, m)
			require.NoError(t, err)
			require.NoError(t, nf.Allocate(tg.Machine))
			add(nf)
		}
	}
	return out
}

func olderSeen(t *testing.T, arch string) map[string]bool {
	var kernels []string
	for i, f := range forms() {
		bytesInRegisters := f.Op == ptx.Mov && f.Pack != 0 && f.T.Bits() == 8*max(int(f.Pack), -int(f.Pack))
		if bytesInRegisters || slices.Contains(ptx.Fused(), f) || f.Op == ptx.Lop3 && f.Lut%37 != 0 {
			continue
		}
		kernels = append(kernels, kernel(fmt.Sprintf("k%d", i), f))
	}
	out := map[string]bool{}
	add := func(line string) { out[shape(line)] = true }
	for chunk := range slices.Chunk(kernels, 300) {
		disassembled(t, arch, strings.Join(chunk, ""), add)
	}
	return out
}
