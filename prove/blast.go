package prove

// Trusted, simulated: what the primitives of sem are on bits.

import "github.com/ptxlower/ptxlower/sem"

// blast gives the bits of t, lowest first, from those of its operands.
func (c *circuit) blast(t *sem.Term, x, y, z []lit) []lit {
	w := t.W
	switch t.Op {
	case sem.OpVar:
		return c.inputs(w)
	case sem.OpConst:
		return constBits(fromVal(t.K), w)
	case sem.OpAdd:
		s, _ := c.sum(x, y, no)
		return s
	case sem.OpSub:
		s, _ := c.sum(x, complement(y), yes)
		return s
	case sem.OpNeg:
		s, _ := c.sum(make([]lit, w), complement(x), yes)
		return s
	case sem.OpMul:
		if t.A[1].IsConst() {
			return c.times(x, fromVal(t.A[1].K))
		}
		if rows(x) < rows(y) {
			x, y = y, x
		}
		return c.product(x, y)
	case sem.OpNot:
		return complement(x)
	case sem.OpAnd, sem.OpOr, sem.OpXor, sem.OpIte:
		f := c.and
		switch t.Op {
		case sem.OpOr:
			f = c.or
		case sem.OpXor:
			f = c.xor
		case sem.OpIte:
			s := x[0]
			f = func(a, b lit) lit { return c.mux(s, a, b) }
			x, y = y, z
		}
		out := make([]lit, w)
		for i := range out {
			out[i] = f(x[i], y[i])
		}
		return out
	case sem.OpShl:
		return c.shift(x, y, no, true)
	case sem.OpLshr:
		return c.shift(x, y, no, false)
	case sem.OpAshr:
		return c.shift(x, y, x[w-1], false)
	case sem.OpConcat:
		return append(append(make([]lit, 0, w), y...), x...)
	case sem.OpExtract:
		return x[t.K.Lo : int(t.K.Lo)+w]
	case sem.OpZext:
		return extend(x, no, w)
	case sem.OpSext:
		return extend(x, x[len(x)-1], w)
	case sem.OpEq:
		return []lit{c.equal(x, y)}
	case sem.OpUlt:
		return []lit{c.below(x, y)}
	case sem.OpSlt: // the order of signed numbers is that of x + 2^(n−1)
		return []lit{c.below(flipTop(x), flipTop(y))}
	}
	panic("prove: " + t.Op.String())
}

// wiring reports that the primitive only moves bits.
func wiring(op sem.Op) bool {
	return op == sem.OpConcat || op == sem.OpExtract || op == sem.OpZext || op == sem.OpSext
}

func constBits(v num, w int) []lit {
	out := make([]lit, w)
	for i := range out {
		out[i] = lit(v.bit(i))
	}
	return out
}

func complement(x []lit) []lit {
	out := make([]lit, len(x))
	for i, l := range x {
		out[i] = l ^ 1
	}
	return out
}

// extend is x in w bits, with fill above it, or cut.
func extend(x []lit, fill lit, w int) []lit {
	out := make([]lit, w)
	for i := copy(out, x); i < w; i++ {
		out[i] = fill
	}
	return out
}

func flipTop(x []lit) []lit {
	out := append([]lit(nil), x...)
	out[len(out)-1] ^= 1
	return out
}

// rows is the number of bits that may be 1.
func rows(x []lit) int {
	n := 0
	for _, l := range x {
		if l != no {
			n++
		}
	}
	return n
}
