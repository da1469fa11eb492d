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
	var insts []mach.Inst
	for _, i := range f.Blocks[0].Insts {
		insts = append(insts, in.single(i)...)
	}
	in.reads = map[mach.Reg]int{}
	read := func(os []mach.Operand) {
		for _, o := range os {
			if !o.IsConst() {
				in.reads[o.Reg]++
			}
		}
	}
	for i := range insts {
		read(insts[i].In)
	}
	read(f.Blocks[0].Ret)
	in.open()
	for k := range insts {
		i := &insts[k]
		if i.Move { // LLVM's own
			in.close()
			in.done = append(in.done, Asm{Out: []Place{{Operand: i.Out[0]}}, In: []Place{{Operand: i.In[0]}}})
			continue
		}
		if in.clashes(i) {
			in.close()
		}
		in.now = append(in.now, *i)
		in.note(i)
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
	reads    map[mach.Reg]int      // how often a register is read
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
	s := statement{f: &mach.Func{Name: n.f.Name}, regs: map[key]mach.Reg{}, results: map[key]int{}, last: map[key]int{}, free: map[mach.Class][]int{}, lastInput: -1}
	here := map[mach.Reg]int{}
	for at := range insts {
		for k, o := range insts[at].In {
			if !o.IsConst() {
				here[o.Reg]++
				s.last[key{o.Reg, o.Sub, withNext(&insts[at], k)}] = at
			}
		}
	}
	s.inside = func(r mach.Reg) bool { return here[r] == n.reads[r] }
	copies := slices.Clone(insts)
	for at := range copies {
		n.operands(&s, &copies[at], at)
	}
	s.number()
	p, w, a := printing{f: s.f, features: n.features}, waits{features: n.features, inputs: s.asm.In}, s.asm
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

// statement gives operands to the registers of a statement. Registers that
// nothing else reads share them.
type statement struct {
	f         *mach.Func // its registers are the operands
	asm       Asm
	regs      map[key]mach.Reg // the operand of a register
	results   map[key]int      // which result it is
	last      map[key]int      // the last instruction that reads it
	free      map[mach.Class][]int
	inside    func(r mach.Reg) bool
	of        []mach.Reg // the operand of each result
	first     []int      // the first instruction that writes it
	lastInput int        // the last instruction that reads something else
}

// operands puts operands in the place of an instruction's registers.
func (n *inliner) operands(s *statement, i *mach.Inst, at int) {
	i.In, i.Out = slices.Clone(i.In), slices.Clone(i.Out)
	class := func(o mach.Operand) mach.Class {
		c := n.f.Classes[o.Reg]
		if o.Sub != mach.Whole {
			c.Bits /= 2
		}
		return c
	}
	var over []key
	for k, o := range i.In {
		if o.IsConst() {
			continue
		}
		id := key{o.Reg, o.Sub, withNext(i, k)}
		r, ok := s.regs[id]
		if !ok {
			r = s.f.NewReg(class(o), "")
			s.regs[id] = r
			s.asm.In = append(s.asm.In, Place{Operand: o, Wide: id.wide})
		}
		if _, made := s.results[id]; !made {
			s.lastInput = at
		} else if s.last[id] == at && s.inside(o.Reg) && !slices.Contains(over, id) {
			over = append(over, id)
		}
		i.In[k].Reg, i.In[k].Sub = r, mach.Whole
	}
	release := func() {
		for _, id := range over {
			d := s.results[id]
			c := s.f.Classes[s.of[d]]
			s.free[c] = append(s.free[c], d)
		}
		over = nil
	}
	if !i.Op.EarlyClobber {
		release()
	}
	for k, o := range i.Out {
		if n.unread != nil && n.unread[o.Reg] {
			i.Out[k].Reg = s.f.NewReg(mask, "null")
			continue
		}
		id, c := key{o.Reg, o.Sub, false}, class(o)
		d := len(s.asm.Out)
		if fs := s.free[c]; len(fs) > 0 {
			d, s.free[c] = fs[len(fs)-1], fs[:len(fs)-1]
			if !s.inside(o.Reg) {
				s.asm.Out[d].Operand = o
			}
		} else {
			s.asm.Out = append(s.asm.Out, Place{Operand: o})
			s.of, s.first = append(s.of, s.f.NewReg(c, "")), append(s.first, at)
		}
		s.asm.Out[d].Early = s.asm.Out[d].Early || i.Op.EarlyClobber
		s.results[id], s.regs[id] = d, s.of[d]
		i.Out[k].Reg, i.Out[k].Sub = s.of[d], mach.Whole
		if _, read := s.last[id]; !read && s.inside(o.Reg) {
			over = append(over, id)
		}
	}
	release()
}

// number names the operands: results first, then inputs.
func (s *statement) number() {
	for d, r := range s.of {
		s.f.Names[r] = fmt.Sprintf("$%d", d)
		s.asm.Out[d].Early = s.asm.Out[d].Early || s.first[d] < s.lastInput
	}
	for k, o := range s.asm.In {
		s.f.Names[s.regs[key{o.Reg, o.Sub, o.Wide}]] = fmt.Sprintf("$%d", len(s.of)+k)
	}
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
