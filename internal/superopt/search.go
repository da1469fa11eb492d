package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// lanes is on how many vectors a sequence has to be right before it is proved.
const lanes = 48

// value is what a sequence computes: a word, on all vectors.
type value struct {
	name  string // of an operand or constant
	leaf  *sem.Term
	fixed bool // a constant
	row   *row
	args  []*value
	col   [lanes]uint64
}

// term is the value as a term.
func (v *value) term(b *sem.Builder) *sem.Term {
	if v.row == nil {
		return v.leaf
	}
	var in []*sem.Term
	for i, a := range v.args {
		in = append(in, b.Bits(a.term(b), int(v.row.op.In[i].Class.Bits)-1, 0))
	}
	return v.row.op.Meaning(b, in)[0]
}

// sequence is the value as its operations.
func (v *value) sequence(t *isel.Target) Sequence {
	if v.row == nil {
		return Sequence{Text: v.name}
	}
	q := Sequence{Ops: 1, Cost: t.CostOf(v.row.op).Slots}
	var texts []string
	for _, a := range v.args {
		x := a.sequence(t)
		q.Ops, q.Cost = q.Ops+x.Ops, q.Cost+x.Cost
		texts = append(texts, x.Text)
	}
	q.Text = v.row.op.Name + "(" + strings.Join(texts, ", ") + ")"
	return q
}

// search looks for sequences of a target's operations that compute a form.
type search struct {
	t      *isel.Target
	form   ptx.Form
	b      *sem.Builder
	params []*sem.Term
	want   *sem.Term
	goal   [lanes]uint64
	in     []sem.Col
	base   []*value
	rows   []row
	Tried  int
	Found  []Sequence
}

// row is an operation on words with one result.
type row struct {
	op   *mach.Op
	prog *sem.Prog
}

// Sequence is a found one: its operations, the last one outermost, and their
// number.
type Sequence struct {
	Text string
	Ops  int
	Cost int
}

// newSearch prepares one. Only forms whose operands and result are words can be
// searched for.
func newSearch(t *isel.Target, f ptx.Form, m ptx.Model, constants []uint64) (*search, error) {
	s := &search{t: t, form: f, b: sem.NewBuilder()}
	ws := ir.ArgWidths(f)
	if out := ir.ResultWidths(f); len(out) != 1 || out[0] != 32 || slices.ContainsFunc(ws, func(w int) bool { return w != 32 }) {
		return nil, fmt.Errorf("%s is not a function of words to a word", f.Name())
	}
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0xffffffff}
	for i := range ws {
		p := s.b.Var(string("abc"[i]), 32)
		s.params = append(s.params, p)
		v := &value{leaf: p, name: p.Name}
		for l := range lanes {
			if v.col[l] = uint64(r.Uint32()); l%3 == 0 {
				v.col[l] = edges[r.IntN(len(edges))]
			}
		}
		s.base = append(s.base, v)
		s.in = append(s.in, sem.Col{Lo: v.col[:]})
	}
	for _, k := range constants {
		v := &value{leaf: s.b.U(k, 32), name: fmt.Sprintf("0x%x", k), fixed: true}
		for l := range lanes {
			v.col[l] = k
		}
		s.base = append(s.base, v)
	}
	s.want = f.Meaning(s.b, s.params, m)[0]
	sem.Compile(s.params, s.want).Run(s.in, []sem.Col{{Lo: s.goal[:]}})
	s.rows = wordRows(t)
	return s, nil
}

// wordRows are the operations of a target's rules that make a word of up to
// three words or constants of up to 32 bits.
func wordRows(t *isel.Target) []row {
	seen := map[*mach.Op]bool{}
	var out []row
	for _, f := range slices.Concat(ptx.Behaviours(), ptx.Neighbours()) {
		c, err := t.Choose(f, ptx.ISA, nil)
		if err != nil {
			continue
		}
		for _, o := range mach.Ops(c.Out) {
			if seen[o] {
				continue
			}
			seen[o] = true
			if len(o.In) == 0 || len(o.In) > 3 || len(o.Out) != 1 || !isWord(o.Out[0]) ||
				slices.ContainsFunc(o.In, func(k mach.Kind) bool { return k.Class.Bank != mach.General || k.Class.Bits > 32 }) {
				continue
			}
			b := sem.NewBuilder()
			var in []*sem.Term
			for i, k := range o.In {
				in = append(in, b.Var(string("xyz"[i]), int(k.Class.Bits)))
			}
			out = append(out, row{o, sem.Compile(in, o.Meaning(b, in)[0])})
		}
	}
	return out
}

func isWord(c mach.Class) bool { return c == mach.Class{Bank: mach.General, Bits: 32} }

// run tries chains of up to max operations, each of which reads the one before
// it, operands and constants, and proves those that are right on all vectors.
func (s *search) run(max int) {
	seen := map[[lanes]uint64]bool{}
	for _, v := range s.base {
		seen[v.col] = true
	}
	last := s.base
	for depth := 1; depth <= max; depth++ {
		var next []*value
		for i := range s.rows {
			s.apply(&s.rows[i], last, func(v *value) {
				s.Tried++
				if v.col == s.goal {
					s.propose(v)
				} else if depth < max && !seen[v.col] {
					seen[v.col] = true
					next = append(next, &value{row: v.row, args: slices.Clone(v.args), col: v.col})
				}
			})
		}
		last = next
	}
}

// apply gives an operation operands of which one is from the list and the others
// are the form's own and constants.
func (s *search) apply(r *row, list []*value, do func(*value)) {
	n := len(r.op.In)
	v := value{row: r, args: make([]*value, n)}
	cols := make([]sem.Col, n)
	out := []sem.Col{{Lo: v.col[:]}}
	for at := range n {
		var fill func(i int)
		fill = func(i int) {
			if i == n {
				if !legal(r.op, v.args) {
					return
				}
				for j, a := range v.args {
					cols[j] = sem.Col{Lo: a.col[:]}
				}
				r.prog.Run(cols, out)
				do(&v)
				return
			}
			from := s.base
			if i == at {
				from = list
			}
			for _, v.args[i] = range from {
				fill(i + 1)
			}
		}
		fill(0)
		if len(list) == len(s.base) && list[0] == s.base[0] {
			return // all places see all operands already
		}
	}
}

// legal reports operands that the operation takes.
func legal(o *mach.Op, args []*value) bool {
	lits := 0
	for i, a := range args {
		k := &o.In[i]
		if !a.fixed {
			if k.ImmOnly {
				return false
			}
			continue
		}
		c := sem.U(a.col[0])
		if !o.Accepts(i, c) || a.col[0]>>k.Class.Bits != 0 {
			return false
		}
		if !k.ImmOnly && (k.Literal == nil || k.Literal(c)) {
			lits++
		}
	}
	return lits <= max(o.Literals, 1)
}

// propose proves a sequence.
func (s *search) propose(v *value) {
	q := v.sequence(s.t)
	g := prove.Goal{Name: q.Text, Params: s.params, Want: []*sem.Term{s.want}, Got: []*sem.Term{v.term(s.b)}}
	if prove.Equal(g, prove.Options{}).Status == prove.Proved {
		s.Found = append(s.Found, q)
	}
}
