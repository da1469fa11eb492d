package amd

import "github.com/ptxlower/ptxlower/ptx"

// vmadRules covers vmad in both models. Which rule a form takes depends on
// what its operands are: words or parts, and whether the sum is cut, shifted or
// limited. (PTX ISA 9.7.18.1.3; semantics §4.)
var vmadRules = table{
	g("vmad parts, plus one", "vmad.*", THREE, vmadLowPlusOne),
	g("vmad parts", "vmad.*", 0, vmadParts),
	g("vmad words", "vmad.*", 0, vmadWords),
	g("vmad parts, sat by clamp", "vmad.*", MADCLAMP, vmadClamp),
	g("vmad parts, shift, plus one", "vmad.*", SDWA, vmadPartsShiftPlusOne),
	g("vmad parts, shift", "vmad.*", 0, vmadPartsShift),
	g("vmad narrow parts, sat", "vmad.*", CLAMPS, vmadNarrowSat),
	g("vmad parts, sat", "vmad.*", 0, vmadPartsSat),
	g("vmad unsigned words, one bound", "vmad.*", 0, vmadOneBound),
	g("vmad words, limits of pairs", "vmad.*", U64, vmadLimits64),
	g("vmad words, shift or sat", "vmad.*", MAD64, vmadWide),
	g("vmad words, shift or sat, by halves", "vmad.*", 0, vmadHalves),
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

func (x factor) word() bool  { return x.sel == ptx.Word }
func (x factor) value() expr { return x.part.value(x.x) }

// minus is the negated part, which fits 17 signed bits.
func (x factor) minus() expr { return negated[x.part].Of(k(0), x.x) }

// low reports that neither shift nor limit follows: 32 bits of everything do.
func (v vm) low() bool { return v.Shr == 0 && !v.Sat }

func (v vm) parts() bool { return !v.a.word() && !v.b.word() }

// unsigned reports a product that is not negative.
func (v vm) unsigned() bool { return !v.a.signed && !v.b.signed }

// narrow reports that the product of two parts fits 32 signed bits: all but
// that of two unsigned halves do.
func (v vm) narrow() bool { return !v.unsigned() || v.a.bits()+v.b.bits() < 32 }

// product is the exact product of two parts, in 32 bits; plus adds z.
func (v vm) product() expr {
	return products[[2]part{v.a.part, v.b.part}].Of(v.a.x, v.b.x)
}

func (v vm) plus(z expr) expr {
	if z.is(0) {
		return v.product()
	}
	return productSums[[2]part{v.a.part, v.b.part}].Of(v.a.x, v.b.x, z)
}

// vmadLowPlusOne: the product, c and 1 in one sum.
func vmadLowPlusOne(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case !v.low() || !v.PO:
		return nil
	case v.parts():
		return []expr{v_add3_u32.Of(v.product(), c, k(1))}
	}
	x, y := v.factors(false)
	return []expr{v_add3_u32.Of(v_mul_lo_u32.Of(x, y), c, k(1))}
}

// vmadParts: the product, then c.
func vmadParts(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case !v.low() || !v.parts():
		return nil
	case v.negp:
		return []expr{v_sub_u32.Of(c, v.product())}
	case v.NegC:
		return []expr{v_sub_u32.Of(v.product(), c)}
	case v.PO:
		return []expr{v_add_u32.Of(k(1), v.plus(c))}
	}
	return []expr{v.plus(c)}
}

// vmadWords: 32 bits of x·y + c do not depend on signs. −(x·y) is (−x)·y.
func vmadWords(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.low() || v.parts() {
		return nil
	}
	x, y := v.factors(true)
	switch {
	case v.negp:
		return []expr{v_sub_u32.Of(c, v_mul_lo_u32.Of(x, y))}
	case v.NegC:
		return []expr{v_sub_u32.Of(v_mul_lo_u32.Of(x, y), c)}
	case v.PO:
		return []expr{v_add_u32.Of(k(1), v_mad_u32.Of(x, y, c))}
	}
	return []expr{v_mad_u32.Of(x, y, c)}
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

// The sum of a product of parts, p, has 34 bits, so that after the shift .sat has
// nothing to limit. But in the ptxas model an unsigned sum may be negative, is
// shifted as 64 bits without sign, and then is above the limit: its high word is
// −1 and no other sum has one above the result.
func (v vm) shiftedSum(t expr) []expr {
	d := v.shifted(t)
	if v.Sat && !v.signed && v.signedC {
		d = v_max_u32.Of(d, hi(t))
	}
	return []expr{d}
}

// shifted is 32 bits of the pair from bit Shr on.
func (v vm) shifted(t expr) expr {
	return v_alignbit_b32.Of(hi(t), lo(t), k(int64(v.Shr)))
}

// vmadPartsShiftPlusOne: p + (c + 1), where p + 1 would be an op more.
func vmadPartsShiftPlusOne(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case v.Shr == 0 || !v.parts() || !v.PO || !v.narrow() && !v.signedC:
		return nil
	case !v.signedC:
		return v.shiftedSum(v_add_u64_u32.Of(v.product(), v_mad_u64_u32.Of(c, k(1), k(1))))
	case v.narrow():
		return v.shiftedSum(v_add_i64_i32.Of(v.product(), v_mad_i64_i32.Of(c, k(1), k(1))))
	}
	return v.shiftedSum(v_add_u64_u32.Of(v.product(), v_mad_i64_i32.Of(c, k(1), k(1))))
}

// vmadPartsShift: p + 1 fits where p does.
func vmadPartsShift(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if v.Shr == 0 || !v.parts() {
		return nil
	}
	one, ext := k(0), sext
	if v.PO {
		one = k(1)
	}
	if v.unsigned() {
		ext = zext
	}
	switch p := v.product(); {
	case v.negp && v.narrow():
		return v.shiftedSum(minusWord.Of(p, ext(p), sext(c)))
	case v.negp:
		return v.shiftedSum(difference(sext(c), ext(p), none)[0])
	case v.NegC:
		return v.shiftedSum(minusWord.Of(c, sext(c), ext(p)))
	case !v.signedC:
		s := v_add_co_u32.Of(v.plus(one), c)
		return v.shiftedSum(joined(s, v_addc_co_u32.Of(k(0), k(0), s.Out(1))))
	case v.narrow():
		return v.shiftedSum(v_add_i64_i32.Of(v.plus(one), sext(c)))
	}
	return v.shiftedSum(v_add_u64_u32.Of(v.plus(one), sext(c)))
}

// minusWord is the third operand, a pair, minus the first, a word that the
// second extends.
var minusWord = (&op{}).
	or(MAD64, func(x []expr) []expr { return []expr{v_mad_i64_i32.Of(x[0], k(-1), x[2])} }).
	as(func(x []expr) expr { return difference(x[2], x[1], none)[0] })

// vmadNarrowSat: one saturating op after a product that is not negative and fits
// 32 signed bits.
func vmadNarrowSat(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case !v.Sat || v.Shr != 0 || !v.parts() || !v.unsigned() || !v.narrow():
		return nil
	case v.negp:
		return []expr{v_sub_i32_clamp.Of(c, v.product())}
	case v.NegC:
		return []expr{v_sub_i32_clamp.Of(v.product(), c)}
	}
	return nil
}

// vmadPartsSat: the product p, then c, limited.
func vmadPartsSat(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	if !v.Sat || v.Shr != 0 || !v.parts() {
		return nil
	}
	one := k(0)
	if v.PO {
		one = k(1)
	}
	switch p := v.plus(one); {
	case v.negp && v.unsigned(): // c − p ≥ −2^31 is p ≤ c + 2^31
		return []expr{v_sub_u32.Of(c, v_min_u32.Of(p, flip(c)))}
	case v.NegC && v.unsigned(): // p − c ≤ 2^31 − 1 is p + 1 ≤ c + 2^31; ~c = −c − 1
		return []expr{v_xad_u32.Of(c, k(-1), v_min_u32.Of(v.plus(k(1)), flip(c)))}
	case v.negp:
		return []expr{v_sub_i32_clamp.Of(c, p)}
	case v.NegC:
		return []expr{v_sub_i32_clamp.Of(p, c)}
	case v.signed:
		return []expr{v_add_i32_clamp.Of(p, c)}
	case !v.signedC:
		return []expr{v_add_u32_clamp.Of(p, c)}
	case !v.narrow(): // 0 ≤ p + c < 2^32 is −2^31 ≤ (p − 2^31) + c < 2^31
		return []expr{flip(v_add_i32_clamp.Of(flip(p), c))}
	}
	// p + c ≥ 0 is c ≥ −p, p + c + 1 ≥ 0 is c ≥ ~p; then it is below 2^32
	n := v_not_b32.Of(v.product())
	if !v.PO {
		n = v_sub_u32.Of(k(0), v.product())
	}
	return []expr{v_sub_u32.Of(v_max_i32.Of(c, n), n)}
}
