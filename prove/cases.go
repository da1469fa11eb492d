package prove

// Trusted: that cases cover all, and each is proved.

import (
	"errors"
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// A goal may be proved case by case: where something is undecided, it is taken
// to be so, then not. What a case says bounds polynomials, so that choices,
// clamps and shifts by a variable go away.

// The limits of the number of cases.
const (
	maxComparisons = 64
	maxSigns       = 16
)

// cases tries to split the goal by its comparisons, proving each case by normal
// forms; by those of its comparisons that look at inputs only, proving each
// case by normal forms or a circuit; by the values of its shift counts. It
// gives the number of cases, 0 where none of these proves the goal.
func (p *prover) cases(pairs [][2]*sem.Term) (n int, err error) {
	var all, inputs []*sem.Term
	for _, t := range p.order {
		if t.Op == sem.OpEq || t.Op == sem.OpUlt || t.Op == sem.OpSlt {
			all = append(all, t)
			if p.k.slicesOnly(p.k.Of(t.A[0])) && p.k.slicesOnly(p.k.Of(t.A[1])) {
				inputs = append(inputs, t)
			}
		}
	}
	for _, s := range []*split{
		{conds: all, limit: maxComparisons},
		{conds: inputs, limit: maxSigns, circuits: true},
	} {
		if len(s.conds) == 0 {
			continue
		}
		s.p, s.pairs = p, pairs
		s.cols, s.lanes = p.sampler.values(s.conds, nil)
		switch ok := s.prove(p.k, nil); {
		case s.err != nil:
			return 0, s.err
		case ok:
			return s.cases, nil
		}
	}
	return p.counts(pairs)
}

// split goes through the cases of comparisons.
type split struct {
	p        *prover
	pairs    [][2]*sem.Term
	conds    []*sem.Term // operands first
	cols     []sem.Col   // their values on vectors
	lanes    int
	circuits bool // a circuit is tried where all is decided
	limit    int
	cases    int // done
	err      error
}

var errVoid = errors.New("a case that cannot be is met by a vector")

// prove goes through the cases under some claims, which k knows.
func (s *split) prove(k *Kernel, under []claim) bool {
	equal := k.sameAll(s.pairs)
	if k.void && s.met(under) {
		s.err = errVoid
		return false
	}
	if k.void || equal {
		s.cases++
		return s.cases <= s.limit
	}
	for _, t := range s.conds {
		if _, ok := k.Of(t).isConst(); ok {
			continue
		}
		for _, is := range [2]bool{true, false} {
			next := append(slices.Clip(under), claim{t, is})
			if s.cases >= s.limit || !s.prove(s.p.kernel(next), next) {
				return false
			}
		}
		return true
	}
	if !s.circuits || len(under) == 0 {
		return false
	}
	leaf := *s.p
	leaf.k, leaf.under = k, under
	r, _ := leaf.circuit(s.pairs, common, 1000)
	s.cases++
	return r.Status == Proved
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

// kernel is a new Kernel for the goal that knows its assumptions and more. What
// it learns of slices only when it knows their polynomials is known to a second
// one from the start.
func (p *prover) kernel(under []claim) *Kernel {
	all := slices.Concat(claims(p.g.Assume), under)
	k := NewKernel(p.g.roots()...)
	k.assume(all...)
	if len(k.forced) == 0 {
		return k
	}
	again := NewKernel(p.g.roots()...)
	again.pieces = k.forced
	again.assume(all...)
	return again
}
