package llvm_test

import (
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A naive machine for what llc makes of integer code for one lane of an AMD
// GPU: enough instructions to run carry chains, and a refusal of all others.
// Source: AMD's instruction set manuals for Vega and RDNA3.

// gcnFuncs reads llc's output: the instructions of each function.
func gcnFuncs(asm string) map[string][]string {
	funcs := map[string][]string{}
	label := regexp.MustCompile(`^([a-z]\w*):`)
	name := ""
	for line := range strings.Lines(asm) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), ";")
		if m := label.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		line = strings.TrimSpace(line)
		op, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, ".Lfunc_end"):
			name = ""
		case name == "" || !strings.HasPrefix(op, "v_") && !strings.HasPrefix(op, "s_"):
		case strings.HasPrefix(op, "s_wait"), op == "s_delay_alu", op == "s_nop", op == "s_setpc_b64":
		default:
			funcs[name] = append(funcs[name], line)
		}
	}
	return funcs
}

// gcn is the state of one lane. A mask register holds the lane's bit in bit 0;
// scalar registers hold values. A pair starts at its low register.
type gcn struct {
	v, s   map[int]uint32
	vcc    uint32
	parts  [3]string // that SDWA takes of the sources: BYTE_0 … WORD_1; from 1 on
	writes []func()  // of the instruction that is being executed
	err    error
}

// run executes a function on arguments in v0, v1, … and gives v0, v1, ….
func (g *gcn) run(code []string, args []uint32, results int) ([]uint32, error) {
	if len(code) == 0 {
		return nil, errors.New("no code")
	}
	g.v, g.s = map[int]uint32{}, map[int]uint32{}
	for n, x := range args {
		g.v[n] = x
	}
	for _, line := range code {
		for part := range strings.SplitSeq(line, " :: ") { // both halves read before either writes
			g.step(strings.TrimSpace(part))
		}
		if g.err != nil {
			return nil, fmt.Errorf("%s: %w", line, g.err)
		}
		for _, w := range g.writes {
			w()
		}
		g.writes = g.writes[:0]
	}
	out := make([]uint32, results)
	for n := range out {
		out[n] = g.v[n]
	}
	return out, nil
}

func (g *gcn) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

var register = regexp.MustCompile(`^([vs])(?:(\d+)|\[(\d+):(\d+)\])$`)

// registers gives the file and the numbers of v7, or v[7:8].
func (g *gcn) registers(o string) (file map[int]uint32, lo, hi int) {
	m := register.FindStringSubmatch(o)
	if m == nil {
		g.fail("operand %s", o)
		return nil, 0, 0
	}
	if file = g.v; m[1] == "s" {
		file = g.s
	}
	if m[2] != "" {
		lo, _ = strconv.Atoi(m[2])
		return file, lo, lo
	}
	lo, _ = strconv.Atoi(m[3])
	hi, _ = strconv.Atoi(m[4])
	return file, lo, hi
}

// read gives an operand of 32 or 64 bits; constants are signed.
func (g *gcn) read(o string) uint64 {
	if strings.HasPrefix(o, "vcc") {
		return uint64(g.vcc)
	}
	if x, err := strconv.ParseInt(o, 0, 64); err == nil {
		return uint64(x)
	}
	if r, ok := strings.CutSuffix(o, ".l"); ok {
		return g.read(r) & 0xffff
	}
	if r, ok := strings.CutSuffix(o, ".h"); ok {
		return g.read(r) >> 16
	}
	file, lo, hi := g.registers(o)
	if lo == hi {
		return uint64(file[lo])
	}
	return uint64(file[hi])<<32 | uint64(file[lo])
}

// source is an operand, or the part of it that SDWA takes.
func (g *gcn) source(o []string, n int) uint64 {
	if n > 2 || g.parts[n] == "" {
		return g.read(o[n])
	}
	text, signed := strings.CutPrefix(o[n], "sext(")
	x := g.read(strings.TrimSuffix(text, ")"))
	at, size := 0, 32
	if kind, number, ok := strings.Cut(g.parts[n], "_"); ok {
		size = map[string]int{"BYTE": 8, "WORD": 16}[kind]
		k, _ := strconv.Atoi(number)
		at = k * size
	}
	if signed {
		return uint64(uint32(int32(x<<(32-at-size)) >> (32 - size)))
	}
	return x >> at & (1<<size - 1)
}

// modifiers takes what stands behind the last operand from it.
func (g *gcn) modifiers(o []string) (saturate bool) {
	last := strings.Fields(o[len(o)-1])
	o[len(o)-1] = last[0]
	g.parts = [3]string{}
	for _, m := range last[1:] {
		switch name, value, _ := strings.Cut(m, ":"); {
		case m == "clamp":
			saturate = true
		case name == "src0_sel":
			g.parts[1] = value
		case name == "src1_sel":
			g.parts[2] = value
		case m == "dst_sel:DWORD", m == "dst_unused:UNUSED_PAD":
		default:
			g.fail("modifier %s", m)
		}
	}
	return saturate
}

// write sets a register, or with wide a pair.
func (g *gcn) write(o string, x uint64, wide bool) {
	switch {
	case o == "null":
	case strings.HasSuffix(o, ".l"), strings.HasSuffix(o, ".h"):
		old, half := g.read(o[:len(o)-2]), uint64(uint16(x))
		if g.write(o[:len(o)-2], old&0xffff|half<<16, false); strings.HasSuffix(o, ".l") {
			g.writes = g.writes[:len(g.writes)-1]
			g.write(o[:len(o)-2], old&0xffff0000|half, false)
		}
	case strings.HasPrefix(o, "vcc"):
		g.writes = append(g.writes, func() { g.vcc = uint32(x) })
	default:
		file, lo, hi := g.registers(o)
		g.writes = append(g.writes, func() {
			file[lo] = uint32(x)
			if wide {
				file[hi] = uint32(x >> 32)
			}
		})
	}
}

var compares = map[string]func(x, y uint64) bool{
	"eq": func(x, y uint64) bool { return x == y }, "ne": func(x, y uint64) bool { return x != y },
	"lt": func(x, y uint64) bool { return x < y }, "gt": func(x, y uint64) bool { return x > y },
	"le": func(x, y uint64) bool { return x <= y }, "ge": func(x, y uint64) bool { return x >= y },
}

func (g *gcn) step(line string) {
	full, rest, _ := strings.Cut(line, " ")
	op := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(full, "_e32"), "_e64"), "_sdwa")
	op = strings.Replace(op, "v_dual_", "v_", 1)
	o := strings.Split(rest, ",")
	for n := range o {
		o[n] = strings.TrimSpace(o[n])
	}
	saturate := g.modifiers(o)
	x := func(n int) uint64 { return g.source(o, n) }
	w := func(n int) uint32 { return uint32(x(n)) }
	set := func(v uint32) { g.write(o[0], uint64(v), false) }
	mask := func(n int, v uint32) { g.write(o[n], uint64(v&1), false) }
	half := func(v uint32) { // without _e32 the other half of the result stays
		if !strings.HasSuffix(full, "_e32") && !strings.HasSuffix(full, "_sdwa") && !strings.Contains(o[0], ".") {
			o[0] += ".l"
		}
		set(v & 0xffff)
	}
	add := func(a, b, c uint32) {
		s, k := bits.Add32(a, b, c)
		mask(1, k)
		set(s)
	}
	sub := func(a, b, c uint32) {
		s, k := bits.Sub32(a, b, c)
		mask(1, k)
		set(s)
	}
	plain := func(v, over uint32) { // 32-bit results that may be clamped
		if saturate {
			v = over
		}
		set(v)
	}
	i24 := func(n int) int64 { return int64(int32(w(n)<<8) >> 8) }
	u24 := func(n int) uint64 { return uint64(w(n) & 0xffffff) }
	s32 := func(n int) int64 { return int64(int32(w(n))) }
	clamp := func(v int64) uint32 { return uint32(max(-1<<31, min(v, 1<<31-1))) }
	if saturate && !strings.HasPrefix(op, "v_add_") && !strings.HasPrefix(op, "v_sub") {
		g.fail("%s clamp", op)
	}
	if rest, ok := strings.CutPrefix(op, "v_cmp_"); ok {
		g.compare(rest, o)
		return
	}
	switch op {
	case "v_mov_b32", "s_mov_b32", "s_movk_i32", "v_mov_b16":
		set(w(1))
	case "v_add_nc_u16", "v_add_u16":
		half(w(1) + w(2))
	case "v_sub_nc_u16", "v_sub_u16":
		half(w(1) - w(2))
	case "v_mul_lo_u16":
		half(w(1) * w(2))
	case "v_mad_u16":
		half(w(1)*w(2) + w(3))
	case "v_mad_legacy_u16":
		set((w(1)*w(2) + w(3)) & 0xffff)
	case "s_brev_b32", "v_bfrev_b32":
		set(bits.Reverse32(w(1)))
	case "s_mov_b64":
		g.write(o[0], x(1), true)
	case "v_add_u32", "v_add_nc_u32":
		plain(w(1)+w(2), uint32(min(uint64(w(1))+uint64(w(2)), 0xffffffff)))
	case "v_add_i32", "v_add_nc_i32":
		plain(w(1)+w(2), clamp(s32(1)+s32(2)))
	case "v_sub_i32", "v_sub_nc_i32":
		plain(w(1)-w(2), clamp(s32(1)-s32(2)))
	case "v_sub_u32", "v_sub_nc_u32":
		plain(w(1)-w(2), w(1)-min(w(1), w(2)))
	case "v_subrev_u32", "v_subrev_nc_u32":
		plain(w(2)-w(1), w(2)-min(w(1), w(2)))
	case "v_xad_u32":
		set((w(1) ^ w(2)) + w(3))
	case "v_add3_u32":
		set(w(1) + w(2) + w(3))
	case "v_add_co_u32":
		add(w(2), w(3), 0)
	case "v_addc_co_u32", "v_add_co_ci_u32":
		add(w(2), w(3), w(4)&1)
	case "v_sub_co_u32":
		sub(w(2), w(3), 0)
	case "v_subrev_co_u32":
		sub(w(3), w(2), 0)
	case "v_subb_co_u32", "v_sub_co_ci_u32":
		sub(w(2), w(3), w(4)&1)
	case "v_subbrev_co_u32", "v_subrev_co_ci_u32":
		sub(w(3), w(2), w(4)&1)
	case "v_cndmask_b32":
		if len(o) == 3 { // of a pair of instructions
			o = append(o, "vcc_lo")
		}
		if w(3)&1 == 1 {
			set(w(2))
		} else {
			set(w(1))
		}
	case "v_mul_lo_u32":
		set(w(1) * w(2))
	case "v_mul_hi_u32":
		h, _ := bits.Mul32(w(1), w(2))
		set(h)
	case "v_mul_hi_i32":
		set(uint32(s32(1) * s32(2) >> 32))
	case "v_mad_i64_i32":
		s, k := s32(2)*s32(3), x(4)
		mask(1, 0) // the carry of the signed sum, which nobody reads
		g.write(o[0], uint64(s)+k, true)
	case "v_mad_u64_u32":
		s, k := bits.Add64(uint64(w(2))*uint64(w(3)), x(4), 0)
		mask(1, uint32(k))
		g.write(o[0], s, true)
	case "v_and_b32", "s_and_b32", "s_and_b64":
		set(w(1) & w(2))
	case "v_or_b32", "s_or_b32", "s_or_b64":
		set(w(1) | w(2))
	case "v_xor_b32", "s_xor_b32", "s_xor_b64":
		set(w(1) ^ w(2))
	case "v_xnor_b32", "s_xnor_b32", "s_xnor_b64":
		set(^(w(1) ^ w(2)))
	case "v_and_or_b32":
		set(w(1)&w(2) | w(3))
	case "v_or3_b32":
		set(w(1) | w(2) | w(3))
	case "s_nor_b32", "s_nor_b64":
		set(^(w(1) | w(2)))
	case "s_andn2_b32", "s_andn2_b64", "s_and_not1_b32", "s_and_not1_b64":
		set(w(1) &^ w(2))
	case "s_orn2_b32", "s_orn2_b64", "s_or_not1_b32", "s_or_not1_b64":
		set(w(1) | ^w(2))
	case "v_not_b32", "s_not_b32", "s_not_b64":
		set(^w(1))
	case "v_lshlrev_b32":
		set(w(2) << (w(1) & 31))
	case "v_lshrrev_b32":
		set(w(2) >> (w(1) & 31))
	case "v_ashrrev_i32":
		set(uint32(int32(w(2)) >> (w(1) & 31)))
	case "v_lshl_add_u32":
		set(w(1)<<(w(2)&31) + w(3))
	case "v_add_lshl_u32":
		set((w(1) + w(2)) << (w(3) & 31))
	case "v_lshlrev_b64":
		g.write(o[0], x(2)<<(w(1)&63), true)
	case "v_max_u32":
		set(max(w(1), w(2)))
	case "v_min_u32":
		set(min(w(1), w(2)))
	case "v_mul_u32_u24":
		set(uint32(u24(1) * u24(2)))
	case "v_mul_hi_u32_u24":
		set(uint32(u24(1) * u24(2) >> 32))
	case "v_mad_u32_u24":
		set(uint32(u24(1)*u24(2)) + w(3))
	case "v_mul_i32_i24":
		set(uint32(i24(1) * i24(2)))
	case "v_mul_hi_i32_i24":
		set(uint32(i24(1) * i24(2) >> 32))
	case "v_mad_i32_i24":
		set(uint32(i24(1)*i24(2)) + w(3))
	case "v_lshl_or_b32":
		set(w(1)<<(w(2)&31) | w(3))
	case "v_alignbit_b32":
		set(uint32((uint64(w(1))<<32 | uint64(w(2))) >> (w(3) & 31)))
	case "v_bfe_u32":
		set(w(1) >> (w(2) & 31) & (1<<(w(3)&31) - 1))
	case "v_bfe_i32":
		n := w(3) & 31
		set(uint32(int32(w(1)>>(w(2)&31)<<(32-n)) >> (32 - n)))
	default:
		g.fail("instruction %s is not known", op)
	}
}

// compare is v_cmp_<test>_<type>.
func (g *gcn) compare(what string, o []string) {
	test, ty, _ := strings.Cut(what, "_")
	a, b := g.read(o[1]), g.read(o[2])
	switch ty {
	case "u32":
		a, b = uint64(uint32(a)), uint64(uint32(b))
	case "i32":
		a, b = uint64(int64(int32(a)))^1<<63, uint64(int64(int32(b)))^1<<63
	case "i64":
		a, b = a^1<<63, b^1<<63
	case "u64":
	default:
		g.fail("type %s", ty)
	}
	f, ok := compares[test]
	switch {
	case !ok:
		g.fail("test %s", test)
	case f(a, b):
		g.write(o[0], 1, false)
	default:
		g.write(o[0], 0, false)
	}
}

func TestTheMachineRefusesWhatItDoesNotKnow(t *testing.T) {
	_, err := new(gcn).run([]string{"v_fma_f32 v0, v1, v2, v3"}, nil, 1)
	require.ErrorContains(t, err, "v_fma_f32 is not known")
	_, err = new(gcn).run([]string{"v_add_u32 v0, v1, v2 op_sel:[1,0,0]"}, nil, 1)
	require.ErrorContains(t, err, "operand")
}
