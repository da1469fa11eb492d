package prove

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// maxCases limits the cases that a goal is split into.
const maxCases = 64

// split proves the normal forms equal in each case of the comparisons that the
// goal makes: where one is undecided, it is taken to be 1, then 0. What a case
// says bounds polynomials, so that min, max and |a − b| lose their choices.
type split struct {
	p     *prover
	conds []*sem.Term // comparisons, operands first
	cols  []sem.Col   // their values on vectors
	lanes int
	cases int // done
	fault bool
}

// cases gives the number of cases, 0 where that does not prove the goal.
func (p *prover) cases(pairs [][2]*sem.Term) (n int, fault bool) {
	s := &split{p: p}
	for _, t := range p.order {
		if t.Op == sem.OpEq || t.Op == sem.OpUlt || t.Op == sem.OpSlt {
			s.conds = append(s.conds, t)
		}
	}
	if len(s.conds) == 0 {
		return 0, false
	}
	s.cols, s.lanes = p.sampler.values(s.conds)
	if !s.prove(pairs, nil) {
		return 0, s.fault
	}
	return s.cases, false
}

// prove goes through the cases under some claims.
func (s *split) prove(pairs [][2]*sem.Term, under []claim) bool {
	k := NewKernel(s.p.g.roots()...)
	k.assume(slices.Concat(claims(s.p.g.Assume), under)...)
	equal := true
	for _, p := range pairs {
		equal = equal && k.same(p[0], p[1])
	}
	if k.void && s.met(under) {
		// No vector may meet claims that contradict each other.
		s.fault = true
		return false
	}
	if k.void || equal {
		s.cases++
		return s.cases <= maxCases
	}
	for _, t := range s.conds {
		if _, ok := k.Of(t).isConst(); ok {
			continue
		}
		for _, is := range [2]bool{true, false} {
			if s.cases >= maxCases || !s.prove(pairs, append(slices.Clip(under), claim{t, is})) {
				return false
			}
		}
		return true
	}
	return false
}

// met reports that the claims hold on some vector.
func (s *split) met(under []claim) bool {
next:
	for l := range s.lanes {
		for _, c := range under {
			if (s.cols[slices.Index(s.conds, c.t)].Lo[l] == 1) != c.is {
				continue next
			}
		}
		return true
	}
	return false
}
