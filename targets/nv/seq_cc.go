package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// cc has the short sequences that the rules of sm_20 to sm_62 are made of.
var cc fermiSeq

type fermiSeq struct{}

// after is x, computed when first has been: what writes CC must not come between
// a carry and its reader. Both have the same width.
func after(first, x expr) expr { return mach.Guard(yes, x, first) }

func (fermiSeq) add(x, y expr) expr { return F_IADD.Of(x, y) }
func (fermiSeq) sub(x, y expr) expr { return F_ISUB.Of(x, y) }
func (fermiSeq) and(x, y expr) expr { return F_AND.Of(x, y) }
func (fermiSeq) or(x, y expr) expr  { return F_OR.Of(x, y) }
func (fermiSeq) xor(x, y expr) expr { return F_XOR.Of(x, y) }
func (fermiSeq) not(x expr) expr    { return F_NOT.Of(x) }

func (fermiSeq) shl(x expr, n int64) expr { return F_SHL.Of(x, mach.K(n)) }
func (fermiSeq) shr(x expr, n int64) expr { return F_SHR.Of(x, mach.K(n)) }
func (fermiSeq) sar(x expr, n int64) expr { return F_SAR.Of(x, mach.K(n)) }

func (fermiSeq) permute(x expr, selector int64) expr { return F_PRMT.Of(x, mach.K(selector), zero) }

// field is bits lo+n−1 … lo of x, extended.
func (fermiSeq) field(x expr, lo, n int, signed bool) expr {
	k := mach.K(int64(n<<8 | lo))
	if signed {
		return F_BFE.Of(x, k)
	}
	return F_BFE_U.Of(x, k)
}

func (fermiSeq) sext8(x expr) expr  { return cc.field(x, 0, 8, true) }
func (fermiSeq) sext16(x expr) expr { return cc.field(x, 0, 16, true) }
func (fermiSeq) sext24(x expr) expr { return cc.field(x, 0, 24, true) }
func (fermiSeq) low8(x expr) expr   { return cc.and(x, mach.K(0xff)) }
func (fermiSeq) low16(x expr) expr  { return cc.and(x, mach.K(0xffff)) }
func (fermiSeq) low24(x expr) expr  { return cc.and(x, mach.K(0xffffff)) }

func (fermiSeq) zext64(x expr) expr { return pair(x, zero) }
func (fermiSeq) sext64(x expr) expr { return pair(x, cc.sar(x, 31)) }

// save is a carry as 0 or 1, load the reverse: x + 0xffffffff carries where x is
// 1.
func (fermiSeq) save(cf expr) expr { return F_IADD_X.Of(zero, zero, cf) }
func (fermiSeq) load(x expr) expr  { return F_IADD_K.Of(x, minus) }

// isetp is the comparison of two words, combined with a predicate.
func (fermiSeq) isetp(cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) expr {
	return F_ISETPs[comparison{cmp, unsigned, with, false}].Of(x, y, p)
}

func (fermiSeq) is(cmp ptx.Cmp, x, y expr) expr {
	return cc.isetp(cmp, false, ptx.BoolAnd, x, y, yes)
}

func (fermiSeq) isU(cmp ptx.Cmp, x, y expr) expr {
	return cc.isetp(cmp, true, ptx.BoolAnd, x, y, yes)
}

// iset is all ones where the comparison holds, else 0.
func (fermiSeq) iset(cmp ptx.Cmp, unsigned bool, x, y expr) expr {
	return F_ISETs[comparison{cmp, unsigned, ptx.BoolAnd, false}].Of(x, y, yes)
}

// bit is predicate p as 0 or 1.
func (fermiSeq) bit(p expr) expr { return F_SEL.Of(zero, one, notP(p)) }

func (fermiSeq) sel64(p, x, y expr) expr {
	return pair(F_SEL.Of(lo(x), lo(y), p), F_SEL.Of(hi(x), hi(y), p))
}

// combine is the operation of two predicates.
func (fermiSeq) combine(with ptx.BoolOp, p, q expr) expr {
	return map[ptx.BoolOp]*mach.Op{ptx.BoolAnd: F_PAND, ptx.BoolOr: F_POR, ptx.BoolXor: F_PXOR}[with].Of(p, q)
}

// compare64 compares pairs by a row of rows, which combines the test with p: the
// ordering of the high words with the carry of x − y. Equal pairs are equal in
// both words, and unequal ones unequal in one; p joins them as they are joined.
func (fermiSeq) compare64(rows map[comparison]*mach.Op, cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) expr {
	switch cmp {
	case ptx.Eq, ptx.Ne:
		low := cc.isetp(cmp, unsigned, with, lo(x), lo(y), p)
		return rows[comparison{cmp, unsigned, with, false}].Of(hi(x), hi(y), low)
	case ptx.Gt:
		cmp, x, y = ptx.Lt, y, x
	case ptx.Le:
		cmp, x, y = ptx.Ge, y, x
	}
	return rows[comparison{cmp, unsigned, with, true}].Of(hi(x), hi(y), p, F_ISUB_K.Of(lo(x), lo(y)))
}

// alone gives what joins the words of an equality test that stands alone: the
// operation and the predicate that changes nothing.
func alone(cmp ptx.Cmp) (with ptx.BoolOp, p expr) {
	if cmp == ptx.Ne {
		return ptx.BoolOr, notP(yes)
	}
	return ptx.BoolAnd, yes
}

// test64 is the comparison of pairs combined with p, or with ptx.NoBool alone;
// in one is false where an instruction of its own has to combine them.
func (fermiSeq) test64(rows map[comparison]*mach.Op, cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) (d expr, inOne bool) {
	own, none := alone(cmp)
	switch {
	case with == ptx.NoBool:
		return cc.compare64(rows, cmp, unsigned, own, x, y, none), true
	case cmp <= ptx.Ne && with != own:
		return cc.combine(with, cc.compare64(F_ISETPs, cmp, unsigned, own, x, y, none), p), false
	}
	return cc.compare64(rows, cmp, unsigned, with, x, y, p), true
}

// less64 is x < y.
func (fermiSeq) less64(unsigned bool, x, y expr) expr {
	d, _ := cc.test64(F_ISETPs, ptx.Lt, unsigned, ptx.NoBool, x, y, yes)
	return d
}

func (fermiSeq) each(f func(x, y expr) expr, x, y expr) expr {
	return pair(f(lo(x), lo(y)), f(hi(x), hi(y)))
}

// add64 and sub64 have all words of x and y before they write CC.
func (fermiSeq) add64(x, y expr) expr {
	l := F_IADD_C.Of(lo(x), after(hi(x), after(hi(y), lo(y))))
	return pair(l, F_IADD_X.Of(hi(x), hi(y), l.Out(1)))
}

func (fermiSeq) sub64(x, y expr) expr {
	l := F_ISUB_C.Of(lo(x), after(hi(x), after(hi(y), lo(y))))
	return pair(l, F_ISUB_X.Of(hi(x), hi(y), l.Out(1)))
}

// shl64 and shr64 shift pairs with SHF.
func (fermiSeq) shl64(x, n expr) expr {
	return pair(F_SHL.Of(lo(x), n), F_SHL64_HI.Of(lo(x), n, hi(x)))
}

func (fermiSeq) shr64(x, n expr, signed bool) expr {
	if signed {
		return pair(F_SAR64.Of(lo(x), n, hi(x)), F_SAR.Of(hi(x), n))
	}
	return pair(F_SHR64.Of(lo(x), n, hi(x)), F_SHR.Of(hi(x), n))
}

// slowShl64 shifts without SHF: counts of 32 and more, and negative ones, shift
// all bits out.
func (fermiSeq) slowShl64(x, n expr) expr {
	h := cc.or(F_SHL.Of(hi(x), n), F_SHR.Of(lo(x), F_IRSUB.Of(n, mach.K(32))))
	return pair(F_SHL.Of(lo(x), n), cc.or(h, F_SHL.Of(lo(x), cc.add(n, mach.K(-32)))))
}

func (fermiSeq) slowShr64(x, n expr, signed bool) expr {
	over := cc.add(n, mach.K(-32))
	l := cc.or(F_SHR.Of(lo(x), n), F_SHL.Of(hi(x), F_IRSUB.Of(n, mach.K(32))))
	if signed { // below 32 the count over fills with signs
		return pair(F_SEL.Of(l, F_SAR.Of(hi(x), over), cc.isU(ptx.Lt, n, mach.K(32))), F_SAR.Of(hi(x), n))
	}
	return pair(cc.or(l, F_SHR.Of(hi(x), over)), F_SHR.Of(hi(x), n))
}

// limit is 0x7fffffff for x ≥ 0 and 0x80000000 for x < 0.
func (fermiSeq) limit(x expr) expr { return cc.xor(cc.sar(x, 31), mach.K(0x7fffffff)) }

// narrow limits a signed pair {h, l} to a signed word: l where h is l's sign,
// else far.
func (fermiSeq) narrow(l, h, far expr) expr {
	return when(cc.is(ptx.Ne, cc.sar(l, 31), h), far, l)
}

// narrowLEA does it with h + l<31>, which is 0 where h is l's sign.
func (fermiSeq) narrowLEA(l, h, far expr) expr {
	return F_ICMP_EQ.Of(l, far, F_LEA_HI.Of(l, h, zero, one))
}
