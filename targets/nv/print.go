package nv

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Print writes a function as nvdisasm lists it, with the calling convention of
// functions: parameters and results from R4 on, return to R20. A function that
// is not allocated is printed as the sequence over its names. The error is the
// writer's.
func Print(w io.Writer, f *mach.Func) error {
	p := printer{f: f, temps: map[mach.Reg]string{}}
	p.buf.WriteString(f.Name + ":")
	if f.Note != "" {
		p.buf.WriteString(" // " + f.Note)
	}
	p.buf.WriteByte('\n')
	for i, b := range f.Blocks {
		if len(b.Preds) > 0 {
			p.buf.WriteString(label(b) + ":\n")
		}
		for j := range b.Insts {
			p.inst(&b.Insts[j])
		}
		var next *mach.Block
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		p.end(b, next)
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

type printer struct {
	f     *mach.Func
	buf   bytes.Buffer
	temps map[mach.Reg]string // names of the nameless
}

func label(b *mach.Block) string { return ".L_x_" + strconv.Itoa(b.ID) }

func (p *printer) line(guard *mach.Operand, text string) {
	p.buf.WriteString("        ")
	if guard != nil {
		p.buf.WriteString("@" + p.operand(*guard, false) + " ")
	}
	p.buf.WriteString(text + " ;\n")
}

func (p *printer) end(b, next *mach.Block) {
	jump := func(guard *mach.Operand, to *mach.Block) {
		if guard != nil || to != next {
			p.line(guard, "BRA `("+label(to)+")")
		}
	}
	switch b.Term {
	case mach.Ret:
		if p.f.Phys != nil {
			p.line(nil, "RET.ABS.NODEC R"+strconv.Itoa(returnAddress)+" 0x0")
		}
	case mach.Trap:
		p.line(nil, "BPT.TRAP 0x1")
	case mach.Jump:
		jump(nil, b.Succs[0])
	case mach.CondJump:
		yes, no := b.Succs[0], b.Succs[1]
		switch cond := b.Cond; {
		case cond.IsConst() && cond.K.IsZero():
			jump(nil, no)
		case cond.IsConst() || yes == no:
			jump(nil, yes)
		case yes == next:
			cond.Not = !cond.Not
			jump(&cond, no)
		default:
			jump(&cond, yes)
			jump(nil, no)
		}
	}
}

// inst prints an op's name and its syntax with the operands in their places. In
// the syntax $d and $e are results, $0 to $9 inputs.
func (p *printer) inst(in *mach.Inst) {
	fields := strings.Split(in.Op.Syntax, ", ")
	for i, f := range fields {
		fields[i] = p.field(in, f)
	}
	literalSecond(in.Op, fields)
	p.line(in.Guard, in.Op.Name+" "+strings.Join(fields, ", "))
}

// field is one operand of the syntax: "$0", "-$1", "~$1", "$0.SIGN", "RZ". The
// sign of a literal is part of it: a − 5 is a + −0x5, but a − 0 stays −RZ, which
// carries.
func (p *printer) field(in *mach.Inst, f string) string {
	sign, rest, ok := strings.Cut(f, "$")
	if !ok {
		return f
	}
	var o mach.Operand
	switch c := rest[0]; c {
	case 'd', 'e':
		o = in.Out[c-'d']
	default:
		o = in.In[c-'0']
	}
	if o.IsConst() && sign == "~" {
		o.K, sign = o.K.Not().Cut(int(o.Bits)), ""
	} else if o.IsConst() && sign == "-" && !o.K.IsZero() {
		o.K, sign = sem.Val{}.Sub(o.K).Cut(int(o.Bits)), ""
	}
	return sign + p.operand(o, signedLiterals(in.Op.Name)) + rest[1:]
}

// signedLiterals reports the instructions whose literals are printed as signed
// numbers (seen: nvdisasm 12.8).
func signedLiterals(name string) bool {
	return strings.HasPrefix(name, "IMAD") || strings.HasPrefix(name, "IADD3") || strings.HasPrefix(name, "ISETP")
}

func isLiteral(s string) bool { return strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "-0x") }

// literalSecond exchanges operands so that a literal stands where the encoding
// has it, second: IADD3 adds in any order, SEL's predicate is complemented,
// LOP3's table follows its operands.
func literalSecond(op *mach.Op, fields []string) {
	first := len(op.Out)
	switch {
	case strings.HasPrefix(op.Name, "IADD3"):
		for _, i := range [...]int{first, first + 2} {
			if isLiteral(fields[i]) {
				fields[i], fields[first+1] = fields[first+1], fields[i]
			}
		}
	case op == SEL && isLiteral(fields[1]):
		fields[1], fields[2] = fields[2], fields[1]
		if s, ok := strings.CutPrefix(fields[3], "!"); ok {
			fields[3] = s
		} else {
			fields[3] = "!" + fields[3]
		}
	case op == LOP3:
		table, _ := strconv.ParseUint(fields[4], 0, 8)
		if isLiteral(fields[1]) {
			fields[1], fields[2], table = fields[2], fields[1], exchangedAB(table)
		} else if isLiteral(fields[3]) {
			fields[2], fields[3], table = fields[3], fields[2], exchangedBC(table)
		}
		fields[4] = hex(table)
	}
}

// exchangedAB is a table of LOP3 with its first two operands exchanged: bits 2
// and 1 of each index are.
func exchangedAB(t uint64) uint64 { return t&0xc3 | t&0x0c<<2 | t&0x30>>2 }

// exchangedBC is a table with its last two operands exchanged.
func exchangedBC(t uint64) uint64 { return t&0x99 | t&0x22<<1 | t&0x44>>1 }

func hex(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

func (p *printer) operand(o mach.Operand, signed bool) string {
	if o.IsConst() {
		return constant(o, signed)
	}
	s, pred := "", p.f.Classes[o.Reg].Bank == mach.Predicate
	switch {
	case p.f.Phys == nil:
		s = p.name(o)
	case p.f.Phys[o.Reg] < 0 && pred: // a result that nobody reads
		s = "PT"
	case p.f.Phys[o.Reg] < 0:
		s = "RZ"
	case pred:
		s = "P" + strconv.Itoa(int(p.f.Phys[o.Reg]))
	default:
		n := int(p.f.Phys[o.Reg])
		if o.Sub == mach.High {
			n++
		}
		s = "R" + strconv.Itoa(n)
	}
	if o.Not {
		return "!" + s
	}
	return s
}

func constant(o mach.Operand, signed bool) string {
	switch {
	case o.Bits == 1 && o.K.IsZero():
		return "!PT"
	case o.Bits == 1:
		return "PT"
	case o.Bits >= 32 && o.K.IsZero():
		return "RZ"
	case signed && o.K.Bit(31) == 1:
		return "-" + hex(-o.K.Lo&0xffffffff)
	}
	return hex(o.K.Lo)
}

// name is an operand's name: that of its register, or t0, t1 …; halves of pairs
// are name.lo and name.hi.
func (p *printer) name(o mach.Operand) string {
	s := p.f.Names[o.Reg]
	if s == "" {
		var ok bool
		if s, ok = p.temps[o.Reg]; !ok {
			s = "t" + strconv.Itoa(len(p.temps))
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
