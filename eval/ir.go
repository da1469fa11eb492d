package eval

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
)

// What may end a run without results.
var (
	ErrSteps       = errors.New("the run has not ended after the steps allowed")
	ErrUnreachable = errors.New("the run has reached a place marked unreachable")
)

// terms computes the terms of a function's operations. All functions here take
// functions that ir.Verify accepts.
type terms struct {
	f    *ir.Func
	b    *sem.Builder
	vals []*sem.Term                 // by Value.ID
	need func(v *ir.Value) *sem.Term // for values that vals lacks
	form *ir.Value                   // the last PTX form seen
	outs []*sem.Term                 // and its results
}

func newTerms(f *ir.Func, b *sem.Builder) *terms {
	return &terms{f: f, b: b, vals: make([]*sem.Term, f.NumValues())}
}

func (s *terms) at(v *ir.Value) *sem.Term {
	switch v.Op {
	case ir.Const:
		return s.b.Const(v.K, v.W)
	case ir.Undef:
		return s.b.U(0, v.W)
	}
	if s.vals[v.ID] == nil && s.need != nil {
		s.vals[v.ID] = s.need(v)
	}
	return s.vals[v.ID]
}

func (s *terms) all(vs []*ir.Value) []*sem.Term {
	out := make([]*sem.Term, len(vs))
	for i, v := range vs {
		out[i] = s.at(v)
	}
	return out
}

// op is the term of an operation other than a phi.
func (s *terms) op(v *ir.Value) *sem.Term {
	switch v.Op {
	case ir.PTX, ir.Result:
		form := v
		if v.Op == ir.Result {
			form = v.Args[0]
		}
		if form != s.form {
			s.form, s.outs = form, form.Meaning(s.b, s.all(form.Args), s.f.Model)
		}
		if v.Op == ir.PTX {
			return s.outs[0]
		}
		return s.outs[v.Index]
	}
	return v.Meaning(s.b, s.all(v.Args), s.f.Model)[0]
}

// path is the condition under which a block or an edge is reached: the literals
// from the outermost branch to the innermost. nil is always.
type path struct {
	up  *path
	lit *sem.Term
	all *sem.Term // the conjunction
}

func (s *terms) and(p *path, lit *sem.Term) *path {
	if p == nil {
		return &path{nil, lit, lit}
	}
	return &path{p, lit, s.b.And(p.all, lit)}
}

func (s *terms) or(p, q *path) *path {
	switch {
	case p == nil || q == nil:
		return nil
	case p.up == q.up && p.lit == s.b.Not(q.lit):
		return p.up
	}
	t := s.b.Or(p.all, q.all)
	return &path{nil, t, t}
}

// merge chooses among terms by the path that is taken; one of them is.
func (s *terms) merge(ps []*path, ts []*sem.Term) *sem.Term {
	siblings := true // the common part of their paths tells nothing
	for i, p := range ps {
		if p == nil {
			return ts[i]
		}
		siblings = siblings && p.up == ps[0].up
	}
	last := len(ps) - 1
	t := ts[last]
	for i := last - 1; i >= 0; i-- {
		c := ps[i].all
		if siblings {
			c = ps[i].lit
		}
		t = s.b.Ite(c, ts[i], t)
	}
	return t
}

// edge is the condition under which the block passes to its successor.
func (s *terms) edge(p *path, from, to *ir.Block) *path {
	if from.Term != ir.CondBr || from.Succs[0] == from.Succs[1] {
		return p
	}
	c := s.at(from.Args[0])
	if to == from.Succs[1] {
		c = s.b.Not(c)
	}
	return s.and(p, c)
}

// Terms gives the results of a function as terms of its parameters. Branches
// that join again become choices; on inputs that lead to an unreachable end the
// results are anything. A loop is an error.
func Terms(f *ir.Func, b *sem.Builder, params []*sem.Term) ([]*sem.Term, error) {
	if len(params) != len(f.Params) {
		return nil, fmt.Errorf("%d terms for the %d parameters of %s", len(params), len(f.Params), f.Name)
	}
	s := newTerms(f, b)
	for i, p := range f.Params {
		s.vals[p.ID] = params[i]
	}
	reach := make([]*path, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	order := ir.ReversePostorder(f)
	reached := ir.NewBitSet(len(f.Blocks))
	for _, blk := range order {
		reached.Add(blk.ID)
	}
	var ends []*path
	var rets [][]*sem.Term
	for _, blk := range order {
		var in []*path
		var from []int
		for i, p := range blk.Preds {
			switch {
			case p.Term == ir.CondBr && p.Succs[0] == p.Succs[1] && slices.Contains(blk.Preds[:i], p):
			case seen[p.ID]:
				in, from = append(in, s.edge(reach[p.ID], p, blk)), append(from, i)
			case reached.Has(p.ID):
				return nil, fmt.Errorf("%s loops", f.Name)
			}
		}
		for i, p := range in {
			if i == 0 {
				reach[blk.ID] = p
			} else {
				reach[blk.ID] = s.or(reach[blk.ID], p)
			}
		}
		seen[blk.ID] = true
		for _, v := range blk.Vals {
			if v.Op == ir.Phi {
				ts := make([]*sem.Term, len(from))
				for i, j := range from {
					ts[i] = s.at(v.Args[j])
				}
				s.vals[v.ID] = s.merge(in, ts)
			} else {
				s.vals[v.ID] = s.op(v)
			}
		}
		if blk.Term == ir.Ret {
			ends, rets = append(ends, reach[blk.ID]), append(rets, s.all(blk.Args))
		}
	}
	if len(rets) == 0 {
		return nil, fmt.Errorf("%s does not return", f.Name)
	}
	out := make([]*sem.Term, len(f.Results))
	for i := range out {
		ts := make([]*sem.Term, len(rets))
		for j, r := range rets {
			ts[j] = r[i]
		}
		out[i] = s.merge(ends, ts)
	}
	return out, nil
}

// IRProg is a function compiled for runs on concrete values, block by block. It
// is safe for concurrent use.
type IRProg struct {
	f      *ir.Func
	blocks []irBlock
	frames sync.Pool
	batch  func() *sem.Prog // the whole function, nil if it cannot be one
}

// irBlock computes the values that are needed outside of its block.
type irBlock struct {
	prog    *sem.Prog // nil if there are none
	in, out []*ir.Value
	edges   []irEdge // as Block.Succs
}

// irEdge copies the operands of phis, all at once.
type irEdge struct{ from, phis []*ir.Value }

// frame holds the values of one run, by Value.ID, and the columns of one lane
// that show them to the blocks' programs.
type frame struct {
	lo, hi  []uint64
	in, out [][]sem.Col
	tmp     []sem.Val
}

// CompileIR compiles a function.
func CompileIR(f *ir.Func) *IRProg {
	p := &IRProg{f: f, blocks: make([]irBlock, len(f.Blocks))}
	wanted := ir.NewBitSet(f.NumValues())
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			args := v.Args
			if v.Op == ir.Result { // it is computed from the form's operands
				args = v.Args[0].Args
			}
			for _, a := range args {
				if a.Block != b || v.Op == ir.Phi {
					wanted.Add(a.ID)
				}
			}
		}
		for _, a := range b.Args {
			wanted.Add(a.ID)
		}
	}
	s := newTerms(f, &sem.Builder{})
	for i, b := range f.Blocks {
		p.blocks[i] = s.compile(b, wanted)
	}
	p.frames.New = func() any { return p.newFrame() }
	p.batch = sync.OnceValue(p.compileBatch)
	return p
}

func (s *terms) compile(b *ir.Block, wanted ir.BitSet) (out irBlock) {
	var vars, roots []*sem.Term
	s.form = nil
	s.need = func(v *ir.Value) *sem.Term {
		t := s.b.Var("v"+strconv.Itoa(v.ID), v.W)
		vars, out.in = append(vars, t), append(out.in, v)
		return t
	}
	for _, v := range b.Vals {
		if v.Op == ir.Phi {
			continue
		}
		s.vals[v.ID] = s.op(v)
		if wanted.Has(v.ID) {
			roots, out.out = append(roots, s.vals[v.ID]), append(out.out, v)
		}
	}
	if len(roots) > 0 {
		out.prog = sem.Compile(vars, roots...)
	}
	for _, v := range b.Vals {
		s.vals[v.ID] = nil
	}
	for _, v := range out.in {
		s.vals[v.ID] = nil
	}
	for _, to := range b.Succs {
		var e irEdge
		for _, v := range to.Vals {
			if v.Op != ir.Phi {
				break
			}
			for i, q := range to.Preds {
				if q == b {
					e.from, e.phis = append(e.from, v.Args[i]), append(e.phis, v)
					break
				}
			}
		}
		out.edges = append(out.edges, e)
	}
	return out
}

func (p *IRProg) newFrame() *frame {
	n := p.f.NumValues()
	r := &frame{lo: make([]uint64, n), hi: make([]uint64, n)}
	cols := func(vs []*ir.Value) []sem.Col {
		out := make([]sem.Col, len(vs))
		for i, v := range vs {
			out[i].Lo = r.lo[v.ID : v.ID+1 : v.ID+1]
			if v.W > 64 {
				out[i].Hi = r.hi[v.ID : v.ID+1 : v.ID+1]
			}
		}
		return out
	}
	for i := range p.blocks {
		r.in, r.out = append(r.in, cols(p.blocks[i].in)), append(r.out, cols(p.blocks[i].out))
	}
	for _, v := range p.f.Consts {
		r.set(v, v.K)
	}
	return r
}

func (r *frame) get(v *ir.Value) sem.Val    { return sem.Val{Hi: r.hi[v.ID], Lo: r.lo[v.ID]} }
func (r *frame) set(v *ir.Value, x sem.Val) { r.hi[v.ID], r.lo[v.ID] = x.Hi, x.Lo }

// Run runs the function on values, which are cut to the parameters' widths. A
// step is a block; the errors are ErrSteps and ErrUnreachable.
func (p *IRProg) Run(in []sem.Val, maxSteps int) ([]sem.Val, error) {
	if len(in) != len(p.f.Params) {
		return nil, fmt.Errorf("%d values for the %d parameters of %s", len(in), len(p.f.Params), p.f.Name)
	}
	r := p.frames.Get().(*frame)
	defer p.frames.Put(r)
	for i, v := range p.f.Params {
		r.set(v, in[i].Cut(v.W))
	}
	b := p.f.Blocks[0]
	for range maxSteps {
		c := &p.blocks[b.ID]
		if c.prog != nil {
			c.prog.Run(r.in[b.ID], r.out[b.ID])
		}
		next := 0
		switch b.Term {
		case ir.Ret:
			out := make([]sem.Val, len(b.Args))
			for i, v := range b.Args {
				out[i] = r.get(v)
			}
			return out, nil
		case ir.CondBr:
			next = 1 - int(r.lo[b.Args[0].ID])
		case ir.Unreachable:
			return nil, ErrUnreachable
		}
		e := &c.edges[next]
		r.tmp = r.tmp[:0]
		for _, v := range e.from {
			r.tmp = append(r.tmp, r.get(v))
		}
		for i, v := range e.phis {
			r.set(v, r.tmp[i])
		}
		b = b.Succs[next]
	}
	return nil, ErrSteps
}

// compileBatch is the function without loops as one program.
func (p *IRProg) compileBatch() *sem.Prog {
	b := sem.NewBuilder()
	var params []*sem.Term
	for i, v := range p.f.Params {
		params = append(params, b.Var("p"+strconv.Itoa(i), v.W))
	}
	for _, blk := range p.f.Blocks {
		if blk.Term == ir.Unreachable {
			return nil
		}
	}
	roots, err := Terms(p.f, b, params)
	if err != nil {
		return nil
	}
	return sem.Compile(params, roots...)
}

// RunBatch runs the function on each lane of columns of one length, a column a
// parameter, and gives a column a result, of length 1 if there is no parameter.
// A function without loops runs on all lanes at once, another lane by lane; the
// error is that of the first lane that has one.
func (p *IRProg) RunBatch(cols []sem.Col, maxSteps int) ([]sem.Col, error) {
	if len(cols) != len(p.f.Params) {
		return nil, fmt.Errorf("%d columns for the %d parameters of %s", len(cols), len(p.f.Params), p.f.Name)
	}
	lanes := 1
	if len(cols) > 0 {
		lanes = len(cols[0].Lo)
	}
	out := make([]sem.Col, len(p.f.Results))
	for i, w := range p.f.Results {
		out[i].Lo = make([]uint64, lanes)
		if w > 64 {
			out[i].Hi = make([]uint64, lanes)
		}
	}
	if len(p.f.Blocks) <= maxSteps {
		if prog := p.batch(); prog != nil {
			prog.Run(cols, out)
			return out, nil
		}
	}
	in := make([]sem.Val, len(cols))
	for l := range lanes {
		for i, c := range cols {
			in[i].Lo = c.Lo[l]
			if c.Hi != nil {
				in[i].Hi = c.Hi[l]
			}
		}
		res, err := p.Run(in, maxSteps)
		if err != nil {
			return nil, fmt.Errorf("lane %d: %w", l, err)
		}
		for i, v := range res {
			out[i].Lo[l] = v.Lo
			if out[i].Hi != nil {
				out[i].Hi[l] = v.Hi
			}
		}
	}
	return out, nil
}

// RunIR compiles a function and runs it once; see IRProg.Run.
func RunIR(f *ir.Func, in []sem.Val, maxSteps int) ([]sem.Val, error) {
	return CompileIR(f).Run(in, maxSteps)
}

// RunIRBatch compiles a function and runs it on columns; see IRProg.RunBatch.
func RunIRBatch(f *ir.Func, cols []sem.Col, maxSteps int) ([]sem.Col, error) {
	return CompileIR(f).RunBatch(cols, maxSteps)
}
