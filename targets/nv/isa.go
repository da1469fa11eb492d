package nv

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// isa is what a generation from sm_70 on has. Its methods are the short sequences
// that differ among generations, each by the best rows that there are.
type isa ir.Features

func (g isa) has(f ir.Features) bool { return ir.Features(g).Has(f) }

func (g isa) add(x, y expr) expr {
	if g.has(Int64) {
		return IADD.Of(x, y)
	}
	return add(x, y)
}

// addK adds a constant.
func (g isa) addK(x expr, n int64) expr {
	if g.has(VectorInt) {
		return VIADD.Of(x, mach.K(n))
	}
	return g.add(x, mach.K(n))
}

func (g isa) sub(x, y expr) expr {
	if g.has(Int64) {
		return IADD_N.Of(x, y)
	}
	return sub(x, y)
}

func (g isa) add64(x, y expr) expr {
	if g.has(Int64) {
		return IADD64.Of(x, y)
	}
	return add64(x, y)
}

func (g isa) sub64(x, y expr) expr {
	if g.has(Int64) {
		return IADD64_N.Of(x, y)
	}
	return sub64(x, y)
}

// adders are the rows of carry chains: with a carry-out, with a carry-in, with
// both.
type adders struct{ out, in, both *mach.Op }

// adders are those of words.
func (g isa) adders(subtract bool) adders {
	switch {
	case g.has(Int64) && subtract:
		return adders{IADD_N_C, IADD_N_X, IADD_N_X_C}
	case g.has(Int64):
		return adders{IADD_C, IADD_X, IADD_X_C}
	case subtract:
		return adders{ISUB_C, ISUB_X, ISUB_X_C}
	}
	return adders{IADD3_C, IADD3_X, IADD3_X_C}
}

// adders64 are those of pairs; they need Int64.
func adders64(subtract bool) adders {
	if subtract {
		return adders{IADD64_N_C, IADD64_N_X, IADD64_N_X_C}
	}
	return adders{IADD64_C, IADD64_X, IADD64_X_C}
}

// add is the sum, and the carry-out where it is wanted.
func (w adders) add(x, y, cf expr, in, out bool) []expr {
	var s expr
	switch {
	case !out:
		return []expr{w.in.Of(x, y, cf)}
	case in:
		s = w.both.Of(x, y, cf)
	default:
		s = w.out.Of(x, y)
	}
	return []expr{s, s.Out(1)}
}

// chain64 adds pairs, with carries as add has them.
func (g isa) chain64(subtract bool, x, y, cf expr, in, out bool) []expr {
	if g.has(Int64) {
		return adders64(subtract).add(x, y, cf, in, out)
	}
	w := g.adders(subtract)
	l := w.add(lo(x), lo(y), cf, in, true)
	h := w.add(hi(x), hi(y), l[1], true, out)
	h[0] = pair(l[0], h[0])
	return h
}

// high is the high word of x·y + z, z being a pair.
func (g isa) high(signed bool, x, y, z expr) expr {
	switch {
	case g.has(HighMul) && signed:
		return IMAD_HI.Of(x, y, z)
	case g.has(HighMul):
		return IMAD_HI_U.Of(x, y, z)
	}
	return hi(widen(signed).Of(x, y, z))
}

// widen is the row of the signed or unsigned wide multiply-add.
func widen(signed bool) *mach.Op {
	if signed {
		return WIDE
	}
	return WIDE_U
}

// addSat is x + y limited to a signed word: where both signs differ from the
// sum's, the limit on x's side.
func (g isa) addSat(x, y expr) expr {
	if g.has(Int64) {
		return VIADD_SAT.Of(x, y)
	}
	return satAs(x, y, add(x, y), x, lutAddOverflow)
}

// subSat is x − y limited to a signed word.
func (g isa) subSat(x, y expr) expr {
	if g.has(Int64) {
		return VIADD_SAT_N.Of(x, y)
	}
	return satAs(x, y, sub(x, y), x, lutSubOverflow)
}

func satAs(x, y, sum, side expr, overflow int64) expr {
	return when(PLOP3S.Of(x, y, sum, mach.K(overflow)), limit(side), sum)
}

// limit is 0x7fffffff for x ≥ 0 and 0x80000000 for x < 0: 0x7fffffff + x<31>.
func limit(x expr) expr { return LEA_HI.Of(x, mach.K(0x7fffffff), zero, one) }

// narrow limits a signed pair to a signed word: the low word where the high one
// is its sign, that is where h + l<31> = 0, else far, the limit.
func (g isa) narrow(x expr) expr {
	if g.has(Int64) {
		return lo(g.clamp64(x, -1<<31, 1<<31-1))
	}
	return narrowTo(lo(x), hi(x), limit(hi(x)))
}

func narrowTo(l, h, far expr) expr {
	return when(is(ptx.Ne, LEA_HI.Of(l, h, zero, one), zero), far, l)
}

// clamp64 limits a signed pair to least … most; it needs Int64.
func (g isa) clamp64(x expr, least, most int64) expr {
	return IMNMX64[Extremum{true, false}].Of(IMNMX64[Extremum{false, false}].Of(x, mach.K(most)), mach.K(least))
}

// pick is the greater or smaller of two words.
func (g isa) pick(max, unsigned bool, x, y expr) expr {
	m := Extremum{max, unsigned}
	switch {
	case g.has(MinMax):
		return IMNMX[m].Of(x, y)
	case g.has(VectorInt):
		return VIMNMX[m].Of(x, y)
	case g.has(Int64):
		return VIMNMX_S32[m].Of(x, y)
	}
	cmp := ptx.Lt
	if max {
		cmp = ptx.Gt
	}
	return SEL.Of(x, y, isetp(cmp, unsigned, ptx.BoolAnd, x, y, yes))
}

// pick64 is the greater or smaller of two pairs.
func (g isa) pick64(max, unsigned bool, x, y expr) expr {
	if g.has(Int64) {
		return IMNMX64[Extremum{max, unsigned}].Of(x, y)
	}
	cmp := ptx.Lt
	if max {
		cmp = ptx.Gt
	}
	return sel64(isetp64(cmp, unsigned, ptx.BoolAnd, x, y, yes), x, y)
}

// test64 compares pairs.
func (g isa) test64(cmp ptx.Cmp, unsigned bool, with ptx.BoolOp, x, y, p expr) expr {
	if g.has(Int64) {
		return ISETP64[comparison{cmp, unsigned, with, false}].Of(x, y, p)
	}
	return isetp64(cmp, unsigned, with, x, y, p)
}

// absdiff is |x − y| + z of words: the greater minus the smaller.
func (g isa) absdiff(unsigned bool, x, y, z expr) expr {
	switch {
	case g.has(AbsDiff) && unsigned:
		return VABSDIFF_U.Of(x, y, z)
	case g.has(AbsDiff):
		return VABSDIFF.Of(x, y, z)
	}
	return IADD3_N.Of(z, g.pick(true, unsigned, x, y), g.pick(false, unsigned, x, y))
}

// absdiff64 is |x − y| of pairs.
func (g isa) absdiff64(unsigned bool, x, y expr) expr {
	less := g.test64(ptx.Lt, unsigned, ptx.BoolAnd, x, y, yes)
	if g.has(Int64) {
		return when(less, g.sub64(y, x), g.sub64(x, y))
	}
	return sel64(less, sub64(y, x), sub64(x, y))
}
