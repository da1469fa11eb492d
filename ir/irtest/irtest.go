// Package irtest makes random functions for tests: of parsers and printers, of
// passes, of evaluators.
package irtest

import (
	"sync"

	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Shape says what control flow a random function may have.
type Shape int

// The shapes.
const (
	Straight Shape = iota // one block
	Acyclic               // branches that join again
	Loops                 // and loops of up to three rounds, nested
)

// Funcs are random functions that Verify accepts and that return after at most
// a few thousand steps. They have operations of every kind, PTX forms of every
// opcode with their carries, dead values, and names that are absent, plain,
// strange or not unique.
func Funcs(s Shape) *rapid.Generator[*ir.Func] {
	return rapid.Custom(func(t *rapid.T) *ir.Func {
		g := &gen{t: t, f: ir.NewFunc(rapid.SampledFrom([]string{"f", "a.b", "two words"}).Draw(t, "function")), shape: s}
		g.b = g.f.Blocks[0]
		if g.chance(4) {
			g.f.Model = ptx.PTXAS
		}
		for range g.below(5) {
			g.scope = append(g.scope, g.f.Param(g.name(), g.width()))
		}
		g.region(3)
		var out []*ir.Value
		for range g.below(4) {
			v := g.value(g.width())
			out = append(out, v)
			g.f.Results = append(g.f.Results, v.W)
		}
		g.b.Ret(out...)
		return g.f
	})
}

type gen struct {
	t     *rapid.T
	f     *ir.Func
	b     *ir.Block
	shape Shape
	scope []*ir.Value // what dominates the end of b
}

func (g *gen) below(n int) int     { return rapid.IntRange(0, n-1).Draw(g.t, "n") }
func (g *gen) chance(one int) bool { return g.below(one) == one-1 }

func (g *gen) width() int {
	return rapid.SampledFrom([]int{32, 1, 8, 16, 64, 33, 128}).Draw(g.t, "width")
}

func (g *gen) name() string {
	return rapid.SampledFrom([]string{"", "", "a", "b", "x.1", "12", "two words", "\xff\"", "_"}).Draw(g.t, "name")
}

// value is one of w bits: from the scope, or new.
func (g *gen) value(w int) *ir.Value {
	var fit []*ir.Value
	for _, v := range g.scope {
		if v.W == w {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 && !g.chance(4) {
		return rapid.SampledFrom(fit).Draw(g.t, "value")
	}
	switch g.below(8) {
	case 0:
		return g.f.Undef(w)
	case 1, 2:
		return g.f.Const(sem.U(uint64(g.below(40))), w)
	}
	hi, lo := rapid.Uint64().Draw(g.t, "hi"), rapid.Uint64().Draw(g.t, "lo")
	return g.f.Const(sem.Val{Hi: hi, Lo: lo}, w)
}

// region appends operations, branches and loops.
func (g *gen) region(depth int) {
	for range 1 + g.below(6) {
		switch k := g.below(8); {
		case k == 6 && depth > 0 && g.shape >= Acyclic:
			g.choice(depth - 1)
		case k == 7 && depth > 0 && g.shape >= Loops:
			g.loop(depth - 1)
		case k >= 3:
			g.ptx()
		default:
			g.llvm()
		}
	}
}

func (g *gen) llvm() {
	op := ir.Add + ir.Op(g.below(int(ir.NumOps-ir.Add)))
	w := g.width()
	var v *ir.Value
	switch op {
	case ir.ICmp:
		v = g.b.ICmp(ir.EQ+ir.Pred(g.below(10)), g.value(w), g.value(w))
	case ir.Select:
		v = g.b.New(op, w, g.value(1), g.value(w), g.value(w))
	case ir.ZExt, ir.SExt:
		v = g.b.New(op, min(w+1+g.below(64), 128), g.value(min(w, 127)))
	case ir.Trunc:
		v = g.b.New(op, 1+g.below(w), g.value(w+1-w/128))
		if v.W == v.Args[0].W {
			v.W--
		}
	default:
		v = g.b.New(op, w, g.value(w), g.value(w))
	}
	v.Name = g.name()
	g.scope = append(g.scope, v)
}

// forms are the PTX forms by opcode.
var forms = sync.OnceValue(func() [][]ptx.Form {
	var by [ptx.NumOps][]ptx.Form
	for _, fs := range [...][]ptx.Form{ptx.Forms(), ptx.VmadForms(), ptx.Neighbours()} {
		for _, f := range fs {
			by[f.Op] = append(by[f.Op], f)
		}
	}
	return by[ptx.BadOp+1:]
})

func (g *gen) ptx() {
	f := rapid.SampledFrom(rapid.SampledFrom(forms()).Draw(g.t, "opcode")).Draw(g.t, "form")
	var args []*ir.Value
	for _, w := range ir.ArgWidths(f) {
		args = append(args, g.value(w))
	}
	for _, v := range g.b.PTX(f, args...) {
		v.Name = g.name()
		g.scope = append(g.scope, v)
	}
}

// choice is a branch whose arms, of which one may be missing, join again.
func (g *gen) choice(depth int) {
	from, cond := g.b, g.value(1)
	outer := len(g.scope)
	join := g.f.NewBlock(g.name())
	arm := func() (entry, exit *ir.Block) {
		entry = g.f.NewBlock(g.name())
		g.b = entry
		g.region(depth)
		return entry, g.b
	}
	width := g.width()
	yes, yesEnd := arm()
	x := g.value(width)
	g.scope = g.scope[:outer]
	no, y := join, (*ir.Value)(nil)
	if g.chance(2) {
		var end *ir.Block
		no, end = arm()
		y = g.value(width)
		g.scope = g.scope[:outer]
		end.Br(join)
		from.CondBr(cond, yes, no)
		yesEnd.Br(join)
	} else {
		y = g.value(width)
		from.CondBr(cond, yes, no)
		yesEnd.Br(join)
	}
	phi := join.Phi(width)
	phi.Name = g.name()
	for _, p := range join.Preds {
		if p == yesEnd {
			phi.Args = append(phi.Args, x)
		} else {
			phi.Args = append(phi.Args, y)
		}
	}
	g.b = join
	g.scope = append(g.scope, phi)
}

// loop counts to three or less and carries one value round.
func (g *gen) loop(depth int) {
	w := g.width()
	first, from := g.value(w), g.b
	head, body, exit := g.f.NewBlock(g.name()), g.f.NewBlock(g.name()), g.f.NewBlock(g.name())
	from.Br(head)
	count, carried := head.Phi(8), head.Phi(w)
	count.Name, carried.Name = g.name(), g.name()
	g.b = head
	g.scope = append(g.scope, count, carried)
	outer := len(g.scope)
	more := head.ICmp(ir.ULT, count, g.f.Const(sem.U(uint64(g.below(4))), 8))
	head.CondBr(more, body, exit)
	g.b = body
	g.region(depth)
	next := g.b.New(ir.Add, 8, count, g.f.Const(sem.U(1), 8))
	count.Args = []*ir.Value{g.f.Const(sem.U(0), 8), next}
	carried.Args = []*ir.Value{first, g.value(w)}
	g.b.Br(head)
	g.b = exit
	g.scope = append(g.scope[:outer], more)
}
