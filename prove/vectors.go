package prove

import (
	"math/big"
	"math/rand/v2"

	"github.com/ptxlower/ptxlower/sem"
)

// sampler tries a goal on vectors.
type sampler struct {
	p    *prover
	r    *rand.Rand
	cols []sem.Col // a parameter each
	live []int     // lanes for which the assumptions hold
}

func newSampler(p *prover) *sampler {
	return &sampler{p: p, r: rand.New(rand.NewPCG(p.opt.Seed, 0x9e3779b97f4a7c15))}
}

// plain tries corners, edge-biased and random values; it also gives the number
// of vectors for which the assumptions hold.
func (s *sampler) plain() (*Counterexample, int) {
	params := s.p.g.Params
	corners := 1
	for range params {
		if corners *= numCorners; corners > maxCorners {
			break
		}
	}
	lanes := s.p.opt.lanes() + min(corners, maxCorners)
	s.cols = newCols(params, lanes)
	for l := range lanes {
		n := l
		for i, v := range params {
			var x sem.Val
			switch {
			case l < corners && corners <= maxCorners: // all of them
				x = corner(n%numCorners, v.W)
				n /= numCorners
			case l < maxCorners:
				x = corner(s.r.IntN(numCorners), v.W)
			default:
				x = edgy(s.r, v.W)
			}
			put(s.cols[i], l, s.within(v, x))
		}
	}
	cex, live := s.p.g.try(s.cols, lanes)
	s.live = live
	return cex, len(live)
}

const (
	numCorners = 5
	maxCorners = 625 // of four variables
)

// corner is 0, 1, −1 or an end of the signed range, of w bits.
func corner(i, w int) sem.Val {
	top := sem.U(1).Shl(uint64(w - 1))
	return [numCorners]sem.Val{{}, sem.U(1), sem.S(-1).Cut(w), top, top.Sub(sem.U(1))}[i]
}

// edgy is a random value of w bits, a third of them small, powers of two and
// their neighbours.
func edgy(r *rand.Rand, w int) sem.Val {
	v := sem.Val{Hi: r.Uint64(), Lo: r.Uint64()}
	if k := r.IntN(12); k < 4 {
		p := sem.U(1).Shl(uint64(r.IntN(w)))
		switch k {
		case 0:
			v = sem.S(int64(r.IntN(5) - 2))
		case 1:
			v = p
		case 2:
			v = p.Sub(sem.U(1))
		case 3:
			v = sem.Val{}.Sub(p).Add(sem.S(int64(r.IntN(3) - 1)))
		}
	}
	return v.Cut(w)
}

// within moves a value into what is known of its variable.
func (s *sampler) within(t *sem.Term, v sem.Val) sem.Val {
	f := s.p.k.known[t]
	if f == nil {
		return v
	}
	r, x := f.u, fromVal(v)
	if f.s.lo.sign() < 0 && f.s.size().cmp(f.u.size()) < 0 {
		r, x = f.s, signedVal(v, t.W)
	}
	if point(x).within(r) {
		return v
	}
	n := r.hi.sub(r.lo).add(small(1)).Big()
	y := new(big.Int).Mod(x.sub(r.lo).Big(), n)
	y.Add(y, r.lo.Big())
	return toVal(fromBig(y), t.W)
}

// toVal is x modulo 2^w.
func toVal(x num, w int) sem.Val {
	m := x.mod(uint(w)).Big()
	lo := new(big.Int).And(m, new(big.Int).SetUint64(^uint64(0))).Uint64()
	return sem.Val{Hi: m.Rsh(m, 64).Uint64(), Lo: lo}
}

// Directed search makes this many vectors this many times.
const (
	directedLanes  = 256
	directedRounds = 4
)

// directed looks for vectors at which a comparison x < y or x = y is at its
// edge, because there a clamp sets in or a carry comes, which random vectors
// miss. From a vector it makes one step of Newton's method in one variable,
// with the slope measured over a power of two; where the variable is a summand
// or a factor of x − y, that leaves a difference of little. Later rounds go on
// from there with other variables.
func (s *sampler) directed() *Counterexample {
	g := &s.p.g
	var sides []*sem.Term
	for _, t := range s.p.order {
		if t.Op == sem.OpEq || t.Op == sem.OpUlt || t.Op == sem.OpSlt {
			sides = append(sides, t.A[0], t.A[1])
		}
	}
	if len(sides) == 0 || len(g.Params) == 0 {
		return nil
	}
	prog := sem.Compile(g.Params, sides...)
	from := newCols(g.Params, directedLanes)
	for l := range directedLanes {
		live := s.live[s.r.IntN(len(s.live))]
		for j := range g.Params {
			put(from[j], l, at(s.cols[j], live))
		}
	}
	for range directedRounds {
		near := newCols(g.Params, directedLanes)
		next := newCols(g.Params, directedLanes)
		target := make([]int, directedLanes)
		reach := make([]int, directedLanes)
		for l := range directedLanes {
			target[l] = s.r.IntN(len(g.Params))
			w := g.Params[target[l]].W
			reach[l] = s.r.IntN(max(1, w-1))
			for j, v := range g.Params {
				x := at(from[j], l)
				put(next[j], l, x)
				if j == target[l] {
					x = x.Add(sem.U(1).Shl(uint64(reach[l]))).Cut(v.W)
				}
				put(near[j], l, x)
			}
		}
		here, there := newCols(sides, directedLanes), newCols(sides, directedLanes)
		prog.Run(from, here)
		prog.Run(near, there)
		for l := range directedLanes {
			i := 2 * s.r.IntN(len(sides)/2)
			w := sides[i].W
			diff := signedVal(at(here[i], l).Sub(at(here[i+1], l)).Cut(w), w)
			rise := signedVal(at(there[i], l).Sub(at(there[i+1], l)).Cut(w), w).sub(diff)
			if rise.isZero() {
				continue
			}
			step := new(big.Int).Quo(diff.shl(uint(reach[l])).Big(), rise.Big())
			v, c := g.Params[target[l]], next[target[l]]
			x := fromVal(at(c, l)).sub(fromBig(step)).add(small(int64(s.r.IntN(3) - 1)))
			put(c, l, s.within(v, toVal(x, v.W)))
		}
		if cex, _ := g.try(next, directedLanes); cex != nil {
			return cex
		}
		from = next
	}
	return nil
}

// values gives the values of terms on vectors for which the assumptions and the
// claims hold.
func (s *sampler) values(ts []*sem.Term, under []claim) ([]sem.Col, int) {
	live := s.live
	if len(under) > 0 {
		live = s.meeting(under)
	}
	lanes := min(len(live), 128)
	in := newCols(s.p.g.Params, lanes)
	for i, c := range in {
		for l := range lanes { // from all over
			put(c, l, at(s.cols[i], live[l*len(live)/lanes]))
		}
	}
	out := newCols(ts, lanes)
	sem.Compile(s.p.g.Params, ts...).Run(in, out)
	return out, lanes
}

// meeting lists the vectors for which claims hold, too.
func (s *sampler) meeting(under []claim) []int {
	var ts []*sem.Term
	for _, c := range under {
		ts = append(ts, c.t)
	}
	out := newCols(ts, len(s.cols[0].Lo))
	sem.Compile(s.p.g.Params, ts...).Run(s.cols, out)
	var live []int
next:
	for _, l := range s.live {
		for i, c := range under {
			if (out[i].Lo[l] == 1) != c.is {
				continue next
			}
		}
		live = append(live, l)
	}
	return live
}

// try evaluates the goal on vectors. It gives the first difference, nil if
// there is none, and the lanes for which the assumptions hold.
func (g *Goal) try(in []sem.Col, lanes int) (*Counterexample, []int) {
	roots := g.roots()
	out := newCols(roots, lanes)
	sem.Compile(g.Params, roots...).Run(in, out)
	n := len(g.Want)
	var live []int
next:
	for l := range lanes {
		for i := range g.Assume {
			if out[2*n+i].Lo[l] == 0 {
				continue next
			}
		}
		live = append(live, l)
		for i := range g.Want {
			if at(out[i], l) != at(out[n+i], l) {
				env := map[string]sem.Val{}
				for j, v := range g.Params {
					env[v.Name] = at(in[j], l)
				}
				if c := g.replay(env); c != nil {
					return c, live
				}
			}
		}
	}
	return nil, live
}

func newCol(w, lanes int) sem.Col {
	c := sem.Col{Lo: make([]uint64, lanes)}
	if w > 64 {
		c.Hi = make([]uint64, lanes)
	}
	return c
}

func newCols(ts []*sem.Term, lanes int) []sem.Col {
	out := make([]sem.Col, len(ts))
	for i, t := range ts {
		out[i] = newCol(t.W, lanes)
	}
	return out
}

func at(c sem.Col, l int) sem.Val {
	if c.Hi == nil {
		return sem.U(c.Lo[l])
	}
	return sem.Val{Hi: c.Hi[l], Lo: c.Lo[l]}
}

func put(c sem.Col, l int, v sem.Val) {
	c.Lo[l] = v.Lo
	if c.Hi != nil {
		c.Hi[l] = v.Hi
	}
}
