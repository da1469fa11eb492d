package ir

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ptxlower/ptxlower/ptx"
)

// Verify checks the invariants of the package: every value is defined once, by
// an operation of its function, with an identifier of its own, and dominates
// its uses; operands and results have the widths of the operation; phis come
// first and have an operand for each predecessor, the same one where an edge
// occurs twice; Preds mirrors Succs; the entry has no predecessor; each block
// has a terminator that fits the function's results; Block.ID is the place in
// Func.Blocks. The error joins all that was found, nil if nothing.
func Verify(f *Func) error {
	var errs []error
	verify(f, func(b *Block, v *Value, text string) {
		p := newPrinter(f)
		p.str("@" + f.Name + ": ")
		if b != nil {
			p.label(b)
			p.str(": ")
		}
		if v != nil {
			p.arg(v, true)
			p.str(": ")
		}
		errs = append(errs, errors.New(string(p.out)+text))
	})
	return errors.Join(errs...)
}

// verifier reports with the block and the value at fault, each nil if there is
// none; without a value it is the block's terminator.
type verifier struct {
	f      *Func
	report func(b *Block, v *Value, text string)
	bad    bool
	vals   []*Value // by ID
	place  []int    // in its block, by ID
	dom    *DomTree
}

func verify(f *Func, report func(b *Block, v *Value, text string)) {
	s := &verifier{f: f, report: report, vals: make([]*Value, f.values), place: make([]int, f.values)}
	if len(f.Blocks) == 0 {
		s.fail(nil, nil, "no block")
		return
	}
	s.definitions()
	s.edges()
	if s.bad {
		return // the rest relies on identifiers and edges
	}
	s.dom = Dominators(f)
	for _, b := range f.Blocks {
		for i, v := range b.Vals {
			if v.Op == Phi && i > 0 && b.Vals[i-1].Op != Phi {
				s.fail(b, v, "phi after another operation")
			}
			s.operation(b, v)
		}
		s.terminator(b)
	}
}

func (s *verifier) fail(b *Block, v *Value, format string, args ...any) {
	s.bad = true
	s.report(b, v, fmt.Sprintf(format, args...))
}

func (s *verifier) define(b *Block, v *Value, i int) {
	switch {
	case v.ID < 0 || v.ID >= len(s.vals):
		s.fail(b, v, "identifier %d of %d", v.ID, len(s.vals))
	case s.vals[v.ID] != nil:
		s.fail(b, v, "identifier %d is defined twice", v.ID)
	default:
		s.vals[v.ID], s.place[v.ID] = v, i
	}
	if v.W < 1 || v.W > 128 {
		s.fail(b, v, "%d bits; 1 to 128 are possible", v.W)
	}
	if v.Block != b {
		s.fail(b, v, "belongs to another block")
	}
}

func (s *verifier) definitions() {
	for i, v := range s.f.Params {
		s.define(nil, v, i)
		if v.Op != Param || v.Index != i {
			s.fail(nil, v, "%s %d in place of parameter %d", v.Op, v.Index, i)
		}
	}
	for i, v := range s.f.Consts {
		s.define(nil, v, i)
		if v.Op != Const && v.Op != Undef {
			s.fail(nil, v, "%s among the constants", v.Op)
		}
		if v.K != v.K.Cut(v.W) {
			s.fail(nil, v, "more bits than %d", v.W)
		}
	}
	for i, b := range s.f.Blocks {
		if b.ID != i || b.Func != s.f {
			s.fail(b, nil, "block %d in place %d", b.ID, i)
		}
		for j, v := range b.Vals {
			s.define(b, v, j)
			if v.Op < PTX || v.Op >= NumOps {
				s.fail(b, v, "no operation")
			}
		}
	}
}

func (s *verifier) edges() {
	type edge struct{ from, to *Block }
	count := map[edge]int{}
	for _, b := range s.f.Blocks {
		if want := [...]int{Br: 1, CondBr: 2, Unreachable: 0}[min(b.Term, Unreachable)]; len(b.Succs) != want {
			s.fail(b, nil, "%d successors where there should be %d", len(b.Succs), want)
		}
		for _, t := range b.Succs {
			if t == nil || t.ID < 0 || t.ID >= len(s.f.Blocks) || s.f.Blocks[t.ID] != t {
				s.fail(b, nil, "a successor is not in the function")
			}
			count[edge{b, t}]++
		}
	}
	if n := len(s.f.Blocks[0].Preds); n > 0 {
		s.fail(s.f.Blocks[0], nil, "the entry has %d predecessors", n)
	}
	for _, b := range s.f.Blocks {
		for _, p := range b.Preds {
			count[edge{p, b}]--
			if count[edge{p, b}] < 0 {
				s.fail(b, nil, "a predecessor does not branch here")
			}
		}
	}
	for _, b := range s.f.Blocks {
		for _, t := range b.Succs {
			if count[edge{b, t}] > 0 {
				count[edge{b, t}] = 0
				s.fail(b, nil, "missing among the predecessors of a successor")
			}
		}
	}
}

func (s *verifier) operation(b *Block, v *Value) {
	if v.Op == PTX && !known(v.Form) {
		s.fail(b, v, "no such PTX instruction")
		return
	}
	want := argWidths(v)
	if len(want) != len(v.Args) {
		s.fail(b, v, "%d operands where there should be %d", len(v.Args), len(want))
		return
	}
	for i, a := range v.Args {
		if !s.owns(b, v, a) {
			return
		}
		if want[i] != 0 && a.W != want[i] {
			s.fail(b, v, "operand %d has %d bits where there should be %d", i+1, a.W, want[i])
		}
		if v.Op == Phi {
			p := b.Preds[i]
			if !s.reaches(a, p, len(p.Vals)) {
				s.fail(b, v, "operand %d does not dominate the edge it comes by", i+1)
			}
			if p.Term == CondBr && p.Succs[0] == p.Succs[1] && v.Args[slices.Index(b.Preds, p)] != a {
				s.fail(b, v, "operand %d comes from the same block as another and differs", i+1)
			}
		} else if !s.reaches(a, b, s.place[v.ID]) {
			s.fail(b, v, "operand %d does not dominate this use", i+1)
		}
	}
	s.result(b, v)
}

// result checks what argWidths leaves open: the width of the result, and the
// widths of operands that may have several.
func (s *verifier) result(b *Block, v *Value) {
	switch v.Op {
	case PTX:
		if w := ResultWidths(v.Form)[0]; v.W != w {
			s.fail(b, v, "%d bits where the form gives %d", v.W, w)
		}
	case Result:
		switch p := v.Args[0]; {
		case p.Op != PTX:
			s.fail(b, v, "a result of %s, which has one only", p.Op)
		case !known(p.Form): // reported where it is
		case v.Index < 1 || v.Index >= len(ResultWidths(p.Form)):
			s.fail(b, v, "result %d of %s, which has %d", v.Index, p.Form.Name(), len(ResultWidths(p.Form)))
		case v.W != ResultWidths(p.Form)[v.Index]:
			s.fail(b, v, "%d bits where the form gives %d", v.W, ResultWidths(p.Form)[v.Index])
		}
	case ICmp:
		if x, y := v.Args[0].W, v.Args[1].W; v.W != 1 || x != y {
			s.fail(b, v, "compares %d and %d bits to %d", x, y, v.W)
		}
		if v.Pred < EQ || v.Pred > SLE {
			s.fail(b, v, "no predicate")
		}
	case ZExt, SExt:
		if w := v.Args[0].W; v.W <= w {
			s.fail(b, v, "extends %d bits to %d", w, v.W)
		}
	case Trunc:
		if w := v.Args[0].W; v.W >= w {
			s.fail(b, v, "cuts %d bits to %d", w, v.W)
		}
	}
}

func (s *verifier) terminator(b *Block) {
	var want []int
	switch b.Term {
	case NoTerm:
		s.fail(b, nil, "no terminator")
		return
	case Ret:
		want = s.f.Results
	case CondBr:
		want = []int{1}
	}
	if len(b.Args) != len(want) {
		s.fail(b, nil, "%d values where there should be %d", len(b.Args), len(want))
		return
	}
	for i, a := range b.Args {
		switch {
		case !s.owns(b, nil, a):
		case a.W != want[i]:
			s.fail(b, nil, "value %d has %d bits where there should be %d", i+1, a.W, want[i])
		case !s.reaches(a, b, len(b.Vals)):
			s.fail(b, nil, "value %d does not dominate this use", i+1)
		}
	}
}

// owns reports an operand that the function defines.
func (s *verifier) owns(b *Block, v, a *Value) bool {
	if a == nil || a.ID < 0 || a.ID >= len(s.vals) || s.vals[a.ID] != a {
		s.fail(b, v, "an operand is not of this function")
		return false
	}
	return true
}

// reaches reports that a is defined before place i of block b, on every path.
func (s *verifier) reaches(a *Value, b *Block, i int) bool {
	switch {
	case a.Block == nil:
		return true
	case a.Block == b:
		return s.place[a.ID] < i || !s.dom.Reachable(b)
	}
	return s.dom.Dominates(a.Block, b)
}

// known reports a form that the package ptx lists.
func known(f ptx.Form) bool { return knownForms()[f] }

var knownForms = sync.OnceValue(func() map[ptx.Form]bool {
	m := map[ptx.Form]bool{}
	for _, fs := range [...][]ptx.Form{ptx.Forms(), ptx.VmadForms(), ptx.Neighbours(), ptx.Fused(), ptx.Halved()} {
		for _, f := range fs {
			m[f] = true
		}
	}
	return m
})

// argWidths are the widths that the operation asks of its operands, 0 for any.
func argWidths(v *Value) []int {
	w := v.W
	switch v.Op {
	case PTX:
		return ArgWidths(v.Form)
	case Phi:
		ws := make([]int, len(v.Block.Preds))
		for i := range ws {
			ws[i] = w
		}
		return ws
	case Select:
		return []int{1, w, w}
	case ICmp:
		return []int{0, 0}
	case Result, ZExt, SExt, Trunc:
		return []int{0}
	}
	return []int{w, w}
}
