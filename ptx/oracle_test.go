package ptx

import (
	"math/big"
	"math/bits"
)

// A second, naive oracle: the manual's pseudo-code, over big integers and bits,
// written without the terms of Meaning. A value is its unsigned bit pattern.

var (
	bigOne = big.NewInt(1)
	pow    = func(n int) *big.Int { return new(big.Int).Lsh(bigOne, uint(n)) }
)

// intOf is pattern v of type t as an integer.
func intOf(v uint64, t Type) *big.Int {
	x := new(big.Int).SetUint64(v)
	if t.Signed() && x.Bit(t.Bits()-1) == 1 {
		x.Sub(x, pow(t.Bits()))
	}
	return x
}

// cut is x modulo 2^n, n up to 64; big.Int's And is that of two's complement.
func cut(x *big.Int, n int) uint64 {
	return new(big.Int).And(x, new(big.Int).Sub(pow(n), bigOne)).Uint64()
}

// part is bits hi..lo of the two's complement of x.
func part(x *big.Int, hi, lo int) uint64 {
	return cut(new(big.Int).Rsh(x, uint(lo)), hi-lo+1)
}

func clampBig(x, lo, hi *big.Int) *big.Int {
	switch {
	case x.Cmp(lo) < 0:
		return lo
	case x.Cmp(hi) > 0:
		return hi
	}
	return x
}

// rangeOf is the least and the greatest value of n bits.
func rangeOf(n int, signed bool) (lo, hi *big.Int) {
	if signed {
		return new(big.Int).Neg(pow(n - 1)), new(big.Int).Sub(pow(n-1), bigOne)
	}
	return new(big.Int), new(big.Int).Sub(pow(n), bigOne)
}

func sum(xs ...*big.Int) *big.Int {
	s := new(big.Int)
	for _, x := range xs {
		s.Add(s, x)
	}
	return s
}

// oracle gives the results of f, and the carry-out if f writes one, from its
// sources and the carry-in if it reads one.
func oracle(f Form, in []uint64, m Model) []uint64 {
	n := f.T.Bits()
	switch f.Op {
	case Mul24, Mad24:
		// t = a*b, <23..0> only; hi: t<47..16>, lo: t<31..0>
		narrow := func(v uint64) *big.Int {
			x := new(big.Int).SetUint64(v & 0xffffff)
			if f.T == S32 && x.Bit(23) == 1 {
				x.Sub(x, pow(24))
			}
			return x
		}
		t := new(big.Int).Mul(narrow(in[0]), narrow(in[1]))
		d := part(t, 31, 0)
		if f.Mode == Hi {
			d = part(t, 47, 16)
		}
		return []uint64{plusC(f, d, in)}
	case Mul, Mad, Madc:
		// t = a*b; hi: t<2n-1..n>, lo: t<n-1..0>, wide: t
		t := new(big.Int).Mul(intOf(in[0], f.T), intOf(in[1], f.T))
		switch {
		case f.Mode == Wide:
			d := cut(t, 2*n)
			if f.Op == Mad {
				d = cut(sum(new(big.Int).SetUint64(d), new(big.Int).SetUint64(in[2])), 2*n)
			}
			return []uint64{d}
		case f.CC || f.Op == Madc:
			d := part(t, n-1, 0)
			if f.Mode == Hi {
				d = part(t, 2*n-1, n)
			}
			return chain(f, n, d, in[2], in)
		case f.Mode == Hi:
			return []uint64{plusC(f, part(t, 2*n-1, n), in)}
		}
		return []uint64{plusC(f, part(t, n-1, 0), in)}
	case Add, Addc:
		if f.Sat {
			lo, hi := rangeOf(32, true)
			return []uint64{cut(clampBig(sum(intOf(in[0], S32), intOf(in[1], S32)), lo, hi), 32)}
		}
		return chain(f, n, in[0], in[1], in)
	case Sub, Subc:
		if f.Sat {
			lo, hi := rangeOf(32, true)
			return []uint64{cut(clampBig(new(big.Int).Sub(intOf(in[0], S32), intOf(in[1], S32)), lo, hi), 32)}
		}
		// borrow = NOT CF: d = a - (b + borrow); CF = no borrow out
		borrow := int64(0)
		if f.Op == Subc {
			borrow = 1 - int64(in[2])
		}
		d := new(big.Int).Sub(new(big.Int).SetUint64(in[0]), sum(new(big.Int).SetUint64(in[1]), big.NewInt(borrow)))
		out := []uint64{cut(d, n)}
		if f.CC {
			out = append(out, truth(d.Sign() >= 0))
		}
		return out
	case Vmad:
		if m == PTXAS {
			return []uint64{vmadPtxas(f, in)}
		}
		return []uint64{vmadManual(f, in)}
	}
	return neighbourOracle(f, in)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// plusC adds the third source, saturating as s32 where the form says so.
func plusC(f Form, d uint64, in []uint64) uint64 {
	switch {
	case len(in) < 3:
		return d
	case f.Sat:
		lo, hi := rangeOf(32, true)
		return cut(clampBig(sum(intOf(d, S32), intOf(in[2], S32)), lo, hi), 32)
	}
	return cut(sum(new(big.Int).SetUint64(d), new(big.Int).SetUint64(in[2])), f.T.Bits())
}

// chain is x + y + CF in n bits, with the carry-out where the form writes it.
func chain(f Form, n int, x, y uint64, in []uint64) []uint64 {
	s := sum(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
	if f.ReadsCF() {
		s.Add(s, new(big.Int).SetUint64(in[len(in)-1]))
	}
	out := []uint64{cut(s, n)}
	if f.CC {
		out = append(out, part(s, n, n))
	}
	return out
}

// selected extracts a byte, half-word or word and extends it.
func selected(v uint64, t Type, s Sel) *big.Int {
	switch s {
	case B0, B1, B2, B3:
		v = v >> (8 * (s - B0)) & 0xff
		return intOf(v, IntType("us"[btoi(t.Signed())], 8))
	case H0, H1:
		v = v >> (16 * (s - H0)) & 0xffff
		return intOf(v, IntType("us"[btoi(t.Signed())], 16))
	}
	return intOf(v, t)
}

func btoi(b bool) int { return int(truth(b)) }

// vmadManual is the pseudo-code of PTX ISA 9.7.18.1.3, with exact integers.
func vmadManual(f Form, in []uint64) uint64 {
	ta, tb := selected(in[0], f.A, f.SelA), selected(in[1], f.B, f.SelB)
	signedFinal := f.A.Signed() || f.B.Signed() || f.NegA != f.NegB || f.NegC
	tmp := new(big.Int).Mul(ta, tb)
	c := in[2]
	lsb := int64(0)
	switch {
	case f.PO:
		lsb = 1
	case f.NegA != f.NegB:
		tmp.Not(tmp)
		lsb = 1
	case f.NegC:
		c = ^c & 0xffffffff
		lsb = 1
	}
	ct := U32
	if signedFinal {
		ct = S32
	}
	tmp = sum(tmp, intOf(c, ct), big.NewInt(lsb))
	tmp.Rsh(tmp, uint(f.Shr)) // floor
	if f.Sat {
		lo, hi := rangeOf(32, signedFinal)
		tmp = clampBig(tmp, lo, hi)
	}
	return cut(tmp, 32)
}

// vmadPtxas is what ptxas's instructions compute from sm_60 on: 64 bits, the
// product of s32 words, c sign-extended.
func vmadPtxas(f Form, in []uint64) uint64 {
	word := func(v uint64, t Type, s Sel) int64 {
		if s == Word {
			return int64(int32(v))
		}
		return selected(v, t, s).Int64()
	}
	signedFinal := f.A.Signed() || f.B.Signed() || f.NegA != f.NegB || f.NegC
	p := word(in[0], f.A, f.SelA) * word(in[1], f.B, f.SelB)
	c := int64(int32(in[2]))
	var t int64
	switch {
	case f.NegA != f.NegB:
		t = ^p + 1 + c
	case f.NegC:
		t = p + int64(^int32(in[2])) + 1
	default:
		t = p + c + int64(btoi(f.PO))
	}
	r := t >> f.Shr
	if !signedFinal {
		r = int64(uint64(t) >> f.Shr)
	}
	if f.Sat {
		switch {
		case signedFinal:
			r = max(-1<<31, min(1<<31-1, r))
		case r < 0:
			r = 0
		case r > 0xffffffff:
			r = 0xffffffff
		}
	}
	return uint64(uint32(r))
}

// neighbourOracle has the instructions outside the family.
func neighbourOracle(f Form, in []uint64) []uint64 {
	n := f.T.Bits()
	mask := uint64(1)<<n - 1
	if n == 64 {
		mask = ^uint64(0)
	}
	one := func(v uint64) []uint64 { return []uint64{v & mask} }
	word := func(v uint64) []uint64 { return []uint64{v & 0xffffffff} }
	bit := func(v uint64, i int) uint64 { return v >> i & 1 }
	switch f.Op {
	case Mov:
		switch {
		case f.Pack > 0:
			d := uint64(0)
			for i, v := range in {
				d |= v << (i * n / len(in))
			}
			return one(d)
		case f.Pack < 0:
			var out []uint64
			w := n / -int(f.Pack)
			for i := range -int(f.Pack) {
				out = append(out, in[0]>>(i*w)&(1<<w-1))
			}
			return out
		}
		return one(in[0])
	case And:
		return one(in[0] & in[1])
	case Or:
		return one(in[0] | in[1])
	case Xor:
		return one(in[0] ^ in[1])
	case Not:
		return one(^in[0])
	case Cnot:
		return one(truth(in[0] == 0))
	case Lop3:
		d := uint64(0)
		for i := range 32 {
			index := bit(in[0], i)<<2 | bit(in[1], i)<<1 | bit(in[2], i)
			d |= bit(uint64(f.Lut), int(index)) << i
		}
		return one(d)
	case Shl:
		d := in[0]
		for range min(in[1], 64) {
			d = d << 1 & mask
		}
		return one(d)
	case Shr:
		d := in[0]
		for range min(in[1], 64) {
			top := bit(d, n-1)
			d >>= 1
			if f.T.Signed() {
				d |= top << (n - 1)
			}
		}
		return one(d)
	case Shf:
		c := min(in[2], 32)
		if f.Wrap {
			c = in[2] & 31
		}
		// shift {b, a}, keep the most or the least significant half
		x := new(big.Int).SetUint64(in[1]<<32 | in[0])
		if f.Mode == Left {
			return one(part(x.Lsh(x, uint(c)), 63, 32))
		}
		return one(part(x.Rsh(x, uint(c)), 31, 0))
	case Prmt:
		return one(prmtOracle(f.Perm, in[0], in[1], in[2]))
	case Bfe:
		pos, size := int(in[1]&0xff), int(in[2]&0xff)
		sbit := uint64(0)
		if f.T.Signed() && size > 0 {
			sbit = bit(in[0], min(pos+size-1, n-1))
		}
		d := uint64(0)
		for i := range n {
			if i < size && pos+i < n {
				d |= bit(in[0], pos+i) << i
			} else {
				d |= sbit << i
			}
		}
		return one(d)
	case Bfi:
		pos, size := int(in[2]&0xff), int(in[3]&0xff)
		d := in[1]
		for i := 0; i < size && pos+i < n; i++ {
			d = d&^(1<<(pos+i)) | bit(in[0], i)<<(pos+i)
		}
		return one(d)
	case Setp, Set:
		t := f.T
		if f.Op == Set {
			t = f.A
		}
		c := intOf(in[0], t).Cmp(intOf(in[1], t))
		p := map[Cmp]bool{Eq: c == 0, Ne: c != 0, Lt: c < 0, Le: c <= 0, Gt: c > 0, Ge: c >= 0,
			LoU: c < 0, LsU: c <= 0, HiU: c > 0, HsU: c >= 0}[f.Cmp]
		with := func(p bool) uint64 {
			switch f.Bool {
			case BoolAnd:
				return truth(p) & in[2]
			case BoolOr:
				return truth(p) | in[2]
			case BoolXor:
				return truth(p) ^ in[2]
			}
			return truth(p)
		}
		switch {
		case f.Op == Set:
			return []uint64{with(p) * 0xffffffff}
		case f.Dual:
			return []uint64{with(p), with(!p)}
		}
		return []uint64{with(p)}
	case Selp:
		if in[2] == 1 {
			return one(in[0])
		}
		return one(in[1])
	case Slct:
		if int32(in[2]) >= 0 {
			return one(in[0])
		}
		return one(in[1])
	case Min, Max:
		if (intOf(in[0], f.T).Cmp(intOf(in[1], f.T)) < 0) == (f.Op == Min) {
			return one(in[0])
		}
		return one(in[1])
	case Abs:
		return one(cut(new(big.Int).Abs(intOf(in[0], f.T)), n))
	case Neg:
		return one(-in[0])
	case Sad:
		d := new(big.Int).Sub(intOf(in[0], f.T), intOf(in[1], f.T))
		return one(cut(sum(d.Abs(d), new(big.Int).SetUint64(in[2])), n))
	case Cvt:
		x := intOf(in[0], f.A)
		if f.Sat {
			lo, hi := rangeOf(n, f.T.Signed())
			x = clampBig(x, lo, hi)
		}
		return one(cut(x, n))
	case Clz:
		return word(uint64(bits.LeadingZeros64(in[0]) - (64 - n)))
	case Popc:
		return word(uint64(bits.OnesCount64(in[0])))
	case Brev:
		return one(bits.Reverse64(in[0]) >> (64 - n))
	case Bfind:
		a := in[0]
		if f.T.Signed() && bit(a, n-1) == 1 {
			a = ^a & mask
		}
		d := -1
		for i := n - 1; i >= 0; i-- {
			if bit(a, i) == 1 {
				d = i
				break
			}
		}
		if f.ShiftAmt && d != -1 {
			d = n - 1 - d
		}
		return word(uint64(d))
	}
	panic("no oracle for " + f.Name())
}

// prmtOracle is PTX ISA 9.7.9.7; the tables of the modes are written as there,
// the result's byte 3 first.
func prmtOracle(m PermMode, a, b, c uint64) uint64 {
	pool := a | b<<32
	at := func(i uint64) uint64 { return pool >> (8 * i) & 0xff }
	tables := map[PermMode][4]string{
		F4E:  {"3210", "4321", "5432", "6543"},
		B4E:  {"5670", "6701", "7012", "0123"},
		RC8:  {"0000", "1111", "2222", "3333"},
		ECL:  {"3210", "3211", "3222", "3333"},
		ECR:  {"0000", "1110", "2210", "3210"},
		RC16: {"1010", "3232", "1010", "3232"},
	}
	d := uint64(0)
	for i := range uint64(4) {
		var v uint64
		if m == NoPerm {
			sel := c >> (4 * i) & 0xf
			if v = at(sel & 7); sel&8 != 0 { // the sign, eight times
				v = v >> 7 * 0xff
			}
		} else {
			v = at(uint64(tables[m][c&3][3-i] - '0'))
		}
		d |= v << (8 * i)
	}
	return d
}
