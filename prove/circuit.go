package prove

// Trusted, simulated: circuits of gates, and the clauses that define them.

// lit is a signal: a gate's output, 2·gate, or its complement, 2·gate + 1.
type lit uint32

const (
	no  lit = 0
	yes lit = 1
)

func (l lit) gate() int { return int(l >> 1) }

// gateOp is what a gate does.
type gateOp uint8

const (
	inGate  gateOp = iota // an input; gate 0 is the constant 0
	andGate               // a & b
	xorGate               // a ^ b
	muxGate               // a ? b : c
	majGate               // at least two of a, b, c: the carry of a + b + c
)

type gate struct {
	op      gateOp
	a, b, c lit
}

// circuit is gates in the order of their making, operands first; equal gates
// are one.
type circuit struct {
	gates []gate
	tab   map[gate]lit
}

func newCircuit() *circuit {
	return &circuit{gates: make([]gate, 1, 1024), tab: make(map[gate]lit, 1024)}
}

func (c *circuit) input() lit {
	c.gates = append(c.gates, gate{op: inGate})
	return lit(2 * (len(c.gates) - 1))
}

func (c *circuit) inputs(n int) []lit {
	out := make([]lit, n)
	for i := range out {
		out[i] = c.input()
	}
	return out
}

func (c *circuit) add(g gate) lit {
	if l, ok := c.tab[g]; ok {
		return l
	}
	l := lit(2 * len(c.gates))
	c.gates = append(c.gates, g)
	c.tab[g] = l
	return l
}

func (c *circuit) and(a, b lit) lit {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == no || a == b^1:
		return no
	case a == yes || a == b:
		return b
	}
	return c.add(gate{andGate, a, b, 0})
}

func (c *circuit) or(a, b lit) lit { return c.and(a^1, b^1) ^ 1 }

func (c *circuit) xor(a, b lit) lit {
	flip := (a ^ b) & 1
	a, b = a&^1, b&^1
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b:
		return flip
	case a == no:
		return b ^ flip
	}
	return c.add(gate{xorGate, a, b, 0}) ^ flip
}

func (c *circuit) mux(s, a, b lit) lit {
	if s&1 == 1 {
		s, a, b = s^1, b, a
	}
	switch {
	case s == no, a == b:
		return b
	case a == b^1:
		return c.xor(s, b)
	case a == yes || a == s:
		return c.or(s, b)
	case a == no || a == s^1:
		return c.and(s^1, b)
	case b == yes || b == s^1:
		return c.or(s^1, a)
	case b == no || b == s:
		return c.and(s, a)
	}
	flip := b & 1
	return c.add(gate{muxGate, s, a ^ flip, b ^ flip}) ^ flip
}

func (c *circuit) maj(a, b, d lit) lit {
	if a > b {
		a, b = b, a
	}
	if b > d {
		b, d = d, b
	}
	if a > b {
		a, b = b, a
	}
	switch {
	case a == b || b == d:
		return b
	case a == b^1:
		return d
	case b == d^1:
		return a
	case a == no:
		return c.and(b, d)
	case a == yes:
		return c.or(b, d)
	}
	flip := lit(0)
	if a&1+b&1+d&1 >= 2 { // maj(¬a, ¬b, ¬d) = ¬maj(a, b, d)
		flip = 1
	}
	return c.add(gate{majGate, a ^ flip, b ^ flip, d ^ flip}) ^ flip
}

// sum is a + b + carry and the carry-out.
func (c *circuit) sum(a, b []lit, carry lit) ([]lit, lit) {
	out := make([]lit, len(a))
	for i := range a {
		out[i] = c.xor(c.xor(a[i], b[i]), carry)
		carry = c.maj(a[i], b[i], carry)
	}
	return out, carry
}

// below is a < b, unsigned: no carry out of a + ¬b + 1.
func (c *circuit) below(a, b []lit) lit {
	carry := yes
	for i := range a {
		carry = c.maj(a[i], b[i]^1, carry)
	}
	return carry ^ 1
}

func (c *circuit) equal(a, b []lit) lit {
	out := yes
	for i := range a {
		out = c.and(out, c.xor(a[i], b[i])^1)
	}
	return out
}

func (c *circuit) product(a, b []lit) []lit {
	out := make([]lit, len(a))
	for i, y := range b {
		if y == no {
			continue
		}
		row := make([]lit, len(a)-i)
		for j := range row {
			row[j] = c.and(a[j], y)
		}
		row, _ = c.sum(out[i:], row, no)
		copy(out[i:], row)
	}
	return out
}

// times is k·a; runs of ones in k are differences, (2^j − 2^i)·a.
func (c *circuit) times(a []lit, k num) []lit {
	w := len(a)
	out := make([]lit, w)
	for i := 0; i < w; i++ {
		if k.bit(i) == 0 {
			continue
		}
		row := append(make([]lit, i, w), a[:w-i]...)
		if i+1 < w && k.bit(i+1) == 1 { // …011…1 is …100…0 − 1
			out, _ = c.sum(out, complement(row), yes)
			k = k.add(pow2(uint(i)))
		} else {
			out, _ = c.sum(out, row, no)
		}
	}
	return out
}

// shift moves bits by the number n, to the left or to the right, a stage for
// each bit of n; fill comes in from outside.
func (c *circuit) shift(a, n []lit, fill lit, left bool) []lit {
	w := len(a)
	out := append([]lit(nil), a...)
	outside := no
	for s, sel := range n {
		if s >= 31 || 1<<s >= w {
			outside = c.or(outside, sel)
			continue
		}
		next := make([]lit, w)
		for i := range next {
			from := i + 1<<s
			if left {
				from = i - 1<<s
			}
			x := fill
			if from >= 0 && from < w {
				x = out[from]
			}
			next[i] = c.mux(sel, x, out[i])
		}
		out = next
	}
	for i := range out {
		out[i] = c.mux(outside, fill, out[i])
	}
	return out
}

// cone lists the gates below the roots, operands first, in an order that
// depends on the shape alone, and numbers them from 1; 0 is a gate outside.
func (c *circuit) cone(roots ...lit) (order []int, number []int32) {
	number = make([]int32, len(c.gates))
	var stack []int
	for _, r := range roots {
		stack = append(stack, r.gate())
		for len(stack) > 0 {
			g := stack[len(stack)-1]
			if number[g] != 0 {
				stack = stack[:len(stack)-1]
				continue
			}
			ready := true
			x := &c.gates[g]
			in := [3]lit{x.c, x.b, x.a}
			for _, l := range in[3-x.op.arity():] {
				if number[l.gate()] == 0 {
					stack = append(stack, l.gate())
					ready = false
				}
			}
			if ready {
				order = append(order, g)
				number[g] = int32(len(order))
				stack = stack[:len(stack)-1]
			}
		}
	}
	return order, number
}

func (o gateOp) arity() int { return [...]int{0, 2, 2, 3, 3}[o] }

// formula is clauses over the variables 1 … vars. A literal is 2·variable, or
// of its complement 2·variable + 1.
type formula struct {
	vars int
	lits []uint32
	ends []int32 // clause i ends before lits[ends[i]]
}

func (f *formula) add(ls ...uint32) {
	f.lits = append(f.lits, ls...)
	f.ends = append(f.ends, int32(len(f.lits)))
}

func (f *formula) len() int { return len(f.ends) }

func (f *formula) clause(i int) []uint32 {
	start := int32(0)
	if i > 0 {
		start = f.ends[i-1]
	}
	return f.lits[start:f.ends[i]]
}

// clauses gives clauses over the cone's numbers that hold exactly where every
// gate has its value and all roots are 1.
func (c *circuit) clauses(order []int, number []int32, roots ...lit) *formula {
	f := &formula{vars: len(order)}
	v := func(l lit) uint32 { return uint32(number[l.gate()])<<1 | uint32(l&1) }
	for _, g := range order {
		x := c.gates[g]
		o := v(lit(2 * g))
		a, b, d := v(x.a), v(x.b), v(x.c)
		switch x.op {
		case inGate:
			if g == 0 {
				f.add(o ^ 1)
			}
		case andGate:
			f.add(o^1, a)
			f.add(o^1, b)
			f.add(o, a^1, b^1)
		case xorGate:
			f.add(o^1, a, b)
			f.add(o^1, a^1, b^1)
			f.add(o, a^1, b)
			f.add(o, a, b^1)
		case muxGate:
			f.add(o^1, a^1, b)
			f.add(o, a^1, b^1)
			f.add(o^1, a, d)
			f.add(o, a, d^1)
			f.add(o^1, b, d) // the last two follow; propagation needs them
			f.add(o, b^1, d^1)
		case majGate:
			f.add(o^1, a, b)
			f.add(o^1, a, d)
			f.add(o^1, b, d)
			f.add(o, a^1, b^1)
			f.add(o, a^1, d^1)
			f.add(o, b^1, d^1)
		}
	}
	for _, r := range roots {
		f.add(v(r))
	}
	return f
}

// simulate gives the 64 values of each gate from those of the inputs.
func (c *circuit) simulate(in map[int]uint64) []uint64 {
	out := make([]uint64, len(c.gates))
	at := func(l lit) uint64 { return out[l.gate()] ^ -uint64(l&1) }
	for g, x := range c.gates {
		a, b, d := at(x.a), at(x.b), at(x.c)
		switch x.op {
		case inGate:
			out[g] = in[g]
		case andGate:
			out[g] = a & b
		case xorGate:
			out[g] = a ^ b
		case muxGate:
			out[g] = a&b | ^a&d
		case majGate:
			out[g] = a&b | a&d | b&d
		}
	}
	return out
}
