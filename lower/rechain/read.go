package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// reader gives ir values their equations. A value whose operation is known here
// is one of the family; others are foreign: leaves. A family value that depends
// on a foreign one that depends on a family one is of the next level, and takes
// values of earlier levels as leaves: so what is rewritten as one is never
// torn apart by an operation in between.
type reader struct {
	g     *graph
	of    []id    // by Value.ID; none for what is foreign or not yet read
	level []int32 // by Value.ID
	facts Facts
	more  map[*ir.Value][]*ir.Value // the further results of forms
	leafs map[*ir.Value]id          // what is known to be a leaf under another name
}

// Facts gives an upper bound, inclusive, of a value where one is known.
type Facts func(v *ir.Value) (max sem.Val, ok bool)

func newReader(g *graph, f *ir.Func, facts Facts) *reader {
	r := &reader{g: g, of: make([]id, f.NumValues()), level: make([]int32, f.NumValues()), facts: facts}
	for i := range r.of {
		r.of[i] = none
	}
	return r
}

// family reports a value that has an equation.
func (r *reader) family(v *ir.Value) bool { return r.of[v.ID] != none }

// asLeaf is a value that is not looked into.
func (r *reader) asLeaf(v *ir.Value) id {
	switch v.Op {
	case ir.Const:
		return r.g.constant(fromVal(v.K))
	case ir.Undef:
		return r.g.constant(num{})
	}
	if x, ok := r.leafs[v]; ok {
		return x
	}
	return r.g.value(v, r.leafMax(v))
}

func fromVal(k sem.Val) num { return fromUint(k.Hi).shl(64).add(fromUint(k.Lo)) }

func toBound(k sem.Val) bound { return bound{hi: k.Hi, lo: k.Lo} }

// leafMax bounds a foreign value by what its operation shows.
func (r *reader) leafMax(v *ir.Value) bound {
	m := ones(v.W)
	if r.facts != nil {
		if k, ok := r.facts(v); ok {
			m = m.min(toBound(k))
		}
	}
	op := v.Op
	switch {
	case op == ir.PTX && (v.Form.Op == ptx.And || v.Form.Op == ptx.Min && !v.Form.T.Signed()):
	case op == ir.PTX && (v.Form.Op == ptx.Popc || v.Form.Op == ptx.Clz):
		return m.min(bound{lo: 64})
	case op == ir.And:
	default:
		return m
	}
	for _, a := range v.Args {
		if a.Op == ir.Const {
			m = m.min(toBound(a.K))
		} else if x := r.of[a.ID]; x != none {
			m = m.min(r.g.at(x).max)
		}
	}
	return m
}

// block reads the values of a block.
func (r *reader) block(vals []*ir.Value) {
	r.more = map[*ir.Value][]*ir.Value{}
	for _, v := range vals {
		if v.Op == ir.Result {
			r.more[v.Args[0]] = append(r.more[v.Args[0]], v)
		}
	}
	for _, v := range vals {
		r.read(v)
	}
}

func (r *reader) read(v *ir.Value) {
	if v.Op == ir.Result {
		r.level[v.ID] = r.level[v.Args[0].ID]
		return // its form has set it
	}
	var l int32
	for _, a := range v.Args {
		l = max(l, r.level[a.ID])
	}
	r.level[v.ID] = l
	if v.Op == ir.Phi || !possible(v) {
		r.foreign(v)
		return
	}
	in := make([]id, len(v.Args))
	for i, a := range v.Args {
		if in[i] = r.of[a.ID]; in[i] == none || r.level[a.ID] < l {
			in[i] = r.asLeaf(a)
		}
	}
	outs := r.g.equation(v, in)
	if outs == nil {
		r.foreign(v)
		return
	}
	r.of[v.ID] = outs[0]
	for _, u := range r.more[v] {
		r.of[u.ID] = outs[u.Index]
	}
}

func (r *reader) foreign(v *ir.Value) {
	for _, a := range v.Args {
		if r.family(a) {
			r.level[v.ID] = max(r.level[v.ID], r.level[a.ID]+1)
		}
	}
}

// possible reports an operation that may have an equation.
func possible(v *ir.Value) bool {
	switch v.Op {
	case ir.PTX:
		switch f := v.Form; f.Op {
		case ptx.Add, ptx.Sub, ptx.Addc, ptx.Subc, ptx.Mul, ptx.Mad, ptx.Madc, ptx.Mov, ptx.Cvt, ptx.Not,
			ptx.Shl, ptx.Shr, ptx.Shf, ptx.And, ptx.Or, ptx.Xor, ptx.Selp, ptx.Setp:
			return !f.Sat && !f.OfHalves()
		}
		return false
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Shl, ir.LShr, ir.AShr, ir.ICmp, ir.Select, ir.ZExt, ir.SExt, ir.Trunc:
		return true
	}
	return false
}

// equation gives the results of an operation; nil where it has none here.
func (g *graph) equation(v *ir.Value, in []id) []id {
	one := func(x id) []id {
		if x == none {
			return nil
		}
		return []id{x}
	}
	w := v.W
	if v.Op == ir.PTX {
		return g.form(v, in)
	}
	switch v.Op {
	case ir.Add, ir.Sub:
		if w == 1 {
			return nil
		}
		d, _ := g.add(in[0], in[1], none, v.Op == ir.Sub, false, w)
		return one(d)
	case ir.Mul:
		d, _ := g.mod(g.product(in[0], in[1]), w)
		return one(d)
	case ir.And:
		return one(g.and(in[0], in[1]))
	case ir.Or:
		return one(g.or(in[0], in[1]))
	case ir.Xor:
		return one(g.xor(in[0], in[1], w))
	case ir.Shl:
		return one(g.shl(in[0], in[1], w))
	case ir.LShr:
		return one(g.shr(in[0], in[1], w, false))
	case ir.AShr:
		return one(g.shr(in[0], in[1], w, true))
	case ir.ICmp:
		switch v.Pred {
		case ir.ULT:
			return one(g.below(in[0], in[1], v.Args[0].W))
		case ir.UGT:
			return one(g.below(in[1], in[0], v.Args[0].W))
		case ir.NE:
			return one(g.notZero(in[0], in[1]))
		}
	case ir.Select:
		return one(g.choose(in[1], in[2], in[0]))
	case ir.ZExt:
		return one(in[0])
	case ir.SExt:
		if g.at(in[0]).max.bits() < v.Args[0].W {
			return one(in[0])
		}
	case ir.Trunc:
		d, _ := g.mod(in[0], w)
		return one(d)
	}
	return nil
}

func (g *graph) form(v *ir.Value, in []id) []id {
	one := func(x id) []id {
		if x == none {
			return nil
		}
		return []id{x}
	}
	f := v.Form
	w := f.T.Bits()
	switch f.Op {
	case ptx.Add, ptx.Sub, ptx.Addc, ptx.Subc:
		c := none
		if f.ReadsCF() {
			c = in[2]
		}
		d, out := g.add(in[0], in[1], c, f.SubFamily(), f.ReadsCF(), w)
		return []id{d, out}[:1+btoi(f.CC)]
	case ptx.Mul, ptx.Mad, ptx.Madc:
		return g.mul(f, in)
	case ptx.Mov:
		return g.mov(f, in)
	case ptx.Cvt:
		from := f.A.Bits()
		switch {
		case from > w:
			d, _ := g.mod(in[0], w)
			return one(d)
		case !f.A.Signed() || g.at(in[0]).max.bits() < from:
			return one(in[0])
		}
	case ptx.Not:
		return one(g.sum([]term{{small(-1), in[0]}}, pow2(w).add(small(-1))))
	case ptx.And:
		return one(g.and(in[0], in[1]))
	case ptx.Or:
		return one(g.or(in[0], in[1]))
	case ptx.Xor:
		return one(g.xor(in[0], in[1], w))
	case ptx.Shl:
		return one(g.shl(in[0], in[1], w))
	case ptx.Shr:
		return one(g.shr(in[0], in[1], w, f.T.Signed()))
	case ptx.Shf:
		return one(g.funnel(f, in))
	case ptx.Selp:
		return one(g.choose(in[0], in[1], in[2]))
	case ptx.Setp:
		if f.Dual || f.Bool != ptx.NoBool {
			return nil
		}
		switch {
		case f.Cmp == ptx.Ne:
			return one(g.notZero(in[0], in[1]))
		case f.T.Signed():
		case f.Cmp == ptx.Lt || f.Cmp == ptx.LoU:
			return one(g.below(in[0], in[1], w))
		case f.Cmp == ptx.Gt || f.Cmp == ptx.HiU:
			return one(g.below(in[1], in[0], w))
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add is N = x + y + carry, or x − y + 2^w, or x − y + 2^w − 1 + carry, as
// N mod 2^w and floor(N / 2^w), the hardware's carry.
func (g *graph) add(x, y, carry id, minus, reads bool, w int) (digit, out id) {
	ts := []term{{pow2(0), x}, {pow2(0), y}}
	var c num
	if minus {
		ts[1].c, c = small(-1), pow2(w)
		if reads {
			c = c.add(small(-1))
		}
	}
	if reads {
		ts = append(ts, term{pow2(0), carry})
	}
	return g.mod(g.sum(ts, c), w)
}

// mul is mul, mad and madc. A signed high half is the unsigned one where no
// operand has its sign bit set.
func (g *graph) mul(f ptx.Form, in []id) []id {
	w := f.T.Bits()
	if f.Mode != ptx.Lo && f.T.Signed() && (g.at(in[0]).max.bits() >= w || g.at(in[1]).max.bits() >= w) {
		return nil
	}
	p := g.product(in[0], in[1])
	if f.Mode == ptx.Wide {
		if f.Op == ptx.Mul {
			return []id{p}
		}
		c := none
		if f.ReadsCF() {
			c = in[3]
		}
		d, out := g.add(p, in[2], c, false, f.ReadsCF(), 2*w)
		return []id{d, out}[:1+btoi(f.CC)]
	}
	lo, hi := g.mod(p, w)
	if f.Mode == ptx.Hi {
		lo = hi
	}
	if f.Op == ptx.Mul {
		return []id{lo}
	}
	c := none
	if f.ReadsCF() {
		c = in[3]
	}
	d, out := g.add(lo, in[2], c, false, f.ReadsCF(), w)
	return []id{d, out}[:1+btoi(f.CC)]
}

func (g *graph) mov(f ptx.Form, in []id) []id {
	w := f.T.Bits()
	switch {
	case f.Pack == 0:
		return in
	case f.Pack > 0:
		part := w / int(f.Pack)
		var ts []term
		for i, x := range in {
			ts = append(ts, term{pow2(part * i), x})
		}
		return []id{g.sum(ts, num{})}
	}
	n := -int(f.Pack)
	if n == 2 && w == 64 {
		lo, hi := g.split(in[0])
		return []id{lo, hi}
	}
	if n == 2 && w == 32 {
		lo, hi := g.halves16(in[0])
		return []id{lo, hi}
	}
	var out []id
	x := in[0]
	for range n - 1 {
		var d id
		d, x = g.mod(x, w/n)
		out = append(out, d)
	}
	return append(out, x)
}

// halves16 are the halves of a word, remembered as such: their four products
// are one product of words.
func (g *graph) halves16(x id) (lo, hi id) {
	lo, hi = g.mod(x, 16)
	if lo != x {
		if _, ok := g.isConst(lo); !ok {
			g.of16[lo], g.of16[hi] = half{x, false}, half{x, true}
		}
	}
	return lo, hi
}

func (g *graph) count(n id, w int) (int, bool) {
	k, ok := g.isConst(n)
	if !ok {
		return 0, false
	}
	if k = k.mod(32); k.isZero() {
		return 0, true
	}
	if k.e > 20 || k.m<<k.e > int64(w) {
		return w, true
	}
	return int(k.m << k.e), true
}

func (g *graph) shl(x, n id, w int) id {
	k, ok := g.count(n, w)
	switch {
	case !ok:
		return none
	case k == w:
		return g.constant(num{})
	}
	d, _ := g.mod(g.sum([]term{{pow2(k), x}}, num{}), w)
	return d
}

func (g *graph) shr(x, n id, w int, signed bool) id {
	k, ok := g.count(n, w)
	switch {
	case !ok || signed && g.at(x).max.bits() >= w:
		return none
	case k == w:
		return g.constant(num{})
	case k == 0:
		return x
	}
	_, f := g.mod(x, k)
	return f
}

// funnel: with the words lo and hi and 0 < n < 32, shf.l is
// 2^n·hi + floor(lo / 2^(32−n)) − 2^32·floor(hi / 2^(32−n)), and shf.r is
// floor(lo / 2^n) + 2^(32−n)·hi − 2^32·floor(hi / 2^n).
func (g *graph) funnel(f ptx.Form, in []id) id {
	c, ok := g.isConst(in[2])
	if !ok {
		return none
	}
	lo, hi, n := in[0], in[1], 32
	if c = c.mod(32); f.Wrap {
		c = c.mod(5)
	}
	if c.isZero() {
		n = 0
	} else if c.e < 5 && c.m<<c.e < 32 {
		n = int(c.m << c.e)
	}
	left := f.Mode == ptx.Left
	switch {
	case n == 0 && left, n == 32 && !left:
		return hi
	case n == 0, n == 32:
		return lo
	}
	if left {
		n = 32 - n
	}
	_, a := g.mod(lo, n)
	_, b := g.mod(hi, n)
	d := g.sum([]term{{pow2(32 - n), hi}, {pow2(0), a}, {pow2(32).neg(), b}}, num{})
	g.at(d).max = g.at(d).max.min(ones(32))
	return d
}

// and is x mod 2^k for the mask 2^k − 1.
func (g *graph) and(x, y id) id {
	k, ok := g.isConst(x)
	if ok {
		x = y
	} else if k, ok = g.isConst(y); !ok {
		return none
	}
	m := k.add(small(1))
	n, ok := m.power()
	if !ok || n == 0 {
		return none
	}
	d, _ := g.mod(x, n)
	return d
}

// or is the sum where no bit can be set in both.
func (g *graph) or(x, y id) id {
	if g.zerosBelow(x) < g.at(y).max.bits() && g.zerosBelow(y) < g.at(x).max.bits() {
		return none
	}
	return g.sum([]term{{pow2(0), x}, {pow2(0), y}}, num{})
}

// zerosBelow is a k for which 2^k divides x.
func (g *graph) zerosBelow(x id) int {
	n := g.at(x)
	if n.kind != lin {
		return 0
	}
	k := 128
	if !n.c.isZero() {
		k = int(n.c.e)
	}
	for _, t := range n.terms {
		k = min(k, int(t.c.e))
	}
	return k
}

// xor with all ones is 2^w − 1 − x.
func (g *graph) xor(x, y id, w int) id {
	k, ok := g.isConst(x)
	if ok {
		x = y
	} else if k, ok = g.isConst(y); !ok {
		return none
	}
	if all := pow2(w).add(small(-1)); !k.equal(all) {
		return none
	}
	return g.sum([]term{{small(-1), x}}, k)
}

// choose is p ? 1 : 0 or p ? 0 : 1.
func (g *graph) choose(x, y, p id) id {
	a, ok := g.isConst(x)
	b, ok2 := g.isConst(y)
	switch {
	case !ok || !ok2:
	case a.isOne() && b.isZero():
		return p
	case a.isZero() && b.isOne():
		return g.sum([]term{{small(-1), p}}, pow2(0))
	}
	return none
}

// notZero is x ≠ 0 for a bit x.
func (g *graph) notZero(x, y id) id {
	if k, ok := g.isConst(y); !ok || !k.isZero() || g.at(x).max.bits() > 1 {
		return none
	}
	return x
}

// below is x < y where that is a carry or a borrow that is there already: of
// x = y + z mod 2^w it is the carry, and with f = floor((x − y + 2^w) / 2^w)
// it is 1 − f.
func (g *graph) below(x, y id, w int) id {
	if n := g.at(x); n.kind == lin && n.dig != none && n.w == w {
		f := n.dig
		if s := g.at(g.at(f).a); s.kind == lin && len(s.terms) == 2 && s.c.isZero() {
			for i, t := range s.terms {
				if t.v == y && t.c.isOne() && s.terms[1-i].c.isOne() && g.at(s.terms[1-i].v).max.bits() <= w {
					return f
				}
			}
		}
	}
	n := g.sum([]term{{pow2(0), x}, {small(-1), y}}, pow2(w))
	if f, ok := g.cons[key{kind: floor, a: n, w: w}]; ok {
		return g.sum([]term{{small(-1), f}}, pow2(0))
	}
	return none
}
