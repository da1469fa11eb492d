package prove

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/sem"
)

// A lab has small variables and all their values, so that what a rule says can
// be looked at for every one of them.
type lab struct {
	k    *Kernel
	vars []*sem.Term
	ps   []*Poly // the variables
	envs []map[string]sem.Val
}

// newLab has two 2-bit and two 1-bit variables.
func newLab() *lab {
	b := sem.NewBuilder()
	l := &lab{k: newKernel()}
	total := 0
	for i, w := range []int{2, 2, 1, 1} {
		v := b.Var(string(rune('a'+i)), w)
		l.vars, l.ps = append(l.vars, v), append(l.ps, l.k.Of(v))
		total += w
	}
	for n := range 1 << total {
		env := map[string]sem.Val{}
		for _, v := range l.vars {
			env[v.Name] = sem.U(uint64(n)).Cut(v.W)
			n >>= v.W
		}
		l.envs = append(l.envs, env)
	}
	return l
}

// random is a polynomial with up to four summands, sometimes with floors in it.
func (l *lab) random(r *rand.Rand) *Poly {
	k := l.k
	p := k.constant(small(int64(r.IntN(41) - 20)))
	for range 1 + r.IntN(3) {
		m := k.constant(small(int64(r.IntN(33) - 16)))
		for range 1 + r.IntN(2) {
			x := l.ps[r.IntN(len(l.ps))]
			if r.IntN(3) == 0 {
				// A floor as it is, without rules: Floor of it may use any.
				y := k.Add(k.scale(l.ps[r.IntN(2)], small(int64(2*r.IntN(8)+1))), k.scale(l.ps[2+r.IntN(2)], small(int64(r.IntN(9)+1))))
				x = k.floorOf(k.Sub(y, k.constant(small(int64(r.IntN(16))))), uint(1+r.IntN(3)))
			}
			m = k.Mul(m, x)
		}
		p = k.Add(p, m)
	}
	return p
}

// each calls f with the value of each polynomial, for all values of the
// variables.
func (l *lab) each(f func(at func(p *Poly) *big.Int)) {
	for _, env := range l.envs {
		vals := l.k.values(env)
		f(func(p *Poly) *big.Int { return l.k.evalAt(p, vals) })
	}
}

// lessons is how many random polynomials each rule is shown.
const lessons = 300

func floorBig(x *big.Int, n uint) *big.Int { return new(big.Int).Rsh(x, n) }

// rule shows a rule random polynomials and exponents; say reports whether it
// applied and, if so, has checked what it says. It must apply often enough.
func rule(t *testing.T, want int, say func(l *lab, p *Poly, n uint) bool) {
	r, l, used := rng(t), newLab(), 0
	for i := range lessons {
		if i%10 == 0 {
			l = newLab()
		}
		if say(l, l.random(r), uint(1+r.IntN(6))) {
			used++
		}
	}
	require.GreaterOrEqual(t, used, want, "the rule hardly applies")
}

func (l *lab) sameFloor(t *testing.T, p *Poly, n uint, q *Poly, m uint) {
	l.each(func(at func(*Poly) *big.Int) {
		require.Zero(t, floorBig(at(p), n).Cmp(floorBig(at(q), m)), "%v / 2^%d, %v / 2^%d", l.text(p), n, l.text(q), m)
	})
}

func (l *lab) text(p *Poly) []string {
	s, where := l.k.Text(p)
	return append(where, s)
}

func TestRule1AFloorOfANarrowRangeIsItsOnlyValue(t *testing.T) {
	rule(t, 20, func(l *lab, p *Poly, n uint) bool {
		m, ok := l.k.constantFloor(p, n)
		if ok {
			l.each(func(at func(*Poly) *big.Int) { require.Zero(t, m.Big().Cmp(floorBig(at(p), n))) })
		}
		return ok
	})
}

func TestRule2ASmallNumberHasTheSameFloorForEveryLargeDivisor(t *testing.T) {
	rule(t, 20, func(l *lab, p *Poly, n uint) bool {
		m := l.k.narrow(p, n+4)
		l.sameFloor(t, p, n+4, p, m)
		return m < n+4
	})
}

func TestRule3MultiplesLeaveTheFloor(t *testing.T) {
	rule(t, 100, func(l *lab, p *Poly, n uint) bool {
		x, y := l.k.split(p, n)
		if x == nil {
			return false
		}
		l.each(func(at func(*Poly) *big.Int) {
			got := new(big.Int).Add(at(x), floorBig(at(y), n))
			require.Zero(t, floorBig(at(p), n).Cmp(got))
		})
		half := int64(1) << (n - 1)
		for _, c := range y.cells {
			require.True(t, c.m == 0 && c.c.v >= 0 && c.c.v < 2*half || c.m != 0 && -half < c.c.v && c.c.v <= half)
		}
		return true
	})
}

func TestRule4WhatIsBelowADigitAndDoesNotCarryIsDropped(t *testing.T) {
	rule(t, 20, func(l *lab, p *Poly, n uint) bool {
		q, ok := l.k.dropLow(p, n)
		if ok {
			l.sameFloor(t, p, n, q, n)
		}
		return ok
	})
}

func TestRule5CommonFactorsCancel(t *testing.T) {
	rule(t, 20, func(l *lab, p *Poly, n uint) bool {
		p = l.k.Shl(p, n/2)
		q, i := l.k.cancel(p, n)
		l.sameFloor(t, p, n, q, n-i)
		return i > 0
	})
}

func TestRule6NestedFloorsMerge(t *testing.T) {
	rule(t, 100, func(l *lab, p *Poly, n uint) bool {
		f := l.k.floorOf(l.k.Add(l.k.scale(l.ps[0], small(3)), p), 2)
		if p = l.k.Shl(p, 1); n%2 == 0 {
			p = l.k.Add(p, f)
		} else {
			p = l.k.Sub(p, f)
		}
		q, m, ok := l.k.merge(p, n)
		if ok {
			l.sameFloor(t, p, n, q, m)
		}
		return ok
	})
}

func TestRule7AFloorOfABitIsLinearInIt(t *testing.T) {
	rule(t, lessons, func(l *lab, p *Poly, n uint) bool {
		c, _ := l.k.constantFloor(p, 0)
		b := l.k.Mul(l.ps[2], l.ps[3])
		p = l.k.Add(l.k.scale(b, c.add(small(1)).add(c).abs().add(small(1))), l.k.constant(c))
		f, ok := l.k.bitFloor(p, n)
		require.True(t, ok)
		l.each(func(at func(*Poly) *big.Int) { require.Zero(t, at(f).Cmp(floorBig(at(p), n))) })
		return true
	})
	l := newLab()
	_, ok := l.k.bitFloor(l.ps[0], 1)
	require.False(t, ok, "two bits are not one")
}

func TestRule8ABitSquaredIsTheBit(t *testing.T) {
	l := newLab()
	require.Same(t, l.ps[2], l.k.Mul(l.ps[2], l.ps[2]))
	require.NotSame(t, l.ps[0], l.k.Mul(l.ps[0], l.ps[0]))
	r := rng(t)
	for range lessons / 3 {
		l = newLab()
		p, q := l.random(r), l.random(r)
		pq := l.k.Mul(p, q)
		l.each(func(at func(*Poly) *big.Int) { require.Zero(t, new(big.Int).Mul(at(p), at(q)).Cmp(at(pq))) })
	}
}

func TestRule9ValuesLieInTheirRange(t *testing.T) {
	exact := 0
	rule(t, lessons, func(l *lab, p *Poly, n uint) bool {
		if n > 3 { // a rest: what rule 9 looks through floors for
			p = l.k.Sub(p, l.k.Shl(l.k.floorOf(p, n), n))
		}
		r := l.k.rangeOf(p)
		least, most := (*big.Int)(nil), (*big.Int)(nil)
		l.each(func(at func(*Poly) *big.Int) {
			v := at(p)
			if least == nil || v.Cmp(least) < 0 {
				least = v
			}
			if most == nil || v.Cmp(most) > 0 {
				most = v
			}
		})
		require.LessOrEqual(t, r.lo.Big().Cmp(least), 0, "%v", l.text(p))
		require.GreaterOrEqual(t, r.hi.Big().Cmp(most), 0, "%v", l.text(p))
		if r.lo.Big().Cmp(least) == 0 && r.hi.Big().Cmp(most) == 0 {
			exact++
		}
		return true
	})
	require.Greater(t, exact, lessons/4, "ranges are hardly ever exact")
}

func TestRule10AFloorIsMinusTheFloorOfTheFlipped(t *testing.T) {
	rule(t, lessons, func(l *lab, p *Poly, n uint) bool {
		q := l.k.flip(p, n)
		l.each(func(at func(*Poly) *big.Int) {
			require.Zero(t, floorBig(at(p), n).Cmp(new(big.Int).Neg(floorBig(at(q), n))))
		})
		return true
	})
}

func TestRule11RoundedQuotientsAreFloors(t *testing.T) {
	rule(t, 100, func(l *lab, p *Poly, n uint) bool {
		y := l.k.Add(p, l.k.scale(l.ps[0], small(3)))
		x := l.k.linear(p, small(int64(n%3)), l.k.Floor(y, n), small(int64(n%2)*2-1))
		bit := l.k.Wrap(l.k.Floor(y, n-1), 1) // the one below the high part
		x = l.k.Add(x, l.k.scale(bit, small(int64(n%2)*2-1)))
		q := l.k.round(x)
		l.each(func(at func(*Poly) *big.Int) { require.Zero(t, at(q).Cmp(at(x)), "%v %v", l.text(x), l.text(q)) })
		return q != x
	})
}

func TestZerosOfFloorsAreComparisons(t *testing.T) {
	rule(t, 100, func(l *lab, p *Poly, n uint) bool {
		q := l.k.Add(l.k.floorOf(l.k.Add(l.k.scale(l.ps[0], small(3)), p), n), l.ps[1])
		z := l.k.Zero(q)
		l.each(func(at func(*Poly) *big.Int) { require.Equal(t, at(q).Sign() == 0, at(z).Sign() == 1, "%v", l.text(q)) })
		return true
	})
}

func TestFloorAndWhatIsMadeOfIt(t *testing.T) {
	canonical := 0
	rule(t, lessons, func(l *lab, p *Poly, n uint) bool {
		k := l.k
		f, w := k.Floor(p, n), k.Wrap(p, n)
		s, z := k.Signed(w, n), k.Zero(p)
		q := k.Sub(k.scale(l.ps[1], small(3)), k.constant(small(5)))
		less := k.Less(p, q)
		minus := k.Floor(k.Sub(k.constant(ones(n)), p), n) // rule 10, read backwards
		mod := new(big.Int).Lsh(big.NewInt(1), n)
		half := new(big.Int).Rsh(mod, 1)
		if f == k.scale(minus, small(-1)) {
			canonical++
		}
		l.each(func(at func(*Poly) *big.Int) {
			v := at(p)
			require.Zero(t, floorBig(v, n).Cmp(at(f)), "%v", l.text(p))
			rest := new(big.Int).Mod(v, mod)
			require.Zero(t, rest.Cmp(at(w)))
			if rest.Cmp(half) >= 0 {
				rest.Sub(rest, mod)
			}
			require.Zero(t, rest.Cmp(at(s)))
			require.Equal(t, v.Sign() == 0, at(z).Sign() == 1, "%v", l.text(p))
			require.Equal(t, v.Cmp(at(q)) < 0, at(less).Sign() == 1)
		})
		return true
	})
	require.Greater(t, canonical, lessons*3/4, "equal floors have different forms")
}
