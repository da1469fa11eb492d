package llvm

import (
	"slices"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// Carries travel as i1. x + y + cf is two overflow intrinsics, of which at most
// one carries; every back end folds the two into one add with carry. Words
// wider than the profile's limb are added in limbs: from the 64-bit intrinsics
// AMDGPU makes two chains and a compare.
//
// AMDGPU's SelectionDAG up to LLVM 22 takes (u + v) + 0 + cf for u + v + cf and
// so gives a wrong carry-out (docs/findings/amdgpu-carry-fold.md). That must
// not come to pass with a 0 that inlining or unrolling brings in after the
// lowering: is.constant then picks a carry of another shape. Wherever no 0
// comes in it turns false and leaves no instruction.

// risk is a bit that is 1 where one term of a sum has become the constant 0
// and the other may be a sum; it may be 1 elsewhere too, at some cost.
type risk func(w i, x, y expr) expr

// zeroed: x & y becomes a constant if x or y becomes 0, or if both become
// constants and there is no sum.
func zeroed(w i, x, y expr) expr { return w.isConstant(w.and(x, y)) }

// zeroedLow is for the low half x of a·b, which is a sum or 0 only where a or b
// is a constant; the high half never is a sum.
func zeroedLow(w i, x, y expr) expr {
	return i1.and(zeroed(w, x, y), i1.or(w.isConstant(a), w.isConstant(b)))
}

func zeroedHigh(w i, x, _ expr) expr { return w.isConstant(x) }

// none stands for no carry-in.
var none expr

// addc is x + y + cf and its carry-out. The second sum, s + cf, carries if cf
// and s = −1.
func (w i) addc(x, y, cf expr, r risk) (sum, carry expr) {
	if cf == none {
		return w.uaddo(x, y)
	}
	s, o1 := w.uaddo(x, y)
	sum, o2 := w.uaddo(s, w.zext(i1, cf))
	return sum, i1.or(o1, i1.sel(r(w, x, y), i1.and(cf, w.eq(s, ones)), o2))
}

// subb is x − y − bw and its borrow-out.
func (w i) subb(x, y, bw expr) (diff, borrow expr) {
	if bw == none {
		return w.usubo(x, y)
	}
	d, o1 := w.usubo(x, y)
	diff, o2 := w.usubo(d, w.zext(i1, bw))
	return diff, i1.or(o1, o2)
}

// word is a width and that of the limbs in which it is added.
type word struct{ w, limb i }

// split gives the limbs, the lowest first.
func (w word) split(x expr) []expr {
	if w.w <= w.limb {
		return []expr{x}
	}
	return []expr{w.limb.trunc(w.w, x), w.limb.bits(w.w, x, int(w.limb))}
}

func (w word) join(xs []expr) expr {
	if len(xs) == 1 {
		return xs[0]
	}
	return w.w.or(w.w.zext(w.limb, xs[0]), w.w.shl(w.w.zext(w.limb, xs[1]), int(w.limb)))
}

// add is x + y + cf and the carry-out.
func (w word) add(x, y, cf expr, r risk) []expr {
	xs, ys := w.split(x), w.split(y)
	if len(xs) > 1 {
		r = zeroed // AMDGPU makes the high limb of any product as a sum
	}
	for k := range xs {
		xs[k], cf = min(w.w, w.limb).addc(xs[k], ys[k], cf, r)
	}
	return []expr{w.join(xs), cf}
}

// sub is x − y − NOT cf and the CF that PTX makes of it, NOT borrow.
func (w word) sub(x, y, cf expr) []expr {
	bw := none
	if cf != none {
		bw = i1.not(cf)
	}
	xs, ys := w.split(x), w.split(y)
	for k := range xs {
		xs[k], bw = min(w.w, w.limb).subb(xs[k], ys[k], bw)
	}
	return []expr{w.join(xs), i1.not(bw)}
}

// plus is x + cf, minus x − NOT cf.
func (w i) plus(x, cf expr) expr  { return w.add(x, w.zext(i1, cf)) }
func (w i) minus(x, cf expr) expr { return w.sub(x, w.zext(i1, i1.not(cf))) }

// carryRules are the rules of the carry family, for words added in limbs.
func carryRules(limb i) isel.Table {
	in := func(w i) word { return word{w, limb} }
	cf := mach.Arg(2) // the carry-in of addc and subc
	plain := isel.Table{
		// 0 + 0 + cf
		sized("addc.{u,s}*", func(_ ptx.Form, w i) []expr { return []expr{w.zext(i1, cf)} }).If(isel.Is(0, 0), isel.Is(1, 0)),
		// a + b + cf
		sized("addc.{u,s}*", func(_ ptx.Form, w i) []expr { return []expr{w.plus(w.add(a, b), cf)} }),
		// a − b − NOT cf
		sized("subc.{u,s}*", func(_ ptx.Form, w i) []expr { return []expr{w.minus(w.sub(a, b), cf)} }),
	}
	diff := isel.Table{
		// a − 0 does not borrow.
		sized("sub.cc.*", func(ptx.Form, i) []expr { return []expr{a, yes} }).If(isel.Is(1, 0)),
		// a − b
		sized("sub.cc.*", func(_ ptx.Form, w i) []expr { return in(w).sub(a, b, none) }),
		// a − 0 − NOT cf
		sized("subc.cc.*", func(_ ptx.Form, w i) []expr {
			d, bw := w.usubo(a, w.zext(i1, i1.not(cf)))
			return []expr{d, i1.not(bw)}
		}).If(isel.Is(1, 0)),
		// a − b − NOT cf
		sized("subc.cc.*", func(_ ptx.Form, w i) []expr { return in(w).sub(a, b, cf) }),
	}
	// a + b, a + b + cf
	sum := sized("add.cc.*", func(_ ptx.Form, w i) []expr { return in(w).add(a, b, none, nil) })
	sumC := sized("addc.cc.*", func(_ ptx.Form, w i) []expr { return in(w).add(a, b, cf, zeroed) })
	var known isel.Table
	for x := range 2 { // the term k, operand x, is known, v is not
		k, v := mach.Arg(x), mach.Arg(1-x)
		known = append(known,
			// v + 0 does not carry.
			sized("add.cc.*", func(ptx.Form, i) []expr { return []expr{v, no} }).If(isel.Is(x, 0)),
			// v + 0 + cf carries if cf and v = −1.
			sized("addc.cc.*", func(_ ptx.Form, w i) []expr {
				return []expr{w.plus(v, cf), i1.and(cf, w.eq(v, ones))}
			}).If(isel.Is(x, 0)),
			// 1 is no carry.
			sum.If(isel.Is(x, 1)),
			sumC.If(isel.Is(x, 1)),
			// k may be a carry that was caught in a register. AMDGPU takes it for a
			// carry again, with the same fault. v + k carries if k = 1 and v = −1.
			sized("add.cc.*", func(_ ptx.Form, w i) []expr {
				return []expr{w.add(v, k), i1.and(w.ne(k, zero), w.eq(v, ones))}
			}).If(isel.FitsU(x, 1)),
			// k + cf does not carry.
			sized("addc.cc.*", func(_ ptx.Form, w i) []expr {
				s, o := w.uaddo(v, w.plus(k, cf))
				return []expr{s, o}
			}).If(isel.FitsU(x, 1)),
		)
	}
	return slices.Concat(plain, known, isel.Table{sum, sumC}, diff, madRules(in))
}

// madRules are those of mad.cc and madc.
func madRules(in func(w i) word) isel.Table {
	cf := mach.Arg(3)
	return isel.Table{
		// a·b + c + cf
		sized("madc.{lo,hi}.{u,s}*", func(f ptx.Form, w i) []expr { return []expr{w.plus(w.add(product(f), c), cf)} }),
		// p + 0 does not carry.
		sized("mad.{lo,hi}.cc.*", func(f ptx.Form, _ i) []expr { return []expr{product(f), no} }).If(isel.Is(2, 0)),
		// hi(a·b) + 0 + cf does not carry: hi(a·b) <= 2^w − 2.
		sized("madc.hi.cc.u*", func(f ptx.Form, w i) []expr { return []expr{w.plus(product(f), cf), no} }).If(isel.Is(2, 0)),
		// p + 0 + cf carries if cf and p = −1.
		sized("madc.{lo,hi}.cc.{u,s}64", func(f ptx.Form, w i) []expr {
			p := product(f)
			return []expr{w.plus(p, cf), i1.and(cf, w.eq(p, ones))}
		}).If(isel.Is(2, 0)),
		// p + c, p + c + cf
		sized("mad.{lo,hi}.cc.*", func(f ptx.Form, w i) []expr { return in(w).add(product(f), c, none, nil) }),
		sized("madc.lo.cc.*", func(f ptx.Form, w i) []expr { return in(w).add(product(f), c, cf, zeroedLow) }),
		sized("madc.hi.cc.*", func(f ptx.Form, w i) []expr { return in(w).add(product(f), c, cf, zeroedHigh) }),
	}
}
