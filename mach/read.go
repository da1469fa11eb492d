package mach

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// Dialect is what reading a listing back needs to know of its syntax.
type Dialect struct {
	// Ops are the rows that a line may be, the first that fits is taken.
	Ops []*Op
	// Split takes a line apart: the guard ("P0", "!P0", or ""), the mnemonic and
	// the operands. A line that is no instruction (a wait, a comment) gives an
	// empty mnemonic; end reports the return.
	Split func(line string) (guard, mnemonic, operands string, end bool)
	// Orders, where not nil, gives other orders of the operands that mean the
	// same, for what a printer may exchange.
	Orders func(mnemonic, operands string) []string
	// Register reads a register operand of a class: its number, and whether it
	// stands complemented (!P0).
	Register func(c Class, text string) (phys int16, not, ok bool)
	// Constant reads a constant operand of a class; sign is the character "-" or
	// "~" that the row's syntax has before it, 0 for none.
	Constant func(c Class, text string, sign byte) (k sem.Val, ok bool)
}

// Reader reads listings of straight-line functions back, as a check on what was
// printed. It shares nothing with the printers but the tables.
type Reader struct {
	d    Dialect
	m    *Machine
	ops  map[string][]*Op
	rows map[string][]row // made when a name is first read

	scalar map[int16]bool // registers shared with predicates that hold scalars now; nil: any may
}

// kind reports that a register may hold what a class is of.
func (r *Reader) kind(c Class, at int16) bool {
	return r.m.Banks[c.Bank].Span == 0 || r.scalar == nil || r.scalar[at] == (c.Bank == Scalar)
}

// holds keeps track of which shared registers hold scalars.
func (r *Reader) holds(c Class, at int16) {
	if r.m.Banks[c.Bank].Span == 0 {
		return
	}
	for u := range r.m.taken(c) {
		r.scalar[at+u] = c.Bank == Scalar
	}
}

// row is an op with the pattern of its operand text.
type row struct {
	op    *Op
	text  *regexp.Regexp
	slots []slot // what each group of the pattern is
}

type slot struct {
	out  bool
	n    int
	sign byte
}

// NewReader prepares to read a dialect of a machine.
func NewReader(d Dialect, m *Machine) *Reader {
	r := &Reader{d: d, m: m, ops: map[string][]*Op{}, rows: map[string][]row{}}
	for _, op := range d.Ops {
		r.ops[op.Name] = append(r.ops[op.Name], op)
	}
	return r
}

// named are the rows of a name.
func (r *Reader) named(name string) []row {
	rows, ok := r.rows[name]
	if !ok {
		for _, op := range r.ops[name] {
			rows = append(rows, compileRow(op))
		}
		r.rows[name] = rows
	}
	return rows
}

const operandPattern = `([^,\s\[\]]*(?:\[[^\]]*\])?[^,\s\[\]]*)`

// compileRow makes a pattern of a row's syntax: $d and $e are results, $0 to $9
// inputs; a - or ~ before one belongs to it.
func compileRow(op *Op) row {
	w := row{op: op}
	var sb strings.Builder
	sb.WriteString("^")
	s := op.Syntax
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			break
		}
		lit := s[:i]
		sl := slot{}
		if n := len(lit); n > 0 && (lit[n-1] == '-' || lit[n-1] == '~') {
			sl.sign = lit[n-1]
			lit = lit[:n-1]
		}
		switch c := s[i+1]; c {
		case 'd', 'e':
			sl.out, sl.n = true, int(c-'d')
		default:
			sl.n = int(c - '0')
		}
		s = strings.TrimPrefix(s[i+2:], ":")
		sb.WriteString(regexp.QuoteMeta(lit) + operandPattern)
		w.slots = append(w.slots, sl)
	}
	sb.WriteString(regexp.QuoteMeta(s) + "$")
	w.text = regexp.MustCompile(sb.String())
	return w
}

// Read reads one function: lines up to and with its return. params and results
// are the classes in which values are passed, laid out by the machine's ABI.
func (r *Reader) Read(lines []string, params, results []Class) (*Func, error) {
	f := &Func{Blocks: []*Block{{Term: Ret}}}
	b := f.Blocks[0]
	r.scalar = map[int16]bool{}
	place := func(cs []Class) []Operand {
		var out []Operand
		for i, at := range r.m.Layout(cs) {
			r.holds(cs[i], at)
			if r.m.Units(cs[i]) == 2 {
				r.holds(cs[i].half(), r.m.Upper(cs[i], at))
			}
			out = append(out, r.operand(f, cs[i], at, false))
		}
		return out
	}
	for _, o := range place(params) {
		f.Params = append(f.Params, o.Reg)
	}
	ended := false
	for _, line := range lines {
		guard, name, text, end := r.d.Split(line)
		if ended && (end || name != "") {
			return nil, fmt.Errorf("code after the return: %s", line)
		}
		ended = ended || end
		if name == "" {
			continue
		}
		in, err := r.line(f, name, text)
		if err != nil && r.d.Orders != nil {
			for _, other := range r.d.Orders(name, text) {
				if in, err = r.line(f, name, other); err == nil {
					break
				}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w in %q", err, strings.TrimSpace(line))
		}
		if guard != "" {
			p, not, ok := r.d.Register(Class{Predicate, 1}, guard)
			if !ok {
				return nil, fmt.Errorf("guard %s is no predicate", guard)
			}
			o := r.operand(f, Class{Predicate, 1}, p, not)
			in.Guard = &o
		}
		for i, o := range in.Out {
			if c := in.Op.Out[i]; o.Bits > 0 {
				r.holds(c, f.Phys[o.Reg])
			}
		}
		b.Insts = append(b.Insts, in)
	}
	if !ended {
		return nil, fmt.Errorf("no return")
	}
	b.Ret = place(results)
	return f, nil
}

// Inst reads one line into an instruction over new registers of f. ok is false
// for a line that is none.
func (r *Reader) Inst(f *Func, line string) (in Inst, ok bool, err error) {
	_, name, text, _ := r.d.Split(line)
	if name == "" {
		return in, false, nil
	}
	in, err = r.line(f, name, text)
	return in, err == nil, err
}

// operand is a register of its own for each occurrence: what counts is the
// physical one.
func (r *Reader) operand(f *Func, c Class, phys int16, not bool) Operand {
	o := f.R(f.NewReg(c, ""))
	o.Not = not
	f.Phys = append(f.Phys, phys)
	return o
}

func (r *Reader) line(f *Func, name, text string) (Inst, error) {
	rows := r.named(name)
	if rows == nil {
		return Inst{}, fmt.Errorf("no operation %s", name)
	}
next:
	for _, w := range rows {
		groups := w.text.FindStringSubmatch(text)
		if groups == nil {
			continue
		}
		in := Inst{Op: w.op, Out: make([]Operand, len(w.op.Out)), In: make([]Operand, len(w.op.In)), Off: -1}
		regs, phys := len(f.Classes), len(f.Phys)
		for i, sl := range w.slots {
			o, ok := r.slot(f, w.op, sl, groups[i+1])
			if !ok {
				f.Classes, f.Names, f.Phys = f.Classes[:regs], f.Names[:regs], f.Phys[:phys]
				continue next
			}
			if sl.out {
				in.Out[sl.n] = o
			} else {
				in.In[sl.n] = o
			}
		}
		r.carries(f, &in)
		return in, nil
	}
	return Inst{}, fmt.Errorf("no row of %s fits", name)
}

// carries adds the carry where it is an operand that no text names: there is
// one register that it can be.
func (r *Reader) carries(f *Func, in *Inst) {
	order := r.m.Banks[Carry].Order
	if len(order) == 0 {
		return
	}
	at := order[0]
	for i, c := range in.Op.Out {
		if c.Bank == Carry {
			in.Out[i] = r.operand(f, c, at, false)
		}
	}
	for i, k := range in.Op.In {
		if k.Class.Bank == Carry {
			in.In[i] = r.operand(f, k.Class, at, false)
		}
	}
}

func (r *Reader) slot(f *Func, op *Op, sl slot, text string) (Operand, bool) {
	if sl.out {
		p, not, ok := r.d.Register(op.Out[sl.n], text)
		if !ok || not {
			return Operand{}, false
		}
		return r.operand(f, op.Out[sl.n], p, false), true
	}
	k := &op.In[sl.n]
	reg := text
	if sl.sign != 0 {
		var signed bool
		if reg, signed = strings.CutPrefix(text, string(sl.sign)); !signed {
			reg = ""
		}
	}
	if v, ok := r.d.Constant(k.Class, text, sl.sign); ok { // RZ is a constant before it is a register
		return Imm(v, int(k.Class.Bits)), k.Imm != nil && k.Imm(v.Cut(int(k.Class.Bits)))
	}
	p, not, ok := r.d.Register(k.Class, reg)
	if c := (Class{Scalar, k.Class.Bits}); !ok && k.Scalar {
		if p, _, ok = r.d.Register(c, reg); ok {
			return r.operand(f, c, p, false), r.kind(c, p)
		}
	}
	if !ok || k.ImmOnly || not && !k.Not || !r.kind(k.Class, p) {
		return Operand{}, false
	}
	return r.operand(f, k.Class, p, not), true
}
