package ptxlower

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

// meet gives a goal that implies g, with terms that are the same where they are
// made alike. Operands of sums and products stand in one order, and a sum without
// its carry is the low bits of the sum with it, where Want has that:
// x + y modulo 2^w = (x + y) modulo 2^(w+1) modulo 2^w. And where a term
// of Got is equal to a product of words of Want, for all values of what both are
// made of, the product stands for it in all that follows: on sm_50 to sm_62 a
// product of words is made of products of halves, and the steps of a Montgomery
// multiplication are made of such products one after the other. Vectors say which
// terms may be equal; each pair is proved.
func (r *run) meet(b *sem.Builder, g prove.Goal) prove.Goal {
	m := meeting{b: b, with: map[*sem.Term]*sem.Term{}, number: map[*sem.Term]int{}, wide: map[*sem.Term]*sem.Term{}, learn: true}
	for _, t := range sem.Order(g.Want...) {
		m.make(t)
	}
	m.learn = false
	var products []*sem.Term
	for _, t := range sem.Order(g.Want...) {
		if n := m.make(t); n.Op == sem.OpMul && n.W == 32 && !halfProduct(n) {
			products = append(products, n)
		}
	}
	may := mayMeet(g, products)
	for _, t := range sem.Order(g.Got...) {
		if m.with[t] != nil {
			continue
		}
		n := m.make(t)
		for _, p := range may[t] {
			if n != p && r.sameAs(p, n) {
				m.with[t] = p
				break
			}
		}
	}
	out := g
	out.Want, out.Got = m.all(g.Want), m.all(g.Got)
	return out
}

// meeting makes terms anew, operands first.
type meeting struct {
	b      *sem.Builder
	with   map[*sem.Term]*sem.Term // what stands for a term
	number map[*sem.Term]int       // of those, in the order in which they were made
	wide   map[*sem.Term]*sem.Term // by a sum: the sum with its carry
	learn  bool                    // wide sums are noted
}

func (m *meeting) make(t *sem.Term) *sem.Term {
	n := t
	if t.N > 0 {
		var a [3]*sem.Term
		for i, x := range t.Args() {
			a[i] = m.with[x]
		}
		if (t.Op == sem.OpAdd || t.Op == sem.OpMul) && m.number[a[0]] > m.number[a[1]] {
			a[0], a[1] = a[1], a[0]
		}
		n = prove.Rebuild(m.b, t, a[0], a[1], a[2])
		if n.Op == sem.OpAdd {
			if sum := m.wide[n]; sum != nil {
				n = m.b.Bits(sum, n.W-1, 0)
			} else if n.W > 1 {
				if low := m.low(n, n.W-1); low != nil && m.learn {
					m.wide[low] = n
				}
			}
		}
	}
	m.with[t] = m.numbered(n)
	return n
}

func (m *meeting) numbered(n *sem.Term) *sem.Term {
	if _, ok := m.number[n]; !ok {
		m.number[n] = len(m.number)
	}
	return n
}

// low is the low w bits of a sum of extended values, as the sum of those modulo
// 2^w; nil where t is none.
func (m *meeting) low(t *sem.Term, w int) *sem.Term {
	switch {
	case t.Op == sem.OpZext && t.A[0].W <= w:
		return m.numbered(m.b.Zext(t.A[0], w))
	case t.Op != sem.OpAdd:
		return nil
	}
	x, y := m.low(t.A[0], w), m.low(t.A[1], w)
	if x == nil || y == nil {
		return nil
	}
	if m.number[x] > m.number[y] {
		x, y = y, x
	}
	return m.numbered(m.b.Add(x, y))
}

func (m *meeting) all(ts []*sem.Term) (out []*sem.Term) {
	for _, t := range ts {
		out = append(out, m.with[t])
	}
	return out
}

// mayMeet gives for each word of Got the products that are equal to it on
// vectors.
func mayMeet(g prove.Goal, products []*sem.Term) map[*sem.Term][]*sem.Term {
	if len(products) == 0 {
		return nil
	}
	var words []*sem.Term
	for _, t := range sem.Order(g.Got...) {
		if t.W == 32 {
			words = append(words, t)
		}
	}
	values := onVectors(g.Params, slices.Concat(products, words))
	like := map[sem.Val][]*sem.Term{}
	for i, t := range products {
		like[values[i]] = append(like[values[i]], t)
	}
	may := map[*sem.Term][]*sem.Term{}
	for i, t := range words {
		may[t] = like[values[len(products)+i]]
	}
	return may
}

// halfProduct reports a product of values of at most 16 bits.
func halfProduct(t *sem.Term) bool {
	x, y := t.A[0], t.A[1]
	return x.Op == sem.OpZext && x.A[0].W <= 16 || y.Op == sem.OpZext && y.A[0].W <= 16 || x.IsConst() || y.IsConst()
}

// sameAs proves that a product and a term are equal whatever those terms are of
// which the factors are words.
func (r *run) sameAs(p, t *sem.Term) bool {
	b := sem.NewBuilder()
	with := map[*sem.Term]*sem.Term{}
	g := prove.Goal{Name: "a product"}
	for i, x := range p.Args() {
		for x.Op == sem.OpExtract || x.Op == sem.OpZext {
			x = x.A[0]
		}
		if with[x] == nil {
			with[x] = b.Var(fmt.Sprintf("x%d", i), x.W)
			g.Params = append(g.Params, with[x])
		}
	}
	steps := 200 // the formula of a product is short
	var make func(t *sem.Term) *sem.Term
	make = func(t *sem.Term) *sem.Term {
		if n, ok := with[t]; ok {
			return n
		}
		if steps--; steps < 0 || t.Op == sem.OpVar {
			return nil
		}
		var a [3]*sem.Term
		for i, x := range t.Args() {
			if a[i] = make(x); a[i] == nil {
				return nil
			}
		}
		with[t] = prove.Rebuild(b, t, a[0], a[1], a[2])
		return with[t]
	}
	want, got := make(p), make(t)
	if want == nil || got == nil {
		return false
	}
	g.Want, g.Got = []*sem.Term{want}, []*sem.Term{got}
	return prove.Equal(g, prove.Options{Conflicts: -1, Cache: r.prover.cache}).Status == prove.Proved
}

// onVectors gives what terms of 32 bits are on four random vectors.
func onVectors(params, terms []*sem.Term) []sem.Val {
	const lanes = 4
	rnd := rand.New(rand.NewPCG(6, 28))
	cols := func(n int) []sem.Col {
		out := make([]sem.Col, n)
		for i := range out {
			out[i] = sem.Col{Lo: make([]uint64, lanes), Hi: make([]uint64, lanes)}
		}
		return out
	}
	in, out := cols(len(params)), cols(len(terms))
	for i, p := range params {
		for l := range lanes {
			v := sem.Val{Hi: rnd.Uint64(), Lo: rnd.Uint64()}.Cut(p.W)
			in[i].Lo[l], in[i].Hi[l] = v.Lo, v.Hi
		}
	}
	sem.Compile(params, terms...).Run(in, out)
	vals := make([]sem.Val, len(terms))
	for i, c := range out {
		vals[i] = sem.Val{Lo: c.Lo[0]<<32 | c.Lo[1], Hi: c.Lo[2]<<32 | c.Lo[3]}
	}
	return vals
}
