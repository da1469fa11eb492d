package prove

// Trusted, simulated: the cases of shift counts.

import (
	"math/bits"
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// maxCubes limits the number of cases.
const maxCubes = 6000

// cube fixes some bits of variables.
type cube map[variableBit]lit

type variableBit struct {
	v   *sem.Term
	bit int
}

// counts proves the pairs in each case of what the shifts by variables shift
// by, as circuits: with counts known, shifts only move bits, and most circuits
// are equal as they are. It gives the number of cases, 0 where that fails.
func (p *prover) counts(pairs [][2]*sem.Term) (int, error) {
	vars, width := p.counted()
	if len(vars) == 0 {
		return 0, nil
	}
	cubes := []cube{{}}
	for _, bs := range vars {
		var next []cube
		for _, q := range cubes {
			for _, r := range cover(bs, bits.Len(uint(width-1))) {
				for b, l := range q {
					r[b] = l
				}
				next = append(next, r)
			}
		}
		if cubes = next; len(cubes) > maxCubes {
			return 0, nil
		}
	}
	for _, q := range cubes {
		if ok, err := p.inCube(pairs, q); !ok || err != nil {
			return 0, err
		}
	}
	return len(cubes), nil
}

// counted lists the bits of variables that shift counts are made of, the
// highest of each variable first, and the greatest width that is shifted. It
// gives none for a goal with products.
func (p *prover) counted() (vars [][]variableBit, width int) {
	var all []variableBit
	for _, t := range p.order {
		switch t.Op {
		case sem.OpMul:
			return nil, 0
		case sem.OpShl, sem.OpLshr, sem.OpAshr:
		default:
			continue
		}
		width = max(width, t.W)
		for _, c := range p.k.Of(t.A[1]).cells {
			for _, i := range p.k.monos[c.m].atoms {
				a := &p.k.atoms[i]
				if a.kind != sliceAtom {
					continue
				}
				for j := range a.n {
					if b := (variableBit{a.term, a.lo + j}); !slices.Contains(all, b) {
						all = append(all, b)
					}
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b variableBit) int {
		if a.v != b.v {
			return a.v.ID - b.v.ID
		}
		return b.bit - a.bit
	})
	for i, b := range all {
		if i == 0 || all[i-1].v != b.v {
			vars = append(vars, nil)
		}
		vars[len(vars)-1] = append(vars[len(vars)-1], b)
	}
	return vars, width
}

// cover gives cubes that have all values of the bits, given from the highest
// down: for each bit that counts 2^m or more, those values in which it is the
// highest of these that is set; and each value with none of them set.
func cover(bs []variableBit, m int) []cube {
	var out []cube
	zero := cube{}
	for len(bs) > 0 && bs[0].bit >= m {
		q := cube{bs[0]: yes}
		for b := range zero {
			q[b] = no
		}
		out = append(out, q)
		zero[bs[0]] = no
		bs = bs[1:]
	}
	for v := range 1 << len(bs) {
		q := cube{}
		for b := range zero {
			q[b] = no
		}
		for i, b := range bs {
			q[b] = lit(v >> i & 1)
		}
		out = append(out, q)
	}
	return out
}

// inCube proves the pairs where variables have the bits of the cube.
func (p *prover) inCube(pairs [][2]*sem.Term, q cube) (bool, error) {
	c := newCircuit()
	all := make(map[*sem.Term][]lit, len(p.order))
	for _, t := range p.order {
		var x [3][]lit
		for i, a := range t.Args() {
			x[i] = all[a]
		}
		all[t] = c.blast(t, x[0], x[1], x[2])
		if t.Op == sem.OpVar {
			for i := range all[t] {
				if l, ok := q[variableBit{t, i}]; ok {
					all[t][i] = l
				}
			}
		}
	}
	roots := []lit{c.differ(all, pairs)}
	if roots[0] == no {
		return true, nil
	}
	for _, t := range p.g.Assume {
		roots = append(roots, all[t][0])
	}
	v, _, err := c.decide(&search{}, roots, 500, p.opt.Cache)
	return v == unsatisfiable, err
}
