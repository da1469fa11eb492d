package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// part is half of a product that is added to one word.
type part struct {
	product
	mode ptx.Mode
	max  uint64
}

// wordwise sums the low and high words of products apart, each word of the sum
// in a register of its own, in chains of mad.lo and mad.hi with carry.
type wordwise struct {
	*code
	ceiling
	rows  bool // row by row, not inside out
	n     int
	acc   []word
	max   []uint64
	extra [][]word
}

func (m *wordwise) begin(n int) {
	m.ceiling.begin()
	m.n, m.acc, m.max, m.extra = n, make([]word, n), make([]uint64, n), make([][]word, n+2)
}

func (m *wordwise) put(c int, w word) {
	m.add(c, maxWord)
	if c < m.n && m.acc[c].zero() {
		m.acc[c], m.max[c] = w, maxWord
		return
	}
	m.extra[c] = append(m.extra[c], w)
}

func (m *wordwise) products(ps []product, _ int) {
	for m.rows && len(ps) > 0 {
		n := 1
		for n < len(ps) && ps[n].row == ps[0].row {
			n++
		}
		m.sum(ps[:n])
		ps = ps[n:]
	}
	m.sum(ps)
}

func (m *wordwise) sum(ps []product) {
	m.addAll(ps)
	stack := make([][]part, m.n)
	add := func(c int, p part) {
		if c < m.n {
			stack[c] = append(stack[c], p)
		}
	}
	for _, t := range ps {
		add(t.c, part{t, ptx.Lo, min(t.p*t.q, maxWord)})
		add(t.c+1, part{t, ptx.Hi, t.p * t.q >> 32})
	}
	tall := 0
	for _, s := range stack {
		tall = max(tall, len(s))
	}
	for k := 1; k <= tall; k++ {
		var cin *ir.Value
		for c := 0; c <= m.n; c++ {
			at := -1
			if c < m.n {
				at = k - 1 - (tall - len(stack[c]))
			}
			if at >= 0 {
				cin = m.mac(c, stack[c][at], cin)
			} else if cin != nil {
				m.capture(c, cin)
				cin = nil
			}
		}
	}
}

func (m *wordwise) mac(c int, t part, cin *ir.Value) *ir.Value {
	max := m.max[c] + t.max + uint64(btoi(cin != nil))
	out := max > maxWord && c < m.n-1 && !m.below(32*c+32)
	f := ptx.Form{Op: ptx.Mad, Mode: t.mode, T: ptx.U32, CC: out}
	args := []*ir.Value{m.reg(t.x), m.reg(t.y)}
	switch {
	case cin != nil:
		f.Op, args = ptx.Madc, append(args, m.reg(m.acc[c]), cin)
	case m.acc[c].zero():
		f.Op = ptx.Mul
	default:
		args = append(args, m.reg(m.acc[c]))
	}
	r := m.b.PTX(f, args...)
	m.acc[c], m.max[c] = word{v: r[0]}, min(max, maxWord)
	if out {
		return r[1]
	}
	return nil
}

func (m *wordwise) capture(c int, cf *ir.Value) {
	if c >= m.n {
		return
	}
	if m.max[c] < maxWord {
		m.acc[c], _ = m.plus(m.acc[c], word{}, cf, false)
		m.max[c]++
		return
	}
	w, _ := m.plus(word{}, word{}, cf, false)
	m.extra[c] = append(m.extra[c], w)
}

func (m *wordwise) low(c int) word {
	for _, w := range m.extra[c] {
		var cf *ir.Value
		m.acc[c], cf = m.plus(m.acc[c], w, nil, true)
		m.capture(c+1, cf)
	}
	m.extra[c] = nil
	return m.acc[c]
}

// flush gives up the words below from: with what waits at them, they carry.
func (m *wordwise) flush(from int) {
	for c := range from {
		if len(m.extra[c]) > 0 {
			m.low(c)
		}
	}
}

func (m *wordwise) words(c int) []word { return append([]word{m.acc[c]}, m.extra[c]...) }
