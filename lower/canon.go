package lower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Canon rewrites LLVM's integer instructions into PTX forms, the only
// operations that targets have rules for. An integer of a width that PTX has no
// registers for is held, zero-extended, in the next larger of i32 and i64; so
// are parameters and results.
func Canon(f *ir.Func) *ir.Func {
	c := canon{f: ir.NewFunc(f.Name), vals: make([]*ir.Value, f.NumValues())}
	c.f.Model = f.Model
	for _, p := range f.Params {
		n := c.f.Param(p.Name, container(p.W))
		n.Uniform = p.Uniform
		c.vals[p.ID] = n
	}
	for _, k := range f.Consts {
		if k.Op == ir.Undef {
			c.vals[k.ID] = c.f.Undef(container(k.W))
		} else {
			c.vals[k.ID] = c.f.Const(k.K, container(k.W))
		}
	}
	for _, w := range f.Results {
		c.f.Results = append(c.f.Results, container(w))
	}
	blocks := make([]*ir.Block, len(f.Blocks))
	for i, b := range f.Blocks {
		if i == 0 {
			blocks[0] = c.f.Blocks[0]
			blocks[0].Name = b.Name
		} else {
			blocks[i] = c.f.NewBlock(b.Name)
		}
	}
	for _, b := range ir.ReversePostorder(f) {
		c.b = blocks[b.ID]
		for _, v := range b.Vals {
			c.off = v.Off
			n := c.value(v)
			n.Name = v.Name
			c.vals[v.ID] = n
		}
		for _, s := range b.Succs {
			c.b.Succs = append(c.b.Succs, blocks[s.ID])
		}
		c.b.Term = b.Term
	}
	for i, b := range f.Blocks {
		for _, a := range b.Args {
			blocks[i].Args = append(blocks[i].Args, c.vals[a.ID])
		}
		for _, p := range b.Preds {
			blocks[i].Preds = append(blocks[i].Preds, blocks[p.ID])
		}
		for _, v := range b.Vals {
			if v.Op == ir.Phi {
				for _, a := range v.Args {
					c.vals[v.ID].Args = append(c.vals[v.ID].Args, c.vals[a.ID])
				}
			}
		}
	}
	return c.f
}

// container is the width in which Canon holds an integer of w bits.
func container(w int) int {
	switch {
	case w == 1, w == 16:
		return w
	case w <= 32:
		return 32
	}
	return 64
}

type canon struct {
	f     *ir.Func
	b     *ir.Block
	vals  []*ir.Value       // by ID in the old function
	bytes map[int]*ir.Value // the 8-bit results of forms, before they are extended
	off   int
}

func (c *canon) form(f ptx.Form, args ...*ir.Value) *ir.Value { return ptxOp(c.b, c.off, f, args...) }

func (c *canon) op(op ptx.Op, kind byte, w int, args ...*ir.Value) *ir.Value {
	return c.form(ptx.Form{Op: op, T: ptx.IntType(kind, w)}, args...)
}

func (c *canon) pred(op ptx.Op, args ...*ir.Value) *ir.Value {
	return c.form(ptx.Form{Op: op, T: ptx.Pred}, args...)
}

func (c *canon) k(v int64, w int) *ir.Value { return c.f.Const(sem.S(v), w) }

// norm clears the bits above w.
func (c *canon) norm(v *ir.Value, w int) *ir.Value {
	if w >= v.W {
		return v
	}
	return c.op(ptx.And, 'b', v.W, v, c.f.Const(sem.U(1).Shl(uint64(w)).Sub(sem.U(1)), v.W))
}

// signed is the value of w bits, sign-extended in its register.
func (c *canon) signed(v *ir.Value, w int) *ir.Value {
	if w >= v.W {
		return v
	}
	return c.op(ptx.Bfe, 's', v.W, v, c.k(0, 32), c.k(int64(w), 32))
}

// convert takes an integer from one register width to another.
func (c *canon) convert(v *ir.Value, kind byte, w int) *ir.Value {
	if v.W == w {
		return v
	}
	return c.form(ptx.Form{Op: ptx.Cvt, T: ptx.IntType(kind, w), A: ptx.IntType(kind, v.W)}, v)
}

// byte is an i8 as forms take it.
func (c *canon) byte(v *ir.Value) *ir.Value {
	switch n := c.bytes[v.ID]; {
	case n != nil:
		return n
	case v.Op == ir.Const:
		return c.f.Const(v.K, 8)
	case v.Op == ir.Undef:
		return c.f.Undef(8)
	}
	return c.form(ptx.Form{Op: ptx.Cvt, T: ptx.U8, A: ptx.U32}, c.vals[v.ID])
}

// extended holds a result of a form in its container.
func (c *canon) extended(v, n *ir.Value) *ir.Value {
	if n.W != 8 {
		return n
	}
	if c.bytes == nil {
		c.bytes = map[int]*ir.Value{}
	}
	c.bytes[v.ID] = n
	return c.form(ptx.Form{Op: ptx.Cvt, T: ptx.U32, A: ptx.U8}, n)
}

func (c *canon) value(v *ir.Value) *ir.Value {
	args := make([]*ir.Value, len(v.Args))
	if v.Op != ir.Phi {
		for i, a := range v.Args {
			args[i] = c.vals[a.ID]
		}
	}
	switch v.Op {
	case ir.PTX:
		for i, a := range v.Args {
			if a.W == 8 {
				args[i] = c.byte(a)
			}
		}
		n := c.b.New(ir.PTX, v.W, args...)
		n.Form, n.Off = v.Form, v.Off
		return c.extended(v, n)
	case ir.Result:
		if n := c.bytes[v.Args[0].ID]; n != nil {
			args[0] = n
		}
		n := c.b.New(ir.Result, v.W, args...)
		n.Index = v.Index
		return c.extended(v, n)
	case ir.Phi:
		return c.b.Phi(container(v.W))
	case ir.ICmp:
		return c.icmp(v, args[0], args[1], v.Args[0].W)
	case ir.Select:
		return choose(c.b, c.off, args[0], args[1], args[2])
	case ir.ZExt:
		if args[0].W == 1 {
			return c.op(ptx.Selp, 'b', container(v.W), c.k(1, container(v.W)), c.k(0, container(v.W)), args[0])
		}
		return c.convert(args[0], 'u', container(v.W))
	case ir.SExt:
		w := container(v.W)
		if args[0].W == 1 {
			ones := c.f.Const(sem.S(-1).Cut(v.W), w)
			return c.op(ptx.Selp, 'b', w, ones, c.k(0, w), args[0])
		}
		return c.norm(c.convert(c.signed(args[0], v.Args[0].W), 's', w), v.W)
	case ir.Trunc:
		if v.W == 1 {
			x := args[0]
			low := c.op(ptx.And, 'b', x.W, x, c.k(1, x.W))
			return c.form(ptx.Form{Op: ptx.Setp, Cmp: ptx.Ne, T: ptx.IntType('u', x.W)}, low, c.k(0, x.W))
		}
		return c.norm(c.convert(args[0], 'u', container(v.W)), v.W)
	}
	if v.W == 1 {
		return c.bit(v.Op, args[0], args[1])
	}
	return c.arith(v.Op, args[0], args[1], v.W)
}

var arithOps = [ir.NumOps]ptx.Op{ir.Add: ptx.Add, ir.Sub: ptx.Sub, ir.And: ptx.And, ir.Or: ptx.Or, ir.Xor: ptx.Xor,
	ir.Shl: ptx.Shl, ir.LShr: ptx.Shr, ir.AShr: ptx.Shr}

// arith is an operation on integers of w bits.
func (c *canon) arith(op ir.Op, x, y *ir.Value, w int) *ir.Value {
	n := x.W
	switch op {
	case ir.And, ir.Or, ir.Xor:
		return c.op(arithOps[op], 'b', n, x, y)
	case ir.Mul:
		return c.norm(c.form(ptx.Form{Op: ptx.Mul, Mode: ptx.Lo, T: ptx.IntType('u', n)}, x, y), w)
	case ir.Add, ir.Sub:
		return c.norm(c.op(arithOps[op], 'u', n, x, y), w)
	}
	y = c.convert(y, 'u', 32)
	switch op {
	case ir.Shl:
		return c.norm(c.op(ptx.Shl, 'b', n, x, y), w)
	case ir.LShr:
		return c.op(ptx.Shr, 'u', n, x, y)
	}
	return c.norm(c.op(ptx.Shr, 's', n, c.signed(x, w), y), w)
}

var setpCmp = [...]ptx.Cmp{ir.EQ: ptx.Eq, ir.NE: ptx.Ne, ir.UGT: ptx.Gt, ir.UGE: ptx.Ge, ir.ULT: ptx.Lt, ir.ULE: ptx.Le,
	ir.SGT: ptx.Gt, ir.SGE: ptx.Ge, ir.SLT: ptx.Lt, ir.SLE: ptx.Le}

func (c *canon) icmp(v, x, y *ir.Value, w int) *ir.Value {
	if w == 1 { // as signed, true is −1
		not := func(p *ir.Value) *ir.Value { return c.pred(ptx.Not, p) }
		switch v.Pred {
		case ir.EQ:
			return not(c.pred(ptx.Xor, x, y))
		case ir.NE:
			return c.pred(ptx.Xor, x, y)
		case ir.UGT, ir.SLT:
			return c.pred(ptx.And, x, not(y))
		case ir.ULT, ir.SGT:
			return c.pred(ptx.And, not(x), y)
		case ir.UGE, ir.SLE:
			return c.pred(ptx.Or, x, not(y))
		}
		return c.pred(ptx.Or, not(x), y)
	}
	kind := byte('u')
	if v.Pred >= ir.SGT {
		kind, x, y = 's', c.signed(x, w), c.signed(y, w)
	}
	return c.form(ptx.Form{Op: ptx.Setp, Cmp: setpCmp[v.Pred], T: ptx.IntType(kind, x.W)}, x, y)
}

// bit is an operation on i1; a shift by 1 gives 0, or the sign.
func (c *canon) bit(op ir.Op, x, y *ir.Value) *ir.Value {
	switch op {
	case ir.Add, ir.Sub, ir.Xor:
		return c.pred(ptx.Xor, x, y)
	case ir.Mul, ir.And:
		return c.pred(ptx.And, x, y)
	case ir.Or:
		return c.pred(ptx.Or, x, y)
	case ir.AShr:
		return c.pred(ptx.Mov, x)
	}
	return c.pred(ptx.And, x, c.pred(ptx.Not, y))
}
