package ir

import (
	"fmt"
	"slices"

	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// NewFunc starts a function with an entry block.
func NewFunc(name string) *Func {
	f := &Func{Name: name, consts: map[constKey]*Value{}}
	f.NewBlock("entry")
	return f
}

// NewBlock appends a block.
func (f *Func) NewBlock(name string) *Block {
	b := &Block{ID: len(f.Blocks), Name: name, Func: f}
	f.Blocks = append(f.Blocks, b)
	return b
}

func (f *Func) newValue(op Op, w int) *Value {
	v := &Value{ID: f.values, Op: op, W: w, Off: -1}
	f.values++
	return v
}

// Param appends a parameter of w bits.
func (f *Func) Param(name string, w int) *Value {
	v := f.newValue(Param, w)
	v.Name, v.Index = name, len(f.Params)
	f.Params = append(f.Params, v)
	return v
}

// Const is the constant k in w bits; equal constants are one value.
func (f *Func) Const(k sem.Val, w int) *Value {
	return f.constant(constKey{k: k.Cut(w), w: w})
}

// Undef is an undefined value of w bits.
func (f *Func) Undef(w int) *Value { return f.constant(constKey{w: w, u: true}) }

func (f *Func) constant(k constKey) *Value {
	if v, ok := f.consts[k]; ok {
		return v
	}
	op := Const
	if k.u {
		op = Undef
	}
	v := f.newValue(op, k.w)
	v.K = k.k
	f.consts[k] = v
	f.Consts = append(f.Consts, v)
	return v
}

// New appends an operation to the block. For PTX use PTX.
func (b *Block) New(op Op, w int, args ...*Value) *Value {
	v := b.Func.newValue(op, w)
	v.Args, v.Block = args, b
	b.Vals = append(b.Vals, v)
	return v
}

// ICmp appends a comparison.
func (b *Block) ICmp(p Pred, x, y *Value) *Value {
	v := b.New(ICmp, 1, x, y)
	v.Pred = p
	return v
}

// PTX appends a form and gives its results, the carry-out last. The arguments
// are the sources and then the carry-in where the form reads one.
func (b *Block) PTX(f ptx.Form, args ...*Value) []*Value {
	ws := ResultWidths(f)
	if len(ws) == 0 {
		panic(fmt.Sprintf("ir: %s has no result", f))
	}
	v := b.New(PTX, ws[0], args...)
	v.Form = f
	out := []*Value{v}
	for i, w := range ws[1:] {
		r := b.New(Result, w, v)
		r.Index = i + 1
		out = append(out, r)
	}
	return out
}

// ResultWidths are the widths of a form's results, the carry-out last.
func ResultWidths(f ptx.Form) []int {
	var ws []int
	for _, t := range f.Outs() {
		ws = append(ws, t.Bits())
	}
	if f.WritesCF() {
		ws = append(ws, 1)
	}
	return ws
}

// ArgWidths are the widths of a form's sources, the carry-in last.
func ArgWidths(f ptx.Form) []int {
	var ws []int
	for _, t := range f.Ins() {
		ws = append(ws, t.Bits())
	}
	if f.ReadsCF() {
		ws = append(ws, 1)
	}
	return ws
}

// Phi inserts a phi after those the block has; the caller sets Args.
func (b *Block) Phi(w int) *Value {
	v := b.Func.newValue(Phi, w)
	v.Block = b
	n := 0
	for n < len(b.Vals) && b.Vals[n].Op == Phi {
		n++
	}
	b.Vals = slices.Insert(b.Vals, n, v)
	return v
}

// Ret ends the block with a return.
func (b *Block) Ret(vals ...*Value) {
	b.Term, b.Args = Ret, vals
}

// Br ends the block with a jump.
func (b *Block) Br(to *Block) {
	b.Term, b.Succs = Br, []*Block{to}
	to.Preds = append(to.Preds, b)
}

// CondBr ends the block with a conditional jump.
func (b *Block) CondBr(cond *Value, yes, no *Block) {
	b.Term, b.Args, b.Succs = CondBr, []*Value{cond}, []*Block{yes, no}
	yes.Preds = append(yes.Preds, b)
	no.Preds = append(no.Preds, b)
}
