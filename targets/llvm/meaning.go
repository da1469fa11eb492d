package llvm

import "github.com/ptxlower/ptxlower/sem"

// The meanings of the intrinsics, from the LLVM Language Reference.

func uaddo(b *sem.Builder, in []*sem.Term, _ int) []*sem.Term {
	sum, carry := b.AddCarry(in[0], in[1], nil)
	return []*sem.Term{sum, carry}
}

func usubo(b *sem.Builder, in []*sem.Term, _ int) []*sem.Term {
	return []*sem.Term{b.Sub(in[0], in[1]), b.Ult(in[0], in[1])}
}

func uaddSat(b *sem.Builder, x, y *sem.Term) *sem.Term {
	sum, carry := b.AddCarry(x, y, nil)
	return b.Ite(carry, b.S(-1, x.W), sum)
}

// signedSat is the exact sum or difference, limited to the operands' width.
func signedSat(f func(b *sem.Builder, x, y *sem.Term) *sem.Term) meaning {
	return two(func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		w := x.W
		lo := b.Const(sem.S(-1).Shl(uint64(w-1)), w+1)
		hi := b.Const(sem.U(1).Shl(uint64(w-1)).Sub(sem.U(1)), w+1)
		return b.Bits(b.Clamp(f(b, b.Sext(x, w+1), b.Sext(y, w+1)), lo, hi), w-1, 0)
	})
}

// pick is the lesser or the greater in the order of less.
func pick(less func(b *sem.Builder, x, y *sem.Term) *sem.Term, greater bool) meaning {
	return two(func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		if greater {
			return b.Ite(less(b, x, y), y, x)
		}
		return b.Ite(less(b, y, x), y, x)
	})
}

func abs(b *sem.Builder, x *sem.Term) *sem.Term {
	return b.Ite(b.Slt(x, b.U(0, x.W)), b.Neg(x), x)
}

// funnel shifts {x, y} by the count modulo their width, a power of two, and
// keeps the high part (left) or the low part.
func funnel(left bool) meaning {
	return three(func(b *sem.Builder, x, y, n *sem.Term) *sem.Term {
		w := x.W
		xy, n := b.Concat(x, y), b.Zext(b.And(n, b.U(uint64(w-1), w)), 2*w)
		if left {
			return b.Bits(b.Shl(xy, n), 2*w-1, w)
		}
		return b.Bits(b.Lshr(xy, n), w-1, 0)
	})
}

// stripes has s ones, s zeros, s ones …, from bit 0 up, in w bits.
func stripes(b *sem.Builder, s, w int) *sem.Term {
	var v sem.Val
	for at := 0; at < w; at += 2 * s {
		v = v.Or(sem.U(1).Shl(uint64(s)).Sub(sem.U(1)).Shl(uint64(at)))
	}
	return b.Const(v, w)
}

// popcount adds neighbouring fields of 1, 2, 4 … bits.
func popcount(b *sem.Builder, x *sem.Term) *sem.Term {
	for s := 1; s < x.W; s *= 2 {
		m := stripes(b, s, x.W)
		x = b.Add(b.And(x, m), b.And(b.LshrK(x, s), m))
	}
	return x
}

// leadingZeros is the width less the bits up to the highest one.
func leadingZeros(b *sem.Builder, x *sem.Term) *sem.Term {
	w := x.W
	for s := 1; s < w; s *= 2 {
		x = b.Or(x, b.LshrK(x, s))
	}
	return b.Sub(b.U(uint64(w), w), popcount(b, x))
}

// reverse exchanges neighbouring fields of n, 2n, 4n … bits.
func reverse(b *sem.Builder, x *sem.Term, n int) *sem.Term {
	for s := n; s < x.W; s *= 2 {
		m := stripes(b, s, x.W)
		x = b.Or(b.ShlK(b.And(x, m), s), b.And(b.LshrK(x, s), m))
	}
	return x
}
