package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// The instructions that share asm bodies with the family, on sm_20 to sm_62.
var ccIntRules = isel.Table{
	isel.G("mov", "mov.*", CarryFlag, ccMove),

	isel.R("not.pred", CarryFlag, F_PAND.Of(notP(a), yes)),
	isel.R("not.b16", CarryFlag, cc.xor(a, mach.K(0xffff))),
	isel.R("not.b32", CarryFlag, cc.not(a)),
	isel.R("not.b64", CarryFlag, pair(cc.not(lo(a)), cc.not(hi(a)))),
	isel.G("logic", "{and,or,xor}.*", CarryFlag, ccLogic),
	isel.G("lop3", "lop3.*", HalfMul, func(f ptx.Form, _ ptx.Model) []expr {
		return []expr{F_LOP3.Of(a, b, c, mach.K(int64(f.Lut)))}
	}),
	isel.G("lop3 in steps", "lop3.*", WordMul, func(f ptx.Form, _ ptx.Model) []expr {
		return []expr{formulas().expr(f.Lut, fermiFormula)}
	}),
	// a ≠ 0 ? 0 : 1.
	isel.R("cnot.{b16,b32}", CarryFlag, F_ICMP_NE.Of(zero, one, a)),
	isel.R("cnot.b64", CarryFlag, cc.zext64(F_ICMP_NE.Of(zero, one, cc.or(lo(a), hi(a))))),

	// Counts above 31 shift all bits out.
	isel.R("shl.b16", CarryFlag, cc.low16(F_SHL.Of(a, b))),
	isel.R("shl.b32", CarryFlag, F_SHL.Of(a, b)),
	isel.R("shr.{u,b}16", CarryFlag, F_SHR.Of(a, b)),
	isel.R("shr.s16", CarryFlag, cc.low16(F_SAR.Of(cc.sext16(a), b))),
	isel.R("shr.{u,b}32", CarryFlag, F_SHR.Of(a, b)),
	isel.R("shr.s32", CarryFlag, F_SAR.Of(a, b)),
	isel.R("shl.b64", Funnel, cc.shl64(a, b)),
	isel.R("shr.{u,b}64", Funnel, cc.shr64(a, b, false)),
	isel.R("shr.s64", Funnel, cc.shr64(a, b, true)),
	isel.R("shl.b64", CarryFlag, cc.slowShl64(a, b)).Without(Funnel).Named("shl.b64 in words"),
	isel.R("shr.{u,b}64", CarryFlag, cc.slowShr64(a, b, false)).Without(Funnel).Named("shr.u64 in words"),
	isel.R("shr.s64", CarryFlag, cc.slowShr64(a, b, true)).Without(Funnel).Named("shr.s64 in words"),
	isel.R("shf.l.clamp.b32", Funnel, F_FSHL.Of(a, c, b)),
	isel.R("shf.l.wrap.b32", Funnel, F_FSHL_W.Of(a, c, b)),
	isel.R("shf.r.clamp.b32", Funnel, F_FSHR.Of(a, c, b)),
	isel.R("shf.r.wrap.b32", Funnel, F_FSHR_W.Of(a, c, b)),
	isel.G("shf in words", "shf.*", CarryFlag, ccFunnel).Without(Funnel),
	isel.G("prmt", "prmt.*", CarryFlag, func(f ptx.Form, _ ptx.Model) []expr {
		return []expr{F_PRMTs[f.Perm].Of(a, c, b)}
	}),

	// The field's place and length are bytes of one operand.
	isel.R("bfe.u32", CarryFlag, F_BFE_U.Of(a, bytePair(b, c))),
	isel.R("bfe.s32", CarryFlag, F_BFE.Of(a, bytePair(b, c))),
	isel.R("bfi.b32", CarryFlag, F_BFI.Of(a, bytePair(c, e), b)),
	isel.R("bfe.u64", Funnel, pairShifts.field64(false)),
	isel.R("bfe.s64", Funnel, pairShifts.field64(true)),
	isel.R("bfi.b64", Funnel, pairShifts.insert64()),
	isel.R("bfe.u64", CarryFlag, wordShifts.field64(false)).Without(Funnel).Named("bfe.u64 in words"),
	isel.R("bfe.s64", CarryFlag, wordShifts.field64(true)).Without(Funnel).Named("bfe.s64 in words"),
	isel.R("bfi.b64", CarryFlag, wordShifts.insert64()).Without(Funnel).Named("bfi.b64 in words"),

	isel.R("popc.b32", HalfMul, F_POPC.Of(a)),
	isel.R("popc.b64", HalfMul, cc.add(F_POPC.Of(lo(a)), F_POPC.Of(hi(a)))),
	isel.R("popc.b32", WordMul, F_POPC_AND.Of(a)).Named("popc.b32, and"),
	isel.R("popc.b64", WordMul, cc.add(F_POPC_AND.Of(lo(a)), F_POPC_AND.Of(hi(a)))).Named("popc.b64, and"),
	// FLO gives −1 for 0, and 31 − (−1) = 32.
	isel.R("clz.b32", CarryFlag, F_IRSUB.Of(F_FLO_U.Of(a), mach.K(31))),
	// 31 or 63 − FLO(the higher word that is not 0).
	isel.R("clz.b64", CarryFlag, cc.sub(
		F_ICMP_EQ.Of(F_MOV_K.Of(mach.K(63)), mach.K(31), hi(a)),
		F_FLO_U.Of(F_ICMP_EQ.Of(lo(a), hi(a), hi(a))))),
	isel.R("brev.b32", CarryFlag, F_BREV.Of(a)),
	isel.R("brev.b64", CarryFlag, pair(F_BREV.Of(hi(a)), F_BREV.Of(lo(a)))),
	isel.R("bfind.u32", CarryFlag, F_FLO_U.Of(a)),
	isel.R("bfind.s32", CarryFlag, F_FLO.Of(a)),
	isel.R("bfind.shiftamt.u32", CarryFlag, F_FLO_U_SH.Of(a)),
	isel.R("bfind.shiftamt.s32", CarryFlag, F_FLO_SH.Of(a)),
	isel.G("bfind 64", "bfind.*64", CarryFlag, ccFind64),

	isel.G("setp", "setp.*", CarryFlag, ccSetp),
	isel.G("set", "set.*", CarryFlag, ccSet),
	isel.G("selp", "selp.*", CarryFlag, func(f ptx.Form, _ ptx.Model) []expr {
		if f.T.Bits() == 64 {
			return []expr{cc.sel64(c, a, b)}
		}
		return []expr{F_SEL.Of(a, b, c)}
	}),
	isel.R("slct.*64.s32", CarryFlag, cc.each(func(x, y expr) expr { return F_ICMP_GE.Of(x, y, c) }, a, b)),
	isel.R("slct.*", CarryFlag, F_ICMP_GE.Of(a, b, c)),
	isel.R("min.{u16,u32}", CarryFlag, F_MIN_U.Of(a, b)),
	isel.R("max.{u16,u32}", CarryFlag, F_MAX_U.Of(a, b)),
	isel.R("min.s32", CarryFlag, F_MIN.Of(a, b)),
	isel.R("max.s32", CarryFlag, F_MAX.Of(a, b)),
	isel.R("min.s16", CarryFlag, cc.low16(F_MIN.Of(cc.sext16(a), cc.sext16(b)))),
	isel.R("max.s16", CarryFlag, cc.low16(F_MAX.Of(cc.sext16(a), cc.sext16(b)))),
	isel.G("min max 64", "{min,max}.*64", CarryFlag, func(f ptx.Form, _ ptx.Model) []expr {
		x, y := a, b
		if f.Op == ptx.Max {
			x, y = b, a
		}
		return []expr{cc.sel64(cc.less64(!f.T.Signed(), x, y), a, b)}
	}),

	isel.R("abs.s16", CarryFlag, F_ABS16.Of(a)),
	isel.R("abs.s32", CarryFlag, F_ABS.Of(a)),
	isel.R("abs.s64", CarryFlag, cc.each(func(x, y expr) expr { return F_ICMP_GE.Of(x, y, hi(a)) }, a, cc.sub64(zero, a))),
	isel.R("neg.s16", CarryFlag, cc.low16(cc.sub(zero, a))),
	isel.R("neg.s32", CarryFlag, cc.sub(zero, a)),
	isel.R("neg.s64", CarryFlag, cc.sub64(zero, a)),
	isel.R("sad.u16", HalfMul, cc.low16(F_VABSDIFF_U.Of(a, b, c))),
	isel.R("sad.s16", HalfMul, cc.low16(F_VABSDIFF.Of(cc.sext16(a), cc.sext16(b), c))),
	isel.R("sad.u32", HalfMul, F_VABSDIFF_U.Of(a, b, c)),
	isel.R("sad.s32", HalfMul, F_VABSDIFF.Of(a, b, c)),
	isel.R("sad.u16", WordMul, cc.low16(F_SAD_U.Of(a, b, c))).Named("sad.u16, ISAD"),
	isel.R("sad.s16", WordMul, cc.low16(F_SAD.Of(cc.sext16(a), cc.sext16(b), c))).Named("sad.s16, ISAD"),
	isel.R("sad.u32", WordMul, F_SAD_U.Of(a, b, c)).Named("sad.u32, ISAD"),
	isel.R("sad.s32", WordMul, F_SAD.Of(a, b, c)).Named("sad.s32, ISAD"),
	isel.R("sad.u64", CarryFlag, ccSad64(true)),
	isel.R("sad.s64", CarryFlag, ccSad64(false)),

	isel.G("cvt.sat, LEA", "cvt.sat.*.s64", HalfMul, func(f ptx.Form, _ ptx.Model) []expr { return ccCvtSat(f, cc.narrowLEA) }),
	isel.G("cvt.sat", "cvt.sat.*", CarryFlag, func(f ptx.Form, _ ptx.Model) []expr { return ccCvtSat(f, cc.narrow) }),
	isel.G("cvt", "cvt.*", CarryFlag, ccCvt),
}

// bytePair has the low byte of x, and of y above it.
func bytePair(x, y expr) expr { return F_BFI.Of(y, mach.K(0x0808), x) }

// ccMove copies, packs or unpacks; the first part is the lowest.
func ccMove(f ptx.Form, _ ptx.Model) []expr {
	join := func(x, y expr) expr { return F_PRMT.Of(x, mach.K(0x5410), y) } // halves
	bytes := func(x, y expr) expr { return F_PRMT.Of(x, mach.K(0x1140), y) }
	size := f.T.Bits()
	switch f.Pack {
	case 0:
		return []expr{a}
	case 2:
		switch size {
		case 16:
			return []expr{bytes(a, b)}
		case 32:
			return []expr{join(a, b)}
		}
		return []expr{pair(a, b)}
	case 4:
		if size == 64 {
			return []expr{pair(join(a, b), join(c, e))}
		}
		return []expr{join(bytes(a, b), bytes(c, e))}
	}
	n := size / -int(f.Pack)
	out := make([]expr, -f.Pack)
	for i := range out {
		word, at := a, i*n
		if size == 64 {
			if word = lo(a); at >= 32 {
				word, at = hi(a), at-32
			}
		}
		out[i] = word
		if n < 32 {
			out[i] = cc.field(word, at, n, false)
		}
	}
	return out
}

func ccLogic(f ptx.Form, _ ptx.Model) []expr {
	op := map[ptx.Op]*mach.Op{ptx.And: F_AND, ptx.Or: F_OR, ptx.Xor: F_XOR}[f.Op]
	switch f.T {
	case ptx.Pred:
		with := map[ptx.Op]ptx.BoolOp{ptx.And: ptx.BoolAnd, ptx.Or: ptx.BoolOr, ptx.Xor: ptx.BoolXor}[f.Op]
		return []expr{cc.combine(with, a, b)}
	case ptx.B64:
		return []expr{cc.each(func(x, y expr) expr { return op.Of(x, y) }, a, b)}
	}
	return []expr{op.Of(a, b)}
}

// ccFunnel is the word of {b, a} that the count n ≤ 32 moves: b<<n and
// a>>(32−n), or a>>n and b<<(32−n).
func ccFunnel(f ptx.Form, _ ptx.Model) []expr {
	n := F_MIN_U.Of(c, mach.K(32))
	if f.Wrap {
		n = cc.and(c, mach.K(31))
	}
	rest := F_IRSUB.Of(n, mach.K(32))
	if f.Mode == ptx.Left {
		return []expr{cc.or(F_SHL.Of(b, n), F_SHR.Of(a, rest))}
	}
	return []expr{cc.or(F_SHR.Of(a, n), F_SHL.Of(b, rest))}
}

// shifts are ways to shift pairs.
type shifts struct {
	left  func(x, n expr) expr
	right func(x, n expr, signed bool) expr
}

var (
	pairShifts = shifts{cc.shl64, cc.shr64}
	wordShifts = shifts{cc.slowShl64, cc.slowShr64}
)

// field64 shifts the field to the top and back, which extends it: by 64 − len,
// 0 where len is more.
func (s shifts) field64(signed bool) expr {
	x := s.right(a, cc.low8(b), signed)
	n := F_MAX.Of(F_IRSUB.Of(cc.low8(c), mach.K(64)), zero)
	return s.right(s.left(x, n), n, signed)
}

// insert64: b ^ ((a ^ b>>pos) masked to len bits)<<pos puts a's bits where b's
// were. −1<<len is what the mask takes away.
func (s shifts) insert64() expr {
	pos, n := cc.low8(c), cc.low8(e)
	ones := F_MOV_K.Of(minus)
	cut := s.left(pair(ones, ones), n)
	diff := cc.each(func(x, y expr) expr { return F_ANDN.Of(x, y) }, cc.each(cc.xor, a, s.right(b, pos, false)), cut)
	return cc.each(cc.xor, b, s.left(diff, pos))
}

// ccFind64 looks in the high word, or where that is 0, in the low one. A
// place in the high word is 32 more; a distance from the top in the low word
// is, unless there is none. Signed operands are complemented where negative.
func ccFind64(f ptx.Form, _ ptx.Model) []expr {
	l, h := lo(a), hi(a)
	if f.T.Signed() {
		m := cc.sar(h, 31)
		l, h = cc.xor(l, m), cc.xor(h, m)
	}
	p := cc.isU(ptx.Ne, h, zero)
	word := F_SEL.Of(h, l, p)
	if !f.ShiftAmt {
		at := F_FLO_U.Of(word)
		return []expr{when(p, cc.add(at, mach.K(32)), at)}
	}
	at := F_FLO_U_SH.Of(word)
	q := cc.isetp(ptx.Ne, true, ptx.BoolAnd, l, zero, notP(p))
	return []expr{when(q, cc.add(at, mach.K(32)), at)}
}

// ccTest is what a form compares: values of type t, as words.
func ccTest(f ptx.Form, t ptx.Type) (cmp ptx.Cmp, x, y expr) {
	cmp, x, y = f.Cmp, a, b
	if u, ok := unsignedCmp[cmp]; ok {
		cmp = u
	}
	if t == ptx.S16 && cmp > ptx.Ne {
		x, y = cc.sext16(x), cc.sext16(y)
	}
	return cmp, x, y
}

// combined is the operation with which a test combines and the predicate.
func combined(f ptx.Form) (with ptx.BoolOp, p expr) {
	if f.Bool == ptx.NoBool {
		return ptx.BoolAnd, yes
	}
	return f.Bool, c
}

// ccSetp: q is p's test complemented: (¬t ∧ c) = ¬(t ∧ c) ∧ c, (¬t ∨ c) =
// ¬(t ∨ c) ∨ c, ¬t ⊕ c = ¬(t ⊕ c).
func ccSetp(f ptx.Form, _ ptx.Model) []expr {
	cmp, x, y := ccTest(f, f.T)
	var d expr
	if f.T.Bits() == 64 {
		d, _ = cc.test64(F_ISETPs, cmp, !f.T.Signed(), f.Bool, x, y, c)
	} else {
		with, p := combined(f)
		d = cc.isetp(cmp, !f.T.Signed(), with, x, y, p)
	}
	switch {
	case !f.Dual:
		return []expr{d}
	case f.Bool == ptx.BoolAnd, f.Bool == ptx.BoolOr:
		return []expr{d, cc.combine(f.Bool, notP(d), c)}
	}
	return []expr{d, cc.combine(ptx.BoolAnd, notP(d), yes)}
}

// ccSet is all ones where the test holds.
func ccSet(f ptx.Form, _ ptx.Model) []expr {
	cmp, x, y := ccTest(f, f.A)
	if f.A.Bits() < 64 {
		with, p := combined(f)
		return []expr{F_ISETs[comparison{cmp, !f.A.Signed(), with, false}].Of(x, y, p)}
	}
	d, inOne := cc.test64(F_ISETs, cmp, !f.A.Signed(), f.Bool, x, y, c)
	if !inOne {
		d = F_SEL.Of(zero, minus, notP(d))
	}
	return []expr{d}
}

// ccSad64 is c + |a − b|; one difference is finished before the other, and
// both before the sum.
func ccSad64(unsigned bool) expr {
	x := cc.sub64(b, a)
	l := F_ISUB_C.Of(lo(a), after(hi(x), lo(b)))
	h := F_ISUB_X.Of(hi(a), hi(b), l.Out(1))
	p := cc.less64(unsigned, a, b)
	d := F_SEL.Of(hi(x), h, p)
	low := F_IADD_C.Of(lo(c), after(d, F_SEL.Of(lo(x), l, p)))
	return pair(low, F_IADD_X.Of(hi(c), d, low.Out(1)))
}
