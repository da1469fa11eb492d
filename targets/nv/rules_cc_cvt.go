package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// ccCvt extends or cuts.
func ccCvt(f ptx.Form, _ ptx.Model) []expr {
	to, from := f.T.Bits(), f.A.Bits()
	x := a
	if from == 64 {
		if to == 64 {
			return []expr{a}
		}
		x = lo(a)
	}
	switch {
	case to < from:
		return []expr{ccCut(x, to)}
	case to == from, !f.A.Signed() && to < 64:
		return []expr{x}
	case !f.A.Signed():
		return []expr{cc.zext64(x)}
	case from == 8 && to == 16:
		return []expr{cc.permute(x, 0x7780)} // sign in byte 1, zeros above
	case to == 64:
		return []expr{cc.sext64(ccWord(x, f.A))}
	}
	return []expr{ccWord(x, f.A)}
}

// ccCut is the lowest n bits of x, zero-extended.
func ccCut(x expr, n int) expr {
	switch n {
	case 8:
		return cc.low8(x)
	case 16:
		return cc.low16(x)
	}
	return x
}

// ccWord is a value of type t of at most 32 bits, extended by its sign if it
// has one.
func ccWord(x expr, t ptx.Type) expr {
	switch t {
	case ptx.S8:
		return cc.sext8(x)
	case ptx.S16:
		return cc.sext16(x)
	}
	return x
}

// ccCvtSat limits a to the range of the result's type: a pair first to a
// word, signed or unsigned as the result is.
func ccCvtSat(f ptx.Form, narrow func(l, h, far expr) expr) []expr {
	x, from := a, f.A
	switch {
	case f.T.Bits() == 64:
		return []expr{ccLimit64(f)}
	case from.Bits() == 64 && from.Signed() && f.T.Signed():
		x, from = narrow(lo(a), hi(a), cc.limit(hi(a))), ptx.S32
	case from.Bits() == 64 && from.Signed(): // l, or where h is not 0, 0 or all ones
		x, from = F_ICMP_EQ.Of(lo(a), cc.iset(ptx.Ge, false, hi(a), zero), hi(a)), ptx.U32
	case from.Bits() == 64: // all ones where h is not 0
		x, from = cc.or(lo(a), cc.iset(ptx.Ne, true, hi(a), zero)), ptx.U32
	}
	if from.Bits() == 32 && from == f.T {
		return []expr{x}
	}
	x = F_I2Is[conversion{f.T, from}].Of(x)
	if f.T.Signed() && from.Signed() {
		x = ccCut(x, f.T.Bits())
	}
	return []expr{x}
}

// ccLimit64 is cvt.sat.u64 of a signed value, or cvt.sat.s64.u64.
func ccLimit64(f ptx.Form) expr {
	switch {
	case f.T.Signed(): // a ≥ 2^63 gives 2^63 − 1
		return pair(cc.or(lo(a), cc.sar(hi(a), 31)), F_MIN_U.Of(hi(a), mach.K(0x7fffffff)))
	case f.A.Bits() == 64: // a < 0 gives 0
		return pair(F_ICMP_GE.Of(lo(a), zero, hi(a)), F_MAX.Of(hi(a), zero))
	}
	return cc.zext64(F_MAX.Of(ccWord(a, f.A), zero))
}
