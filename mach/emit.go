package mach

import (
	"fmt"

	"github.com/ptxlower/ptxlower/sem"
)

// Emitter appends instructions for rule results to a block.
type Emitter struct {
	M      *Machine
	F      *Func
	B      *Block
	Off    int // source position of what is emitted
	consts map[constKey]Reg

	complements map[complementKey]Operand
	spread      map[spreadKey]Operand
}

// spreadKey is a scalar operand and the class in which lanes have it.
type spreadKey struct {
	b *Block
	o Operand
	c Class
}

type complementKey struct {
	b *Block
	o Operand
}

type constKey struct {
	b *Block
	k sem.Val
	c Class
}

// NewEmitter starts emitting into a function.
func NewEmitter(m *Machine, f *Func) *Emitter {
	return &Emitter{M: m, F: f, Off: -1, consts: map[constKey]Reg{}, complements: map[complementKey]Operand{}, spread: map[spreadKey]Operand{}}
}

// Emit appends the instructions of the graph and gives an operand for each
// result. args are the operands of the matched form; classes those of the
// results. An error means that the rule does not fit its operands.
func (e *Emitter) Emit(results []Expr, classes []Class, args []Operand) ([]Operand, error) {
	g := emission{e: e, args: args, done: map[*node][]Operand{}}
	out := make([]Operand, len(results))
	for i, x := range results {
		o, err := g.operand(x, classes[i])
		if err != nil {
			return nil, err
		}
		out[i] = o
	}
	return out, nil
}

type emission struct {
	e    *Emitter
	args []Operand
	done map[*node][]Operand
}

func (g *emission) operand(x Expr, c Class) (Operand, error) {
	n := x.n
	switch n.kind {
	case argNode:
		o := g.args[n.arg]
		if o.IsConst() {
			return Imm(o.K, int(c.Bits)), nil
		}
		return o, nil
	case constNode:
		return Imm(n.k, int(c.Bits)), nil
	case loNode, hiNode:
		o, err := g.operand(n.in[0], Class{c.Bank, 2 * c.Bits})
		switch {
		case err != nil:
			return o, err
		case o.IsConst():
			if n.kind == hiNode {
				o.K = o.K.Shr(uint64(c.Bits))
			}
			return Imm(o.K, int(c.Bits)), nil
		case o.Sub != Whole:
			return o, fmt.Errorf("mach: half of a half")
		}
		o.Sub, o.Bits = Low, c.Bits
		if n.kind == hiNode {
			o.Sub = High
		}
		return o, nil
	case notNode:
		o, err := g.operand(n.in[0], c)
		if o.IsConst() {
			return Imm(sem.Val{Hi: ^o.K.Hi, Lo: ^o.K.Lo}, int(c.Bits)), err
		}
		o.Not = !o.Not
		return o, err
	}
	if done, ok := g.done[n]; ok {
		return done[x.out], nil
	}
	var out []Operand
	var err error
	switch n.kind {
	case pairNode:
		out, err = g.pair(n, c)
	case guardNode:
		out, err = g.guarded(n, c)
	default:
		out, err = g.apply(n, nil, nil)
	}
	if err != nil {
		return Operand{}, err
	}
	g.done[n] = out
	return out[x.out], nil
}

func (g *emission) pair(n *node, c Class) ([]Operand, error) {
	var o [2]Operand
	for i := range o {
		if c.Bank == Scalar { // a carry goes up, and what makes the upper half's operands comes before it is made
			i = 1 - i
		}
		var err error
		if o[i], err = g.operand(n.in[i], c.half()); err != nil {
			return nil, err
		}
	}
	lo, hi := o[0], o[1]
	switch {
	case lo.IsConst() && hi.IsConst():
		k := hi.K.Shl(uint64(lo.Bits))
		return []Operand{Imm(sem.Val{Hi: k.Hi | lo.K.Hi, Lo: k.Lo | lo.K.Lo}, int(c.Bits))}, nil
	case lo.Reg == hi.Reg && lo.Sub == Low && hi.Sub == High:
		return []Operand{g.e.F.R(lo.Reg)}, nil
	}
	d := g.e.F.R(g.e.F.NewReg(c, ""))
	for i, s := range []Sub{Low, High} {
		part := d
		part.Sub, part.Bits = s, c.Bits/2
		g.e.Move(part, o[i], c.half())
	}
	return []Operand{d}, nil
}

func (g *emission) guarded(n *node, c Class) ([]Operand, error) {
	p, err := g.operand(n.in[0], Class{Predicate, 1})
	if err != nil {
		return nil, err
	}
	old, err := g.operand(n.in[2], c)
	if err != nil {
		return nil, err
	}
	if p.IsConst() {
		if p.K.IsZero() {
			return []Operand{old}, nil
		}
		o, err := g.operand(n.in[1], c)
		return []Operand{o}, err
	}
	x := n.in[1].n
	if x.kind != opNode || n.in[1].out != 0 || g.done[x] != nil {
		return nil, fmt.Errorf("mach: a guarded value must be an op of its own")
	}
	d := g.e.F.R(g.e.F.NewReg(c, ""))
	return g.apply(x, &p, func() Operand { g.e.Move(d, old, c); return d })
}

// apply emits an op. Under a guard dest places the old value and names the
// destination, after the operands have been made.
func (g *emission) apply(n *node, guard *Operand, dest func() Operand) ([]Operand, error) {
	in := make([]Operand, len(n.in))
	for i, x := range n.in {
		var err error
		if in[i], err = g.operand(x, n.op.In[i].Class); err != nil {
			return nil, err
		}
	}
	if err := g.e.fit(n.op, in); err != nil {
		return nil, err
	}
	out := make([]Operand, len(n.op.Out))
	for i, c := range n.op.Out {
		if i == 0 && dest != nil {
			out[i] = dest()
		} else {
			out[i] = g.e.F.R(g.e.F.NewReg(c, ""))
		}
	}
	g.e.add(Inst{Op: n.op, Out: out, In: in, Guard: guard})
	return out, nil
}

// fit makes the operands legal: it exchanges those of a commutative op, and
// puts constants into registers.
func (e *Emitter) fit(op *Op, in []Operand) error {
	if err := e.spreadAll(op, in); err != nil {
		return err
	}
	for i, x := range in {
		if !op.In[i].Not {
			in[i] = e.Plain(x, op.In[i].Class)
		}
	}
	if op.Legal(in) == nil {
		return nil
	}
	if op.Commutes {
		in[0], in[1] = in[1], in[0]
		if op.Legal(in) == nil {
			return nil
		}
		in[0], in[1] = in[1], in[0]
	}
	lits, limit := 0, max(op.Literals, 1)
	for i, x := range in {
		if !x.IsConst() {
			continue
		}
		ok := op.Accepts(i, x.K)
		if ok && op.literal(i, x.K) {
			lits++
			ok = lits <= limit
		}
		if !ok && !op.In[i].ImmOnly {
			in[i] = e.Reg(x, op.In[i].Class)
		}
	}
	return op.Legal(in)
}

// Plain is an operand that need not be read complemented: where the machine has
// an op for it, a complemented register is complemented, once in each block.
func (e *Emitter) Plain(o Operand, c Class) Operand {
	if !o.Not || o.IsConst() || e.M.Complement == nil {
		return o
	}
	o.Not = false
	k := complementKey{e.B, o}
	if d, ok := e.complements[k]; ok {
		return d
	}
	d := e.F.R(e.F.NewReg(c, ""))
	e.add(Inst{Op: e.M.Complement(c), Out: []Operand{d}, In: []Operand{o}})
	e.complements[k] = d
	return d
}

// Reg is the operand in a register: itself, or a register that a constant is
// put into, once in each block.
func (e *Emitter) Reg(o Operand, c Class) Operand {
	if !o.IsConst() {
		return o
	}
	k := constKey{e.B, o.K, c}
	if r, ok := e.consts[k]; ok {
		return e.F.R(r)
	}
	r := e.F.NewReg(c, "")
	e.Move(e.F.R(r), o, c)
	e.consts[k] = r
	return e.F.R(r)
}

// Move copies a register or constant into a register of class c, by halves
// where c is a pair.
func (e *Emitter) Move(d, s Operand, c Class) {
	e.B.Insts = append(e.B.Insts, e.M.MoveInsts(d, s, c, e.Off)...)
}

// MoveInsts are the instructions of a move.
func (m *Machine) MoveInsts(d, s Operand, c Class, off int) []Inst {
	if m.Units(c) == 2 {
		var out []Inst
		for i, sub := range []Sub{Low, High} {
			ds, ss := d, s
			ds.Sub, ds.Bits = sub, c.Bits/2
			if s.IsConst() {
				ss = Imm(s.K.Shr(uint64(i)*uint64(c.Bits/2)), int(c.Bits/2))
			} else {
				ss.Sub, ss.Bits = sub, c.Bits/2
			}
			out = append(out, m.MoveInsts(ds, ss, c.half(), off)...)
		}
		return out
	}
	if s.IsConst() {
		return []Inst{{Op: m.Const(c), Out: []Operand{d}, In: []Operand{Imm(s.K, int(c.Bits))}, Off: off}}
	}
	op := m.Copy(c)
	if s.Not && !op.In[0].Not && m.Complement != nil {
		s.Not = false
		return []Inst{{Op: m.Complement(c), Out: []Operand{d}, In: []Operand{s}, Off: off}}
	}
	return []Inst{{Op: op, Out: []Operand{d}, In: []Operand{s}, Move: true, Off: off}}
}

func (e *Emitter) add(in Inst) {
	in.Off = e.Off
	e.B.Insts = append(e.B.Insts, in)
}

// RemoveDead deletes the instructions whose results nobody reads.
func (f *Func) RemoveDead() {
	uses := make([]int, len(f.Classes))
	each := func(b *Block, d int) {
		for i := range b.Phis {
			for _, o := range b.Phis[i].In {
				count(uses, o, d)
			}
		}
		for i := range b.Insts {
			b.Insts[i].reads(func(o Operand) { count(uses, o, d) })
		}
		count(uses, b.Cond, d)
		for _, o := range b.Ret {
			count(uses, o, d)
		}
	}
	for _, b := range f.Blocks {
		each(b, 1)
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			kept := len(b.Insts)
			for i := len(b.Insts) - 1; i >= 0; i-- {
				in := &b.Insts[i]
				live := false
				for _, o := range in.Out {
					live = live || uses[o.Reg] > 0
				}
				if live {
					kept--
					b.Insts[kept] = *in
					continue
				}
				in.reads(func(o Operand) { count(uses, o, -1) })
				changed = true
			}
			b.Insts = b.Insts[kept:]
		}
	}
}

func count(uses []int, o Operand, d int) {
	if o.Bits > 0 && o.Reg != NoReg {
		uses[o.Reg] += d
	}
}

// reads calls f for each register operand that the instruction reads.
func (in *Inst) reads(f func(Operand)) {
	for _, o := range in.In {
		if !o.IsConst() {
			f(o)
		}
	}
	if in.Guard != nil {
		f(*in.Guard)
	}
}
