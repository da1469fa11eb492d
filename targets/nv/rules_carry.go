package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// add, sub and the carry family. CF is the adder's carry-out, in a predicate.
var carryRules = isel.Table{
	isel.R("add.{u,s}16", PredCarry, low16(add(a, b))),
	isel.R("sub.{u,s}16", PredCarry, low16(sub(a, b))),
	isel.R("add.{u,s}32", PredCarry, add(a, b)),
	isel.R("sub.{u,s}32", PredCarry, sub(a, b)),
	isel.R("add.{u,s}64", PredCarry, add64(a, b)),
	isel.R("sub.{u,s}64", PredCarry, sub64(a, b)),
	isel.R("add.sat.s32", PredCarry|SignLogic, addSat(a, b)),
	isel.R("sub.sat.s32", PredCarry|SignLogic, subSat(a, b)),

	// Without a carry-out the multiplier takes the addend and the carry: low32
	// of a·b + c + CF, the low pair of aL·bL + c + CF, ⌊m / 2^32⌋ + c + CF.
	isel.R("madc.lo.{u,s}32", PredCarry, IMAD_X.Of(a, b, c, e)),
	isel.R("madc.lo.{u,s}64", PredCarry, low64(WIDE_U_X.Of(lo(a), lo(b), c, e))),
	isel.R("madc.hi.u64", PredCarry, high64(plusCarry(c, e), false)),
	isel.R("madc.hi.s64", PredCarry, high64(plusCarry(c, e), true)),

	// The rest is x + y + CF, with x = a or half of a·b, y = b, ~b or c.
	isel.G("carry", "{add.cc,addc,sub.cc,subc,mad.lo.cc,mad.hi.cc,madc}.*", PredCarry, chain),
}

func chain(f ptx.Form, _ ptx.Model) []expr {
	x, y, cf := a, b, c
	if f.Op == ptx.Mad || f.Op == ptx.Madc {
		x, y, cf = half(f), c, e
	}
	w := adders{IADD3_C, IADD3_X, IADD3_X_C}
	if f.SubFamily() {
		w = adders{ISUB_C, ISUB_X, ISUB_X_C}
	}
	if f.T.Bits() == 32 {
		return w.add(x, y, cf, f.ReadsCF(), f.CC)
	}
	l := w.add(lo(x), lo(y), cf, f.ReadsCF(), true)
	h := w.add(hi(x), hi(y), l[1], true, f.CC)
	h[0] = pair(l[0], h[0])
	return h
}

// half is the low or high half of a·b.
func half(f ptx.Form) expr {
	signed, wide := f.T.Signed(), WIDE_U
	if signed {
		wide = WIDE
	}
	switch {
	case f.T.Bits() == 64 && f.Mode == ptx.Lo:
		return low64(WIDE_U.Of(lo(a), lo(b), zero))
	case f.T.Bits() == 64:
		return high64(nil, signed)
	case f.Mode == ptx.Lo:
		return IMAD.Of(a, b, zero)
	}
	return hi(wide.Of(a, b, zero))
}

// adders are the rows of one word of an addition or subtraction: with a
// carry-out, with a carry-in, with both.
type adders struct{ out, in, both *mach.Op }

// add is the sum, and the carry-out where it is wanted.
func (w adders) add(x, y, cf expr, in, out bool) []expr {
	var s expr
	switch {
	case !out:
		return []expr{w.in.Of(x, y, cf)}
	case in:
		s = w.both.Of(x, y, cf)
	default:
		s = w.out.Of(x, y)
	}
	return []expr{s, s.Out(1)}
}
