package amd

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// printer gives the Print of targets that have some features. It writes a
// function as llvm-mc accepts it, by LLVM's C calling convention for callable
// functions: waits for outstanding memory at entry, the return address in
// s[30:31]. A function that is not allocated is printed as the sequence over
// its names. The error names what has no listing: irreducible control flow, more
// nested branches than masks, parameters or results on the stack.
func printer(features ir.Features) func(w io.Writer, f *mach.Func) error {
	return func(w io.Writer, f *mach.Func) error {
		p := printing{f: f, features: features, temps: map[mach.Reg]string{}, flow: &flow{}}
		if err := p.function(); err != nil {
			return err
		}
		_, err := w.Write(p.buf.Bytes())
		return err
	}
}

type printing struct {
	f        *mach.Func
	features ir.Features
	buf      bytes.Buffer
	temps    map[mach.Reg]string // names of the nameless
	unread   []bool              // masks that nobody reads, where such are not written
	flow     *flow               // how lanes go; of nothing where there are no branches
}

func (p *printing) function() error {
	p.buf.WriteString(symbol(p.f.Name) + ":")
	if p.f.Note != "" {
		p.buf.WriteString(" ; " + p.f.Note)
	}
	p.buf.WriteByte('\n')
	var hazards hazards
	if p.f.Phys != nil {
		if err := p.onStack(); err != nil {
			return err
		}
		if !p.f.Kernel {
			p.waits()
			p.receive()
		}
		if len(p.f.Blocks) > 1 {
			var err error
			if p.flow, err = newFlow(p.f, p.features); err != nil {
				return err
			}
			p.f = p.flow.f
		}
		p.fit()
		if p.features.Has(NULL) {
			p.unread = unreadMasks(p.f)
		}
		hazards = p.hazards()
	}
	for i, blk := range p.f.Blocks {
		hazards.enter(blk)
		p.open(i, &hazards)
		for j := range blk.Insts {
			in := &blk.Insts[j]
			p.line(hazards.before(p.event(in)))
			if err := p.inst(in); err != nil {
				return err
			}
		}
		for _, s := range p.flow.leave[blk] {
			p.scalar(s, &hazards)
		}
		if blk.Term == mach.Ret && p.f.Phys != nil && !p.f.Kernel {
			p.give(blk, &hazards)
			p.line(hazards.before(event{unit: leaves}))
		}
		if err := p.end(i); err != nil {
			return err
		}
	}
	return nil
}

// open begins a block: with its label where loops turn to it, with the lanes
// that wait for it, and with a jump over it if there are none.
func (p *printing) open(i int, h *hazards) {
	b := p.f.Blocks[i]
	if i > 0 && p.flow.skip[p.f.Blocks[i-1]] {
		p.buf.WriteString(label(p.f, b) + "_after:\n")
	}
	for _, s := range p.flow.enter[b] {
		p.scalar(s, h)
	}
	h.again(b)
	if p.flow.jumped[b] || slices.ContainsFunc(b.Preds, func(q *mach.Block) bool { return slices.Index(p.f.Blocks, q) >= i }) {
		p.buf.WriteString(label(p.f, b) + ":\n")
	}
	if p.flow.skip[b] {
		p.line("s_cbranch_execz " + label(p.f, p.f.Blocks[i+1]) + "_after")
	}
}

func (p *printing) scalar(s scalar, h *hazards) {
	p.line(h.before(s.event))
	p.line(s.text)
}

// line writes a line, none if it is empty.
func (p *printing) line(s string) {
	if s != "" {
		p.buf.WriteString("\t" + s + "\n")
	}
}

func label(f *mach.Func, b *mach.Block) string {
	return symbol(".L" + unquoted(f.Name) + "_" + strconv.Itoa(b.ID))
}

// waits is what a callable function begins with (seen: llc 22).
func (p *printing) waits() {
	switch {
	case p.features.Has(SETPC64):
		p.line("s_wait_loadcnt_dscnt 0x0")
		p.line("s_wait_kmcnt 0x0")
	case p.features.Has(WAIT12):
		for _, counter := range []string{"loadcnt_dscnt", "expcnt", "samplecnt", "bvhcnt", "kmcnt"} {
			p.line("s_wait_" + counter + " 0x0")
		}
	default:
		p.line("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)")
	}
}

func (p *printing) end(i int) error {
	b := p.f.Blocks[i]
	last := i == len(p.f.Blocks)-1
	switch {
	case p.f.Phys == nil && len(p.f.Blocks) > 1:
		return fmt.Errorf("%s branches and has no registers", p.f.Name)
	case b.Term == mach.Ret && p.f.Phys != nil && p.f.Kernel:
		p.line("s_endpgm")
	case b.Term == mach.Ret && p.f.Phys != nil && p.features.Has(SETPC64):
		p.line("s_set_pc_i64 s[30:31]")
	case b.Term == mach.Ret && p.f.Phys != nil:
		p.line("s_setpc_b64 s[30:31]")
	case b.Term != mach.Ret && b.Term != mach.Fallthrough && last, p.flow.stops[b]: // no lane comes here
		p.line("s_endpgm")
	}
	return nil
}

// unreadMasks are those that no instruction reads and no block ends with.
func unreadMasks(f *mach.Func) []bool {
	unread := make([]bool, len(f.Classes))
	for i, c := range f.Classes {
		unread[i] = c == mask
	}
	read := func(o mach.Operand) {
		if o.Bits > 0 && !o.IsConst() {
			unread[o.Reg] = false
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			for _, o := range b.Insts[i].In {
				read(o)
			}
		}
		read(b.Cond)
		for _, o := range b.Ret {
			read(o)
		}
	}
	return unread
}

// inst prints an op's name and its syntax with the operands in their places:
// $d and $e are results, $0 to $9 inputs, and $2: an input's register together
// with the next. -$0 is neg(…) for a constant, whose own minus means another value.
func (p *printing) inst(in *mach.Inst) error {
	if in.Guard != nil {
		return fmt.Errorf("%s: AMD has no guarded instructions", p.f.Name)
	}
	p.buf.WriteString("\t" + in.Op.Name + " ")
	s := in.Op.Syntax
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			break
		}
		before := s[:i]
		var o mach.Operand
		switch c := s[i+1]; c {
		case 'd', 'e':
			o = in.Out[c-'d']
		default:
			o = in.In[c-'0']
		}
		s = s[i+2:]
		wide := strings.HasPrefix(s, ":")
		if wide {
			s = s[1:]
		}
		text := p.operand(o, wide)
		if neg, ok := strings.CutSuffix(before, "-"); ok && o.IsConst() {
			before, text = neg, "neg("+text+")"
		}
		p.buf.WriteString(before + text)
	}
	p.buf.WriteString(s + "\n")
	return nil
}

// operand is a constant or register; wide prints a register with its successor.
func (p *printing) operand(o mach.Operand, wide bool) string {
	switch {
	case o.IsConst():
		return constantText(o.K, int(o.Bits))
	case p.f.Phys == nil:
		return p.name(o)
	}
	n := int(p.f.Phys[o.Reg])
	c := p.f.Classes[o.Reg]
	if c.Bank == mach.Predicate {
		return p.maskName(o.Reg)
	}
	if o.Sub == mach.High {
		n++
	}
	if c.Bank == mach.Scalar && (o.Sub != mach.Whole || c.Bits == 32) {
		return "s" + decimal(n)
	}
	if c.Bank == mach.Scalar {
		return fmt.Sprintf("s[%d:%d]", n, n+1)
	}
	if wide || o.Sub == mach.Whole && c.Bits > 32 {
		return fmt.Sprintf("v[%d:%d]", n, n+1)
	}
	return "v" + decimal(n)
}

func (p *printing) maskName(r mach.Reg) string {
	if p.unread != nil && p.unread[r] {
		return "null"
	}
	return laneMask(p.f.Phys[r], p.features)
}

// name is an operand's name: that of its register, or t0, t1 …; halves of pairs
// are name.lo and name.hi.
func (p *printing) name(o mach.Operand) string {
	s := p.f.Names[o.Reg]
	if s == "" {
		var ok bool
		if s, ok = p.temps[o.Reg]; !ok {
			s = "t" + decimal(len(p.temps))
			p.temps[o.Reg] = s
		}
	}
	switch o.Sub {
	case mach.Low:
		s += ".lo"
	case mach.High:
		s += ".hi"
	}
	return s
}

// constantText is an inline constant in decimal, a literal in hexadecimal, a
// mask as all its lanes, and a truth table as llvm-mc shows it.
func constantText(k sem.Val, bits int) string {
	switch {
	case bits == 1:
		return decimal(-int(k.Lo))
	case bits == 8 && k.Lo > 10, bits == 16:
	case bits == 8 || inlined(bits)(k):
		return decimal(int(int64(k.SignExtend(bits).Lo)))
	}
	return "0x" + strconv.FormatUint(k.Lo, 16)
}
