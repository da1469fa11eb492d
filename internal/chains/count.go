package chains

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Cost is what an assembler makes: operations without moves of arguments,
// loads, stores and control, and registers of 32 bits.
type Cost struct{ Ops, Regs int }

// NVIDIA is an architecture, the newest ptxas that has it, a disassembler for
// that, and the PTX version that llc is to write.
type NVIDIA struct{ Arch, Ptxas, Nvdisasm, PTX string }

// Archs are one architecture of each class that ptxas tells apart.
var Archs = []NVIDIA{
	{"52", "12.9", "12.8", "78"},
	{"70", "12.9", "12.8", "78"},
	{"75", "13.5", "13.5", "78"},
	{"80", "13.5", "13.5", "78"},
	{"89", "13.5", "13.5", "78"},
	{"90", "13.5", "13.5", "78"},
	{"100", "13.5", "13.5", "87"},
	{"120", "13.5", "13.5", "87"},
}

// Arch is the one of a name, "80" say.
func Arch(name string) NVIDIA {
	for _, a := range Archs {
		if a.Arch == name {
			return a
		}
	}
	panic("no architecture " + name)
}

// Tool gives the path of a program, llc-22 or ptxas-13.5 say.
type Tool func(name string) (string, error)

var (
	sassLine = regexp.MustCompile(`/\*[0-9a-f]{4,5}\*/\s+(?:\{\s*)?(@!?U?P\d\s+)?([A-Z][A-Z0-9_.]*)`)
	notAnOp  = regexp.MustCompile(`^(NOP|BRA|EXIT|RET|LDG|STG|LD|ST|LDC|ULDC|LDCU|S2R|S2UR|DEPBAR|SSY|SYNC|CS2R|BMOV)\b`)
	usedRegs = regexp.MustCompile(`Used (\d+) registers`)
)

// Count counts what llc and ptxas make of a module with one kernel.
func (n NVIDIA) Count(tool Tool, module string) (c Cost, err error) {
	dir, err := os.MkdirTemp("", "chain")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("k.ll"), []byte(module), 0o600); err != nil {
		return c, err
	}
	var msg []byte
	for _, args := range [][]string{
		{"llc-22", "-march=nvptx64", "-mcpu=sm_" + n.Arch, "-mattr=+ptx" + n.PTX, file("k.ll"), "-o", file("k.ptx")},
		{"ptxas-" + n.Ptxas, "-v", "-arch=sm_" + n.Arch, file("k.ptx"), "-o", file("k.cubin")},
	} {
		path, err := tool(args[0])
		if err != nil {
			return c, err
		}
		if msg, err = exec.Command(path, args[1:]...).CombinedOutput(); err != nil {
			return c, fmt.Errorf("%s: %w: %s", args[0], err, msg)
		}
	}
	path, err := tool("nvdisasm-" + n.Nvdisasm)
	if err != nil {
		return c, err
	}
	sass, err := exec.Command(path, "-c", file("k.cubin")).Output()
	if err != nil {
		return c, fmt.Errorf("nvdisasm: %w", err)
	}
	for _, m := range sassLine.FindAllStringSubmatch(string(sass), -1) {
		if !notAnOp.MatchString(m[2]) {
			c.Ops++
		}
	}
	if m := usedRegs.FindSubmatch(msg); m != nil {
		c.Regs, _ = strconv.Atoi(string(m[1])) // digits
	}
	return c, nil
}

var usedVGPRs = regexp.MustCompile(`(?:NumVgprs|TotalNumVgprs): (\d+)`)

// CountAMD counts the instructions that llc makes of a module for an AMD GPU,
// and vector registers.
func CountAMD(tool Tool, module, cpu string) (c Cost, err error) {
	path, err := tool("llc-22")
	if err != nil {
		return c, err
	}
	cmd := exec.Command(path, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+cpu, "-o", "-")
	cmd.Stdin = strings.NewReader(module)
	out, err := cmd.Output()
	if err != nil {
		return c, fmt.Errorf("llc: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "v_") || strings.HasPrefix(line, "s_") {
			c.Ops++
		}
	}
	if m := usedVGPRs.FindSubmatch(out); m != nil {
		c.Regs, _ = strconv.Atoi(string(m[1])) // digits
	}
	return c, nil
}

var listingReg = regexp.MustCompile(`\b[Rv](\d+)\b|\bv\[(\d+):(\d+)\]`)

// Listing counts the operations of a listing of ptxlower's, without moves and
// what ends it, and the registers that it names.
func Listing(text string) (c Cost) {
	regs := map[int]bool{}
	for line := range strings.Lines(text) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "MOV", "v_mov_b32", "RET.ABS.NODEC", "RET", "s_waitcnt", "s_setpc_b64", "":
			continue
		}
		if strings.HasSuffix(word, ":") || word[0] == '.' {
			continue
		}
		c.Ops++
		for _, m := range listingReg.FindAllStringSubmatch(line, -1) {
			at := func(s string) int { n, _ := strconv.Atoi(s); return n } // digits
			if m[1] != "" {
				regs[at(m[1])] = true
				continue
			}
			for i := at(m[2]); i <= at(m[3]); i++ {
				regs[i] = true
			}
		}
	}
	c.Regs = len(regs)
	return c
}
