package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// mul24, mad24, mul, mad and the carry family on sm_50 to sm_62, where XMAD
// multiplies halves. No product here writes CC, so that a carry passes it by.
var maxwellRules = isel.Table{
	isel.R("mul24.lo.u32", HalfMul, product24{}.low(zero)),
	isel.R("mul24.lo.s32", HalfMul, product24{true}.low(zero)),
	isel.R("mad24.lo.u32", HalfMul, product24{}.low(c)),
	isel.R("mad24.lo.s32", HalfMul, product24{true}.low(c)),
	isel.R("mul24.hi.u32", HalfMul, product24{}.high()),
	isel.R("mul24.hi.s32", HalfMul, product24{true}.high()),
	isel.R("mad24.hi.u32", HalfMul, cc.add(product24{}.high(), c)),
	isel.R("mad24.hi.s32", HalfMul, cc.add(product24{true}.high(), c)),
	isel.R("mad24.hi.sat.s32", HalfMul, F_IADD_SAT.Of(product24{true}.high(), c)),

	isel.R("mul.lo.{u,s}32", HalfMul, low32(a, b, zero)),
	isel.R("mad.lo.{u,s}32", HalfMul, low32(a, b, c)),
	isel.R("mul.hi.u32", HalfMul, unsignedHalves(a, b).high(zero)),
	isel.R("mul.hi.s32", HalfMul, signedHalves(a, b).high(zero)),
	isel.R("mad.hi.u32", HalfMul, unsignedHalves(a, b).high(c)),
	isel.R("mad.hi.s32", HalfMul, signedHalves(a, b).high(c)),
	isel.R("mad.hi.sat.s32", HalfMul, F_HI_SAT.Of(a, b, c)),
	isel.R("mul.wide.u32", HalfMul, unsignedHalves(a, b).wide(zero)),
	isel.R("mul.wide.s32", HalfMul, signedHalves(a, b).wide(zero)),
	isel.R("mad.wide.u32", HalfMul, unsignedHalvesPlus(a, b, lo(c)).wide(hi(c))),
	// The low word of the addend goes to the product with the carry.
	isel.R("mad.wide.s32", HalfMul, cc.add64(signedHalves(a, b).wide(hi(c)), pair(lo(c), zero))),

	// 16-bit operands are zero-extended, and so must the results be.
	isel.R("mul.lo.{u,s}16", HalfMul, cc.low16(X_LL.Of(a, b, zero))),
	isel.R("mad.lo.{u,s}16", HalfMul, cc.low16(X_LL.Of(a, b, c))),
	isel.R("mul.hi.u16", HalfMul, cc.shr(X_LL.Of(a, b, zero), 16)),
	isel.R("mul.hi.s16", HalfMul, cc.shr(X_SS.Of(a, b, zero), 16)),
	// ⌊(p + c·2^16) / 2^16⌋ = ⌊p / 2^16⌋ + c, and a store of 16 bits needs no mask.
	isel.R("mad.hi.u16", HalfMul, cc.low16(F_LEA_HI.Of(X_LL.Of(a, b, zero), c, zero, mach.K(16)))),
	isel.R("mad.hi.s16", HalfMul, cc.shr(X_SS.Of(a, b, cc.shl(c, 16)), 16)),
	isel.R("mul.wide.u16", HalfMul, X_LL.Of(a, b, zero)),
	isel.R("mul.wide.s16", HalfMul, X_SS.Of(a, b, zero)),
	isel.R("mad.wide.u16", HalfMul, X_LL.Of(a, b, c)),
	isel.R("mad.wide.s16", HalfMul, X_SS.Of(a, b, c)),

	isel.G("halves", "{mul,mad,madc}.wide*.u16 *", HalfMul, func(f ptx.Form, _ ptx.Model) []expr {
		row := xmadSums[index(f.ReadsCF())][index(f.CC)][index(f.SelA == ptx.H1)][index(f.SelB == ptx.H1)]
		switch {
		case f.Op == ptx.Mul:
			return []expr{row.Of(a, b, zero)}
		case f.ReadsCF() && f.CC:
			return carryOut(row.Of(a, b, c, e))
		case f.ReadsCF():
			return []expr{row.Of(a, b, c, e)}
		case f.CC:
			return carryOut(row.Of(a, b, c))
		}
		return []expr{row.Of(a, b, c)}
	}),

	isel.R("mul.lo.{u,s}64", HalfMul, cross(unsignedHalves(lo(a), lo(b)), zero)),
	isel.R("mad.lo.{u,s}64", HalfMul, cross(unsignedHalvesPlus(lo(a), lo(b), lo(c)), hi(c))),
	isel.R("mul.hi.u64", HalfMul, high128()),
	isel.R("mul.hi.s64", HalfMul, signedHigh128()),
	isel.R("mad.hi.u64", HalfMul, cc.add64(high128(), c)),
	isel.R("mad.hi.s64", HalfMul, cc.add64(signedHigh128(), c)),

	isel.G("mad.cc", "{mad.lo.cc,mad.hi.cc,mad.wide.cc,madc}.*{32,64}", HalfMul, func(f ptx.Form, _ ptx.Model) []expr {
		return addTerms(f, maxwellProduct(f), c, e, f.T == ptx.S64 && f.Mode == ptx.Hi)
	}),
}

// product24 is the product t of the low 24 bits of a and b. With bytes a2 and b2
// above the halves aL and bL, which are not negative, it is
//
//	aL·bL + (a2·bL + aL·b2)·2^16 + a2·b2·2^32
type product24 struct{ signed bool }

// mixed is VMAD of half 0 of x and byte 2 of y.
func (p product24) mixed(x, y, addend expr) expr {
	t := map[bool]ptx.Type{false: ptx.U32, true: ptx.S32}[p.signed]
	return VMAD(ptx.Form{Op: ptx.Vmad, A: ptx.U32, B: t, SelA: ptx.H0, SelB: ptx.B2}).Of(x, y, addend)
}

// low is t + addend modulo 2^32.
func (p product24) low(addend expr) expr {
	middle := p.mixed(b, a, p.mixed(a, b, zero))
	return X_LL_PSL.Of(middle, one, X_LL.Of(a, b, addend))
}

// high is ⌊t / 2^16⌋ modulo 2^32: ⌊aL·bL / 2^16⌋ + a2·bL + aL·b2 + a2·b2·2^16.
func (p product24) high() expr {
	t := map[bool]ptx.Type{false: ptx.U32, true: ptx.S32}[p.signed]
	top := VMAD(ptx.Form{Op: ptx.Vmad, A: t, B: t, SelA: ptx.B2, SelB: ptx.B2}).Of(a, b, zero)
	ends := X_PSL_CHI.Of(top, one, X_LL.Of(a, b, zero))
	return p.mixed(b, a, p.mixed(a, b, ends))
}

// low32 is x·y + addend modulo 2^32: with z the low half of xL·yH, and yL above
// it, it is xL·yL + addend + z·2^16 + xH·yL·2^16.
func low32(x, y, addend expr) expr {
	return X_HH_CBCC.Of(x, X_LH_MRG.Of(x, y, zero), X_LL.Of(x, y, addend))
}

// halves are the four products of the halves of words x and y, with what an
// addend below 2^32 adds:
//
//	x·y + addend = low<15..0> + (up + down)·2^16 + xH·yH·2^32
//
// up and down have 32 bits each: (2^16−1)² + 2^16 − 1 < 2^32.
type halves struct {
	x, y          expr
	low, up, down expr
	top           *mach.Op // of xH·yH, made right for signs
}

func unsignedHalves(x, y expr) halves {
	low := X_LL.Of(x, y, zero)
	return halves{x, y, low, X_LH.Of(x, y, zero), X_HL_CHI.Of(x, y, low), X_HH}
}

// signedHalves: up and down are negative where a factor is and the other's low
// half is not 0; top takes the 2^16 that they count too much as unsigned.
func signedHalves(x, y expr) halves {
	low := X_LL.Of(x, y, zero)
	return halves{x, y, low, X_US_LH.Of(x, y, zero), X_SU_CHI.Of(x, y, low), X_CSFU}
}

// unsignedHalvesPlus adds a word: its low half to low, its high half to up.
func unsignedHalvesPlus(x, y, addend expr) halves {
	low := X_LL_CLO.Of(x, y, addend)
	return halves{x, y, low, X_LH_CHI.Of(x, y, addend), X_HL_CHI.Of(x, y, low), X_HH}
}

// unsignedHalvesPlus2 adds two words.
func unsignedHalvesPlus2(x, y, p, q expr) halves {
	low := F_IADD3_L.Of(X_LL.Of(x, y, zero), p, q)
	return halves{x, y, low, F_IADD3_H.Of(X_LH.Of(x, y, zero), p, q), X_HL_CHI.Of(x, y, low), X_HH}
}

// high is the high word plus an addend.
func (h halves) high(addend expr) expr {
	return F_IADD3_RS.Of(h.down, h.up, h.top.Of(h.x, h.y, addend))
}

func (h halves) lowWord() expr { return F_IADD3_LS.Of(h.down, h.up, h.low) }

// wide is the pair, its high word plus an addend.
func (h halves) wide(addend expr) expr {
	return pair(h.lowWord(), h.high(addend))
}

// cross is bits 63..0 of a·b plus what h adds and addend·2^32, h being the halves
// of aL·bL: the halves of aL·bH and aH·bL go into the high word, whole or
// shifted.
func cross(h halves, addend expr) expr {
	al, ah, bl, bh := lo(a), hi(a), lo(b), hi(b)
	t := X_LL.Of(ah, bl, X_LL.Of(al, bh, h.high(addend)))
	t = X_HL_PSL.Of(al, bh, X_LH_PSL.Of(al, bh, t))
	t = X_HL_PSL.Of(ah, bl, X_LH_PSL.Of(ah, bl, t))
	return pair(h.lowWord(), t)
}

// high128 is bits 127..64 of a·b, unsigned:
//
//	m = aL·bH + ⌊aL·bL / 2^32⌋             64 bits
//	n = aH·bL + m<31..0>                   64 bits
//	a·b / 2^64 = aH·bH + m<63..32> + n<63..32>
func high128() expr {
	m := unsignedHalvesPlus(lo(a), hi(b), unsignedHalves(lo(a), lo(b)).high(zero)).wide(zero)
	n := unsignedHalvesPlus(hi(a), lo(b), lo(m)).high(zero)
	return unsignedHalvesPlus2(hi(a), hi(b), hi(m), n).wide(zero)
}

// signedHigh128 takes b for a < 0 and a for b < 0 from that.
func signedHigh128() expr {
	return takeNegative(hi(b), a, takeNegative(hi(a), b, high128()))
}

// takeNegative is w − x where the word s is negative, else w.
func takeNegative(s, x, w expr) expr {
	masked := func(part expr) expr { return F_ICMP_LT.Of(part, zero, s) }
	return cc.sub64(w, pair(masked(lo(x)), masked(hi(x))))
}

// maxwellProduct is the part of a·b that a form of mad with carries adds to.
func maxwellProduct(f ptx.Form) expr {
	switch {
	case f.Mode == ptx.Wide && f.T.Signed():
		return signedHalves(a, b).wide(zero)
	case f.Mode == ptx.Wide:
		return unsignedHalves(a, b).wide(zero)
	case f.T == ptx.S64 && f.Mode == ptx.Hi:
		return signedHigh128()
	case f.T.Bits() == 64 && f.Mode == ptx.Hi:
		return high128()
	case f.T.Bits() == 64:
		return cross(unsignedHalves(lo(a), lo(b)), zero)
	case f.Mode == ptx.Lo:
		return low32(a, b, zero)
	case f.T == ptx.S32:
		return signedHalves(a, b).high(zero)
	}
	return unsignedHalves(a, b).high(zero)
}
