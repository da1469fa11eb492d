package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vmad on sm_20 to sm_62: VMAD is the manual's, with parts on all of them, with
// words up to sm_53. What it cannot do is d = limit(⌊t / 2^n⌋), t = ±x·y ± c (+ 1)
// in steps.
var ccVmadRules = isel.Table{
	isel.G("vmad, VMAD", "vmad.*", VideoWord, func(f ptx.Form, m ptx.Model) []expr { return nativeVmad(f, m, true) }),
	isel.G("vmad, VMAD of parts", "vmad.*", CarryFlag, func(f ptx.Form, m ptx.Model) []expr { return nativeVmad(f, m, false) }).Without(VideoWord),
	isel.G("vmad low, XMAD", "vmad.*", HalfMul, maxwellVmadLow).Without(VideoWord),
	isel.G("vmad, XMAD", "vmad.*", HalfMul, vmadSteps{xmadSum, shiftSHF, cc.narrowLEA}.rule),
	isel.G("vmad, IMAD and SHF", "vmad.*", WordMul|Funnel, vmadSteps{imadSum, shiftSHF, cc.narrow}.rule),
	isel.G("vmad, IMAD", "vmad.*", WordMul, vmadSteps{imadSum, shiftAdd, cc.narrow}.rule),
}

// nativeVmad is VMAD where it computes what the model says: what ptxas computes
// is something else only where a word that is unsigned, or c beside two unsigned
// factors, is taken as signed and the result shows it.
func nativeVmad(f ptx.Form, m ptx.Model, words bool) []expr {
	v := vmadOf(f, m)
	isa := vmadOf(f, ptx.ISA)
	switch {
	case !words && !v.parts():
		return nil
	case f.Shr == 0 && !f.Sat:
	case v.x.signed != isa.x.signed, v.y.signed != isa.y.signed, v.cs != isa.cs:
		return nil
	}
	return []expr{VMAD(f).Of(a, b, c)}
}

// ccValue is a factor in a register, extended.
func ccValue(x factor) expr {
	if x.bits() == 32 {
		return x.word
	}
	at, n := x.sel.Range()
	return cc.field(x.word, at, n, x.signed)
}

// maxwellVmadLow: bits 31..0 of t, one factor being a word.
func maxwellVmadLow(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	switch {
	case f.Sat || f.Shr > 0:
		return nil
	case v.neg:
		return []expr{cc.sub(c, lowTimes(v.x, v.y, zero))}
	case f.NegC:
		return []expr{cc.sub(lowTimes(v.x, v.y, zero), c)}
	case f.PO:
		return []expr{F_IADD_PO.Of(lowTimes(v.x, v.y, zero), c)}
	}
	return []expr{lowTimes(v.x, v.y, c)}
}

// lowTimes is x·y + addend modulo 2^32. With y a half, it is xL·y + addend +
// xH·y·2^16.
func lowTimes(x, y factor, addend expr) expr {
	if x.bits() < 32 {
		x, y = y, x
	}
	if y.bits() == 32 {
		return low32(x.word, y.word, addend)
	}
	h := halfOf(y)
	return h.shifted(x.word, h.times(x.word, addend))
}

// halfFactor is a part that XMAD multiplies: half 0 or 1 of a word.
type halfFactor struct {
	word         expr
	high, signed bool
}

// halfOf is a part as a half: bytes are extracted first.
func halfOf(x factor) halfFactor {
	if x.bits() == 8 {
		return halfFactor{ccValue(x), false, x.signed}
	}
	return halfFactor{x.word, x.sel == ptx.H1, x.signed}
}

// times is the low half of x, unsigned, times y, plus an addend.
func (y halfFactor) times(x, addend expr) expr {
	rows := [2][2]*mach.Op{{X_LL, X_US_LL}, {X_LH, X_US_LH}}
	return rows[index(y.high)][index(y.signed)].Of(x, y.word, addend)
}

// shifted is the high half of x times y, times 2^16, plus an addend.
func (y halfFactor) shifted(x, addend expr) expr {
	if y.high {
		return X_HH_PSL.Of(x, y.word, addend)
	}
	return X_HL_PSL.Of(x, y.word, addend)
}

// vmadSteps says how a machine takes the steps.
type vmadSteps struct {
	sum     func(v *vmadForm) expr        // t modulo 2^64
	shifted func(l, h expr, n int64) expr // bits 31+n … n of {h, l}
	narrow  func(l, h, far expr) expr     // the word l where {h, l} is one, else far
}

// xmadSum: unsigned words are multiplied with c at once.
func xmadSum(v *vmadForm) expr {
	x, y := v.x, v.y
	if x.bits() < 32 {
		x, y = y, x
	}
	switch {
	case x.bits() < 32:
		return v.plusAddend(v.partsProduct())
	case y.bits() < 32:
		return v.plusAddend(halfProduct(x, halfOf(y)))
	case x.signed && y.signed:
		return v.plusAddend(signedHalves(x.word, y.word).wide(zero))
	case v.neg, v.f.NegC, v.f.PO:
		return v.plusAddend(fixSign(x, y, unsignedHalves(x.word, y.word).wide(zero)))
	}
	return fixSign(x, y, unsignedHalvesPlus(x.word, y.word, c).wide(hi(v.extended(c))))
}

// fixSign makes the product of two unsigned words, of which one is signed,
// right: u·s is u·2^32 less where s < 0.
func fixSign(x, y factor, w expr) expr {
	if y.signed {
		x, y = y, x
	}
	if !x.signed {
		return w
	}
	return pair(lo(w), cc.sub(hi(w), F_ICMP_LT.Of(y.word, zero, x.word)))
}

// imadSum: words are signed where there is no VMAD for them.
func imadSum(v *vmadForm) expr {
	if v.parts() {
		return v.plusAddend(v.partsProduct())
	}
	x, y := ccValue(v.x), ccValue(v.y)
	if v.neg || v.f.NegC || v.f.PO {
		return v.plusAddend(pair(F_IMUL.Of(x, y), F_IMUL_HI.Of(x, y)))
	}
	return signedWide.add(x, y, v.extended(c))
}

// partsProduct is x·y of parts, at most 32 bits.
func (v *vmadForm) partsProduct() expr {
	p := VMAD(ptx.Form{Op: ptx.Vmad, A: v.f.A, B: v.f.B, SelA: v.f.SelA, SelB: v.f.SelB}).Of(a, b, zero)
	if v.x.signed || v.y.signed {
		return cc.sext64(p)
	}
	return pair(p, zero)
}

// extended is a word as c is extended.
func (v *vmadForm) extended(x expr) expr {
	if v.cs {
		return cc.sext64(x)
	}
	return pair(x, zero)
}

// plusAddend is p ± c or c − p; with .po p + c + 1 is p − ~c in the low word.
func (v *vmadForm) plusAddend(p expr) expr {
	x := v.extended(c)
	switch {
	case v.neg:
		return cc.sub64(x, p)
	case v.f.NegC:
		return cc.sub64(p, x)
	case v.f.PO:
		l := F_ISUB_C.Of(lo(p), after(hi(p), cc.not(c)))
		return pair(l, F_IADD_X.Of(hi(p), hi(x), l.Out(1)))
	}
	return cc.add64(p, x)
}

// halfProduct is the word x times the half y:
//
//	p = xL·y, h = xH·y + ⌊p / 2^16⌋
//	x·y = h·2^16 + p<15..0>
func halfProduct(x factor, y halfFactor) expr {
	p := y.times(x.word, zero)
	var h expr
	if y.signed { // ⌊p / 2^16⌋ has a sign
		rows := [2][2]*mach.Op{{X_US_HL, X_SS_HL}, {X_US_HH, X_SS_HH}}
		h = rows[index(y.high)][index(x.signed)].Of(x.word, y.word, cc.sar(p, 16))
	} else {
		rows := [2][2]*mach.Op{{X_HL_CHI, X_SU_CHI}, {X_HH_CHI, X_SU_HH_CHI}}
		h = rows[index(y.high)][index(x.signed)].Of(x.word, y.word, p)
	}
	top := cc.shr
	if x.signed || y.signed {
		top = cc.sar
	}
	return pair(X_JOIN.Of(h, one, p), top(h, 16))
}

// rule is a form in steps: the sum, the shift and the limit.
func (s vmadSteps) rule(f ptx.Form, m ptx.Model) []expr {
	v := vmadOf(f, m)
	t := s.sum(&v)
	l, h := lo(t), hi(t)
	shifted := func() expr {
		if v.n == 0 {
			return l
		}
		return s.shifted(l, h, v.n)
	}
	switch {
	case !v.sat:
		return []expr{shifted()}
	case v.signed:
		return []expr{s.limited(&v, l, h, shifted)}
	case v.n > 0: // t / 2^n as a logical shift leaves it
		return []expr{cc.or(shifted(), cc.iset(ptx.Ge, true, h, mach.K(1<<v.n)))}
	case !v.cs:
		return []expr{cc.or(l, cc.iset(ptx.Ne, true, h, zero))}
	}
	// Outside a word: all ones for t > 0 and 0 for t < 0.
	return []expr{F_ICMP_EQ.Of(l, cc.iset(ptx.Ge, false, h, zero), h)}
}

// limited is ⌊t / 2^n⌋ limited to a signed word, for the reasons of
// vmadForm.limited.
func (s vmadSteps) limited(v *vmadForm, l, h expr, shifted func() expr) expr {
	far := cc.limit(h)
	bias, last := int64(1)<<v.n>>1, int64(1)<<v.n-1
	if v.size() == 64 {
		last = bias
		far = F_MOV_K.Of(mach.K(-1 << 31))
		if v.f.NegC {
			bias = 1
			far = F_MOV_K.Of(mach.K(1<<31 - 1))
		}
	}
	if v.n == 0 {
		return s.narrow(l, h, far)
	}
	out := cc.isU(ptx.Gt, cc.add(h, mach.K(bias)), mach.K(last))
	return when(out, far, shifted())
}

// shiftSHF takes one instruction, shiftAdd two: h·2^(32−n) + ⌊l / 2^n⌋.
func shiftSHF(l, h expr, n int64) expr { return F_SHR64.Of(l, mach.K(n), h) }
func shiftAdd(l, h expr, n int64) expr { return F_ISCADD.Of(h, cc.shr(l, n), mach.K(32-n)) }
