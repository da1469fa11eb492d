package sem

import (
	"fmt"
	"math/bits"
)

// Val is a bit pattern of up to 128 bits; the bits above a term's width are zero.
type Val struct{ Hi, Lo uint64 }

// U is a value below 2^64.
func U(v uint64) Val { return Val{0, v} }

// S is a signed value, sign-extended to 128 bits; cut it to a width with Cut.
func S(v int64) Val { return Val{uint64(v >> 63), uint64(v)} }

// Cut keeps the low w bits.
func (v Val) Cut(w int) Val {
	switch {
	case w >= 128:
		return v
	case w > 64:
		return Val{v.Hi & (1<<(w-64) - 1), v.Lo}
	case w == 64:
		return Val{0, v.Lo}
	}
	return Val{0, v.Lo & (1<<w - 1)}
}

// SignExtend copies bit w-1 into all bits above it.
func (v Val) SignExtend(w int) Val {
	switch {
	case w >= 128:
		return v
	case w > 64:
		s := 128 - w
		return Val{uint64(int64(v.Hi<<s) >> s), v.Lo}
	}
	s := 64 - w
	lo := uint64(int64(v.Lo<<s) >> s)
	return Val{uint64(int64(lo) >> 63), lo}
}

// Bit is bit i.
func (v Val) Bit(i int) uint64 {
	if i >= 64 {
		return v.Hi >> (i - 64) & 1
	}
	return v.Lo >> i & 1
}

// Hex is the value in w bits as zero-padded hexadecimal without a prefix.
func (v Val) Hex(w int) string {
	s := fmt.Sprintf("%016x%016x", v.Hi, v.Lo)
	return s[32-(w+3)/4:]
}

func (v Val) String() string {
	if v.Hi == 0 {
		return fmt.Sprintf("0x%x", v.Lo)
	}
	return fmt.Sprintf("0x%x%016x", v.Hi, v.Lo)
}

// Add is v + x modulo 2^128.
func (v Val) Add(x Val) Val {
	lo, c := bits.Add64(v.Lo, x.Lo, 0)
	hi, _ := bits.Add64(v.Hi, x.Hi, c)
	return Val{hi, lo}
}

// Sub is v − x modulo 2^128.
func (v Val) Sub(x Val) Val {
	lo, c := bits.Sub64(v.Lo, x.Lo, 0)
	hi, _ := bits.Sub64(v.Hi, x.Hi, c)
	return Val{hi, lo}
}

// Mul is v · x modulo 2^128.
func (v Val) Mul(x Val) Val {
	hi, lo := bits.Mul64(v.Lo, x.Lo)
	return Val{hi + v.Hi*x.Lo + v.Lo*x.Hi, lo}
}

// Shl is v · 2^n modulo 2^128, 0 for n ≥ 128.
func (v Val) Shl(n uint64) Val {
	switch {
	case n >= 128:
		return Val{}
	case n >= 64:
		return Val{v.Lo << (n - 64), 0}
	case n == 0:
		return v
	}
	return Val{v.Hi<<n | v.Lo>>(64-n), v.Lo << n}
}

// Shr is floor(v / 2^n) of the unsigned value.
func (v Val) Shr(n uint64) Val {
	switch {
	case n >= 128:
		return Val{}
	case n >= 64:
		return Val{0, v.Hi >> (n - 64)}
	case n == 0:
		return v
	}
	return Val{v.Hi >> n, v.Lo>>n | v.Hi<<(64-n)}
}

// Sar is floor(v / 2^n) of the signed 128-bit value.
func (v Val) Sar(n uint64) Val {
	s := uint64(int64(v.Hi) >> 63)
	switch {
	case n >= 128:
		return Val{s, s}
	case n >= 64:
		return Val{s, uint64(int64(v.Hi) >> (n - 64))}
	case n == 0:
		return v
	}
	return Val{uint64(int64(v.Hi) >> n), v.Lo>>n | v.Hi<<(64-n)}
}

// And is bitwise and.
func (v Val) And(x Val) Val { return Val{v.Hi & x.Hi, v.Lo & x.Lo} }

// Or is bitwise or.
func (v Val) Or(x Val) Val { return Val{v.Hi | x.Hi, v.Lo | x.Lo} }

// Xor is bitwise exclusive or.
func (v Val) Xor(x Val) Val { return Val{v.Hi ^ x.Hi, v.Lo ^ x.Lo} }

// Not is the complement of all 128 bits.
func (v Val) Not() Val { return Val{^v.Hi, ^v.Lo} }

// Len is the number of bits up to the highest one that is set; 0 for 0.
func (v Val) Len() int {
	if v.Hi != 0 {
		return 64 + bits.Len64(v.Hi)
	}
	return bits.Len64(v.Lo)
}

// TrailingZeros is the number of zero bits below the lowest one that is set;
// 128 for 0.
func (v Val) TrailingZeros() int {
	if v.Lo == 0 {
		return 64 + bits.TrailingZeros64(v.Hi)
	}
	return bits.TrailingZeros64(v.Lo)
}

// ones has the low w bits set.
func ones(w int) Val { return Val{^uint64(0), ^uint64(0)}.Cut(w) }

// Less compares as unsigned.
func (v Val) Less(x Val) bool { return v.Hi < x.Hi || v.Hi == x.Hi && v.Lo < x.Lo }

// SLess compares as signed 128-bit values.
func (v Val) SLess(x Val) bool {
	return int64(v.Hi) < int64(x.Hi) || v.Hi == x.Hi && v.Lo < x.Lo
}

// IsZero reports whether all bits are zero.
func (v Val) IsZero() bool { return v == Val{} }
