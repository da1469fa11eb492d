package llvm

import "github.com/ptxlower/ptxlower/mach"

type expr = mach.Expr

// i is a width. Its methods apply LLVM's instructions of that width to values:
// i32.add(x, y) is "add i32 x, y". They are the language of the rules.
type i int

const (
	i1  i = 1
	i32 i = 32
	i64 i = 64
)

// The operands of a form.
var a, b, c = mach.Arg(0), mach.Arg(1), mach.Arg(2)

var (
	zero, ones = mach.K(0), mach.K(-1)
	no, yes    = mach.K(0), mach.K(1) // of i1
)

func (w i) op(o opcode, in ...expr) expr { return row(o, int(w), 0).Of(in...) }

func (w i) add(x, y expr) expr          { return w.op(opAdd, x, y) }
func (w i) sub(x, y expr) expr          { return w.op(opSub, x, y) }
func (w i) mul(x, y expr) expr          { return w.op(opMul, x, y) }
func (w i) and(x, y expr) expr          { return w.op(opAnd, x, y) }
func (w i) or(x, y expr) expr           { return w.op(opOr, x, y) }
func (w i) xor(x, y expr) expr          { return w.op(opXor, x, y) }
func (w i) not(x expr) expr             { return w.xor(x, mach.K(-1)) }
func (w i) shl(x expr, n int) expr      { return w.op(opShl, x, mach.K(int64(n))) }
func (w i) lshr(x expr, n int) expr     { return w.op(opLshr, x, mach.K(int64(n))) }
func (w i) ashr(x expr, n int) expr     { return w.op(opAshr, x, mach.K(int64(n))) }
func (w i) eq(x, y expr) expr           { return w.op(opEq, x, y) }
func (w i) ne(x, y expr) expr           { return w.op(opNe, x, y) }
func (w i) ult(x, y expr) expr          { return w.op(opUlt, x, y) }
func (w i) sel(p, x, y expr) expr       { return w.op(opSelect, p, x, y) }
func (w i) umin(x, y expr) expr         { return w.op(opUmin, x, y) }
func (w i) umax(x, y expr) expr         { return w.op(opUmax, x, y) }
func (w i) smin(x, y expr) expr         { return w.op(opSmin, x, y) }
func (w i) smax(x, y expr) expr         { return w.op(opSmax, x, y) }
func (w i) uaddSat(x, y expr) expr      { return w.op(opUaddSat, x, y) }
func (w i) saddSat(x, y expr) expr      { return w.op(opSaddSat, x, y) }
func (w i) ssubSat(x, y expr) expr      { return w.op(opSsubSat, x, y) }
func (w i) ctlz(x expr) expr            { return w.op(opCtlz, x) }
func (w i) isConstant(x expr) expr      { return w.op(opIsConstant, x) }
func (w i) zext(from i, x expr) expr    { return w.extend(opZext, from, x) }
func (w i) sext(from i, x expr) expr    { return w.extend(opSext, from, x) }
func (w i) uaddo(x, y expr) (s, o expr) { s = w.op(opUaddo, x, y); return s, s.Out(1) }
func (w i) usubo(x, y expr) (d, o expr) { d = w.op(opUsubo, x, y); return d, d.Out(1) }

// trunc keeps the low bits.
func (w i) trunc(from i, x expr) expr {
	if w == from {
		return x
	}
	return row(opTrunc, int(w), int(from)).Of(x)
}

func (w i) extend(o opcode, from i, x expr) expr {
	if w == from {
		return x
	}
	return row(o, int(w), int(from)).Of(x)
}

// ext is zext or sext.
func (w i) ext(from i, x expr, signed bool) expr {
	if signed {
		return w.sext(from, x)
	}
	return w.zext(from, x)
}

// bits is x<n+w−1..n> of a value of from bits.
func (w i) bits(from i, x expr, n int) expr {
	if n > 0 {
		x = from.lshr(x, n)
	}
	return w.trunc(from, x)
}
