package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// scan sums products row by row in numbers of 64 bits, without carries: a
// product, a word of the sum and the high word of the product below make no
// more than 2^64 − 1 (operand scanning).
//
//	(2^32 − 1)² + 2·(2^32 − 1) = 2^64 − 1
type scan struct {
	wordwise
}

func (m *scan) products(ps []product, _ int) {
	stack := make([][]product, m.n)
	tall := 0
	for _, t := range ps {
		if t.c < m.n {
			stack[t.c] = append(stack[t.c], t)
			tall = max(tall, len(stack[t.c]))
		}
	}
	for k := 1; k <= tall; k++ {
		var over word // the high word of the product below
		for c := 0; c < m.n; c++ {
			if at := k - 1 - (tall - len(stack[c])); at >= 0 {
				over = m.step(c, stack[c][at], over)
			} else if !over.zero() {
				m.put(c, over)
				over = word{}
			}
		}
	}
}

func (m *scan) step(c int, t product, over word) word {
	x, y := m.reg(t.x), m.reg(t.y)
	if c == m.n-1 {
		f := ptx.Form{Op: ptx.Mul, Mode: ptx.Lo, T: ptx.U32}
		args := []*ir.Value{x, y}
		if !m.acc[c].zero() {
			f.Op, args = ptx.Mad, append(args, m.reg(m.acc[c]))
		}
		m.acc[c], m.max[c] = word{v: m.op1(f, args...)}, maxWord
		if !over.zero() {
			m.acc[c], _ = m.plus(m.acc[c], over, nil, false)
		}
		return word{}
	}
	f := ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}
	args := []*ir.Value{x, y}
	if !m.acc[c].zero() {
		f.Op, args = ptx.Mad, append(args, m.wide(m.acc[c]))
	}
	v := m.op1(f, args...)
	if !over.zero() {
		v = m.op1(ptx.Form{Op: ptx.Add, T: ptx.U64}, v, m.wide(over))
	}
	m.acc[c], m.max[c] = word{v, 1}, maxWord
	return word{v, 2}
}

// wide is a word in a register of 64 bits.
func (m *scan) wide(w word) *ir.Value {
	return m.op1(ptx.Form{Op: ptx.Cvt, T: ptx.U64, A: ptx.U32}, m.reg(w))
}
