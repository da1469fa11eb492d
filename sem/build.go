package sem

import "fmt"

// Add is x + y modulo 2^W.
func (b *Builder) Add(x, y *Term) *Term {
	x, y = constRight(x, y)
	if isZero(y) {
		same(OpAdd, x, y)
		return x
	}
	return b.op2(OpAdd, x, y)
}

// Sub is x − y modulo 2^W.
func (b *Builder) Sub(x, y *Term) *Term {
	same(OpSub, x, y)
	switch {
	case isZero(y):
		return x
	case x == y:
		return b.U(0, x.W)
	case isZero(x):
		return b.Neg(y)
	}
	return b.op2(OpSub, x, y)
}

// Mul is x · y modulo 2^W. A product of two extended operands is taken in the
// width that holds it exactly and extended, so that the same multiplication is
// the same term wherever it occurs.
func (b *Builder) Mul(x, y *Term) *Term {
	same(OpMul, x, y)
	x, y = constRight(x, y)
	switch {
	case isZero(y):
		return y
	case isOne(y):
		return x
	}
	if p, sp, ok := extended(x); ok {
		if q, sq, ok := extended(y); ok {
			if w := p.W + q.W; w < x.W {
				return b.Ext(b.op2(OpMul, b.Ext(p, w, sp), b.Ext(q, w, sq)), x.W, sp || sq)
			}
		}
	}
	return b.op2(OpMul, x, y)
}

func extended(t *Term) (of *Term, signed, ok bool) {
	if t.Op == OpZext || t.Op == OpSext {
		return t.A[0], t.Op == OpSext, true
	}
	return nil, false, false
}

// And is bitwise and.
func (b *Builder) And(x, y *Term) *Term {
	same(OpAnd, x, y)
	x, y = constRight(x, y)
	switch {
	case isZero(y):
		return y
	case isOnes(y), x == y:
		return x
	case complements(x, y):
		return b.U(0, x.W)
	}
	return b.op2(OpAnd, x, y)
}

// Or is bitwise or.
func (b *Builder) Or(x, y *Term) *Term {
	same(OpOr, x, y)
	x, y = constRight(x, y)
	switch {
	case isOnes(y):
		return y
	case isZero(y), x == y:
		return x
	case complements(x, y):
		return b.Const(ones(x.W), x.W)
	}
	return b.op2(OpOr, x, y)
}

// Xor is bitwise exclusive or.
func (b *Builder) Xor(x, y *Term) *Term {
	same(OpXor, x, y)
	x, y = constRight(x, y)
	switch {
	case isZero(y):
		return x
	case isOnes(y):
		return b.Not(x)
	case x == y:
		return b.U(0, x.W)
	}
	return b.op2(OpXor, x, y)
}

// Not is the bitwise complement.
func (b *Builder) Not(x *Term) *Term {
	if x.Op == OpNot {
		return x.A[0]
	}
	return b.mk(OpNot, x.W, x, nil, nil, Val{})
}

// Neg is −x modulo 2^W.
func (b *Builder) Neg(x *Term) *Term {
	if x.Op == OpNeg {
		return x.A[0]
	}
	return b.mk(OpNeg, x.W, x, nil, nil, Val{})
}

// Shl is x · 2^n modulo 2^W; n has x's width.
func (b *Builder) Shl(x, n *Term) *Term { return b.shift(OpShl, x, n) }

// Lshr is floor(x / 2^n), x unsigned.
func (b *Builder) Lshr(x, n *Term) *Term { return b.shift(OpLshr, x, n) }

// Ashr is floor(x / 2^n), x signed.
func (b *Builder) Ashr(x, n *Term) *Term { return b.shift(OpAshr, x, n) }

func (b *Builder) shift(op Op, x, n *Term) *Term {
	same(op, x, n)
	k, ok := shiftCount(n)
	if !ok {
		return b.op2(op, x, n)
	}
	// Shifts by constants add up.
	if x.Op == op {
		if j, ok := shiftCount(x.A[1]); ok {
			x, k = x.A[0], k+j
		}
	}
	switch {
	case k == 0:
		return x
	case k < x.W:
	case op == OpAshr && x.W == 1: // all copies of the sign
		return x
	case op == OpAshr:
		k = x.W - 1
	default:
		return b.U(0, x.W)
	}
	return b.op2(op, x, b.U(uint64(k), x.W))
}

// shiftCount is a constant shift count, limited to the width.
func shiftCount(n *Term) (k int, ok bool) {
	if n.Op != OpConst {
		return 0, false
	}
	return int(min(count(n.K, n.W), uint64(n.W))), true
}

// Concat is x · 2^y.W + y.
func (b *Builder) Concat(x, y *Term) *Term {
	w := x.W + y.W
	switch {
	case isZero(x):
		return b.Zext(y, w)
	case x.Op == OpZext || x.Op == OpSext:
		return b.Ext(b.Concat(x.A[0], y), w, x.Op == OpSext)
	case x.Op == OpExtract && y.Op == OpExtract && x.A[0] == y.A[0] && x.K.Lo == y.K.Lo+uint64(y.W):
		return b.Bits(x.A[0], int(x.K.Lo)+x.W-1, int(y.K.Lo))
	}
	return b.mk(OpConcat, w, x, y, nil, Val{})
}

// Bits is x<hi..lo>.
func (b *Builder) Bits(x *Term, hi, lo int) *Term {
	if lo < 0 || hi < lo || hi >= x.W {
		panic(fmt.Sprintf("sem: bits %d..%d of %d", hi, lo, x.W))
	}
	w := hi - lo + 1
	if w == x.W {
		return x
	}
	switch x.Op {
	case OpExtract:
		return b.Bits(x.A[0], hi+int(x.K.Lo), lo+int(x.K.Lo))
	case OpConcat:
		if l := x.A[1].W; hi < l {
			return b.Bits(x.A[1], hi, lo)
		} else if lo >= l {
			return b.Bits(x.A[0], hi-l, lo-l)
		}
	case OpZext, OpSext:
		return b.extBits(x.A[0], hi, lo, x.Op == OpSext)
	case OpLshr, OpAshr: // x >> k is x<W-1..k>, extended
		if k, ok := shiftCount(x.A[1]); ok {
			return b.extBits(x.A[0], hi+k, lo+k, x.Op == OpAshr)
		}
	case OpShl:
		if k, ok := shiftCount(x.A[1]); ok && lo >= k {
			return b.Bits(x.A[0], hi-k, lo-k)
		} else if ok && hi < k {
			return b.U(0, w)
		}
	}
	return b.mk(OpExtract, w, x, nil, nil, U(uint64(lo)))
}

// extBits is bits hi … lo of x extended without end.
func (b *Builder) extBits(x *Term, hi, lo int, signed bool) *Term {
	top := x.W - 1
	switch {
	case hi <= top:
		return b.Bits(x, hi, lo)
	case lo <= top || signed:
		return b.Ext(b.Bits(x, top, min(lo, top)), hi-lo+1, signed)
	}
	return b.U(0, hi-lo+1)
}

// Bit is bit i of x.
func (b *Builder) Bit(x *Term, i int) *Term { return b.Bits(x, i, i) }

// Ext is x in w bits: extended by its sign bit or by zeros, or cut.
func (b *Builder) Ext(x *Term, w int, signed bool) *Term {
	if w == x.W {
		return x
	}
	if w < x.W {
		return b.Bits(x, w-1, 0)
	}
	if x.Op == OpZext || x.Op == OpSext && signed {
		return b.Ext(x.A[0], w, x.Op == OpSext)
	}
	op := OpZext
	if signed {
		op = OpSext
	}
	return b.mk(op, w, x, nil, nil, Val{})
}

// Zext is x in w bits, extended by zeros or cut.
func (b *Builder) Zext(x *Term, w int) *Term { return b.Ext(x, w, false) }

// Sext is x in w bits, extended by its sign bit or cut.
func (b *Builder) Sext(x *Term, w int) *Term { return b.Ext(x, w, true) }

// Eq is one bit: x = y.
func (b *Builder) Eq(x, y *Term) *Term {
	same(OpEq, x, y)
	x, y = constRight(x, y)
	if x == y {
		return b.U(1, 1)
	}
	if y.Op == OpConst && x.W == 1 {
		if isOne(y) {
			return x
		}
		return b.Not(x)
	}
	// An extension is injective, and its values are the extended ones.
	if p, signed, ok := extended(x); ok {
		if y.Op == OpConst {
			cut := b.Bits(y, p.W-1, 0)
			if b.Ext(cut, y.W, signed) != y {
				return b.U(0, 1)
			}
			return b.Eq(p, cut)
		}
		if y.Op == x.Op && y.A[0].W == p.W {
			return b.Eq(p, y.A[0])
		}
	}
	return b.cmp(OpEq, x, y)
}

// Ult is one bit: x < y, unsigned.
func (b *Builder) Ult(x, y *Term) *Term {
	same(OpUlt, x, y)
	if x == y || isZero(y) || isOnes(x) {
		return b.U(0, 1)
	}
	return b.cmp(OpUlt, x, y)
}

// Slt is one bit: x < y, signed.
func (b *Builder) Slt(x, y *Term) *Term {
	same(OpSlt, x, y)
	if x == y {
		return b.U(0, 1)
	}
	return b.cmp(OpSlt, x, y)
}

// Ite is x where c is 1, else y.
func (b *Builder) Ite(c, x, y *Term) *Term {
	if c.W != 1 || x.W != y.W {
		panic(fmt.Sprintf("sem: ite of %d, %d and %d bits", c.W, x.W, y.W))
	}
	switch {
	case x == y || isOne(c):
		return x
	case isZero(c):
		return y
	case c.Op == OpNot:
		return b.Ite(c.A[0], y, x)
	case x.W == 1 && isOne(x) && isZero(y):
		return c
	case x.W == 1 && isZero(x) && isOne(y):
		return b.Not(c)
	}
	return b.mk(OpIte, x.W, c, x, y, Val{})
}

// constRight puts a constant operand of a commutative primitive last; other
// operands keep their order, which is the one the documentation prints.
func constRight(x, y *Term) (*Term, *Term) {
	if x.Op == OpConst && y.Op != OpConst {
		return y, x
	}
	return x, y
}

func isZero(t *Term) bool { return t.Op == OpConst && t.K.IsZero() }
func isOne(t *Term) bool  { return t.Op == OpConst && t.K == U(1) }
func isOnes(t *Term) bool { return t.Op == OpConst && t.K == ones(t.W) }

func complements(x, y *Term) bool {
	return x.Op == OpNot && x.A[0] == y || y.Op == OpNot && y.A[0] == x
}

// The rest are abbreviations, not primitives.

// Ne is one bit: x ≠ y.
func (b *Builder) Ne(x, y *Term) *Term { return b.Not(b.Eq(x, y)) }

// ShlK is x · 2^n modulo 2^W for a constant n.
func (b *Builder) ShlK(x *Term, n int) *Term { return b.Shl(x, b.shiftBy(n, x.W)) }

// LshrK is floor(x / 2^n), x unsigned, for a constant n.
func (b *Builder) LshrK(x *Term, n int) *Term { return b.Lshr(x, b.shiftBy(n, x.W)) }

// AshrK is floor(x / 2^n), x signed, for a constant n.
func (b *Builder) AshrK(x *Term, n int) *Term { return b.Ashr(x, b.shiftBy(n, x.W)) }

// shiftBy is the constant count min(n, w), which w bits hold.
func (b *Builder) shiftBy(n, w int) *Term { return b.U(uint64(min(n, w)), w) }

// Sum adds any number of terms of one width.
func (b *Builder) Sum(xs ...*Term) *Term {
	s := xs[0]
	for _, x := range xs[1:] {
		s = b.Add(s, x)
	}
	return s
}

// AddCarry is the w-bit sum x + y + cf and its carry-out, one bit each for cf
// and the carry; cf may be nil for none.
func (b *Builder) AddCarry(x, y, cf *Term) (sum, carry *Term) {
	w := x.W
	s := b.Add(b.Zext(x, w+1), b.Zext(y, w+1))
	if cf != nil {
		s = b.Add(s, b.Zext(cf, w+1))
	}
	return b.Bits(s, w-1, 0), b.Bit(s, w)
}

// Clamp limits a signed x to lo … hi (signed, of x's width).
func (b *Builder) Clamp(x, lo, hi *Term) *Term {
	return b.Ite(b.Slt(x, lo), lo, b.Ite(b.Slt(hi, x), hi, x))
}
