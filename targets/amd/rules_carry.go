package amd

// carryRules covers add, sub, addc, subc and the mad and madc that carry. The
// subtraction family's CF is the carry-out of a + ~b + CF, that is NOT the
// borrow that v_sub_co writes (PTX ISA 9.7.2, semantics §3).
var carryRules = table{
	r("add.{u,s}16", 0, v_add_u16.Of(a, b)),
	r("add.{u,s}32", 0, v_add_u32.Of(a, b)),
	r("add.{u,s}64", 0, v_add_u64.Of(a, b)),
	r("add.sat.s32", 0, v_add_i32_clamp.Of(a, b)),
	r("sub.{u,s}16", 0, v_sub_u16.Of(a, b)),
	r("sub.{u,s}32", 0, v_sub_u32.Of(a, b)),
	r("sub.{u,s}64", 0, v_sub_u64.Of(a, b)),
	r("sub.sat.s32", 0, v_sub_i32_clamp.Of(a, b)),

	r("add.cc.{u,s}32", 0, both(v_add_co_u32.Of(a, b))...),
	r("add.cc.{u,s}64", 0, sum(a, b, none)...),
	r("addc.{u,s}32", 0, v_addc_co_u32.Of(a, b, c)),
	r("addc.cc.{u,s}32", 0, both(v_addc_co_u32.Of(a, b, c))...),
	r("addc.{u,s}64", 0, sum(a, b, c)[0]),
	r("addc.cc.{u,s}64", 0, sum(a, b, c)...),

	// CF is NOT borrow: complemented at both ends of a chain of subtractions and
	// nowhere inside it, where the two complements meet.
	r("sub.cc.{u,s}32", 0, notBorrow(both(v_sub_co_u32.Of(a, b)))...),
	r("sub.cc.{u,s}64", 0, notBorrow(difference(a, b, none))...),
	r("subc.{u,s}32", 0, v_subb_co_u32.Of(a, b, not(c))),
	r("subc.cc.{u,s}32", 0, notBorrow(both(v_subb_co_u32.Of(a, b, not(c))))...),
	r("subc.{u,s}64", 0, difference(a, b, not(c))[0]),
	r("subc.cc.{u,s}64", 0, notBorrow(difference(a, b, not(c)))...),

	r("mad.lo.cc.{u,s}32", 0, both(v_add_co_u32.Of(v_mul_lo_u32.Of(a, b), c))...),
	r("mad.hi.cc.u32", 0, both(v_add_co_u32.Of(v_mul_hi_u32.Of(a, b), c))...),
	r("mad.hi.cc.s32", 0, both(v_add_co_u32.Of(v_mul_hi_i32.Of(a, b), c))...),
	r("mad.lo.cc.{u,s}64", 0, sum(mulLo64.Of(a, b, k(0)), c, none)...),
	r("mad.hi.cc.u64", 0, sum(mulHiU64(), c, none)...),
	r("mad.hi.cc.s64", 0, sum(mulHiS64, c, none)...),

	r("madc.lo.{u,s}32", 0, v_addc_co_u32.Of(v_mul_lo_u32.Of(a, b), c, e)),
	r("madc.hi.u32", 0, v_addc_co_u32.Of(v_mul_hi_u32.Of(a, b), c, e)),
	r("madc.hi.s32", 0, v_addc_co_u32.Of(v_mul_hi_i32.Of(a, b), c, e)),
	r("madc.lo.{u,s}64", 0, sum(mulLo64.Of(a, b, k(0)), c, e)[0]),
	r("madc.hi.u64", 0, sum(mulHiU64(), c, e)[0]),
	r("madc.hi.s64", 0, sum(mulHiS64, c, e)[0]),
	r("madc.lo.cc.{u,s}32", 0, both(v_addc_co_u32.Of(v_mul_lo_u32.Of(a, b), c, e))...),
	r("madc.hi.cc.u32", 0, both(v_addc_co_u32.Of(v_mul_hi_u32.Of(a, b), c, e))...),
	r("madc.hi.cc.s32", 0, both(v_addc_co_u32.Of(v_mul_hi_i32.Of(a, b), c, e))...),
	r("madc.lo.cc.{u,s}64", 0, sum(mulLo64.Of(a, b, k(0)), c, e)...),
	r("madc.hi.cc.u64", 0, sum(mulHiU64(), c, e)...),
	r("madc.hi.cc.s64", 0, sum(mulHiS64, c, e)...),
}

// notBorrow complements the mask of a difference.
func notBorrow(x []expr) []expr { return []expr{x[0], not(x[1])} }
