package prove

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// Engines lists the methods that prove a goal, each asked alone, without the
// vectors that refute wrong goals before: none may prove a wrong one. With quick
// set, of the circuits only the one with most free words is asked. The error is
// a fault that the prover itself found.
func Engines(g Goal, conflicts int, quick bool) (by []Method, err error) {
	p := newProver(g, Options{})
	p.sampler = newSampler(p)
	p.sampler.plain()
	if len(p.sampler.live) == 0 {
		return nil, nil
	}
	pairs := p.unequal()
	if len(pairs) == 0 {
		by = append(by, Polynomial)
		for i, t := range g.Want {
			pairs = append(pairs, [2]*sem.Term{t, g.Got[i]})
		}
	}
	n, err := p.cases(pairs)
	if err != nil {
		return nil, err
	}
	if n > 0 {
		by = append(by, Cases)
	}
	for d := common; d <= exact; d++ {
		if quick && d > common {
			break
		}
		h := newHybrid(p.k, &g, p.order, nil, d)
		if err := h.simulate(p.sampler.values(p.order, nil)); err != nil {
			return nil, err
		}
		diff := h.c.differ(h.bits, pairs)
		v := unsatisfiable
		if diff != no {
			if v, _, err = h.c.decide(&search{}, slices.Concat(h.assumed, h.facts, []lit{diff}), conflicts, nil); err != nil {
				return nil, err
			}
		}
		if v == unsatisfiable {
			by = append(by, [...]Method{Sharing, Hybrid, Blasting}[d])
		}
	}
	return by, nil
}

// Replay evaluates the goal; it is nil where nothing differs.
func (g Goal) Replay(env map[string]sem.Val) *Counterexample { return g.replay(env) }

// KnownCircuit reports that an equal circuit had been refuted for another goal.
func (c *Certificate) KnownCircuit() bool { return c.run != nil && c.run.Known }
