package isel

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
)

// carries keeps the carries of a function where they should be on a machine
// with one carry register: in it from the form that writes one to the form that
// reads it, as far as nothing between them overwrites it, and else as 0 or 1 in
// a general register. Instructions keep their order, so that what overwrites
// what is known when they are chosen.
type carries struct {
	owner      *ir.Value    // whose value is in the carry register now
	flag       mach.Operand // the carry register that has it
	wanted     map[*ir.Value]want
	saved      map[*ir.Value]mach.Operand // in general registers
	predicates map[*ir.Value]mach.Operand
	of         map[*ir.Value]*ir.Value // the value that stands for a form's carry-out
}

// want says where a carry is needed besides the carry register.
type want uint8

const (
	wantSaved want = 1 << iota
	wantPredicate
)

func (c *carries) save(v *ir.Value, o mach.Operand) {
	if c.saved == nil {
		c.saved = map[*ir.Value]mach.Operand{}
	}
	c.saved[v] = o
}

// isCarry reports a value that a form leaves in the carry register.
func isCarry(v *ir.Value) bool {
	return v.Op == ir.Result && v.W == 1 && v.Args[0].Form.WritesCF() && v.Index == len(ir.ResultWidths(v.Args[0].Form))-1
}

// plan finds the carries that must be kept elsewhere too.
func (c *carries) plan(s *selection) {
	c.wanted, c.of = map[*ir.Value]want{}, map[*ir.Value]*ir.Value{}
	for _, b := range s.f.Blocks {
		for _, v := range b.Vals {
			if isCarry(v) {
				c.of[v.Args[0]] = v
			}
		}
		var owner *ir.Value
		for _, v := range b.Vals {
			for i, a := range v.Args {
				switch {
				case a.W != 1 || v.Op == ir.Result:
				case readsCarry(v, i):
					if owner != a && isCarry(a) {
						c.wanted[a] |= wantSaved
					}
					owner = a
				case isCarry(a):
					c.wanted[a] |= wantSaved | wantPredicate
				}
			}
			if v.Op == ir.PTX && overwrites(s.choices[v]) {
				owner = c.of[v]
			}
		}
		for _, a := range b.Args {
			if isCarry(a) {
				c.wanted[a] |= wantSaved
				if b.Term == ir.CondBr {
					c.wanted[a] |= wantPredicate
				}
			}
		}
	}
}

// readsCarry reports whether argument i is the carry-in of a form.
func readsCarry(v *ir.Value, i int) bool {
	return v.Op == ir.PTX && v.Form.ReadsCF() && i == len(v.Args)-1
}

// overwrites reports whether the rule's operations write the carry register.
func overwrites(c *Choice) bool {
	for _, op := range mach.Ops(c.Out) {
		for _, o := range op.Out {
			if o.Bank == mach.Carry {
				return true
			}
		}
	}
	return false
}

// defined keeps the carry-out of a form that was just emitted where it is
// needed.
func (c *carries) defined(s *selection, v *ir.Value, out []mach.Operand) error {
	m := s.t.Machine
	if m.Carry.Bits == 0 || !overwrites(s.choices[v]) {
		return nil
	}
	r := c.of[v]
	c.owner, c.flag = r, out[len(out)-1]
	if r == nil || c.wanted[r] == 0 {
		return nil
	}
	g, err := s.convert(m.SaveCarry, mach.Class{Bank: mach.General, Bits: 32}, out[len(out)-1])
	if err != nil {
		return err
	}
	c.save(r, g)
	if b, _ := m.ClassOf(1); b.Bank == mach.General { // then that is the value's own register
		out[len(out)-1] = g
		return nil
	}
	if c.wanted[r]&wantPredicate != 0 {
		p, err := s.convert(m.BoolIn, mach.Class{Bank: mach.Predicate, Bits: 1}, g)
		if err != nil {
			return err
		}
		if c.predicates == nil {
			c.predicates = map[*ir.Value]mach.Operand{}
		}
		c.predicates[r] = p
	}
	return nil
}

func (s *selection) convert(how func(mach.Expr) mach.Expr, c mach.Class, o mach.Operand) (mach.Operand, error) {
	out, err := s.emit.Emit([]mach.Expr{how(mach.Arg(0))}, []mach.Class{c}, []mach.Operand{o})
	if err != nil {
		return mach.Operand{}, err
	}
	return out[0], nil
}

// predicate is an i1 value as a predicate.
func (s *selection) predicate(v *ir.Value) (mach.Operand, error) {
	if p, ok := s.carry.predicates[v]; ok {
		return p, nil
	}
	return s.vals[v.ID], nil
}

// argument is argument i of a form in the class in which the form reads it.
func (s *selection) argument(v *ir.Value, i int, a *ir.Value) (mach.Operand, error) {
	m := s.t.Machine
	o := s.vals[a.ID]
	if m.Carry.Bits == 0 || a.W != 1 {
		return o, nil
	}
	if !readsCarry(v, i) {
		return s.predicate(a)
	}
	if s.carry.owner == a && !o.IsConst() {
		return s.carry.flag, nil
	}
	g, ok := s.carry.saved[a]
	switch {
	case ok:
	case o.IsConst():
		g = mach.Imm(o.K, 32)
	default:
		var err error
		if g, err = s.convert(m.BoolOut, mach.Class{Bank: mach.General, Bits: 32}, o); err != nil {
			return g, err
		}
	}
	c, err := s.convert(m.LoadCarry, m.Carry, g)
	s.carry.owner, s.carry.flag = a, c
	return c, err
}
