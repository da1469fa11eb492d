package judges

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// GFX is the version of LLVM that judges code of an AMD GPU: the newest that has
// it. LLVM 22 has dropped gfx940 and gfx941.
func GFX(gpu string) string {
	if gpu == "gfx940" || gpu == "gfx941" {
		return "19"
	}
	return "22"
}

// LLD is LLVM's linker, by its own name or as Rust has it.
func LLD(t testing.TB) string {
	if p, err := exec.LookPath("ld.lld"); err == nil {
		return p
	}
	if root, err := exec.Command("rustc", "--print", "sysroot").Output(); err == nil {
		found, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "lib/rustlib/*/bin/gcc-ld/ld.lld"))
		if len(found) > 0 {
			return found[0]
		}
	}
	return Need(t, "ld.lld")
}

// GFXLine is an instruction of a disassembled object.
type GFXLine struct {
	Text string // as llvm-objdump prints it; a branch has a number
	Code string // its bytes, as hexadecimal words
	At   uint64 // its address
	To   uint64 // of a branch: the address that it leads to
}

// GFXObject is an object that llvm-mc makes of a listing without complaint.
func GFXObject(t testing.TB, gpu string, listing []byte) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "listing.o")
	cmd := exec.Command(Need(t, "llvm-mc-"+GFX(gpu)), "-triple=amdgcn-amd-amdhsa", "-mcpu="+gpu, "-filetype=obj", "-o", file)
	cmd.Stdin = bytes.NewReader(listing)
	out, err := cmd.CombinedOutput()
	require.Empty(t, string(out[:min(len(out), 4000)]), "%s", gpu)
	require.NoError(t, err)
	return file
}

// GFXDisassemble assembles a listing and gives the instructions of the object.
// No LLVM has a disassembler of gfx6 and gfx7 ("not yet supported for
// subtarget"): there it is what the assembler understood, as it prints that, and
// branches have no addresses; GFXRoundTrip has the encoding read by gcn1. LLVM since 20 spells 16-bit operands of gfx11 as
// v0.l and v0.h besides what op_sel says, which no older one reads; the
// disassembler is asked for whole registers.
func GFXDisassemble(t testing.TB, gpu string, listing []byte) []GFXLine {
	t.Helper()
	file := GFXObject(t, gpu, listing)
	mark := "// "
	cmd := exec.Command(Need(t, "llvm-objdump-"+GFX(gpu)), "-d", "--mcpu="+gpu, file)
	switch {
	case strings.HasPrefix(gpu, "gfx11"):
		cmd.Args = append(cmd.Args, "--mattr=-real-true16")
	case len(gpu) == 6 && gpu[3] < '8':
		mark = "; encoding: "
		cmd = exec.Command(Need(t, "llvm-mc-"+GFX(gpu)), "-triple=amdgcn-amd-amdhsa", "-mcpu="+gpu, "-show-encoding")
		cmd.Stdin = bytes.NewReader(listing)
	}
	out, err := cmd.Output()
	require.NoError(t, err, "%s", gpu)
	var lines []GFXLine
	for s := range strings.Lines(string(out)) {
		text, code, ok := strings.Cut(s, mark)
		if !ok || s[0] != '\t' {
			continue
		}
		l := GFXLine{Text: strings.TrimSpace(text)}
		if mark == "// " {
			at := ""
			at, code, _ = strings.Cut(strings.TrimSpace(code), ": ")
			l.At, err = strconv.ParseUint(at, 16, 64)
			require.NoError(t, err, s)
			code, _, _ = strings.Cut(code, " <")
			if name, n, _ := strings.Cut(l.Text, " "); isBranch(name) {
				words, err := strconv.ParseUint(n, 10, 16)
				require.NoError(t, err, s)
				l.To = l.At + 4 + uint64(4*int64(int16(words)))
			}
		}
		l.Code = strings.TrimSpace(code)
		lines = append(lines, l)
	}
	return lines
}

func isBranch(name string) bool {
	return strings.HasPrefix(name, "s_branch") || strings.HasPrefix(name, "s_cbranch")
}

// GFXRoundTrip is the error of a listing of which an instruction is not what the
// disassembler of the same GPU makes of its encoding, or of which the
// disassembly has another encoding. A listing leaves the choice of the encoding to
// the assembler and has no suffix for it; the disassembler adds the suffix of the
// one that was chosen, _e32 or _e64, and that alone may differ. A branch has a
// label in the one and a distance in the other; both must lead to the same
// instruction. Directives have no part in it, padding is left out.
func GFXRoundTrip(t testing.TB, gpu string, listing []byte) (instructions int, err error) {
	t.Helper()
	listing = padding.ReplaceAll(listing, nil)
	ours, labels := GFXInstructions(listing)
	back := GFXDisassemble(t, gpu, listing)
	if len(ours) != len(back) {
		return 0, fmt.Errorf("%s: %d instructions are disassembled to %d", gpu, len(ours), len(back))
	}
	var again bytes.Buffer
	old := gcn1{map[string]string{}, map[string]string{}}
	for i, l := range back {
		if len(gpu) == 6 && gpu[3] < '8' {
			if err := old.check(ours[i], l.Code); err != nil {
				return 0, fmt.Errorf("%s: %w", gpu, err)
			}
		}
		for label, at := range labels { // that gfx6 and gfx7 have no numbers for
			if at == i {
				again.WriteString(label + ":\n")
			}
		}
		again.WriteString(l.Text + "\n")
		name, operands, _ := strings.Cut(l.Text, " ")
		if l.To != 0 {
			_, label, _ := strings.Cut(ours[i], " ")
			if at, ok := labels[label]; ok && at < len(back) && back[at].At == l.To {
				operands = label
			}
		}
		if is := name + " " + operands; is == ours[i] {
			continue
		}
		short, e32 := strings.CutSuffix(name, "_e32")
		if !e32 {
			short, _ = strings.CutSuffix(name, "_e64")
		}
		if is := short + " " + operands; is != ours[i] {
			return 0, fmt.Errorf("%s: %q is disassembled as %q", gpu, ours[i], l.Text)
		}
	}
	for i, l := range GFXDisassemble(t, gpu, again.Bytes()) {
		if l.Code != back[i].Code {
			return 0, fmt.Errorf("%s: %q is encoded as %s, its disassembly %q as %s", gpu, ours[i], back[i].Code, back[i].Text, l.Code)
		}
	}
	return len(ours), nil
}

var padding = regexp.MustCompile(`(?m)^\t\.(p2alignl|fill) .*\n`)

// GFXInstructions are the lines of a listing that are neither labels nor
// directives, and before which of them its labels stand.
func GFXInstructions(listing []byte) (lines []string, labels map[string]int) {
	labels = map[string]int{}
	for line := range strings.Lines(string(listing)) {
		s, _, _ := strings.Cut(line, ";")
		s = strings.TrimSpace(s)
		label, isLabel := strings.CutSuffix(s, ":")
		switch {
		case isLabel:
			labels[label] = len(lines)
		case s != "" && s[0] != '.':
			if !strings.Contains(s, " ") {
				s += " "
			}
			lines = append(lines, s)
		}
	}
	return lines, labels
}
