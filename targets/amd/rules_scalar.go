package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// scalarRules are for operands that all lanes have in common: kernel arguments,
// parameters that are inreg, constants, and what is made of them. A bit, a
// carry or a predicate, is a word that is 0 or 1; what makes SCC of one stands
// before what reads SCC, and goes where SCC has it already. A form without a
// rule here is one of the lanes.
var scalarRules = table{
	r("add.{u,s}16", 0, low16(s_add_u32.Of(a, b))),
	r("add.{u,s}32", 0, s_add_u32.Of(a, b)),
	r("add.{u,s}64", 0, ssum(a, b, none)[0]),
	r("sub.{u,s}16", 0, low16(s_sub_u32.Of(a, b))),
	r("sub.{u,s}32", 0, s_sub_u32.Of(a, b)),
	r("sub.{u,s}64", 0, sdifference(a, b, none)[0]),
	r("add.cc.{u,s}32", 0, carried1(both(s_add_u32.Of(a, b)))...),
	r("add.cc.{u,s}64", 0, carried1(ssum(a, b, none))...),
	r("addc.{u,s}32", 0, s_addc_u32.Of(a, b, isSet(c))),
	r("addc.cc.{u,s}32", 0, carried1(both(s_addc_u32.Of(a, b, isSet(c))))...),
	r("addc.{u,s}64", 0, ssum(a, b, isSet(c))[0]),
	r("addc.cc.{u,s}64", 0, carried1(ssum(a, b, isSet(c)))...),
	// CF is NOT borrow, and SCC is a borrow.
	r("sub.cc.{u,s}32", 0, borrowed(both(s_sub_u32.Of(a, b)))...),
	r("sub.cc.{u,s}64", 0, borrowed(sdifference(a, b, none))...),
	r("subc.{u,s}32", 0, s_subb_u32.Of(a, b, isClear(c))),
	r("subc.cc.{u,s}32", 0, borrowed(both(s_subb_u32.Of(a, b, isClear(c))))...),
	r("subc.{u,s}64", 0, sdifference(a, b, isClear(c))[0]),
	r("subc.cc.{u,s}64", 0, borrowed(sdifference(a, b, isClear(c)))...),

	// The products of words below 2^24; those of a·2^8 and b·2^8 have t<47..16> high.
	r("mul24.lo.u32", 0, smul24(false)),
	r("mul24.lo.s32", 0, smul24(true)),
	r("mad24.lo.u32", 0, s_add_u32.Of(smul24(false), c)),
	r("mad24.lo.s32", 0, s_add_u32.Of(smul24(true), c)),
	r("mul24.hi.u32", SMULHI, shigh24(s_mul_hi_u32)),
	r("mul24.hi.s32", SMULHI, shigh24(s_mul_hi_i32)),
	r("mad24.hi.u32", SMULHI, s_add_u32.Of(shigh24(s_mul_hi_u32), c)),
	r("mad24.hi.s32", SMULHI, s_add_u32.Of(shigh24(s_mul_hi_i32), c)),

	r("mul.lo.{u,s}16", 0, low16(s_mul_i32.Of(a, b))),
	r("mul.lo.{u,s}32", 0, s_mul_i32.Of(a, b)),
	r("mul.lo.{u,s}64", SMULHI, smul64.Of(a, b)),
	r("mul.hi.u32", SMULHI, s_mul_hi_u32.Of(a, b)),
	r("mul.hi.s32", SMULHI, s_mul_hi_i32.Of(a, b)),
	r("mul.wide.u16", 0, s_mul_i32.Of(a, b)),
	r("mul.wide.s16", 0, s_mul_i32.Of(s_sext_i32_i16.Of(a), s_sext_i32_i16.Of(b))),
	r("mul.wide.u32", SMULHI, swide(s_mul_hi_u32)),
	r("mul.wide.s32", SMULHI, swide(s_mul_hi_i32)),
	r("mad.lo.{u,s}16", 0, low16(s_add_u32.Of(s_mul_i32.Of(a, b), c))),
	r("mad.lo.{u,s}32", 0, s_add_u32.Of(s_mul_i32.Of(a, b), c)),
	r("mad.lo.{u,s}64", SMULHI, ssum(smul64.Of(a, b), c, none)[0]),
	r("mad.hi.u32", SMULHI, s_add_u32.Of(s_mul_hi_u32.Of(a, b), c)),
	r("mad.hi.s32", SMULHI, s_add_u32.Of(s_mul_hi_i32.Of(a, b), c)),
	r("mad.wide.u16", 0, s_add_u32.Of(s_mul_i32.Of(a, b), c)),
	r("mad.wide.s16", 0, s_add_u32.Of(s_mul_i32.Of(s_sext_i32_i16.Of(a), s_sext_i32_i16.Of(b)), c)),
	r("mad.wide.u32", SMULHI, ssum(swide(s_mul_hi_u32), c, none)[0]),
	r("mad.wide.s32", SMULHI, ssum(swide(s_mul_hi_i32), c, none)[0]),
	r("mad.wide.cc.u32", SMULHI, carried1(ssum(swide(s_mul_hi_u32), c, none))...),
	r("mad.wide.cc.s32", SMULHI, carried1(ssum(swide(s_mul_hi_i32), c, none))...),
	r("madc.wide.u32", SMULHI, ssum(swide(s_mul_hi_u32), c, isSet(e))[0]),
	r("madc.wide.s32", SMULHI, ssum(swide(s_mul_hi_i32), c, isSet(e))[0]),
	r("madc.wide.cc.u32", SMULHI, carried1(ssum(swide(s_mul_hi_u32), c, isSet(e)))...),
	r("madc.wide.cc.s32", SMULHI, carried1(ssum(swide(s_mul_hi_i32), c, isSet(e)))...),

	r("mad.lo.cc.{u,s}32", 0, carried1(both(s_add_u32.Of(s_mul_i32.Of(a, b), c)))...),
	r("mad.hi.cc.u32", SMULHI, carried1(both(s_add_u32.Of(s_mul_hi_u32.Of(a, b), c)))...),
	r("mad.hi.cc.s32", SMULHI, carried1(both(s_add_u32.Of(s_mul_hi_i32.Of(a, b), c)))...),
	r("madc.lo.{u,s}32", 0, s_addc_u32.Of(s_mul_i32.Of(a, b), c, isSet(e))),
	r("madc.hi.u32", SMULHI, s_addc_u32.Of(s_mul_hi_u32.Of(a, b), c, isSet(e))),
	r("madc.hi.s32", SMULHI, s_addc_u32.Of(s_mul_hi_i32.Of(a, b), c, isSet(e))),
	r("madc.lo.cc.{u,s}32", 0, carried1(both(s_addc_u32.Of(s_mul_i32.Of(a, b), c, isSet(e))))...),
	r("madc.hi.cc.u32", SMULHI, carried1(both(s_addc_u32.Of(s_mul_hi_u32.Of(a, b), c, isSet(e))))...),
	r("madc.hi.cc.s32", SMULHI, carried1(both(s_addc_u32.Of(s_mul_hi_i32.Of(a, b), c, isSet(e))))...),

	r("mul.hi.u64", SMULHI, smulHiU64()),
	r("mul.hi.s64", SMULHI, smulHiS64()),
	r("mad.hi.u64", SMULHI, ssum(smulHiU64(), c, none)[0]),
	r("mad.hi.s64", SMULHI, ssum(smulHiS64(), c, none)[0]),
	r("mad.lo.cc.{u,s}64", SMULHI, carried1(ssum(smul64.Of(a, b), c, none))...),
	r("mad.hi.cc.u64", SMULHI, carried1(ssum(smulHiU64(), c, none))...),
	r("mad.hi.cc.s64", SMULHI, carried1(ssum(smulHiS64(), c, none))...),
	r("madc.lo.{u,s}64", SMULHI, ssum(smul64.Of(a, b), c, isSet(e))[0]),
	r("madc.hi.u64", SMULHI, ssum(smulHiU64(), c, isSet(e))[0]),
	r("madc.hi.s64", SMULHI, ssum(smulHiS64(), c, isSet(e))[0]),
	r("madc.lo.cc.{u,s}64", SMULHI, carried1(ssum(smul64.Of(a, b), c, isSet(e)))...),
	r("madc.hi.cc.u64", SMULHI, carried1(ssum(smulHiU64(), c, isSet(e)))...),
	r("madc.hi.cc.s64", SMULHI, carried1(ssum(smulHiS64(), c, isSet(e)))...),

	r("mov.{b,u,s}{16,32,64}", 0, a),
	r("mov.pred", 0, a),
	r("and.pred", 0, s_and_b32.Of(a, b)),
	r("or.pred", 0, s_or_b32.Of(a, b)),
	r("xor.pred", 0, s_xor_b32.Of(a, b)),
	r("not.pred", 0, s_xor_b32.Of(a, k(1))),
	r("and.b{16,32}", 0, s_and_b32.Of(a, b)),
	r("or.b{16,32}", 0, s_or_b32.Of(a, b)),
	r("xor.b{16,32}", 0, s_xor_b32.Of(a, b)),
	r("and.b64", 0, each(s_and_b32, a, b)),
	r("or.b64", 0, each(s_or_b32, a, b)),
	r("xor.b64", 0, each(s_xor_b32, a, b)),
	r("not.b16", 0, s_xor_b32.Of(a, k(0xffff))),
	r("not.b32", 0, s_not_b32.Of(a)),
	r("not.b64", 0, each(s_not_b32, a)),

	g("setp", "setp.*", 0, ssetp),
	g("set", "set.*", 0, sset),
	r("selp.{b,u,s}{16,32}", 0, s_cselect_b32.Of(a, b, isSet(c))),
	r("selp.{b,u,s}64", 0, spick64(isSet(c), a, b)),
	r("slct.{b,u,s}{16,32}.s32", 0, s_cselect_b32.Of(a, b, scmp(ptx.Ge, true, c, k(0)))),

	r("min.u{16,32}", 0, s_min_u32.Of(a, b)),
	r("min.s32", 0, s_min_i32.Of(a, b)),
	r("max.u{16,32}", 0, s_max_u32.Of(a, b)),
	r("max.s32", 0, s_max_i32.Of(a, b)),
	r("neg.s16", 0, low16(s_sub_u32.Of(k(0), a))),
	r("neg.s32", 0, s_sub_u32.Of(k(0), a)),
	r("neg.s64", 0, sdifference(joined(k(0), k(0)), a, none)[0]),
	r("abs.s32", 0, s_abs_i32.Of(a)),

	r("shl.b16", 0, low16(s_lshl_b32.Of(a, s_min_u32.Of(b, k(16))))),
	r("shl.b32", 0, s_lshl_b32.Of(a, b)).If(isel.Below(1, 32)),
	r("shl.b64", 0, s_lshl_b64.Of(a, b)).If(isel.Below(1, 64)),
	r("shr.{b,u}{16,32}", 0, s_lshr_b32.Of(a, b)).If(isel.Below(1, 32)),
	r("shr.s32", 0, s_ashr_i32.Of(a, b)).If(isel.Below(1, 32)),
	r("shr.{b,u}64", 0, s_lshr_b64.Of(a, b)).If(isel.Below(1, 64)),
	r("shr.s64", 0, s_ashr_i64.Of(a, b)).If(isel.Below(1, 64)),
	r("shl.b32", 0, s_cselect_b32.Of(s_lshl_b32.Of(a, b), k(0), scmp(ptx.Lt, false, b, k(32)))),
	r("shr.{b,u}16", 0, s_lshr_b32.Of(a, s_min_u32.Of(b, k(16)))),
	r("shr.{b,u}32", 0, s_cselect_b32.Of(s_lshr_b32.Of(a, b), k(0), scmp(ptx.Lt, false, b, k(32)))),
	r("shr.s16", 0, low16(s_ashr_i32.Of(s_sext_i32_i16.Of(a), s_min_u32.Of(b, k(31))))),
	r("shr.s32", 0, s_ashr_i32.Of(a, s_min_u32.Of(b, k(31)))),
	r("shr.s64", 0, s_ashr_i64.Of(a, s_min_u32.Of(b, k(63)))),

	f("bfe of constants", "bfe.{u,s}32", sbfe),
	g("cvt", "cvt.*", 0, sconvert),
	g("mov pack", "mov.b* *", 0, spack),
	g("mov unpack", "mov.b* *", 0, sunpack),
}

// isSet and isClear make SCC of a bit.
func isSet(x expr) expr   { return scmp(ptx.Ne, false, x, k(0)) }
func isClear(x expr) expr { return scmp(ptx.Eq, false, x, k(0)) }

func scmp(c ptx.Cmp, signed bool, x, y expr) expr { return s_cmp[cmpKey{c, signed}].Of(x, y) }

// bit is the word of SCC, unset that of its complement.
func bit(x expr) expr   { return s_cselect_b32.Of(k(1), k(0), x) }
func unset(x expr) expr { return s_cselect_b32.Of(k(0), k(1), x) }

// carried1 and borrowed make a word of the second of two results.
func carried1(x []expr) []expr { return []expr{x[0], bit(x[1])} }
func borrowed(x []expr) []expr { return []expr{x[0], unset(x[1])} }

func ssum(x, y, cf expr) []expr        { return chain(s_add_u32, s_addc_u32, x, y, cf) }
func sdifference(x, y, cf expr) []expr { return chain(s_sub_u32, s_subb_u32, x, y, cf) }

func low16(x expr) expr { return s_and_b32.Of(x, k(0xffff)) }

func smul24(signed bool) expr {
	if signed {
		field := k(24 << 16)
		return s_mul_i32.Of(s_bfe_i32.Of(a, field), s_bfe_i32.Of(b, field))
	}
	return s_mul_i32.Of(s_and_b32.Of(a, k(1<<24-1)), s_and_b32.Of(b, k(1<<24-1)))
}

func shigh24(high *op) expr { return high.Of(s_lshl_b32.Of(a, k(8)), s_lshl_b32.Of(b, k(8))) }

// swide is the product of two words.
func swide(high *op) expr { return joined(s_mul_i32.Of(a, b), high.Of(a, b)) }

// smul64 is a0·b0 + (a0·b1 + a1·b0)·2^32.
var smul64 = either(s_mul_u64).as(func(x []expr) expr {
	h := s_add_u32.Of(s_add_u32.Of(s_mul_hi_u32.Of(lo(a), lo(b)), s_mul_i32.Of(lo(a), hi(b))), s_mul_i32.Of(hi(a), lo(b)))
	return joined(s_mul_i32.Of(lo(a), lo(b)), h)
})

// smulHiU64: with t = floor(a0·b0 / 2^32) + (a0·b1 mod 2^32) and u = t + (a1·b0 mod
// 2^32), each modulo 2^32, the high half is a1·b1 + floor(a0·b1 / 2^32) + the carry
// of t + floor(a1·b0 / 2^32) + the carry of u, where a high word takes a carry
// without one of its own.
func smulHiU64() expr {
	t := s_add_u32.Of(s_mul_hi_u32.Of(lo(a), lo(b)), s_mul_i32.Of(lo(a), hi(b)))
	first := s_addc_u32.Of(s_mul_hi_u32.Of(lo(a), hi(b)), k(0), t.Out(1))
	u := s_add_u32.Of(t, s_mul_i32.Of(hi(a), lo(b)))
	second := s_addc_u32.Of(s_mul_hi_u32.Of(hi(a), lo(b)), k(0), u.Out(1))
	d := ssum(joined(s_mul_i32.Of(hi(a), hi(b)), s_mul_hi_u32.Of(hi(a), hi(b))), zext(first), none)[0]
	return ssum(d, zext(second), none)[0]
}

// smulHiS64 is that of the unsigned product, less the one factor where the other
// is negative.
func smulHiS64() expr {
	negative := func(x, y expr) expr {
		s := s_ashr_i32.Of(hi(x), k(31))
		return each(s_and_b32, y, joined(s, s))
	}
	d := sdifference(smulHiU64(), negative(a, b), none)[0]
	return sdifference(d, negative(b, a), none)[0]
}

func spick64(m, x, y expr) expr {
	return joined(s_cselect_b32.Of(lo(x), lo(y), m), s_cselect_b32.Of(hi(x), hi(y), m))
}

// scomparison is SCC with the outcome; pairs are compared by subtraction: x < y is
// its borrow, with the top bits flipped where they are signs. not says that SCC
// has the complement.
func scomparison(f ptx.Form, t ptx.Type) (x expr, not, ok bool) {
	c := f.Cmp
	if c >= ptx.LoU {
		c = [...]ptx.Cmp{ptx.Lt, ptx.Le, ptx.Gt, ptx.Ge}[c-ptx.LoU]
	}
	x, y := a, b
	switch {
	case c > ptx.Ge || t.Bits() < 16:
		return none, false, false
	case t.Bits() == 16 && t.Signed():
		return scmp(c, true, s_sext_i32_i16.Of(x), s_sext_i32_i16.Of(y)), false, true
	case t.Bits() < 64:
		return scmp(c, t.Signed(), x, y), false, true
	case c <= ptx.Ne:
		differ := s_or_b32.Of(s_xor_b32.Of(lo(x), lo(y)), s_xor_b32.Of(hi(x), hi(y)))
		return scmp(c, false, differ, k(0)), false, true
	}
	if c == ptx.Gt || c == ptx.Le {
		x, y = y, x
	}
	if t.Signed() {
		flip := func(z expr) expr { return joined(lo(z), s_xor_b32.Of(hi(z), k(-1<<31))) }
		x, y = flip(x), flip(y)
	}
	hx, hy := hi(x), hi(y)
	low := s_sub_u32.Of(lo(x), lo(y))
	return s_subb_u32.Of(hx, hy, low.Out(1)).Out(1), c == ptx.Le || c == ptx.Ge, true
}

// soutcome is the word of a comparison and that of its complement, joined with
// bit c where the form does that.
func soutcome(f ptx.Form, t ptx.Type) (yes, no expr, ok bool) {
	p, inverse, ok := scomparison(f, t)
	if !ok {
		return none, none, false
	}
	yes = bit(p)
	if inverse {
		yes = unset(p)
	}
	no = s_xor_b32.Of(yes, k(1))
	if op := map[ptx.BoolOp]*op{ptx.BoolAnd: s_and_b32, ptx.BoolOr: s_or_b32, ptx.BoolXor: s_xor_b32}[f.Bool]; op != nil {
		yes, no = op.Of(yes, c), op.Of(no, c)
	}
	return yes, no, true
}

func ssetp(f ptx.Form, _ ptx.Model) []expr {
	yes, no, ok := soutcome(f, f.T)
	switch {
	case !ok:
		return nil
	case f.Dual:
		return []expr{yes, no}
	}
	return []expr{yes}
}

// sset is −1 for true.
func sset(f ptx.Form, _ ptx.Model) []expr {
	if yes, _, ok := soutcome(f, f.A); ok {
		return []expr{s_sub_u32.Of(k(0), yes)}
	}
	return nil
}

// sbfe takes a field whose place is known and lies in the operand.
func sbfe(f ptx.Form, _ ptx.Model, ks []*sem.Val) []expr {
	if ks[1] == nil || ks[2] == nil {
		return nil
	}
	pos, n := ks[1].Lo&0xff, ks[2].Lo&0xff
	if n == 0 || pos+n > 32 {
		return nil
	}
	op := s_bfe_u32
	if f.T.Signed() {
		op = s_bfe_i32
	}
	return []expr{op.Of(a, k(int64(n<<16|pos)))}
}

// sconvert cuts or extends by the sign of the source.
func sconvert(f ptx.Form, _ ptx.Model) []expr {
	w, n := f.T.Bits(), f.A.Bits()
	if f.Sat {
		return nil
	}
	low := a
	if n == 64 {
		low = lo(a)
	}
	signed := func() expr {
		switch n {
		case 8:
			return s_sext_i32_i8.Of(a)
		case 16:
			return s_sext_i32_i16.Of(a)
		}
		return a
	}
	switch {
	case w == 64 && n == 64:
		return []expr{a}
	case w <= n && (w == n || w == 32):
		return []expr{low}
	case w < n:
		return []expr{s_and_b32.Of(low, k(1<<w-1))}
	case !f.A.Signed() && w == 64:
		return []expr{zext(a)}
	case !f.A.Signed():
		return []expr{a}
	case w == 16:
		return []expr{low16(signed())}
	case w == 64:
		x := signed()
		return []expr{joined(x, s_ashr_i32.Of(x, k(31)))}
	}
	return []expr{signed()}
}

// spack joins two parts, the first lowest.
func spack(f ptx.Form, _ ptx.Model) []expr {
	switch {
	case f.Pack == 2 && f.T == ptx.B64:
		return []expr{joined(a, b)}
	case f.Pack == 2 && f.T == ptx.B32:
		return []expr{s_pack_ll_b32_b16.Of(a, b)}
	}
	return nil
}

// sunpack takes a value apart in two.
func sunpack(f ptx.Form, _ ptx.Model) []expr {
	switch {
	case f.Pack == -2 && f.T == ptx.B64:
		return []expr{lo(a), hi(a)}
	case f.Pack == -2 && f.T == ptx.B32:
		return []expr{low16(a), s_lshr_b32.Of(a, k(16))}
	}
	return nil
}
