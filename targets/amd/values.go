package amd

// What rules are made of besides ops.

// each applies an op to both halves.
func each(o *op, xs ...expr) expr {
	l, h := make([]expr, len(xs)), make([]expr, len(xs))
	for i, x := range xs {
		l[i], h[i] = lo(x), hi(x)
	}
	return joined(o.Of(l...), o.Of(h...))
}

// none is a carry that is not there.
var none expr

// chain is x + y + cf in 64 bits, or x − y − cf, and its carry or borrow; first
// and then are the ops without and with a mask in.
func chain(first, then *op, x, y, cf expr) []expr {
	var l expr
	if cf == none {
		l = first.Of(lo(x), lo(y))
	} else {
		l = then.Of(lo(x), lo(y), cf)
	}
	h := then.Of(hi(x), hi(y), l.Out(1))
	return []expr{joined(l, h), h.Out(1)}
}

func sum(x, y, cf expr) []expr        { return chain(v_add_co_u32, v_addc_co_u32, x, y, cf) }
func difference(x, y, cf expr) []expr { return chain(v_sub_co_u32, v_subb_co_u32, x, y, cf) }

// both are the two results of an op.
func both(x expr) []expr { return []expr{x, x.Out(1)} }

// zext and sext make a pair of a word.
func zext(x expr) expr { return joined(x, k(0)) }
func sext(x expr) expr { return joined(x, sign(x)) }

// sign is −1 for a negative word, else 0.
func sign(x expr) expr { return v_ashrrev_i32.Of(k(31), x) }

// flip adds 2^31 modulo 2^32: signed order becomes unsigned order.
func flip(x expr) expr { return v_xor_b32.Of(k(-1<<31), x) }

// pick is x where the mask is 1, else y.
func pick(m, x, y expr) expr { return v_cndmask_b32.Of(y, x, m) }

// pick64 is pick for pairs.
func pick64(m, x, y expr) expr {
	return joined(pick(m, lo(x), lo(y)), pick(m, hi(x), hi(y)))
}

// pairK is a pair of two constants.
func pairK(l, h int64) expr { return joined(k(l), k(h)) }
