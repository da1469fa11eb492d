package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// cell is a register of an asm body: what it holds, nil before it is written.
type cell struct {
	name  string
	typ   ptx.Type
	val   *ir.Value
	fetch func(soft bool, span diag.Span) *ir.Value
	wrote bool
	out   bool   // an asm output
	float bool   // a floating-point register: only .b operands take it
	kind  string // what it is where it can be no operand, for people; else ""
	v     *Var   // a state variable
}

func (c *cell) bits() int { return c.typ.Bits() }

// scope is one level of { } as a statement sees it.
type scope struct {
	names  map[string]*cell
	shared *shared // of a scope that an earlier statement opened
}

// shared is a scope that one statement opens and a later one closes.
type shared struct {
	vars map[string]*Var
	span diag.Span // where it was opened
}

// fragment builds the Frag of one asm statement.
type fragment struct {
	l      *diag.List
	file   *diag.File
	site   *Site
	f      *ir.Func
	b      *ir.Block
	ops    []*cell // by operand number
	scopes []*scope
	cf     *cell
	cfIn   int // index in site.In of the incoming CF, −1
	cfOut  Output
	rets   []*ir.Value // results, as site.Out
	flat   *Flat       // of text without declarations
	pos    func(sp diag.Span) diag.Span
	bad    bool
}

func (g *fragment) errorf(id string, sp diag.Span, format string, args ...any) {
	g.bad = true
	g.l.Errorf(id, g.file, g.pos(sp), format, args...)
}

// ptxOp appends a form whose only result is wanted.
func ptxOp(b *ir.Block, off int, f ptx.Form, args ...*ir.Value) *ir.Value {
	v := b.PTX(f, args...)[0]
	v.Off = off
	return v
}

// choose is p ? x : y.
func choose(b *ir.Block, off int, p, x, y *ir.Value) *ir.Value {
	switch {
	case x == y:
		return x
	case x.W > 1:
		return ptxOp(b, off, ptx.Form{Op: ptx.Selp, T: ptx.IntType('b', x.W)}, x, y, p)
	}
	pred := func(op ptx.Op, args ...*ir.Value) *ir.Value {
		return ptxOp(b, off, ptx.Form{Op: op, T: ptx.Pred}, args...)
	}
	return pred(ptx.Or, pred(ptx.And, p, x), pred(ptx.And, pred(ptx.Not, p), y))
}

// inst translates one instruction.
func (g *fragment) inst(in *ptx.Inst) {
	off := g.pos(in.NameSpan).Start
	f := in.Form
	types := f.Ins()
	args := make([]*ir.Value, 0, len(types)+1)
	if len(in.Src) != len(types) {
		g.errorf("ptx-operand-count", in.NameSpan, "%s takes %d source operands, not %d", f, len(types), len(in.Src))
		return
	}
	for i, t := range types {
		v := g.source(&in.Src[i], t, f, off)
		if v == nil {
			return
		}
		args = append(args, v)
	}
	var guard *ir.Value
	if in.Guard != nil {
		guard = g.source(in.Guard, ptx.Pred, f, off)
		if guard == nil {
			return
		}
	}
	if f.ReadsCF() {
		v := g.cf.val
		if v == nil {
			v = g.cf.fetch(false, in.NameSpan)
		}
		g.note(f, in.NameSpan)
		args = append(args, v)
	}
	dst := make([]*cell, len(in.Dst))
	for i := range in.Dst {
		if in.Dst[i].Kind == ptx.OperandSink {
			continue
		}
		c := g.lookup(&in.Dst[i], f.Outs()[i])
		if c == nil {
			return
		}
		if !g.fits(c, f.Outs()[i], f, true) {
			g.mismatch(in.Dst[i].Span, c, f.Outs()[i], f)
			return
		}
		dst[i] = c
	}
	out := g.b.PTX(f, args...)
	for _, v := range out {
		v.Off = off
	}
	for i, c := range dst {
		if c == nil {
			continue
		}
		v := out[i]
		if c.bits() > v.W { // cvt into a wider register extends by its type
			v = ptxOp(g.b, off, ptx.Form{Op: ptx.Cvt, T: ptx.IntType('b', c.bits()), A: f.T}, v)
			v.Form.T = widened(f.T, c.bits())
		}
		g.write(c, v, guard, off, in.Dst[i].Span)
	}
	if f.WritesCF() {
		g.wroteCF(f, guard != nil)
		g.write(g.cf, out[len(out)-1], guard, off, in.NameSpan)
	}
}

// widened is the integer type of w bits with t's signedness.
func widened(t ptx.Type, w int) ptx.Type {
	if t.Signed() {
		return ptx.IntType('s', w)
	}
	return ptx.IntType('u', w)
}

func (g *fragment) write(c *cell, v, guard *ir.Value, off int, sp diag.Span) {
	if guard != nil {
		old := c.val
		if old == nil && c.fetch != nil {
			old = c.fetch(true, sp)
		}
		if old != nil {
			v = choose(g.b, off, guard, v, old)
		}
	}
	if g.flat != nil && !c.wrote && c != g.cf {
		g.flat.written = append(g.flat.written, c)
	}
	c.val, c.wrote = v, true
}

// note records which family reads a CF that comes from outside the statement,
// and warns where it mixes with what this statement wrote.
func (g *fragment) note(f ptx.Form, sp diag.Span) {
	sub := f.SubFamily()
	if g.cf.wrote {
		if g.cfOut.add && sub || g.cfOut.sub && !sub {
			warnMixed(g.l, g.file, g.pos(sp), sub)
		}
		return
	}
	if g.cfIn >= 0 {
		in := &g.site.In[g.cfIn]
		in.sub, in.add = in.sub || sub, in.add || !sub
	}
}

func warnMixed(l *diag.List, file *diag.File, sp diag.Span, sub bool) {
	if sub {
		l.Warnf("cc-mixed", file, sp, "this subtracts with the carry of an addition: CC.CF is taken as NOT borrow, as the hardware does")
		return
	}
	l.Warnf("cc-mixed", file, sp, "this adds the carry of a subtraction: CC.CF is NOT borrow, as in the hardware")
}

func (g *fragment) wroteCF(f ptx.Form, guarded bool) {
	if !guarded {
		g.cfOut.add, g.cfOut.sub = false, false
	}
	if f.SubFamily() {
		g.cfOut.sub = true
	} else {
		g.cfOut.add = true
	}
}

// source is the value of an operand in the width that the form reads; nil
// after an error.
func (g *fragment) source(o *ptx.Operand, t ptx.Type, f ptx.Form, off int) *ir.Value {
	switch o.Kind {
	case ptx.OperandImm:
		return g.f.Const(sem.U(o.Imm), t.Bits())
	case ptx.OperandSpecial:
		g.errorf("ptx-special-register", o.Span, "special register %s is not supported here", o.Name)
		return nil
	case ptx.OperandReg, ptx.OperandAsm:
	default:
		g.errorf("ptx-operand", o.Span, "%s does not take this operand", f)
		return nil
	}
	c := g.lookup(o, t)
	if c == nil {
		return nil
	}
	if !g.fits(c, t, f, false) {
		g.mismatch(o.Span, c, t, f)
		return nil
	}
	v := c.val
	if v == nil && c.fetch != nil {
		v = c.fetch(false, o.Span)
	}
	if v == nil {
		if c.out {
			g.errorf("asm-unwritten-output", o.Span, "output %s is read before it is written", c.name)
			return nil
		}
		g.l.Warnf("asm-unwritten-register", g.file, g.pos(o.Span), "register %s is read before it is written", c.name)
		v = g.f.Undef(c.bits())
	}
	if c.typ == ptx.NoType { // LLVM prints an immediate as a signed number, but true as 1
		return g.f.Const(v.K.SignExtend(max(v.W, 2)), t.Bits())
	}
	if v.W > t.Bits() { // cvt reads the low part of a wider register
		v = ptxOp(g.b, off, ptx.Form{Op: ptx.Cvt, T: widened(t, t.Bits()), A: ptx.IntType('u', v.W)}, v)
	}
	if o.Not {
		v = ptxOp(g.b, off, ptx.Form{Op: ptx.Not, T: ptx.Pred}, v)
	}
	return v
}

// fits: the register has exactly the operand's width; cvt may have wider ones.
// An immediate has any width, and is no destination.
func (g *fragment) fits(c *cell, t ptx.Type, f ptx.Form, dst bool) bool {
	if c.kind != "" || c.float && (t < ptx.B8 || t > ptx.B64) {
		return false
	}
	if c.typ == ptx.NoType {
		return !dst
	}
	if f.Op == ptx.Cvt && t != ptx.Pred && c.typ != ptx.Pred {
		return c.bits() >= t.Bits()
	}
	return c.bits() == t.Bits()
}

func (g *fragment) mismatch(sp diag.Span, c *cell, t ptx.Type, f ptx.Form) {
	what := "." + c.typ.String()
	switch {
	case c.kind != "":
		what = c.kind
	case c.float:
		what = fmt.Sprintf(".f%d", c.bits())
	case c.typ == ptx.NoType:
		what = "a constant"
	}
	g.errorf("ptx-operand-type", sp, "%s wants a .%s operand; %s is %s", f, t, c.name, what)
}

// lookup finds the register of an operand; in flat text a new name is a
// register of the type wanted.
func (g *fragment) lookup(o *ptx.Operand, want ptx.Type) *cell {
	if g.flat != nil {
		return g.flat.register(g, o.Name, want)
	}
	if o.Kind == ptx.OperandAsm {
		if o.Index >= len(g.ops) || g.ops[o.Index] == nil {
			g.errorf("asm-operand", o.Span, "operand $%d does not exist: the constraints give %d", o.Index, len(g.ops))
			return nil
		}
		return g.ops[o.Index]
	}
	for i := len(g.scopes) - 1; i >= 0; i-- {
		if c := g.scopes[i].names[o.Name]; c != nil {
			return c
		}
		if sh := g.scopes[i].shared; sh != nil && sh.vars[o.Name] != nil {
			c := g.stateCell(sh.vars[o.Name])
			g.scopes[i].names[o.Name] = c
			return c
		}
	}
	g.errorf("ptx-undeclared", o.Span, "%s is not declared", o.Name)
	return nil
}

// declare adds the names of a .reg to the innermost scope.
func (g *fragment) declare(d *ptx.Decl) {
	s := g.scopes[len(g.scopes)-1]
	add := func(name string, sp diag.Span) {
		if s.names[name] != nil || s.shared != nil && s.shared.vars[name] != nil {
			g.errorf("ptx-redeclared", sp, "%s is declared twice", name)
			return
		}
		c := &cell{name: name, typ: d.Type}
		switch {
		case d.Word == "f32":
			c.typ, c.float = ptx.B32, true
		case d.Word == "f64":
			c.typ, c.float = ptx.B64, true
		case d.Type == ptx.NoType:
			c.kind = "." + d.Word
		}
		s.names[name] = c
	}
	for _, n := range d.Names {
		if n.Count == 0 {
			add(n.Name, n.Span)
		}
		for i := range n.Count {
			add(fmt.Sprintf("%s%d", n.Name, i), n.Span)
		}
	}
}

// operands makes the cells of the asm operands.
func (g *fragment) operands(ops []ll.AsmOperand) {
	g.ops = make([]*cell, len(ops))
	in := g.site.Inst
	for i := range ops {
		o := &ops[i]
		if o.Kind == ll.ConstraintLabel {
			continue
		}
		c := &cell{name: fmt.Sprintf("$%d", i), out: o.Kind == ll.ConstraintOutput}
		g.ops[i] = c
		if o.Indirect {
			c.kind = "in memory"
			continue
		}
		if o.Tied >= 0 && o.Tied < i && g.ops[o.Tied] != nil {
			c.typ, c.kind, c.float = g.ops[o.Tied].typ, g.ops[o.Tied].kind, g.ops[o.Tied].float
		} else {
			c.typ, c.kind = registerType(o)
			c.float = o.Code == "f" || o.Code == "d"
		}
		switch {
		case o.Arg >= 0:
			g.argument(c, o, in)
		case c.kind != "":
		case c.typ == ptx.NoType:
			c.kind = "an output and no register"
		case o.Type != nil && !convertible(o.Type, c.bits()):
			c.kind = described(o.Type)
		}
	}
	for i := range ops {
		if t := ops[i].Tied; t >= 0 && t < len(ops) && g.ops[t] != nil && g.ops[i] != nil {
			g.ops[t].fetch, g.ops[t].val = g.ops[i].fetch, g.ops[i].val
			if g.ops[t].kind == "" {
				g.ops[t].kind = g.ops[i].kind
			}
			g.ops[i] = g.ops[t]
		}
	}
}

// described is a type for people: "an i64", "a float".
func described(t *ll.Type) string {
	if t.Kind == ll.TyInt {
		return "an " + t.String()
	}
	return "a " + t.String()
}

// registerType is the register class of an asm operand: .b32 for "r", …; for
// an immediate NoType without a kind, for what has no integers NoType with one.
func registerType(o *ll.AsmOperand) (ptx.Type, string) {
	for _, r := range o.Code {
		switch r {
		case 'r', 'v':
			return ptx.B32, ""
		case 'l':
			return ptx.B64, ""
		case 'h':
			return ptx.B16, ""
		case 'c', 'b':
			if o.Type != nil && o.Type.IsInt(1) {
				return ptx.Pred, ""
			}
			return ptx.B16, ""
		case 'n', 'i':
			if len(o.Code) == 1 {
				return ptx.NoType, ""
			}
		case 'f':
			return ptx.B32, ""
		case 'd':
			return ptx.B64, ""
		case 'q':
			return ptx.NoType, "of constraint \"" + o.Code + "\""
		}
	}
	if o.Type != nil {
		switch o.Type.Kind {
		case ll.TyInt:
			switch o.Type.Bits {
			case 1:
				return ptx.Pred, ""
			case 8, 16, 32, 64:
				return ptx.IntType('b', max(16, o.Type.Bits)), ""
			}
		case ll.TyPtr:
			return ptx.B64, ""
		case ll.TyFloat:
			if o.Type.Bits <= 64 {
				return ptx.IntType('b', o.Type.Bits), ""
			}
		}
	}
	return ptx.NoType, "of constraint \"" + o.Code + "\""
}

// argument gives an input cell its value: a constant, or a parameter of the
// Frag that is added when it is first read.
func (g *fragment) argument(c *cell, o *ll.AsmOperand, in *ll.Inst) {
	a := &in.Ops[o.Arg]
	if a.Kind == ll.ValInt && a.Type != nil && a.Type.Kind == ll.TyInt {
		k, w := sem.Val{Hi: a.Hi, Lo: a.Lo}, a.Type.Bits
		if c.typ != ptx.NoType && !convertible(a.Type, c.bits()) {
			c.kind = described(a.Type)
			return
		}
		if c.typ != ptx.NoType {
			w = c.bits()
		}
		c.val = g.f.Const(k, w)
		return
	}
	switch {
	case c.kind != "":
		return
	case c.typ == ptx.NoType || a.Type == nil:
		c.kind = "not an integer constant"
		return
	case !convertible(a.Type, c.bits()):
		c.kind = described(a.Type)
		return
	}
	var v *ir.Value
	c.fetch = func(bool, diag.Span) *ir.Value {
		if v == nil {
			v = g.f.Param(c.name, c.bits())
			g.site.In = append(g.site.In, Input{Arg: o.Arg})
		}
		return v
	}
}

// convertible reports whether a value of a type can travel in a register of
// some bits: an integer of at most that width, or a pointer, float or vector of
// exactly it.
func convertible(t *ll.Type, bits int) bool {
	switch t.Kind {
	case ll.TyInt:
		return t.Bits <= bits
	case ll.TyPtr:
		return bits == 64 || bits == 32 && t.AddrSpace != 0
	case ll.TyFloat:
		return t.Bits == bits
	case ll.TyVector:
		return t.Elem != nil && (t.Elem.Kind == ll.TyInt || t.Elem.Kind == ll.TyFloat) && int(t.N)*t.Elem.Bits == bits
	}
	return false
}

// stateCell gives a cell whose value comes from and goes to other statements.
func (g *fragment) stateCell(v *Var) *cell {
	c := &cell{name: v.Name, typ: v.typ, v: v}
	at := -1
	var val *ir.Value
	c.fetch = func(soft bool, sp diag.Span) *ir.Value {
		if val == nil {
			val = g.f.Param(v.Name, v.W)
			at = len(g.site.In)
			g.site.In = append(g.site.In, Input{Arg: -1, v: v, soft: soft, span: g.pos(sp)})
			if v.CF {
				g.cfIn = at
			}
		}
		if in := &g.site.In[at]; in.soft && !soft {
			in.soft, in.span = false, g.pos(sp)
		}
		return val
	}
	return c
}

// finish makes the results that go to the outputs of the statement.
func (g *fragment) finish(ops []ll.AsmOperand) {
	for i := range ops {
		o := &ops[i]
		if o.Result < 0 || g.ops[i] == nil {
			continue
		}
		c := g.ops[i]
		v := c.val
		if v == nil && c.fetch != nil {
			v = c.fetch(true, diag.Span{})
		}
		switch {
		case v != nil:
		case c.kind != "":
			g.bad = true
			g.l.Errorf("asm-unwritten-output", g.file, g.site.Span(), "output $%d, %s, is never written", i, c.kind)
			return
		default:
			g.l.Warnf("asm-unwritten-output", g.file, g.site.Span(), "output $%d is never written", i)
			v = g.f.Undef(c.bits())
		}
		g.site.Out = append(g.site.Out, Output{Field: o.Result})
		g.rets = append(g.rets, v)
	}
}

// share passes the registers of a scope on to later statements.
func (g *fragment) share(s *scope) {
	names := slices.Sorted(maps.Keys(s.names))
	for _, n := range names {
		c := s.names[n]
		v := c.v
		if v == nil {
			if c.typ == ptx.NoType {
				continue
			}
			v = &Var{Name: n, W: c.bits(), typ: c.typ}
			s.shared.vars[n] = v
		}
		if c.wrote {
			g.output(c, v)
		}
	}
}

func (g *fragment) output(c *cell, v *Var) {
	o := Output{Field: -1, v: v}
	if v.CF {
		o.add, o.sub = g.cfOut.add, g.cfOut.sub
	}
	g.site.Out = append(g.site.Out, o)
	g.rets = append(g.rets, c.val)
}
