package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// mul24, mad24, mul, mad and the carry family on sm_20 to sm_37, where IMAD
// multiplies words and adds with the carry.
var fermiRules = isel.Table{
	// Only bits 23..0 count.
	isel.R("mul24.lo.u32", WordMul, F_IMUL.Of(cc.low24(a), cc.low24(b))),
	isel.R("mad24.lo.u32", WordMul, F_IMAD.Of(cc.low24(a), cc.low24(b), c)),
	isel.R("mul24.lo.s32", WordMul, F_IMUL.Of(cc.sext24(a), cc.sext24(b))),
	isel.R("mad24.lo.s32", WordMul, F_IMAD.Of(cc.sext24(a), cc.sext24(b), c)),
	// (a·2^8)·(b·2^8) is t·2^16, so its high word is t<47..16>.
	isel.R("mul24.hi.u32", WordMul, F_IMUL_HI_U.Of(cc.shl(a, 8), cc.shl(b, 8))),
	isel.R("mul24.hi.s32", WordMul, F_IMUL_HI.Of(cc.shl(a, 8), cc.shl(b, 8))),
	isel.R("mad24.hi.u32", WordMul, F_HI_U.Of(cc.shl(a, 8), cc.shl(b, 8), c)),
	isel.R("mad24.hi.s32", WordMul, F_HI.Of(cc.shl(a, 8), cc.shl(b, 8), c)),
	isel.R("mad24.hi.sat.s32", WordMul, F_HI_SAT.Of(cc.shl(a, 8), cc.shl(b, 8), c)),

	isel.R("mul.lo.{u,s}32", WordMul, F_IMUL.Of(a, b)),
	isel.R("mad.lo.{u,s}32", WordMul, F_IMAD.Of(a, b, c)),
	isel.R("mul.hi.u32", WordMul, F_IMUL_HI_U.Of(a, b)),
	isel.R("mul.hi.s32", WordMul, F_IMUL_HI.Of(a, b)),
	isel.R("mad.hi.u32", WordMul, F_HI_U.Of(a, b, c)),
	isel.R("mad.hi.s32", WordMul, F_HI.Of(a, b, c)),
	isel.R("mad.hi.sat.s32", WordMul, F_HI_SAT.Of(a, b, c)),
	isel.R("mul.wide.u32", WordMul, pair(F_IMUL.Of(a, b), F_IMUL_HI_U.Of(a, b))),
	isel.R("mul.wide.s32", WordMul, pair(F_IMUL.Of(a, b), F_IMUL_HI.Of(a, b))),
	isel.R("mad.wide.u32", WordMul, plainWide.add(a, b, c)),
	isel.R("mad.wide.s32", WordMul, signedWide.add(a, b, c)),

	// 16-bit operands are zero-extended, and so must the results be; VMAD takes
	// signed halves.
	isel.R("mul.lo.{u,s}16", WordMul, cc.low16(F_IMUL.Of(a, b))),
	isel.R("mad.lo.{u,s}16", WordMul, cc.low16(F_IMAD.Of(a, b, c))),
	isel.R("mul.hi.u16", WordMul, cc.shr(F_IMUL.Of(a, b), 16)),
	isel.R("mul.hi.s16", WordMul, cc.shr(signedHalfMul.Of(a, b, zero), 16)),
	// (p + c·2^16)<31..16> = p<31..16> + c modulo 2^16.
	isel.R("mad.hi.u16", WordMul, cc.shr(F_IMAD.Of(a, b, cc.shl(c, 16)), 16)),
	isel.R("mad.hi.s16", WordMul, cc.shr(signedHalfMul.Of(a, b, cc.shl(c, 16)), 16)),
	isel.R("mul.wide.u16", WordMul, F_IMUL.Of(a, b)),
	isel.R("mul.wide.s16", WordMul, signedHalfMul.Of(a, b, zero)),
	isel.R("mad.wide.u16", WordMul, F_IMAD.Of(a, b, c)),
	isel.R("mad.wide.s16", WordMul, signedHalfMul.Of(a, b, c)),

	// a·b + c = aL·bL + c + (aL·bH + aH·bL)·2^32 modulo 2^64.
	isel.R("mul.lo.{u,s}64", WordMul, pair(F_IMUL.Of(lo(a), lo(b)), plusCross(F_IMUL_HI_U.Of(lo(a), lo(b))))),
	isel.R("mad.lo.{u,s}64", WordMul, plusCrossHigh(plainWide.add(lo(a), lo(b), c))),
	isel.R("madc.lo.{u,s}64", WordMul, plusCrossHigh(plainWide.addc(lo(a), lo(b), c, e))),
	isel.R("mul.hi.u64", WordMul, fermiHigh128(zero)),
	isel.R("mul.hi.s64", WordMul, fermiSignedHigh128()),
	isel.R("mad.hi.u64", WordMul, cc.add64(fermiHigh128(zero), c)),
	isel.R("mad.hi.s64", WordMul, cc.add64(fermiSignedHigh128(), c)),
	// aH·bH takes the addend and the carry before the middle products.
	isel.R("madc.hi.u64", WordMul, fermiHigh128After(plainWide.addc(hi(a), hi(b), c, e))),
	// The carry is saved and goes into a middle product, which has room for it.
	isel.R("madc.hi.cc.u64", WordMul, fermiHigh128Carry()...),

	isel.G("mad.wide.cc", "{mad.wide.cc,madc.wide}.*32", WordMul, fermiWideCarry),
	isel.G("mad.cc of words", "{mad.lo.cc,mad.hi.cc,madc}.*32", WordMul, fermiMadCarry),
	isel.G("mad.cc", "{mad.lo.cc,mad.hi.cc,madc}.*64", WordMul, func(f ptx.Form, _ ptx.Model) []expr {
		switch {
		case f.Mode == ptx.Lo:
			return fermiLowCarry(f)
		case f.T.Signed():
			return addTerms(f, fermiSignedHigh128(), c, e, true)
		}
		return addTerms(f, fermiHigh128(zero), c, e, true)
	}),
}

// ccCarryRules are add, sub and their carries on sm_20 to sm_62.
var ccCarryRules = isel.Table{
	isel.R("add.{u,s}16", CarryFlag, cc.low16(cc.add(a, b))),
	isel.R("sub.{u,s}16", CarryFlag, cc.low16(cc.sub(a, b))),
	isel.R("add.{u,s}32", CarryFlag, cc.add(a, b)),
	isel.R("sub.{u,s}32", CarryFlag, cc.sub(a, b)),
	isel.R("add.{u,s}64", CarryFlag, cc.add64(a, b)),
	isel.R("sub.{u,s}64", CarryFlag, cc.sub64(a, b)),
	isel.R("add.sat.s32", CarryFlag, F_IADD_SAT.Of(a, b)),
	isel.R("sub.sat.s32", CarryFlag, F_ISUB_SAT.Of(a, b)),
	isel.G("carry", "{add.cc,addc,sub.cc,subc}.*", CarryFlag, func(f ptx.Form, _ ptx.Model) []expr {
		return addTerms(f, a, b, c, false)
	}),
}

// addTerms is x + y, or x − y, with the carries that the form has; all of x is
// there before the first word is added. Where computing x writes CC, the carry
// waits in a register.
func addTerms(f ptx.Form, x, y, cf expr, clobbers bool) []expr {
	w := adders{F_IADD_C, F_IADD_X, F_IADD_X_C}
	if f.SubFamily() {
		w = adders{F_ISUB_C, F_ISUB_X, F_ISUB_X_C}
	}
	if f.T.Bits() == 32 && f.Mode != ptx.Wide {
		return w.add(x, y, cf, f.ReadsCF(), f.CC)
	}
	first := lo(x)
	if clobbers && f.ReadsCF() {
		saved := cc.save(cf)
		first, cf = after(saved, first), cc.load(saved)
	}
	l := w.add(first, after(hi(x), lo(y)), cf, f.ReadsCF(), true)
	h := w.add(hi(x), hi(y), l[1], true, f.CC)
	h[0] = pair(l[0], h[0])
	return h
}

// signedHalfMul is VMAD of signed halves.
var signedHalfMul = VMAD(ptx.Form{Op: ptx.Vmad, A: ptx.S32, B: ptx.S32, SelA: ptx.H0, SelB: ptx.H0})

// wideMul is a multiply-add to 64 bits in two instructions, the carry of the low
// words between them.
type wideMul struct{ high *mach.Op }

var (
	plainWide  = wideMul{F_HI_U_X}
	signedWide = wideMul{F_HI_X}
)

func (w wideMul) add(x, y, z expr) expr {
	l := F_IMAD_C.Of(x, y, lo(z))
	return pair(l, w.high.Of(x, y, hi(z), l.Out(1)))
}

func (w wideMul) addc(x, y, z, cf expr) expr {
	l := F_IMAD_X_C.Of(x, y, lo(z), cf)
	return pair(l, w.high.Of(x, y, hi(z), l.Out(1)))
}

// plusCross is the word h + aL·bH + aH·bL.
func plusCross(h expr) expr {
	return F_IMAD.Of(lo(a), hi(b), F_IMAD.Of(hi(a), lo(b), h))
}

func plusCrossHigh(w expr) expr { return pair(lo(w), plusCross(hi(w))) }

// middle is what the products below aH·bH give to bits 127..64 of a·b, unsigned,
// with an addend of 0 or 1:
//
//	m = aL·bH + ⌊aL·bL / 2^32⌋                       64 bits
//	{over, word} = m<63..32> + addend + ⌊(aH·bL + m<31..0>) / 2^32⌋
type middle struct{ word, over expr }

func fermiMiddle(addend expr) middle {
	m := plainWide.add(lo(a), hi(b), pair(F_IMUL_HI_U.Of(lo(a), lo(b)), addend))
	n := F_IMAD_C.Of(hi(a), lo(b), lo(m))
	word := F_HI_U_X_C.Of(hi(a), lo(b), hi(m), n.Out(1))
	over := cc.save(word.Out(1))
	return middle{after(over, word), over}
}

// fermiHigh128 is bits 127..64 of a·b, unsigned, plus an addend of 0 or 1.
func fermiHigh128(addend expr) expr {
	m := fermiMiddle(addend)
	return plainWide.add(hi(a), hi(b), pair(m.word, m.over))
}

// fermiHigh128After adds the middle products to the pair w.
func fermiHigh128After(w expr) expr {
	m := fermiMiddle(zero)
	return cc.add64(w, pair(m.word, m.over))
}

func fermiHigh128Carry() []expr {
	w := fermiHigh128(cc.save(e))
	l := F_IADD_C.Of(lo(w), after(hi(w), lo(c)))
	h := F_IADD_X_C.Of(hi(w), hi(c), l.Out(1))
	return []expr{pair(l, h), h.Out(1)}
}

// fermiSignedHigh128 is bits 127..64 of a·b, signed: the products of a high and a
// low word are signed, and so are their high words m and n.
//
//	m = ⌊(aL·bH + ⌊aL·bL / 2^32⌋) / 2^32⌋
//	n = ⌊(aH·bL + the low word of that) / 2^32⌋
//	a·b / 2^64 = aH·bH + m + n
func fermiSignedHigh128() expr {
	l := F_IMAD_C.Of(lo(a), hi(b), F_IMUL_HI_U.Of(lo(a), lo(b)))
	m := F_HI_US_X.Of(lo(a), hi(b), zero, l.Out(1))
	n := F_HI_US_X.Of(lo(b), hi(a), zero, F_IMAD_C.Of(hi(a), lo(b), after(m, l)).Out(1))
	w := signedWide.add(hi(a), hi(b), pair(after(n, m), cc.sar(m, 31)))
	return cc.add64(w, cc.sext64(n))
}

// The rows of IMAD by what they do with the carry.
var (
	lowMads        = adders{F_IMAD_C, F_IMAD_X, F_IMAD_X_C}
	highMads       = adders{F_HI_U_C, F_HI_U_X, F_HI_U_X_C}
	signedHighMads = adders{F_HI_C, F_HI_X, F_HI_X_C}
)

// mad is a·b + z with the carries wanted.
func (w adders) mad(z, cf expr, in, out bool) []expr {
	var d expr
	switch {
	case !out:
		return []expr{w.in.Of(a, b, z, cf)}
	case in:
		d = w.both.Of(a, b, z, cf)
	default:
		d = w.out.Of(a, b, z)
	}
	return []expr{d, d.Out(1)}
}

// fermiMadCarry is one IMAD.
func fermiMadCarry(f ptx.Form, _ ptx.Model) []expr {
	w := lowMads
	if f.Mode == ptx.Hi {
		w = fermiHighs(f)
	}
	return w.mad(c, e, f.ReadsCF(), f.CC)
}

func fermiHighs(f ptx.Form) adders {
	if f.T.Signed() {
		return signedHighMads
	}
	return highMads
}

// fermiWideCarry is a·b + c of 64 bits: a multiply-add for each word.
func fermiWideCarry(f ptx.Form, _ ptx.Model) []expr {
	l := lowMads.mad(lo(c), e, f.ReadsCF(), true)
	h := fermiHighs(f).mad(hi(c), l[1], true, f.CC)
	h[0] = pair(l[0], h[0])
	return h
}

// fermiLowCarry is a·b + c of 64 bits with a carry-out: that of the sum of the
// product's high word and c's.
func fermiLowCarry(f ptx.Form) []expr {
	l := F_IMAD_C.Of(lo(a), lo(b), lo(c))
	if f.ReadsCF() {
		l = F_IMAD_X_C.Of(lo(a), lo(b), lo(c), e)
	}
	h := F_IADD_X_C.Of(plusCross(F_IMUL_HI_U.Of(lo(a), lo(b))), hi(c), l.Out(1))
	return []expr{pair(l, h), h.Out(1)}
}
