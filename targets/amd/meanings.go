package amd

import (
	"strconv"

	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// What the rows mean, as functions from which rows are made.

type (
	binary func(b *sem.Builder, x, y *sem.Term) *sem.Term
	nary   func(b *sem.Builder, x []*sem.Term) *sem.Term
	nary2  func(b *sem.Builder, x []*sem.Term) (d, e *sem.Term)
)

func (m binary) one(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(m(b, in[0], in[1])) }
func (m nary) one(b *sem.Builder, in []*sem.Term) []*sem.Term   { return one(m(b, in)) }
func (m nary2) two(b *sem.Builder, in []*sem.Term) []*sem.Term {
	d, e := m(b, in)
	return []*sem.Term{d, e}
}

func one(t *sem.Term) []*sem.Term                   { return []*sem.Term{t} }
func same(_ *sem.Builder, x *sem.Term) *sem.Term    { return x }
func first(_ *sem.Builder, x []*sem.Term) *sem.Term { return x[0] }
func low5(b *sem.Builder, n *sem.Term) *sem.Term    { return b.And(n, b.U(31, 32)) }
func decimal(n int) string                          { return strconv.Itoa(n) }

// lowest has the low n bits set, n modulo 32.
func lowest(b *sem.Builder, n *sem.Term) *sem.Term {
	return b.Not(b.Shl(b.S(-1, 32), low5(b, n)))
}

// field is v_bfe_i32: x[2] bits from bit x[1] on, both modulo 32, sign-extended;
// what lies above bit 31 is its copy.
func field(b *sem.Builder, x []*sem.Term) *sem.Term {
	k := b.Sub(b.U(32, 32), low5(b, x[2]))
	return b.Ashr(b.Shl(b.Ashr(x[0], low5(b, x[1])), k), k)
}

// align shifts {x[0], x[1]} right by x[2] masked, in units of 2^scale bits.
func align(most uint64, scale int) nary {
	return func(b *sem.Builder, x []*sem.Term) *sem.Term {
		n := b.Zext(b.And(x[2], b.U(most, 32)), 64)
		if scale > 0 {
			n = b.ShlK(n, scale)
		}
		return b.Bits(b.Lshr(b.Concat(x[0], x[1]), n), 31, 0)
	}
}

// permute is v_perm_b32: each byte of x[2] names a byte of {x[0], x[1]}; 8 to 11
// the signs of bytes 1, 3, 5 and 7, 12 is 0x00, what is above 0xff.
func permute(b *sem.Builder, x []*sem.Term) *sem.Term {
	data := b.Concat(x[0], x[1])
	var d *sem.Term
	for i := range 4 {
		s := b.Bits(x[2], 8*i+7, 8*i)
		y := b.Ite(b.Eq(s, b.U(12, 8)), b.U(0, 8), b.U(0xff, 8))
		for j := range 4 {
			y = b.Ite(b.Eq(s, b.U(uint64(8+j), 8)), b.Sext(b.Bit(data, 16*j+15), 8), y)
		}
		pick := b.Bits(b.Lshr(data, b.ShlK(b.Zext(b.Bits(s, 2, 0), 64), 3)), 7, 0)
		y = b.Ite(b.Ult(s, b.U(8, 8)), pick, y)
		if d == nil {
			d = y
		} else {
			d = b.Concat(y, d)
		}
	}
	return d
}

// leading is v_ffbh_u32: the zeros above the highest one, −1 if there is none.
func leading(b *sem.Builder, x *sem.Term) *sem.Term {
	n, y := b.U(0, 32), x
	for s := 16; s > 0; s /= 2 {
		empty := b.Eq(b.LshrK(y, 32-s), b.U(0, 32))
		n = b.Ite(empty, b.Add(n, b.U(uint64(s), 32)), n)
		y = b.Ite(empty, b.ShlK(y, s), y)
	}
	return b.Ite(b.Eq(x, b.U(0, 32)), b.S(-1, 32), n)
}

// leadingSigns is v_ffbh_i32: the copies of the sign bit below it, and it.
func leadingSigns(b *sem.Builder, x *sem.Term) *sem.Term {
	return leading(b, b.Xor(x, b.AshrK(x, 31)))
}

func andNot(b *sem.Builder, x []*sem.Term) *sem.Term { return b.And(x[0], b.Not(x[1])) }
func orNot(b *sem.Builder, x []*sem.Term) *sem.Term  { return b.Or(x[0], b.Not(x[1])) }

// stripes has s ones, s zeros, s ones …, from bit 0 up.
func stripes(b *sem.Builder, s int) *sem.Term {
	return b.U(^uint64(0)/(1<<s+1), 32)
}

func reverse(b *sem.Builder, x *sem.Term) *sem.Term {
	for s := 1; s < 32; s *= 2 {
		m := stripes(b, s)
		x = b.Or(b.ShlK(b.And(x, m), s), b.And(b.LshrK(x, s), m))
	}
	return x
}

// ones counts the bits that are set.
func ones(b *sem.Builder, x *sem.Term) *sem.Term {
	for s := 1; s < 32; s *= 2 {
		m := stripes(b, s)
		x = b.Add(b.And(x, m), b.And(b.LshrK(x, s), m))
	}
	return x
}

func lesser(less binary) binary {
	return func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Ite(less(b, y, x), y, x) }
}

func greater(less binary) binary {
	return func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Ite(less(b, x, y), y, x) }
}

func carry(b *sem.Builder, x []*sem.Term) (d, e *sem.Term) {
	if len(x) == 3 {
		return b.AddCarry(x[0], x[1], x[2])
	}
	return b.AddCarry(x[0], x[1], nil)
}

// borrow is x[0] − x[1] − x[2]; the mask is 1 where that is negative.
func borrow(b *sem.Builder, x []*sem.Term) (d, e *sem.Term) {
	t := b.Sub(b.Zext(x[0], 33), b.Zext(x[1], 33))
	if len(x) == 3 {
		t = b.Sub(t, b.Zext(x[2], 33))
	}
	return b.Bits(t, 31, 0), b.Bit(t, 32)
}

func addU(b *sem.Builder, x []*sem.Term) *sem.Term {
	d, over := b.AddCarry(x[0], x[1], nil)
	return b.Ite(over, b.S(-1, 32), d)
}

func subU(b *sem.Builder, x []*sem.Term) *sem.Term {
	return b.Ite(b.Ult(x[0], x[1]), b.U(0, 32), b.Sub(x[0], x[1]))
}

// saturate limits the signed sum or difference to 32 bits.
func saturate(op binary) nary {
	return func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return clampTo(b, op(b, b.Sext(x[0], 33), b.Sext(x[1], 33)), 32)
	}
}

// clampTo limits a signed value to w bits and cuts it.
func clampTo(b *sem.Builder, x *sem.Term, w int) *sem.Term {
	lo := b.Const(sem.S(-1).Shl(uint64(w-1)), x.W)
	hi := b.Const(sem.U(1).Shl(uint64(w-1)).Sub(sem.U(1)), x.W)
	return b.Bits(b.Clamp(x, lo, hi), w-1, 0)
}

// mul24 is 32 bits, from bit lo up, of the product of the low 24 bits; above
// bit 47 the product is extended.
func mul24(signed bool, lo int) binary {
	return func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		t := b.Mul(b.Ext(b.Bits(x, 23, 0), 48, signed), b.Ext(b.Bits(y, 23, 0), 48, signed))
		return b.Bits(b.Ext(t, 64, signed), lo+31, lo)
	}
}

// plus adds x[2].
func plus(m binary) nary {
	return func(b *sem.Builder, x []*sem.Term) *sem.Term { return b.Add(m(b, x[0], x[1]), x[2]) }
}

func high(signed bool) nary {
	return func(b *sem.Builder, x []*sem.Term) *sem.Term {
		return b.Bits(b.Mul(b.Ext(x[0], 64, signed), b.Ext(x[1], 64, signed)), 63, 32)
	}
}

// multiplyAdd is x[0]·x[1] + x[2] in 64 bits, and bit 64 of that sum: the carry
// of the unsigned op, the extended sign of the signed one.
func multiplyAdd(b *sem.Builder, x []*sem.Term, signed bool) (d, e *sem.Term) {
	p := b.Mul(b.Ext(x[0], 64, signed), b.Ext(x[1], 64, signed))
	c := b.Ext(x[2], 64, signed)
	return b.Add(p, c), b.Bit(b.Add(b.Ext(p, 65, signed), b.Ext(c, 65, signed)), 64)
}

func test(b *sem.Builder, c ptx.Cmp, signed bool, x, y *sem.Term) *sem.Term {
	less := b.Ult
	if signed {
		less = b.Slt
	}
	switch c {
	case ptx.Eq:
		return b.Eq(x, y)
	case ptx.Ne:
		return b.Ne(x, y)
	case ptx.Lt:
		return less(x, y)
	case ptx.Le:
		return b.Not(less(y, x))
	case ptx.Gt:
		return less(y, x)
	}
	return b.Not(less(x, y))
}
