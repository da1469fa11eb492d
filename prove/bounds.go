package prove

// Trusted, simulated: ranges of terms from those of their operands.

import "github.com/ptxlower/ptxlower/sem"

// bounds gives the ranges of t, read as unsigned and as signed, from those of
// its polynomials p and q and from its operands' ranges: where the exact result
// of the primitive fits t's width in one of the readings, it is the value in
// that reading.
func (k *Kernel) bounds(t *sem.Term, p, q *Poly, of map[*sem.Term]knowledge) knowledge {
	all := unknown(t.W)
	b := knowledge{k.meet(k.rangeOf(p), all.u), k.meet(k.rangeOf(q), all.s)}
	exact := func(u, s interval) {
		if u.within(all.u) {
			b.u = k.meet(b.u, u)
		}
		if s.within(all.s) {
			b.s = k.meet(b.s, s)
		}
	}
	x, y := of[t.A[0]], of[t.A[1]]
	minus := small(-1)
	switch t.Op {
	case sem.OpAdd:
		exact(x.u.add(y.u), x.s.add(y.s))
	case sem.OpSub:
		exact(x.u.add(y.u.scale(minus)), x.s.add(y.s.scale(minus)))
	case sem.OpNeg:
		exact(all.u, x.s.scale(minus))
	case sem.OpMul:
		exact(x.u.mul(y.u), x.s.mul(y.s))
	case sem.OpZext:
		exact(x.u, x.u)
	case sem.OpSext:
		exact(all.u, x.s)
	case sem.OpExtract:
		if lo := uint(t.K.Lo); lo < 128 {
			exact(x.u.floor(lo), x.s.floor(lo))
		}
	case sem.OpIte:
		z := of[t.A[2]]
		exact(y.u.hull(z.u), y.s.hull(z.s))
	case sem.OpConcat:
		low := interval{hi: ones(uint(t.A[1].W))}
		exact(all.u, x.s.scale(pow2(uint(t.A[1].W))).add(low))
	}
	if b.u.hi.cmp(all.s.hi) <= 0 { // both readings agree
		b.s = k.meet(b.s, b.u)
	}
	if b.s.lo.sign() >= 0 {
		b.u = k.meet(b.u, b.s)
	}
	return b
}

// boundsOf are the bounds of terms in order, operands first.
func (k *Kernel) boundsOf(order []*sem.Term) map[*sem.Term]knowledge {
	of := make(map[*sem.Term]knowledge, len(order))
	for _, t := range order {
		p := k.Of(t)
		of[t] = k.bounds(t, p, k.Signed(p, uint(t.W)), of)
	}
	return of
}
