package llvm

import (
	"sync"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Of the instructions beside the family, those for which LLVM has an intrinsic
// or that deserve better than their definition spelled out.
var neighbourRules = isel.Table{
	sized("min.u*", func(_ ptx.Form, w i) []expr { return []expr{w.umin(a, b)} }),
	sized("min.s*", func(_ ptx.Form, w i) []expr { return []expr{w.smin(a, b)} }),
	sized("max.u*", func(_ ptx.Form, w i) []expr { return []expr{w.umax(a, b)} }),
	sized("max.s*", func(_ ptx.Form, w i) []expr { return []expr{w.smax(a, b)} }),
	sized("abs.*", func(_ ptx.Form, w i) []expr { return []expr{w.op(opAbs, a)} }),
	// |a − b| = max − min
	sized("sad.u*", func(_ ptx.Form, w i) []expr { return []expr{w.add(w.sub(w.umax(a, b), w.umin(a, b)), c)} }),
	sized("sad.s*", func(_ ptx.Form, w i) []expr { return []expr{w.add(w.sub(w.smax(a, b), w.smin(a, b)), c)} }),

	sized("popc.*", func(_ ptx.Form, w i) []expr { return []expr{i32.trunc(w, w.op(opCtpop, a))} }),
	sized("clz.*", func(_ ptx.Form, w i) []expr { return []expr{i32.trunc(w, w.ctlz(a))} }),
	sized("brev.*", func(_ ptx.Form, w i) []expr { return []expr{w.op(opBitreverse, a)} }),
	// The highest bit is number w − 1 − ctlz, −1 where there is none; shiftamt is
	// what moves it to the top.
	sized("bfind.shiftamt.*", func(f ptx.Form, w i) []expr {
		x := significant(f, w)
		return []expr{i32.sel(w.eq(x, zero), ones, i32.trunc(w, w.ctlz(x)))}
	}),
	sized("bfind.*", func(f ptx.Form, w i) []expr {
		return []expr{i32.sub(mach.K(int64(w-1)), i32.trunc(w, w.ctlz(significant(f, w))))}
	}),

	isel.R("shf.l.wrap.b32", 0, i32.op(opFshl, b, a, c)),
	isel.R("shf.r.wrap.b32", 0, i32.op(opFshr, b, a, c)),
	// A count of 32 and more moves a whole word.
	isel.R("shf.l.clamp.b32", 0, i32.sel(i32.ult(c, mach.K(32)), i32.op(opFshl, b, a, c), a)),
	isel.R("shf.r.clamp.b32", 0, i32.sel(i32.ult(c, mach.K(32)), i32.op(opFshr, b, a, c), b)),

	isel.G("lop3.b32", "lop3.b32 *", 0, func(f ptx.Form, _ ptx.Model) []expr { return []expr{luts()[f.Lut]} }),
	isel.G("cvt.sat", "cvt.sat.*", 0, cvtSat),
}

// significant has its highest 1 where x has its highest bit that is no copy of
// the sign.
func significant(f ptx.Form, w i) expr {
	if f.T.Signed() {
		return w.xor(a, w.ashr(a, int(w)-1))
	}
	return a
}

// cvtSat clamps in the width of the source, on the sides where values of that
// type can lie outside.
func cvtSat(f ptx.Form, _ ptx.Model) []expr {
	d, s := i(f.T.Bits()), i(f.A.Bits())
	top := mach.KVal(sem.U(1).Shl(uint64(d)).Sub(sem.U(1)))
	if f.T.Signed() {
		top = mach.K(1<<(d-1) - 1)
	}
	x := a
	switch {
	case f.T.Signed() && f.A.Signed():
		x = s.smin(s.smax(x, mach.K(-1<<(d-1))), top)
	case f.A.Signed():
		if x = s.smax(x, zero); d < s {
			x = s.umin(x, top)
		}
	default:
		x = s.umin(x, top)
	}
	if d > s {
		return []expr{d.zext(s, x)}
	}
	return []expr{d.trunc(s, x)}
}

// luts has for each table of lop3 an expression of and, or, xor and not with as
// few operations as one in which nothing is shared can have. Bit 4·a + 2·b + c
// of a table is the result for bits a, b, c.
var luts = sync.OnceValue(func() (best [256]expr) {
	byCost := [][]uint8{{0x00, 0xff, 0xf0, 0xcc, 0xaa}}
	for n, e := range []expr{zero, ones, a, b, c} {
		best[byCost[0][n]] = e
	}
	found := len(byCost[0])
	for n := 1; found < 256; n++ {
		var level []uint8
		try := func(lut uint8, o opcode, x, y expr) {
			if best[lut] == none {
				best[lut] = i32.op(o, x, y)
				level = append(level, lut)
			}
		}
		for _, x := range byCost[n-1] {
			try(^x, opXor, best[x], ones)
		}
		for m := range byCost {
			if k := n - 1 - m; k >= 0 && k <= m {
				for _, x := range byCost[m] {
					for _, y := range byCost[k] {
						try(x&y, opAnd, best[x], best[y])
						try(x|y, opOr, best[x], best[y])
						try(x^y, opXor, best[x], best[y])
					}
				}
			}
		}
		byCost = append(byCost, level)
		found += len(level)
	}
	return best
})
