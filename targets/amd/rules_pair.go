package amd

// pairRules are for what fusing makes of mad.lo.cc and madc.hi(.cc): a·b +
// {c1, c0} is one v_mad_u64_u32, whose carry-out is that of the 65-bit sum. It
// has no carry-in, and a signed one has no such carry-out: those are added after.
var pairRules = table{
	r("mad.wide.cc.u32", MAD64, both(v_mad_u64_u32_co.Of(a, b, c))...),
	r("mad.wide.cc.s32", MAD64, sum(v_mad_i64_i32.Of(a, b, k(0)), c, none)...),
	r("madc.wide.u32", MAD64, sum(v_mad_u64_u32.Of(a, b, k(0)), c, e)[0]),
	r("madc.wide.s32", MAD64, sum(v_mad_i64_i32.Of(a, b, k(0)), c, e)[0]),
	r("madc.wide.cc.u32", MAD64, sum(v_mad_u64_u32.Of(a, b, k(0)), c, e)...),
	r("madc.wide.cc.s32", MAD64, sum(v_mad_i64_i32.Of(a, b, k(0)), c, e)...),
}
