package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// columns sums products word by word, low words first, in three words that move
// up (product scanning). A product is a wide multiply-add with a carry out and
// none in, and where there can be a carry, an addition of that: the form of
// v_mad_u64_u32.
type columns struct {
	*code
	fused bool // mad.wide with carry is there
	n, at int
	acc   [3]word
	max   bound       // of the three words
	queue [][]product // by word
	out   []word
	extra [][]word
}

func (m *columns) begin(n int) {
	m.n, m.at, m.acc, m.max = n, 0, [3]word{}, bound{}
	m.queue, m.out, m.extra = make([][]product, n), make([]word, n), make([][]word, n+2)
}

func (m *columns) put(c int, w word) { m.extra[c] = append(m.extra[c], w) }

func (m *columns) products(ps []product, _ int) {
	for _, t := range ps {
		if t.c < m.n {
			m.queue[t.c] = append(m.queue[t.c], t)
		}
	}
}

func (m *columns) mac(t product) {
	x, y := m.reg(t.x), m.reg(t.y)
	low := m.max.min(ones(64))
	sum := low.add(bound{lo: t.p * t.q})
	over := sum.bits() > 64 // a carry out of the two low words
	m.max = m.max.add(bound{lo: t.p * t.q})
	switch {
	case m.at == m.n-1:
		f := ptx.Form{Op: ptx.Mul, Mode: ptx.Lo, T: ptx.U32}
		args := []*ir.Value{x, y}
		if !m.acc[0].zero() {
			f.Op, args = ptx.Mad, append(args, m.reg(m.acc[0]))
		}
		m.acc = [3]word{{v: m.op1(f, args...)}}
	case m.acc[0].zero() && m.acc[1].zero():
		v := m.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}, x, y)
		m.acc[0], m.acc[1] = word{v, 1}, word{v, 2}
	case m.fused:
		v, c := m.wideMac(x, y, m.acc[0], m.acc[1], nil, over)
		m.acc[0], m.acc[1] = word{v, 1}, word{v, 2}
		if over && m.at+2 < m.n {
			m.acc[2], _ = m.plus(m.acc[2], word{}, c, false)
		}
	default:
		lo, hi := m.reg(m.acc[0]), m.reg(m.acc[1])
		l := m.b.PTX(ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32, CC: true}, x, y, lo)
		h := m.b.PTX(ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, T: ptx.U32, CC: over}, x, y, hi, l[1])
		m.acc[0], m.acc[1] = word{v: l[0]}, word{v: h[0]}
		if over && m.at+2 < m.n {
			m.acc[2], _ = m.plus(m.acc[2], word{}, h[1], false)
		}
	}
}

// drain adds what waits for the word that the sum is at; with the plain words
// of it, too, if its value is wanted at once.
func (m *columns) drain(plain bool) {
	for _, t := range m.queue[m.at] {
		m.mac(t)
	}
	m.queue[m.at] = nil
	if !plain {
		return
	}
	for _, w := range m.extra[m.at] {
		m.max = m.max.add(ones(32))
		if m.acc[0].zero() {
			m.acc[0] = w
			continue
		}
		var c *ir.Value
		m.acc[0], c = m.plus(m.acc[0], w, nil, true)
		third := m.max.bits() > 64
		m.acc[1], c = m.plus(m.acc[1], word{}, c, third)
		if third {
			m.acc[2], _ = m.plus(m.acc[2], word{}, c, false)
		}
	}
	m.extra[m.at] = nil
}

func (m *columns) shift() {
	m.out[m.at] = m.acc[0]
	m.acc = [3]word{m.acc[1], m.acc[2], {}}
	m.max = m.max.shr(32)
	m.at++
}

func (m *columns) low(c int) word {
	for m.at < c {
		m.drain(true)
		m.shift()
	}
	m.drain(true)
	if m.acc[0].zero() {
		return word{v: m.k(0)}
	}
	return m.acc[0]
}

func (m *columns) flush(from int) {
	for m.at < m.n {
		m.drain(m.at < from)
		m.shift()
	}
}

func (m *columns) words(c int) []word { return append([]word{m.out[c]}, m.extra[c]...) }
