package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// mul24, mad24, mul, mad, the carry family and vmad on sm_10 to sm_13: 24-bit
// products are one instruction each, words are multiplied by halves.
var teslaRules = isel.Table{
	isel.R("mul24.lo.u32", Tesla, T_MUL24_U.Of(a, b)),
	isel.R("mul24.lo.s32", Tesla, T_MUL24_S.Of(a, b)),
	isel.R("mul24.hi.u32", Tesla, T_MUL24_HI_U.Of(a, b)),
	isel.R("mul24.hi.s32", Tesla, T_MUL24_HI_S.Of(a, b)),
	isel.R("mad24.lo.u32", Tesla, T_MAD24_U.Of(a, b, c)),
	isel.R("mad24.lo.s32", Tesla, T_MAD24_S.Of(a, b, c)),
	isel.R("mad24.hi.u32", Tesla, T_MAD24_HI_U.Of(a, b, c)),
	isel.R("mad24.hi.s32", Tesla, T_MAD24_HI_S.Of(a, b, c)),
	isel.R("mad24.hi.sat.s32", Tesla, T_MAD24_SAT.Of(a, b, c)),

	isel.R("mul.lo.{u,s}32", Tesla, te.low32(a, b, zero)),
	isel.R("mad.lo.{u,s}32", Tesla, te.low32(a, b, c)),
	isel.R("mul.hi.u32", Tesla, hi(te.wide(a, b))),
	isel.R("mul.hi.s32", Tesla, hi(te.signedWide(a, b))),
	isel.R("mad.hi.u32", Tesla, te.add(hi(te.wide(a, b)), c)),
	isel.R("mad.hi.s32", Tesla, te.add(hi(te.signedWide(a, b)), c)),
	isel.R("mad.hi.sat.s32", Tesla, T_IADD_SAT.Of(hi(te.signedWide(a, b)), c)),
	isel.R("mul.wide.u32", Tesla, te.wide(a, b)),
	isel.R("mul.wide.s32", Tesla, te.signedWide(a, b)),
	isel.R("mad.wide.u32", Tesla, te.add64(te.wide(a, b), c)),
	isel.R("mad.wide.s32", Tesla, te.add64(te.signedWide(a, b), c)),

	// 16-bit operands are zero-extended, and so must the results be.
	isel.R("mul.lo.{u,s}16", Tesla, te.low16(T_MUL_LL.Of(a, b))),
	isel.R("mad.lo.{u,s}16", Tesla, te.low16(T_MAD_LL.Of(a, b, c))),
	isel.R("mul.hi.u16", Tesla, T_HIGH16.Of(T_MUL_LL.Of(a, b))),
	isel.R("mul.hi.s16", Tesla, T_HIGH16.Of(T_MUL_SS.Of(a, b))),
	// (p + c·2^16)<31..16> = p<31..16> + c modulo 2^16.
	isel.R("mad.hi.u16", Tesla, T_HIGH16.Of(T_MAD_LL.Of(a, b, te.shl(c, 16)))),
	isel.R("mad.hi.s16", Tesla, T_HIGH16.Of(T_MAD_S_LL.Of(a, b, te.shl(c, 16)))),
	isel.R("mul.wide.u16", Tesla, T_MUL_LL.Of(a, b)),
	isel.R("mul.wide.s16", Tesla, T_MUL_SS.Of(a, b)),
	isel.R("mad.wide.u16", Tesla, T_MAD_LL.Of(a, b, c)),
	isel.R("mad.wide.s16", Tesla, T_MAD_S_LL.Of(a, b, c)),

	isel.R("mul.lo.{u,s}64", Tesla, teslaLow64()),
	isel.R("mad.lo.{u,s}64", Tesla, te.add64(teslaLow64(), c)),
	isel.R("mul.hi.u64", Tesla, teslaHigh128(false)),
	isel.R("mul.hi.s64", Tesla, teslaHigh128(true)),
	isel.R("mad.hi.u64", Tesla, te.add64(teslaHigh128(false), c)),
	isel.R("mad.hi.s64", Tesla, te.add64(teslaHigh128(true), c)),

	isel.R("add.{u,s}16", Tesla, te.low16(te.add(a, b))),
	isel.R("sub.{u,s}16", Tesla, te.low16(te.sub(a, b))),
	isel.R("add.{u,s}32", Tesla, te.add(a, b)),
	isel.R("sub.{u,s}32", Tesla, te.sub(a, b)),
	isel.R("add.{u,s}64", Tesla, te.add64(a, b)),
	isel.R("sub.{u,s}64", Tesla, te.sub64(a, b)),
	isel.R("add.sat.s32", Tesla, T_IADD_SAT.Of(a, b)),
	isel.R("sub.sat.s32", Tesla, T_ISUB_SAT.Of(a, b)),
	isel.G("carry", "{add.cc,addc,sub.cc,subc}.*", Tesla, func(f ptx.Form, _ ptx.Model) []expr {
		return teslaSum(f, a, b, c, false)
	}),
	isel.G("mad.cc", "{mad.lo.cc,mad.hi.cc,mad.wide.cc,madc}.*{32,64}", Tesla, func(f ptx.Form, _ ptx.Model) []expr {
		return teslaSum(f, teslaProduct(f), c, e, f.T.Bits() == 64 && f.Mode == ptx.Hi)
	}),

	isel.G("vmad low", "vmad.*", Tesla, teslaVmadLow),
	isel.G("vmad", "vmad.*", Tesla, teslaVmad),
}

// teslaProduct is the part of a·b that a form of mad with carries adds to.
func teslaProduct(f ptx.Form) expr {
	signed := f.T.Signed()
	switch {
	case f.T.Bits() == 64 && f.Mode == ptx.Hi:
		return teslaHigh128(signed)
	case f.T.Bits() == 64:
		return teslaLow64()
	case f.Mode == ptx.Lo:
		return te.low32(a, b, zero)
	}
	w := te.wide(a, b)
	if signed {
		w = te.signedWide(a, b)
	}
	if f.Mode == ptx.Hi {
		return hi(w)
	}
	return w
}

// teslaSum is x + y, or x − y, with the carries that the form has, words or
// pairs: a − b is a + ~b + 1. All of x is there before the first word is added.
// Where computing x writes C0, the carry waits in a register.
func teslaSum(f ptx.Form, x, y, cf expr, clobbers bool) []expr {
	wide := f.T.Bits() == 64 || f.Mode == ptx.Wide
	word := func(x, y, cf expr, in bool) expr {
		switch {
		case in && f.SubFamily():
			return T_IADD_X_C.Of(x, te.not(y), cf)
		case in:
			return T_IADD_X_C.Of(x, y, cf)
		case f.SubFamily():
			return T_ISUB_C.Of(x, y)
		}
		return T_IADD_C.Of(x, y)
	}
	last := func(x, y, cf expr) []expr {
		if !f.CC {
			if f.SubFamily() {
				y = te.not(y)
			}
			return []expr{T_IADD_X.Of(x, y, cf)}
		}
		s := word(x, y, cf, true)
		return []expr{s, s.Out(1)}
	}
	switch {
	case !wide && f.ReadsCF():
		return last(x, y, cf)
	case !wide:
		s := word(x, y, cf, false)
		return []expr{s, s.Out(1)}
	}
	first := lo(x)
	if clobbers && f.ReadsCF() {
		saved := te.save(cf)
		first, cf = after(saved, first), te.load(saved)
	}
	l := word(first, after(hi(x), lo(y)), cf, f.ReadsCF())
	h := last(hi(x), hi(y), l.Out(1))
	h[0] = pair(l, h[0])
	return h
}

// teslaLow64 is bits 63..0 of a·b: the halves of aL·bH and aH·bL go into the high
// word of aL·bL.
func teslaLow64() expr {
	w := te.wide(lo(a), lo(b))
	cross := T_MAD_HL.Of(lo(b), hi(a), T_MAD_HL.Of(hi(b), lo(a), T_MAD_HL.Of(lo(a), hi(b), T_MUL_LH.Of(lo(b), hi(a)))))
	h := T_MAD_LL.Of(lo(a), hi(b), T_MAD_LL.Of(hi(a), lo(b), hi(w)))
	return pair(lo(w), te.add(h, te.shl(cross, 16)))
}

// teslaHigh128 is bits 127..64 of a·b:
//
//	m = aL·bH + ⌊aL·bL / 2^32⌋             64 bits
//	n = aH·bL + m<31..0>                   64 bits
//	a·b / 2^64 = aH·bH + m<63..32> + n<63..32>
//
// less b for a < 0 and a for b < 0 where they are signed.
func teslaHigh128(signed bool) expr {
	m := te.add64(te.wide(lo(a), hi(b)), pair(hi(te.wide(lo(a), lo(b))), zero))
	n := te.add64(te.wide(hi(a), lo(b)), pair(lo(m), zero))
	w := te.add64(te.add64(te.wide(hi(a), hi(b)), pair(hi(m), zero)), pair(hi(n), zero))
	if !signed {
		return w
	}
	negative := func(s, x expr) expr {
		return te.each(func(s, x expr) expr { return te.negative(s, x) }, pair(s, s), x)
	}
	return te.sub64(te.sub64(w, negative(hi(a), b)), negative(hi(b), a))
}

// teslaValue is a factor in a register, extended.
func teslaValue(x factor) expr {
	at, n := x.sel.Range()
	up, down := int64(32-at-n), int64(32-n)
	switch {
	case n == 32:
		return x.word
	case x.signed && x.sel == ptx.H0:
		return te.sext16(x.word)
	case x.sel == ptx.H0:
		return te.low16(x.word)
	case x.sel == ptx.H1 && !x.signed:
		return T_HIGH16.Of(x.word)
	case x.sel == ptx.B0 && !x.signed:
		return te.mask(x.word, 0xff)
	}
	w := x.word
	if up > 0 {
		w = te.shl(w, up)
	}
	if x.signed {
		return te.sar(w, down)
	}
	return te.shr(w, down)
}

// times is x·y of parts, or modulo 2^32: parts have at most 17 bits with a sign.
func (v *vmadForm) teslaTimes(addend expr) expr {
	x, y := teslaValue(v.x), teslaValue(v.y)
	if !v.parts() {
		return te.low32(x, y, addend)
	}
	if addend == zero {
		return T_MUL24_S.Of(x, y)
	}
	return T_MAD24_S.Of(x, y, addend)
}

// teslaVmadLow: bits 31..0 of t.
func teslaVmadLow(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case f.Sat || f.Shr > 0:
		return nil
	case v.neg:
		return []expr{te.sub(c, v.teslaTimes(zero))}
	case f.NegC:
		return []expr{te.sub(v.teslaTimes(zero), c)}
	case f.PO:
		return []expr{te.add(v.teslaTimes(c), one)}
	}
	return []expr{v.teslaTimes(c)}
}

// teslaVmad: t modulo 2^64, then the shift and the limit.
func teslaVmad(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	t := v.teslaSum()
	l, h := lo(t), hi(t)
	shifted := func() expr {
		if v.n == 0 {
			return l
		}
		return te.or(te.shr(l, v.n), te.shl(h, 32-v.n))
	}
	switch {
	case !v.sat:
		return []expr{shifted()}
	case v.signed:
		return []expr{v.teslaLimited(l, h, shifted)}
	case v.n > 0: // t / 2^n as a logical shift leaves it
		return []expr{te.or(shifted(), te.onesU(ptx.Ge, h, mach.K(1<<v.n)))}
	case !v.cs:
		return []expr{te.or(l, te.onesU(ptx.Ne, h, zero))}
	}
	// Outside a word: all ones for t > 0 and 0 for t < 0.
	return []expr{te.pick(te.isU(ptx.Ne, h, zero), te.ones(ptx.Ge, h, zero), l)}
}

// teslaSum is p ± c or c − p, plus 1 with .po: p + c + 1 is p − ~c in the low
// word.
func (v *vmadForm) teslaSum() expr {
	x := pair(c, zero)
	if v.cs {
		x = te.sext64(c)
	}
	p := v.teslaProduct()
	switch {
	case v.neg:
		return te.sub64(x, p)
	case v.f.NegC:
		return te.sub64(p, x)
	case v.f.PO:
		l := T_ISUB_C.Of(lo(p), after(hi(p), after(hi(x), te.not(c))))
		return pair(l, T_IADD_X.Of(hi(p), hi(x), l.Out(1)))
	}
	return te.add64(p, x)
}

// teslaProduct is x·y as a pair: u·s of words is u·2^32 less than as unsigned
// where s < 0.
func (v *vmadForm) teslaProduct() expr {
	x, y := v.x, v.y
	if x.bits() < 32 {
		x, y = y, x
	}
	switch {
	case v.halves():
		return pair(v.teslaTimes(zero), zero)
	case v.parts():
		return te.sext64(v.teslaTimes(zero))
	case y.bits() < 32:
		return teslaWordTimes(x, y)
	}
	w := te.wide(x.word, y.word)
	h := hi(w)
	if x.signed {
		h = te.sub(h, te.negative(x.word, y.word))
	}
	if y.signed {
		h = te.sub(h, te.negative(y.word, x.word))
	}
	return pair(lo(w), h)
}

// teslaWordTimes is the word x times the part y, factors of 17 bits with a sign:
//
//	p = xL·y, h = xH·y + ⌊p / 2^16⌋
//	x·y = h·2^16 + p<15..0>
func teslaWordTimes(x, y factor) expr {
	down, top := te.shr, te.shr
	if x.signed || y.signed {
		top = te.sar
	}
	if y.signed {
		down = te.sar
	}
	xH := te.shr(x.word, 16)
	if x.signed {
		xH = te.sar(x.word, 16)
	}
	k := teslaValue(y)
	p := T_MUL24_S.Of(te.low16(x.word), k)
	h := T_MAD24_S.Of(xH, k, down(p, 16))
	return pair(te.or(te.shl(h, 16), te.low16(p)), top(h, 16))
}

// teslaLimited is ⌊t / 2^n⌋ limited to a signed word, for the reasons of
// vmadForm.limited.
func (v *vmadForm) teslaLimited(l, h expr, shifted func() expr) expr {
	far := te.limit(h)
	bias, last := int64(1)<<v.n>>1, int64(1)<<v.n-1
	if v.size() == 64 {
		last = bias
		far = T_MVI.Of(mach.K(-1 << 31))
		if v.f.NegC {
			bias = 1
			far = T_MVI.Of(mach.K(1<<31 - 1))
		}
	}
	if v.n == 0 {
		return when(te.isU(ptx.Ne, te.sar(l, 31), h), far, l)
	}
	out := te.isU(ptx.Gt, te.add(h, mach.K(bias)), mach.K(last))
	return when(out, far, shifted())
}
