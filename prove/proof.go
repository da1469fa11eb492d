package prove

// Trusted: the check of refutations.

// proof is a list of derived clauses, each with the clauses that it follows
// from; the last one is empty. Clauses are numbered: those of the formula, then
// the derived ones.
type proof struct {
	f     *formula
	steps formula // the derived clauses
	hints formula // the numbers, a step a clause
}

// begin starts a step. The numbers of the clauses that it follows from are to
// come by hint.
func (p *proof) begin(ls ...uint32) {
	p.steps.add(ls...)
	p.hints.add()
}

func (p *proof) hint(clause int32) {
	p.hints.lits = append(p.hints.lits, uint32(clause))
	p.hints.ends[len(p.hints.ends)-1]++
}

// check reports that the formula has no solution, because every step of the
// proof holds and the last one derives the empty clause. A step holds if its
// clause, taken to be false, makes the clauses of its hints, one after the
// other, leave one literal, which is then true, until one leaves none.
func (p *proof) check() bool {
	n := p.steps.len()
	if n == 0 || len(p.steps.clause(n-1)) != 0 {
		return false
	}
	mark := make([]int, 2*p.f.vars+2) // the last step in which a literal was false
	for i := range n {
		if !p.follows(i, mark) {
			return false
		}
	}
	return true
}

func (p *proof) follows(step int, mark []int) bool {
	now := step + 1
	for _, l := range p.steps.clause(step) {
		mark[l] = now
	}
	for _, h := range p.hints.clause(step) {
		c, ok := p.clause(int(h), step)
		left, count := uint32(0), 0
		for _, l := range c {
			if mark[l] != now {
				left = l
				count++
			}
		}
		if count == 0 {
			return ok
		}
		if count == 1 {
			mark[left^1] = now
		}
	}
	return false
}

// clause is one that may be used in a step: of the formula or derived before.
func (p *proof) clause(i, step int) ([]uint32, bool) {
	n := p.f.len()
	switch {
	case i < n:
		return p.f.clause(i), true
	case i-n < step:
		return p.steps.clause(i - n), true
	}
	return nil, false
}
