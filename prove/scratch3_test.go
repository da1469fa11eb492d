package prove

import (
	"fmt"
	"testing"

	"github.com/ptxlower/ptxlower/sem"
)

func TestOpen(t *testing.T) {
	b := sem.NewBuilder()
	a, bb, c := b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)
	tt := b.Add(b.Mul(b.Sext(a, 64), b.Sext(bb, 64)), b.Sext(c, 64))
	want := b.Bits(b.Clamp(tt, b.S(-1<<31, 64), b.S(1<<31-1, 64)), 31, 0)
	t3 := b.Add(b.Bits(tt, 63, 32), b.LshrK(b.Bits(tt, 31, 0), 31))
	got := b.Ite(b.Eq(t3, b.U(0, 32)), b.Bits(tt, 31, 0), b.Add(b.LshrK(t3, 31), b.U(0x7fffffff, 32)))
	g := Goal{Params: []*sem.Term{a, bb, c}, Want: []*sem.Term{want}, Got: []*sem.Term{got}}
	p := newProver(g, Options{})
	p.sampler = newSampler(p)
	p.sampler.plain()
	pairs := p.unequal()
	for _, d := range []depth{common, products} {
		h := newHybrid(p.k, &g, p.order, d)
		fmt.Println(h.simulate(p.sampler.values(p.order)))
		for _, w := range h.words {
			fmt.Println(w.t, w.signed, w.rng)
		}
		fmt.Println("facts", len(h.facts), h.ties, h.shared)
		run := &search{}
		v, env, err := h.decide(run, h.differ(pairs), 20000, nil)
		fmt.Println(v, err, env, *run)
		if v == satisfiable {
			fmt.Println(g.replay(env))
		}
	}
}
