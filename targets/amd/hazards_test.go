package amd_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// A second reading of the hazards, from text alone: hazardsIn names the first
// line of a listing that comes too soon, or breaks the ban on overlaps.
func hazardsIn(target, listing string) error {
	c := checker{target: target}
	for line := range strings.Lines(listing) {
		s, _, _ := strings.Cut(line, ";")
		s = strings.TrimSpace(s)
		switch {
		case strings.HasSuffix(s, ":") && line[0] != '\t' && line[0] != ' ':
			c = checker{target: target}
			continue
		case !strings.HasPrefix(s, "v_") && !strings.HasPrefix(s, "s_"):
			continue
		}
		if err := c.line(s); err != nil {
			return fmt.Errorf("%w in %q", err, s)
		}
	}
	return nil
}

type checker struct {
	target string
	at     int         // instructions and idle states so far
	wrote  map[int]int // when a VALU wrote an SGPR last
	half   string      // the register of which a half was written just before
	valu   map[int]bool
	salu   map[int]bool
}

var (
	isScalar = regexp.MustCompile(`^(?:vcc_lo|vcc|s\d+|s\[\d+:\d+\])$`)
	register = map[byte]*regexp.Regexp{'v': regexp.MustCompile(`\bv(\d+)|\bv\[(\d+):(\d+)\]`), 's': regexp.MustCompile(`\bs(\d+)|\bs\[(\d+):(\d+)\]`)}
)

// scalars are the SGPRs that an operand names, VCC as −1.
func scalars(operand string) []int {
	if operand == "vcc" || operand == "vcc_lo" {
		return []int{vcc}
	}
	return numbers('s', operand)
}

const vcc = -1

// numbers are those of the registers of a file that an operand names.
func numbers(file byte, operand string) (out []int) {
	for _, m := range register[file].FindAllStringSubmatch(operand, -1) {
		if m[1] != "" {
			n, _ := strconv.Atoi(m[1])
			out = append(out, n)
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		for n := from; n <= to; n++ {
			out = append(out, n)
		}
	}
	return out
}

func (c *checker) line(s string) error {
	name, rest, _ := strings.Cut(s, " ")
	var operands []string
	for o := range strings.SplitSeq(rest, ",") {
		if f := strings.Fields(o); len(f) > 0 {
			operands = append(operands, f[0])
		}
	}
	valu, salu := strings.HasPrefix(name, "v_"), strings.HasPrefix(name, "s_")
	if strings.Contains(s, "v_dual_cndmask") {
		operands = append(operands, "vcc_lo")
	}
	// Results: the first operand, and the second where it is a mask and there are
	// sources after it.
	outs := 1
	if valu && len(operands) > 3 && (isScalar.MatchString(operands[1]) || operands[1] == "null") {
		outs = 2
	}
	switch {
	case strings.HasPrefix(name, "s_nop"):
		n, _ := strconv.Atoi(rest)
		c.at += n + 1
		c.half = ""
		return nil
	case name == "s_wait_alu":
		for _, f := range strings.Fields(rest) {
			switch f {
			case "depctr_sa_sdst(0)":
				clear(c.salu)
			case "depctr_va_sdst(0)":
				maps.DeleteFunc(c.valu, func(m int, _ bool) bool { return m != vcc })
			case "depctr_va_vcc(0)":
				delete(c.valu, vcc)
			}
		}
		return nil
	case strings.HasPrefix(name, "s_wait"), strings.HasPrefix(name, "s_delay"), strings.HasPrefix(name, "s_cbranch"), strings.HasPrefix(name, "s_branch"):
		return nil
	case strings.HasPrefix(name, "s_setpc"), strings.HasPrefix(name, "s_set_pc"):
		if strings.HasPrefix(c.target, "gfx120") && len(c.valu)+len(c.salu) > 0 {
			return fmt.Errorf("returns before masks are written")
		}
		return nil
	}
	if strings.HasPrefix(c.target, "gfx110") && strings.HasPrefix(name, "v_mad_") && strings.Contains(name, "64") {
		for _, o := range operands[outs:] {
			for _, n := range numbers('v', o) {
				if slices.Contains(numbers('v', operands[0]), n) {
					return fmt.Errorf("the result overlaps an operand")
				}
			}
		}
	}
	switch {
	case strings.HasPrefix(c.target, "gfx94"), c.target == "gfx950":
		return c.gfx94x(name, s, operands, outs, valu)
	case strings.HasPrefix(c.target, "gfx120"):
		return c.gfx12(operands, outs, valu, salu)
	}
	return nil
}

func (c *checker) gfx94x(name, s string, operands []string, outs int, valu bool) error {
	half := c.half
	c.half = ""
	if valu {
		for _, o := range operands[min(outs, len(operands)):] {
			for _, m := range scalars(o) {
				if w, ok := c.wrote[m]; ok && c.at-w < 3 {
					return fmt.Errorf("%s is read %d states after it was written", o, c.at-w-1)
				}
			}
			for _, n := range numbers('v', o) {
				if half == "v"+strconv.Itoa(n) {
					return fmt.Errorf("half of %s was written just before", half)
				}
			}
		}
		if strings.Contains(s, "dst_sel:WORD") {
			c.half = operands[0]
		}
		for _, o := range operands[:outs] {
			for _, m := range scalars(o) {
				if c.wrote == nil {
					c.wrote = map[int]int{}
				}
				c.wrote[m] = c.at
			}
		}
	}
	c.at++
	return nil
}

func (c *checker) gfx12(operands []string, outs int, valu, salu bool) error {
	reads := strings.Join(operands[min(outs, len(operands)):], " ")
	var masks []int
	for o := range strings.FieldsSeq(reads) {
		masks = append(masks, scalars(o)...)
	}
	for _, m := range masks {
		if salu && m == vcc {
			delete(c.valu, m)
		} else if salu {
			maps.DeleteFunc(c.valu, func(m int, _ bool) bool { return m != vcc })
		}
	}
	for _, m := range masks {
		if c.salu[m] || valu && c.valu[m] {
			return fmt.Errorf("mask %d is read before it is waited for", m)
		}
	}
	for _, o := range operands[:min(outs, len(operands))] {
		for _, m := range scalars(o) {
			if c.valu == nil {
				c.valu, c.salu = map[int]bool{}, map[int]bool{}
			}
			if m == vcc {
				delete(c.valu, m)
				delete(c.salu, m)
			}
			if salu {
				c.salu[m] = true
			} else {
				c.valu[m] = true
			}
		}
	}
	return nil
}

// The second reading is LLVM's: it finds nothing in what llc makes of the
// portable IR, and something as soon as one of llc's waits for a mask is gone.
func TestHazardsAreThoseThatLLVMKnows(t *testing.T) {
	llc := judges.Need(t, "llc-22")
	files, err := filepath.Glob(filepath.Join(testutil.Shared(t, "spec/amd/ll"), "*.ll"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, target := range []string{"gfx942", "gfx1200"} {
		removed, found := 0, 0
		for _, file := range files {
			if strings.Contains(file, "uniform") || strings.Contains(file, "amdgcn") {
				continue // SGPR arithmetic, which no listing of ours has
			}
			var out, complaints bytes.Buffer
			cmd := exec.Command(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+target, "-o", "-", file)
			cmd.Stdout, cmd.Stderr = &out, &complaints
			require.NoError(t, cmd.Run(), complaints.String())
			text := out.String()
			require.NoError(t, hazardsIn(target, text), "%s %s", target, file)
			for i, line := range regexp.MustCompile(`(?m)^\ts_(nop|wait_alu) .*\n`).FindAllStringIndex(text, 40) {
				if i%3 != 0 && os.Getenv("PTXLOWER_FULL") != "1" {
					continue
				}
				removed++
				if hazardsIn(target, text[:line[0]]+text[line[1]:]) != nil {
					found++
				}
			}
		}
		t.Logf("%s: %d of %d removed waits are missed", target, found, removed)
		require.Greater(t, removed, 20)
		require.Equal(t, removed, found)
	}
}

// A mask that another block reads crosses as a register, and is waited for where
// it is made and where it is compared.
func TestMasksDoNotCrossBlocks(t *testing.T) {
	fn := ir.NewFunc("f")
	x, y := fn.Param("x", 32), fn.Param("y", 32)
	next := fn.NewBlock("next")
	low := fn.Blocks[0].PTX(ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, x, y)
	fn.Blocks[0].Br(next)
	next.Ret(next.PTX(ptx.Form{Op: ptx.Addc, T: ptx.U32}, low[0], y, low[1])...)
	fn.Results = []int{32}
	for name, wait := range map[string]string{"gfx942": "s_nop 1", "gfx1200": "s_wait_alu depctr_va_vcc(0)", "gfx1100": "s_nop"} {
		tg := target(t, name)
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
		require.NoError(t, hazardsIn(name, sb.String()))
		n := 2
		if name == "gfx1100" {
			n = 0
		}
		require.Equal(t, n, strings.Count(sb.String(), wait), sb.String())
		require.Contains(t, sb.String(), "v_cndmask_b32 v2, 0, 1, vcc")
	}
}
