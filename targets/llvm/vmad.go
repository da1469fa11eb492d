package llvm

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vmad is d = clamp(floor(t / 2^n)), t = ±(a·b) ± c (+ 1), with as few bits as
// hold t: 32 where nothing looks at the high part or the clamp is a saturating
// add, else 64. The one sum that 64 bits do not hold, a product of two unsigned
// words that is subtracted or subtracted from, is clamped before it is made.
func vmadRules(sdwa bool) isel.Table {
	low := isel.Table{isel.G("vmad low", "vmad.*", 0, vmadLow)}
	if sdwa {
		low = append(isel.Table{isel.G("vmad parts", "vmad.*", 0, vmadParts)}, low...)
	}
	return append(low, vmadHigh...)
}

var vmadHigh = isel.Table{
	isel.G("vmad narrow", "vmad.*", 0, vmadNarrow),
	// AMDGPU adds to a product of masked 24-bit words without their masks
	// (docs/findings/amdgpu-mul24-u64.md), but not in limbs.
	isel.G("vmad", "vmad.*", 0, vmadWide(true)).If(isel.FitsU(0, 24), isel.FitsU(1, 24)),
	isel.G("vmad unsigned negated", "vmad.*", 0, vmadNegated),
	isel.G("vmad", "vmad.*", 0, vmadWide(false)),
}

// factors says how the two factors are taken from their words.
type factors struct {
	f      ptx.Form
	sa, sb bool // extended as signed
	wa, wb int  // bits
}

func factorsOf(f ptx.Form, m ptx.Model) factors {
	_, wa := f.SelA.Range()
	_, wb := f.SelB.Range()
	words := m == ptx.PTXAS // which multiplies full words as signed
	return factors{f, f.A.Signed() || words && wa == 32, f.B.Signed() || words && wb == 32, wa, wb}
}

// product is a·b in w bits.
func (x factors) product(w i) expr {
	part := func(v expr, s ptx.Sel, signed bool) expr {
		lo, n := s.Range()
		return w.ext(i(n), i(n).bits(32, v, lo), signed)
	}
	return w.mul(part(a, x.f.SelA, x.sa), part(b, x.f.SelB, x.sb))
}

// signed reports whether the sum is shifted and clamped as signed.
func signed(f ptx.Form) bool {
	return f.A.Signed() || f.B.Signed() || f.NegC || minus(f)
}

// minus reports a product that is subtracted.
func minus(f ptx.Form) bool { return f.NegA != f.NegB }

// sum is ±p ± c (+ 1).
func sum(w i, f ptx.Form, p, c expr) expr {
	switch {
	case minus(f):
		return w.sub(c, p)
	case f.NegC:
		return w.sub(p, c)
	case f.PO:
		return w.add(w.add(p, c), mach.K(1))
	}
	return w.add(p, c)
}

// vmadLow: without a shift and a clamp, bits 31..0 of a sum are the sum of bits
// 31..0.
func vmadLow(f ptx.Form, m ptx.Model) []expr {
	if f.Sat || f.Shr > 0 {
		return nil
	}
	return []expr{sum(i32, f, factorsOf(f, m).product(i32), c)}
}

// vmadParts keeps the product of two parts of words from its sum: AMDGPU makes
// one instruction of a multiply-add of 24 bits, but two to take the parts, which
// a multiplication with SDWA takes by itself.
func vmadParts(f ptx.Form, m ptx.Model) []expr {
	x := factorsOf(f, m)
	if f.Sat || f.Shr > 0 || minus(f) || f.NegC || x.wa == 32 || x.wb == 32 {
		return nil
	}
	return []expr{sum(i32, f, i32.op(opFreeze, x.product(i32)), c)}
}

// flip is c + 2^31 as unsigned: the distance from the least signed word to c.
var flip = i32.xor(c, mach.K(-1<<31))

// vmadNarrow: products of bytes and halves are exact in 32 bits, and so is p + 1.
func vmadNarrow(f ptx.Form, m ptx.Model) []expr {
	x := factorsOf(f, m)
	switch {
	case !f.Sat || f.Shr > 0 || x.wa == 32 || x.wb == 32:
		return nil
	case !signed(f) && m == ptx.PTXAS: // c is signed, the clamp is not
		return nil
	}
	p := x.product(i32)
	if f.PO {
		p = i32.add(p, mach.K(1))
	}
	switch unsigned := !x.sa && !x.sb && x.wa+x.wb == 32; { // p fits no signed word
	case !signed(f):
		return []expr{i32.uaddSat(p, c)}
	case unsigned && f.NegC: // p − c <= 2^31 − 1 if p + 1 <= c + 2^31
		return []expr{i32.add(i32.umin(i32.add(p, mach.K(1)), flip), i32.not(c))}
	case unsigned: // c − p >= −2^31 if p <= c + 2^31
		return []expr{i32.sub(c, i32.umin(p, flip))}
	case minus(f):
		return []expr{i32.ssubSat(c, p)}
	case f.NegC:
		return []expr{i32.ssubSat(p, c)}
	}
	return []expr{i32.saddSat(p, c)}
}

// vmadNegated: c − p and p − c of a product p of two unsigned words need 65
// bits, but one of their bounds cannot be passed, and at the other p is limited.
func vmadNegated(f ptx.Form, m ptx.Model) []expr {
	x := factorsOf(f, m)
	if x.sa || x.sb || x.wa+x.wb < 64 || !signed(f) {
		return nil
	}
	p, n := x.product(i64), int(f.Shr)
	if n == 0 { // as vmadNarrow
		top := i64.zext(i32, flip)
		if f.NegC {
			return []expr{i32.add(i32.trunc(i64, i64.umin(i64.add(p, mach.K(1)), top)), i32.not(c))}
		}
		return []expr{i32.sub(c, i32.trunc(i64, i64.umin(p, top)))}
	}
	c := i64.sext(i32, c)
	if f.Sat {
		limit := int64(1) << (31 + n) // c − p >= −limit, p − c <= limit − 1
		if f.NegC {
			limit--
		}
		p = i64.umin(p, i64.add(c, mach.K(limit)))
	}
	return []expr{i32.bits(i64, sum(i64, f, p, c), n)}
}

// vmadWide: t fits 64 bits, signed or unsigned.
func vmadWide(limbs bool) func(f ptx.Form, m ptx.Model) []expr {
	return func(f ptx.Form, m ptx.Model) []expr {
		x := factorsOf(f, m)
		if limbs && x.wa+x.wb < 64 { // AMDGPU keeps the masks of bytes and halves
			return nil
		}
		p, c := x.product(i64), i64.ext(i32, c, signed(f) || m == ptx.PTXAS)
		return []expr{x.clamped(m, x.sum64(p, c, limbs))}
	}
}

// sum64 is ±p ± c (+ 1) in 64 bits, added as such or in limbs. The product of two
// bytes or halves fits 32 bits, with 1 added too.
func (x factors) sum64(p, c expr, limbs bool) expr {
	switch w := (word{i64, i32}); {
	case x.f.PO && x.wa+x.wb <= 32:
		return i64.add(i64.ext(i32, i32.add(x.product(i32), mach.K(1)), x.sa || x.sb), c)
	case !limbs || minus(x.f): // nothing is added to p
		return sum(i64, x.f, p, c)
	case x.f.NegC:
		return w.sub(p, c, none)[0]
	case x.f.PO:
		return w.add(p, i64.add(c, mach.K(1)), none, nil)[0]
	default:
		return w.add(p, c, none, nil)[0]
	}
}

// clamped is d for the sum t.
func (x factors) clamped(m ptx.Model, t expr) expr {
	s, n := signed(x.f), int(x.f.Shr)
	d := i32.bits(i64, t, n)
	// t has at most one bit more than its larger term.
	if fits := max(x.wa+x.wb, 32)+1-n <= 31; !x.f.Sat || fits && (s || m == ptx.ISA) {
		return d
	}
	lo, hi := i32.trunc(i64, t), i32.bits(i64, t, 32)
	sign := i32.ashr(hi, 31)
	switch {
	case s && n == 0: // −2^31 <= t < 2^31 if bits 62..31 of t are like bit 63
		return i32.sel(i32.eq(i32.op(opFshl, hi, lo, mach.K(1)), sign), lo, last(sign))
	case s: // −2^(31+n) <= t < 2^(31+n)
		return i32.sel(i32.ult(i32.add(hi, mach.K(1<<(n-1))), mach.K(1<<n)), d, last(sign))
	case n == 0 && m == ptx.PTXAS: // t, which is signed there, below 0 gives 0
		return i32.sel(i32.eq(hi, zero), d, i32.not(sign))
	}
	// t >= 2^(32+n) if t + (2^64 − 2^(32+n)) carries, and then it is saturated: to
	// ones. InstCombine makes a compare of 64 bits with a constant of any other test.
	if n > 0 {
		t = i64.or(i64.and(t, mach.K(-1<<32)), i64.zext(i32, d))
	}
	return i32.trunc(i64, i64.uaddSat(t, mach.K(-1<<(32+n))))
}

// last is the signed word nearest to a value whose sign is known: 2^31 − 1, or
// the complement of that.
func last(sign expr) expr { return i32.xor(sign, mach.K(1<<31-1)) }
