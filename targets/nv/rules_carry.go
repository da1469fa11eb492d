package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// carryRules are add, sub and the carry family. CF is the adder's carry-out, in a
// predicate.
func (g isa) carryRules() isel.Table {
	return isel.Table{
		isel.R("add.{u,s}16", PredCarry, g.add(a, b)).If(isel.FitsU(0, 15), isel.FitsU(1, 15)),
		isel.R("add.{u,s}16", PredCarry, low16(g.add(a, b))),
		isel.R("sub.{u,s}16", PredCarry, low16(g.sub(a, b))),
		isel.R("add.{u,s}32", PredCarry, g.add(a, b)),
		isel.R("sub.{u,s}32", PredCarry, g.sub(a, b)),
		isel.R("add.{u,s}64", PredCarry, g.add64(a, b)),
		isel.R("sub.{u,s}64", PredCarry, g.sub64(a, b)),
		isel.R("add.sat.s32", PredCarry, g.add(a, b)).If(isel.FitsS(0, 31), isel.FitsS(1, 31)).Without(Int64),
		isel.R("sub.sat.s32", PredCarry, g.sub(a, b)).If(isel.FitsS(0, 31), isel.FitsS(1, 31)).Without(Int64),
		isel.R("add.sat.s32", PredCarry, g.addSat(a, b)),
		isel.R("sub.sat.s32", PredCarry, g.subSat(a, b)),

		// Without a carry-out the multiplier takes the addend and the carry: low32
		// of a·b + c + CF, the low pair of aL·bL + c + CF, ⌊m / 2^32⌋ + c + CF.
		isel.R("madc.lo.{u,s}32", PredCarry, IMAD_X.Of(a, b, c, e)),
		isel.R("madc.lo.{u,s}64", PredCarry, low64(WIDE_U_X.Of(lo(a), lo(b), c, e))),
		isel.R("madc.hi.u64", PredCarry, g.high64PlusCarry(c, e, false)),
		isel.R("madc.hi.s64", PredCarry, g.high64PlusCarry(c, e, true)),

		// The rest is x + y + CF, with x = a or half of a·b, y = b, ~b or c.
		isel.G("carry", "{add.cc,addc,sub.cc,subc,mad.lo.cc,mad.hi.cc,madc}.*{32,64}", PredCarry, g.chain),
	}
}

func (g isa) chain(f ptx.Form, _ ptx.Model) []expr {
	x, y, cf := a, b, c
	if f.Op == ptx.Mad || f.Op == ptx.Madc {
		x, y, cf = g.half(f), c, e
	}
	if f.T.Bits() == 32 {
		return g.adders(f.SubFamily()).add(x, y, cf, f.ReadsCF(), f.CC)
	}
	return g.chain64(f.SubFamily(), x, y, cf, f.ReadsCF(), f.CC)
}

// half is the low or high half of a·b.
func (g isa) half(f ptx.Form) expr {
	switch signed := f.T.Signed(); {
	case f.T.Bits() == 64 && f.Mode == ptx.Lo:
		return low64(WIDE_U.Of(lo(a), lo(b), zero))
	case f.T.Bits() == 64:
		return g.high64(nil, signed)
	case f.Mode == ptx.Lo:
		return IMAD.Of(a, b, zero)
	default:
		return g.high(signed, a, b, zero)
	}
}
