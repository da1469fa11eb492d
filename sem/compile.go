package sem

import "fmt"

// A term of up to 64 bits is computed in one word, a wider one in a low word of
// 64 bits and a high word with the rest; a word that nothing asks for is not
// computed, and a wide term that is known to fit one word costs one. Most
// primitives give their low bits right whatever lies above their operands'
// widths, so a word is extended or masked only where its reader needs that.

// form says what lies above the bits that a word has of its term.
type form uint8

const (
	low  form = iota // anything
	zero             // zeros
	sign             // copies of the term's highest bit
)

// operand is a register, or an immediate word.
type operand struct {
	reg int32
	imm bool
	k   uint64
}

func imm(k uint64) operand { return operand{imm: true, k: k} }

// words are the registers that hold one word of a term, by form.
type words struct {
	op  [3]operand
	has [3]bool
}

type wordKey struct {
	t *Term
	i int
}

type compiler struct {
	facts  *Analysis
	memo   map[wordKey]*words
	code   []inst
	regs   int32            // used so far; register 0 stands for none
	consts map[uint64]int32 // registers that hold a constant
	order  []uint64         // those constants in the order of first use
	both   map[*Term]bool   // terms whose high word is asked for after the low one
}

// Compile makes a program that computes the roots from the parameters, which
// are variables; it panics with the name of a free variable that is none of
// them.
func Compile(params []*Term, roots ...*Term) *Prog {
	c := &compiler{facts: NewAnalysis(nil), both: map[*Term]bool{}}
	for {
		known := len(c.both)
		if p := c.compile(params, roots); len(c.both) == known {
			return p
		}
		// Again, now that it is known which low words to compute with their high
		// ones.
	}
}

func (c *compiler) compile(params, roots []*Term) *Prog {
	c.memo, c.code, c.regs, c.consts, c.order = map[wordKey]*words{}, nil, 0, map[uint64]int32{}, nil
	p := &Prog{params: params, roots: roots}
	for _, t := range params {
		if t.Op != OpVar {
			panic(fmt.Sprintf("sem: parameter %s is not a variable", t))
		}
		s := source{lo: int(c.param(t, 0)) - 1, hi: -1}
		if t.W > 64 {
			s.hi = int(c.param(t, 1)) - 1
		}
		p.ins = append(p.ins, s)
	}
	fixed := c.regs
	for _, t := range roots {
		var r result
		if t.W > 64 {
			r.hi = c.word(t, 1, zero)
		}
		r.lo = c.word(t, 0, zero)
		p.outs = append(p.outs, r)
	}
	p.code, p.consts = c.code, c.order
	c.allocate(p, fixed)
	p.finish()
	return p
}

func (c *compiler) param(t *Term, i int) int32 {
	c.regs++
	c.at(t, i).put(zero, operand{reg: c.regs})
	return c.regs
}

func (c *compiler) at(t *Term, i int) *words {
	k := wordKey{t, i}
	w := c.memo[k]
	if w == nil {
		w = &words{}
		c.memo[k] = w
	}
	return w
}

func (w *words) put(f form, op operand) {
	if !w.has[f] {
		w.op[f], w.has[f] = op, true
	}
}

// any is a register of any form, the extended ones first.
func (w *words) any() (operand, form, bool) {
	for _, f := range [3]form{zero, sign, low} {
		if w.has[f] {
			return w.op[f], f, true
		}
	}
	return operand{}, low, false
}

// word gives bits 64i … of t, at most 64 of them, in the form asked for.
func (c *compiler) word(t *Term, i int, f form) operand {
	n := min(64, t.W-64*i)
	facts := c.facts.Of(t)
	if v, ok := facts.Const(); ok {
		if f == sign {
			v = v.SignExtend(t.W)
		}
		if i == 1 {
			return imm(v.Hi)
		}
		return imm(v.Lo)
	}
	positive := int64(facts.SMin.Hi) >= 0
	switch {
	case n == 64:
		f = low
	case f == sign && positive:
		f = zero
	}
	w := c.at(t, i)
	if f != low && w.has[f] {
		return w.op[f]
	}
	op, got, ok := w.any()
	if !ok {
		op, got = c.gen(t, i, f, facts)
		w.put(got, op)
	}
	if got == sign && positive {
		got = zero
		w.put(got, op)
	}
	if f != low && got != f {
		op = c.extend(op, n, f)
		w.put(f, op)
	}
	return op
}

// has reports that asking for the word in this form costs nothing.
func (c *compiler) has(t *Term, i int, f form) bool {
	if t.W-64*i >= 64 {
		return true
	}
	w := c.at(t, i)
	return w.has[f] || f == sign && w.has[zero] && int64(c.facts.Of(t).SMin.Hi) >= 0
}

// extend brings a word with n bits of its term into a form.
func (c *compiler) extend(op operand, n int, f form) operand {
	switch {
	case n == 64 || f == low:
		return op
	case f == zero:
		return c.comm(iAnd, iAndK, op, imm(1<<n-1))
	}
	return c.emit(inst{op: iBitsS, a: c.reg(op), k: uint64(64 - n), k2: uint64(64 - n)})
}

func (c *compiler) emit(in inst) operand {
	c.regs++
	in.d = c.regs
	c.code = append(c.code, in)
	return operand{reg: in.d}
}

// pair emits an instruction that gives both words of t and returns word i.
func (c *compiler) pair(t *Term, i int, in inst, hi form) (operand, form) {
	c.regs += 2
	in.d, in.d2 = c.regs-1, c.regs
	c.code = append(c.code, in)
	c.at(t, 1-i).put([2]form{low, hi}[1-i], operand{reg: c.regs - int32(i)})
	if i == 0 {
		return operand{reg: in.d}, low
	}
	return operand{reg: in.d2}, hi
}

// reg is a register that holds the operand.
func (c *compiler) reg(op operand) int32 {
	if !op.imm {
		return op.reg
	}
	r, ok := c.consts[op.k]
	if !ok {
		c.regs++
		r = c.regs
		c.consts[op.k] = r
		c.order = append(c.order, op.k)
	}
	return r
}

// comm emits a commutative operation.
func (c *compiler) comm(op, opK opcode, x, y operand) operand {
	if x.imm {
		x, y = y, x
	}
	if !y.imm {
		return c.emit(inst{op: op, a: c.reg(x), b: y.reg})
	}
	switch {
	case y.k == 0 && (op == iAdd || op == iOr || op == iXor), y.k == ^uint64(0) && op == iAnd:
		return x
	case y.k == 0 && op == iAnd:
		return y
	}
	return c.emit(inst{op: opK, a: c.reg(x), k: y.k})
}

func (c *compiler) shiftK(op opcode, x operand, k int) operand {
	if k == 0 {
		return x
	}
	return c.emit(inst{op: op, a: c.reg(x), k: uint64(k)})
}

// funnel is a >> k | b << (64−k) for 0 < k < 64.
func (c *compiler) funnel(a, b operand, k int) operand {
	if b.imm && b.k == 0 {
		return c.shiftK(iLshrK, a, k)
	}
	return c.emit(inst{op: iFunnel, a: c.reg(a), b: c.reg(b), k: uint64(k)})
}

// slice gives bits pos … pos+n-1 of x, n ≤ 64, in the form asked for.
func (c *compiler) slice(x *Term, pos, n int, f form) operand {
	if x.W > 64 && pos+n > 64 { // beyond the low word of a value that fits it
		switch facts := c.facts.Of(x); {
		case facts.FitsU(64): // from pos < 64, or the slice would be known
			return c.shiftK(iLshrK, c.word(x, 0, low), pos)
		case facts.FitsS(64):
			op := c.shiftK(iAshrK, c.word(x, 0, low), min(pos, 63))
			if f == zero {
				return c.extend(op, n, f)
			}
			return op
		}
	}
	i, off := pos/64, pos%64
	if off+n > 64 {
		hi := c.word(x, 1, low)
		return c.extend(c.funnel(c.word(x, 0, low), hi, off), n, f)
	}
	have := min(64, x.W-64*i)
	top := off+n == have
	switch {
	case off == 0 && top:
		return c.word(x, i, f)
	case f == low || top && f == zero && c.has(x, i, zero):
		return c.shiftK(iLshrK, c.word(x, i, f), off)
	case top && f == sign && c.has(x, i, sign):
		return c.shiftK(iAshrK, c.word(x, i, f), off)
	case f == sign:
		return c.emit(inst{op: iBitsS, a: c.reg(c.word(x, i, low)), k: uint64(64 - off - n), k2: uint64(64 - n)})
	case off == 0:
		return c.extend(c.word(x, i, low), n, zero)
	}
	return c.emit(inst{op: iBitsU, a: c.reg(c.word(x, i, low)), k: uint64(off), k2: 1<<n - 1})
}

// allocate maps the compiler's registers to the program's: the parameters, the
// constants, then temporaries, each of which is used again after its last
// reader.
func (c *compiler) allocate(p *Prog, params int32) {
	at := make([]int32, c.regs+1)
	for r := int32(1); r <= params; r++ {
		at[r] = r - 1
	}
	for i, k := range c.order {
		at[c.consts[k]] = params + int32(i)
	}
	fixed := params + int32(len(c.order))
	isFixed := make([]bool, c.regs+1)
	isFixed[0] = true
	for r := int32(1); r <= params; r++ {
		isFixed[r] = true
	}
	for _, r := range c.consts {
		isFixed[r] = true
	}

	last := make([]int, c.regs+1)
	for i := range p.code {
		for _, r := range p.code[i].reads() {
			last[*r] = i
		}
	}
	for _, o := range p.outs {
		last[o.lo.reg], last[o.hi.reg] = len(p.code), len(p.code)
	}

	next := fixed
	var free []int32
	take := func(r *int32) {
		v := *r
		if n := len(free); n > 0 {
			at[v], free = free[n-1], free[:n-1]
		} else {
			at[v] = next
			next++
		}
		*r = at[v]
	}
	for i := range p.code {
		in := &p.code[i]
		d, d2 := in.d, in.d2
		for _, r := range in.reads() {
			v := *r
			*r = at[v]
			if !isFixed[v] && last[v] == i {
				free = append(free, at[v])
				last[v] = -1 // once, should it be read twice
			}
		}
		take(&in.d)
		if d2 != 0 {
			take(&in.d2)
		}
		// A word that nobody reads.
		if last[d] == 0 {
			free = append(free, in.d)
		}
		if d2 != 0 && last[d2] == 0 {
			free = append(free, in.d2)
		}
	}
	for i := range p.outs {
		o := &p.outs[i]
		o.lo.reg, o.hi.reg = at[o.lo.reg], at[o.hi.reg]
	}
	p.regs = int(next)
}

func (in *inst) reads() [5]*int32 { return [5]*int32{&in.a, &in.a2, &in.b, &in.b2, &in.c} }
