package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vmadRules: vmad is d = limit(⌊t / 2^n⌋), t = ±x·y ± c (+ 1). There is no vmad
// in hardware from sm_70 on.
func (g isa) vmadRules() isel.Table {
	var t isel.Table
	for _, way := range vmadWays {
		if way.name == "" {
			continue
		}
		t = append(t, isel.G(way.name, "vmad.*", PredCarry, func(f ptx.Form, m ptx.Model) []expr {
			v := vmadOf(f, m)
			return result(way.expand(g, &v))
		}))
	}
	return t
}

// vmadWays are the ways to compute vmad, the best first; each gives no value for
// what it does not cover. One without a name is for known operands only. Some also
// make constants in registers.
var vmadWays = []struct {
	name      string
	expand    func(g isa, v *vmadForm) expr
	constants int
}{
	{"vmad low", isa.vmadLow, 0},
	{"", isa.vmadWord, 0},
	{"vmad parts, limited", isa.vmadPartsSat, 0},
	{"vmad parts, shifted", isa.vmadPartsShift, 0},
	{"vmad unsigned, limited", isa.vmadUnsignedSat, 1},
	{"vmad", isa.vmadWide, 0},
}

var none expr

// result is the list of one value, nil for none.
func result(x expr) []expr {
	if x == none {
		return nil
	}
	return []expr{x}
}

// factor is a source of the product: a word and the part of it that counts.
type factor struct {
	word   expr
	sel    ptx.Sel
	signed bool
	fits   int // where not 0, the number of bits that the word is known to fit
}

func (x factor) bits() int {
	if x.fits > 0 {
		return x.fits
	}
	_, n := x.sel.Range()
	return n
}

// at is the index of the part among those of its size.
func (x factor) at() int {
	lo, n := x.sel.Range()
	return lo / n
}

// value is the factor in a register, extended.
func (x factor) value() expr {
	switch at := int64(x.at()); {
	case x.sel == ptx.Word:
		return x.word
	case x.bits() == 8 && x.signed:
		return permute(x.word, at*0x1111+0x8880)
	case x.bits() == 8:
		return permute(x.word, at+0x7770)
	case x.signed:
		return permute(x.word, at*0x2222+0x9910)
	default:
		return permute(x.word, at*0x22+0x7710)
	}
}

// moved is byte x as byte i of a word that is else 0.
func (x factor) moved(i int) expr {
	return permute(x.word, 0x7777^int64(7^x.at())<<(4*i))
}

// dotted reports that a dot product multiplies x and y: two bytes, or a byte and
// a half.
func (x factor) dotted(y factor) bool {
	return x.sel != ptx.Word && y.sel != ptx.Word && x.bits()+y.bits() < 32
}

// times is x·y + addend modulo 2^32. A dot product does it with the byte moved
// to where the other stands and zeros beside it: one instruction extracts both.
func (x factor) times(y factor, addend expr) expr {
	switch {
	case !x.dotted(y):
		return IMAD.Of(x.value(), y.value(), addend)
	case x.bits() == 8 && y.bits() == 8:
		return IDP4A[index(x.signed)][index(y.signed)].Of(x.moved(y.at()), y.word, addend)
	case x.bits() == 8:
		x, y = y, x
	}
	return IDP2A[index(x.signed)][index(y.signed)].Of(x.word, y.moved(x.at()), addend)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// vmadForm is a form with what its rules ask for.
type vmadForm struct {
	f      ptx.Form
	x, y   factor
	n      int64 // shift
	neg    bool  // the product is subtracted from c
	signed bool  // the result is shifted and limited as signed
	cs     bool  // c is extended as signed
	sat    bool  // and the limit can be reached
	zero   bool  // c is known to be 0
	small  bool  // |c| is known to be at most 2^29
}

func vmadOf(f ptx.Form, m ptx.Model) vmadForm {
	part := func(w expr, s ptx.Sel, t ptx.Type) factor {
		return factor{word: w, sel: s, signed: t.Signed() || m == ptx.PTXAS && s == ptx.Word}
	}
	v := vmadForm{f: f, n: int64(f.Shr), neg: f.NegA != f.NegB,
		x: part(a, f.SelA, f.A), y: part(b, f.SelB, f.B)}
	v.signed = f.A.Signed() || f.B.Signed() || v.neg || f.NegC
	v.cs = v.signed || m == ptx.PTXAS
	v.sat = f.Sat && !v.fits(v.n)
	return v
}

// size is the number of bits of |x·y|: it is at most 2^size.
func (v *vmadForm) size() int {
	return v.x.bits() + v.y.bits() - index(v.x.signed) - index(v.y.signed)
}

// fits reports that ⌊t / 2^n⌋ is always a word, signed or unsigned as the result
// is. With |x·y| <= 2^p and |c| <= 2^q, and one more, that is so where both are
// at most half of 2^(31+n), or 2^(32+n), and one of them at most a quarter.
func (v *vmadForm) fits(n int64) bool {
	p, q, limit := v.size(), 32-index(v.cs), 31+int(n)+index(!v.signed)
	switch {
	case v.zero:
		q = 0
	case v.small:
		q = 29
	}
	return v.cs == v.signed && max(p, q) < limit && min(p, q) < limit-1
}

// parts reports that x·y is a word, signed unless both factors are unsigned
// halves.
func (v *vmadForm) parts() bool { return v.x.bits() < 32 && v.y.bits() < 32 }

func (v *vmadForm) halves() bool { return v.size() == 32 && v.parts() }

// vmadLow: bits 31..0 of t are made of bits 31..0. PT as carry-in adds 1.
func (g isa) vmadLow(v *vmadForm) expr {
	if v.sat || v.n > 0 {
		return none
	}
	return g.low(v)
}

func (g isa) low(v *vmadForm) expr {
	switch {
	case v.neg:
		return g.sub(c, v.x.times(v.y, zero))
	case v.f.NegC:
		return IMAD_N.Of(v.x.value(), v.y.value(), c)
	case v.f.PO:
		return IMAD_X.Of(v.x.value(), v.y.value(), c, yes)
	}
	return v.x.times(v.y, c)
}

// vmadWord: t itself is known to be a word, as its bits above show.
func (g isa) vmadWord(v *vmadForm) expr {
	extended := v.signed
	if product := v.zero && !v.neg && !v.f.PO && v.parts(); product { // t = x·y
		extended = v.x.signed || v.y.signed
	} else if !v.fits(0) {
		return none
	}
	switch {
	case v.sat:
		return none
	case extended:
		return sar(g.low(v), v.n)
	}
	return shr(g.low(v), v.n)
}

// vmadPartsSat: t of words needs 33 bits, the last being a carry, or known from
// the signs. A product of unsigned halves that may exceed a signed word can only
// take the sum too far on one side: c − p > c or p − c <= −c−1, as signed words,
// are out of range.
func (g isa) vmadPartsSat(v *vmadForm) expr {
	if !v.parts() || !v.sat || v.n > 0 || v.cs != v.signed {
		return none
	}
	p := func(addend expr) expr { return v.x.times(v.y, addend) }
	switch {
	case v.halves() && v.signed && g.has(Int64):
		t := v.sum(WIDE_U.Of(v.x.value(), v.y.value(), zero), 1)
		if v.neg {
			return lo(g.pick64(true, false, t, mach.K(-1<<31)))
		}
		return lo(g.pick64(false, false, t, mach.K(1<<31-1)))
	case v.halves() && v.signed && !v.neg && !v.f.NegC:
		return none
	case v.halves() && v.neg:
		s := sub(c, p(zero))
		return when(is(ptx.Gt, s, c), MOV_K.Of(mach.K(-1<<31)), s)
	case v.halves() && v.f.NegC:
		s := IMAD_N.Of(v.x.value(), v.y.value(), c)
		return when(is(ptx.Le, s, not(c)), MOV_K.Of(mach.K(1<<31-1)), s)
	case !v.signed:
		s := g.adders(false).add(p(zero), c, yes, v.f.PO, true)
		return when(s[1], MOV_K.Of(minus), s[0])
	case v.neg:
		return g.subSat(c, p(zero))
	case v.f.NegC:
		return g.subSat(p(zero), c)
	case v.f.PO && !v.x.dotted(v.y): // |x·y| < 2^31
		return g.addSat(p(one), c)
	case v.f.PO && g.has(Int64):
		return g.subSat(p(zero), not(c))
	case v.f.PO:
		x := p(zero)
		return satAs(x, c, IADD3_X.Of(x, c, yes), c, lutAddOverflow)
	}
	return g.addSat(p(zero), c)
}

// vmadPartsShift: with p = x·y a word, ⌊t / 2^n⌋ is the high word of
// t·2^(32−n) = ±p·2^(32−n) ± c·2^(32−n).
func (g isa) vmadPartsShift(v *vmadForm) expr {
	if !v.parts() || v.sat || v.n == 0 || v.f.PO {
		return none
	}
	scale := int64(1) << (32 - v.n)
	p := widen(!v.halves()).Of(v.x.times(v.y, zero), mach.K(scale), zero)
	if v.neg { // no instruction subtracts the product
		return hi(v.sum(p, scale))
	}
	if v.f.NegC {
		scale = -scale
	}
	return g.high(v.cs, c, mach.K(scale), p)
}

// sum is p ± c·scale or c·scale − p, a pair; with .po, scale is 1.
func (v *vmadForm) sum(p expr, scale int64) expr {
	k := mach.K(scale)
	switch {
	case v.neg:
		return WIDE_N.Of(c, k, p)
	case v.f.NegC:
		return WIDE.Of(c, mach.K(-scale), p)
	case v.f.PO && v.cs:
		return WIDE_X.Of(c, k, p, yes)
	case v.f.PO:
		return WIDE_U_X.Of(c, k, p, yes)
	}
	return widen(v.cs).Of(c, k, p)
}

// vmadUnsignedSat: ⌊t / 2^n⌋ exceeds a word where t + (2^32 − 2^n)·2^32 carries
// out of 64 bits; the addend is above what the shift keeps.
func (g isa) vmadUnsignedSat(v *vmadForm) expr {
	if v.cs || !v.sat || v.zero {
		return none
	}
	addend := pair(c, mach.K(-1<<v.n))
	t := WIDE_U_C
	ops := []expr{v.x.value(), v.y.value(), addend}
	if v.f.PO {
		t, ops = WIDE_U_X_C, append(ops, yes)
	}
	s := t.Of(ops...)
	return when(s.Out(1), MOV_K.Of(minus), v.shifted(lo(s), hi(s)))
}

// shifted is bits 31+n … n of {h, l}.
func (v *vmadForm) shifted(l, h expr) expr {
	if v.n == 0 {
		return l
	}
	return SHR64.Of(l, mach.K(v.n), h)
}

// wide is t modulo 2^64 with the factors taken as signed or unsigned.
func (v *vmadForm) wide(x, y expr, unsigned bool) expr {
	switch {
	case !v.zero || v.neg:
		return v.sum(widen(!unsigned).Of(x, y, zero), 1)
	case v.f.PO && unsigned:
		return WIDE_U_X.Of(x, y, zero, yes)
	case v.f.PO:
		return WIDE_X.Of(x, y, zero, yes)
	}
	return widen(!unsigned).Of(x, y, zero)
}

// vmadWide: t modulo 2^64. There is no product of a signed and an unsigned word:
// with u taken as signed, u·s is s·2^32 less where u has bit 31.
func (g isa) vmadWide(v *vmadForm) expr {
	x, y := v.x.value(), v.y.value()
	whole := func(x factor) bool { return x.bits() == 32 && !x.signed }
	mixed := whole(v.x) && v.y.signed || whole(v.y) && v.x.signed
	t := v.wide(x, y, !v.x.signed && !v.y.signed)
	l, h := lo(t), hi(t)
	if mixed {
		u, s := x, y
		if v.x.signed {
			u, s = y, x
		}
		bit31 := shr(u, 31)
		if v.neg {
			bit31 = sar(u, 31) // −1
		}
		h = IMAD.Of(s, bit31, h)
		t = pair(l, h)
	}
	switch {
	case !v.sat:
		return v.shifted(l, h)
	case v.signed:
		return g.limited(v, t)
	case v.n > 0: // t / 2^n as a logical shift leaves it
		return when(isU(ptx.Ge, h, mach.K(1<<v.n)), MOV_K.Of(minus), v.shifted(l, h))
	case !v.cs:
		return when(isU(ptx.Ne, h, zero), MOV_K.Of(minus), l)
	}
	// Outside a word: −1 + t<63>, all ones for t > 0 and 0 for t < 0.
	return when(is(ptx.Ne, h, zero), LEA_HI.Of(h, minus, zero, one), l)
}

// limited is ⌊t / 2^n⌋ limited to a signed word, {h, l} being t. It is a word
// where −2^(n−1) <= h < 2^(n−1).
//
// ±(u·v − c) of unsigned words has 65 bits. It passes only one limit, and {h, l}
// is t + 2^64 where it is far beyond: there h is neither 0 nor −1, and
// h < 2^32 − 2^(n−1) for c − u·v, h >= 2^(n−1) for u·v − c.
func (g isa) limited(v *vmadForm, t expr) expr {
	l, h := lo(t), hi(t)
	far := limit(h)
	bias, last := int64(1)<<v.n>>1, int64(1)<<v.n-1
	if v.size() == 64 {
		last = bias
		far = MOV_K.Of(mach.K(-1 << 31))
		if v.f.NegC {
			bias = 1
			far = MOV_K.Of(mach.K(1<<31 - 1))
		}
	}
	switch {
	case v.n == 0 && v.size() < 64:
		return g.narrow(t)
	case v.n == 0:
		return narrowTo(l, h, far)
	}
	out := isU(ptx.Gt, g.addK(h, bias), mach.K(last))
	return when(out, far, v.shifted(l, h))
}
