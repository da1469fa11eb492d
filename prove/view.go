package prove

import (
	"math/big"
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// Polynomials gives the normal forms of terms and the Kernel that has them: the
// unsigned value of each as an exact integer polynomial.
func Polynomials(terms ...*sem.Term) (*Kernel, []*Poly) {
	k := NewKernel(terms...)
	ps := make([]*Poly, len(terms))
	for i, t := range terms {
		ps[i] = k.Of(t)
	}
	return k, ps
}

// Summand is one of a polynomial's: Coef times the product of Atoms; without
// atoms it is the constant.
type Summand struct {
	Coef  *big.Int
	Atoms []Atom // an atom to a higher power stands repeatedly
}

// AtomKind says what an Atom is.
type AtomKind uint8

// The kinds of atoms.
const (
	Slice    AtomKind = iota // bits Lo … Lo+Bits−1 of the variable Term
	Floor                    // floor(Of / 2^Shift)
	Negative                 // 1 where Of < 0, else 0
	IsZero                   // 1 where Of = 0, else 0
	Opaque                   // the value of Term
)

// Atom is what polynomials are made of. Atoms of one Kernel are comparable.
type Atom struct {
	Kind     AtomKind
	Term     *sem.Term // Slice, Opaque
	Lo, Bits int       // Slice
	Of       *Poly     // Floor, Negative, IsZero
	Shift    uint      // Floor
}

// Summands lists p's summands, in the order in which k met their monomials.
func (k *Kernel) Summands(p *Poly) []Summand {
	out := make([]Summand, len(p.cells))
	for i, c := range p.cells {
		out[i].Coef = c.c.Big()
		for _, a := range k.monos[c.m].atoms {
			out[i].Atoms = append(out[i].Atoms, k.atom(a))
		}
	}
	return out
}

func (k *Kernel) atom(i int32) Atom {
	a := &k.atoms[i]
	switch a.kind {
	case sliceAtom:
		return Atom{Kind: Slice, Term: a.term, Lo: a.lo, Bits: a.n}
	case floorAtom:
		return Atom{Kind: Floor, Of: a.p, Shift: a.k}
	case signAtom:
		return Atom{Kind: Negative, Of: a.p}
	case zeroAtom:
		return Atom{Kind: IsZero, Of: a.p}
	}
	return Atom{Kind: Opaque, Term: a.term}
}

// Range bounds p: lo ≤ p ≤ hi for all values of the variables.
func (k *Kernel) Range(p *Poly) (lo, hi *big.Int) {
	r := k.rangeOf(p)
	return r.lo.Big(), r.hi.Big()
}

// Const is the value of a polynomial without atoms.
func (p *Poly) Const() (*big.Int, bool) {
	c, ok := p.isConst()
	return c.Big(), ok
}

// Eval is the value of p where env gives those of the variables.
func (k *Kernel) Eval(p *Poly, env map[string]sem.Val) *big.Int {
	return k.evalAt(p, k.values(env))
}

// values are those of all atoms.
func (k *Kernel) values(env map[string]sem.Val) []*big.Int {
	out := make([]*big.Int, len(k.atoms))
	for i, a := range k.atoms {
		v := new(big.Int)
		switch a.kind {
		case sliceAtom:
			v = toBig(env[a.term.Name].Cut(a.term.W).Shr(uint64(a.lo)).Cut(a.n))
		case floorAtom:
			v.Rsh(k.evalAt(a.p, out), a.k)
		case signAtom:
			v.Neg(v.Rsh(k.evalAt(a.p, out), a.k))
		case zeroAtom:
			if k.evalAt(a.p, out).Sign() == 0 {
				v.SetInt64(1)
			}
		case opaqueAtom:
			v = toBig(sem.Eval(a.term, env))
		}
		out[i] = v
	}
	return out
}

func (k *Kernel) evalAt(p *Poly, atoms []*big.Int) *big.Int {
	sum, x, s := new(big.Int), new(big.Int), new(big.Int)
	for _, c := range p.cells {
		x.Set(c.c.bigInt(s))
		for _, i := range k.monos[c.m].atoms {
			x.Mul(x, atoms[i])
		}
		sum.Add(sum, x)
	}
	return sum
}

// sorted are p's summands as they are printed: small coefficients first, the
// constant last.
func (k *Kernel) sorted(p *Poly) []cell {
	cs := slices.Clone(p.cells)
	slices.SortStableFunc(cs, func(a, b cell) int {
		if a.m == 0 || b.m == 0 {
			return int(b.m) - int(a.m)
		}
		return a.c.abs().cmp(b.c.abs())
	})
	return cs
}
