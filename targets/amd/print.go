package amd

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Print writes a function as llvm-mc accepts it, by LLVM's C calling convention
// for callable functions: waits for outstanding memory at entry, the return
// address in s[30:31]. A function that is not allocated is printed as the
// sequence over its names. The error names what has no listing yet: a branch on
// a lane mask, parameters or results on the stack.
func Print(w io.Writer, f *mach.Func) error {
	p := printer{f: f, temps: map[mach.Reg]string{}}
	p.buf.WriteString(symbol(f.Name) + ":\n")
	if f.Phys != nil {
		if err := p.abi(); err != nil {
			return err
		}
		p.line("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)")
	}
	for i, blk := range f.Blocks {
		if i > 0 && len(blk.Preds) > 0 {
			p.buf.WriteString(p.label(blk) + ":\n")
		}
		for j := range blk.Insts {
			if err := p.inst(&blk.Insts[j]); err != nil {
				return err
			}
		}
		var next *mach.Block
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		if err := p.end(blk, next); err != nil {
			return err
		}
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

type printer struct {
	f     *mach.Func
	buf   bytes.Buffer
	temps map[mach.Reg]string // names of the nameless
}

func (p *printer) line(s string) { p.buf.WriteString("\t" + s + "\n") }

// symbol quotes names that the assembler would not take as they are.
func symbol(s string) string {
	for i, c := range s {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '.', c == '$':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return strconv.Quote(s)
		}
	}
	return s
}

func (p *printer) label(b *mach.Block) string {
	return symbol(".L" + p.f.Name + "_" + strconv.Itoa(b.ID))
}

// abi checks that parameters and results are where registers carry them.
func (p *printer) abi() error {
	place := func(what string, o mach.Operand) error {
		if o.IsConst() || p.f.Phys[o.Reg] < 0 {
			return nil
		}
		if at := int(p.f.Phys[o.Reg]) + (int(o.Bits)+31)/32; at > argWords {
			return fmt.Errorf("%s has a %s beyond %d words: it would lie on the stack", p.f.Name, what, argWords)
		}
		return nil
	}
	for _, r := range p.f.Params {
		if err := place("parameter", p.f.R(r)); err != nil {
			return err
		}
	}
	for _, b := range p.f.Blocks {
		for _, o := range b.Ret {
			if err := place("result", o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *printer) end(b, next *mach.Block) error {
	switch {
	case b.Term == mach.CondJump:
		return fmt.Errorf("%s branches on a condition: AMD listings have no branches on lane masks yet", p.f.Name)
	case b.Term == mach.Jump && b.Succs[0] != next:
		p.line("s_branch " + p.label(b.Succs[0]))
	case b.Term == mach.Ret && p.f.Phys != nil:
		p.line("s_setpc_b64 s[30:31]")
	case b.Term == mach.Trap:
		p.line("s_endpgm")
	}
	return nil
}

// inst prints an op's name and its syntax with the operands in their places:
// $d and $e are results, $0 to $9 inputs, and $2: an input's register together
// with the next. -$0 is neg(…) for a constant, whose own minus means another value.
func (p *printer) inst(in *mach.Inst) error {
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
func (p *printer) operand(o mach.Operand, wide bool) string {
	switch {
	case o.IsConst():
		return constantText(o.K, int(o.Bits))
	case p.f.Phys == nil:
		return p.name(o)
	}
	n := int(p.f.Phys[o.Reg])
	c := p.f.Classes[o.Reg]
	switch {
	case c.Bank == mach.Predicate && n == vcc:
		return "vcc"
	case c.Bank == mach.Predicate:
		return fmt.Sprintf("s[%d:%d]", n, n+1)
	}
	if o.Sub == mach.High {
		n++
	}
	if wide || o.Sub == mach.Whole && c.Bits > 32 {
		return fmt.Sprintf("v[%d:%d]", n, n+1)
	}
	return "v" + decimal(n)
}

// name is an operand's name: that of its register, or t0, t1 …; halves of pairs
// are name.lo and name.hi.
func (p *printer) name(o mach.Operand) string {
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

// constantText is an inline constant in decimal, a literal in hexadecimal, and
// a mask as all its lanes.
func constantText(k sem.Val, bits int) string {
	if bits == 1 {
		return decimal(-int(k.Lo))
	}
	if inlined(bits)(k) {
		return decimal(int(int64(k.SignExtend(bits).Lo)))
	}
	return "0x" + strconv.FormatUint(k.Lo, 16)
}
