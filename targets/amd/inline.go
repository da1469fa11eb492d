package amd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Asm is one inline assembly statement, in LLVM's spelling: $0, $1 … are the
// results, then the inputs. Without text it copies its input to its result.
type Asm struct {
	Text     string // instructions, a line each
	Out      []Place
	In       []Place
	Clobbers []string // "scc": what it writes besides
}

// Place is an operand of a statement: a register of the code, or a half of one.
type Place struct {
	mach.Operand
	Early bool // written before the last input is read: it may not lie where one does
	Wide  bool // the first of two registers of which the second does not matter
}

// WaveBits is how many lanes the waves of a target have: the bits of its masks.
func WaveBits(f ir.Features) int {
	if f.Has(W32) {
		return 32
	}
	return 64
}

// Inline gives straight-line code, not allocated, as inline assembly. Operands
// of LLVM's statements have no halves: code that makes a pair and reads its
// halves, or the other way round, is several statements. The error names what
// has no text.
func Inline(features ir.Features, f *mach.Func) ([]Asm, error) {
	if len(f.Blocks) != 1 {
		return nil, fmt.Errorf("%s is not straight-line code", f.Name)
	}
	in := inliner{f: f, features: features}
	if features.Has(NULL) {
		in.unread = unreadMasks(f)
	}
	in.open()
	for _, i := range f.Blocks[0].Insts {
		for _, i := range in.single(i) {
			if i.Move { // LLVM's own
				in.close()
				in.done = append(in.done, Asm{Out: []Place{{Operand: i.Out[0]}}, In: []Place{{Operand: i.In[0]}}})
				continue
			}
			if in.clashes(&i) {
				in.close()
			}
			in.now = append(in.now, i)
			in.note(&i)
		}
	}
	in.close()
	return in.done, in.err
}

// key is a register, or a part of one.
type key struct {
	reg  mach.Reg
	sub  mach.Sub
	wide bool
}

type inliner struct {
	f        *mach.Func
	features ir.Features
	unread   []bool
	now      []mach.Inst
	wrote    map[mach.Reg]mach.Sub // by the statement, whole or (Low) in halves
	done     []Asm
	err      error
}

func (n *inliner) open() {
	n.now, n.wrote = nil, map[mach.Reg]mach.Sub{}
}

// single takes two instructions in one apart: whether operands can be in one
// depends on their registers.
func (n *inliner) single(i mach.Inst) []mach.Inst {
	if i.Op != v_lshl8.ways[0].row {
		return []mach.Inst{i}
	}
	shift := v_lshlrev_b32.on(n.features).row
	var two []mach.Inst
	for k := range 2 {
		two = append(two, mach.Inst{Op: shift, Out: i.Out[k : k+1], In: []mach.Operand{mach.Imm(sem.U(8), 32), i.In[k]}, Off: i.Off})
	}
	return two
}

// withNext reports input k as one that is printed with the register behind it.
func withNext(i *mach.Inst, k int) bool {
	return strings.Contains(i.Op.Syntax, fmt.Sprintf("$%d:", k)) && i.Op.In[k].Class == r32
}

// clashes reports an instruction that reads a part of what its statement made
// as a whole, or the whole of what it made in parts.
func (n *inliner) clashes(i *mach.Inst) bool {
	for k, o := range i.In {
		if o.IsConst() {
			continue
		}
		how, here := n.wrote[o.Reg]
		part := o.Sub != mach.Whole
		if here && (part != (how != mach.Whole) || withNext(i, k)) {
			return true
		}
	}
	return false
}

func (n *inliner) note(i *mach.Inst) {
	for _, o := range i.Out {
		n.wrote[o.Reg] = min(o.Sub, mach.Low)
	}
}

// close ends the statement: it numbers the operands and writes the text.
func (n *inliner) close() {
	insts := n.now
	n.open()
	if len(insts) == 0 || n.err != nil {
		return
	}
	var a Asm
	p := printing{f: &mach.Func{Name: n.f.Name}, features: n.features}
	regs, made := map[key]mach.Reg{}, map[key]int{} // and which result
	lastInput := -1
	place := func(k key, o mach.Operand) mach.Operand {
		r, ok := regs[k]
		if !ok {
			c := n.f.Classes[k.reg]
			if k.sub != mach.Whole {
				c.Bits /= 2
			}
			r = p.f.NewReg(c, "")
			regs[k] = r
		}
		o.Reg, o.Sub = r, mach.Whole
		return o
	}
	copies := slices.Clone(insts)
	for at := range copies {
		i := &copies[at]
		i.In, i.Out = slices.Clone(i.In), slices.Clone(i.Out)
		for k, o := range i.In {
			if o.IsConst() {
				continue
			}
			w := withNext(i, k)
			id := key{o.Reg, o.Sub, w}
			if _, ok := made[id]; !ok {
				if _, ok := regs[id]; !ok {
					a.In = append(a.In, Place{Operand: o, Wide: w})
				}
				lastInput = at
			}
			i.In[k] = place(id, o)
		}
		for k, o := range i.Out {
			if n.unread != nil && n.unread[o.Reg] {
				i.Out[k].Reg = p.f.NewReg(mask, "null")
				continue
			}
			id := key{o.Reg, o.Sub, false}
			made[id] = len(a.Out)
			a.Out = append(a.Out, Place{Operand: o, Early: i.Op.EarlyClobber})
			i.Out[k] = place(id, o)
		}
	}
	for k, o := range a.Out {
		id := key{o.Reg, o.Sub, false}
		p.f.Names[regs[id]] = fmt.Sprintf("$%d", k)
		for at := range lastInput {
			for _, w := range insts[at].Out {
				a.Out[k].Early = a.Out[k].Early || w.Reg == o.Reg && w.Sub == o.Sub
			}
		}
	}
	for k, o := range a.In {
		p.f.Names[regs[key{o.Reg, o.Sub, o.Wide}]] = fmt.Sprintf("$%d", len(a.Out)+k)
	}
	w := waits{features: n.features, inputs: a.In}
	for at := range copies {
		p.line(w.before(&insts[at]))
		if err := p.inst(&copies[at]); err != nil {
			n.err = err
		}
		if name := insts[at].Op.Name; strings.HasPrefix(name, "s_") && !strings.HasPrefix(name, "s_mov") && a.Clobbers == nil {
			a.Clobbers = []string{"scc"}
		}
	}
	p.line(w.end())
	lines := strings.Split(strings.TrimSpace(p.buf.String()), "\n")
	for k := range lines {
		lines[k] = strings.TrimSpace(lines[k])
	}
	a.Text = strings.Join(lines, "\n")
	n.done = append(n.done, a)
}

// waits keeps the hazards (see hazards) within a statement and at its borders,
// with registers unknown: a mask that comes in may have been written just now.
type waits struct {
	features ir.Features
	inputs   []Place
	n        int // instructions so far
	at       map[mach.Reg]int
	half     mach.Reg // of which a half was written just now, and 1
	pending  bool     // a mask that was not waited for
}

// waitForMasks waits for all that wrote a mask.
const waitForMasks = "s_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0) depctr_va_vcc(0)"

func (w *waits) before(i *mach.Inst) string {
	if w.at == nil {
		w.at = map[mach.Reg]int{}
		for _, p := range w.inputs {
			if p.Bits == 1 {
				w.at[p.Reg], w.pending = -1, true
			}
		}
	}
	reads, states := false, 0
	for _, o := range i.In {
		if o.IsConst() {
			continue
		}
		if w.half == o.Reg+1 {
			states = max(states, 1)
		}
		if o.Bits == 1 {
			reads = true
			if wrote, ok := w.at[o.Reg]; ok {
				states = max(states, 3-(w.n-wrote))
			}
		}
	}
	fix := ""
	switch {
	case w.features.Has(NOPS) && states > 0:
		fix = "s_nop " + decimal(states-1)
		w.n += states
	case w.features.Has(WAITALU) && reads && w.pending:
		fix, w.pending = waitForMasks, false
	}
	w.half = 0
	for _, o := range i.Out {
		if o.Bits == 1 {
			w.at[o.Reg], w.pending = w.n, true
		}
		if strings.Contains(i.Op.Syntax, "dst_sel:WORD") {
			w.half = o.Reg + 1
		}
	}
	w.n++
	return fix
}

// end is the line behind the last instruction.
func (w *waits) end() string {
	if w.features.Has(NOPS) && w.half != 0 {
		return "s_nop 0"
	}
	return ""
}

// Settle is what stands between a statement that writes a mask and code that
// knows nothing of it, "" for nothing. Statements wait for what they read
// themselves.
func Settle(features ir.Features) string {
	switch {
	case features.Has(WAITALU):
		return waitForMasks
	case features.Has(NOPS):
		return "s_nop 1"
	}
	return ""
}
