package sem

import (
	"fmt"
	"sync"
)

// Eval is the value of t where env gives those of its free variables; it panics
// with the name of a variable that env lacks. For more than a few vectors,
// Compile.
func Eval(t *Term, env map[string]Val) Val {
	memo := map[*Term]Val{}
	var eval func(*Term) Val
	eval = func(t *Term) Val {
		switch t.Op {
		case OpConst:
			return t.K
		case OpVar:
			v, ok := env[t.Name]
			if !ok {
				panic("sem: free variable " + t.Name)
			}
			return v.Cut(t.W)
		}
		if v, ok := memo[t]; ok {
			return v
		}
		var x [3]Val
		for i, a := range t.Args() {
			x[i] = eval(a)
		}
		v := prims[t.Op].eval(t, x[0], x[1], x[2]).Cut(t.W)
		memo[t] = v
		return v
	}
	return eval(t)
}

// Prog is terms compiled for evaluation on many vectors. It is safe for
// concurrent use.
type Prog struct {
	params, roots []*Term
	code          []inst
	ins           []source // a parameter's registers
	outs          []result // a root's
	consts        []uint64 // values of the registers after the parameters'
	regs          int      // parameters, constants and temporaries
	lanes         int      // vectors in a chunk
	pool          sync.Pool
}

// source and result name the low and the high word's register; hi is −1 where
// the width is 64 or less. Words of a result that are known lie in no register.
type source struct{ lo, hi int }

type result struct{ lo, hi operand }

// Col is one value of each vector, cut to its width: the low 64 bits in Lo, the
// rest in Hi, which is nil where the width is 64 or less.
type Col struct{ Lo, Hi []uint64 }

// scratch is what one Run at a time needs.
type scratch struct {
	regs [][]uint64
	one  []uint64 // Eval's operands
}

// cacheWords is the number of 64-bit words of temporaries to stay below: half
// of a first-level cache.
const cacheWords = 2048

func (p *Prog) finish() {
	fixed := p.fixed()
	p.lanes = min(max(cacheWords/max(p.regs-fixed, 1)&^63, 64), 512)
	p.pool.New = func() any {
		s := &scratch{regs: make([][]uint64, p.regs), one: make([]uint64, fixed)}
		words := make([]uint64, p.lanes*(p.regs-fixed+len(p.consts)))
		for i := fixed - len(p.consts); i < p.regs; i++ {
			s.regs[i], words = words[:p.lanes:p.lanes], words[p.lanes:]
		}
		for i, k := range p.consts {
			r := s.regs[fixed-len(p.consts)+i]
			for l := range r {
				r[l] = k
			}
		}
		return s
	}
}

// fixed is the number of registers that no instruction writes.
func (p *Prog) fixed() int {
	n := len(p.consts)
	for _, in := range p.ins {
		n++
		if in.hi >= 0 {
			n++
		}
	}
	return n
}

// Run evaluates all vectors: in has a column a parameter, out one a root, all
// of one length. An output column may be an input column too, but they must not
// overlap otherwise.
func (p *Prog) Run(in, out []Col) {
	n := p.check(in, out)
	s := p.pool.Get().(*scratch)
	for off := 0; off < n; off += p.lanes {
		m := min(p.lanes, n-off)
		for i, src := range p.ins {
			s.regs[src.lo] = in[i].Lo[off : off+m]
			if src.hi >= 0 {
				s.regs[src.hi] = in[i].Hi[off : off+m]
			}
		}
		run(p.code, s.regs, m)
		for i, r := range p.outs {
			r.lo.store(out[i].Lo[off:off+m], s.regs)
			if p.roots[i].W > 64 {
				r.hi.store(out[i].Hi[off:off+m], s.regs)
			}
		}
	}
	p.release(s)
}

// release drops the caller's columns, so that the pool does not hold them.
func (p *Prog) release(s *scratch) {
	clear(s.regs[:p.fixed()-len(p.consts)])
	p.pool.Put(s)
}

// check is the common length of the columns.
func (p *Prog) check(in, out []Col) int {
	if len(in) != len(p.params) || len(out) != len(p.roots) {
		panic(fmt.Sprintf("sem: %d and %d columns for %d parameters and %d roots",
			len(in), len(out), len(p.params), len(p.roots)))
	}
	if len(in)+len(out) == 0 {
		return 0
	}
	var n int
	if len(in) > 0 {
		n = len(in[0].Lo)
	} else {
		n = len(out[0].Lo)
	}
	for i, c := range in {
		c.check(p.params[i], n)
	}
	for i, c := range out {
		c.check(p.roots[i], n)
	}
	return n
}

func (c Col) check(t *Term, n int) {
	if len(c.Lo) != n || t.W > 64 && len(c.Hi) != n {
		panic(fmt.Sprintf("sem: a column of %d and %d words for %d vectors of %d bits", len(c.Lo), len(c.Hi), n, t.W))
	}
}

// Eval evaluates one vector: a value a parameter in, a value a root out.
func (p *Prog) Eval(in ...Val) []Val {
	if len(in) != len(p.params) {
		panic(fmt.Sprintf("sem: %d values for %d parameters", len(in), len(p.params)))
	}
	s := p.pool.Get().(*scratch)
	for i, src := range p.ins {
		v := in[i].Cut(p.params[i].W)
		s.one[src.lo] = v.Lo
		s.regs[src.lo] = s.one[src.lo : src.lo+1]
		if src.hi >= 0 {
			s.one[src.hi] = v.Hi
			s.regs[src.hi] = s.one[src.hi : src.hi+1]
		}
	}
	run(p.code, s.regs, 1)
	out := make([]Val, len(p.outs))
	for i, r := range p.outs {
		out[i].Lo = r.lo.load(s.regs)
		if p.roots[i].W > 64 {
			out[i].Hi = r.hi.load(s.regs)
		}
	}
	p.release(s)
	return out
}

func (o operand) load(regs [][]uint64) uint64 {
	if o.imm {
		return o.k
	}
	return regs[o.reg][0]
}

func (o operand) store(dst []uint64, regs [][]uint64) {
	if !o.imm {
		copy(dst, regs[o.reg])
		return
	}
	for i := range dst {
		dst[i] = o.k
	}
}
