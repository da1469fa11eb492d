package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vmadRules covers vmad in both models. Which rule a form takes depends on
// what its operands are: words or parts, and whether the sum is cut, shifted or
// limited. (PTX ISA 9.7.18.1.3; semantics §4.)
var vmadRules = isel.Table{
	g("vmad halves", "vmad.*", MAD16, vmadHalves),
	g("vmad parts", "vmad.*", SDWA|ADDNC|THREE, vmadParts),
	g("vmad parts, shift", "vmad.*", SDWA|CO|MAD64|MAD16, vmadPartsShift),
	g("vmad parts, sat", "vmad.*", SDWA|CLAMPU|CLAMPS|ADDNC|MAD16|THREE, vmadPartsSat),
	g("vmad words", "vmad.*", SDWA|MAD64|ADDNC|THREE, vmadWords),
	g("vmad unsigned words, one bound", "vmad.*", MAD64|CLAMPU|ADDNC, vmadOneBound),
	g("vmad words, shift or sat", "vmad.*", MAD64|SDWA, vmadWide),
}

// vm is a vmad form taken apart for one model.
type vm struct {
	ptx.Form
	a, b    factor
	negp    bool
	signed  bool // the sum is a signed number
	signedC bool // c is extended by its sign
	model   ptx.Model
}

// factor is a and b: a word or part of a register, with its sign.
type factor struct {
	x expr
	part
}

func vmadOf(f ptx.Form, m ptx.Model) vm {
	v := vm{Form: f, model: m, negp: f.NegA != f.NegB}
	fac := func(x expr, t ptx.Type, s ptx.Sel) factor {
		return factor{x, part{s, t.Signed() || m == ptx.PTXAS && s == ptx.Word}}
	}
	v.a, v.b = fac(a, f.A, f.SelA), fac(b, f.B, f.SelB)
	v.signed = f.A.Signed() || f.B.Signed() || v.negp || f.NegC
	v.signedC = v.signed || m == ptx.PTXAS
	return v
}

func (x factor) bits() int  { _, n := x.sel.Range(); return n }
func (x factor) word() bool { return x.sel == ptx.Word }

// low reports that neither shift nor limit follows: 32 bits of everything do.
func (v vm) low() bool { return v.Shr == 0 && !v.Sat }

func (v vm) parts() bool { return !v.a.word() && !v.b.word() }

// halves reports a product of two halves of one sign, which v_mad_*_*16 forms.
func (v vm) halves() bool {
	return v.a.bits() == 16 && v.b.bits() == 16 && v.a.signed == v.b.signed
}

// narrow reports that the product of two parts fits 32 signed bits: all but
// that of two unsigned halves do.
func (v vm) narrow() bool { return v.a.signed || v.b.signed || v.a.bits()+v.b.bits() < 32 }

// value is the factor in a register of its own.
func (x factor) value() expr {
	pos, n := x.sel.Range()
	switch {
	case n == 32:
		return x.x
	case pos+n == 32 && x.signed:
		return v_ashrrev_i32.Of(k(int64(pos)), x.x)
	case pos+n == 32:
		return v_lshrrev_b32.Of(k(int64(pos)), x.x)
	case x.signed:
		return v_bfe_i32.Of(x.x, k(int64(pos)), k(int64(n)))
	}
	return v_bfe_u32.Of(x.x, k(int64(pos)), k(int64(n)))
}

// minus is the negated part, which fits 17 signed bits.
func (x factor) minus() expr { return negated[x.part].Of(k(0), x.x) }

// product is the exact product of two parts, in 32 bits.
func (v vm) product() expr {
	return products[[2]part{v.a.part, v.b.part}].Of(v.a.x, v.b.x)
}

// madHalves is the product of two halves plus z.
func (v vm) madHalves(z expr) expr {
	return halves[[2]part{v.a.part, v.b.part}].Of(v.a.x, v.b.x, z)
}

// successor is the product plus 1.
func (v vm) successor() expr {
	if v.halves() {
		return v.madHalves(k(1))
	}
	return v_add_u32.Of(k(1), v.product())
}

// vmadHalves: a·b + c in one op.
func vmadHalves(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.low() || !v.halves() || v.negp || v.NegC || v.PO {
		return nil
	}
	return []expr{v.madHalves(c)}
}

// vmadParts: the product, then c.
func vmadParts(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.low() || !v.parts() {
		return nil
	}
	return []expr{v.addLow(v.product())}
}

// vmadWords: 32 bits of x·y + c do not depend on signs. −(x·y) is (−x)·y.
func vmadWords(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.low() || v.parts() {
		return nil
	}
	x, y := v.factors(true)
	if v.negp || v.NegC || v.PO {
		return []expr{v.addLow(v_mul_lo_u32.Of(x, y))}
	}
	return []expr{madLo(x, y, c)}
}

// addLow adds c to the product p, or subtracts, in 32 bits.
func (v vm) addLow(p expr) expr {
	switch {
	case v.negp:
		return v_sub_u32.Of(c, p)
	case v.NegC:
		return v_sub_u32.Of(p, c)
	case v.PO:
		return v_add3_u32.Of(p, c, k(1))
	}
	return v_add_u32.Of(p, c)
}

// factors are a and b in registers. Where the product is to be negated, negate
// says that a part may be, and the product is not any more.
func (v *vm) factors(negate bool) (x, y expr) {
	switch {
	case !v.negp || !negate:
	case !v.a.word():
		v.negp = false
		return v.a.minus(), v.b.value()
	case !v.b.word():
		v.negp = false
		return v.a.value(), v.b.minus()
	}
	return v.a.value(), v.b.value()
}

// addend is c in 64 bits, with .po c + 1, negated −c; or ~c = −c − 1 for the
// complement of the sum: c − p = ~(p + ~c).
func (v vm) addend(complement bool) expr {
	switch {
	case complement:
		return v_mad_i64_i32.Of(c, k(-1), k(-1))
	case v.NegC:
		return v_mad_i64_i32.Of(c, k(-1), k(0))
	case v.PO && v.signedC:
		return v_mad_i64_i32.Of(c, k(1), k(1))
	case v.PO:
		return v_mad_u64_u32.Of(c, k(1), k(1))
	case v.signedC:
		return sext(c)
	}
	return zext(c)
}

// shifted is 32 bits of the pair from bit Shr on.
func (v vm) shifted(t expr) expr {
	return v_alignbit_b32.Of(hi(t), lo(t), k(int64(v.Shr)))
}

// vmadPartsShift: the product p has 32 bits and the sum 34, so after the shift
// .sat has nothing to limit. But in the ptxas model an unsigned sum may be
// negative, is shifted as 64 bits without sign, and then is above the limit:
// its high word is −1 and no other sum has one above the result.
func vmadPartsShift(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if v.Shr == 0 || !v.parts() {
		return nil
	}
	var t expr
	switch {
	case v.negp && v.narrow():
		t = v_mad_i64_i32.Of(v.product(), k(-1), sext(c))
	case v.negp:
		t = difference(sext(c), zext(v.product()), none)[0]
	case v.narrow():
		t = v_mad_i64_i32.Of(v.product(), k(1), v.addend(false))
	case !v.signedC:
		p := v.madHalves(k(0))
		if v.PO {
			p = v.madHalves(k(1))
		}
		s := v_add_co_u32.Of(p, c)
		t = mach.Pair(s, v_addc_co_u32.Of(k(0), k(0), s.Out(1)))
	default:
		t = v_mad_u64_u32.Of(v.product(), k(1), v.addend(false))
	}
	d := v.shifted(t)
	if v.Sat && !v.signed && v.signedC {
		d = v_max_u32.Of(d, hi(t))
	}
	return []expr{d}
}

// vmadPartsSat: one saturating op after the product, if that fits 32 signed
// bits and the sum is signed, or both are unsigned.
func vmadPartsSat(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.Sat || v.Shr != 0 || !v.parts() {
		return nil
	}
	return []expr{v.partsSat()}
}

func (v vm) partsSat() expr {
	switch {
	case v.negp && v.narrow():
		return v_sub_i32_clamp.Of(c, v.product())
	case v.NegC && v.narrow():
		return v_sub_i32_clamp.Of(v.product(), c)
	case v.negp: // c − p ≥ −2^31 is c + 2^31 − p ≥ 0
		return flip(v_sub_u32_clamp.Of(flip(c), v.product()))
	case v.NegC: // p − c ≤ 2^31 − 1 is p + 1 ≤ c + 2^31; ~c = −c − 1
		return v_xad_u32.Of(c, k(-1), v_min_u32.Of(v.successor(), flip(c)))
	case v.signed && v.PO:
		return v_add_i32_clamp.Of(v.successor(), c)
	case v.signed:
		return v_add_i32_clamp.Of(v.product(), c)
	case !v.signedC && v.PO:
		return v_add_u32_clamp.Of(v.successor(), c)
	case !v.signedC:
		return v_add_u32_clamp.Of(v.product(), c)
	case v.PO && v.narrow(): // p + c + 1 ≥ 0 is c ≥ ~p; then it is below 2^32
		n := v_not_b32.Of(v.product())
		return v_sub_u32.Of(v_max_i32.Of(c, n), n)
	case v.PO:
		return flip(v_add_i32_clamp.Of(flip(v.successor()), c))
	}
	// 0 ≤ p + c < 2^32 is −2^31 ≤ (p − 2^31) + c < 2^31
	return flip(v_add_i32_clamp.Of(flip(v.product()), c))
}

// flip adds 2^31 modulo 2^32: signed order becomes unsigned order.
func flip(x expr) expr { return v_xor_b32.Of(k(-1<<31), x) }

// vmadOneBound: an unsigned product with a word in it, limited, and with a
// negation, leaves the signed range on one side only.
func vmadOneBound(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.Sat || v.parts() || v.a.signed || v.b.signed || !v.negp && !v.NegC || v.fits() {
		return nil
	}
	x, y := v.factors(false)
	if v.negp && v.Shr == 0 { // c − p ≥ −2^31 is c + 2^31 − p ≥ 0, and false if p has a high word
		p := v_mad_u64_u32.Of(x, y, k(0))
		small := cmp(ptx.Eq, false, k(0), hi(p))
		return []expr{v_cndmask_b32_nn.Of(k(0), v_sub_u32_clamp.Of(flip(c), lo(p)), small)}
	}
	// −2^31 ≤ t < 2^64 − 2^33 + 2^32: a high word of −1 stands for a negative t.
	t := v_mad_u64_u32.Of(x, y, v.addend(v.negp))
	var d, in expr
	switch {
	case v.Shr == 0:
		d, in = lo(t), fitsWord(t)
	case v.a.word() && v.b.word(): // t < 2^(31+Shr) is hi + 1 ≤ 2^(Shr−1), or t < 0
		d = v.shifted(t)
		in = cmp(ptx.Ge, false, k(1<<(v.Shr-1)), v_add_u32.Of(k(1), hi(t)))
	default: // t fits 64 signed bits
		t = v_ashrrev_i64.Of(k(int64(v.Shr)), t)
		d, in = lo(t), fitsWord(t)
	}
	if v.negp {
		return []expr{v_cndmask_b32_n.Of(k(0), v_not_b32.Of(d), in)}
	}
	return []expr{v_cndmask_b32_n.Of(k(-1), d, in)}
}

// cmp compares words.
func cmp(c ptx.Cmp, signed bool, x, y expr) expr {
	return v_cmp[cmpKey{c, 32, signed}].Of(x, y)
}

// fitsWord: the pair is its low word, sign-extended.
func fitsWord(t expr) expr { return cmp(ptx.Eq, false, hi(t), sign(lo(t))) }

// fits reports that the shifted sum cannot leave the range of .sat: a byte
// times a word has 40 bits.
func (v vm) fits() bool {
	return v.Shr == 15 && v.a.bits()+v.b.bits() == 40 && (v.signed || !v.signedC)
}

// vmadWide: the sum in 64 bits, shifted, and limited.
func vmadWide(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if v.low() || v.parts() {
		return nil
	}
	unsigned := !v.a.signed && !v.b.signed
	x, y := v.factors(!unsigned)
	t := v.sum(x, y, unsigned)
	switch {
	case v.Sat && !v.fits():
		return []expr{v.limited(t)}
	case v.negp:
		return []expr{v_not_b32.Of(v.shifted(t))}
	}
	return []expr{v.shifted(t)}
}

// sum is x·y + c in 64 bits, or if the product is still to be negated the
// complement of c − x·y. A part fits a signed word whatever its sign. Where a
// signed factor s meets an unsigned word u, s·u is the unsigned product plus
// sign(s)·u·2^32.
func (v vm) sum(x, y expr, unsigned bool) expr {
	z := v.addend(v.negp)
	switch {
	case unsigned:
		return v_mad_u64_u32.Of(x, y, z)
	case (v.a.signed || !v.a.word()) && (v.b.signed || !v.b.word()):
		return v_mad_i64_i32.Of(x, y, z)
	case !v.b.signed:
		x, y = y, x
	}
	t := v_mad_u64_u32.Of(x, y, z)
	return mach.Pair(lo(t), madLo(sign(y), x, hi(t)))
}

// limited is the sum, shifted and limited. The limits of a complement are those
// of the sum, complemented: ~clamp(t) = clamp(~t).
func (v vm) limited(t expr) expr {
	if v.Shr > 0 {
		shift := v_lshrrev_b64
		if v.signed {
			shift = v_ashrrev_i64
		}
		t = shift.Of(k(int64(v.Shr)), t)
	}
	switch {
	case v.negp: // neg of sign(hi) is the complement of the limit on its side
		return v_cndmask_b32_n.Of(sign(hi(t)), v_not_b32.Of(lo(t)), fitsWord(t))
	case v.signed:
		return clampS(t)
	case v.Shr > 0 || !v.signedC:
		return clampUU(t)
	}
	return clampSU(t)
}

// clampS limits a signed pair to a signed word: the limit on the side of its
// sign is 0x7fffffff or that complemented.
func clampS(t expr) expr {
	return pick(fitsWord(t), lo(t), v_xor_b32.Of(k(1<<31-1), sign(hi(t))))
}

// clampUU limits an unsigned pair to an unsigned word.
func clampUU(t expr) expr { return pick(cmp(ptx.Eq, false, k(0), hi(t)), lo(t), k(-1)) }

// clampSU limits a signed pair to an unsigned word: 0 if negative, else −1.
func clampSU(t expr) expr {
	return pick(cmp(ptx.Eq, false, k(0), hi(t)), lo(t), v_not_b32.Of(sign(hi(t))))
}
