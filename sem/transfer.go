package sem

import "math/bits"

// The transfer functions of the primitives: each is sound (what it says holds
// of every result) and exact on constants. Known bits of sums follow the carry
// bounds of LLVM's KnownBits::computeForAddCarry.

func addFacts(a, b Facts, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = sumBits(a, b, 0, w)

	lo, clo := addU(a.UMin, b.UMin, w)
	hi, chi := addU(a.UMax, b.UMax, w)
	if clo == chi {
		f.UMin, f.UMax = lo, hi
	}
	slo, olo := addS(a.SMin, b.SMin, w)
	shi, ohi := addS(a.SMax, b.SMax, w)
	if olo == ohi {
		f.SMin, f.SMax = slo, shi
	}
	return f
}

func subFacts(a, b Facts, w int) Facts {
	f := Any(w)
	n := b
	n.Zeros, n.Ones = b.Ones, b.Zeros
	f.Zeros, f.Ones = sumBits(a, n, 1, w) // a − b = a + ~b + 1

	if borrow := a.UMin.Less(b.UMax); borrow == a.UMax.Less(b.UMin) {
		f.UMin, f.UMax = a.UMin.Sub(b.UMax).Cut(w), a.UMax.Sub(b.UMin).Cut(w)
	}
	slo, olo := subS(a.SMin, b.SMax, w)
	shi, ohi := subS(a.SMax, b.SMin, w)
	if olo == ohi {
		f.SMin, f.SMax = slo, shi
	}
	return f
}

// sumBits are the known bits of a + b + carry: the sum of the least operands
// and that of the greatest bound the carry into each bit, and where both agree
// on it and the operands' bits are known, so is the sum's.
func sumBits(a, b Facts, carry uint64, w int) (zeros, one Val) {
	mask := ones(w)
	lo := a.Ones.Add(b.Ones).Add(U(carry))
	hi := mask.And(a.Zeros.Not()).Add(mask.And(b.Zeros.Not())).Add(U(carry))
	carries0 := hi.Xor(a.Zeros).Xor(b.Zeros).Not()
	carries1 := lo.Xor(a.Ones).Xor(b.Ones)
	known := a.Zeros.Or(a.Ones).And(b.Zeros.Or(b.Ones)).And(carries0.Or(carries1)).And(mask)
	return hi.Not().And(known), lo.And(known)
}

// addU is a + b modulo 2^w and whether it wrapped.
func addU(a, b Val, w int) (Val, bool) {
	s := a.Add(b)
	return s.Cut(w), s.Less(a) || s != s.Cut(w)
}

// addS is a + b of signed w-bit values, wrapped, and by how many times 2^w it
// had to be: −1, 0 or 1.
func addS(a, b Val, w int) (Val, int) {
	s := a.Add(b)
	return wrapS(s, int64(a.Xor(s).And(b.Xor(s)).Hi) < 0, w)
}

func subS(a, b Val, w int) (Val, int) {
	s := a.Sub(b)
	return wrapS(s, int64(a.Xor(b).And(a.Xor(s)).Hi) < 0, w)
}

// wrapS wraps a sum of 128 bits, whose sign is wrong if it overflowed.
func wrapS(s Val, overflowed bool, w int) (Val, int) {
	r := s.SignExtend(w)
	switch {
	case r == s && !overflowed:
		return r, 0
	case int64(s.Hi) < 0 != overflowed:
		return r, -1
	}
	return r, 1
}

func mulFacts(a, b Facts, w int) Facts {
	f := Any(w)

	// The low bits of a product depend on the low bits of its operands only.
	za, zb := trailingOnes(a.Zeros, w), trailingOnes(b.Zeros, w)
	ka, kb := trailingOnes(a.Zeros.Or(a.Ones), w), trailingOnes(b.Zeros.Or(b.Ones), w)
	known := ones(min(ka+zb, kb+za, w))
	low := a.Ones.Cut(ka).Mul(b.Ones.Cut(kb))
	f.Zeros, f.Ones = low.Not().And(known), low.And(known)

	if hi, ok := mulU(a.UMax, b.UMax); ok && hi.Len() <= w {
		f.UMin, f.UMax = a.UMin.Mul(b.UMin), hi
	}
	if lo, hi, ok := mulRange(a, b, w); ok {
		f.SMin, f.SMax = lo, hi
	}
	return f
}

// mulRange bounds the signed product, if none leaves w bits: the extremes are
// products of extremes.
func mulRange(a, b Facts, w int) (lo, hi Val, ok bool) {
	for i, p := range [4][2]Val{{a.SMin, b.SMin}, {a.SMin, b.SMax}, {a.SMax, b.SMin}, {a.SMax, b.SMax}} {
		v, ok := mulS(p[0], p[1])
		if !ok || v.SignExtend(w) != v {
			return lo, hi, false
		}
		if i == 0 {
			lo, hi = v, v
		}
		lo, hi = minS(lo, v), maxS(hi, v)
	}
	return lo, hi, true
}

func trailingOnes(v Val, w int) int { return min(v.Not().TrailingZeros(), w) }

// mulU is a · b and whether it is below 2^128.
func mulU(a, b Val) (Val, bool) {
	p := a.Mul(b)
	if a.Hi != 0 && b.Hi != 0 {
		return p, false
	}
	h1, _ := bits.Mul64(a.Hi, b.Lo)
	h2, _ := bits.Mul64(a.Lo, b.Hi)
	top, _ := bits.Mul64(a.Lo, b.Lo)
	return p, h1 == 0 && h2 == 0 && p.Hi >= top
}

// mulS is a · b and whether it is a signed 128-bit value.
func mulS(a, b Val) (Val, bool) {
	abs := func(v Val) Val {
		if int64(v.Hi) < 0 {
			return Val{}.Sub(v)
		}
		return v
	}
	p, ok := mulU(abs(a), abs(b))
	if int64(a.Hi^b.Hi) < 0 {
		n := Val{}.Sub(p)
		return n, ok && (p.IsZero() || int64(n.Hi) < 0)
	}
	return p, ok && int64(p.Hi) >= 0
}

func andFacts(a, b Facts, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.Or(b.Zeros), a.Ones.And(b.Ones)
	f.UMax = minU(a.UMax, b.UMax)
	return f
}

func orFacts(a, b Facts, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.And(b.Zeros), a.Ones.Or(b.Ones)
	f.UMin = maxU(a.UMin, b.UMin)
	return f
}

func xorFacts(a, b Facts, w int) Facts {
	f := Any(w)
	f.Zeros = a.Zeros.And(b.Zeros).Or(a.Ones.And(b.Ones))
	f.Ones = a.Zeros.And(b.Ones).Or(a.Ones.And(b.Zeros))
	return f
}

func notFacts(a Facts, w int) Facts {
	return Facts{
		Zeros: a.Ones, Ones: a.Zeros,
		UMin: a.UMax.Not().Cut(w), UMax: a.UMin.Not().Cut(w),
		SMin: a.SMax.Not(), SMax: a.SMin.Not(),
	}
}

// shiftFacts joins the facts of all counts that n allows.
func shiftFacts(shift func(a Facts, n uint64, w int) Facts, a, n Facts, w int) Facts {
	var f Facts
	found := false
	join := func(k uint64) {
		if g := shift(a, k, w).tighten(w); found {
			f = f.Or(g)
		} else {
			f, found = g, true
		}
	}
	for k := count(n.UMin, w); k < uint64(w) && !n.UMax.Less(U(k)); k++ {
		if U(k).And(n.Zeros).IsZero() && U(k).And(n.Ones) == n.Ones {
			join(k)
		}
	}
	if !found || count(n.UMax, w) == 128 {
		join(128)
	}
	return f
}

func shlFacts(a Facts, n uint64, w int) Facts {
	if n >= uint64(w) {
		return Exactly(Val{}, w)
	}
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.Shl(n).Or(ones(int(n))).Cut(w), a.Ones.Shl(n).Cut(w)
	if a.FitsU(w - int(n)) {
		f.UMin, f.UMax = a.UMin.Shl(n), a.UMax.Shl(n)
	}
	if a.FitsS(w - int(n)) {
		f.SMin, f.SMax = a.SMin.Shl(n), a.SMax.Shl(n)
	}
	return f
}

func lshrFacts(a Facts, n uint64, w int) Facts {
	if n >= uint64(w) {
		return Exactly(Val{}, w)
	}
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.Shr(n).Or(ones(w).And(ones(w-int(n)).Not())), a.Ones.Shr(n)
	f.UMin, f.UMax = a.UMin.Shr(n), a.UMax.Shr(n)
	return f
}

func ashrFacts(a Facts, n uint64, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.SignExtend(w).Sar(n).Cut(w), a.Ones.SignExtend(w).Sar(n).Cut(w)
	f.SMin, f.SMax = a.SMin.Sar(n), a.SMax.Sar(n)
	return f
}

// concatFacts joins a and the lower b, which has low bits.
func concatFacts(a, b Facts, low int) Facts {
	n := uint64(low)
	return Facts{
		Zeros: a.Zeros.Shl(n).Or(b.Zeros), Ones: a.Ones.Shl(n).Or(b.Ones),
		UMin: a.UMin.Shl(n).Or(b.UMin), UMax: a.UMax.Shl(n).Or(b.UMax),
		SMin: a.SMin.Shl(n).Or(b.UMin), SMax: a.SMax.Shl(n).Or(b.UMax),
	}
}

// extractFacts is bits lo … lo+w-1 of a. Cutting high bits off keeps the order
// of values that agree in them.
func extractFacts(a Facts, lo uint64, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.Shr(lo).Cut(w), a.Ones.Shr(lo).Cut(w)
	if end := lo + uint64(w); a.UMin.Shr(end) == a.UMax.Shr(end) {
		f.UMin, f.UMax = a.UMin.Shr(lo).Cut(w), a.UMax.Shr(lo).Cut(w)
	}
	if smin, smax := a.SMin.Sar(lo), a.SMax.Sar(lo); smin.SignExtend(w) == smin && smax.SignExtend(w) == smax {
		f.SMin, f.SMax = smin, smax
	}
	return f
}

func zextFacts(a Facts, from, w int) Facts {
	a.Zeros = a.Zeros.Or(ones(w).And(ones(from).Not()))
	a.SMin, a.SMax = a.UMin, a.UMax
	return a
}

func sextFacts(a Facts, from, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = a.Zeros.SignExtend(from).Cut(w), a.Ones.SignExtend(from).Cut(w)
	f.SMin, f.SMax = a.SMin, a.SMax
	return f
}

func boolFacts(no, yes bool) Facts {
	switch {
	case no:
		return Exactly(Val{}, 1)
	case yes:
		return Exactly(U(1), 1)
	}
	return Any(1)
}

func eqFacts(a, b Facts) Facts {
	x, xOK := a.Const()
	y, yOK := b.Const()
	return boolFacts(
		!a.Zeros.And(b.Ones).IsZero() || !a.Ones.And(b.Zeros).IsZero() ||
			a.UMax.Less(b.UMin) || b.UMax.Less(a.UMin) || a.SMax.SLess(b.SMin) || b.SMax.SLess(a.SMin),
		xOK && yOK && x == y)
}

func ultFacts(a, b Facts) Facts {
	return boolFacts(!a.UMin.Less(b.UMax), a.UMax.Less(b.UMin))
}

func sltFacts(a, b Facts) Facts {
	return boolFacts(!a.SMin.SLess(b.SMax), a.SMax.SLess(b.SMin))
}

func iteFacts(c, a, b Facts) Facts {
	if v, ok := c.Const(); ok {
		if v.IsZero() {
			return b
		}
		return a
	}
	return a.Or(b)
}
