package lower

import (
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// intrinsic takes the calls of LLVM's integer intrinsics, of any width, and
// those that compute nothing. llvm.is.constant may give either answer: in a
// sequence it is a value of its own, so that what holds holds for both, and
// else false.
func (w *whole) intrinsic(in *ll.Inst) *Refusal {
	name := in.Call.Callee
	for _, p := range []string{"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias.scope.decl"} {
		if strings.HasPrefix(name, p) {
			return nil
		}
	}
	bad := refuse(in.Span(), "call of %s is not selectable", w.m.Text(in.Call.Target.Span()))
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || len(in.Ops) == 0 || !w.integer(in.Ops[0].Type) {
		return bad
	}
	var out []*ir.Value
	switch name = name[:dot]; {
	case name == "llvm.is.constant" && w.open:
		out = []*ir.Value{w.f.Param("llvm.is.constant "+in.Def, 1)}
	case name == "llvm.is.constant":
		out = []*ir.Value{w.f.Const(sem.Val{}, 1)}
	default:
		n := arguments[name]
		if n == 0 || len(in.Ops) < n {
			return bad
		}
		var vs []*ir.Value
		for i := range n {
			v, err := w.operand(in, &in.Ops[i])
			if err != nil {
				return err
			}
			if v.W != in.Ops[0].Type.Bits {
				return bad
			}
			vs = append(vs, v)
		}
		out = w.compute(name, vs)
	}
	ws, ok := w.fieldsOf(in.Type)
	if !ok || !slices.EqualFunc(ws, out, func(n int, v *ir.Value) bool { return n == v.W }) {
		return bad
	}
	w.define(in, out...)
	return nil
}

// arguments is how many numbers an intrinsic takes; abs and ctlz have one
// argument more, whether INT_MIN and 0 give poison.
var arguments = map[string]int{
	"llvm.umin": 2, "llvm.umax": 2, "llvm.smin": 2, "llvm.smax": 2, "llvm.abs": 1,
	"llvm.bitreverse": 1, "llvm.bswap": 1, "llvm.ctpop": 1, "llvm.ctlz": 1, "llvm.fshl": 3, "llvm.fshr": 3,
	"llvm.uadd.with.overflow": 2, "llvm.usub.with.overflow": 2,
	"llvm.uadd.sat": 2, "llvm.usub.sat": 2, "llvm.sadd.sat": 2, "llvm.ssub.sat": 2,
}

// compute gives the results of an intrinsic (LLVM Language Reference), by PTX's
// instruction where there is one of the width; nil where it has no answer.
func (w *whole) compute(name string, vs []*ir.Value) []*ir.Value {
	x, y, bits := vs[0], vs[len(vs)-1], vs[0].W
	word := bits == 32 || bits == 64
	zero := w.f.Const(sem.Val{}, bits)
	op := func(o ir.Op, a, b *ir.Value) *ir.Value { return w.b.New(o, bits, a, b) }
	pick := func(p, a, b *ir.Value) []*ir.Value { return []*ir.Value{w.b.New(ir.Select, bits, p, a, b)} }
	form := func(f ptx.Form, kind byte) []*ir.Value {
		f.T = ptx.IntType(kind, bits)
		return w.b.PTX(f, vs...)
	}
	switch name {
	case "llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax":
		kind, f, p := name[len("llvm.")], ptx.Form{Op: ptx.Min}, ir.ULT
		if strings.HasSuffix(name, "max") {
			f.Op, p = ptx.Max, ir.UGT
		}
		if word || bits == 16 {
			return form(f, kind)
		}
		if kind == 's' {
			p += ir.SLT - ir.ULT
		}
		return pick(w.b.ICmp(p, x, y), x, y)
	case "llvm.abs":
		if word || bits == 16 {
			return form(ptx.Form{Op: ptx.Abs}, 's')
		}
		return pick(w.b.ICmp(ir.SLT, x, zero), op(ir.Sub, zero, x), x)
	case "llvm.uadd.with.overflow":
		if word {
			return form(ptx.Form{Op: ptx.Add, CC: true}, 'u')
		}
		s := op(ir.Add, x, y)
		return []*ir.Value{s, w.b.ICmp(ir.ULT, s, x)}
	case "llvm.usub.with.overflow":
		if word { // CF is NOT borrow
			d := form(ptx.Form{Op: ptx.Sub, CC: true}, 'u')
			return []*ir.Value{d[0], ptxOp(w.b, -1, ptx.Form{Op: ptx.Not, T: ptx.Pred}, d[1])}
		}
		return []*ir.Value{op(ir.Sub, x, y), w.b.ICmp(ir.ULT, x, y)}
	case "llvm.uadd.sat":
		s := w.compute("llvm.uadd.with.overflow", vs)
		return pick(s[1], w.f.Const(sem.S(-1), bits), s[0])
	case "llvm.usub.sat":
		d := w.compute("llvm.usub.with.overflow", vs)
		return pick(d[1], zero, d[0])
	case "llvm.sadd.sat", "llvm.ssub.sat":
		return w.saturated(name == "llvm.ssub.sat", x, y)
	case "llvm.fshl", "llvm.fshr":
		return w.funnel(name == "llvm.fshl", x, vs[1], y)
	case "llvm.bswap":
		return w.swapped(x)
	}
	return w.counted(name, x)
}

// saturated is x + y or x − y, clamped as signed. Where the result has the wrong
// sign, the bound is the one of the other sign.
func (w *whole) saturated(minus bool, x, y *ir.Value) []*ir.Value {
	o, f := ir.Add, ptx.Form{Op: ptx.Add, Sat: true, T: ptx.S32}
	if minus {
		o, f.Op = ir.Sub, ptx.Sub
	}
	if x.W == 32 {
		return w.b.PTX(f, x, y)
	}
	op := func(o ir.Op, a, b *ir.Value) *ir.Value { return w.b.New(o, x.W, a, b) }
	s := op(o, x, y)
	differs := op(ir.Xor, s, y)
	if minus {
		differs = op(ir.Xor, x, y)
	}
	wrong := w.b.ICmp(ir.SLT, op(ir.And, op(ir.Xor, s, x), differs), w.f.Const(sem.Val{}, x.W))
	sign := op(ir.AShr, s, w.f.Const(sem.U(uint64(x.W-1)), x.W))
	least := w.f.Const(sem.U(1).Shl(uint64(x.W-1)), x.W)
	return []*ir.Value{w.b.New(ir.Select, x.W, wrong, op(ir.Xor, sign, least), s)}
}

// funnel is the high word of x:y shifted left by n modulo the width, or the low
// word of it shifted right; nil for widths that are no powers of two.
func (w *whole) funnel(left bool, x, y, n *ir.Value) []*ir.Value {
	if x.W == 32 { // shf takes the low word first
		f := ptx.Form{Op: ptx.Shf, Mode: ptx.Left, Wrap: true, T: ptx.B32}
		if !left {
			f.Mode = ptx.Right
		}
		return w.b.PTX(f, y, x, n)
	}
	if x.W < 8 || x.W&(x.W-1) != 0 {
		return nil
	}
	op := func(o ir.Op, a, b *ir.Value) *ir.Value { return w.b.New(o, x.W, a, b) }
	one, last := w.f.Const(sem.U(1), x.W), w.f.Const(sem.U(uint64(x.W-1)), x.W)
	n = op(ir.And, n, last)
	rest := op(ir.Xor, n, last) // w − 1 − n; the other word moves by one more
	if left {
		return []*ir.Value{op(ir.Or, op(ir.Shl, x, n), op(ir.LShr, op(ir.LShr, y, one), rest))}
	}
	return []*ir.Value{op(ir.Or, op(ir.Shl, op(ir.Shl, x, one), rest), op(ir.LShr, y, n))}
}

// swapped is x with its bytes in the other order; nil for odd numbers of bytes.
func (w *whole) swapped(x *ir.Value) []*ir.Value {
	if x.W%16 != 0 {
		return nil
	}
	if x.W == 32 {
		return w.b.PTX(ptx.Form{Op: ptx.Prmt, T: ptx.B32}, x, w.f.Const(sem.Val{}, 32), w.f.Const(sem.U(0x0123), 32))
	}
	k := func(n int) *ir.Value { return w.f.Const(sem.U(uint64(n)), x.W) }
	op := func(o ir.Op, a, b *ir.Value) *ir.Value { return w.b.New(o, x.W, a, b) }
	v := k(0)
	for at := 0; at < x.W; at += 8 {
		b := op(ir.And, op(ir.LShr, x, k(at)), k(0xff))
		v = op(ir.Or, v, op(ir.Shl, b, k(x.W-8-at)))
	}
	return []*ir.Value{v}
}

// counted is ctpop, ctlz or bitreverse, of less than 32 or 64 bits in a word;
// nil for more than 64.
func (w *whole) counted(name string, x *ir.Value) []*ir.Value {
	bits, word := x.W, 32
	if bits > 32 {
		word = 64
	}
	if bits > word {
		return nil
	}
	form := func(o ptx.Op) *ir.Value {
		return ptxOp(w.b, -1, ptx.Form{Op: o, T: ptx.IntType('b', word)}, resized(w.b, x, word))
	}
	above := sem.U(uint64(word - bits)) // zeros above x
	var v *ir.Value
	switch name {
	case "llvm.ctpop":
		v = form(ptx.Popc)
	case "llvm.ctlz":
		if v = form(ptx.Clz); word > bits {
			v = w.b.New(ir.Sub, 32, v, w.f.Const(above, 32))
		}
	case "llvm.bitreverse":
		if v = form(ptx.Brev); word > bits {
			v = w.b.New(ir.LShr, word, v, w.f.Const(above, word))
		}
	}
	return []*ir.Value{resized(w.b, v, bits)}
}

// resized is a value in another width, zero-extended or cut.
func resized(b *ir.Block, v *ir.Value, bits int) *ir.Value {
	switch {
	case v.W < bits:
		return b.New(ir.ZExt, bits, v)
	case v.W > bits:
		return b.New(ir.Trunc, bits, v)
	}
	return v
}
