package prove

import "github.com/ptxlower/ptxlower/sem"

// knowledge bounds a variable, read as unsigned and as signed.
type knowledge struct{ u, s interval }

// assume takes one-bit terms for granted and keeps what they say of single
// variables: comparisons with constants, and their conjunctions.
func (k *Kernel) assume(terms []*sem.Term) {
	for _, t := range terms {
		k.learn(t, true)
	}
}

// learn takes t to be 1, or 0.
func (k *Kernel) learn(t *sem.Term, is bool) {
	switch t.Op {
	case sem.OpNot:
		k.learn(t.A[0], !is)
		return
	case sem.OpVar:
		v := num{}
		if is {
			v = small(1)
		}
		k.bound(t, point(v), point(v.neg()))
		return
	case sem.OpAnd:
		if is {
			k.learn(t.A[0], true)
			k.learn(t.A[1], true)
		}
		return
	case sem.OpOr:
		if !is {
			k.learn(t.A[0], false)
			k.learn(t.A[1], false)
		}
		return
	case sem.OpEq, sem.OpUlt, sem.OpSlt:
	default:
		return
	}
	x, y := t.A[0], t.A[1]
	any := unknown(x.W)
	u, s := any.u, any.s
	one := small(1)
	switch {
	case t.Op == sem.OpEq:
		if is && x.Op == sem.OpVar && y.IsConst() {
			k.bound(x, point(fromVal(y.K)), point(signedVal(y.K, y.W)))
		}
	case x.Op == sem.OpVar && y.IsConst():
		if c := fromVal(y.K); t.Op == sem.OpUlt && is {
			u.hi = c.sub(one)
		} else if t.Op == sem.OpUlt {
			u.lo = c
		}
		if c := signedVal(y.K, y.W); t.Op == sem.OpSlt && is {
			s.hi = c.sub(one)
		} else if t.Op == sem.OpSlt {
			s.lo = c
		}
		k.bound(x, u, s)
	case y.Op == sem.OpVar && x.IsConst():
		if c := fromVal(x.K); t.Op == sem.OpUlt && is {
			u.lo = c.add(one)
		} else if t.Op == sem.OpUlt {
			u.hi = c
		}
		if c := signedVal(x.K, x.W); t.Op == sem.OpSlt && is {
			s.lo = c.add(one)
		} else if t.Op == sem.OpSlt {
			s.hi = c
		}
		k.bound(y, u, s)
	}
}

func signedVal(v sem.Val, w int) num {
	x := fromVal(v)
	if v.Bit(w-1) == 1 {
		return x.sub(pow2(uint(w)))
	}
	return x
}

// unknown is what holds of every w-bit value.
func unknown(w int) *knowledge {
	half := pow2(uint(w - 1))
	return &knowledge{interval{hi: ones(uint(w))}, interval{half.neg(), half.sub(small(1))}}
}

// bound adds bounds of a variable. Bounds that nothing meets are left out:
// then nothing follows from them but what follows without.
func (k *Kernel) bound(v *sem.Term, u, s interval) {
	f := k.known[v]
	if f == nil {
		f = unknown(v.W)
	}
	g := knowledge{f.u.meet(u), f.s.meet(s)}
	if g.s.lo.sign() >= 0 { // both readings agree
		g.u = g.u.meet(g.s)
	}
	if g.u.hi.cmp(ones(uint(v.W-1))) <= 0 {
		g.s = g.s.meet(g.u)
	}
	if g.u.lo.cmp(g.u.hi) <= 0 && g.s.lo.cmp(g.s.hi) <= 0 {
		k.known[v] = &g
	}
}
