package rechain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
)

// tried is how many vectors a new text is run on before it is used.
const tried = 64

// evaluator computes operations of one block as terms; what is not among them is a
// variable.
type evaluator struct {
	b    *sem.Builder
	m    func(v *ir.Value) *sem.Term // variables
	term map[*ir.Value]*sem.Term
	outs map[*ir.Value][]*sem.Term
}

func (e *evaluator) at(v *ir.Value) *sem.Term {
	switch v.Op {
	case ir.Const, ir.Undef:
		return e.b.Const(v.K, v.W)
	}
	if t := e.term[v]; t != nil {
		return t
	}
	t := e.m(v)
	e.term[v] = t
	return t
}

func (e *evaluator) run(vals []*ir.Value, f *ir.Func) {
	for _, v := range vals {
		if v.Op == ir.Result {
			e.term[v] = e.outs[v.Args[0]][v.Index]
			continue
		}
		in := make([]*sem.Term, len(v.Args))
		for i, a := range v.Args {
			in[i] = e.at(a)
		}
		outs := v.Meaning(e.b, in, f.Model)
		e.term[v] = outs[0]
		if len(outs) > 1 {
			e.outs[v] = outs
		}
	}
}

// terms are the results of the region and of the new text as terms of their
// common inputs, whose bounds are given.
func (w *rewrite) terms(b *sem.Builder, x *region) (params []*sem.Term, max []bound, old, new []*sem.Term) {
	vars := map[*ir.Value]*sem.Term{}
	leaf := func(v *ir.Value) *sem.Term {
		t := vars[v]
		if t == nil {
			t = b.Var("v"+strconv.Itoa(v.ID), v.W)
			vars[v] = t
			params, max = append(params, t), append(max, w.g.at(w.g.value(v, ones(v.W))).max)
		}
		return t
	}
	f := x.vals[0].Block.Func
	o := evaluator{b, leaf, map[*ir.Value]*sem.Term{}, map[*ir.Value][]*sem.Term{}}
	o.run(x.vals, f)
	c := w.code
	n := evaluator{b, nil, map[*ir.Value]*sem.Term{}, map[*ir.Value][]*sem.Term{}}
	for i, p := range c.f.Params {
		n.term[p] = o.at(c.params[i])
	}
	n.run(c.b.Vals, f)
	for i, v := range x.wanted {
		old, new = append(old, o.at(v)), append(new, n.at(c.b.Args[i]))
	}
	return params, max, old, new
}

// vectors runs the region and the new text on values with edges in most places.
func (w *rewrite) vectors(x *region, lanes int) error {
	params, max, old, new := w.terms(sem.NewBuilder(), x)
	roots := append(old, new...)
	prog := sem.Compile(params, roots...)
	rnd := rand.New(rand.NewPCG(1, 2))
	cols := make([]sem.Col, len(params))
	for i, t := range params {
		cols[i] = column(rnd, t.W, max[i], lanes)
	}
	outs := make([]sem.Col, len(roots))
	for i, t := range roots {
		outs[i].Lo = make([]uint64, lanes)
		if t.W > 64 {
			outs[i].Hi = make([]uint64, lanes)
		}
	}
	prog.Run(cols, outs)
	for i, o := range outs[:len(old)] {
		if n := outs[len(old)+i]; !slices.Equal(o.Lo, n.Lo) || !slices.Equal(o.Hi, n.Hi) {
			return fmt.Errorf("fault of rechain: result %d differs on a vector", i)
		}
	}
	return nil
}

// column are values of w bits, at most max: random, edges, and nearly all ones.
func column(rnd *rand.Rand, w int, max bound, lanes int) sem.Col {
	c := sem.Col{Lo: make([]uint64, lanes)}
	if w > 64 {
		c.Hi = make([]uint64, lanes)
	}
	for l := range lanes {
		x := sem.Val{Hi: rnd.Uint64(), Lo: rnd.Uint64()}
		all := sem.S(-1).Cut(w)
		switch l % 4 {
		case 1, 2:
			x = [...]sem.Val{{}, sem.U(1), all, all.Sub(sem.U(1)), sem.U(1).Shl(uint64(w - 1)), sem.S(-1).Cut(w / 2), x}[rnd.IntN(7)]
		case 3:
			if rnd.IntN(5) > 0 {
				x = all
			}
		}
		x = x.Cut(w)
		if top := (sem.Val{Hi: max.hi, Lo: max.lo}); !max.inf && top.Less(x) {
			x = top
		}
		c.Lo[l] = x.Lo
		if w > 64 {
			c.Hi[l] = x.Hi
		}
	}
	return c
}
