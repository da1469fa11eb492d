package rechain

import (
	"math/bits"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// product is x·y, its low word at word c.
type product struct {
	c    int
	x, y word
	p, q uint64 // their upper bounds
	row  id     // what it has in common with the products of its row
}

// slot is a pair of words with an upper bound; full says up to 2^64 − 1.
type slot struct {
	lo, hi word
	max    uint64
}

const maxWord = 1<<32 - 1

// evenOdd sums products in pairs of words: slot s of parity p is the words
// 2s+p and 2s+p+1. A product into a slot is one wide multiply-add, with the
// carry of the slot below and one to the slot above. What is free is used: an
// empty slot takes a carry and gives none; the carry at the end of a chain goes
// into the high word of the other parity's slot, or into the low word of its
// own; and chains are built from the inside out, so that those slots are empty.
type evenOdd struct {
	*code
	ceiling
	form  wideForm
	rows  bool // one chain a row, as multiplied by hand
	lead  int  // parity to begin with, −1 for even
	first int  // the same, for the products that come next
	n     int  // words wanted
	acc   [2][]slot
	extra [][]word // by word: further words, to be added in the end
}

func (m *evenOdd) begin(n int) {
	m.ceiling.begin()
	m.first = m.lead
	m.n, m.acc, m.extra = n, [2][]slot{make([]slot, n/2+2), make([]slot, n/2+2)}, make([][]word, n+2)
}

func (m *evenOdd) put(c int, w word) {
	m.add(c, maxWord)
	m.extra[c] = append(m.extra[c], w)
}

// fill puts words into empty slots, where they are addends of the first product.
func (m *evenOdd) fill(p, s int, lo, hi word, max uint64) {
	m.add(2*s+p, max)
	m.acc[p][s] = slot{lo, hi, max}
}

func (m *evenOdd) empty(p, s int) bool {
	x := m.acc[p][s]
	return x.lo.zero() && x.hi.zero()
}

// mac adds x·y and a carry to a slot; wide is the product where that was
// written ahead. It gives the carry out, nil if there can be none.
func (m *evenOdd) mac(p, s int, t product, cin, wide *ir.Value) *ir.Value {
	a := &m.acc[p][s]
	x, y := m.reg(t.x), m.reg(t.y)
	prodMax, over := t.p*t.q, uint64(0)
	max, c1 := bits.Add64(a.max, prodMax, 0)
	over += c1
	if cin != nil {
		max, c1 = bits.Add64(max, 1, 0)
		over += c1
	}
	if over != 0 {
		max = ^uint64(0)
	}
	out := over != 0 && 2*s+p+2 < m.n && !m.below(32*(2*s+p+2))
	fresh := a.lo.zero() && a.hi.zero()
	if 2*s+p+1 >= m.n { // only the low word is wanted
		f := ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32}
		args := []*ir.Value{x, y}
		switch {
		case cin != nil:
			f.Op, args = ptx.Madc, append(args, m.reg(a.lo), cin)
		case a.lo.zero():
			f.Op = ptx.Mul
		default:
			args = append(args, m.reg(a.lo))
		}
		*a = slot{lo: word{v: m.op1(f, args...)}, max: maxWord}
		return nil
	}
	if fresh && cin == nil && m.form == halves {
		lo := m.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Lo, T: ptx.U32}, x, y)
		hi := m.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Hi, T: ptx.U32}, x, y)
		*a = slot{word{v: lo}, word{v: hi}, max}
		return nil
	}
	if fresh && cin == nil {
		if wide == nil {
			wide = m.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}, x, y)
		}
		*a = slot{word{wide, 1}, word{wide, 2}, max}
		return nil
	}
	if m.form == wide64 {
		f := ptx.Form{Op: ptx.Add, T: ptx.U64, CC: out}
		args := []*ir.Value{m.pair(a.lo, a.hi), wide}
		if cin != nil {
			f.Op, args = ptx.Addc, append(args, cin)
		}
		r := m.b.PTX(f, args...)
		*a = slot{word{r[0], 1}, word{r[0], 2}, max}
		if out {
			return r[1]
		}
		return nil
	}
	if m.form == fused {
		v, c := m.wideMac(x, y, a.lo, a.hi, cin, out)
		*a = slot{word{v, 1}, word{v, 2}, max}
		return c
	}
	lo, hi := m.reg(a.lo), m.reg(a.hi)
	f := ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32, CC: true}
	args := []*ir.Value{x, y, lo}
	if cin != nil {
		f.Op, args = ptx.Madc, append(args, cin)
	}
	l := m.b.PTX(f, args...)
	h := m.b.PTX(ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, T: ptx.U32, CC: out}, x, y, hi, l[1])
	*a = slot{word{v: l[0]}, word{v: h[0]}, max}
	if out {
		return h[1]
	}
	return nil
}

// capture adds a carry for word q that a chain of parity own leaves.
func (m *evenOdd) capture(q, own int, cf *ir.Value) {
	if q >= m.n {
		return
	}
	if other := q - 1 - (1 - own); other >= 0 {
		if a := &m.acc[1-own][other/2]; a.max < ^uint64(0)-maxWord {
			a.hi, _ = m.plus(a.hi, word{}, cf, false)
			a.max += 1 << 32
			return
		}
	}
	r, _ := m.plus(word{}, word{}, cf, false)
	if a := &m.acc[own][(q-own)/2]; a.lo.zero() {
		a.lo = r
		a.max = max(a.max, a.max+1)
		return
	}
	m.extra[q] = append(m.extra[q], r)
}

// chain adds a run of products of consecutive slots, starting from slot s.
func (m *evenOdd) chain(p, s int, run []product, cin *ir.Value) {
	wide := make([]*ir.Value, len(run))
	if m.form == wide64 {
		for i, t := range run {
			if 2*(s+i)+p+1 < m.n {
				wide[i] = m.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: ptx.U32}, m.reg(t.x), m.reg(t.y))
			}
		}
		for i := range run {
			if a := m.acc[p][s+i]; 2*(s+i)+p+1 < m.n {
				m.pair(a.lo, a.hi)
			}
		}
	}
	for i, t := range run {
		cin = m.mac(p, s+i, t, cin, wide[i])
	}
	if cin != nil {
		m.capture(2*(s+len(run))+p, p, cin)
	}
}

// products adds products. Where join is not negative, the two parts of that
// word are summed up first, so that its value is there; the carry of that goes
// into the other parity's first chain.
func (m *evenOdd) products(ps []product, join int) {
	m.addAll(ps)
	order := [2]int{0, 1}
	if m.first >= 0 {
		order = [2]int{m.first, 1 - m.first}
	}
	var cin *ir.Value
	if join >= 0 {
		order = [2]int{1 - join%2, join % 2}
		cin = m.joinWord(join)
	}
	for _, p := range order {
		stack := make([][]product, m.n/2+2) // by slot
		tall := 0
		for _, t := range ps {
			if t.c%2 == p && t.c < m.n {
				s := (t.c - p) / 2
				stack[s] = append(stack[s], t)
				tall = max(tall, len(stack[s]))
			}
		}
		if cin != nil {
			s := 0
			for s < len(stack) && (tall == 0 || len(stack[s]) < tall) {
				s++
			}
			if s == len(stack) || 2*s+p != join+1 {
				m.capture(join+1, p, cin)
				cin = nil
			}
		}
		if m.rows {
			m.rowChains(p, ps, cin)
		} else {
			m.insideOut(p, stack, tall, cin)
		}
		cin = nil
	}
}

func (m *evenOdd) insideOut(p int, stack [][]product, tall int, cin *ir.Value) {
	for k := 1; k <= tall; k++ {
		var run []product
		for s := 0; s <= len(stack); s++ {
			if s < len(stack) {
				if at := k - 1 - (tall - len(stack[s])); at >= 0 {
					run = append(run, stack[s][at])
					continue
				}
			}
			if len(run) > 0 {
				m.chain(p, s-len(run), run, cin)
				run, cin = nil, nil
			}
		}
	}
}

func (m *evenOdd) rowChains(p int, ps []product, cin *ir.Value) {
	var run []product
	at := 0
	flush := func() {
		if len(run) > 0 {
			m.chain(p, at-len(run)+1, run, cin)
			cin, run = nil, nil
		}
	}
	for _, t := range ps {
		if t.c%2 != p || t.c >= m.n {
			continue
		}
		s := (t.c - p) / 2
		if len(run) > 0 && (s != at+1 || t.row != run[0].row) {
			flush()
		}
		run, at = append(run, t), s
	}
	flush()
}

// joinWord makes word c the low word of its own parity's slot alone, and gives
// the carry of that.
func (m *evenOdd) joinWord(c int) (carry *ir.Value) {
	p := c % 2
	own := &m.acc[p][(c-p)/2]
	if c == 0 {
		return nil
	}
	i := c - 1 - (1 - p)
	if i < 0 {
		return nil
	}
	other := &m.acc[1-p][i/2]
	switch {
	case other.hi.zero():
		return nil
	case own.lo.zero():
		own.lo = other.hi
		own.max = own.max>>32<<32 + maxWord
	default:
		own.lo, carry = m.plus(own.lo, other.hi, nil, true)
		own.max = own.max>>32<<32 + maxWord
	}
	other.hi, other.max = word{}, maxWord
	return carry
}

func (m *evenOdd) flush(int) {}

// low is the value of word c in a sum of which all that reaches word c is there.
func (m *evenOdd) low(c int) word {
	if len(m.words(c)) > 1 {
		m.products(nil, c)
	}
	ws := m.words(c)
	if len(ws) != 1 {
		return word{}
	}
	return ws[0]
}

// words are what is to be added up at word c.
func (m *evenOdd) words(c int) []word {
	p := c % 2
	var ws []word
	if a := m.acc[p][(c-p)/2]; !a.lo.zero() {
		ws = append(ws, a.lo)
	}
	if i := c - 1 - (1 - p); i >= 0 {
		if a := m.acc[1-p][i/2]; !a.hi.zero() {
			ws = append(ws, a.hi)
		}
	}
	return append(ws, m.extra[c]...)
}
