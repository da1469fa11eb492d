package ptx

import "github.com/ptxlower/ptxlower/sem"

// The meanings of the instructions that share asm bodies with the family.

func mov(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	switch {
	case f.Pack > 0: // the first part is the lowest
		d := in[0]
		for _, x := range in[1:] {
			d = b.Concat(x, d)
		}
		return one(d)
	case f.Pack < 0:
		n := in[0].W / -int(f.Pack)
		var out []*sem.Term
		for i := range -int(f.Pack) {
			out = append(out, b.Bits(in[0], (i+1)*n-1, i*n))
		}
		return out
	}
	return one(in[0])
}

func logic(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	switch f.Op {
	case And:
		return one(b.And(in[0], in[1]))
	case Or:
		return one(b.Or(in[0], in[1]))
	case Xor:
		return one(b.Xor(in[0], in[1]))
	case Not:
		return one(b.Not(in[0]))
	case Cnot: // 1 if a is 0, else 0
		return one(b.Zext(b.Eq(in[0], b.U(0, in[0].W)), in[0].W))
	}
	// lop3: bit abc of the table, for each bit position.
	d := b.U(0, 32)
	for i := range 8 {
		if f.Lut>>i&1 == 0 {
			continue
		}
		m := b.S(-1, 32)
		for j, x := range in {
			if i>>(2-j)&1 == 0 {
				x = b.Not(x)
			}
			m = b.And(m, x)
		}
		d = b.Or(d, m)
	}
	return one(d)
}

// shift: a count above the width acts as the width (PTX ISA 9.7.8.7–8).
func shift(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	n := in[0].W
	w := max(n, 32)
	x, c := b.Ext(in[0], w, f.T.Signed()), b.Zext(in[1], w)
	switch {
	case f.Op == Shl:
		x = b.Shl(x, c)
	case f.T.Signed():
		x = b.Ashr(x, c)
	default:
		x = b.Lshr(x, c)
	}
	return one(b.Bits(x, n-1, 0))
}

// funnel: shf shifts {b, a} and keeps the high word (.l) or the low word (.r).
func funnel(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	x, n := b.Concat(in[1], in[0]), in[2]
	if f.Wrap {
		n = b.And(n, b.U(31, 32))
	} else {
		n = b.Ite(b.Ult(b.U(32, 32), n), b.U(32, 32), n)
	}
	if n = b.Zext(n, 64); f.Mode == Left {
		return one(b.Bits(b.Shl(x, n), 63, 32))
	}
	return one(b.Bits(b.Lshr(x, n), 31, 0))
}

// prmt, PTX ISA 9.7.9.7: each result byte is one of the eight bytes of {b, a},
// or with bit 3 of its selector the sign of that byte, eight times.
func prmt(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	x := b.Concat(in[1], in[0])
	var d *sem.Term
	for i := range 4 {
		var y *sem.Term
		if f.Perm == NoPerm {
			s := b.Bits(in[2], 4*i+3, 4*i)
			y = pick(b, x, b.Bits(s, 2, 0))
			y = b.Ite(b.Bit(s, 3), b.Sext(b.Bit(y, 7), 8), y)
		} else {
			y = pick(b, x, special(b, f.Perm, i, b.Bits(in[2], 1, 0)))
		}
		if d == nil {
			d = y
		} else {
			d = b.Concat(y, d)
		}
	}
	return one(d)
}

// pick is byte s of x, s three bits.
func pick(b *sem.Builder, x, s *sem.Term) *sem.Term {
	return b.Bits(b.Lshr(x, b.ShlK(b.Zext(s, 64), 3)), 7, 0)
}

// permTable[mode][c] lists the source bytes of result bytes 0 to 3.
var permTable = [...][4][4]uint8{
	F4E:  {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},
	B4E:  {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},
	RC8:  {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
	ECL:  {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},
	ECR:  {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},
	RC16: {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}},
}

func special(b *sem.Builder, m PermMode, i int, c *sem.Term) *sem.Term {
	k := func(j int) *sem.Term { return b.U(uint64(permTable[m][j][i]), 3) }
	lo, hi := b.Bit(c, 0), b.Bit(c, 1)
	return b.Ite(hi, b.Ite(lo, k(3), k(2)), b.Ite(lo, k(1), k(0)))
}

// ones is the w-bit value with its n lowest bits set; n has w bits, and counts
// of w and more give all ones.
func ones(b *sem.Builder, n *sem.Term) *sem.Term {
	return b.Not(b.Shl(b.S(-1, n.W), n))
}

// bfe, PTX ISA 9.7.1.18: bits pos … pos+len−1 of a; bits that would lie above
// the operand are copies of the sign bit of the field (0 for unsigned types).
func bfe(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	a, w := in[0], in[0].W
	pos, n := b.Zext(b.Bits(in[1], 7, 0), w), b.Zext(b.Bits(in[2], 7, 0), w)
	valid := b.And(ones(b, n), b.Lshr(b.S(-1, w), pos))
	d := b.And(b.Lshr(a, pos), valid)
	if !f.T.Signed() {
		return one(d)
	}
	top := b.U(uint64(w-1), w)
	last := b.Sub(b.Add(pos, n), b.U(1, w))
	at := b.Ite(b.Ult(top, last), top, last)
	sign := b.And(b.Bit(b.Lshr(a, at), 0), b.Ne(n, b.U(0, w)))
	return one(b.Or(d, b.And(b.Sext(sign, w), b.Not(valid))))
}

// bfi, PTX ISA 9.7.1.19: the low len bits of a replace b's from pos on.
func bfi(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	w := in[0].W
	pos, n := b.Zext(b.Bits(in[2], 7, 0), w), b.Zext(b.Bits(in[3], 7, 0), w)
	mask := b.Shl(ones(b, n), pos)
	return one(b.Or(b.And(in[1], b.Not(mask)), b.And(b.Shl(in[0], pos), mask)))
}

// test is the comparison itself, one bit.
func test(b *sem.Builder, c Cmp, signed bool, x, y *sem.Term) *sem.Term {
	lt := b.Ult
	if signed {
		lt = b.Slt
	}
	switch c {
	case Eq:
		return b.Eq(x, y)
	case Ne:
		return b.Ne(x, y)
	case Lt:
		return lt(x, y)
	case Le:
		return b.Not(lt(y, x))
	case Gt:
		return lt(y, x)
	case Ge:
		return b.Not(lt(x, y))
	case LoU:
		return b.Ult(x, y)
	case LsU:
		return b.Not(b.Ult(y, x))
	case HiU:
		return b.Ult(y, x)
	}
	return b.Not(b.Ult(x, y))
}

func compare(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	t := f.T
	if f.Op == Set {
		t = f.A
	}
	with := func(p *sem.Term) *sem.Term {
		switch f.Bool {
		case BoolAnd:
			return b.And(p, in[2])
		case BoolOr:
			return b.Or(p, in[2])
		case BoolXor:
			return b.Xor(p, in[2])
		}
		return p
	}
	p := test(b, f.Cmp, t.Signed(), in[0], in[1])
	switch {
	case f.Op == Set: // all ones or 0
		return one(b.Sext(with(p), f.T.Bits()))
	case f.Dual:
		return []*sem.Term{with(p), with(b.Not(p))}
	}
	return one(with(p))
}

func choose(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	s, w := f.T.Signed(), in[0].W
	lt := b.Ult
	if s {
		lt = b.Slt
	}
	switch f.Op {
	case Selp:
		return one(b.Ite(in[2], in[0], in[1]))
	case Slct: // c ≥ 0 ? a : b
		return one(b.Ite(b.Slt(in[2], b.U(0, 32)), in[1], in[0]))
	case Min:
		return one(b.Ite(lt(in[1], in[0]), in[1], in[0]))
	case Max:
		return one(b.Ite(lt(in[0], in[1]), in[1], in[0]))
	case Abs:
		return one(b.Ite(b.Slt(in[0], b.U(0, w)), b.Neg(in[0]), in[0]))
	case Neg:
		return one(b.Neg(in[0]))
	}
	// sad: c + |a − b|
	d := b.Ite(lt(in[0], in[1]), b.Sub(in[1], in[0]), b.Sub(in[0], in[1]))
	return one(b.Add(in[2], d))
}

// cvt between integers; .sat clamps to the destination's range.
func cvt(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	w := f.T.Bits()
	if !f.Sat {
		return one(b.Ext(in[0], w, f.A.Signed()))
	}
	x := b.Ext(in[0], max(w, f.A.Bits())+2, f.A.Signed()) // exact, signed
	if f.T.Signed() {
		return one(clampTo(b, x, w))
	}
	top := b.Const(sem.U(1).Shl(uint64(w)).Sub(sem.U(1)), x.W)
	return one(b.Bits(b.Clamp(x, b.U(0, x.W), top), w-1, 0))
}

func count(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	x, w := in[0], in[0].W
	switch f.Op {
	case Popc:
		return one(b.Zext(popc(b, x), 32))
	case Clz:
		return one(b.Sub(b.U(uint64(w), 32), b.Zext(length(b, x), 32)))
	case Brev:
		return one(brev(b, x))
	}
	// bfind: the highest bit that differs from the sign, −1 if there is none.
	if f.T.Signed() {
		x = b.Xor(x, b.AshrK(x, w-1))
	}
	d := b.Sub(b.Zext(length(b, x), 32), b.U(1, 32))
	if f.ShiftAmt {
		d = b.Ite(b.Eq(x, b.U(0, w)), b.S(-1, 32), b.Sub(b.U(uint64(w-1), 32), d))
	}
	return one(d)
}

// popc adds the bits of x pairwise; the result has x's width.
func popc(b *sem.Builder, x *sem.Term) *sem.Term {
	w := x.W
	for s := 1; s < w; s *= 2 {
		m := b.Const(stripes(s), w)
		x = b.Add(b.And(x, m), b.And(b.LshrK(x, s), m))
	}
	return x
}

// stripes has s ones, s zeros, s ones …, from bit 0 up.
func stripes(s int) sem.Val {
	var v sem.Val
	for i := 0; i < 128; i += 2 * s {
		v = v.Add(sem.U(1).Shl(uint64(s)).Sub(sem.U(1)).Shl(uint64(i)))
	}
	return v
}

// length is the number of bits of x up to its highest one.
func length(b *sem.Builder, x *sem.Term) *sem.Term {
	for s := 1; s < x.W; s *= 2 {
		x = b.Or(x, b.LshrK(x, s))
	}
	return popc(b, x)
}

func brev(b *sem.Builder, x *sem.Term) *sem.Term {
	w := x.W
	for s := 1; s < w; s *= 2 {
		m := b.Const(stripes(s), w)
		x = b.Or(b.ShlK(b.And(x, m), s), b.And(b.LshrK(x, s), m))
	}
	return x
}
