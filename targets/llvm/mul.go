package llvm

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// sized is a rule whose results depend on the form's width.
func sized(forms string, results func(f ptx.Form, w i) []expr) isel.Rule {
	return isel.G(forms, forms, 0, func(f ptx.Form, _ ptx.Model) []expr { return results(f, i(f.T.Bits())) })
}

// product is the low or the high half of a·b.
func product(f ptx.Form) expr {
	w := i(f.T.Bits())
	if f.Mode == ptx.Lo {
		return w.mul(a, b)
	}
	return w.bits(2*w, exact(f), int(w))
}

// exact is a·b in twice the width.
func exact(f ptx.Form) expr {
	w, s := i(f.T.Bits()), f.T.Signed()
	return (2 * w).mul((2*w).ext(w, a, s), (2*w).ext(w, b, s))
}

// low24 is a factor of mul24 in 32 bits.
func low24(x expr, signed bool) expr {
	if signed {
		return i32.ashr(i32.shl(x, 8), 8)
	}
	return i32.and(x, mach.K(1<<24-1))
}

// product24 is bits 31..0 or 47..16 of the 48-bit product. The low half is a
// product of 32 bits, AMDGPU's one v_mul_u32_u24. The high half is cut to 32
// bits before anything is added: AMDGPU forgets the masks in a 64-bit sum with
// a 24-bit product (docs/findings/amdgpu-mul24-u64.md).
func product24(f ptx.Form) expr {
	s := f.T.Signed()
	x, y := low24(a, s), low24(b, s)
	if f.Mode == ptx.Lo {
		return i32.mul(x, y)
	}
	return i32.bits(i64, i64.mul(i64.ext(i32, x, s), i64.ext(i32, y, s)), 16)
}

var mulRules = isel.Table{
	sized("mul24.*", func(f ptx.Form, _ i) []expr { return []expr{product24(f)} }),
	sized("mad24.hi.sat.s32", func(f ptx.Form, _ i) []expr { return []expr{i32.saddSat(product24(f), c)} }),
	sized("mad24.*", func(f ptx.Form, _ i) []expr { return []expr{i32.add(product24(f), c)} }),
	sized("mad.hi.sat.s32", func(f ptx.Form, _ i) []expr { return []expr{i32.saddSat(product(f), c)} }),
	// a·b + c in limbs, for the reason of product24.
	sized("mad.wide.{u,s}32", func(f ptx.Form, _ i) []expr {
		return word{i64, i32}.add(exact(f), c, none, nil)[:1]
	}).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	isel.R("add.sat.s32", 0, i32.saddSat(a, b)),
	isel.R("sub.sat.s32", 0, i32.ssubSat(a, b)),
}
