package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// teslaCvt extends or cuts.
func teslaCvt(f ptx.Form, _ ptx.Model) []expr {
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
		return []expr{teslaCut(x, to)}
	case to == from, !f.A.Signed() && to < 64:
		return []expr{x}
	case !f.A.Signed():
		return []expr{te.zext64(x)}
	case to == 64:
		return []expr{te.sext64(teslaWord(x, f.A))}
	}
	return []expr{teslaCut(teslaWord(x, f.A), to)}
}

// teslaCut is the lowest n bits of x, zero-extended.
func teslaCut(x expr, n int) expr {
	switch n {
	case 8:
		return te.mask(x, 0xff)
	case 16:
		return te.low16(x)
	}
	return x
}

// teslaWord is a value of type t of at most 32 bits, extended by its sign if it
// has one.
func teslaWord(x expr, t ptx.Type) expr {
	switch t {
	case ptx.S8:
		return te.sext8(x)
	case ptx.S16:
		return te.sext16(x)
	}
	return x
}

// teslaCvtSat limits a to the range of the result's type: a pair first to a
// word, signed or unsigned as the result is.
func teslaCvtSat(f ptx.Form, _ ptx.Model) []expr {
	from := f.A
	l, h := lo(a), hi(a)
	switch {
	case f.T.Bits() == 64:
		return []expr{teslaLimit64(f)}
	case from.Bits() < 64:
		return []expr{teslaLimit(teslaWord(a, from), f.T, from.Signed())}
	case from.Signed() && f.T.Signed():
		return []expr{teslaLimit(te.narrow(l, h, te.limit(h)), f.T, true)}
	case from.Signed(): // where h is not 0, 0 or all ones
		return []expr{teslaLimit(te.pick(te.isU(ptx.Ne, h, zero), te.ones(ptx.Ge, h, zero), l), f.T, false)}
	}
	return []expr{teslaLimit(te.or(l, te.onesU(ptx.Ne, h, zero)), f.T, false)} // all ones where h is not 0
}

// teslaLimit limits the word x, signed or not, to the range of t, zero-extended.
func teslaLimit(x expr, t ptx.Type, signed bool) expr {
	n := t.Bits()
	least, most := int64(0), int64(1)<<n-1
	if t.Signed() {
		least, most = -1<<(n-1), most>>1
	}
	if n == 32 && t.Signed() == signed {
		return x
	}
	min, max := T_MIN_U, T_MAX_U
	if signed {
		min, max = T_MIN, T_MAX
		x = max.Of(x, mach.K(least))
	}
	if n == 32 && !t.Signed() {
		return x
	}
	x = min.Of(x, mach.K(most))
	if t.Signed() && signed {
		x = teslaCut(x, n)
	}
	return x
}

// teslaLimit64 is cvt.sat.u64 of a signed value, or cvt.sat.s64.u64.
func teslaLimit64(f ptx.Form) expr {
	switch {
	case f.T.Signed(): // a ≥ 2^63 gives 2^63 − 1
		return pair(te.or(lo(a), te.sar(hi(a), 31)), T_MIN_U.Of(hi(a), mach.K(0x7fffffff)))
	case f.A.Bits() == 64: // a < 0 gives 0
		return pair(T_ANDN.Of(lo(a), te.sar(hi(a), 31)), T_MAX.Of(hi(a), zero))
	}
	return te.zext64(T_MAX.Of(teslaWord(a, f.A), zero))
}
