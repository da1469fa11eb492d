package llvm_test

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"testing"
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
	writes []func()
}

// run executes a function on arguments in v0, v1, … and gives v0, v1, ….
func (g *gcn) run(code []string, args []uint32, results int) ([]uint32, error) {
	g.v, g.s = map[int]uint32{}, map[int]uint32{}
	for n, x := range args {
		g.v[n] = x
	}
	for _, line := range code {
		for part := range strings.SplitSeq(line, " :: ") {
			if err := g.step(strings.TrimSpace(part)); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
		}
		for _, w := range g.writes { // both halves of a pair of instructions have read
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

// read gives an operand of 32 or 64 bits; inline constants are signed.
func (g *gcn) read(o string) uint64 {
	switch {
	case strings.HasPrefix(o, "vcc"):
		return uint64(g.vcc)
	case o == "null":
		return 0
	case o[0] == 'v' || o[0] == 's':
		file := map[byte]map[int]uint32{'v': g.v, 's': g.s}[o[0]]
		lo, hi := registers(o)
		if lo == hi {
			return uint64(file[lo])
		}
		return uint64(file[hi])<<32 | uint64(file[lo])
	}
	x, err := strconv.ParseInt(o, 0, 64)
	if err != nil {
		panic("operand " + o)
	}
	return uint64(x)
}

func (g *gcn) write(o string, x uint64, wide bool) {
	g.writes = append(g.writes, func() {
		switch {
		case o == "null":
		case strings.HasPrefix(o, "vcc"):
			g.vcc = uint32(x)
		default:
			file := map[byte]map[int]uint32{'v': g.v, 's': g.s}[o[0]]
			lo, hi := registers(o)
			file[lo] = uint32(x)
			if wide {
				file[hi] = uint32(x >> 32)
			}
		}
	})
}

// registers are the numbers of v7, or v[7:8].
func registers(o string) (lo, hi int) {
	o = strings.Trim(o[1:], "[]")
	first, last, ok := strings.Cut(o, ":")
	lo, _ = strconv.Atoi(first)
	if !ok {
		return lo, lo
	}
	hi, _ = strconv.Atoi(last)
	return lo, hi
}

var compares = map[string]func(x, y uint64) bool{
	"eq": func(x, y uint64) bool { return x == y }, "ne": func(x, y uint64) bool { return x != y },
	"lt": func(x, y uint64) bool { return x < y }, "gt": func(x, y uint64) bool { return x > y },
	"le": func(x, y uint64) bool { return x <= y }, "ge": func(x, y uint64) bool { return x >= y },
	"lg": func(x, y uint64) bool { return x != y },
}

func (g *gcn) step(line string) error {
	op, rest, _ := strings.Cut(line, " ")
	op = strings.TrimSuffix(strings.TrimSuffix(op, "_e32"), "_e64")
	op = strings.Replace(op, "v_dual_", "v_", 1)
	o := strings.Split(strings.ReplaceAll(rest, " ", ""), ",")
	x := func(n int) uint64 { return g.read(o[n]) }
	w := func(n int) uint32 { return uint32(g.read(o[n])) }
	set := func(v uint32) error { g.write(o[0], uint64(v), false); return nil }
	mask := func(n int, v uint32) { g.write(o[n], uint64(v&1), false) }
	flag := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	add := func(a, b, c uint32) error {
		s, k := bits.Add32(a, b, c)
		mask(1, k)
		return set(s)
	}
	sub := func(a, b, c uint32) error {
		s, k := bits.Sub32(a, b, c)
		mask(1, k)
		return set(s)
	}
	if rest, ok := strings.CutPrefix(op, "v_cmp_"); ok {
		test, ty, _ := strings.Cut(rest, "_")
		a, b := x(1), x(2)
		switch ty {
		case "u32":
			a, b = uint64(uint32(a)), uint64(uint32(b))
		case "i32":
			a, b = uint64(int64(int32(a)))^1<<63, uint64(int64(int32(b)))^1<<63
		case "i64":
			a, b = a^1<<63, b^1<<63
		case "u64":
		default:
			return fmt.Errorf("type %s", ty)
		}
		mask(0, flag(compares[test](a, b)))
		return nil
	}
	switch op {
	case "v_mov_b32", "s_mov_b32":
		return set(w(1))
	case "s_mov_b64":
		g.write(o[0], x(1), true)
	case "v_add_u32", "v_add_nc_u32":
		return set(w(1) + w(2))
	case "v_sub_u32", "v_sub_nc_u32":
		return set(w(1) - w(2))
	case "v_subrev_u32", "v_subrev_nc_u32":
		return set(w(2) - w(1))
	case "v_xad_u32":
		return set((w(1) ^ w(2)) + w(3))
	case "v_add3_u32":
		return set(w(1) + w(2) + w(3))
	case "v_add_co_u32":
		return add(w(2), w(3), 0)
	case "v_addc_co_u32", "v_add_co_ci_u32":
		return add(w(2), w(3), w(4)&1)
	case "v_sub_co_u32":
		return sub(w(2), w(3), 0)
	case "v_subrev_co_u32":
		return sub(w(3), w(2), 0)
	case "v_subb_co_u32", "v_sub_co_ci_u32":
		return sub(w(2), w(3), w(4)&1)
	case "v_subbrev_co_u32", "v_subrev_co_ci_u32":
		return sub(w(3), w(2), w(4)&1)
	case "v_cndmask_b32":
		if len(o) == 3 { // of a pair of instructions
			o = append(o, "vcc_lo")
		}
		if w(3)&1 == 1 {
			return set(w(2))
		}
		return set(w(1))
	case "v_mul_lo_u32":
		return set(w(1) * w(2))
	case "v_mul_hi_u32":
		h, _ := bits.Mul32(w(1), w(2))
		return set(h)
	case "v_mul_hi_i32":
		return set(uint32(int64(int32(w(1))) * int64(int32(w(2))) >> 32))
	case "v_mad_u64_u32":
		s, k := bits.Add64(uint64(w(2))*uint64(w(3)), x(4), 0)
		mask(1, uint32(k))
		g.write(o[0], s, true)
	case "v_and_b32", "s_and_b32", "s_and_b64":
		return set(w(1) & w(2))
	case "v_or_b32", "s_or_b32", "s_or_b64":
		return set(w(1) | w(2))
	case "v_xor_b32", "s_xor_b32", "s_xor_b64":
		return set(w(1) ^ w(2))
	case "v_xnor_b32", "s_xnor_b32", "s_xnor_b64":
		return set(^(w(1) ^ w(2)))
	case "v_and_or_b32":
		return set(w(1)&w(2) | w(3))
	case "v_or3_b32":
		return set(w(1) | w(2) | w(3))
	case "s_nor_b32", "s_nor_b64":
		return set(^(w(1) | w(2)))
	case "s_andn2_b32", "s_andn2_b64", "s_and_not1_b32", "s_and_not1_b64":
		return set(w(1) &^ w(2))
	case "s_orn2_b32", "s_orn2_b64", "s_or_not1_b32", "s_or_not1_b64":
		return set(w(1) | ^w(2))
	case "v_not_b32", "s_not_b32", "s_not_b64":
		return set(^w(1))
	case "v_lshlrev_b32":
		return set(w(2) << (w(1) & 31))
	case "v_lshrrev_b32":
		return set(w(2) >> (w(1) & 31))
	case "v_ashrrev_i32":
		return set(uint32(int32(w(2)) >> (w(1) & 31)))
	case "v_lshl_add_u32":
		return set(w(1)<<(w(2)&31) + w(3))
	case "v_add_lshl_u32":
		return set((w(1) + w(2)) << (w(3) & 31))
	case "v_lshlrev_b64":
		g.write(o[0], x(2)<<(w(1)&63), true)
	case "v_max_u32":
		return set(max(w(1), w(2)))
	case "v_mul_u32_u24":
		return set(w(1) << 8 >> 8 * (w(2) << 8 >> 8))
	case "v_mad_u32_u24":
		return set(w(1)<<8>>8*(w(2)<<8>>8) + w(3))
	case "v_mul_i32_i24":
		return set(uint32(int32(w(1)<<8) >> 8 * (int32(w(2)<<8) >> 8)))
	case "v_mad_i32_i24":
		return set(uint32(int32(w(1)<<8)>>8*(int32(w(2)<<8)>>8)) + w(3))
	case "v_lshl_or_b32":
		return set(w(1)<<(w(2)&31) | w(3))
	case "v_alignbit_b32":
		return set(uint32((uint64(w(1))<<32 | uint64(w(2))) >> (w(3) & 31)))
	case "v_bfe_u32":
		return set(w(1) >> (w(2) & 31) & (1<<(w(3)&31) - 1))
	default:
		return fmt.Errorf("instruction %s is not known", op)
	}
	return nil
}

func TestTheMachineRefusesWhatItDoesNotKnow(t *testing.T) {
	_, err := new(gcn).run([]string{"v_fma_f32 v0, v1, v2, v3"}, nil, 1)
	if err == nil {
		t.Fatal("an unknown instruction was executed")
	}
}
