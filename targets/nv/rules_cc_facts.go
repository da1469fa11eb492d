package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// ccFactRules are what constants and known ranges make cheaper on sm_20 to sm_62.
// They stand before the rules for general operands.
func ccFactRules(needs ir.Features, general ...isel.Table) isel.Table {
	less := lessRules(needs, slices.Concat(general...))
	less = slices.DeleteFunc(less, func(r isel.Rule) bool {
		cc := r.Forms == "mad.{lo,hi}.cc.*" // CC has no constants
		return cc || r.Forms == "mad.hi.sat.*" && needs == HalfMul
	})
	t := slices.Concat(less, ccScaleRules(needs))
	if needs == HalfMul {
		return slices.Concat(t, halfFactRules)
	}
	return slices.Concat(t, wordFactRules)
}

// ccScaleRules multiply by 2^k with shifts, and ISCADD, which adds. The high part
// of a product with 2^k is a shifted right.
func ccScaleRules(needs ir.Features) isel.Table {
	var t isel.Table
	for k := int64(1); k < 32; k++ {
		t = append(t, isel.G("times 2^k", "{mul,mad}.{lo,hi,wide}.*", needs, func(f ptx.Form, _ ptx.Model) []expr {
			if f.CC || f.Sat {
				return nil
			}
			return ccScaled(f, k, needs == HalfMul)
		}).If(isel.Is(1, 1<<k)))
		t = append(t, isel.R("mul.lo.{u,s}64", needs|Funnel, cc.shl64(a, mach.K(k))).If(isel.Is(1, 1<<k)))
		if k < 24 {
			t = append(t, isel.G("24 bits times 2^k", "{mul24,mad24}.lo.*", needs, func(f ptx.Form, _ ptx.Model) []expr {
				cut := cc.low24(a)
				if f.T.Signed() {
					if k == 23 { // which is negative
						return nil
					}
					cut = cc.sext24(a)
				}
				if f.Op == ptx.Mad24 {
					return []expr{F_ISCADD.Of(cut, c, mach.K(k))}
				}
				return []expr{cc.shl(cut, k)}
			}).If(isel.Is(1, 1<<k)))
		}
	}
	return t
}

// ccScaled is a·2^k, or with a the addend c; with halves, where only halves are
// multiplied at once, a pair's too.
func ccScaled(f ptx.Form, k int64, halves bool) []expr {
	signed, add := f.T.Signed(), f.Op == ptx.Mad
	high := func(x expr) expr { // ⌊x / 2^(32−k)⌋
		if signed {
			return cc.sar(x, 32-k)
		}
		return cc.shr(x, 32-k)
	}
	switch {
	case f.T.Bits() == 64 && f.Mode == ptx.Lo && add && halves:
		return []expr{cc.add64(cc.shl64(a, mach.K(k)), c)}
	case f.T.Bits() != 32, signed && k == 31 && f.Mode != ptx.Lo: // 2^31 is negative
		return nil
	case f.Mode == ptx.Lo && add:
		return []expr{F_ISCADD.Of(a, c, mach.K(k))}
	case f.Mode == ptx.Lo:
		return []expr{cc.shl(a, k)}
	case f.Mode == ptx.Hi && add && halves:
		return []expr{cc.add(high(a), c)}
	case f.Mode == ptx.Hi && !add:
		return []expr{high(a)}
	case f.Mode == ptx.Wide && add && halves:
		return []expr{cc.add64(pair(cc.shl(a, k), high(a)), c)}
	case f.Mode == ptx.Wide && !add:
		return []expr{pair(cc.shl(a, k), high(a))}
	}
	return nil
}

// wordFactRules: a factor that is known to fit 24 bits needs no mask.
var wordFactRules = func() isel.Table {
	var t isel.Table
	for _, known := range [...][2]bool{{true, true}, {false, true}, {true, false}} {
		for _, signed := range [...]bool{false, true} {
			t = append(t, isel.G("24 bits", "{mul24,mad24}.lo.*", WordMul, func(f ptx.Form, _ ptx.Model) []expr {
				if f.T.Signed() != signed {
					return nil
				}
				x := [2]expr{a, b}
				for i := range x {
					switch {
					case known[i]:
					case signed:
						x[i] = cc.sext24(x[i])
					default:
						x[i] = cc.low24(x[i])
					}
				}
				if f.Op == ptx.Mad24 {
					return []expr{F_IMAD.Of(x[0], x[1], c)}
				}
				return []expr{F_IMUL.Of(x[0], x[1])}
			}).If(facts(known, fits24(signed))...))
		}
	}
	// Words, zero- or sign-extended; with the high word of y 0, x·y is
	// xL·y + xH·y·2^32.
	l, h := F_IMUL.Of(lo(a), lo(b)), F_IMUL_HI_U.Of(lo(a), lo(b))
	return append(t,
		isel.R("mul.lo.{u,s}64", WordMul, pair(l, h)).If(u32Words...),
		isel.R("mul.lo.{u,s}64", WordMul, pair(l, F_IMUL_HI.Of(lo(a), lo(b)))).If(s32Words...),
		isel.R("mul.lo.{u,s}64", WordMul, pair(l, F_IMAD.Of(hi(a), lo(b), h))).If(isel.FitsU(1, 32)),
		isel.R("mul.lo.{u,s}64", WordMul, pair(l, F_IMAD.Of(hi(b), lo(a), h))).If(isel.FitsU(0, 32)),
	)
}()

// u32Words and s32Words: pairs that are extended words.
var (
	u32Words = []isel.Fact{isel.FitsU(0, 32), isel.FitsU(1, 32)}
	s32Words = []isel.Fact{isel.FitsS(0, 32), isel.FitsS(1, 32)}
)

func fits24(signed bool) func(i int) isel.Fact {
	return func(i int) isel.Fact {
		if signed {
			return isel.FitsS(i, 24)
		}
		return isel.FitsU(i, 24)
	}
}

// halfFactRules are for factors that fit a half: y has the one half yL, so that
// x·y is xL·y + xH·y·2^16.
var halfFactRules = func() isel.Table {
	both := []isel.Fact{isel.FitsU(0, 16), isel.FitsU(1, 16)}
	bothS := []isel.Fact{isel.FitsS(0, 16), isel.FitsS(1, 16)}
	low, addend := X_LL.Of(a, b, zero), X_LL.Of(a, b, c)
	t := isel.Table{
		isel.R("mul.lo.{u,s}32", HalfMul, low).If(both...),
		isel.R("mad.lo.{u,s}32", HalfMul, addend).If(both...),
		isel.R("mul.lo.{u,s}32", HalfMul, X_SS.Of(a, b, zero)).If(bothS...),
		isel.R("mad.lo.{u,s}32", HalfMul, X_SS.Of(a, b, c)).If(bothS...),
		isel.R("mul24.lo.{u,s}32", HalfMul, low).If(both...),
		isel.R("mad24.lo.{u,s}32", HalfMul, addend).If(both...),
		isel.R("mul24.lo.s32", HalfMul, X_SS.Of(a, b, zero)).If(bothS...),
		isel.R("mad24.lo.s32", HalfMul, X_SS.Of(a, b, c)).If(bothS...),
		isel.R("mul.wide.{u,s}32", HalfMul, cc.zext64(low)).If(both...),
		isel.R("mul.wide.s32", HalfMul, cc.sext64(X_SS.Of(a, b, zero))).If(bothS...),
	}
	for i, xy := range [...][2]expr{{a, b}, {b, a}} {
		x, y, half := xy[0], xy[1], isel.FitsU(1-i, 16)
		p := X_LL.Of(x, y, zero)
		times := func(addend expr) expr { return X_HL_PSL.Of(x, y, X_LL.Of(x, y, addend)) }
		top := X_HL_CHI.Of(x, y, p) // ⌊x·y / 2^16⌋ < 2^32
		t = append(t,
			isel.R("mul.lo.{u,s}32", HalfMul, times(zero)).If(half),
			isel.R("mad.lo.{u,s}32", HalfMul, times(c)).If(half),
			isel.R("mul.hi.u32", HalfMul, cc.shr(top, 16)).If(half),
			isel.R("mad.hi.u32", HalfMul, cc.add(cc.shr(top, 16), c)).If(half),
			isel.R("mul.wide.u32", HalfMul, pair(X_HL_PSL.Of(x, y, p), cc.shr(top, 16))).If(half),
		)
		for j, ty := range [...]string{"u32", "s32"} {
			cut, fits := cc.low24(x), fits24(j == 1)(i)
			if j == 1 {
				cut = cc.sext24(x)
			}
			times := func(x, addend expr) expr { return X_HL_PSL.Of(x, y, X_LL.Of(x, y, addend)) }
			t = append(t,
				isel.R("mul24.lo."+ty, HalfMul, times(x, zero)).If(half, fits),
				isel.R("mad24.lo."+ty, HalfMul, times(x, c)).If(half, fits),
				isel.R("mul24.lo."+ty, HalfMul, times(cut, zero)).If(half),
				isel.R("mad24.lo."+ty, HalfMul, times(cut, c)).If(half),
			)
		}
	}
	// Factors that are what their low 24 bits are.
	for j, ty := range [...]string{"u32", "s32"} {
		fits := facts([2]bool{true, true}, fits24(j == 1))
		t = append(t,
			isel.R("mul24.lo."+ty, HalfMul, low32(a, b, zero)).If(fits...),
			isel.R("mad24.lo."+ty, HalfMul, low32(a, b, c)).If(fits...),
		)
	}
	// Words, zero- or sign-extended; with the high word of y 0, x·y is
	// xL·y + xH·y·2^32.
	t = append(t,
		isel.R("mul.lo.{u,s}64", HalfMul, unsignedHalves(lo(a), lo(b)).wide(zero)).If(u32Words...),
		isel.R("mad.lo.{u,s}64", HalfMul, unsignedHalvesPlus(lo(a), lo(b), lo(c)).wide(hi(c))).If(u32Words...),
		isel.R("mul.lo.{u,s}64", HalfMul, signedHalves(lo(a), lo(b)).wide(zero)).If(s32Words...),
	)
	for i, xy := range [...][2]expr{{a, b}, {b, a}} {
		x, y, word := xy[0], xy[1], isel.FitsU(1-i, 32)
		h := unsignedHalves(lo(x), lo(y))
		t = append(t, isel.R("mul.lo.{u,s}64", HalfMul, pair(h.lowWord(), low32(hi(x), lo(y), h.high(zero)))).If(word))
	}
	return t
}()
