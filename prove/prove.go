// Package prove decides whether sem terms are equal for all values of their
// variables. It proves the rules of every target: what a rule's native
// operations compute against what the PTX form means.
//
// Equal tries, in this order: the same interned term; vectors, which refute;
// the floor-polynomial normal form, in which carries and high halves of
// products become digits of one exact integer; and a hybrid in which products
// are unknown words with their proved range and the rest is a circuit, decided
// by conflict-driven clause learning. A counterexample is evaluated again
// before it is given, a refutation by clauses is replayed by a checker, and
// what is assumed for the circuit is simulated first. The same goal gets the
// same answer in every run: limits count work, not time.
//
// What has to be right is marked. Files "Trusted" are the kernel: integers,
// polynomials, their eleven rules, what primitives are on integers, the check of
// refutations, and what follows from them. Files "Trusted, simulated" build circuits; each circuit is
// compared with the evaluator on vectors, signal by signal and fact by fact,
// before an answer on it counts. The rest can only fail to find a proof.
package prove

// Trusted: which answer follows from what.

import (
	"fmt"
	"slices"
	"time"

	"github.com/ptxlower/ptxlower/sem"
)

// Goal asks whether each of Got equals the one of Want with the same index, for
// all values of Params for which all of Assume are 1. All terms are of one
// Builder.
type Goal struct {
	Name   string
	Params []*sem.Term // variables; no other may be free in the terms
	Want   []*sem.Term
	Got    []*sem.Term // of the same widths
	Assume []*sem.Term // one bit each
}

// Status is an answer.
type Status uint8

// The answers.
const (
	Open    Status = iota // neither; Result.Reason says why
	Proved                // equal for all values
	Refuted               // Result.Counterexample shows a difference
)

func (s Status) String() string { return [...]string{"open", "proved", "refuted"}[s] }

// Method is what gave an answer.
type Method string

// The methods. The first six prove, the others refute.
const (
	Identical  Method = "identical"  // the same terms
	Polynomial Method = "polynomial" // the same normal forms
	Sharing    Method = "sharing"    // the same bits once terms of equal normal form share theirs
	Hybrid     Method = "hybrid"     // no solution of the circuit with products as free words
	Cases      Method = "cases"      // the same normal forms in each case of the comparisons
	Blasting   Method = "blasting"   // no solution of the circuit with multipliers

	Vectors  Method = "vectors"  // edge-biased and random values
	Directed Method = "directed" // values that bring comparisons to their edges
	Solution Method = "solution" // a solution of the circuit
)

// Options limit and steer. The zero value is the default of each.
type Options struct {
	Lanes     int    // vectors to try, 0 for 256
	Seed      uint64 // of the vectors
	Conflicts int    // limit of conflicts for each circuit, 0 for 20,000; negative: no circuits
	Cache     *Cache // what is known from other goals; may be nil
}

func (o Options) lanes() int {
	if o.Lanes == 0 {
		return 256
	}
	return o.Lanes
}

func (o Options) conflicts() int {
	if o.Conflicts == 0 {
		return 20_000
	}
	return o.Conflicts
}

// Result is what became of a goal.
type Result struct {
	Status         Status
	Method         Method          // where not Open
	Certificate    *Certificate    // where Proved
	Counterexample *Counterexample // where Refuted
	Reason         string          // where Open
	Cached         bool            // an equal goal was proved before
	Time           time.Duration   // spent; it decides nothing
}

// Equal answers a goal.
func Equal(g Goal, opt Options) Result {
	start := time.Now()
	r := equal(g, opt)
	r.Time = time.Since(start)
	return r
}

func equal(g Goal, opt Options) Result {
	if err := g.check(); err != nil {
		return Result{Reason: err.Error()}
	}
	if slices.Equal(g.Want, g.Got) {
		return Result{Status: Proved, Method: Identical, Certificate: &Certificate{Method: Identical, goal: g}}
	}
	if m, ok := opt.Cache.proved(g); ok {
		return Result{Status: Proved, Method: m, Certificate: &Certificate{Method: m, goal: g}, Cached: true}
	}
	r := newProver(g, opt).run()
	opt.Cache.remember(g, r)
	return r
}

// check refuses a goal that asks for nothing definite.
func (g *Goal) check() error {
	if len(g.Want) != len(g.Got) {
		return fmt.Errorf("%d results wanted, %d given", len(g.Want), len(g.Got))
	}
	for i, t := range g.Want {
		if t.W != g.Got[i].W {
			return fmt.Errorf("result %d has %d bits where %d are wanted", i, g.Got[i].W, t.W)
		}
	}
	names := map[string]bool{}
	for _, p := range g.Params {
		switch {
		case p.Op != sem.OpVar:
			return fmt.Errorf("parameter %s is not a variable", p)
		case names[p.Name]:
			return fmt.Errorf("two parameters are named %s", p.Name)
		}
		names[p.Name] = true
	}
	for _, v := range sem.Vars(g.roots()...) {
		if !slices.Contains(g.Params, v) {
			return fmt.Errorf("%s is free and no parameter", v.Name)
		}
	}
	for i, t := range g.Assume {
		if t.W != 1 {
			return fmt.Errorf("assumption %d has %d bits", i, t.W)
		}
	}
	return nil
}

// roots are all terms of the goal.
func (g *Goal) roots() []*sem.Term { return slices.Concat(g.Want, g.Got, g.Assume) }

// prover works on one goal.
type prover struct {
	g       Goal
	opt     Options
	order   []*sem.Term
	k       *Kernel
	sampler *sampler
	under   []claim // where this is one case of the goal
}

func newProver(g Goal, opt Options) *prover {
	p := &prover{g: g, opt: opt, order: sem.Order(g.roots()...)}
	p.k = p.kernel(nil)
	return p
}

func claims(assume []*sem.Term) []claim {
	var out []claim
	for _, t := range assume {
		out = append(out, claim{t, true})
	}
	return out
}

func (p *prover) run() Result {
	p.sampler = newSampler(p)
	cex, n := p.sampler.plain()
	if cex != nil {
		return p.refuted(Vectors, cex)
	}
	if n == 0 {
		return Result{Reason: "no vector was found for which the assumptions hold"}
	}
	pairs := p.unequal()
	if len(pairs) == 0 {
		return p.proved(Polynomial, nil)
	}
	if p.opt.conflicts() < 0 {
		return Result{Reason: "the normal forms differ"}
	}
	if cex := p.sampler.directed(); cex != nil {
		return p.refuted(Directed, cex)
	}
	// Easy questions first: the sums that both sides have as unknown words; the
	// cases of the comparisons; then sums, then products as they are computed.
	limit := p.opt.conflicts()
	if r, done := p.circuit(pairs, common, min(limit, 200)); done {
		return r
	}
	switch n, err := p.cases(pairs); {
	case err != nil:
		return Result{Reason: "fault of the prover: " + err.Error()}
	case n > 0:
		return p.proved(Cases, &search{Cases: n})
	}
	r, done := p.circuit(pairs, products, limit)
	if !done { // multipliers are hard; this is for what is narrow
		r, _ = p.circuit(pairs, exact, max(1, limit/10))
	}
	return r
}

// unequal lists the results whose normal forms differ.
func (p *prover) unequal() [][2]*sem.Term {
	var out [][2]*sem.Term
	for i, t := range p.g.Want {
		if !p.k.same(t, p.g.Got[i]) {
			out = append(out, [2]*sem.Term{t, p.g.Got[i]})
		}
	}
	return out
}

// circuit decides the pairs on bits. It is not done where the limit is reached
// or free words leave a solution that is none of the goal, and a greater depth
// may decide.
func (p *prover) circuit(pairs [][2]*sem.Term, d depth, limit int) (Result, bool) {
	fault := func(what string) (Result, bool) { return Result{Reason: "fault of the prover: " + what}, true }
	h := newHybrid(p.k, &p.g, p.order, p.under, d)
	if err := h.simulate(p.sampler.values(p.order, p.under)); err != nil {
		return fault(err.Error())
	}
	run := &search{Words: h.words, Shared: h.shared, Ties: h.ties}
	diff := h.c.differ(h.bits, pairs)
	if diff == no {
		return p.proved(Sharing, run), true
	}
	v, at, err := h.c.decide(run, slices.Concat(h.assumed, h.facts, []lit{diff}), limit, p.opt.Cache)
	switch {
	case err != nil:
		return fault(err.Error())
	case v == unsatisfiable && d == exact:
		return p.proved(Blasting, run), true
	case v == unsatisfiable:
		return p.proved(Hybrid, run), true
	case v == satisfiable:
		if cex := p.g.replay(h.values(at)); cex != nil {
			return p.refuted(Solution, cex), true
		}
		if d == exact {
			return fault("a solution of the circuit is none of the goal")
		}
	}
	reason := fmt.Sprintf("no answer after %d conflicts", run.Conflicts)
	return Result{Reason: reason}, d > common && len(h.words) == 0
}

func (p *prover) proved(m Method, run *search) Result {
	return Result{Status: Proved, Method: m, Certificate: &Certificate{Method: m, goal: p.g, run: run}}
}

func (p *prover) refuted(m Method, c *Counterexample) Result {
	return Result{Status: Refuted, Method: m, Counterexample: p.g.shrink(c)}
}

// sameAll reports that same holds for all pairs.
func (k *Kernel) sameAll(pairs [][2]*sem.Term) bool {
	for _, p := range pairs {
		if !k.same(p[0], p[1]) {
			return false
		}
	}
	return true
}

// same reports that two terms have one normal form, or that their difference
// is known to be 0.
func (k *Kernel) same(x, y *sem.Term) bool {
	p, q := k.Of(x), k.Of(y)
	return p == q || k.rangeOf(k.Sub(p, q)) == interval{}
}
