package nv

import (
	"io"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// listing is how the listings of the generations before sm_70 differ from
// Print's.
type listing struct {
	name   func(p *printer, in *mach.Inst) string // the mnemonic
	signed func(name string) bool                 // literals are signed numbers
	zero   string                                 // the register that is 0
	guard  func(p *printer, o mach.Operand) string
	branch func(p *printer, cond *mach.Operand, to string) // conditional on cond where not nil
}

var (
	maxwellListing = listing{maxwellName, signedExceptLogic, "RZ", predicateGuard, predicateBranch}
	fermiListing   = listing{fermiName, signedExceptLogic, "RZ", predicateGuard, predicateBranch}
	teslaListing   = listing{teslaName, func(string) bool { return false }, "R124", conditionGuard, conditionBranch}
)

// PrintMaxwell writes a function as nvdisasm lists it for sm_50 to sm_62: as
// Print does, with a return that takes its address from the call stack.
func PrintMaxwell(w io.Writer, f *mach.Func) error { return maxwellListing.print(w, f) }

// PrintFermi writes a function as cuobjdump listed it for sm_20 to sm_37.
func PrintFermi(w io.Writer, f *mach.Func) error { return fermiListing.print(w, f) }

// PrintTesla writes a function as cuobjdump listed it for sm_10 to sm_13: guards
// are conditions of C1 to C3, R124 is 0.
func PrintTesla(w io.Writer, f *mach.Func) error { return teslaListing.print(w, f) }

func (l *listing) print(w io.Writer, f *mach.Func) error {
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
			p.line(nil, l.inst(&p, &b.Insts[j]))
		}
		var next *mach.Block
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		l.end(&p, b, next)
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

func (l *listing) end(p *printer, b, next *mach.Block) {
	jump := func(cond *mach.Operand, to *mach.Block) {
		if cond != nil || to != next {
			l.branch(p, cond, "`("+label(to)+")")
		}
	}
	switch b.Term {
	case mach.Ret:
		if p.f.Phys != nil {
			p.line(nil, "RET")
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

func (l *listing) inst(p *printer, in *mach.Inst) string {
	fields := strings.Split(in.Op.Syntax, ", ")
	for i, f := range fields {
		fields[i] = l.field(p, in, f)
	}
	text := l.name(p, in) + " " + strings.Join(fields, ", ")
	if in.Guard != nil {
		text = "@" + l.guard(p, *in.Guard) + " " + text
	}
	return text
}

// field is one operand of the syntax: "$0", "-$1", "$0.H1", "$0L", "$d.CC", "RZ".
func (l *listing) field(p *printer, in *mach.Inst, f string) string {
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
	text := rest[1:]
	switch {
	case !o.IsConst():
		return sign + p.operand(o, false) + text
	case o.Bits >= 32 && o.K.IsZero():
		return sign + l.zero + text
	case sign == "-":
		o.K, sign = sem.Val{}.Sub(o.K).Cut(int(o.Bits)), ""
	}
	return sign + constant(o, l.signed(in.Op.Name)) + text
}

func predicateGuard(p *printer, o mach.Operand) string { return p.operand(o, false) }

func predicateBranch(p *printer, cond *mach.Operand, to string) { p.line(cond, "BRA "+to) }

// signedExceptLogic reports the instructions whose literals are printed as
// signed numbers (seen: nvdisasm 12.8, sm_50).
func signedExceptLogic(name string) bool {
	return !strings.HasPrefix(name, "LOP.") && !strings.HasPrefix(name, "MOV")
}

// maxwellName names the forms of IADD and LOP with a literal of 32 bits, which
// ptxas uses for all literals.
func maxwellName(_ *printer, in *mach.Inst) string {
	return longName(in, "IADD", "LOP", func(o mach.Operand) bool { return true })
}

// fermiName names them where the literal needs more than 20 bits.
func fermiName(_ *printer, in *mach.Inst) string {
	return longName(in, "IADD", "LOP", func(o mach.Operand) bool { return !small(o.K) })
}

func longName(in *mach.Inst, base1, base2 string, long func(o mach.Operand) bool) string {
	name := in.Op.Name
	if name == "MOV32I" && in.In[0].K.IsZero() {
		return "MOV" // RZ is a register
	}
	for _, base := range [...]string{base1, base2} {
		suffix, ok := strings.CutPrefix(name, base)
		if !ok || suffix != "" && suffix[0] != '.' {
			continue
		}
		for _, o := range in.In {
			if o.IsConst() && !o.K.IsZero() && long(o) {
				return base + "32I" + suffix
			}
		}
	}
	return name
}

// teslaName appends the condition code register that a comparison writes.
func teslaName(p *printer, in *mach.Inst) string {
	name := in.Op.Name
	if len(in.Out) == 1 && p.f.Classes[in.Out[0].Reg].Bank == mach.Predicate {
		return name + "." + condition(p, in.Out[0])
	}
	if name == "MVI" && in.In[0].K.IsZero() {
		return "MOV"
	}
	return longName(in, "IADD", "IADD", func(o mach.Operand) bool { return true })
}

// condition is a condition code register's name.
func condition(p *printer, o mach.Operand) string {
	o.Not = false
	if p.f.Phys == nil {
		return p.operand(o, false)
	}
	return "C" + strconv.Itoa(int(p.f.Phys[o.Reg]))
}

// conditionGuard: a comparison that held left all ones.
func conditionGuard(p *printer, o mach.Operand) string {
	if o.Not {
		return condition(p, o) + ".EQ"
	}
	return condition(p, o) + ".NE"
}

// conditionBranch tests a bit in a register, which no instruction before it needs
// as a condition, with C3.
func conditionBranch(p *printer, cond *mach.Operand, to string) {
	if cond == nil {
		p.line(nil, "BRA "+to)
		return
	}
	o, test := *cond, "NE"
	if o.Not {
		o.Not, test = false, "EQ"
	}
	p.line(nil, "ISET.C3 o [0x7f], "+p.operand(o, false)+", R124, NE")
	p.line(nil, "BRA C3."+test+", "+to)
}
