package rechain

import (
	"errors"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// word is 32 bits of a value that is written: the value itself, or a half of it
// that is unpacked when it is first needed as a register. The zero word is 0.
type word struct {
	v    *ir.Value
	part uint8 // 0 the value, 1 its low half, 2 its high half
}

func (w word) zero() bool { return w.v == nil }

// code collects the operations of a chain as a function of its own, whose
// parameters are the leaves.
type code struct {
	f      *ir.Func
	b      *ir.Block
	g      *graph
	params []*ir.Value // the values outside that f's parameters stand for
	param  map[*ir.Value]*ir.Value
	have   map[id]word // words of the graph that are there
	halves map[*ir.Value][2]*ir.Value
	h16    map[*ir.Value][2]*ir.Value
	packed map[[2]*ir.Value]*ir.Value
	carry  map[*ir.Value]*ir.Value // by a word that is 0 + 0 + carry
}

func newCode(g *graph) *code {
	c := &code{f: ir.NewFunc("chain"), g: g, param: map[*ir.Value]*ir.Value{}, have: map[id]word{},
		halves: map[*ir.Value][2]*ir.Value{}, h16: map[*ir.Value][2]*ir.Value{},
		packed: map[[2]*ir.Value]*ir.Value{}, carry: map[*ir.Value]*ir.Value{}}
	c.b = c.f.Blocks[0]
	return c
}

var (
	errLeaf    = errors.New("an operand has no registers")
	errMissing = errors.New("a value is needed before it is there")
	errDigit   = errors.New("a digit is no word")
)

func (c *code) op1(f ptx.Form, args ...*ir.Value) *ir.Value { return c.b.PTX(f, args...)[0] }

func (c *code) k(x uint32) *ir.Value { return c.f.Const(sem.U(uint64(x)), 32) }

// reg is the word in a register of 32 bits, or a constant.
func (c *code) reg(w word) *ir.Value {
	if w.zero() {
		return c.k(0)
	}
	if w.part == 0 {
		return w.v
	}
	h, ok := c.halves[w.v]
	if !ok {
		p := c.b.PTX(ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: -2}, w.v)
		h = [2]*ir.Value{p[0], p[1]}
		c.halves[w.v] = h
	}
	return h[w.part-1]
}

func isK(v *ir.Value, k uint64) bool { return v.Op == ir.Const && v.K == sem.U(k) }

// pair is two words in a register of 64 bits.
func (c *code) pair(lo, hi word) *ir.Value {
	switch {
	case lo.zero() && hi.zero():
		return c.f.Const(sem.Val{}, 64)
	case lo.v == hi.v && lo.part == 1 && hi.part == 2:
		return lo.v
	}
	k := [2]*ir.Value{c.reg(lo), c.reg(hi)}
	v, ok := c.packed[k]
	if !ok {
		v = c.op1(ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: 2}, k[0], k[1])
		c.packed[k], c.halves[v] = v, k
	}
	return v
}

// get is a word of the graph.
func (c *code) get(v id) (word, error) {
	if w, ok := c.have[v]; ok {
		return w, nil
	}
	if k, ok := c.g.isConst(v); ok {
		return c.number(k)
	}
	n := c.g.at(v)
	if n.kind != leaf {
		return word{}, errMissing
	}
	w, err := c.leaf(n)
	c.have[v] = w
	return w, err
}

func (c *code) number(k num) (word, error) {
	if k.isZero() {
		return word{}, nil
	}
	if !k.mod(32).equal(k) {
		return word{}, errDigit
	}
	return word{v: c.k(uint32(k.integer().Uint64()))}, nil
}

func (c *code) leaf(n *node) (word, error) {
	v := n.val
	p, ok := c.param[v]
	if !ok {
		p = c.f.Param(v.Name, v.W)
		c.params, c.param[v] = append(c.params, v), p
	}
	switch {
	case v.W == 32:
		return word{v: p}, nil
	case v.W == 64:
		return word{v: p, part: uint8(1 + n.a/32)}, nil
	case v.W == 1:
		return word{v: c.op1(ptx.Form{Op: ptx.Selp, T: ptx.B32}, c.k(1), c.k(0), p)}, nil
	case v.W == 16 || v.W == 8:
		return word{v: c.op1(ptx.Form{Op: ptx.Cvt, T: ptx.U32, A: ptx.IntType('u', v.W)}, p)}, nil
	case v.W < 32:
		return word{v: c.b.New(ir.ZExt, 32, p)}, nil
	case v.W < 64:
		x, ok := c.param[p]
		if !ok {
			x = c.b.New(ir.ZExt, 64, p)
			c.param[p] = x
		}
		return word{v: x, part: uint8(1 + n.a/32)}, nil
	}
	return word{}, errLeaf
}

// plus is x + y + cin; cin may be nil. A carry comes back where out asks for it.
func (c *code) plus(x, y word, cin *ir.Value, out bool) (word, *ir.Value) {
	return c.addSub(ptx.Add, ptx.Addc, x, y, cin, out)
}

// wideMac is x·y + 2^32·hi + lo + cin in one operation.
func (c *code) wideMac(x, y *ir.Value, lo, hi word, cin *ir.Value, out bool) (sum, carry *ir.Value) {
	f := ptx.Form{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32, CC: out}
	args := []*ir.Value{x, y, c.pair(lo, hi)}
	if cin != nil {
		f.Op, args = ptx.Madc, append(args, cin)
	}
	r := c.b.PTX(f, args...)
	if out {
		return r[0], r[1]
	}
	return r[0], nil
}

func (c *code) minus(x, y word, cin *ir.Value, out bool) (word, *ir.Value) {
	return c.addSub(ptx.Sub, ptx.Subc, x, y, cin, out)
}

func (c *code) addSub(op, opc ptx.Op, x, y word, cin *ir.Value, out bool) (word, *ir.Value) {
	f := ptx.Form{Op: op, T: ptx.U32, CC: out}
	args := []*ir.Value{c.reg(x), c.reg(y)}
	if cin != nil {
		f.Op, args = opc, append(args, cin)
	}
	r := c.b.PTX(f, args...)
	if cin != nil && !out && op == ptx.Add && x.zero() && y.zero() {
		c.carry[r[0]] = cin
	}
	if out {
		return word{v: r[0]}, r[1]
	}
	return word{v: r[0]}, nil
}

// results ends the function: with the values that vs are, word by word.
func (c *code) results(vs []id, widths []int) error {
	var out []*ir.Value
	for i, v := range vs {
		var ws []word
		for _, x := range c.g.words(v) {
			w, err := c.get(x)
			if err != nil {
				return err
			}
			ws = append(ws, w)
		}
		r, err := c.join(ws, widths[i])
		if err != nil {
			return err
		}
		out = append(out, r)
	}
	c.f.Results = widths
	c.b.Ret(out...)
	ir.RemoveDead(c.f)
	read := map[*ir.Value]bool{} // forms of which the carry is
	for _, v := range c.b.Vals {
		if v.Op == ir.Result && v.Index == 1 {
			read[v.Args[0]] = true
		}
	}
	for _, v := range c.b.Vals {
		v.Form.CC = v.Form.CC && read[v]
	}
	return nil
}

func (c *code) join(ws []word, width int) (*ir.Value, error) {
	for len(ws) < (width+31)/32 {
		ws = append(ws, word{})
	}
	switch {
	case width > 64:
		return nil, errLeaf
	case width == 64:
		return c.pair(ws[0], ws[1]), nil
	case width > 32:
		return c.b.New(ir.Trunc, width, c.pair(ws[0], ws[1])), nil
	}
	v := c.reg(ws[0])
	switch {
	case width == 32:
		return v, nil
	case v.Op == ir.Const:
		return c.f.Const(v.K, width), nil
	case width == 1:
		if cf, ok := c.carry[v]; ok {
			return cf, nil
		}
		return c.op1(ptx.Form{Op: ptx.Setp, Cmp: ptx.Ne, T: ptx.U32}, v, c.k(0)), nil
	case width == 16:
		return c.op1(ptx.Form{Op: ptx.Cvt, T: ptx.U16, A: ptx.U32}, v), nil
	}
	return c.b.New(ir.Trunc, width, v), nil
}
