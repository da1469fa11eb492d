package llvm

import (
	"fmt"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// derivedRules spell out a form's own meaning, primitive by primitive: every
// form has a rule.
var derivedRules = isel.Table{isel.G("derived", "*", 0, func(f ptx.Form, m ptx.Model) []expr { return derived(f, m, nil) })}

// constantRules do so with the constants in it: a shift by a constant is a shift.
var constantRules = isel.Table{isel.F("constants", "{shl,shr,bfe,bfi,prmt,shf}.*", 0, derived)}

// shiftRules are for counts that are known to be below the width.
var shiftRules = func() (t isel.Table) {
	for _, w := range []i{16, 32, 64} {
		count := w.zext(i32, b)
		if w < 32 {
			count = w.trunc(i32, b)
		}
		for n, o := range []opcode{opShl, opLshr, opAshr} {
			form := []string{"shl.b%d", "shr.{b,u}%d", "shr.s%d"}[n]
			t = append(t, isel.R(fmt.Sprintf(form, w), 0, w.op(o, a, count)).If(isel.Below(1, uint64(w))))
		}
	}
	return t
}()

// derived has the operands k as constants where they are given.
func derived(f ptx.Form, m ptx.Model, k []*sem.Val) []expr {
	b := sem.NewBuilder()
	d := derivation{b: b, known: sem.NewAnalysis(nil), memo: map[*sem.Term]expr{}, below: map[*sem.Term]expr{}}
	var in []*sem.Term
	for n, w := range ir.ArgWidths(f) {
		v := b.Var(string(rune('a'+n)), w)
		d.memo[v] = mach.Arg(n)
		if k != nil && k[n] != nil {
			v = b.Const(*k[n], w)
		}
		in = append(in, v)
	}
	var out []expr
	for _, t := range f.Meaning(b, in, m) {
		out = append(out, d.value(t))
	}
	return out
}

// derivation turns terms into instructions, each term once.
type derivation struct {
	b     *sem.Builder
	known *sem.Analysis
	memo  map[*sem.Term]expr
	below map[*sem.Term]expr // of counts: whether they are below the width
}

func (d *derivation) value(t *sem.Term) expr {
	if t.IsConst() {
		return mach.KVal(t.K.SignExtend(t.W))
	}
	e, ok := d.memo[t]
	if !ok {
		e = d.instruction(t)
		d.memo[t] = e
	}
	return e
}

var simple = map[sem.Op]opcode{
	sem.OpAdd: opAdd, sem.OpSub: opSub, sem.OpMul: opMul, sem.OpAnd: opAnd, sem.OpOr: opOr, sem.OpXor: opXor,
	sem.OpEq: opEq, sem.OpUlt: opUlt, sem.OpSlt: opSlt, sem.OpIte: opSelect,
}

var inverse = map[sem.Op]opcode{sem.OpEq: opNe, sem.OpUlt: opUge, sem.OpSlt: opSge}

func (d *derivation) instruction(t *sem.Term) expr {
	w := i(t.W)
	if e := d.fields(t); e != none {
		return e
	}
	switch t.Op {
	case sem.OpNot:
		if o, ok := inverse[t.A[0].Op]; ok {
			return d.apply(o, t.A[0].A[0].W, t.A[0].Args())
		}
		return w.not(d.value(t.A[0]))
	case sem.OpNeg:
		return w.sub(zero, d.value(t.A[0]))
	case sem.OpConcat:
		hi, lo := i(t.A[0].W), i(t.A[1].W)
		return w.or(w.shl(w.zext(hi, d.value(t.A[0])), int(lo)), w.zext(lo, d.value(t.A[1])))
	case sem.OpExtract:
		return w.bits(i(t.A[0].W), d.value(t.A[0]), int(t.K.Lo))
	case sem.OpZext, sem.OpSext:
		return w.ext(i(t.A[0].W), d.value(t.A[0]), t.Op == sem.OpSext)
	case sem.OpShl, sem.OpLshr, sem.OpAshr:
		return d.shift(t)
	case sem.OpEq, sem.OpUlt, sem.OpSlt:
		return d.apply(simple[t.Op], t.A[0].W, t.Args())
	}
	return d.apply(simple[t.Op], t.W, t.Args())
}

func (d *derivation) apply(o opcode, w int, args []*sem.Term) expr {
	in := make([]expr, len(args))
	for n, x := range args {
		in[n] = d.value(x)
	}
	return i(w).op(o, in...)
}

// shift keeps counts below the width, where LLVM's shifts are defined: from
// there on, shl and lshr give 0 and ashr shifts by w − 1.
func (d *derivation) shift(t *sem.Term) expr {
	o := map[sem.Op]opcode{sem.OpShl: opShl, sem.OpLshr: opLshr, sem.OpAshr: opAshr}[t.Op]
	w, count := i(t.W), t.A[1]
	x, n := d.value(t.A[0]), d.value(count)
	last := mach.K(int64(w - 1))
	switch {
	case d.known.Of(count).UMax.Less(sem.U(uint64(w))):
		return w.op(o, x, n)
	case o == opAshr:
		return w.op(o, x, w.umin(n, last))
	}
	if _, ok := d.below[count]; !ok {
		d.below[count] = w.ult(n, mach.K(int64(w)))
	}
	cut := w.and(n, last) // free on most machines
	if w&(w-1) != 0 {
		cut = w.umin(n, last)
	}
	return w.sel(d.below[count], w.op(o, x, cut), zero)
}
