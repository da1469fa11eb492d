package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// xmad sums products of 16-bit halves, for sm_50 to sm_62: ptxas makes one
// XMAD(.X).CC of mul.wide.u16 and add(c).cc.u32 and chooses halves for free.
// Words of parity 0 are at their places, words of parity 1 are 16 bits further
// up: in the end they are shifted and added.
type xmad struct {
	*code
	ceiling
	n     int
	acc   [2][]word
	max   [2][]uint64
	extra [][]word
	up    []word // the words of parity 1, shifted
	at    int    // words below are given up
	bad   error  // what it cannot do
}

func (m *xmad) begin(n int) {
	m.ceiling.begin()
	m.n, m.extra, m.up, m.at = n, make([][]word, n+2), make([]word, n), 0
	for k := range 2 {
		m.acc[k], m.max[k] = make([]word, n+1), make([]uint64, n+1)
	}
}

func (m *xmad) put(c int, w word) {
	m.add(c, maxWord)
	if c < m.n && m.acc[0][c].zero() {
		m.acc[0][c], m.max[0][c] = w, maxWord
		return
	}
	m.extra[c] = append(m.extra[c], w)
}

// later is put for a word that is added in the end.
func (m *xmad) later(c int, w word) {
	m.add(c, maxWord)
	m.extra[c] = append(m.extra[c], w)
}

// half16 is a half of a word as a 16-bit value, and its upper bound.
func (m *xmad) half16(w word, max uint64, high int) (*ir.Value, uint64) {
	top := max >> 16
	if high == 0 {
		top = min(max, 0xffff)
	}
	v := m.reg(w)
	if v.Op == ir.Const {
		return m.f.Const(v.K.Shr(uint64(16*high)).Cut(16), 16), top
	}
	h, ok := m.h16[v]
	if !ok {
		p := m.b.PTX(ptx.Form{Op: ptx.Mov, T: ptx.B32, Pack: -2}, v)
		h = [2]*ir.Value{p[0], p[1]}
		m.h16[v] = h
	}
	return h[high], top
}

type piece struct {
	x, y *ir.Value
	max  uint64
}

func (m *xmad) products(ps []product, join int) {
	m.addAll(ps)
	for _, t := range ps { // before a carry is on its way
		m.half16(t.x, t.p, 0)
		m.half16(t.y, t.q, 0)
	}
	var cin *ir.Value
	if join > m.at {
		if join > m.at+1 {
			m.bad = errSequence
			return
		}
		cin = m.push(m.at)
		m.at = join
	}
	for k := range 2 {
		stack := make([][]piece, m.n)
		for _, t := range ps {
			for _, h := range [2][2]int{{0, k}, {1, 1 - k}} { // k = 0: lo·lo, hi·hi; k = 1: lo·hi, hi·lo
				c := t.c
				if k == 0 {
					c += h[0]
				}
				x, p := m.half16(t.x, t.p, h[0])
				y, q := m.half16(t.y, t.q, h[1])
				if c < m.n && p*q > 0 {
					stack[c] = append(stack[c], piece{x, y, p * q})
				}
			}
		}
		m.chains(k, stack, cin, join+1)
		cin = nil
	}
}

// chains adds stacks of products inside out; enter is the word of a carry that
// comes in.
func (m *xmad) chains(k int, stack [][]piece, enter *ir.Value, at int) {
	tall := 0
	for _, s := range stack {
		tall = max(tall, len(s))
	}
	if enter != nil {
		first := 0
		for first < m.n && (tall == 0 || len(stack[first]) < tall) {
			first++
		}
		if first != at {
			m.capture(k, at, enter)
			enter = nil
		}
	}
	cin := enter
	for j := 1; j <= tall; j++ {
		for c := 0; c <= m.n; c++ {
			i := -1
			if c < m.n {
				i = j - 1 - (tall - len(stack[c]))
			}
			if i >= 0 {
				cin = m.mac(k, c, stack[c][i], cin)
			} else if cin != nil && (c == m.n || enter == nil || c > at) {
				m.capture(k, c, cin)
				cin = nil
			}
		}
		enter = nil
	}
}

func (m *xmad) mac(k, c int, t piece, cin *ir.Value) *ir.Value {
	max := m.max[k][c] + t.max + uint64(btoi(cin != nil))
	out := max > maxWord && !m.below(32*c+32+16*k)
	f := ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U16}
	var r []*ir.Value
	switch {
	case m.acc[k][c].zero() && cin == nil:
		r = m.b.PTX(f, t.x, t.y)
	case cin == nil && !out:
		f.Op = ptx.Mad
		r = m.b.PTX(f, t.x, t.y, m.reg(m.acc[k][c]))
	default:
		p := m.op1(f, t.x, t.y)
		a := ptx.Form{Op: ptx.Add, T: ptx.U32, CC: out}
		args := []*ir.Value{m.reg(m.acc[k][c]), p}
		if cin != nil {
			a.Op, args = ptx.Addc, append(args, cin)
		}
		r = m.b.PTX(a, args...)
	}
	m.acc[k][c], m.max[k][c] = word{v: r[0]}, min(max, maxWord)
	if out {
		return r[1]
	}
	return nil
}

func (m *xmad) capture(k, c int, cf *ir.Value) {
	if c >= m.n {
		return
	}
	if m.max[k][c] < maxWord {
		m.acc[k][c], _ = m.plus(m.acc[k][c], word{}, cf, false)
		m.max[k][c]++
		return
	}
	w, _ := m.plus(word{}, word{}, cf, false)
	m.extra[c] = append(m.extra[c], w)
}

func (m *xmad) shl16(w word) word { return m.shift(ptx.Shl, ptx.B32, w) }
func (m *xmad) shr16(w word) word { return m.shift(ptx.Shr, ptx.U32, w) }

func (m *xmad) shift(op ptx.Op, t ptx.Type, w word) word {
	if w.zero() {
		return w
	}
	return word{v: m.op1(ptx.Form{Op: op, T: t}, m.reg(w), m.k(16))}
}

// push gives up word c: what it carries goes to the next, and a carry to the
// one behind that is given.
func (m *xmad) push(c int) *ir.Value {
	w := m.acc[0][c]
	if w.zero() && m.acc[1][c].zero() && len(m.extra[c]) == 0 {
		return nil
	}
	for _, x := range m.extra[c] {
		var cf *ir.Value
		w, cf = m.plus(w, x, nil, true)
		m.capture(0, c+1, cf)
	}
	m.extra[c] = nil
	over := m.shr16(m.acc[1][c])
	_, cf := m.plus(w, m.shl16(m.acc[1][c]), nil, true)
	m.acc[0][c], m.acc[1][c] = word{}, word{}
	m.max[0][c], m.max[1][c] = 0, 0
	if c+1 >= m.n {
		return nil
	}
	m.acc[0][c+1], cf = m.plus(m.acc[0][c+1], over, cf, true)
	m.max[0][c+1] = maxWord
	return cf
}

// low: word c is what is at its place, and the low half of what is 16 bits up.
func (m *xmad) low(c int) word {
	w := m.acc[0][c]
	for _, x := range m.extra[c] {
		w, _ = m.plus(w, x, nil, false)
	}
	if up := m.shl16(m.acc[1][c]); !up.zero() {
		w, _ = m.plus(w, up, nil, false)
	}
	return w
}

func (m *xmad) flush(from int) {
	for m.at < from {
		if cf := m.push(m.at); cf != nil {
			m.capture(0, m.at+2, cf)
		}
		m.at++
	}
	for c := from; c < m.n; c++ {
		var lo word
		if c > from {
			lo = m.acc[1][c-1]
		}
		hi := m.acc[1][c]
		var w word
		switch {
		case lo.zero() && hi.zero():
			continue
		case lo.zero():
			w = m.shl16(hi)
		case hi.zero():
			w = m.shr16(lo)
		default:
			w = word{v: m.op1(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, Wrap: true, T: ptx.B32}, m.reg(lo), m.reg(hi), m.k(16))}
		}
		m.up[c] = w
	}
}

// words: what was shifted comes last, the sum at its place before it: where
// that is one product, ptxas adds while it multiplies.
func (m *xmad) words(c int) []word { return append(m.extra[c], m.acc[0][c], m.up[c]) }
