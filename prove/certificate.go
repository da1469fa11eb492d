package prove

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// Certificate says how a goal was proved. It is small; what there is to read is
// made on demand, by proving the goal again where another proof was used.
type Certificate struct {
	Method Method
	goal   Goal
	run    *search
}

// Explanation is a proof for readers.
type Explanation struct {
	Method  Method
	Results []Forms  // one for each result
	Where   []string // "q1 = …": what the forms leave out
	Notes   []string // what was done where the normal forms differ
}

// Forms are the normal forms of both sides as exact integer polynomials: the
// same where that is the proof. Where one is too long to be read, the term
// stands for it.
type Forms struct{ Want, Got string }

// Explain gives the proof in readable algebra.
func (c *Certificate) Explain() Explanation {
	p := newProver(c.goal, Options{})
	pr := newPrinter(p.k)
	e := Explanation{Method: c.Method}
	for i, t := range c.goal.Want {
		if u := c.goal.Got[i]; p.k.same(t, u) {
			f := pr.form(t, 800)
			e.Results = append(e.Results, Forms{f, f})
		} else {
			e.Results = append(e.Results, Forms{pr.form(t, 160), pr.form(u, 160)})
		}
	}
	run := c.run
	if (run == nil || run.Known) && c.Method != Identical && c.Method != Polynomial {
		if again := p.run().Certificate; again != nil {
			run = again.run
		}
	}
	if run != nil {
		e.Notes = run.notes(pr)
	}
	e.Where = pr.where
	return e
}

func (e Explanation) String() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "proved: %s\n", e.Method)
	for i, f := range e.Results {
		name := "result"
		if len(e.Results) > 1 {
			name = fmt.Sprintf("result %d", i)
		}
		if f.Want == f.Got {
			fmt.Fprintf(&sb, "%s, both sides:\n  %s\n", name, f.Want)
			continue
		}
		fmt.Fprintf(&sb, "%s, wanted:\n  %s\n%s, computed:\n  %s\n", name, f.Want, name, f.Got)
	}
	if len(e.Where) > 0 {
		fmt.Fprintf(&sb, "where\n  %s\n", strings.Join(e.Where, "\n  "))
	}
	for _, n := range e.Notes {
		sb.WriteString(n + "\n")
	}
	return sb.String()
}

// String is the explanation.
func (c *Certificate) String() string { return c.Explain().String() }

// notes says what was asked of the circuit.
func (s *search) notes(pr *printer) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.Cases > 0 {
		add("the normal forms are equal in each of %d cases of the comparisons", s.Cases)
		return out
	}
	if s.Shared > 0 {
		add("%d terms share the bits of terms of equal normal form", s.Shared)
	}
	for _, w := range s.Words {
		add("unknown word in %s ... %s: %s", coefSigned(w.rng.lo), coefSigned(w.rng.hi), sem.Doc(w.t))
	}
	if s.Ties > 0 {
		add("%d bits are tied to those of terms of equal normal form", s.Ties)
	}
	if s.Clauses > 0 {
		add("no solution: %d gates, %d clauses, %d conflicts; refutation of %d steps replayed", s.Gates, s.Clauses, s.Conflicts, s.Steps)
	}
	return out
}

func coefSigned(c num) string {
	if c.sign() < 0 {
		return "-" + coefText(c.neg())
	}
	return coefText(c)
}
