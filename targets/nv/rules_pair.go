package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// Signed wide multiply-adds with a carry out: that of the 64-bit addition.
var (
	WIDE_C   = twice("IMAD.WIDE", "$d, $e, $0, $1, $2", "dp<rbd", wideCarryS(0))
	WIDE_X_C = twice("IMAD.WIDE.X", "$d, $e, $0, $1, $2, $3", "dp<rbdp", wideCarryS(3))
)

func wideCarryS(cf int) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		var c *sem.Term
		if cf > 0 {
			c = in[cf]
		}
		sum, out := b.AddCarry(product64(b, in, true), in[2], c)
		return []*sem.Term{sum, out}
	}
}

// pairRules are for what fusing makes of mad.lo.cc and madc.hi(.cc): the carry
// of the low half goes into the high half, so both are one wide multiply-add.
var pairRules = isel.Table{
	isel.R("mad.wide.cc.u32", PredCarry, carryOut(WIDE_U_C.Of(a, b, c))...),
	isel.R("mad.wide.cc.s32", PredCarry, carryOut(WIDE_C.Of(a, b, c))...),
	isel.R("madc.wide.u32", PredCarry, WIDE_U_X.Of(a, b, c, e)),
	isel.R("madc.wide.s32", PredCarry, WIDE_X.Of(a, b, c, e)),
	isel.R("madc.wide.cc.u32", PredCarry, carryOut(WIDE_U_X_C.Of(a, b, c, e))...),
	isel.R("madc.wide.cc.s32", PredCarry, carryOut(WIDE_X_C.Of(a, b, c, e))...),
}

func carryOut(x expr) []mach.Expr { return []mach.Expr{x, x.Out(1)} }
