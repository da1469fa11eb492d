package prove

// Trusted: exact integers.

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/ptxlower/ptxlower/sem"
)

// num is an exact integer: v, or big where v is too narrow. Equal numbers have
// equal forms: big is nil wherever an int64 holds the number. A num is never
// changed.
type num struct {
	v   int64
	big *big.Int
}

func small(v int64) num { return num{v: v} }

// fromBig takes x over.
func fromBig(x *big.Int) num {
	if x.IsInt64() {
		return num{v: x.Int64()}
	}
	return num{big: x}
}

// bigInt is x for reading only; scratch is overwritten where x is narrow.
func (x num) bigInt(scratch *big.Int) *big.Int {
	if x.big != nil {
		return x.big
	}
	return scratch.SetInt64(x.v)
}

// Big is a copy of x.
func (x num) Big() *big.Int { return new(big.Int).Set(x.bigInt(new(big.Int))) }

func (x num) String() string { return x.bigInt(new(big.Int)).String() }

func (x num) add(y num) num {
	if x.big == nil && y.big == nil {
		s := x.v + y.v
		if (x.v^s)&(y.v^s) >= 0 {
			return num{v: s}
		}
	}
	var p, q big.Int
	return fromBig(new(big.Int).Add(x.bigInt(&p), y.bigInt(&q)))
}

func (x num) neg() num {
	if x.big == nil && x.v != math.MinInt64 {
		return num{v: -x.v}
	}
	var p big.Int
	return fromBig(new(big.Int).Neg(x.bigInt(&p)))
}

func (x num) abs() num {
	if x.sign() < 0 {
		return x.neg()
	}
	return x
}

func (x num) sub(y num) num { return x.add(y.neg()) }

func (x num) mul(y num) num {
	if x.big == nil && y.big == nil && bitLen64(x.v)+bitLen64(y.v) < 64 {
		return num{v: x.v * y.v}
	}
	var p, q big.Int
	return fromBig(new(big.Int).Mul(x.bigInt(&p), y.bigInt(&q)))
}

// shl is x · 2^k.
func (x num) shl(k uint) num {
	if x.big == nil && uint(bitLen64(x.v))+k < 64 {
		return num{v: x.v << k}
	}
	var p big.Int
	return fromBig(new(big.Int).Lsh(x.bigInt(&p), k))
}

// shr is floor(x / 2^k).
func (x num) shr(k uint) num {
	if x.big == nil {
		return num{v: x.v >> min(k, 63)}
	}
	return fromBig(new(big.Int).Rsh(x.big, k))
}

// mod is x − 2^k · floor(x / 2^k).
func (x num) mod(k uint) num {
	if x.big == nil && k < 63 {
		return num{v: x.v & (1<<k - 1)}
	}
	return x.sub(x.shr(k).shl(k))
}

func (x num) cmp(y num) int {
	if x.big == nil && y.big == nil {
		switch {
		case x.v < y.v:
			return -1
		case x.v > y.v:
			return 1
		}
		return 0
	}
	var p, q big.Int
	return x.bigInt(&p).Cmp(y.bigInt(&q))
}

func (x num) sign() int {
	if x.big != nil {
		return x.big.Sign()
	}
	return int(x.v>>63) | int(uint64(-x.v)>>63)
}

func (x num) isZero() bool { return x == num{} }

func (x num) equal(y num) bool { return x.cmp(y) == 0 }

// bitLen is the number of bits of |x|.
func (x num) bitLen() int {
	if x.big != nil {
		return x.big.BitLen()
	}
	return bitLen64(x.v)
}

func bitLen64(v int64) int {
	if v < 0 {
		v = -v // as unsigned right for the least int64, too
	}
	return bits.Len64(uint64(v))
}

// bit is bit i of x ≥ 0.
func (x num) bit(i int) uint {
	if x.big != nil {
		return x.big.Bit(i)
	}
	return uint(x.v>>min(i, 63)) & 1
}

// twos is the exponent of 2 in x; x is not 0.
func (x num) twos() uint {
	if x.big != nil {
		return x.big.TrailingZeroBits()
	}
	return uint(bits.TrailingZeros64(uint64(x.v)))
}

// width is the least j for which −2^j ≤ x < 2^j.
func (x num) width() uint {
	if x.sign() < 0 {
		x = small(-1).sub(x)
	}
	return uint(x.bitLen())
}

// hash is equal for equal numbers.
func (x num) hash() uint64 {
	if x.big == nil {
		return mix(uint64(x.v), 1)
	}
	h := uint64(x.big.Sign())
	for _, w := range x.big.Bits() {
		h = mix(h, uint64(w))
	}
	return h
}

// mix is the folded product of wyhash.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, y^0xe7037ed1a0b428db)
	return hi ^ lo
}

// toBig is v, read as unsigned.
func toBig(v sem.Val) *big.Int {
	x := new(big.Int).SetUint64(v.Hi)
	return x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(v.Lo))
}

// fromVal is v, read as unsigned.
func fromVal(v sem.Val) num {
	if v.Hi == 0 && int64(v.Lo) >= 0 {
		return small(int64(v.Lo))
	}
	return fromBig(toBig(v))
}

func pow2(k uint) num { return small(1).shl(k) }

// ones is 2^k − 1.
func ones(k uint) num { return pow2(k).sub(small(1)) }

func minNum(x, y num) num {
	if x.cmp(y) < 0 {
		return x
	}
	return y
}

func maxNum(x, y num) num {
	if x.cmp(y) > 0 {
		return x
	}
	return y
}

// interval is the integers from lo to hi.
type interval struct{ lo, hi num }

func point(x num) interval { return interval{x, x} }

func (r interval) add(s interval) interval { return interval{r.lo.add(s.lo), r.hi.add(s.hi)} }

func (r interval) mul(s interval) interval {
	if r.lo.sign() >= 0 && s.lo.sign() >= 0 {
		return interval{r.lo.mul(s.lo), r.hi.mul(s.hi)}
	}
	a, b, c, d := r.lo.mul(s.lo), r.lo.mul(s.hi), r.hi.mul(s.lo), r.hi.mul(s.hi)
	return interval{minNum(minNum(a, b), minNum(c, d)), maxNum(maxNum(a, b), maxNum(c, d))}
}

func (r interval) scale(c num) interval {
	if c.sign() < 0 {
		return interval{r.hi.mul(c), r.lo.mul(c)}
	}
	return interval{r.lo.mul(c), r.hi.mul(c)}
}

// meet is what lies in both.
func (r interval) meet(s interval) interval {
	return interval{maxNum(r.lo, s.lo), minNum(r.hi, s.hi)}
}

// size is the difference of the ends.
func (r interval) size() num { return r.hi.sub(r.lo) }

// hull is the least interval that has both.
func (r interval) hull(s interval) interval {
	return interval{minNum(r.lo, s.lo), maxNum(r.hi, s.hi)}
}

// within reports that all of r lies in s.
func (r interval) within(s interval) bool { return s.lo.cmp(r.lo) <= 0 && r.hi.cmp(s.hi) <= 0 }

var bit = interval{hi: small(1)}

func (r interval) isBit() bool { return r.within(bit) }

// floor is floor(x / 2^k) for x in r.
func (r interval) floor(k uint) interval { return interval{r.lo.shr(k), r.hi.shr(k)} }
