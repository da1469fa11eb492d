package rechain

import (
	"math/big"
	"math/bits"
)

// num is an exact dyadic rational m·2^e. The weights of a chain are nearly all
// of the form ±2^e, so m is a machine word; where it does not fit it is b. m and
// b are odd; zero is the zero value.
type num struct {
	m int64
	e int32
	b *big.Int
}

func small(m int64) num { return num{m: m}.norm() }

func pow2(e int) num { return num{m: 1, e: int32(e)} }

func fromBig(b *big.Int, e int) num { return num{b: b, e: int32(e)}.norm() }

func fromUint(x uint64) num {
	if int64(x) >= 0 {
		return small(int64(x))
	}
	return fromBig(new(big.Int).SetUint64(x), 0)
}

func (x num) norm() num {
	if x.b == nil {
		if x.m == 0 {
			return num{}
		}
		t := bits.TrailingZeros64(uint64(x.m))
		return num{m: x.m >> t, e: x.e + int32(t)}
	}
	if x.b.Sign() == 0 {
		return num{}
	}
	if t := x.b.TrailingZeroBits(); t > 0 {
		x.b, x.e = new(big.Int).Rsh(x.b, t), x.e+int32(t)
	}
	if x.b.IsInt64() {
		return num{m: x.b.Int64(), e: x.e}
	}
	return x
}

// mant is the odd part as a big.Int; it is not to be changed.
func (x num) mant() *big.Int {
	if x.b != nil {
		return x.b
	}
	return big.NewInt(x.m)
}

func (x num) sign() int {
	switch {
	case x.b != nil:
		return x.b.Sign()
	case x.m > 0:
		return 1
	case x.m < 0:
		return -1
	}
	return 0
}

func (x num) isZero() bool { return x.m == 0 && x.b == nil }
func (x num) isOne() bool  { return x == num{m: 1} }

// power is k for 2^k, not ok for all else.
func (x num) power() (k int, ok bool) { return int(x.e), x.b == nil && x.m == 1 }

func (x num) equal(y num) bool {
	if x.b == nil || y.b == nil {
		return x == y
	}
	return x.e == y.e && x.b.Cmp(y.b) == 0
}

// shl is x·2^k; k may be negative.
func (x num) shl(k int) num {
	if !x.isZero() {
		x.e += int32(k)
	}
	return x
}

func (x num) neg() num {
	if x.b != nil {
		x.b = new(big.Int).Neg(x.b)
		return x.norm()
	}
	x.m = -x.m // odd, so not the least int64
	return x
}

func (x num) add(y num) num {
	if x.isZero() {
		return y
	}
	if y.isZero() {
		return x
	}
	if x.e < y.e {
		x, y = y, x
	}
	d := uint(x.e - y.e)
	if x.b == nil && y.b == nil && d < 62 {
		if s := x.m << d; s>>d == x.m {
			if t := s + y.m; (t > s) == (y.m > 0) {
				return num{m: t, e: y.e}.norm()
			}
		}
	}
	s := new(big.Int).Lsh(x.mant(), d)
	return fromBig(s.Add(s, y.mant()), int(y.e))
}

func (x num) mul(y num) num {
	if x.isZero() || y.isZero() {
		return num{}
	}
	if x.b == nil && y.b == nil {
		if y.m == 1 {
			return num{m: x.m, e: x.e + y.e}
		}
		if x.m == 1 {
			return num{m: y.m, e: x.e + y.e}
		}
		if hi, lo := bits.Mul64(abs(x.m), abs(y.m)); hi == 0 && lo < 1<<63 {
			return num{m: x.m * y.m, e: x.e + y.e}
		}
	}
	return fromBig(new(big.Int).Mul(x.mant(), y.mant()), int(x.e+y.e))
}

func abs(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}

// integer is x as an integer; x.e is not negative.
func (x num) integer() *big.Int { return new(big.Int).Lsh(x.mant(), uint(x.e)) }

// mod is x modulo 2^t, in 0 … 2^t−1; x is an integer.
func (x num) mod(t int) num {
	switch {
	case x.isZero() || int(x.e) >= t:
		return num{}
	case x.b == nil && x.m > 0 && int(x.e)+bits.Len64(uint64(x.m)) <= t:
		return x
	}
	// The floor of big.Int's And is that of two's complement.
	mask := new(big.Int).Lsh(big.NewInt(1), uint(t-int(x.e)))
	mask.Sub(mask, big.NewInt(1))
	return fromBig(mask.And(mask, x.mant()), int(x.e))
}

func (x num) String() string {
	if x.e >= 0 {
		return x.integer().String()
	}
	return x.mant().String() + "/2^" + big.NewInt(int64(-x.e)).String()
}

// bound is an inclusive upper bound of a value that is not negative; inf where
// it is 2^128 or more.
type bound struct {
	hi, lo uint64
	inf    bool
}

// ones is 2^w − 1.
func ones(w int) bound {
	switch {
	case w <= 0:
		return bound{}
	case w < 64:
		return bound{lo: 1<<w - 1}
	case w <= 128:
		return bound{lo: ^uint64(0), hi: 1<<(w-64) - 1}
	}
	return bound{inf: true}
}

func (x bound) less(y bound) bool {
	switch {
	case x.inf || y.inf:
		return !x.inf
	case x.hi != y.hi:
		return x.hi < y.hi
	}
	return x.lo < y.lo
}

func (x bound) min(y bound) bound {
	if x.less(y) {
		return x
	}
	return y
}

func (x bound) bits() int {
	if x.inf {
		return 1 << 30
	}
	if x.hi != 0 {
		return 64 + bits.Len64(x.hi)
	}
	return bits.Len64(x.lo)
}

func (x bound) add(y bound) bound {
	lo, c := bits.Add64(x.lo, y.lo, 0)
	hi, c := bits.Add64(x.hi, y.hi, c)
	return bound{hi, lo, x.inf || y.inf || c != 0}
}

func (x bound) shr(n int) bound {
	if x.inf {
		return x
	}
	switch {
	case n >= 128:
		return bound{}
	case n >= 64:
		return bound{lo: x.hi >> (n - 64)}
	case n == 0:
		return x
	}
	return bound{hi: x.hi >> n, lo: x.lo>>n | x.hi<<(64-n)}
}

func (x bound) shl(n int) bound {
	switch {
	case x.inf || x.bits() == 0:
		return x
	case x.bits()+n > 128:
		return bound{inf: true}
	case n >= 64:
		return bound{hi: x.lo << (n - 64)}
	case n == 0:
		return x
	}
	return bound{hi: x.hi<<n | x.lo>>(64-n), lo: x.lo << n}
}

// times is x·y for x and y below 2^64; else it may be inf.
func (x bound) times(y bound) bound {
	if x.bits() == 0 || y.bits() == 0 {
		return bound{}
	}
	if x.hi != 0 {
		x, y = y, x
	}
	if x.inf || y.inf || x.hi != 0 {
		return bound{inf: true}
	}
	hi, lo := bits.Mul64(x.lo, y.lo)
	over, mid := bits.Mul64(x.lo, y.hi)
	hi, c := bits.Add64(hi, mid, 0)
	return bound{hi, lo, over != 0 || c != 0}
}

// scaled is c·x for c > 0 with an integer value.
func (x bound) scaled(c num) bound {
	if c.b != nil {
		if c.b.BitLen() > 128 {
			return bound{inf: x.bits() > 0}
		}
		var lo, hi big.Int
		lo.And(c.b, new(big.Int).SetUint64(^uint64(0)))
		hi.Rsh(c.b, 64)
		return x.times(bound{hi: hi.Uint64(), lo: lo.Uint64()}).shl(int(c.e))
	}
	if c.m == 1 {
		return x.shl(int(c.e))
	}
	return x.times(bound{lo: uint64(c.m)}).shl(int(c.e))
}

// addTo adds c·x·2^shift to an accumulator.
func (x bound) addTo(acc *big.Int, c num, shift int) {
	t := new(big.Int).SetUint64(x.hi)
	t.Or(t.Lsh(t, 64), new(big.Int).SetUint64(x.lo))
	t.Mul(t, c.mant())
	acc.Add(acc, t.Lsh(t, uint(int(c.e)+shift)))
}
