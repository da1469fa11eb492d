package nv

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Print writes a function as nvdisasm lists it for sm_70 to sm_90, with the
// calling convention of functions: parameters and results from R4 on, return to
// R20. A function that is not allocated is printed as the sequence over its
// names. The error is the writer's.
func Print(w io.Writer, f *mach.Func) error { return notation(voltaSet).print(w, f) }

// notation is how nvdisasm lists the instructions of a generation.
type notation ir.Features

func (n notation) print(w io.Writer, f *mach.Func) error {
	p := printer{f: f, temps: map[mach.Reg]string{}, spelled: n.spelled()}
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

// spelling is an instruction's operands as they are listed.
type spelling struct {
	fields []string
	first  int // the first source
}

// spelled gives the spellings of all rows.
func (n notation) spelled() map[*mach.Op]spelling {
	spellings.Lock()
	defer spellings.Unlock()
	rows, ok := spellings.of[n]
	if !ok {
		rows = map[*mach.Op]spelling{}
		for _, o := range table {
			rows[o] = n.spell(o)
		}
		spellings.of[n] = rows
	}
	return rows
}

var spellings = struct {
	sync.Mutex
	of map[notation]map[*mach.Op]spelling
}{of: map[notation]map[*mach.Op]spelling{}}

// unused are the places of PT in an op's syntax that the notation has besides:
// from sm_100 on, one for each carry of IADD3 that is not wanted, and for both
// predicates of VIMNMX.
func (n notation) unused(o *mach.Op) (first, count int) {
	has := ir.Features(n).Has
	switch {
	case strings.HasPrefix(o.Name, "IADD3") && has(BothCarries):
		return len(o.Out), 3 - len(o.Out)
	case strings.HasPrefix(o.Name, "VIMNMX") && has(BothCarries|VectorInt):
		return 1, 2
	}
	return len(o.Out), 0
}

func (n notation) spell(o *mach.Op) spelling {
	fields := strings.Split(o.Syntax, ", ")
	first, count := n.unused(o)
	for range count {
		fields = slices.Insert(fields, first, "PT")
	}
	return spelling{fields, first + count}
}

type printer struct {
	f       *mach.Func
	buf     bytes.Buffer
	temps   map[mach.Reg]string // names of the nameless
	spelled map[*mach.Op]spelling
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
	spelled := p.spelled[in.Op]
	fields := make([]string, len(spelled.fields))
	for i, f := range spelled.fields {
		fields[i] = p.field(in, f)
	}
	literalSecond(in.Op, fields, spelled.first)
	p.line(in.Guard, mnemonic(in)+" "+strings.Join(fields, ", "))
}

// mnemonic is an op's name, or the name that nvdisasm has for what IMAD does with
// a factor of 0, 1 or 2^k.
func mnemonic(in *mach.Inst) string {
	if in.Op != IMAD && in.Op != IMAD_N {
		return in.Op.Name
	}
	x, y, z := in.In[0], in.In[1], in.In[2]
	switch {
	case isZero(x) || isZero(y):
		return "IMAD.MOV.U32"
	case !y.IsConst():
	case y.K.Lo == 1 && !isZero(z):
		return "IMAD.IADD"
	case y.K.Lo > 1 && y.K.Lo < 1<<31 && y.K.Lo&(y.K.Lo-1) == 0 && isZero(z):
		return "IMAD.SHL.U32"
	}
	return in.Op.Name
}

func isZero(o mach.Operand) bool { return o.IsConst() && o.K.IsZero() }

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
// numbers (seen: nvdisasm 12.8, 13.5).
func signedLiterals(name string) bool {
	for _, p := range [...]string{"IMAD", "IADD", "ISETP", "IMNMX", "VIMNMX"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func isLiteral(s string) bool { return strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "-0x") }

// literalSecond exchanges operands so that a literal stands where the encoding
// has it, second: additions add in any order, SEL's predicate is complemented,
// LOP3's table follows its operands.
func literalSecond(op *mach.Op, fields []string, first int) {
	swap := func(i, j int) { fields[first+i], fields[first+j] = fields[first+j], fields[first+i] }
	literal := func(i int) bool { return isLiteral(fields[first+i]) }
	switch {
	case strings.HasPrefix(op.Name, "IADD3") && literal(2):
		swap(1, 2)
	case (strings.HasPrefix(op.Name, "IADD") || op == VIADD_SAT || op == VIADD_SAT_N) && literal(0):
		swap(0, 1)
	case op == SEL && literal(0):
		swap(0, 1)
		if s, ok := strings.CutPrefix(fields[3], "!"); ok {
			fields[3] = s
		} else {
			fields[3] = "!" + fields[3]
		}
	case op == LOP3:
		table, _ := strconv.ParseUint(fields[4], 0, 8)
		if literal(0) {
			swap(0, 1)
			table = exchangedAB(table)
		} else if literal(2) {
			swap(1, 2)
			table = exchangedBC(table)
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
	case signed && o.Bits >= 32 && o.K.Bit(int(o.Bits)-1) == 1:
		return "-" + hex(sem.Val{}.Sub(o.K).Cut(int(o.Bits)).Lo)
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
