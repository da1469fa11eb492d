package amd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// A wave runs a listing for several lanes at once, as the hardware does: VALUs
// work for the lanes in EXEC, write 0 for the others into masks and nothing into
// registers; SALUs work on masks as a whole, whatever EXEC is.
type wave struct {
	t     *isel.Target
	b     *sem.Builder
	lanes int
	vgprs [][256]uint32 // by lane
	sgprs map[int16]uint32
	exec  uint64
	scc   bool

	lines  []line
	labels map[string]int
}

// line is a line of a listing: a VALU instruction, or scalar code.
type line struct {
	text string
	in   *mach.Inst
	f    *mach.Func // whose registers in has
	name string     // of scalar code
	args []string
}

// untouched is what registers hold that nothing wrote.
const untouched = 0xa5a5_c3c3

// Passed is a parameter of so many bits, in a register of each lane or, uniform,
// in one of all.
type Passed struct {
	Bits    int
	Uniform bool
}

// runWave runs the listing of a function on the parameters of each lane that is
// active, and gives the results of all.
func runWave(t *isel.Target, listing string, params []Passed, in [][]sem.Val, active uint64, results []int, most int) ([][]sem.Val, error) {
	w := &wave{t: t, b: sem.NewBuilder(), lanes: len(in), vgprs: make([][256]uint32, len(in)), sgprs: map[int16]uint32{}, labels: map[string]int{}}
	if err := w.read(listing); err != nil {
		return nil, err
	}
	w.exec = active
	for n := range int16(128) {
		w.sgprs[n] = untouched ^ uint32(n)*0x01000193
	}
	for l := range w.vgprs {
		r := &w.vgprs[l]
		for i := range r {
			r[i] = untouched ^ uint32(i*0x01000193)
		}
		at := 0
		words := t.Machine.ScalarParams
		for i, p := range params {
			for u := range max(p.Bits, 32) / 32 {
				k := uint32(in[l][i].Lo >> (32 * u))
				switch {
				case !p.Uniform:
					r[at] = k
					at++
				case l == 0:
					w.sgprs[words[0]] = k
					fallthrough
				default:
					words = words[1:]
				}
			}
		}
	}
	start, before, scalars := w.exec, slices.Clone(w.vgprs), maps.Clone(w.sgprs)
	if err := w.run(most); err != nil {
		return nil, err
	}
	if w.exec != start {
		return nil, fmt.Errorf("the function returns with the lanes %#x, not the %#x that called it", w.exec, start)
	}
	if err := w.kept(start, before, scalars); err != nil {
		return nil, err
	}
	out := make([][]sem.Val, len(in))
	for l := range out {
		at := 0
		for _, bits := range results {
			var k uint64
			for u := range max(bits, 32) / 32 {
				k |= uint64(w.vgprs[l][at]) << (32 * u)
				at++
			}
			out[l] = append(out[l], sem.U(k))
		}
	}
	return out, nil
}

func (w *wave) read(listing string) error {
	reader := mach.NewReader(*w.t.Dialect, w.t.Machine)
	words := *w.t.Dialect // scalar code on words
	words.Ops = slices.DeleteFunc(slices.Clone(words.Ops), func(o *mach.Op) bool {
		return !slices.ContainsFunc(o.Out, func(c mach.Class) bool { return c.Bank == mach.Scalar || c.Bank == mach.Carry })
	})
	scalars := mach.NewReader(words, w.t.Machine)
	for s := range strings.SplitSeq(listing, "\n") {
		s, _, _ = strings.Cut(s, ";")
		s = strings.TrimSpace(s)
		if label, ok := strings.CutSuffix(s, ":"); ok {
			w.labels[label] = len(w.lines)
			continue
		}
		if s == "" || s[0] == '.' { // a directive
			continue
		}
		ln := line{text: s}
		name, rest, _ := strings.Cut(s, " ")
		if strings.HasPrefix(name, "s_") {
			ln.name = name
			for a := range strings.SplitSeq(rest, ",") {
				ln.args = append(ln.args, strings.TrimSpace(a))
			}
			if !onMasks(name) {
				ln.f = &mach.Func{}
				if inst, ok, err := scalars.Inst(ln.f, s); ok && err == nil {
					ln.in = &inst
				}
			}
		} else {
			ln.f = &mach.Func{}
			inst, ok, err := reader.Inst(ln.f, s)
			if err != nil || !ok {
				return fmt.Errorf("line %q is not read: %w", s, err)
			}
			ln.in = &inst
		}
		w.lines = append(w.lines, ln)
	}
	return nil
}

func (w *wave) run(most int) error {
	for pc := 0; pc < len(w.lines); pc++ {
		if most--; most < 0 {
			return fmt.Errorf("it does not return")
		}
		ln := &w.lines[pc]
		if ln.in != nil && ln.name != "" {
			w.word(ln)
			continue
		}
		if ln.in != nil {
			w.vector(ln)
			continue
		}
		jump := false
		switch ln.name {
		case "s_setpc_b64", "s_set_pc_i64":
			return nil
		case "s_branch":
			jump = true
		case "s_cbranch_scc0":
			jump = !w.scc
		case "s_cbranch_scc1":
			jump = w.scc
		case "s_cbranch_execz":
			jump = w.exec == 0
		case "s_cbranch_execnz":
			jump = w.exec != 0
		default:
			if err := w.scalar(ln); err != nil {
				return err
			}
		}
		if jump {
			to, ok := w.labels[ln.args[0]]
			if !ok {
				return fmt.Errorf("no label %s", ln.args[0])
			}
			pc = to - 1
		}
	}
	return fmt.Errorf("it ends without a return")
}

func (w *wave) has(f ir.Features) bool { return w.t.Features.Has(f) }

// get is a mask, or a word.
func (w *wave) get(text string, wide bool) (uint64, error) {
	switch text {
	case "exec", "exec_lo":
		return w.exec, nil
	case "0":
		return 0, nil
	case "-1":
		return ^uint64(0), nil
	}
	if k, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(k), nil
	}
	n, _, ok := readRegister(mask, text)
	if !ok {
		return 0, fmt.Errorf("%s is no mask", text)
	}
	return w.at(n, wide), nil
}

func (w *wave) at(n int16, wide bool) uint64 {
	k := uint64(w.sgprs[n])
	if wide {
		k |= uint64(w.sgprs[n+1]) << 32
	}
	return k
}

func (w *wave) set(n int16, k uint64, wide bool) {
	if n == null {
		return
	}
	w.sgprs[n] = uint32(k)
	if wide {
		w.sgprs[n+1] = uint32(k >> 32)
	}
}

func (w *wave) scalar(ln *line) error {
	name := strings.TrimSuffix(strings.TrimSuffix(ln.name, "_b64"), "_b32")
	if strings.HasPrefix(name, "s_wait") || name == "s_nop" {
		return nil
	}
	var x [2]uint64
	wide := strings.HasSuffix(ln.name, "_b64")
	for i, a := range ln.args[1:] {
		var err error
		if x[i], err = w.get(a, wide); err != nil {
			return fmt.Errorf("%s: %w", ln.text, err)
		}
	}
	save := w.exec
	var k uint64
	switch name {
	case "s_mov":
		k = x[0]
	case "s_not":
		k = ^x[0]
	case "s_and":
		k = x[0] & x[1]
	case "s_or":
		k = x[0] | x[1]
	case "s_xor":
		k = x[0] ^ x[1]
	case "s_xnor":
		k = ^(x[0] ^ x[1])
	case "s_andn2", "s_and_not1":
		k = x[0] &^ x[1]
	case "s_orn2", "s_or_not1":
		k = x[0] | ^x[1]
	case "s_and_saveexec":
		w.exec, k = w.exec&x[0], save
	default:
		return fmt.Errorf("%s is not run", ln.text)
	}
	if !wide {
		k = uint64(uint32(k))
	}
	if name != "s_mov" { // which tells whether its result is 0
		w.scc = k != 0
		if name == "s_and_saveexec" {
			w.scc = w.exec != 0
		}
	}
	if strings.HasPrefix(ln.args[0], "exec") {
		w.exec = k
		return nil
	}
	n, _, ok := readRegister(mask, ln.args[0])
	if !ok {
		return fmt.Errorf("%s is no mask", ln.args[0])
	}
	w.set(n, k, wide)
	return nil
}

// vector runs an instruction of the VALU for every active lane.
func (w *wave) vector(ln *line) {
	in, f := ln.in, ln.f
	reg := func(o mach.Operand) int16 { return f.Phys[o.Reg] }
	masks := make([]uint64, len(in.Out))
	for l := range w.lanes {
		if w.exec>>l&1 == 0 {
			continue
		}
		r := &w.vgprs[l]
		args := make([]*sem.Term, len(in.In))
		for i, o := range in.In {
			switch {
			case o.IsConst():
				args[i] = w.b.Const(o.K, int(o.Bits))
			case f.Classes[o.Reg] == mask:
				args[i] = w.b.U(w.at(reg(o), !w.has(W32))>>l&1, 1)
			case f.Classes[o.Reg].Bank == mach.Scalar:
				args[i] = w.b.U(w.wordAt(o, f), int(o.Bits))
			case o.Bits > 32:
				args[i] = w.b.U(uint64(r[reg(o)])|uint64(r[reg(o)+1])<<32, 64)
			default:
				args[i] = w.b.U(uint64(r[reg(o)]), 32)
			}
		}
		for i, t := range in.Op.Meaning(w.b, args) {
			o := in.Out[i]
			switch {
			case f.Classes[o.Reg] == mask:
				masks[i] |= t.K.Lo << l
			case o.Bits > 32:
				r[reg(o)], r[reg(o)+1] = uint32(t.K.Lo), uint32(t.K.Lo>>32)
			default:
				r[reg(o)] = uint32(t.K.Lo)
			}
		}
	}
	for i, o := range in.Out {
		if f.Classes[o.Reg] == mask {
			w.set(reg(o), masks[i], !w.has(W32))
		}
	}
}

// onMasks reports scalar code that may have masks as its operands: what it does
// is the same for words.
func onMasks(name string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(name, "_b64"), "_b32")
	return slices.Contains([]string{"s_mov", "s_not", "s_and", "s_or", "s_xor", "s_xnor", "s_andn2", "s_and_not1", "s_orn2", "s_or_not1", "s_and_saveexec"}, base)
}

// wordAt is what a scalar operand holds.
func (w *wave) wordAt(o mach.Operand, f *mach.Func) uint64 {
	n := f.Phys[o.Reg]
	k := uint64(w.sgprs[n])
	if o.Bits > 32 {
		k |= uint64(w.sgprs[n+1]) << 32
	}
	return k
}

// word runs scalar code on words and SCC, whatever EXEC is.
func (w *wave) word(ln *line) {
	in, f := ln.in, ln.f
	args := make([]*sem.Term, len(in.In))
	for i, o := range in.In {
		switch {
		case o.IsConst():
			args[i] = w.b.Const(o.K, int(o.Bits))
		case f.Classes[o.Reg] == scc:
			args[i] = w.b.U(map[bool]uint64{true: 1}[w.scc], 1)
		default:
			args[i] = w.b.U(w.wordAt(o, f), int(o.Bits))
		}
	}
	for i, t := range in.Op.Meaning(w.b, args) {
		switch o := in.Out[i]; {
		case f.Classes[o.Reg] == scc:
			w.scc = t.K.Lo == 1
		default:
			n := f.Phys[o.Reg]
			w.sgprs[n] = uint32(t.K.Lo)
			if o.Bits > 32 {
				w.sgprs[n+1] = uint32(t.K.Lo >> 32)
			}
		}
	}
	if in.Op.Spoils { // with what no rule asks for
		w.scc = !w.scc
	}
}
