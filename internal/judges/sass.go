package judges

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// SASS is what the assembler makes of a line.
type SASS struct {
	Code    [2]uint64 // the instruction, its low word first, when Refused is empty
	Refused string    // why it is not assembled
}

// AssembleSM120 assembles lines, each an instruction of sm_120 as nvdisasm
// prints it without the semicolon, with basalt-sass, in one process. It refuses
// what it does not know: it has a few shapes of operands for a mnemonic, and not
// all mnemonics.
func AssembleSM120(t testing.TB, lines []string) []SASS {
	t.Helper()
	cmd := exec.Command(Need(t, "basalt-sass"), "assemble")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run() // 1 when a line was refused
	require.Empty(t, problem.String(), "%v", err)
	var got []SASS
	for s := range strings.Lines(out.String()) {
		s = strings.TrimRight(s, "\n")
		if reason, ok := strings.CutPrefix(s, "           "); ok {
			got[len(got)-1].Refused = reason
			continue
		}
		verdict, line, ok := strings.Cut(strings.TrimPrefix(s, "  "), "  ")
		require.True(t, ok && len(got) < len(lines) && line == lines[len(got)], "%q", s)
		var a SASS
		if verdict == "refused" {
			a.Refused = "no reason"
		} else {
			word, ok := new(big.Int).SetString(verdict, 16)
			require.True(t, ok, "%q", s)
			a.Code = [2]uint64{word.Uint64(), new(big.Int).Rsh(word, 64).Uint64()}
		}
		got = append(got, a)
	}
	require.Len(t, got, len(lines))
	return got
}

var sassLine = regexp.MustCompile(`(?m)^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;`)

// DisassembleSM120 is what nvdisasm prints for instructions of sm_120, each
// without the semicolon, and with single spaces.
func DisassembleSM120(t testing.TB, code [][2]uint64) []string {
	t.Helper()
	var bin bytes.Buffer
	require.NoError(t, binary.Write(&bin, binary.LittleEndian, code))
	file := filepath.Join(t.TempDir(), "code.bin")
	require.NoError(t, os.WriteFile(file, bin.Bytes(), 0o600))
	out, err := exec.Command(Need(t, "nvdisasm-13.5"), "-b", "SM120", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var lines []string
	for _, m := range sassLine.FindAllStringSubmatch(string(out), -1) {
		lines = append(lines, strings.Join(strings.Fields(m[1]), " "))
	}
	require.Len(t, lines, len(code))
	return lines
}
