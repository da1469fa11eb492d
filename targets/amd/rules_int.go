package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// intRules covers moves, logic, comparisons, choices and the arithmetic of the
// family's neighbours.
var intRules = isel.Table{
	r("mov.{b,u,s}{16,32,64}", 0, a),
	r("mov.pred", 0, a),
	g("mov pack", "mov.b* *", THREE, pack),
	g("mov unpack", "mov.b* *", 0, unpack),

	r("and.pred", 0, s_and_b64.Of(a, b)),
	r("or.pred", 0, s_or_b64.Of(a, b)),
	r("xor.pred", 0, s_xor_b64.Of(a, b)),
	r("not.pred", 0, s_not_b64.Of(a)),
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
	r("cnot.b{16,32}", CLAMPU, v_sub_u32_clamp.Of(k(1), a)),
	r("cnot.b64", CLAMPU, zext(v_sub_u32_clamp.Of(k(1), v_or_b32.Of(lo(a), hi(a))))),
	g("lop3", "lop3.b32 *", THREE, lop3),

	g("setp", "setp.*", OPS16, setp),
	g("set", "set.*", OPS16, set),
	r("selp.{b,u,s}{16,32}", 0, pick(c, a, b)),
	r("selp.{b,u,s}64", 0, pick64(c, a, b)),
	r("slct.{b,u,s}{16,32}.s32", 0, pick(cmp(ptx.Le, true, k(0), c), a, b)),
	r("slct.{b,u,s}64.s32", 0, pick64(cmp(ptx.Le, true, k(0), c), a, b)),

	r("min.u16", OPS16, v_min_u16.Of(a, b)),
	r("min.s16", OPS16, v_min_i16.Of(a, b)),
	r("min.u32", 0, v_min_u32.Of(a, b)),
	r("min.s32", 0, v_min_i32.Of(a, b)),
	r("min.u64", 0, pick64(less64(false), a, b)),
	r("min.s64", 0, pick64(less64(true), a, b)),
	r("max.u16", OPS16, v_max_u16.Of(a, b)),
	r("max.s16", OPS16, v_max_i16.Of(a, b)),
	r("max.u32", 0, v_max_u32.Of(a, b)),
	r("max.s32", 0, v_max_i32.Of(a, b)),
	r("max.u64", 0, pick64(less64(false), b, a)),
	r("max.s64", 0, pick64(less64(true), b, a)),

	r("neg.s16", OPS16, v_sub_u16.Of(k(0), a)),
	r("neg.s32", ADDNC, v_sub_u32.Of(k(0), a)),
	r("neg.s64", CO, difference(zext(k(0)), a, none)[0]),
	r("abs.s16", OPS16, v_max_i16.Of(a, v_sub_u16.Of(k(0), a))),
	r("abs.s32", ADDNC, v_max_i32.Of(a, v_sub_u32.Of(k(0), a))),
	r("abs.s64", CO, abs64()),

	r("sad.u16", 0, v_and_b32.Of(k(0xffff), v_sad_u32.Of(a, b, c))),
	r("sad.s16", OPS16, v_add_u16.Of(v_sub_u16.Of(v_max_i16.Of(a, b), v_min_i16.Of(a, b)), c)),
	r("sad.u32", 0, v_sad_u32.Of(a, b, c)),
	r("sad.s32", 0, v_sad_u32.Of(flip(a), flip(b), c)), // a and b + 2^31: the same distance
	r("sad.u64", CO, sad64(false)),
	r("sad.s64", CO, sad64(true)),
}

func less64(signed bool) expr { return v_cmp[cmpKey{ptx.Lt, 64, signed}].Of(a, b) }

// abs64: with s = −1 for negative a, a + s complemented where s is −1.
func abs64() expr {
	s := sign(hi(a))
	return each(v_xor_b32, sum(a, mach.Pair(s, s), none)[0], mach.Pair(s, s))
}

// sad64: with d = a − b and m = a < b, |d| is d, or ~d + 1.
func sad64(signed bool) expr {
	d := difference(a, b, none)
	m := d[1]
	if signed {
		m = less64(true)
	}
	s := pick(m, k(-1), k(0))
	return sum(c, each(v_xor_b32, d[0], mach.Pair(s, s)), m)[0]
}

// join is the low part of n bits and the rest above.
func join(high, low expr, n int) expr { return v_lshl_or_b32.Of(high, k(int64(n)), low) }

// pack joins parts, the first lowest.
func pack(f ptx.Form, _ ptx.Model) []expr {
	if f.Pack <= 0 {
		return nil
	}
	n := f.T.Bits() / int(f.Pack)
	switch {
	case n == 32:
		return []expr{mach.Pair(a, b)}
	case f.Pack == 2:
		return []expr{join(b, a, n)}
	case f.T == ptx.B64:
		return []expr{mach.Pair(join(b, a, n), join(e, c, n))}
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
	op := v_cmp[cmpKey{c, t.Bits(), t.Signed()}]
	if op == nil {
		return none, false
	}
	return op.Of(a, b), true
}

// combine joins test p, or its complement, with predicate c.
func combine(f ptx.Form, p expr, not bool) expr {
	switch {
	case f.Bool == ptx.BoolAnd && not:
		return s_andn2_b64.Of(c, p)
	case f.Bool == ptx.BoolAnd:
		return s_and_b64.Of(p, c)
	case f.Bool == ptx.BoolOr && not:
		return s_orn2_b64.Of(c, p)
	case f.Bool == ptx.BoolOr:
		return s_or_b64.Of(p, c)
	case f.Bool == ptx.BoolXor && not:
		return s_xnor_b64.Of(p, c)
	case f.Bool == ptx.BoolXor:
		return s_xor_b64.Of(p, c)
	case not:
		return s_not_b64.Of(p)
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
