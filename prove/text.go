package prove

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/sem"
)

// printer writes polynomials as algebra: + - * ^ on exact integers, x<hi..lo>
// for bits of a variable, floor(P / 2^k), and [P = 0], [P < 0] and [P > 0] for 1
// where that holds and 0 elsewhere. What is long gets a name and a line of its own.
type printer struct {
	k     *Kernel
	names map[int32]string // of atoms
	where []string         // "q1 = floor(…)", in the order of first use
}

// form is the normal form of t, or t itself where the form is longer than max.
func (pr *printer) form(t *sem.Term, max int) string {
	try := &printer{k: pr.k, names: maps.Clone(pr.names), where: slices.Clone(pr.where)}
	s := try.poly(pr.k.Of(t))
	long := len(s)
	for _, w := range try.where[len(pr.where):] {
		long += len(w)
	}
	if long > max {
		return sem.Doc(t)
	}
	*pr = *try
	return s
}

func newPrinter(k *Kernel) *printer { return &printer{k: k, names: map[int32]string{}} }

// Text is p as algebra; where defines the names that it uses.
func (k *Kernel) Text(p *Poly) (text string, where []string) {
	pr := newPrinter(k)
	return pr.poly(p), pr.where
}

func (pr *printer) poly(p *Poly) string {
	cs := pr.k.sorted(p)
	if len(cs) == 0 {
		return "0"
	}
	var sb strings.Builder
	for i, c := range cs {
		sign := " + "
		if c.c.sign() < 0 {
			sign = " - "
		}
		switch {
		case i > 0:
			sb.WriteString(sign)
		case c.c.sign() < 0:
			sb.WriteString("-")
		}
		coef := coefText(c.c.abs())
		var fs []string
		if coef != "1" || c.m == 0 {
			fs = append(fs, coef)
		}
		for _, a := range pr.k.monos[c.m].atoms {
			fs = append(fs, pr.atom(a))
		}
		sb.WriteString(strings.Join(fs, "*"))
	}
	return sb.String()
}

// coefText writes numbers near large powers of two as such.
func coefText(c num) string {
	if e := c.bitLen(); e > 8 {
		switch {
		case c.equal(pow2(uint(e - 1))):
			return fmt.Sprintf("2^%d", e-1)
		case c.equal(ones(uint(e))):
			return fmt.Sprintf("(2^%d - 1)", e)
		}
	}
	return c.String()
}

// maxInline is the length of an atom up to which it gets no name.
const maxInline = 40

func (pr *printer) atom(i int32) string {
	if n, ok := pr.names[i]; ok {
		return n
	}
	a := &pr.k.atoms[i]
	var s string
	switch a.kind {
	case sliceAtom:
		s = a.term.Name
		if a.n < a.term.W {
			s = fmt.Sprintf("%s<%d..%d>", s, a.lo+a.n-1, a.lo)
		}
		if a.n == 1 && a.term.W > 1 {
			s = fmt.Sprintf("%s<%d>", a.term.Name, a.lo)
		}
	case floorAtom:
		if q, ok := pr.k.positive(a); ok {
			s = "[" + pr.poly(q) + " > 0]"
			break
		}
		s = "(" + pr.poly(a.p) + ")"
		if len(a.p.cells) == 1 && a.p.cells[0].c.sign() > 0 {
			s = pr.poly(a.p)
		}
		s = "floor(" + s + " / " + coefText(pow2(a.k)) + ")"
	case signAtom:
		s = "[" + pr.poly(a.p) + " < 0]"
	case zeroAtom:
		s = "[" + pr.poly(a.p) + " = 0]"
	case opaqueAtom:
		s = "(" + sem.Doc(a.term) + ")"
	}
	if len(s) > maxInline {
		name := pr.fresh()
		pr.where = append(pr.where, name+" = "+s)
		s = name
	}
	pr.names[i] = s
	return s
}

// positive is Q where a = floor((Q + 2^n − 1) / 2^n) is a bit: [Q > 0]. It is
// given where that is shorter.
func (k *Kernel) positive(a *atom) (*Poly, bool) {
	cs := a.p.cells
	if !a.rng.isBit() || len(cs) == 0 || cs[0].m != 0 || cs[0].c.cmp(pow2(a.k-1)) <= 0 {
		return nil, false
	}
	return k.Sub(a.p, k.constant(ones(a.k))), true
}

// fresh is a name that no variable has.
func (pr *printer) fresh() string {
	for n := len(pr.where) + 1; ; n++ {
		name := fmt.Sprintf("q%d", n)
		taken := false
		for _, a := range pr.k.atoms {
			taken = taken || a.term != nil && a.term.Name == name
		}
		if !taken {
			return name
		}
	}
}
