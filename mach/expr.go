package mach

import (
	"fmt"

	"github.com/ptxlower/ptxlower/sem"
)

// Expr is one value in the result of a rule: a source operand of the matched
// form, a constant, or a result of a native op applied to other values. The
// graph is shared by using an Expr twice: a shared node is one instruction.
type Expr struct {
	n   *node
	out int
}

type nodeKind uint8

const (
	argNode nodeKind = iota
	constNode
	opNode
	loNode
	hiNode
	pairNode
	notNode
	guardNode
)

type node struct {
	kind nodeKind
	arg  int     // argNode
	k    sem.Val // constNode: sign-extended, cut where it is used
	op   *Op
	in   []Expr // guardNode: predicate, new value, old value
}

// Arg is source operand i of the matched form; the carry-in follows the sources.
func Arg(i int) Expr { return Expr{n: &node{kind: argNode, arg: i}} }

// K is a constant; it takes the width of the place where it stands.
func K(v int64) Expr { return KVal(sem.S(v)) }

// KVal is a constant of up to 128 bits.
func KVal(v sem.Val) Expr { return Expr{n: &node{kind: constNode, k: v}} }

// Of applies an op. The value is its first result; Out gives the others.
func (o *Op) Of(in ...Expr) Expr {
	if len(in) != len(o.In) {
		panic(fmt.Sprintf("mach: %s takes %d operands, not %d", o.Name, len(o.In), len(in)))
	}
	return Expr{n: &node{kind: opNode, op: o, in: in}}
}

// Out is result i of the same op.
func (e Expr) Out(i int) Expr {
	if e.n.kind != opNode || i >= len(e.n.op.Out) {
		panic("mach: no such result")
	}
	return Expr{n: e.n, out: i}
}

// LoHalf is the low register of a pair; it costs nothing.
func LoHalf(x Expr) Expr { return half(loNode, x) }

// HiHalf is the high register of a pair; it costs nothing.
func HiHalf(x Expr) Expr { return half(hiNode, x) }

func half(k nodeKind, x Expr) Expr {
	if x.n.kind == pairNode {
		return x.n.in[k-loNode]
	}
	return Expr{n: &node{kind: k, in: []Expr{x}}}
}

// Pair is a 64-bit value made of two registers. It costs moves where the
// allocator cannot place the halves.
func Pair(lo, hi Expr) Expr { return Expr{n: &node{kind: pairNode, in: []Expr{lo, hi}}} }

// Not is a predicate operand read complemented (!P0); it costs nothing where
// the op's operand allows it.
func Not(p Expr) Expr {
	if p.n.kind == notNode {
		return p.n.in[0]
	}
	return Expr{n: &node{kind: notNode, in: []Expr{p}}}
}

// Guard is x where predicate p is 1, else old: the instruction of x runs under
// p and keeps its destination otherwise. x must be an op's first result.
func Guard(p, x, old Expr) Expr {
	return Expr{n: &node{kind: guardNode, in: []Expr{p, x, old}}}
}

// Meaning gives the terms that the values compute, each in the width asked for,
// from the terms of the form's source operands.
func Meaning(b *sem.Builder, results []Expr, widths []int, args []*sem.Term) []*sem.Term {
	memo := map[*node][]*sem.Term{}
	var val func(e Expr, w int) *sem.Term
	val = func(e Expr, w int) *sem.Term {
		n := e.n
		switch n.kind {
		case argNode: // a value narrower than its register is zero-extended in it
			return b.Zext(args[n.arg], w)
		case constNode:
			return b.Const(n.k, w)
		case loNode:
			return b.Bits(val(n.in[0], 2*w), w-1, 0)
		case hiNode:
			return b.Bits(val(n.in[0], 2*w), 2*w-1, w)
		case pairNode:
			return b.Concat(val(n.in[1], w/2), val(n.in[0], w/2))
		case notNode:
			return b.Not(val(n.in[0], w))
		case guardNode:
			return b.Ite(val(n.in[0], 1), val(n.in[1], w), val(n.in[2], w))
		}
		ts, ok := memo[n]
		if !ok {
			in := make([]*sem.Term, len(n.in))
			for i, x := range n.in {
				in[i] = val(x, int(n.op.In[i].Class.Bits))
			}
			ts = n.op.Meaning(b, in)
			memo[n] = ts
		}
		if t := ts[e.out]; t.W != w {
			panic(fmt.Sprintf("mach: %s gives %d bits where %d are wanted", n.op.Name, t.W, w))
		}
		return ts[e.out]
	}
	out := make([]*sem.Term, len(results))
	for i, e := range results {
		out[i] = val(e, widths[i])
	}
	return out
}

// Ops lists the ops of the graph below the results, each node once, operands
// before users.
func Ops(results []Expr) []*Op {
	var out []*Op
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, x := range n.in {
			walk(x.n)
		}
		if n.kind == opNode {
			out = append(out, n.op)
		}
	}
	for _, e := range results {
		walk(e.n)
	}
	return out
}
