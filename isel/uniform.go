package isel

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// uniform says what of a function is the same in all lanes of a wave and is held
// in scalar registers, and which branches send all lanes the same way.
type uniform struct {
	scalar []bool // by value ID
	jumps  map[*ir.Block]bool
	rules  map[*ir.Value]*Choice // of the forms among them
}

// ChooseUniform is Choose among the rules for operands that are the same in all
// lanes, in scalar registers.
func (t *Target) ChooseUniform(f ptx.Form, m ptx.Model, known func(arg int) sem.Facts) (*Choice, error) {
	return t.from(t.Uniform, f, m, known)
}

// uniformity finds what can be held in scalar registers: parameters that are the
// same in all lanes, results of forms that have rules for them, whose operands
// are scalars or constants, and phis of such where the edges into their block
// tell no lane from another. All of that only in blocks that all lanes come to
// together: there a write of a scalar register is one for all of them, and what
// is live for one lane is live for all. Values and branches depend on one another,
// so that each is taken for uniform until that does not hold.
func (s *selection) uniformity() {
	if s.t.Uniform == nil || s.divergent {
		return
	}
	if s.part && (len(s.f.Params) == 0 || slices.ContainsFunc(s.f.Params, func(p *ir.Value) bool { return !p.Uniform })) {
		return // a part is in registers of one kind
	}
	u := uniform{scalar: make([]bool, s.f.NumValues()), jumps: map[*ir.Block]bool{}, rules: map[*ir.Value]*Choice{}}
	order := ir.ReversePostorder(s.f)
	at := map[*ir.Block]int{}
	for i, b := range order {
		at[b] = i
		for _, v := range b.Vals {
			u.scalar[v.ID] = s.mayBeScalar(&u, v)
		}
	}
	for _, p := range s.f.Params {
		u.scalar[p.ID] = p.Uniform && s.t.scalar(p.W)
	}
	succs := make([][]int, len(order))
	for i, b := range order {
		for _, x := range b.Succs {
			if j := at[x]; len(succs[i]) == 0 || succs[i][0] != j {
				succs[i] = append(succs[i], j)
			}
		}
	}
	for again := true; again; {
		together, parts := mach.Together(succs, func(i int) bool {
			c := order[i].Args[0]
			return c.Op != ir.Const && u.scalar[c.ID]
		})
		again = false
		for i, b := range order {
			u.jumps[b] = len(succs[i]) > 1 && together[i] && !parts[i]
			joined := false // from where lanes were apart
			for _, p := range b.Preds {
				if j, ok := at[p]; ok && (!together[j] || parts[j]) {
					joined = true
				}
			}
			for _, v := range b.Vals {
				if u.scalar[v.ID] && !(together[i] && (v.Op != ir.Phi || !joined) && u.operands(v)) {
					u.scalar[v.ID], again = false, true
				}
			}
		}
	}
	s.uniform = u
}

// scalar reports whether scalar registers hold a value of some bits.
func (t *Target) scalar(bits int) bool {
	_, ok := t.Machine.ScalarOf(bits)
	return ok
}

// mayBeScalar reports a value that scalar code can make.
func (s *selection) mayBeScalar(u *uniform, v *ir.Value) bool {
	switch v.Op {
	case ir.Phi:
		return s.t.scalar(v.W)
	case ir.Result:
		return u.rules[v.Args[0]] != nil
	case ir.PTX:
		c, err := s.t.ChooseUniform(v.Form, s.f.Model, func(i int) sem.Facts { return s.facts(v.Args[i]) })
		if err != nil {
			return false
		}
		u.rules[v] = c
		return true
	}
	return false
}

// operands reports that all operands are constants or scalars.
func (u *uniform) operands(v *ir.Value) bool {
	for _, a := range v.Args {
		if a.Op != ir.Const && a.Op != ir.Undef && !u.scalar[a.ID] {
			return false
		}
	}
	return true
}

// is reports a value that is held in scalar registers.
func (u *uniform) is(v *ir.Value) bool { return u.scalar != nil && u.scalar[v.ID] }

// UniformClasses are the classes of a form's results where they are scalars.
func (t *Target) UniformClasses(f ptx.Form) []mach.Class {
	ws := ir.ResultWidths(f)
	out := make([]mach.Class, len(ws))
	for i, w := range ws {
		out[i], _ = t.Machine.ScalarOf(w)
	}
	return out
}
