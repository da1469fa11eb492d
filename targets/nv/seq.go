package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// Short sequences that many rules are made of.

type expr = mach.Expr

// The operands of the matched form.
var a, b, c, e = mach.Arg(0), mach.Arg(1), mach.Arg(2), mach.Arg(3)

var (
	zero  = mach.K(0)
	one   = mach.K(1)
	yes   = mach.K(1)  // PT
	minus = mach.K(-1) // all ones
)

func lo(x expr) expr           { return mach.LoHalf(x) }
func hi(x expr) expr           { return mach.HiHalf(x) }
func pair(l, h expr) expr      { return mach.Pair(l, h) }
func notP(p expr) expr         { return mach.Not(p) }
func when(p, x, old expr) expr { return mach.Guard(p, x, old) }

func add(x, y expr) expr { return IADD3.Of(x, y, zero) }
func sub(x, y expr) expr { return ISUB.Of(x, y) }

func logic(x, y, z expr, table int64) expr { return LOP3.Of(x, y, z, mach.K(table)) }
func and(x, y expr) expr                   { return logic(x, y, zero, lutAnd) }
func or(x, y expr) expr                    { return logic(x, y, zero, lutOr) }
func xor(x, y expr) expr                   { return logic(x, y, zero, lutXor) }
func not(x expr) expr                      { return logic(zero, x, zero, lutNotB) }

func plogic(p, q expr, table int64) expr { return PLOP3.Of(p, q, yes, mach.K(table)) }

func shl(x expr, n int64) expr { return SHL.Of(x, mach.K(n)) }
func shr(x expr, n int64) expr { return SHR.Of(x, mach.K(n)) }
func sar(x expr, n int64) expr { return SAR.Of(x, mach.K(n)) }

func permute(x expr, selector int64) expr { return PRMT.Of(x, mach.K(selector), zero) }

func sext8(x expr) expr  { return permute(x, 0x8880) }
func sext16(x expr) expr { return permute(x, 0x9910) }
func low8(x expr) expr   { return and(x, mach.K(0xff)) }
func low16(x expr) expr  { return and(x, mach.K(0xffff)) }
func low24(x expr) expr  { return and(x, mach.K(0xffffff)) }
func sext24(x expr) expr { return SGXT.Of(x, mach.K(24)) }

// zext64 and sext64 make a pair in one instruction, where a zero or a sign
// beside x would also take a move.
func zext64(x expr) expr { return WIDE_U.Of(x, one, zero) }
func sext64(x expr) expr { return WIDE.Of(x, one, zero) }

// isetp is the comparison of two words, combined with a predicate.
func isetp(cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) expr {
	return isetps[comparison{cmp, unsigned, with, false}].Of(x, y, p)
}

// is compares two words as signed, isU as unsigned.
func is(cmp ptx.Cmp, x, y expr) expr  { return isetp(cmp, false, ptx.BoolAnd, x, y, yes) }
func isU(cmp ptx.Cmp, x, y expr) expr { return isetp(cmp, true, ptx.BoolAnd, x, y, yes) }

// isetp64 compares pairs: the low words decide where the high ones are equal.
func isetp64(cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) expr {
	low := isU(cmp, lo(x), lo(y))
	return isetps[comparison{cmp, unsigned, with, true}].Of(hi(x), hi(y), p, low)
}

// bit is predicate p as 0 or 1.
func bit(p expr) expr { return SEL.Of(zero, one, notP(p)) }

func sel64(p, x, y expr) expr {
	return pair(SEL.Of(lo(x), lo(y), p), SEL.Of(hi(x), hi(y), p))
}

// each applies a word operation to both halves.
func each(f func(x, y expr) expr, x, y expr) expr {
	return pair(f(lo(x), lo(y)), f(hi(x), hi(y)))
}

// sub64 is x − y: x + ~y + 1.
func sub64(x, y expr) expr {
	l := ISUB_C.Of(lo(x), lo(y))
	return pair(l, ISUB_X.Of(hi(x), hi(y), l.Out(1)))
}

func add64(x, y expr) expr {
	l := IADD3_C.Of(lo(x), lo(y))
	return pair(l, IADD3_X.Of(hi(x), hi(y), l.Out(1)))
}

func shl64(x, n expr) expr {
	return pair(SHL.Of(lo(x), n), SHL64_HI.Of(lo(x), n, hi(x)))
}

func shr64(x, n expr, signed bool) expr {
	if signed {
		return pair(SAR64.Of(lo(x), n, hi(x)), SAR.Of(hi(x), n))
	}
	return pair(SHR64.Of(lo(x), n, hi(x)), SHR.Of(hi(x), n))
}
