package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// mul24, mad24, mul and mad without carries.
var mulRules = isel.Table{
	// Only bits 23..0 count.
	isel.R("mul24.lo.u32", PredCarry, IMAD.Of(low24(a), low24(b), zero)),
	isel.R("mad24.lo.u32", PredCarry, IMAD.Of(low24(a), low24(b), c)),
	isel.R("mul24.lo.s32", PredCarry, IMAD.Of(sext24(a), sext24(b), zero)),
	isel.R("mad24.lo.s32", PredCarry, IMAD.Of(sext24(a), sext24(b), c)),

	// (a·2^8)·(b·2^8) is t·2^16, so its high word is t<47..16>.
	isel.R("mul24.hi.u32", PredCarry, high24(WIDE_U)),
	isel.R("mul24.hi.s32", PredCarry, high24(WIDE)),
	isel.R("mad24.hi.u32", PredCarry, add(high24(WIDE_U), c)),
	isel.R("mad24.hi.s32", PredCarry, add(high24(WIDE), c)),
	isel.R("mad24.hi.sat.s32", PredCarry|SignLogic, addSat(high24(WIDE), c)),

	// The low half of a product does not depend on the signs.
	isel.R("mul.lo.{u,s}32", PredCarry, IMAD.Of(a, b, zero)),
	isel.R("mad.lo.{u,s}32", PredCarry, IMAD.Of(a, b, c)),
	isel.R("mul.hi.u32", PredCarry, hi(WIDE_U.Of(a, b, zero))),
	isel.R("mul.hi.s32", PredCarry, hi(WIDE.Of(a, b, zero))),
	isel.R("mad.hi.u32", PredCarry, add(hi(WIDE_U.Of(a, b, zero)), c)),
	isel.R("mad.hi.s32", PredCarry, add(hi(WIDE.Of(a, b, zero)), c)),
	isel.R("mad.hi.sat.s32", PredCarry|SignLogic, addSat(hi(WIDE.Of(a, b, zero)), c)),
	isel.R("mul.wide.u32", PredCarry, WIDE_U.Of(a, b, zero)),
	isel.R("mul.wide.s32", PredCarry, WIDE.Of(a, b, zero)),
	isel.R("mad.wide.u32", PredCarry, WIDE_U.Of(a, b, c)),
	isel.R("mad.wide.s32", PredCarry, WIDE.Of(a, b, c)),

	// 16-bit operands are zero-extended, and so must the results be.
	isel.R("mul.lo.{u,s}16", PredCarry, low16(IMAD.Of(a, b, zero))),
	isel.R("mad.lo.{u,s}16", PredCarry, low16(IMAD.Of(a, b, c))),
	isel.R("mul.hi.u16", PredCarry, shr(IMAD.Of(a, b, zero), 16)),
	isel.R("mul.hi.s16", PredCarry, shr(IMAD.Of(sext16(a), sext16(b), zero), 16)),
	// (p + c·2^16)<31..16> = p<31..16> + c modulo 2^16.
	isel.R("mad.hi.u16", PredCarry, shr(IMAD.Of(a, b, shl(c, 16)), 16)),
	isel.R("mad.hi.s16", PredCarry, shr(IMAD.Of(sext16(a), sext16(b), shl(c, 16)), 16)),
	isel.R("mul.wide.u16", PredCarry, IMAD.Of(a, b, zero)),
	isel.R("mul.wide.s16", PredCarry, IMAD.Of(sext16(a), sext16(b), zero)),
	isel.R("mad.wide.u16", PredCarry, IMAD.Of(a, b, c)),
	isel.R("mad.wide.s16", PredCarry, IMAD.Of(sext16(a), sext16(b), c)),

	// a·b + c = aL·bL + c + (aL·bH + aH·bL)·2^32 modulo 2^64.
	isel.R("mul.lo.{u,s}64", PredCarry, low64(WIDE_U.Of(lo(a), lo(b), zero))),
	isel.R("mad.lo.{u,s}64", PredCarry, low64(WIDE_U.Of(lo(a), lo(b), c))),
	isel.R("mul.hi.u64", PredCarry, high64(nil, false)),
	isel.R("mul.hi.s64", PredCarry, high64(nil, true)),
	isel.R("mad.hi.u64", PredCarry, high64(plus(c), false)),
	isel.R("mad.hi.s64", PredCarry, high64(plus(c), true)),
}

func high24(wide *mach.Op) expr { return hi(wide.Of(shl(a, 8), shl(b, 8), zero)) }

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
func high64(addend func(m carried) expr, signed bool) expr {
	t := WIDE_U.Of(lo(a), hi(b), zext64(hi(WIDE_U.Of(lo(a), lo(b), zero))))
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

// plus adds the pair x: its carry and m's go into the high word at once.
func plus(x expr) func(m carried) expr {
	return func(m carried) expr { return m.highest(x, IADD3_C.Of(m.word, lo(x))) }
}

// plusCarry adds the pair x and a carry.
func plusCarry(x, cf expr) func(m carried) expr {
	return func(m carried) expr { return m.highest(x, IADD3_X_C.Of(m.word, lo(x), cf)) }
}

func (m carried) highest(x, low expr) expr {
	return pair(low, IADD3_XX.Of(hi(x), zero, m.top, low.Out(1)))
}
