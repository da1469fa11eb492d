package amd

import "github.com/ptxlower/ptxlower/ptx"

// intRules covers moves, logic, comparisons, choices and the arithmetic of the
// family's neighbours.
var intRules = concat(lop3Rules, table{
	r("mov.{b,u,s}{16,32,64}", 0, a),
	r("mov.pred", 0, a),
	g("mov pack", "mov.b* *", 0, pack),
	g("mov unpack", "mov.b* *", 0, unpack),

	r("and.pred", 0, s_and.Of(a, b)),
	r("or.pred", 0, s_or.Of(a, b)),
	r("xor.pred", 0, s_xor.Of(a, b)),
	r("not.pred", 0, s_not.Of(a)),
	r("and.b{16,32}", 0, v_and_b32.Of(a, b)),
	r("or.b{16,32}", 0, v_or_b32.Of(a, b)),
	r("xor.b{16,32}", 0, v_xor_b32.Of(a, b)),
	r("and.b64", 0, each(v_and_b32, a, b)),
	r("or.b64", 0, each(v_or_b32, a, b)),
	r("xor.b64", 0, each(v_xor_b32, a, b)),
	r("not.b16", 0, v_xor_b32.Of(k(0xffff), a)),
	r("not.b32", 0, v_not_b32.Of(a)),
	r("not.b64", 0, each(v_not_b32, a)),
	// 1 − a, not below 0, is 1 for 0 only.
	r("cnot.b{16,32}", 0, v_sub_u32_clamp.Of(k(1), a)),
	r("cnot.b64", 0, zext(v_sub_u32_clamp.Of(k(1), v_or_b32.Of(lo(a), hi(a))))),

	g("setp", "setp.*", 0, setp),
	g("set", "set.*", 0, set),
	r("selp.{b,u,s}{16,32}", 0, pick(c, a, b)),
	r("selp.{b,u,s}64", 0, pick64(c, a, b)),
	r("slct.{b,u,s}{16,32}.s32", 0, pick(cmp(ptx.Le, true, k(0), c), a, b)),
	r("slct.{b,u,s}64.s32", 0, pick64(cmp(ptx.Le, true, k(0), c), a, b)),

	r("min.s16", 0, v_min_i16.Of(a, b)),
	r("min.u{16,32}", 0, v_min_u32.Of(a, b)),
	r("min.s32", 0, v_min_i32.Of(a, b)),
	r("min.u64", 0, v_min_u64.Of(a, b)),
	r("min.s64", 0, v_min_i64.Of(a, b)),
	r("max.s16", 0, v_max_i16.Of(a, b)),
	r("max.u{16,32}", 0, v_max_u32.Of(a, b)),
	r("max.s32", 0, v_max_i32.Of(a, b)),
	r("max.u64", 0, v_max_u64.Of(a, b)),
	r("max.s64", 0, v_max_i64.Of(a, b)),

	r("neg.s16", 0, v_sub_u16.Of(k(0), a)),
	r("neg.s32", 0, v_sub_u32.Of(k(0), a)),
	r("neg.s64", 0, v_sub_u64.Of(k(0), a)),
	r("abs.s16", 0, v_max_i16.Of(a, v_sub_u16.Of(k(0), a))),
	r("abs.s32", 0, v_max_i32.Of(a, v_sub_u32.Of(k(0), a))),
	r("abs.s64", 0, abs64()),

	r("sad.u16", 0, v_and_b32.Of(k(0xffff), v_sad_u32.Of(a, b, c))),
	r("sad.s16", 0, v_add_u16.Of(v_sub_u16.Of(v_max_i16.Of(a, b), v_min_i16.Of(a, b)), c)),
	r("sad.u32", 0, v_sad_u32.Of(a, b, c)),
	r("sad.s32", 0, v_sad_u32.Of(flip(a), flip(b), c)), // a and b + 2^31: the same distance
	r("sad.u64", 0, sad64(false)),
	r("sad.s64", 0, sad64(true)),
})

// abs64: with s = −1 for negative a, a + s complemented where s is −1.
func abs64() expr {
	s := sign(hi(a))
	return each(v_xor_b32, v_add_u64.Of(a, joined(s, s)), joined(s, s))
}

// sad64: with d = a − b and m = a < b, |d| is d, or ~d + 1.
func sad64(signed bool) expr {
	d := difference(a, b, none)
	m := d[1]
	if signed {
		m = less64(true, a, b)
	}
	s := pick(m, k(-1), k(0))
	return sum(c, each(v_xor_b32, d[0], joined(s, s)), m)[0]
}

// join is the low part of n bits and the rest above.
func join(high, low expr, n int) expr {
	if n == 16 {
		return joinHalves.Of(high, low)
	}
	return v_lshl_or_b32.Of(high, k(int64(n)), low)
}

var joinHalves = (&op{}).
	or(THREE, func(x []expr) []expr { return []expr{v_lshl_or_b32.Of(x[0], k(16), x[1])} }).
	as(func(x []expr) expr { return v_cvt_pk_u16_u32.Of(x[1], x[0]) })

// pack joins parts, the first lowest.
func pack(f ptx.Form, _ ptx.Model) []expr {
	if f.Pack <= 0 {
		return nil
	}
	n := f.T.Bits() / int(f.Pack)
	switch {
	case n == 32:
		return []expr{joined(a, b)}
	case f.Pack == 2:
		return []expr{join(b, a, n)}
	case f.T == ptx.B64:
		return []expr{joined(join(b, a, n), join(e, c, n))}
	}
	return []expr{join(join(e, c, n), join(b, a, n), 2*n)}
}

// unpack takes a value apart.
func unpack(f ptx.Form, _ ptx.Model) []expr {
	if f.Pack >= 0 {
		return nil
	}
	n := f.T.Bits() / -int(f.Pack)
	var out []expr
	for i := range -int(f.Pack) {
		x, pos := a, i*n
		if f.T == ptx.B64 {
			x = lo(a)
			if pos >= 32 {
				x, pos = hi(a), pos-32
			}
		}
		switch {
		case n == 32:
		case pos == 0:
			x = v_and_b32.Of(k(1<<n-1), x)
		case pos+n == min(f.T.Bits(), 32):
			x = v_lshrrev_b32.Of(k(int64(pos)), x)
		default:
			x = v_bfe_u32.Of(x, k(int64(pos)), k(int64(n)))
		}
		out = append(out, x)
	}
	return out
}

// comparison is the test of setp and set; lo to hs are unsigned. ok is false for
// types that are not compared.
func comparison(f ptx.Form, t ptx.Type) (p expr, ok bool) {
	c := f.Cmp
	if c >= ptx.LoU {
		c = [...]ptx.Cmp{ptx.Lt, ptx.Le, ptx.Gt, ptx.Ge}[c-ptx.LoU]
	}
	key := cmpKey{c, t.Signed()}
	op := v_cmp[key]
	switch {
	case t.Bits() == 64:
		op = v_cmp64[key]
	case v_cmp16[key] != nil && t.Bits() == 16:
		op = v_cmp16[key]
	}
	if op == nil {
		return none, false
	}
	return op.Of(a, b), true
}

// combine joins test p, or its complement, with predicate c.
func combine(f ptx.Form, p expr, not bool) expr {
	switch {
	case f.Bool == ptx.BoolAnd && not:
		return s_andn2.Of(c, p)
	case f.Bool == ptx.BoolAnd:
		return s_and.Of(p, c)
	case f.Bool == ptx.BoolOr && not:
		return s_orn2.Of(c, p)
	case f.Bool == ptx.BoolOr:
		return s_or.Of(p, c)
	case f.Bool == ptx.BoolXor && not:
		return s_xnor.Of(p, c)
	case f.Bool == ptx.BoolXor:
		return s_xor.Of(p, c)
	case not:
		return s_not.Of(p)
	}
	return p
}

func setp(f ptx.Form, _ ptx.Model) []expr {
	p, ok := comparison(f, f.T)
	switch {
	case !ok:
		return nil
	case f.Dual:
		return []expr{combine(f, p, false), combine(f, p, true)}
	}
	return []expr{combine(f, p, false)}
}

func set(f ptx.Form, _ ptx.Model) []expr {
	p, ok := comparison(f, f.A)
	if !ok {
		return nil
	}
	return []expr{pick(combine(f, p, false), k(-1), k(0))}
}
