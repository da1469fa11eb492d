package isel

import (
	"fmt"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Known tells what is known of a value; ok is false where that is nothing.
type Known func(v *ir.Value) (f sem.Facts, ok bool)

// Select turns a function of PTX forms into native code over virtual registers.
// known may be nil: constants are known anyway. The error names what has no
// register or no rule.
func (t *Target) Select(f *ir.Func, known Known) (*mach.Func, error) {
	return t.selectFunc(f, known, false)
}

// SelectPart is Select for a sequence that is part of something else: i1
// parameters and results are predicates, not 0 or 1 in general registers, on
// machines that keep carries in predicates.
func (t *Target) SelectPart(f *ir.Func, known Known) (*mach.Func, error) {
	return t.selectFunc(f, known, t.Machine.Carry.Bits == 0)
}

// SelectDivergent is Select with all values in registers of the lanes, parameters
// as they come: for functions that need more scalar registers than there are.
func (t *Target) SelectDivergent(f *ir.Func, known Known) (*mach.Func, error) {
	s := newSelection(t, f, known, false)
	s.divergent = true
	return s.run()
}

func (t *Target) selectFunc(f *ir.Func, known Known, part bool) (*mach.Func, error) {
	return newSelection(t, f, known, part).run()
}

func newSelection(t *Target, f *ir.Func, known Known, part bool) *selection {
	return &selection{t: t, f: f, part: part, known: known, vals: make([]mach.Operand, f.NumValues()), results: map[int][]mach.Operand{}, blocks: map[*ir.Block]*mach.Block{}}
}

type selection struct {
	t       *Target
	f       *ir.Func
	part    bool // of something else
	uniform uniform

	divergent bool // nothing is held in scalar registers
	known     Known
	out       *mach.Func
	emit      *mach.Emitter
	vals      []mach.Operand
	results   map[int][]mach.Operand // by ID, of forms with several
	choices   map[*ir.Value]*Choice
	carry     carries
	blocks    map[*ir.Block]*mach.Block
}

func (s *selection) run() (*mach.Func, error) {
	s.out = &mach.Func{Name: s.f.Name}
	s.emit = mach.NewEmitter(s.t.Machine, s.out)
	order := ir.ReversePostorder(s.f) // definitions before uses
	for _, b := range order {
		s.blocks[b] = &mach.Block{ID: b.ID, Name: b.Name}
	}
	for _, b := range s.f.Blocks {
		if nb := s.blocks[b]; nb != nil { // else nothing reaches it
			s.out.Blocks = append(s.out.Blocks, nb)
		}
	}
	for _, c := range s.f.Consts {
		s.vals[c.ID] = mach.Imm(c.K, c.W)
	}
	if err := s.choose(); err != nil {
		return nil, err
	}
	s.emit.B = s.out.Blocks[0]
	for _, p := range s.f.Params {
		if err := s.param(p); err != nil {
			return nil, err
		}
	}
	for _, b := range order {
		s.emit.B = s.blocks[b]
		s.carry.owner = nil
		for _, v := range b.Vals {
			if err := s.value(v); err != nil {
				return nil, err
			}
		}
		if err := s.terminator(b); err != nil {
			return nil, err
		}
	}
	for _, b := range order { // the operands of phis may come from later blocks
		nb := s.blocks[b]
		for i, x := range b.Preds {
			if s.blocks[x] == nil {
				continue
			}
			nb.Preds = append(nb.Preds, s.blocks[x])
			for n := range nb.Phis {
				a := b.Vals[n].Args[i]
				o := s.vals[a.ID]
				if p, ok := s.carry.predicates[a]; ok {
					o = p
				}
				nb.Phis[n].In = append(nb.Phis[n].In, o)
			}
		}
		for _, x := range b.Succs {
			nb.Succs = append(nb.Succs, s.blocks[x])
		}
	}
	s.out.RemoveDead()
	if combine := s.t.Machine.Combine; combine != nil {
		combine(s.out)
		s.out.RemoveDead()
	}
	if s.part && s.uniform.scalar != nil { // as allocation does for a whole
		return s.out, s.out.BranchFlags(s.t.Machine)
	}
	return s.out, nil
}

func (s *selection) class(v *ir.Value) (mach.Class, error) {
	if s.uniform.is(v) {
		c, _ := s.t.Machine.ScalarOf(v.W)
		return c, nil
	}
	return s.lanes(v)
}

// lanes is the class of a value that may differ between lanes.
func (s *selection) lanes(v *ir.Value) (mach.Class, error) {
	c, ok := s.t.Machine.ClassOf(v.W)
	if !ok {
		return c, fmt.Errorf("%s has no register for i%d", s.t.Name, v.W)
	}
	return c, nil
}

// travels is the class in which a value is passed and returned.
func (s *selection) travels(c mach.Class) (mach.Class, error) {
	if c.Bank == mach.General || s.part {
		return c, nil
	}
	g, ok := s.t.Machine.ClassOf(32)
	if !ok {
		return g, fmt.Errorf("%s has no 32-bit register", s.t.Name)
	}
	return g, nil
}

func (s *selection) param(p *ir.Value) error {
	if p.Uniform && s.t.Uniform != nil && s.t.scalar(p.W) {
		c, _ := s.t.Machine.ScalarOf(p.W)
		r := s.out.NewReg(c, p.Name)
		s.out.Params = append(s.out.Params, r)
		s.vals[p.ID] = s.out.R(r)
		if s.divergent {
			l, err := s.lanes(p)
			if err == nil {
				s.vals[p.ID], err = s.emit.Spread(s.out.R(r), l)
			}
			return err
		}
		if c.Bits > 32 && !s.part { // which may be passed where pairs do not start
			s.vals[p.ID] = s.out.R(s.out.NewReg(c, p.Name))
			s.emit.Move(s.vals[p.ID], s.out.R(r), c)
		}
		return nil
	}
	c, err := s.class(p)
	if err != nil {
		return err
	}
	g, err := s.travels(c)
	if err != nil {
		return err
	}
	r := s.out.NewReg(g, p.Name)
	s.out.Params = append(s.out.Params, r)
	s.vals[p.ID] = s.out.R(r)
	if g != c {
		o, err := s.emit.Emit([]mach.Expr{s.t.Machine.BoolIn(mach.Arg(0))}, []mach.Class{c}, []mach.Operand{s.out.R(r)})
		if err != nil {
			return err
		}
		s.vals[p.ID] = o[0]
		s.carry.save(p, s.out.R(r))
	}
	return nil
}

func (s *selection) value(v *ir.Value) error {
	switch v.Op {
	case ir.Phi:
		c, err := s.class(v)
		if err != nil {
			return err
		}
		r := s.out.NewReg(c, v.Name)
		s.vals[v.ID] = s.out.R(r)
		s.emit.B.Phis = append(s.emit.B.Phis, mach.Phi{Out: r})
		return nil
	case ir.Result:
		s.vals[v.ID] = s.results[v.Args[0].ID][v.Index]
		return nil
	case ir.PTX:
		return s.form(v)
	}
	return fmt.Errorf("%s has no rule for %s i%d", s.t.Name, v.Op, v.W)
}

// choose picks the rule of every form.
func (s *selection) choose() error {
	s.choices = map[*ir.Value]*Choice{}
	s.uniformity()
	for _, b := range s.f.Blocks {
		for _, v := range b.Vals {
			if v.Op != ir.PTX {
				continue
			}
			if s.uniform.is(v) {
				s.choices[v] = s.uniform.rules[v]
				continue
			}
			c, err := s.t.Choose(v.Form, s.f.Model, func(i int) sem.Facts { return s.facts(v.Args[i]) })
			if err != nil {
				return err
			}
			s.choices[v] = c
		}
	}
	if s.t.Machine.Carry.Bits > 0 {
		s.carry.plan(s)
	}
	return nil
}

func (s *selection) form(v *ir.Value) error {
	s.emit.Off = v.Off
	args := make([]mach.Operand, len(v.Args))
	for i, a := range v.Args {
		o, err := s.argument(v, i, a)
		if err != nil {
			return err
		}
		args[i] = o
	}
	classes, err := s.t.ResultClasses(v.Form)
	if err != nil {
		return err
	}
	if s.uniform.is(v) {
		classes = s.t.UniformClasses(v.Form)
	}
	c := s.choices[v]
	out, err := s.emit.Emit(c.Out, classes, args)
	if err != nil {
		return fmt.Errorf("rule %q: %w", c.Rule.Name, err)
	}
	s.vals[v.ID] = out[0]
	if len(out) > 1 {
		s.results[v.ID] = out
	}
	return s.carry.defined(s, v, out)
}

// ResultClasses are the classes of a form's results, the carry-out last.
func (t *Target) ResultClasses(f ptx.Form) ([]mach.Class, error) {
	ws := ir.ResultWidths(f)
	out := make([]mach.Class, len(ws))
	for i, w := range ws {
		c, ok := t.Machine.ClassOf(w)
		if !ok {
			return nil, fmt.Errorf("%s has no register for i%d", t.Name, w)
		}
		out[i] = c
	}
	if f.WritesCF() && t.Machine.Carry.Bits > 0 {
		out[len(out)-1] = t.Machine.Carry
	}
	return out, nil
}

func (s *selection) facts(v *ir.Value) sem.Facts {
	if v.Op == ir.Const {
		return sem.Exactly(v.K, v.W)
	}
	if s.known != nil {
		if f, ok := s.known(v); ok {
			return f
		}
	}
	return sem.Any(v.W)
}

func (s *selection) terminator(b *ir.Block) error {
	nb := s.emit.B
	s.emit.Off = -1
	switch b.Term {
	case ir.Ret:
		nb.Term = mach.Ret
		for _, v := range b.Args {
			o, err := s.result(v)
			if err != nil {
				return err
			}
			nb.Ret = append(nb.Ret, o)
		}
	case ir.Br:
		nb.Term = mach.Jump
	case ir.CondBr:
		nb.Term = mach.CondJump
		c, err := s.predicate(b.Args[0])
		if err == nil && !s.uniform.jumps[b] {
			c, err = s.emit.Spread(c, mach.Class{Bank: mach.Predicate, Bits: 1})
		}
		if err != nil {
			return err
		}
		nb.Cond = c
	default:
		nb.Term = mach.Trap
	}
	return nil
}

// result is the operand in the form in which it is returned.
func (s *selection) result(v *ir.Value) (mach.Operand, error) {
	o := s.vals[v.ID]
	if s.out.IsScalar(o) {
		return o, nil // a bit is 0 or 1 there
	}
	c, err := s.lanes(v)
	if err != nil {
		return o, err
	}
	g, err := s.travels(c)
	if err != nil || g == c {
		return s.emit.Plain(o, c), err
	}
	if o.IsConst() {
		return mach.Imm(o.K, int(g.Bits)), nil
	}
	if r, ok := s.carry.saved[v]; ok {
		return r, nil
	}
	out, err := s.emit.Emit([]mach.Expr{s.t.Machine.BoolOut(mach.Arg(0))}, []mach.Class{g}, []mach.Operand{o})
	if err != nil {
		return o, err
	}
	return out[0], nil
}

// SelectForm gives the native code of a form alone, for general operands: its
// parameters are the sources and the carry-in in registers of their classes,
// its results the results and the carry-out. This is what a form costs.
func (t *Target) SelectForm(form ptx.Form, m ptx.Model) (*mach.Func, *Choice, error) {
	c, err := t.Choose(form, m, nil)
	if err != nil {
		return nil, nil, err
	}
	f, err := t.Sequence(c)
	return f, c, err
}

// Sequence is a function for one choice, as SelectForm makes it.
func (t *Target) Sequence(c *Choice) (*mach.Func, error) {
	form := c.Form
	f := &mach.Func{Name: form.String(), Blocks: []*mach.Block{{Term: mach.Ret}}}
	e := mach.NewEmitter(t.Machine, f)
	e.B = f.Blocks[0]
	var args []mach.Operand
	for i, w := range ir.ArgWidths(form) {
		cl, ok := t.Machine.ClassOf(w)
		if !ok {
			return nil, fmt.Errorf("%s has no register for i%d", t.Name, w)
		}
		name := string("abce"[i])
		if form.ReadsCF() && i == len(form.Ins()) {
			name = "cf"
			if t.Machine.Carry.Bits > 0 {
				cl = t.Machine.Carry
			}
		}
		r := f.NewReg(cl, name)
		f.Params = append(f.Params, r)
		args = append(args, f.R(r))
	}
	classes, err := t.ResultClasses(form)
	if err != nil {
		return nil, err
	}
	if e.B.Ret, err = e.Emit(c.Out, classes, args); err != nil {
		return nil, fmt.Errorf("rule %q: %w", c.Rule.Name, err)
	}
	for i, o := range e.B.Ret {
		e.B.Ret[i] = e.Plain(o, classes[i])
	}
	f.RemoveDead()
	return f, nil
}
