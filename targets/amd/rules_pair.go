package amd

import "github.com/ptxlower/ptxlower/isel"

// pairRules are for what fusing makes of mad.lo.cc and madc.hi(.cc): a·b +
// {c1, c0} is one v_mad_u64_u32, whose carry-out is that of the 65-bit sum. It
// has no carry-in; that is added after. A signed product has no such carry, and
// with carries on both sides two multiplications and two additions are as short.
var pairRules = isel.Table{
	r("mad.wide.cc.u32", MAD64, both(v_mad_u64_u32.Of(a, b, c))...),
	r("madc.wide.u32", CO|MAD64, sum(v_mad_u64_u32.Of(a, b, c), k(0), e)[0]),
}
