package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// mulRules are mul24, mad24, mul and mad without carries.
func (g isa) mulRules() isel.Table {
	return isel.Table{
		// Only bits 23..0 count.
		isel.R("mul24.lo.u32", PredCarry, IMAD.Of(low24(a), low24(b), zero)),
		isel.R("mad24.lo.u32", PredCarry, IMAD.Of(low24(a), low24(b), c)),
		isel.R("mul24.lo.s32", PredCarry, IMAD.Of(sext24(a), sext24(b), zero)),
		isel.R("mad24.lo.s32", PredCarry, IMAD.Of(sext24(a), sext24(b), c)),

		// (a·2^8)·(b·2^8) is t·2^16, so its high word is t<47..16>.
		isel.R("mul24.hi.u32", PredCarry, g.high24(false)),
		isel.R("mul24.hi.s32", PredCarry, g.high24(true)),
		isel.R("mad24.hi.u32", PredCarry, g.add(g.high24(false), c)),
		isel.R("mad24.hi.s32", PredCarry, g.add(g.high24(true), c)),
		// |t<47..16>| <= 2^30.
		isel.R("mad24.hi.sat.s32", PredCarry, g.add(g.high24(true), c)).If(isel.FitsS(2, 31)).Without(Int64),
		isel.R("mad24.hi.sat.s32", PredCarry, g.addSat(g.high24(true), c)),

		// The low half of a product does not depend on the signs.
		isel.R("mul.lo.{u,s}32", PredCarry, IMAD.Of(a, b, zero)),
		isel.R("mad.lo.{u,s}32", PredCarry, IMAD.Of(a, b, c)),
		isel.R("mul.hi.u32", PredCarry, g.high(false, a, b, zero)),
		isel.R("mul.hi.s32", PredCarry, g.high(true, a, b, zero)),
		isel.R("mad.hi.u32", PredCarry, g.add(g.high(false, a, b, zero), c)),
		isel.R("mad.hi.s32", PredCarry, g.add(g.high(true, a, b, zero), c)),
		// |a·b / 2^32| <= 2^30.
		isel.R("mad.hi.sat.s32", PredCarry, g.add(g.high(true, a, b, zero), c)).If(isel.FitsS(2, 31)).Without(Int64),
		isel.R("mad.hi.sat.s32", PredCarry, g.addSat(g.high(true, a, b, zero), c)),
		isel.R("mul.wide.u32", PredCarry, WIDE_U.Of(a, b, zero)),
		isel.R("mul.wide.s32", PredCarry, WIDE.Of(a, b, zero)),
		isel.R("mad.wide.u32", PredCarry, WIDE_U.Of(a, b, c)),
		isel.R("mad.wide.s32", PredCarry, WIDE.Of(a, b, c)),

		// 16-bit operands are zero-extended, and so must the results be.
		isel.R("mul.lo.{u,s}16", PredCarry, IMAD.Of(a, b, zero)).If(isel.FitsU(0, 8), isel.FitsU(1, 8)),
		isel.R("mul.lo.{u,s}16", PredCarry, low16(IMAD.Of(a, b, zero))),
		isel.R("mad.lo.{u,s}16", PredCarry, low16(IMAD.Of(a, b, c))),
		isel.R("mul.hi.u16", PredCarry, shr(IMAD.Of(a, b, zero), 16)),
		isel.R("mul.hi.s16", PredCarry, shr(IMAD.Of(sext16(a), sext16(b), zero), 16)),
		// ⌊(p + c·2^16) / 2^16⌋ = ⌊p / 2^16⌋ + c, and a store of 16 bits needs no mask.
		isel.R("mad.hi.u16", PredCarry, low16(LEA_HI.Of(IMAD.Of(a, b, zero), c, zero, mach.K(16)))),
		isel.R("mad.hi.s16", PredCarry, low16(LEA_HI_S.Of(IMAD.Of(sext16(a), sext16(b), zero), c, mach.K(16)))),
		isel.R("mul.wide.u16", PredCarry, IMAD.Of(a, b, zero)),
		isel.R("mul.wide.s16", PredCarry, IMAD.Of(sext16(a), sext16(b), zero)),
		isel.R("mad.wide.u16", PredCarry, IMAD.Of(a, b, c)),
		isel.R("mad.wide.s16", PredCarry, IMAD.Of(sext16(a), sext16(b), c)),

		// a·b + c = aL·bL + c + (aL·bH + aH·bL)·2^32 modulo 2^64.
		isel.R("mul.lo.{u,s}64", PredCarry, low64(WIDE_U.Of(lo(a), lo(b), zero))),
		isel.R("mad.lo.{u,s}64", PredCarry, low64(WIDE_U.Of(lo(a), lo(b), c))),
		isel.R("mul.hi.u64", PredCarry, g.high64(nil, false)),
		isel.R("mul.hi.s64", PredCarry, g.high64(nil, true)),
		isel.R("mad.hi.u64", PredCarry, g.high64Plus(c, false)),
		isel.R("mad.hi.s64", PredCarry, g.high64Plus(c, true)),
	}
}

func (g isa) high24(signed bool) expr { return g.high(signed, shl(a, 8), shl(b, 8), zero) }

// low64 adds the cross products to the high word of w.
func low64(w expr) expr {
	return pair(lo(w), IMAD.Of(lo(a), hi(b), IMAD.Of(hi(a), lo(b), hi(w))))
}

// carried is a value of 33 bits: a word, and above it a predicate.
type carried struct{ word, top expr }

// high64 is bits 127..64 of a·b. The middle products give the word and the
// carry above bit 63:
//
//	m = aL·bH + ⌊aL·bL / 2^32⌋ + aH·bL    65 bits
//	a·b / 2^64 = aH·bH + ⌊m / 2^32⌋       unsigned
//	           = aH·bH + ⌊m / 2^32⌋ − [a<0]·bL − [b<0]·aL with aH, bH signed
//
// addend, where not nil, makes the pair ⌊m / 2^32⌋ plus an addend.
func (g isa) high64(addend func(m carried) expr, signed bool) expr {
	t := WIDE_U.Of(lo(a), hi(b), zext64(g.high(false, lo(a), lo(b), zero)))
	m := WIDE_U_C.Of(hi(a), lo(b), t)
	over := carried{hi(m), m.Out(1)}
	if addend == nil {
		addend = func(m carried) expr { return pair(m.word, bit(m.top)) }
	}
	if !signed {
		return WIDE_U.Of(hi(a), hi(b), addend(over))
	}
	less := WIDE_U_N.Of(shr(hi(a), 31), lo(b), addend(over))
	return WIDE_N.Of(hi(a), hi(b), WIDE_U.Of(shr(hi(b), 31), lo(a), less))
}

// high64Plus adds the pair x: its carry and m's go into the high word at once.
func (g isa) high64Plus(x expr, signed bool) expr {
	if g.has(Int64) {
		return g.add64(g.high64(nil, signed), x)
	}
	return g.high64(func(m carried) expr { return m.highest(x, IADD3_C.Of(m.word, lo(x))) }, signed)
}

// high64PlusCarry adds the pair x and a carry.
func (g isa) high64PlusCarry(x, cf expr, signed bool) expr {
	if g.has(Int64) {
		return IADD64_X.Of(g.high64(nil, signed), x, cf)
	}
	return g.high64(func(m carried) expr { return m.highest(x, IADD3_X_C.Of(m.word, lo(x), cf)) }, signed)
}

func (m carried) highest(x, low expr) expr {
	return pair(low, IADD3_XX.Of(hi(x), zero, m.top, low.Out(1)))
}
