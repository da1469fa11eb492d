package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
)

// op is an instruction as rules name it. A target has for it the first of its
// ways whose features it has: a row of the table, or other ops.
type op struct{ ways []way }

type way struct {
	needs ir.Features
	row   *mach.Op
	as    func(in []expr) []expr // the results, where row is nil
}

// Of applies an op. The value is its first result; Out gives the others.
func (o *op) Of(in ...expr) expr { return expr{n: &node{op: o, in: in}} }

// or adds a way that is made of other ops.
func (o *op) or(needs ir.Features, as func(in []expr) []expr) *op {
	o.ways = append(o.ways, way{needs: needs, as: as})
	return o
}

// as is the way that targets have who have no other.
func (o *op) as(as func(in []expr) expr) *op {
	return o.or(0, func(in []expr) []expr { return []expr{as(in)} })
}

// either is the ways of all, in order.
func either(os ...*op) *op {
	all := &op{}
	for _, o := range os {
		all.ways = append(all.ways, o.ways...)
	}
	return all
}

// with changes the rows.
func (o *op) with(change func(*mach.Op)) *op {
	for _, w := range o.ways {
		if w.row != nil {
			change(w.row)
		}
	}
	return o
}

func (o *op) on(f ir.Features) *way {
	for i := range o.ways {
		if f.Has(o.ways[i].needs) {
			return &o.ways[i]
		}
	}
	panic("amd: an op that not every target has stands in a rule for all")
}

// expr is one value in the result of a rule: mach.Expr over ops.
type expr struct {
	n   *node
	out int
}

type kind uint8

const (
	opNode kind = iota
	argNode
	constNode
	loNode
	hiNode
	notNode
	pairNode
)

type node struct {
	kind kind
	op   *op
	in   []expr
	k    int64 // of a constant; which argument
}

// Out is result i of the same op.
func (e expr) Out(i int) expr { return expr{e.n, i} }

func arg(i int64) expr { return expr{n: &node{kind: argNode, k: i}} }

// The operands of the form; e is the fourth, often the carry.
var a, b, c, e = arg(0), arg(1), arg(2), arg(3)

// k is a constant; it takes the width of the place where it stands.
func k(v int64) expr { return expr{n: &node{kind: constNode, k: v}} }

// is reports the constant k.
func (e expr) is(k int64) bool { return e.n.kind == constNode && e.n.k == k }

// lo and hi are the halves of a pair, joined makes one.
func lo(x expr) expr        { return expr{n: &node{kind: loNode, in: []expr{x}}} }
func hi(x expr) expr        { return expr{n: &node{kind: hiNode, in: []expr{x}}} }
func joined(l, h expr) expr { return expr{n: &node{kind: pairNode, in: []expr{l, h}}} }

// not is a mask to be read complemented. No op reads one: what is left of them
// where two meet costs an op.
func not(p expr) expr { return expr{n: &node{kind: notNode, in: []expr{p}}} }

// lower gives what values are on a target. Equal ops on equal operands become
// one.
func lower(f ir.Features, out []expr) []mach.Expr {
	l := lowering{f: f}
	xs := make([]mach.Expr, len(out))
	for i, x := range out {
		xs[i] = l.expr(x)
	}
	return xs
}

// lowering is one call of lower. Graphs are small: what was made is looked for
// one by one.
type lowering struct {
	f    ir.Features
	done []lowered
	made []made
}

type lowered struct {
	n   *node
	out []mach.Expr
}

// made is a value and what it was made of.
type made struct {
	kind kind
	row  *mach.Op
	k    int64
	in   [4]mach.Expr
	x    mach.Expr
}

func (l *lowering) expr(x expr) mach.Expr {
	for i := range l.done {
		if l.done[i].n == x.n {
			return l.done[i].out[x.out]
		}
	}
	out := l.node(x.n)
	l.done = append(l.done, lowered{x.n, out})
	return out[x.out]
}

func (l *lowering) node(n *node) []mach.Expr {
	m := made{kind: n.kind, k: n.k}
	if n.kind == opNode {
		w := n.op.on(l.f)
		if w.row == nil {
			as := w.as(n.in)
			out := make([]mach.Expr, len(as))
			for i, x := range as {
				out[i] = l.expr(x)
			}
			return out
		}
		m.row = w.row
	}
	for i, x := range n.in {
		m.in[i] = l.expr(x)
	}
	x := l.once(m, len(n.in))
	if m.row == nil {
		return []mach.Expr{x}
	}
	out := make([]mach.Expr, len(m.row.Out))
	for i := range out {
		out[i] = x.Out(i)
	}
	return out
}

// once makes each value but once.
func (l *lowering) once(m made, n int) mach.Expr {
	for i := range l.made {
		if o := &l.made[i]; o.kind == m.kind && o.row == m.row && o.k == m.k && o.in == m.in {
			return o.x
		}
	}
	switch m.kind {
	case opNode:
		m.x = m.row.Of(append([]mach.Expr{}, m.in[:n]...)...)
	case argNode:
		m.x = mach.Arg(int(m.k))
	case constNode:
		m.x = mach.K(m.k)
	case loNode:
		m.x = mach.LoHalf(m.in[0])
	case hiNode:
		m.x = mach.HiHalf(m.in[0])
	case notNode:
		m.x = mach.Not(m.in[0])
	default:
		m.x = mach.Pair(m.in[0], m.in[1])
	}
	l.made = append(l.made, m)
	return m.x
}
