package sem

import "fmt"

// gen emits the word of t, in the form asked for where that costs no more than
// another, and says in which.
func (c *compiler) gen(t *Term, i int, f form, facts Facts) (operand, form) {
	if i == 1 {
		switch {
		case facts.FitsU(64):
			return imm(0), zero
		case facts.FitsS(64):
			return c.shiftK(iAshrK, c.word(t, 0, low), 63), sign
		}
	}
	x, y := t.A[0], t.A[1]
	n := min(64, t.W-64*i)
	switch t.Op {
	case OpVar:
		panic(fmt.Sprintf("sem: free variable %s is not a parameter", t.Name))
	case OpAdd, OpSub, OpMul, OpNeg:
		return c.arith(t, i, f)
	case OpAnd:
		return c.and(t, i, f)
	case OpOr:
		return c.comm(iOr, iOrK, c.word(x, i, f), c.word(y, i, f)), f
	case OpXor:
		return c.comm(iXor, iXorK, c.word(x, i, f), c.word(y, i, f)), f
	case OpNot:
		k := ^uint64(0)
		if f == zero && n < 64 {
			k = 1<<n - 1
		}
		return c.comm(iXor, iXorK, c.word(x, i, f), imm(k)), f
	case OpShl, OpLshr, OpAshr:
		if k, ok := c.constCount(y); ok {
			return c.shiftConst(t, i, f, k)
		}
		return c.shift(t, i)
	case OpConcat:
		return c.concat(t, i, f)
	case OpExtract:
		return c.slice(x, int(t.K.Lo)+64*i, n, f), f
	case OpZext: // if x has no such word, t fits one
		return c.word(x, i, zero), zero
	case OpSext:
		return c.word(x, i, sign), sign
	case OpEq, OpUlt, OpSlt:
		return c.compare(t), zero
	case OpIte:
		return c.ite(t, i, f), f
	}
	panic(fmt.Sprintf("sem: cannot compile %s", t.Op))
}

// arith is a sum, difference, product or negation: exact operands give an exact
// result where none of the possible ones leaves the width.
func (c *compiler) arith(t *Term, i int, f form) (operand, form) {
	x, y := t.A[0], t.A[1]
	if i == 1 || c.both[t] {
		return c.arith2(t, i, f)
	}
	if f != low && !c.exact(t, f) {
		f = low
	}
	a := c.word(x, 0, f)
	if t.Op == OpNeg {
		return c.emit(inst{op: iRsubK, a: c.reg(a)}), f
	}
	b := c.word(y, 0, f)
	switch {
	case t.Op == OpAdd:
		return c.comm(iAdd, iAddK, a, b), f
	case t.Op == OpMul:
		return c.comm(iMul, iMulK, a, b), f
	case b.imm:
		return c.comm(iAdd, iAddK, a, imm(-b.k)), f
	case a.imm:
		return c.emit(inst{op: iRsubK, a: b.reg, k: a.k}), f
	}
	return c.emit(inst{op: iSub, a: a.reg, b: b.reg}), f
}

// arith2 gives both words, the high one in form f where that is exact, or
// where it is not asked for yet in one that is.
func (c *compiler) arith2(t *Term, i int, f form) (operand, form) {
	if _, _, ok := c.at(t, 0).any(); ok {
		c.both[t] = true
	}
	x, y := t.A[0], t.A[1]
	in := inst{op: iAdd2}
	switch t.Op {
	case OpNeg:
		z := c.reg(imm(0))
		in = inst{op: iSub2, a: z, a2: z, b2: c.reg(c.word(x, 1, low)), b: c.reg(c.word(x, 0, low))}
		return c.pair(t, i, in, low)
	case OpSub:
		in.op = iSub2
	case OpMul:
		in.op = iMul2
		switch fx, fy := c.facts.Of(x), c.facts.Of(y); {
		case fx.FitsU(64) && fy.FitsU(64):
			in.op, f = iMulU2, zero
		case fx.FitsS(64) && fy.FitsS(64):
			in.op, f = iMulS2, sign
		}
	}
	switch {
	case in.op == iMul2:
		f = low
	case f != low && !c.exact(t, f):
		f = low
	case i == 0 && c.exact(t, zero):
		f = zero
	}
	if in.op != iMulU2 && in.op != iMulS2 {
		in.a2, in.b2 = c.reg(c.word(x, 1, f)), c.reg(c.word(y, 1, f))
	}
	in.a, in.b = c.reg(c.word(x, 0, low)), c.reg(c.word(y, 0, low))
	return c.pair(t, i, in, f)
}

// exact reports that t, computed without wrapping, is always within its width.
func (c *compiler) exact(t *Term, f form) bool {
	a, w := c.facts.Of(t.A[0]), t.W
	var b Facts
	if t.N > 1 {
		b = c.facts.Of(t.A[1])
	}
	if f == zero {
		switch t.Op {
		case OpAdd:
			_, wraps := addU(a.UMax, b.UMax, w)
			return !wraps
		case OpSub:
			return !a.UMin.Less(b.UMax)
		case OpMul:
			p, ok := mulU(a.UMax, b.UMax)
			return ok && p.Len() <= w
		}
		return false
	}
	switch t.Op {
	case OpAdd:
		_, lo := addS(a.SMin, b.SMin, w)
		_, hi := addS(a.SMax, b.SMax, w)
		return lo == 0 && hi == 0
	case OpSub:
		_, lo := subS(a.SMin, b.SMax, w)
		_, hi := subS(a.SMax, b.SMin, w)
		return lo == 0 && hi == 0
	case OpMul:
		_, _, ok := mulRange(a, b, w)
		return ok
	}
	return a.SMin != Any(w).SMin // −x
}

// and needs one operand extended by zeros for the result to be.
func (c *compiler) and(t *Term, i int, f form) (operand, form) {
	x, y := t.A[0], t.A[1]
	if f != zero {
		return c.comm(iAnd, iAndK, c.word(x, i, f), c.word(y, i, f)), f
	}
	if _, ok := c.facts.Of(y).Const(); !ok && c.cheapZero(x, i) {
		x, y = y, x
	}
	return c.comm(iAnd, iAndK, c.word(x, i, low), c.word(y, i, zero)), zero
}

// cheapZero reports that the zero-extended word is there or needs no mask.
func (c *compiler) cheapZero(t *Term, i int) bool {
	if c.has(t, i, zero) {
		return true
	}
	switch t.Op {
	case OpZext, OpLshr, OpExtract, OpEq, OpUlt, OpSlt:
		return true
	}
	_, ok := c.facts.Of(t).Const()
	return ok
}

func (c *compiler) constCount(n *Term) (int, bool) {
	v, ok := c.facts.Of(n).Const()
	if !ok {
		return 0, false
	}
	return int(min(count(v, n.W), uint64(n.W))), true
}

func (c *compiler) shiftConst(t *Term, i int, f form, k int) (operand, form) {
	x, w := t.A[0], t.W
	n := min(64, w-64*i)
	if t.Op == OpShl {
		switch {
		case k == 0:
			return c.word(x, i, f), f
		case k >= w || k >= 64 && i == 0:
			return imm(0), zero
		case i == 1 && k >= 64:
			return c.shiftK(iShlK, c.word(x, 0, low), k-64), low
		case i == 1:
			hi := c.word(x, 1, low)
			return c.funnel(c.word(x, 0, low), hi, 64-k), low
		}
		fx := c.facts.Of(x)
		if f == zero && !fx.FitsU(w-k) || f == sign && !fx.FitsS(w-k) {
			f = low
		}
		return c.shiftK(iShlK, c.word(x, 0, f), k), f
	}
	f = zero
	if t.Op == OpAshr {
		f, k = sign, min(k, w-1)
	}
	// If x has no more bits for the word, t fits one.
	return c.slice(x, k+64*i, min(n, w-k-64*i), f), f
}

// shift is a shift by a count that varies. Go's shifts, too, shift all bits out
// for a count of the width or more.
func (c *compiler) shift(t *Term, i int) (operand, form) {
	x, y := t.A[0], t.A[1]
	var one, two opcode
	var f form
	switch t.Op {
	case OpShl:
		one, two, f = iShl, iShl2, low
	case OpLshr:
		one, two, f = iLshr, iLshr2, zero
	case OpAshr:
		one, two, f = iAshr, iAshr2, sign
	}
	if i == 0 && c.facts.Of(y).FitsU(64) {
		fx := c.facts.Of(x)
		if t.W <= 64 || t.Op == OpShl || t.Op == OpLshr && fx.FitsU(64) || t.Op == OpAshr && fx.FitsS(64) {
			return c.emit(inst{op: one, a: c.reg(c.word(x, 0, f)), b: c.reg(c.word(y, 0, zero))}), f
		}
	}
	xhi, yhi := c.word(x, 1, f), c.word(y, 1, zero)
	return c.pair(t, i, inst{
		op: two, a: c.reg(c.word(x, 0, low)), a2: c.reg(xhi), b: c.reg(c.word(y, 0, low)), b2: c.reg(yhi),
	}, f)
}

func (c *compiler) concat(t *Term, i int, f form) (operand, form) {
	x, y := t.A[0], t.A[1]
	l := y.W
	n := min(64, t.W-64*i)
	switch {
	case i == 0 && l >= 64:
		return c.word(y, 0, low), low
	case i == 0 && t.W <= 64:
		return c.join(c.word(x, 0, f), c.word(y, 0, zero), l), f
	case i == 0:
		return c.join(c.word(x, 0, low), c.word(y, 0, zero), l), low
	case l > 64:
		return c.join(c.word(x, 0, f), c.word(y, 1, zero), l-64), f
	}
	return c.slice(x, 64-l, n, f), f
}

// join is hi << k | lo for 0 < k < 64.
func (c *compiler) join(hi, lo operand, k int) operand {
	switch {
	case hi.imm:
		return c.comm(iOr, iOrK, lo, imm(hi.k<<k))
	case lo.imm && lo.k == 0:
		return c.shiftK(iShlK, hi, k)
	}
	return c.emit(inst{op: iJoin, a: hi.reg, b: c.reg(lo), k: uint64(k)})
}

// compare gives 0 or 1.
func (c *compiler) compare(t *Term) operand {
	x, y := t.A[0], t.A[1]
	one, isSigned := c.oneWord(t)
	if !one {
		f, op := zero, iEq2
		switch t.Op {
		case OpUlt:
			op = iUlt2
		case OpSlt:
			f, op = sign, iSlt2
		}
		xhi, yhi := c.word(x, 1, f), c.word(y, 1, f)
		return c.emit(inst{op: op, a: c.reg(c.word(x, 0, low)), a2: c.reg(xhi), b: c.reg(c.word(y, 0, low)), b2: c.reg(yhi)})
	}
	f := zero
	if isSigned {
		f = sign
	}
	a, b := c.word(x, 0, f), c.word(y, 0, f)
	var op, opK, opKR opcode // with k on the right, on the left
	switch {
	case t.Op == OpEq:
		op, opK, opKR = iEq, iEqK, iEqK
	case t.Op == OpSlt && isSigned:
		op, opK, opKR = iSlt, iSltK, iSgtK
	default:
		op, opK, opKR = iUlt, iUltK, iUgtK
	}
	switch {
	case b.imm:
		return c.emit(inst{op: opK, a: c.reg(a), k: b.k})
	case a.imm:
		return c.emit(inst{op: opKR, a: b.reg, k: a.k})
	}
	return c.emit(inst{op: op, a: a.reg, b: b.reg})
}

// oneWord reports that the low words decide a comparison, and whether they are
// to be extended by their signs. Sign extension keeps equality and the unsigned
// order, too; it is taken where the extended words are there already.
func (c *compiler) oneWord(t *Term) (one, signed bool) {
	x, y := t.A[0], t.A[1]
	if x.W <= 64 {
		return true, t.Op == OpSlt || c.has(x, 0, sign) && c.has(y, 0, sign) && !(c.has(x, 0, zero) && c.has(y, 0, zero))
	}
	fx, fy := c.facts.Of(x), c.facts.Of(y)
	if fx.FitsU(64) && fy.FitsU(64) {
		return true, false
	}
	return fx.FitsS(64) && fy.FitsS(64), true
}

func (c *compiler) ite(t *Term, i int, f form) operand {
	cond, x, y := t.A[0], t.A[1], t.A[2]
	if v, ok := c.facts.Of(cond).Const(); ok {
		if v.IsZero() {
			return c.word(y, i, f)
		}
		return c.word(x, i, f)
	}
	a, b := c.word(x, i, f), c.word(y, i, f)
	// A comparison with a constant that chooses a constant is one instruction.
	if one, isSigned := c.signedLess(cond); one && isSigned && a.imm && !b.imm {
		p, q := c.word(cond.A[0], 0, sign), c.word(cond.A[1], 0, sign)
		switch {
		case q.imm:
			return c.emit(inst{op: iSltIte, c: c.reg(p), k: q.k, b: b.reg, k2: a.k})
		case p.imm:
			return c.emit(inst{op: iSgtIte, c: q.reg, k: p.k, b: b.reg, k2: a.k})
		}
	}
	in := inst{c: c.reg(c.word(cond, 0, low))}
	switch {
	case a.imm && b.imm:
		in.op, in.k, in.k2 = iIteKK, a.k, b.k
	case a.imm:
		in.op, in.k, in.b = iIteK, a.k, b.reg
	case b.imm:
		in.op, in.k, in.a = iIteKR, b.k, a.reg
	default:
		in.op, in.a, in.b = iIte, a.reg, b.reg
	}
	return c.emit(in)
}

func (c *compiler) signedLess(t *Term) (one, signed bool) {
	if t.Op != OpSlt {
		return false, false
	}
	return c.oneWord(t)
}
