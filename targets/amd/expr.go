package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// Short names for what rules are written in: the operands of the form (e is
// the fourth, often the carry), constants, halves, and values of several ops.

type expr = mach.Expr

var a, b, c, e = mach.Arg(0), mach.Arg(1), mach.Arg(2), mach.Arg(3)

var (
	k  = mach.K
	lo = mach.LoHalf
	hi = mach.HiHalf
	r  = isel.R
	g  = isel.G
)

// both are the two results of an op.
func both(x expr) []expr { return []expr{x, x.Out(1)} }

// each applies an op to both halves.
func each(o *mach.Op, xs ...expr) expr {
	l, h := make([]expr, len(xs)), make([]expr, len(xs))
	for i, x := range xs {
		l[i], h[i] = lo(x), hi(x)
	}
	return mach.Pair(o.Of(l...), o.Of(h...))
}

// none is a carry that is not there.
var none expr

// sum is x + y + cf in 64 bits, or x − y − cf, and its carry or borrow; first
// and then are the ops without and with a mask in.
func chain(first, then *mach.Op, x, y, cf expr) []expr {
	var l expr
	if cf == none {
		l = first.Of(lo(x), lo(y))
	} else {
		l = then.Of(lo(x), lo(y), cf)
	}
	h := then.Of(hi(x), hi(y), l.Out(1))
	return []expr{mach.Pair(l, h), h.Out(1)}
}

func sum(x, y, cf expr) []expr        { return chain(v_add_co_u32, v_addc_co_u32, x, y, cf) }
func difference(x, y, cf expr) []expr { return chain(v_sub_co_u32, v_subb_co_u32, x, y, cf) }

// zext and sext make a pair of a word.
func zext(x expr) expr { return mach.Pair(x, k(0)) }
func sext(x expr) expr { return mach.Pair(x, sign(x)) }

// sign is −1 for a negative word, else 0.
func sign(x expr) expr { return v_ashrrev_i32.Of(k(31), x) }

// madLo is the low word of x·y + z.
func madLo(x, y, z expr) expr { return lo(v_mad_u64_u32_lo.Of(x, y, z)) }

// pick is x where the mask is 1, else y.
func pick(m, x, y expr) expr { return v_cndmask_b32.Of(y, x, m) }

// pick64 is pick for pairs.
func pick64(m, x, y expr) expr {
	return mach.Pair(pick(m, lo(x), lo(y)), pick(m, hi(x), hi(y)))
}
