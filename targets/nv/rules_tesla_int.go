package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// The instructions that share asm bodies with the family, on sm_10 to sm_13.
var teslaIntRules = isel.Table{
	isel.G("mov", "mov.*", Tesla, teslaMove),

	isel.R("not.pred", Tesla, te.xor(a, one)),
	isel.R("not.b16", Tesla, te.xor(a, mach.K(0xffff))),
	isel.R("not.b32", Tesla, te.not(a)),
	isel.R("not.b64", Tesla, pair(te.not(lo(a)), te.not(hi(a)))),
	isel.G("logic", "{and,or,xor}.*", Tesla, teslaLogic),
	isel.G("lop3", "lop3.*", Tesla, func(f ptx.Form, _ ptx.Model) []expr {
		return []expr{formulas().expr(f.Lut, teslaFormula)}
	}),
	isel.R("cnot.{b16,b32}", Tesla, te.bit(te.onesU(ptx.Eq, a, zero))),
	isel.R("cnot.b64", Tesla, te.zext64(te.bit(te.onesU(ptx.Eq, te.or(lo(a), hi(a)), zero)))),

	// Counts above 31 shift all bits out.
	isel.R("shl.b16", Tesla, te.low16(T_SHL.Of(a, b))),
	isel.R("shl.b32", Tesla, T_SHL.Of(a, b)),
	isel.R("shr.{u,b}16", Tesla, T_SHR.Of(a, b)),
	isel.R("shr.s16", Tesla, te.low16(T_SAR.Of(te.sext16(a), b))),
	isel.R("shr.{u,b}32", Tesla, T_SHR.Of(a, b)),
	isel.R("shr.s32", Tesla, T_SAR.Of(a, b)),
	isel.R("shl.b64", Tesla, te.shl64(a, b)),
	isel.R("shr.{u,b}64", Tesla, te.shr64(a, b, false)),
	isel.R("shr.s64", Tesla, te.shr64(a, b, true)),
	isel.G("shf", "shf.*", Tesla, teslaFunnel),
	isel.G("prmt", "prmt.*", Tesla, teslaPermute),

	isel.R("bfe.u32", Tesla, teslaField(T_SHR)),
	isel.R("bfe.s32", Tesla, teslaField(T_SAR)),
	isel.R("bfe.u64", Tesla, teslaField64(false)),
	isel.R("bfe.s64", Tesla, teslaField64(true)),
	// b ^ ((a ^ b>>pos) masked to len bits)<<pos puts a's bits where b's were.
	isel.R("bfi.b32", Tesla, te.xor(b, T_SHL.Of(T_ANDN.Of(te.xor(a, T_SHR.Of(b, te.mask(c, 0xff))), T_SHL.Of(minus, te.mask(e, 0xff))), te.mask(c, 0xff)))),
	isel.R("bfi.b64", Tesla, teslaInsert64()),

	isel.R("popc.b32", Tesla, teslaCount(a)),
	isel.R("popc.b64", Tesla, te.add(teslaCount(lo(a)), teslaCount(hi(a)))),
	// The length of a number is the count of ones after they are spread downwards.
	isel.R("clz.b32", Tesla, te.lessFrom(32, teslaLength(a))),
	isel.R("clz.b64", Tesla, te.lessFrom(64, teslaLength64(lo(a), hi(a)))),
	isel.R("brev.b32", Tesla, teslaReverse(a)),
	isel.R("brev.b64", Tesla, pair(teslaReverse(hi(a)), teslaReverse(lo(a)))),
	isel.G("bfind", "bfind.*", Tesla, teslaFind),

	isel.G("setp", "setp.*", Tesla, teslaSetp),
	isel.G("set", "set.*", Tesla, func(f ptx.Form, _ ptx.Model) []expr {
		return []expr{teslaTest(f, f.A).combined(f.Bool, T_IRSUB.Of(c, zero))}
	}),
	isel.R("selp.*64", Tesla, te.pick64(te.isU(ptx.Ne, c, zero), a, b)),
	isel.R("selp.*", Tesla, te.pick(te.isU(ptx.Ne, c, zero), a, b)),
	isel.R("slct.*64.s32", Tesla, te.pick64(te.is(ptx.Ge, c, zero), a, b)),
	isel.R("slct.*", Tesla, te.pick(te.is(ptx.Ge, c, zero), a, b)),
	isel.R("min.{u16,u32}", Tesla, T_MIN_U.Of(a, b)),
	isel.R("max.{u16,u32}", Tesla, T_MAX_U.Of(a, b)),
	isel.R("min.s32", Tesla, T_MIN.Of(a, b)),
	isel.R("max.s32", Tesla, T_MAX.Of(a, b)),
	isel.R("min.s16", Tesla, te.low16(T_MIN.Of(te.sext16(a), te.sext16(b)))),
	isel.R("max.s16", Tesla, te.low16(T_MAX.Of(te.sext16(a), te.sext16(b)))),
	isel.R("min.u64", Tesla, te.pick64(te.isU(ptx.Ne, te.notLess64(true, a, b), zero), b, a)),
	isel.R("min.s64", Tesla, te.pick64(te.isU(ptx.Ne, te.notLess64(false, a, b), zero), b, a)),
	isel.R("max.u64", Tesla, te.pick64(te.isU(ptx.Ne, te.notLess64(true, a, b), zero), a, b)),
	isel.R("max.s64", Tesla, te.pick64(te.isU(ptx.Ne, te.notLess64(false, a, b), zero), a, b)),

	isel.R("abs.s16", Tesla, te.low16(T_MAX.Of(te.sext16(a), te.sub(zero, te.sext16(a))))),
	isel.R("abs.s32", Tesla, T_MAX.Of(a, te.sub(zero, a))),
	isel.R("abs.s64", Tesla, te.pick64(te.is(ptx.Ge, hi(a), zero), a, te.sub64(zero, a))),
	isel.R("neg.s16", Tesla, te.low16(te.sub(zero, a))),
	isel.R("neg.s32", Tesla, te.sub(zero, a)),
	isel.R("neg.s64", Tesla, te.sub64(zero, a)),
	isel.R("sad.u16", Tesla, te.low16(T_SAD_U.Of(a, b, c))),
	isel.R("sad.s16", Tesla, te.low16(T_SAD.Of(te.sext16(a), te.sext16(b), c))),
	isel.R("sad.u32", Tesla, T_SAD_U.Of(a, b, c)),
	isel.R("sad.s32", Tesla, T_SAD.Of(a, b, c)),
	isel.R("sad.u64", Tesla, teslaSad64(true)),
	isel.R("sad.s64", Tesla, teslaSad64(false)),

	isel.G("cvt.sat", "cvt.sat.*", Tesla, teslaCvtSat),
	isel.G("cvt", "cvt.*", Tesla, teslaCvt),
}

// teslaMove copies, packs or unpacks; the first part is the lowest.
func teslaMove(f ptx.Form, _ ptx.Model) []expr {
	join := func(x, y expr, n int64) expr { return te.or(x, te.shl(y, n)) }
	size := f.T.Bits()
	switch f.Pack {
	case 0:
		return []expr{a}
	case 2:
		if size == 64 {
			return []expr{pair(a, b)}
		}
		return []expr{join(a, b, int64(size/2))}
	case 4:
		if size == 64 {
			return []expr{pair(join(a, b, 16), join(c, e, 16))}
		}
		return []expr{join(join(a, b, 8), join(c, e, 8), 16)}
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
		out[i] = teslaValue(factor{word: word, sel: map[int]ptx.Sel{8: ptx.B0, 16: ptx.H0, 32: ptx.Word}[n] + ptx.Sel(at/n)})
	}
	return out
}

func teslaLogic(f ptx.Form, _ ptx.Model) []expr {
	op := map[ptx.Op]*mach.Op{ptx.And: T_AND, ptx.Or: T_OR, ptx.Xor: T_XOR}[f.Op]
	if f.T == ptx.B64 {
		return []expr{te.each(func(x, y expr) expr { return op.Of(x, y) }, a, b)}
	}
	return []expr{op.Of(a, b)}
}

func teslaFormula(op byte, x, y expr) expr {
	switch op {
	case andOp:
		return T_AND.Of(x, y)
	case orOp:
		return T_OR.Of(x, y)
	case xorOp:
		return T_XOR.Of(x, y)
	case andNot:
		return T_ANDN.Of(x, y)
	case orNot:
		return T_ORN.Of(x, y)
	}
	return T_NOT.Of(x)
}

// teslaFunnel is the word of {b, a} that the count n ≤ 32 moves: b<<n and
// a>>(32−n), or a>>n and b<<(32−n).
func teslaFunnel(f ptx.Form, _ ptx.Model) []expr {
	n := T_MIN_U.Of(c, T_MVI.Of(mach.K(32)))
	if f.Wrap {
		n = te.mask(c, 31)
	}
	rest := te.lessFrom(32, n)
	if f.Mode == ptx.Left {
		return []expr{te.or(T_SHL.Of(b, n), T_SHR.Of(a, rest))}
	}
	return []expr{te.or(T_SHR.Of(a, n), T_SHL.Of(b, rest))}
}

// teslaPermute takes a byte for each nibble of the selector, and of its sign
// where the nibble's bit 3 is 1.
func teslaPermute(f ptx.Form, _ ptx.Model) []expr {
	sel := teslaSelector(f.Perm)
	var d expr
	for i := range int64(4) {
		word := te.pick(te.isU(ptx.Ne, te.mask(sel, 4<<(4*i)), zero), b, a)
		at := te.shl(te.shr(te.mask(sel, 3<<(4*i)), 4*i), 3)
		if i == 0 {
			at = te.shl(te.mask(sel, 3), 3)
		}
		x := te.mask(T_SHR.Of(word, at), 0xff)
		if f.Perm == ptx.NoPerm {
			sign := te.and(te.onesU(ptx.Ne, te.mask(x, 0x80), zero), te.onesU(ptx.Ne, te.mask(sel, 8<<(4*i)), zero))
			plain := te.and(x, te.onesU(ptx.Eq, te.mask(sel, 8<<(4*i)), zero))
			x = te.or(plain, te.mask(sign, 0xff))
		}
		if i == 0 {
			d = x
		} else {
			d = te.or(d, te.shl(x, 8*i))
		}
	}
	return []expr{d}
}

// teslaSelector is the selector that a mode stands for: of the modes that move
// with c a first one plus c in each nibble, else one of four.
func teslaSelector(m ptx.PermMode) expr {
	bits := te.mask(c, 3)
	each := te.or(te.or(bits, te.shl(bits, 4)), te.shl(te.or(bits, te.shl(bits, 4)), 8))
	switch m {
	case ptx.NoPerm:
		return c
	case ptx.F4E:
		return te.add(each, mach.K(0x3210))
	case ptx.B4E:
		return te.mask(te.add(each, mach.K(0x5670)), 0x7777)
	case ptx.RC8:
		return each
	}
	k := map[ptx.PermMode][4]int64{
		ptx.ECL:  {0x3210, 0x3211, 0x3222, 0x3333},
		ptx.ECR:  {0x0000, 0x1110, 0x2210, 0x3210},
		ptx.RC16: {0x1010, 0x3232, 0x1010, 0x3232},
	}[m]
	odd := te.isU(ptx.Ne, te.mask(c, 1), zero)
	low := when(odd, T_MVI.Of(mach.K(k[1])), T_MVI.Of(mach.K(k[0])))
	high := when(odd, T_MVI.Of(mach.K(k[3])), T_MVI.Of(mach.K(k[2])))
	return te.pick(te.isU(ptx.Ne, te.mask(c, 2), zero), high, low)
}

// teslaField moves the field down, then to the top and back, which extends it: by
// 32 − len, 0 where len is more.
func teslaField(right *mach.Op) expr {
	n := T_MAX.Of(te.lessFrom(32, te.mask(c, 0xff)), zero)
	return right.Of(T_SHL.Of(right.Of(a, te.mask(b, 0xff)), n), n)
}

func teslaField64(signed bool) expr {
	x := te.shr64(a, te.mask(b, 0xff), signed)
	n := T_MAX.Of(te.lessFrom(64, te.mask(c, 0xff)), zero)
	return te.shr64(te.shl64(x, n), n, signed)
}

func teslaInsert64() expr {
	pos := te.mask(c, 0xff)
	ones := T_MVI.Of(minus)
	cut := te.shl64(pair(ones, ones), te.mask(e, 0xff))
	diff := te.each(func(x, y expr) expr { return T_ANDN.Of(x, y) }, te.each(te.xor, a, te.shr64(b, pos, false)), cut)
	return te.each(te.xor, b, te.shl64(diff, pos))
}

// teslaCount adds the bits of x pairwise, then in larger and larger fields.
func teslaCount(x expr) expr {
	x = te.sub(x, te.mask(te.shr(x, 1), 0x55555555))
	x = te.add(te.mask(x, 0x33333333), te.mask(te.shr(x, 2), 0x33333333))
	x = te.mask(te.add(x, te.shr(x, 4)), 0x0f0f0f0f)
	x = te.add(x, te.shr(x, 8))
	return te.mask(te.add(x, te.shr(x, 16)), 63)
}

// teslaSpread sets all bits below the highest one.
func teslaSpread(x expr) expr {
	for n := int64(1); n < 32; n *= 2 {
		x = te.or(x, te.shr(x, n))
	}
	return x
}

func teslaLength(x expr) expr { return teslaCount(teslaSpread(x)) }

// teslaLength64 is the length of the high word and 32, or of the low word where
// that is 0.
func teslaLength64(l, h expr) expr {
	p := te.isU(ptx.Ne, h, zero)
	n := teslaLength(te.pick(p, h, l))
	return when(p, te.add(n, mach.K(32)), n)
}

// teslaReverse exchanges neighbouring fields of 1, 2, 4, 8 and 16 bits.
func teslaReverse(x expr) expr {
	for i, m := range [...]int64{0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0xffff} {
		n := int64(1) << i
		x = te.or(te.mask(te.shr(x, n), m), te.shl(te.mask(x, m), n))
	}
	return x
}

// teslaFind is the length less one, or the top's place less that; −1 where there
// is no one. Signed operands are complemented where negative.
func teslaFind(f ptx.Form, _ ptx.Model) []expr {
	w := int64(f.T.Bits())
	l, h := a, zero
	if w == 64 {
		l, h = lo(a), hi(a)
	}
	if f.T.Signed() {
		m := te.sar(a, 31)
		if w == 64 {
			m = te.sar(h, 31)
			h = te.xor(h, m)
		}
		l = te.xor(l, m)
	}
	n := teslaLength(l)
	if w == 64 {
		n = teslaLength64(l, h)
	}
	if !f.ShiftAmt {
		return []expr{te.add(n, minus)}
	}
	return []expr{te.or(te.lessFrom(w, n), te.onesU(ptx.Eq, n, zero))}
}

// truth is a test: a mask, all ones or 0, or a bit, 1 or 0.
type truth struct {
	x    expr
	mask bool
}

func (t truth) asMask() expr {
	if t.mask {
		return t.x
	}
	return T_IRSUB.Of(t.x, zero)
}

func (t truth) asBit() expr {
	if t.mask {
		return te.bit(t.x)
	}
	return t.x
}

// combined is the mask combined with the mask c.
func (t truth) combined(with ptx.BoolOp, c expr) expr {
	switch with {
	case ptx.BoolAnd:
		return te.and(t.asMask(), c)
	case ptx.BoolOr:
		return te.or(t.asMask(), c)
	case ptx.BoolXor:
		return te.xor(t.asMask(), c)
	}
	return t.asMask()
}

// teslaTest compares a and b, of type t. Pairs are equal where no bit differs,
// and ordered as by notLess64.
func teslaTest(f ptx.Form, t ptx.Type) truth {
	cmp, unsigned, x, y := f.Cmp, !t.Signed(), a, b
	if u, ok := unsignedCmp[cmp]; ok {
		cmp = u
	}
	if t == ptx.S16 && cmp > ptx.Ne {
		x, y = te.sext16(x), te.sext16(y)
	}
	switch {
	case t.Bits() < 64 && unsigned:
		return truth{te.onesU(cmp, x, y), true}
	case t.Bits() < 64:
		return truth{te.ones(cmp, x, y), true}
	case cmp <= ptx.Ne:
		diff := te.each(te.xor, x, y)
		return truth{te.onesU(cmp, te.or(lo(diff), hi(diff)), zero), true}
	case cmp == ptx.Gt, cmp == ptx.Le:
		x, y = y, x
	}
	ge := te.notLess64(unsigned, x, y)
	if cmp == ptx.Lt || cmp == ptx.Gt {
		ge = te.xor(ge, one)
	}
	return truth{ge, false}
}

// teslaSetp: q is the complemented test combined with c.
func teslaSetp(f ptx.Form, _ ptx.Model) []expr {
	t := teslaTest(f, f.T)
	p := t.asBit()
	with := func(p expr) expr {
		switch f.Bool {
		case ptx.BoolAnd:
			return te.and(p, c)
		case ptx.BoolOr:
			return te.or(p, c)
		case ptx.BoolXor:
			return te.xor(p, c)
		}
		return p
	}
	if !f.Dual {
		if f.Bool == ptx.BoolAnd {
			return []expr{te.and(t.x, c)} // c is 0 or 1
		}
		return []expr{with(p)}
	}
	return []expr{with(p), with(te.xor(p, one))}
}

// teslaSad64 is c + |a − b|; one difference is finished before the other, and
// both before the sum.
func teslaSad64(unsigned bool) expr {
	p := te.isU(ptx.Ne, te.notLess64(unsigned, a, b), zero)
	x, y := te.sub64(a, b), te.sub64(b, a)
	l := te.pick(p, after(hi(x), lo(x)), after(hi(y), lo(y)))
	h := te.pick(p, hi(x), hi(y))
	return te.add64(c, pair(l, h))
}
