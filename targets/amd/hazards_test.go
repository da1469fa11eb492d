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
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// A second reading of the hazards, from text alone: hazardsIn names the first
// line of a listing that comes too soon, or breaks the ban on overlaps. Each function
// is read straight on, and once for each branch with that branch taken once.
func hazardsIn(target, listing string) error {
	var lines []string
	labels := map[string]int{}
	flush := func() error {
		defer func() { lines, labels = nil, map[string]int{} }()
		for taken := -1; taken < len(lines); taken++ {
			if taken >= 0 && !strings.HasPrefix(lines[taken], "s_cbranch") && !strings.HasPrefix(lines[taken], "s_branch") {
				continue
			}
			c := checker{target: target}
			for pc, jumped := 0, false; pc < len(lines); pc++ {
				if pc == taken && !jumped {
					_, label, _ := strings.Cut(lines[pc], " ")
					to, ok := labels[label]
					if !ok {
						return fmt.Errorf("no label %q", label)
					}
					pc, jumped = to-1, true
					continue
				}
				if err := c.line(lines[pc]); err != nil {
					return fmt.Errorf("%w in %q", err, lines[pc])
				}
			}
		}
		return nil
	}
	for line := range strings.Lines(listing) {
		s, _, _ := strings.Cut(line, ";")
		s = strings.TrimSpace(s)
		label, isLabel := strings.CutSuffix(s, ":")
		switch {
		case isLabel && strings.HasPrefix(label, ".L"):
			labels[label] = len(lines)
		case isLabel && line[0] != '\t' && line[0] != ' ':
			if err := flush(); err != nil {
				return err
			}
		case strings.HasPrefix(s, "v_"), strings.HasPrefix(s, "s_"):
			lines = append(lines, s)
		}
	}
	return flush()
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
	if strings.HasPrefix(name, "s_cmp_") { // its result is SCC
		outs = 0
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

// looped is a function with a loop in which carries are made and read, and branches.
func looped() *ir.Func {
	fn := ir.NewFunc("looped")
	x, y, n := fn.Param("x", 32), fn.Param("y", 32), fn.Param("n", 32)
	b := fn.Blocks[0]
	again, then, end := fn.NewBlock("again"), fn.NewBlock("then"), fn.NewBlock("end")
	b.Br(again)
	low := again.PTX(ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, x, y)
	high := again.PTX(ptx.Form{Op: ptx.Addc, T: ptx.U32}, y, n, low[1])
	less := again.PTX(ptx.Form{Op: ptx.Setp, Cmp: ptx.Lt, T: ptx.U32}, high[0], n)
	again.CondBr(less[0], again, then)
	sum := then.PTX(ptx.Form{Op: ptx.Vmad, T: ptx.S32, A: ptx.S32, B: ptx.S32, SelA: ptx.B0, SelB: ptx.H1, Sat: true}, high[0], y, low[0])
	small := then.PTX(ptx.Form{Op: ptx.Setp, Cmp: ptx.Lt, T: ptx.U32}, sum[0], x)
	then.CondBr(small[0], again, end)
	end.Ret(sum...)
	fn.Results = []int{32}
	return fn
}

// What a hazard asks for is in the printed text, and every violation that is planted
// there is found: a wait that is gone, one that is too short, a result that
// overlaps an operand.
func TestPlantedViolationsAreFound(t *testing.T) {
	planted := func(target, listing, was, now string) (n int) {
		for at := 0; ; n++ {
			i := strings.Index(listing[at:], was)
			if i < 0 {
				return n
			}
			at += i
			text := listing[:at] + now + listing[at+len(was):]
			require.Error(t, hazardsIn(target, text), "%s: %q for %q at %d of\n%s", target, now, was, at, listing)
			at += len(was)
		}
	}
	chosen := []ptx.Form{
		{Op: ptx.Mad, Mode: ptx.Hi, T: ptx.U16},            // half a register
		{Op: ptx.Sad, T: ptx.S64},                          // a mask other than VCC
		{Op: ptx.Subc, CC: true, T: ptx.U32},               // one that a SALU writes
		{Op: ptx.Madc, Mode: ptx.Hi, CC: true, T: ptx.U64}, // many
	}
	for _, tg := range targets {
		found := map[string]int{}
		fns := []*ir.Func{looped()}
		for i, f := range append(chosen, forms()...) {
			if i < len(chosen) || i%61 == 0 {
				fns = append(fns, lone("f", f, ptx.ISA, -1, sem.Val{}))
			}
		}
		for _, fn := range fns {
			var sb strings.Builder
			require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
			listing := sb.String()
			require.NoError(t, hazardsIn(tg.Name, listing), listing)
			found["s_nop"] += planted(tg.Name, listing, "\ts_nop 0\n", "") + planted(tg.Name, listing, "\ts_nop 1\n", "") + planted(tg.Name, listing, "\ts_nop 1\n", "\ts_nop 0\n")
			for _, at := range regexp.MustCompile(`depctr_[a-z_]+\(0\)`).FindAllStringIndex(listing, -1) {
				wait := listing[at[0]:at[1]]
				found[wait]++
				text := strings.ReplaceAll(listing[:at[0]]+listing[at[1]:], "\ts_wait_alu \n", "")
				require.Error(t, hazardsIn(tg.Name, text), "%s without %s at %d of\n%s", tg.Name, wait, at[0], listing)
			}
		}
		name := tg.Name
		switch {
		case tg.Features.Has(amd.NOPS):
			require.Greater(t, found["s_nop"], 8, name)
		case tg.Features.Has(amd.WAITALU):
			require.Greater(t, found["depctr_va_vcc(0)"], 3, name)
			require.Greater(t, found["depctr_va_sdst(0)"], 0, name)
			require.Greater(t, found["depctr_sa_sdst(0)"], 0, name)
		default:
			for what, n := range found {
				require.Zero(t, n, "%s %s", name, what)
			}
		}
		overlaps := "f:\n\tv_mad_u64_u32 v[0:1], null, v0, v2, v[4:5]\n"
		require.Equal(t, tg.Features.Has(amd.FWD), hazardsIn(name, overlaps) != nil, name)
	}
	require.ErrorContains(t, hazardsIn("gfx942", "f:\n\tv_add_u16_sdwa v0, v0, v1 dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0\n\tv_add_u32 v1, v0, v2\n"), "half of v0")
	require.ErrorContains(t, hazardsIn("gfx942", "f:\n.Lagain:\n\tv_addc_co_u32 v0, vcc, v0, v1, vcc\n\ts_cbranch_execnz .Lagain\n"), "states after") // around the loop
	require.NoError(t, hazardsIn("gfx900", "f:\n.Lagain:\n\tv_addc_co_u32 v0, vcc, v0, v1, vcc\n\ts_cbranch_execnz .Lagain\n"))
}

// What operands may be is the assembler's to say: it refuses what rows, machines and
// rules avoid, on the generations that they avoid it for, and takes it on others.
func TestLimitsOfOperandsAreThoseOfTheAssembler(t *testing.T) {
	for _, x := range []struct{ line, refused, taken string }{
		{"v_lshlrev_b64 v[1:2], 5, v[4:5]", "gfx90a gfx940 gfx941 gfx942 gfx950 gfx1250", "gfx801 gfx900 gfx908 gfx1030 gfx1100"},       // pairs at odd registers
		{"v_mad_u64_u32 v[0:1], vcc, v4, v5, v[3:4]", "gfx90a gfx942 gfx950", "gfx700 gfx900 gfx908"},                                   //
		{"v_mad_u32_u24 v0, 0x12345, v1, v2", "gfx600 gfx701 gfx803 gfx900 gfx90a gfx942", "gfx1010 gfx1030 gfx1100 gfx1200 gfx1250"},   // a literal in VOP3
		{"v_mad_u32_u24 v0, 0x12345, v1, 0x54321", "gfx600 gfx900 gfx1010 gfx1030 gfx1100 gfx1153 gfx1200 gfx1250", ""},                 // two literals
		{"v_mad_u32_u24 v0, s0, s1, v2", "gfx600 gfx705 gfx810 gfx900 gfx908 gfx90a gfx950", "gfx1010 gfx1036 gfx1103 gfx1201 gfx1250"}, // two SGPRs
		{"v_mad_u32_u24 v0, s0, s1, s2", "gfx600 gfx900 gfx1010 gfx1100 gfx1201 gfx1250", ""},                                           // three
		{"v_mul_u32_u24_sdwa v0, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1", "gfx705 gfx1100 gfx1150 gfx1200 gfx1250", "gfx801 gfx810 gfx90c gfx950 gfx1036"},
		{"v_mul_u32_u24_sdwa v0, 5, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1", "gfx801 gfx803 gfx810", "gfx900 gfx942 gfx1030"},
		{"v_mad_i32_i16 v0, v0, v1, v2 op_sel:[1,0,0,0]", "gfx705 gfx803 gfx810", "gfx900 gfx90a gfx1013 gfx1103 gfx1201 gfx1250"},
		{"v_mad_i32_i24 v0, v0, v1, v2 clamp", "gfx602 gfx705", "gfx801 gfx900 gfx1100 gfx1250"},
		{"v_dual_lshlrev_b32 v0, 8, v0 :: v_dual_lshlrev_b32 v1, 8, v1", "gfx1036 gfx1100 gfx1153 gfx1201", "gfx1250"},
		{"v_dual_lshlrev_b32 v0, 8, v0 :: v_dual_lshlrev_b32 v1, 8, v4", "gfx1250", ""}, // of one bank
	} {
		for _, gpu := range strings.Fields(x.refused) {
			require.False(t, assembles(t, gpu, x.line), "%s %s", gpu, x.line)
		}
		for _, gpu := range strings.Fields(x.taken) {
			require.True(t, assembles(t, gpu, x.line), "%s %s", gpu, x.line)
		}
	}
}

func assembles(t *testing.T, gpu, line string) bool {
	t.Helper()
	cmd := exec.Command(judges.Need(t, "llvm-mc-"+judges.GFX(gpu)), "-triple=amdgcn", "-mcpu="+gpu, "-o", os.DevNull)
	cmd.Stdin = strings.NewReader("\t" + line + "\n")
	return cmd.Run() == nil
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
