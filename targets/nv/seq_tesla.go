package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// te has the short sequences that the rules of sm_10 to sm_13 are made of.
var te teslaSeq

type teslaSeq struct{}

func (teslaSeq) add(x, y expr) expr { return T_IADD.Of(x, y) }
func (teslaSeq) sub(x, y expr) expr { return T_ISUB.Of(x, y) }
func (teslaSeq) and(x, y expr) expr { return T_AND.Of(x, y) }
func (teslaSeq) or(x, y expr) expr  { return T_OR.Of(x, y) }
func (teslaSeq) xor(x, y expr) expr { return T_XOR.Of(x, y) }
func (teslaSeq) not(x expr) expr    { return T_NOT.Of(x) }

// lessFrom is k − x.
func (teslaSeq) lessFrom(k int64, x expr) expr { return T_IRSUB.Of(x, mach.K(k)) }

func (teslaSeq) mask(x expr, m int64) expr { return T_AND.Of(x, mach.K(m)) }
func (teslaSeq) shl(x expr, n int64) expr  { return T_SHL.Of(x, mach.K(n)) }
func (teslaSeq) shr(x expr, n int64) expr  { return T_SHR.Of(x, mach.K(n)) }
func (teslaSeq) sar(x expr, n int64) expr  { return T_SAR.Of(x, mach.K(n)) }

func (teslaSeq) sext8(x expr) expr  { return te.sar(te.shl(x, 24), 24) }
func (teslaSeq) sext16(x expr) expr { return T_SEXT16.Of(x) }
func (teslaSeq) low16(x expr) expr  { return T_ZEXT16.Of(x) }

func (teslaSeq) zext64(x expr) expr { return pair(x, zero) }
func (teslaSeq) sext64(x expr) expr { return pair(x, te.sar(x, 31)) }

// save is a carry as 0 or 1 in a register, load the reverse.
func (teslaSeq) save(cf expr) expr { return T_IADD_X.Of(zero, zero, cf) }
func (teslaSeq) load(x expr) expr  { return T_SHR_C.Of(x) }

// is compares words as signed, isU as unsigned, to a predicate; ones and onesU
// to all ones or 0.
func (teslaSeq) is(cmp ptx.Cmp, x, y expr) expr    { return T_ISETPs[ordering{cmp, false}].Of(x, y) }
func (teslaSeq) isU(cmp ptx.Cmp, x, y expr) expr   { return T_ISETPs[ordering{cmp, true}].Of(x, y) }
func (teslaSeq) ones(cmp ptx.Cmp, x, y expr) expr  { return T_ISETs[ordering{cmp, false}].Of(x, y) }
func (teslaSeq) onesU(cmp ptx.Cmp, x, y expr) expr { return T_ISETs[ordering{cmp, true}].Of(x, y) }

// bit is 1 where a mask is all ones.
func (teslaSeq) bit(m expr) expr { return te.mask(m, 1) }

// pick is x where the predicate holds, else y.
func (teslaSeq) pick(p, x, y expr) expr { return when(p, T_MOV.Of(x), y) }

func (teslaSeq) pick64(p, x, y expr) expr {
	return pair(te.pick(p, lo(x), lo(y)), te.pick(p, hi(x), hi(y)))
}

func (teslaSeq) each(f func(x, y expr) expr, x, y expr) expr {
	return pair(f(lo(x), lo(y)), f(hi(x), hi(y)))
}

// add64 has all words of x and y before it writes C0.
func (teslaSeq) add64(x, y expr) expr {
	l := T_IADD_C.Of(lo(x), after(hi(x), after(hi(y), lo(y))))
	return pair(l, T_IADD_X.Of(hi(x), hi(y), l.Out(1)))
}

// sub64 is x + ~y + 1.
func (teslaSeq) sub64(x, y expr) expr {
	h := te.not(hi(y))
	l := T_ISUB_C.Of(lo(x), after(hi(x), after(h, lo(y))))
	return pair(l, T_IADD_X.Of(hi(x), h, l.Out(1)))
}

// notLess64 is 1 where x ≥ y: where x + ~y + 1 carries. Signed numbers are
// compared with their signs inverted.
func (teslaSeq) notLess64(unsigned bool, x, y expr) expr {
	xh, yh := hi(x), te.not(hi(y))
	if !unsigned {
		xh, yh = te.xor(xh, mach.K(-1<<31)), te.xor(yh, mach.K(-1<<31))
	}
	l := T_ISUB_C.Of(lo(x), after(xh, after(yh, lo(y))))
	return te.save(T_IADD_X_C.Of(xh, yh, l.Out(1)).Out(1))
}

// shl64 and shr64 shift pairs: counts of 32 and more, and negative ones, shift
// all bits of a word out.
func (teslaSeq) shl64(x, n expr) expr {
	h := te.or(T_SHL.Of(hi(x), n), T_SHR.Of(lo(x), te.lessFrom(32, n)))
	return pair(T_SHL.Of(lo(x), n), te.or(h, T_SHL.Of(lo(x), te.add(n, mach.K(-32)))))
}

func (teslaSeq) shr64(x, n expr, signed bool) expr {
	over := te.add(n, mach.K(-32))
	l := te.or(T_SHR.Of(lo(x), n), T_SHL.Of(hi(x), te.lessFrom(32, n)))
	if signed { // below 32 the count over fills with signs
		return pair(te.pick(te.isU(ptx.Lt, n, mach.K(32)), l, T_SAR.Of(hi(x), over)), T_SAR.Of(hi(x), n))
	}
	return pair(te.or(l, T_SHR.Of(hi(x), over)), T_SHR.Of(hi(x), n))
}

// low32 is x·y + addend modulo 2^32: (xL·yH + xH·yL)·2^16 + xL·yL + addend.
func (teslaSeq) low32(x, y, addend expr) expr {
	cross := te.shl(T_MAD_HL.Of(x, y, T_MUL_LH.Of(x, y)), 16)
	p := T_MAD_LL.Of(x, y, cross)
	if addend == zero {
		return p
	}
	return te.add(p, addend)
}

// wide is x·y of 64 bits, unsigned; no step overflows, and none writes C0:
//
//	low = xL·yL, down = xH·yL + ⌊low / 2^16⌋, up = xL·yH, middle = down + up<15..0>
//	x·y = low<15..0> + middle·2^16 + (xH·yH + ⌊up / 2^16⌋)·2^32
func (teslaSeq) wide(x, y expr) expr {
	low := T_MUL_LL.Of(x, y)
	up := T_MUL_LH.Of(x, y)
	middle := te.add(T_MAD_HL.Of(x, y, te.shr(low, 16)), te.low16(up))
	high := te.add(T_MAD_HH.Of(x, y, te.shr(middle, 16)), te.shr(up, 16))
	return pair(te.or(te.shl(middle, 16), te.low16(low)), high)
}

// negative is x where the word s is negative, else 0.
func (teslaSeq) negative(s, x expr) expr { return te.and(te.sar(s, 31), x) }

// signedWide takes y·2^32 from that for x < 0 and x·2^32 for y < 0.
func (teslaSeq) signedWide(x, y expr) expr {
	w := te.wide(x, y)
	return pair(lo(w), te.sub(te.sub(hi(w), te.negative(x, y)), te.negative(y, x)))
}

// limit is 0x7fffffff for x ≥ 0 and 0x80000000 for x < 0.
func (teslaSeq) limit(x expr) expr { return te.xor(te.sar(x, 31), mach.K(0x7fffffff)) }

// narrow limits a signed pair {h, l} to a signed word: l where h is l's sign,
// else far.
func (teslaSeq) narrow(l, h, far expr) expr {
	return te.pick(te.isU(ptx.Ne, te.sar(l, 31), h), far, l)
}
