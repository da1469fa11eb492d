package ptx

import "github.com/ptxlower/ptxlower/sem"

// Model chooses between the two meanings of vmad.
type Model uint8

// The models: the manual's pseudo-code, and what ptxas computes from sm_60 on,
// where every full-word source is multiplied as signed and c is sign-extended
// (seen: ptxas 11.8, 12.9, 13.5).
const (
	ISA Model = iota
	PTXAS
)

func (m Model) String() string { return [...]string{"isa", "ptxas"}[m] }

// Meaning gives the results of the form, and after them the carry-out if it
// writes one, from its sources, and after them the carry-in if it reads one.
// Each term has the width of its type; carries and predicates have one bit.
func (f Form) Meaning(b *sem.Builder, in []*sem.Term, m Model) []*sem.Term {
	return meanings[f.Op](b, f, in, m)
}

type meaning func(b *sem.Builder, f Form, in []*sem.Term, m Model) []*sem.Term

var meanings = [NumOps]meaning{
	Mul24: mul24, Mad24: mul24,
	Mul: mulAdd, Mad: mulAdd, Madc: mulAdd,
	Add: addSub, Sub: addSub, Addc: addSub, Subc: addSub,
	Vmad: vmad,
	Mov:  mov, And: logic, Or: logic, Xor: logic, Not: logic, Cnot: logic, Lop3: logic,
	Shl: shift, Shr: shift, Shf: funnel, Prmt: prmt, Bfe: bfe, Bfi: bfi,
	Setp: compare, Set: compare, Selp: choose, Slct: choose, Min: choose, Max: choose,
	Abs: choose, Neg: choose, Sad: choose, Cvt: cvt,
	Clz: count, Popc: count, Brev: count, Bfind: count,
}

func one(t *sem.Term) []*sem.Term { return []*sem.Term{t} }

// mul24 and mad24, PTX ISA 9.7.1.5–6: only bits 23..0 count, bit 23 is the
// sign; .hi is bits 47..16.
func mul24(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	s := f.T.Signed()
	t := b.Mul(b.Ext(b.Bits(in[0], 23, 0), 48, s), b.Ext(b.Bits(in[1], 23, 0), 48, s))
	d := b.Bits(t, 31, 0)
	if f.Mode == Hi {
		d = b.Bits(t, 47, 16)
	}
	return one(addend(b, f, d, in))
}

// addend adds in[2] to d where the form has one, clamping the signed sum with .sat.
func addend(b *sem.Builder, f Form, d *sem.Term, in []*sem.Term) *sem.Term {
	if len(in) < 3 {
		return d
	}
	if f.Sat {
		return addSat(b, d, in[2])
	}
	return b.Add(d, in[2])
}

// addSat is the signed sum, limited to the operands' width.
func addSat(b *sem.Builder, x, y *sem.Term) *sem.Term {
	w := x.W
	return clampTo(b, b.Add(b.Sext(x, w+1), b.Sext(y, w+1)), w)
}

// clampTo limits a signed value to w bits and cuts it.
func clampTo(b *sem.Builder, x *sem.Term, w int) *sem.Term {
	lo := b.Const(sem.S(-1).Shl(uint64(w-1)), x.W)
	hi := b.Const(sem.U(1).Shl(uint64(w-1)).Sub(sem.U(1)), x.W)
	return b.Bits(b.Clamp(x, lo, hi), w-1, 0)
}

// mulAdd is mul, mad and madc, PTX ISA 9.7.1.3–4 and 9.7.2.5–6.
func mulAdd(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	if f.OfHalves() {
		a, _ := f.SelA.Range()
		c, _ := f.SelB.Range()
		in = append([]*sem.Term{b.Bits(in[0], a+15, a), b.Bits(in[1], c+15, c)}, in[2:]...)
	}
	n, s := in[0].W, f.T.Signed()
	var d *sem.Term
	switch f.Mode {
	case Lo:
		d = b.Mul(in[0], in[1])
	default:
		d = b.Mul(b.Ext(in[0], 2*n, s), b.Ext(in[1], 2*n, s))
		if f.Mode == Hi {
			d = b.Bits(d, 2*n-1, n)
		}
	}
	if f.Op == Mul {
		return one(d)
	}
	switch {
	case f.Mode == Wide && f.Op == Madc && !f.CC: // as an operation of 64 bits has it
		return one(b.Add(b.Add(d, in[2]), b.Zext(in[3], d.W)))
	case f.CC || f.Op == Madc:
		return withCarry(b, f, d, in[2], in)
	}
	return one(addend(b, f, d, in))
}

// withCarry is x + y + carry-in; the carry-in is the last of in where f reads
// one, else cf0.
func withCarry(b *sem.Builder, f Form, x, y *sem.Term, in []*sem.Term) []*sem.Term {
	var cf *sem.Term
	switch {
	case f.ReadsCF():
		cf = in[len(in)-1]
	case f.Op == Sub:
		cf = b.U(1, 1)
	}
	sum, carry := b.AddCarry(x, y, cf)
	if !f.CC {
		return one(sum)
	}
	return []*sem.Term{sum, carry}
}

// addSub is add, sub, addc and subc, PTX ISA 9.7.1.1–2 and 9.7.2.1–4. CC.CF is
// the adder's carry-out: a − b is a + ~b + 1, a − b − borrow is a + ~b + CF
// (seen: ptxas 11.8–13.5, sm_50…sm_120).
func addSub(b *sem.Builder, f Form, in []*sem.Term, _ Model) []*sem.Term {
	x, y := in[0], in[1]
	switch {
	case f.CC || f.ReadsCF():
		if f.SubFamily() {
			y = b.Not(y)
		}
		return withCarry(b, f, x, y, in)
	case f.Sat:
		w := x.W
		x, y = b.Sext(x, w+1), b.Sext(y, w+1)
		if f.Op == Sub {
			return one(clampTo(b, b.Sub(x, y), w))
		}
		return one(clampTo(b, b.Add(x, y), w))
	case f.Op == Sub:
		return one(b.Sub(x, y))
	}
	return one(b.Add(x, y))
}

// vmad, PTX ISA 9.7.18.1.3, read with exact integers. The sum is taken in a
// width that holds it: 64 bits, or 65 where u32·u32 meets a negation.
func vmad(b *sem.Builder, f Form, in []*sem.Term, m Model) []*sem.Term {
	negp := f.NegA != f.NegB
	signed := f.A.Signed() || f.B.Signed() || negp || f.NegC
	w, extA, extB, extC := 64, f.A.Signed(), f.B.Signed(), signed
	switch {
	case f.Shr == 0 && !f.Sat:
		w = 32
	case m == PTXAS:
		extC = true
	case signed && !f.A.Signed() && !f.B.Signed():
		w = 65
	}
	part := func(x *sem.Term, sel Sel, signed bool) *sem.Term {
		lo, n := sel.Range()
		x = b.Bits(x, lo+n-1, lo)
		if m == PTXAS && n == 32 {
			signed = true
		}
		return b.Ext(x, w, signed)
	}
	p := b.Mul(part(in[0], f.SelA, extA), part(in[1], f.SelB, extB))
	if negp {
		p = b.Neg(p)
	}
	c := in[2]
	if f.NegC {
		c = b.Not(c)
	}
	t := b.Add(p, b.Ext(c, w, extC))
	if f.PO || f.NegC {
		t = b.Add(t, b.U(1, w))
	}
	switch {
	case f.Shr == 0:
	case signed:
		t = b.AshrK(t, int(f.Shr))
	default:
		t = b.LshrK(t, int(f.Shr))
	}
	switch {
	case !f.Sat:
		return one(b.Bits(t, 31, 0))
	case signed:
		return one(clampTo(b, t, 32))
	}
	top := b.U(0xffffffff, 32)
	d := b.Ite(b.Ult(b.Zext(top, w), t), top, b.Bits(t, 31, 0))
	if m == PTXAS { // the shifted sum is compared as signed
		d = b.Ite(b.Slt(t, b.U(0, w)), b.U(0, 32), d)
	}
	return one(d)
}
