package nv_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/mach"
)

// misspelled are lines with an error each in the mnemonic, the order of operands,
// a modifier, a literal or the number of a register.
var misspelled = []string{
	"LOP3.LUT R4, R0, 0xffff, RZ, !PT, 0xc0",
	"LOP3 R4, R0, 0xffff, RZ, 0xc0, !PT",
	"PRMT R4, R0, R5, 0x7710",
	"SHF.L.U32 R4, R0, -0x8, RZ",
	"IADD R4, -0x40, R5",
	"IMAD.HI.S32 R4, R0, R5, RZ",
	"VIMNMX.S32 R4, R0, R5, PT, PT",
	"SEL R4, RZ, 0xffffffff, -P0",
	"MOV R256, 0x7fffffff",
}

// The outside assembler has a few shapes of operands for a mnemonic, and not all
// mnemonics, so that its refusal says something only of a shape of which it takes
// a line that ptxas wrote. What it takes means what nvdisasm reads in its bits.
func TestAnotherAssemblerReadsTheListingsOfSM120(t *testing.T) {
	tg := target(t, "sm_120")
	distinct := map[string]bool{}
	lowered(t, tg, func(f *mach.Func) {
		for line := range instructions(listing(t, tg, f)) {
			distinct[line] = true
		}
	})
	ours := slices.Sorted(maps.Keys(distinct))
	theirs := slices.Sorted(maps.Values(seen(t, tg.Name)))

	known := map[string]string{}
	for i, a := range judges.AssembleSM120(t, theirs) {
		if a.Refused == "" {
			known[shape(theirs[i])] = theirs[i]
		}
	}
	assembled := func(lines []string, refused func(line, why string)) (taken []string, code [][2]uint64) {
		for i, a := range judges.AssembleSM120(t, lines) {
			if a.Refused == "" {
				taken, code = append(taken, lines[i]), append(code, a.Code)
			} else {
				refused(lines[i], a.Refused)
			}
		}
		return
	}
	unknown := map[string]int{}
	taken, code := assembled(ours, func(line, why string) {
		if s := shape(line); known[s] != "" {
			t.Errorf("%s is refused, %s is not: %s", line, known[s], why)
		} else {
			unknown[s]++
		}
	})
	for i, back := range judges.DisassembleSM120(t, code) {
		require.Equal(t, taken[i], back)
	}
	t.Logf("%d instructions: %d are assembled, and read back as they were; the assembler does not have the %d shapes of the others (and has %d of %d that ptxas writes)",
		len(ours), len(taken), len(unknown), len(known), len(theirs))
	require.GreaterOrEqual(t, len(taken), 1000)
	require.Less(t, len(unknown), len(known))

	wrong, code := assembled(misspelled, func(string, string) {})
	for i, back := range judges.DisassembleSM120(t, code) {
		require.NotEqual(t, wrong[i], back)
	}
}
