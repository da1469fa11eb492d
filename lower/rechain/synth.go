package rechain

import (
	"errors"
	"math/big"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// machine adds products up in the layout that a class of targets wants.
type machine interface {
	begin(n int)                     // a sum of n words
	put(c int, w word)               // adds a plain word at word c
	products(ps []product, join int) // adds products; join: see evenOdd, −1 for none
	low(c int) word                  // word c, when all that reaches it is there
	flush(from int)                  // nothing more comes
	words(c int) []word              // what is to be added up at word c
}

// variant is one way of writing a chain.
type variant struct {
	rows    bool // rows as multiplied by hand, not inside out
	first   int  // the parity to begin with, −1 for even
	later   bool // plain words are added in the end, not first
	apart   bool // each group by itself, no sequences
	columns bool // as for GFX7
	twice   bool // products that occur twice are added twice, not doubled
	form    wideForm
}

var (
	errTwice    = errors.New("a product has a factor other than a power of 2^32")
	errMinus    = errors.New("a product is subtracted")
	errSequence = errors.New("a sequence of digits has parts that are no products")
)

// terms is a polynomial cut into words.
type terms struct {
	prods []product
	times []int    // how often each
	plus  [][]word // by word
	minus [][]word
}

// ceiling bounds a sum as a whole: a partial sum that is below 2^k for all
// inputs has no carry of weight 2^k, whatever its words may be one by one.
type ceiling struct{ most big.Int }

func (s *ceiling) begin() { s.most.SetInt64(0) }

// add says that up to max·2^(32·c) is added.
func (s *ceiling) add(c int, max uint64) {
	x := new(big.Int).SetUint64(max)
	s.most.Add(&s.most, x.Lsh(x, uint(32*c)))
}

func (s *ceiling) addAll(ps []product) {
	for _, t := range ps {
		s.add(t.c, t.p*t.q)
	}
}

// below reports that the sum is below 2^k.
func (s *ceiling) below(k int) bool { return s.most.BitLen() <= k }

// synth writes groups as code.
type synth struct {
	*code
	m    machine
	how  variant
	g    *graph
	sum  *group      // the polynomial that a sequence adds up
	done map[id]bool // the monomials of sum that are there
	used map[id]bool // the factors of those
	at   int         // the word that the sequence has reached
	sub  map[id]bool
	adds bool // doubles words by adding them to themselves, not by shifts of two
}

func (s *synth) factor(v id) (word, uint64, error) {
	w, err := s.get(v)
	m := s.g.at(v).max
	if m.bits() > 32 {
		m = ones(32)
	}
	return w, m.lo, err
}

func (s *synth) product(c int, v id) (product, error) {
	n := s.g.at(v)
	x, p, err := s.factor(n.a)
	if err != nil {
		return product{}, err
	}
	y, q, err := s.factor(n.b)
	return product{c, x, y, p, q, n.b}, err
}

// split cuts the polynomial of a group to n words.
func (s *synth) split(p *group, n int) (t terms, err error) {
	t.plus, t.minus = make([][]word, n), make([][]word, n)
	var prods []id
	for _, m := range p.poly {
		if m.v != none && s.g.at(m.v).kind == prod {
			prods = append(prods, m.v)
		}
	}
	rows := s.g.sides(prods)
	for _, m := range p.poly {
		c, negative := m.c, false
		single := m.v == none || s.g.at(m.v).kind != prod
		if single && c.add(pow2(p.bits-1).neg()).sign() > 0 {
			c, negative = pow2(p.bits).add(c.neg()), true
		}
		for k := range n {
			l := uint32(limb(c, k))
			if l == 0 {
				continue
			}
			if !single {
				if l > 4 {
					return t, errTwice
				}
				x, err := s.product(k, m.v)
				if err != nil {
					return t, err
				}
				if a := s.g.at(m.v).a; rows[a] {
					x.row = a
				}
				t.prods, t.times = append(t.prods, x), append(t.times, int(l))
				continue
			}
			w := word{v: s.k(l)}
			if m.v != none {
				x, max, err := s.factor(m.v)
				if err != nil {
					return t, err
				}
				if l != 1 {
					if negative {
						return t, errMinus
					}
					t.prods = append(t.prods, product{k, x, w, max, uint64(l), m.v})
					t.times = append(t.times, 1)
					continue
				}
				w = x
			}
			if !negative {
				t.plus[k] = append(t.plus[k], w)
			} else {
				t.minus[k] = append(t.minus[k], w)
			}
		}
	}
	return t, nil
}

// limb is word k of c ≥ 0.
func limb(c num, k int) uint32 {
	i := 32*k - int(c.e)
	if c.b == nil {
		switch {
		case i >= 64 || i <= -32:
			return 0
		case i >= 0:
			return uint32(uint64(c.m) >> i)
		}
		return uint32(uint64(c.m) << -i)
	}
	if i < 0 {
		return limb(num{m: int64(limbBits(c, 0)), e: int32(-i)}, 0)
	}
	return uint32(limbBits(c, i))
}

// limbBits are 32 bits of the odd part of c from bit i on.
func limbBits(c num, i int) uint32 {
	var x uint32
	for j := range 32 {
		x |= uint32(c.b.Bit(i+j)) << j
	}
	return x
}

// write writes the groups in order.
func (s *synth) write(groups []*group) error {
	for i, p := range groups {
		var todo []digit
		for _, d := range p.want {
			if _, ok := s.have[d.v]; ok {
				continue
			}
			if _, ok := s.g.isConst(d.v); ok {
				continue
			}
			if d.w != 32 || d.off%32 != 0 {
				return errDigit
			}
			todo = append(todo, d)
		}
		if len(todo) == 0 {
			continue
		}
		if err := s.group(p, todo, groups[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

func (s *synth) group(p *group, todo []digit, later []*group) error {
	lowest, n := todo[0].off/32, todo[len(todo)-1].off/32+1
	if n == 1 && len(p.poly) == 1 && p.poly[0].v != none && p.poly[0].c.isOne() && s.g.at(p.poly[0].v).kind == prod {
		x, err := s.product(0, p.poly[0].v)
		if err != nil {
			return err
		}
		s.have[todo[0].v] = word{v: s.op1(ptx.Form{Op: ptx.Mul, Mode: ptx.Lo, T: ptx.U32}, s.reg(x.x), s.reg(x.y))}
		return nil
	}
	if s.sum != nil && !partOf(p, s.sum) {
		s.sum = nil
	}
	if s.sum == nil && len(todo) == 1 && lowest == n-1 && !s.how.apart {
		for _, q := range later[:min(len(later), 512)] {
			if len(q.poly) > len(p.poly) && partOf(p, q) {
				s.sum = q
			}
		}
		if s.sum != nil {
			if err := s.begin(); err != nil {
				return err
			}
		}
	}
	if s.sum == nil {
		return s.oneShot(p, todo, n)
	}
	return s.phase(p, todo, lowest, n)
}

// begin starts a sequence with the plain words of its sum that are there.
func (s *synth) begin() error {
	n := (s.sum.bits + 31) / 32
	s.m.begin(n)
	s.done, s.used, s.at = map[id]bool{}, map[id]bool{}, 0
	plus := make([][]word, n)
	for _, m := range s.sum.poly {
		if m.v == none || s.g.at(m.v).kind == prod || !s.there(m.v) {
			continue
		}
		k, ok := m.c.power()
		if !ok || k%32 != 0 {
			continue
		}
		w, err := s.get(m.v)
		if err != nil {
			return err
		}
		plus[k/32] = append(plus[k/32], w)
		s.done[m.v] = true
	}
	s.plain(plus)
	return nil
}

// plain adds plain words.
func (s *synth) plain(plus [][]word) {
	if e, ok := s.m.(*evenOdd); ok && !s.how.later {
		e.fillFrom(plus)
	}
	for c, ws := range plus {
		for _, w := range ws {
			if !w.zero() {
				s.m.put(c, w)
			}
		}
	}
}

// partOf reports that p is q modulo 2^p.bits.
func partOf(p, q *group) bool {
	if p.bits > q.bits {
		return false
	}
	for _, m := range p.poly {
		c, ok := q.coef[m.v]
		if !ok || !c.mod(p.bits).equal(m.c) {
			return false
		}
	}
	return true
}

// oneShot writes all digits of a group at once.
func (s *synth) oneShot(p *group, todo []digit, n int) error {
	t, err := s.split(p, n)
	if err != nil {
		return err
	}
	s.m.begin(n)
	var once, twice []product
	cross := 0
	for i, x := range t.prods {
		if x.x != x.y {
			cross++
		}
		if t.times[i] == 2 && x.row != none {
			twice = append(twice, x)
			continue
		}
		for range t.times[i] {
			once = append(once, x)
		}
	}
	if !s.how.twice && len(twice) > 0 && (len(twice) >= 3 || len(twice) == cross) {
		s.double(twice, n)
	} else {
		for _, x := range twice {
			once = append(once, x, x)
		}
	}
	if s.how.rows {
		slices.SortStableFunc(once, func(a, b product) int {
			if a.row != b.row {
				return int(a.row - b.row)
			}
			return a.c - b.c
		})
	} else {
		slices.SortStableFunc(once, func(a, b product) int { return a.c - b.c })
	}
	s.plain(t.plus)
	s.m.products(once, -1)
	ws := s.finish(0, n)
	for row := 0; slices.ContainsFunc(t.minus, func(w []word) bool { return len(w) > row }); row++ {
		ys := make([]word, n)
		for c, w := range t.minus {
			if len(w) > row {
				ys[c] = w[row]
			}
		}
		s.subtract(ws, ys)
	}
	for _, d := range todo {
		s.have[d.v] = ws[d.off/32]
	}
	return nil
}

// fillFrom takes a word for each place of an empty slot.
func (m *evenOdd) fillFrom(plus [][]word) {
	take := func(c int) (w word) {
		if c < len(plus) && len(plus[c]) > 0 {
			w, plus[c] = plus[c][0], plus[c][1:]
		}
		return w
	}
	for p := range 2 {
		for c := p; c < m.n; c += 2 {
			s := (c - p) / 2
			if !m.empty(p, s) {
				continue
			}
			lo, hi := take(c), take(c+1)
			top := uint64(maxWord)
			if !hi.zero() {
				top = ^uint64(0)
			}
			if !lo.zero() || !hi.zero() {
				m.fill(p, s, lo, hi, top)
			}
		}
	}
}

// double writes twice the sum of the products, and starts the sum with it.
func (s *synth) double(ps []product, n int) {
	s.m.products(ps, -1)
	low := n
	for _, x := range ps {
		low = min(low, x.c)
	}
	ws := s.finish(low, n)
	s.m.begin(n)
	ds := make([]word, n)
	prev := word{}
	var cin *ir.Value
	for i, w := range ws {
		switch {
		case prev.zero() && w.zero():
		case s.adds:
			ds[low+i], cin = s.plus(w, w, cin, low+i < n-1)
		case prev.zero():
			ds[low+i], _ = s.plus(w, w, nil, false)
		case w.zero():
			ds[low+i] = word{v: s.op1(ptx.Form{Op: ptx.Shr, T: ptx.U32}, s.reg(prev), s.k(31))}
		default:
			ds[low+i] = word{v: s.op1(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, Wrap: true, T: ptx.B32}, s.reg(prev), s.reg(w), s.k(1))}
		}
		prev = w
	}
	e, ok := s.m.(*evenOdd)
	for c := 0; c < n; c += 2 {
		lo, hi := ds[c], word{}
		if c+1 < n {
			hi = ds[c+1]
		}
		switch {
		case lo.zero() && hi.zero():
		case ok:
			e.fill(0, c/2, lo, hi, ^uint64(0))
		default:
			for i, w := range []word{lo, hi} {
				if x, ok := s.m.(*xmad); ok && !w.zero() {
					x.later(c+i, w)
				} else if !w.zero() {
					s.m.put(c+i, w)
				}
			}
		}
	}
}

func (s *synth) finish(from, to int) []word {
	s.m.flush(from)
	ws := make([][]word, to-from)
	for i := range ws {
		for _, w := range s.m.words(from + i) {
			if !w.zero() {
				ws[i] = append(ws[i], w)
			}
		}
	}
	return s.merge(ws)
}

// phase adds to the sum of a sequence what a group needs, and with each factor
// all products with it that can be computed; then the group's digit is there.
func (s *synth) phase(p *group, todo []digit, lowest, n int) error {
	for {
		var miss []id
		for _, m := range p.poly {
			if !s.done[m.v] {
				miss = append(miss, m.v)
			}
		}
		if len(miss) == 0 {
			break
		}
		row, err := s.rowOf(miss)
		if err != nil {
			return err
		}
		var ps []product
		for _, m := range s.sum.poly {
			if m.v == none || s.done[m.v] || s.g.at(m.v).kind != prod {
				continue
			}
			a, b := s.g.at(m.v).a, s.g.at(m.v).b
			if a != row && b != row || !s.there(a) || !s.there(b) {
				continue
			}
			k, ok := m.c.power()
			if !ok || k%32 != 0 {
				return errSequence
			}
			x, err := s.product(k/32, m.v)
			if err != nil {
				return err
			}
			x.row = row
			ps = append(ps, x)
			s.done[m.v], s.used[a], s.used[b] = true, true, true
		}
		if len(ps) == 0 {
			return errSequence
		}
		slices.SortStableFunc(ps, func(a, b product) int { return a.c - b.c })
		join := -1
		if ps[0].c > s.at {
			join, s.at = ps[0].c, ps[0].c
		}
		if e, ok := s.m.(*evenOdd); ok {
			e.first = 1 - ps[0].c%2 // the word that is wanted next comes last
		}
		s.m.products(ps, join)
		if x, ok := s.m.(*xmad); ok && x.bad != nil {
			return x.bad
		}
	}
	if p == s.sum {
		ws := s.finish(lowest, n)
		for _, d := range todo {
			s.have[d.v] = ws[d.off/32-lowest]
		}
		s.sum = nil
		return nil
	}
	if len(todo) != 1 || lowest != n-1 {
		return errSequence
	}
	w := s.m.low(lowest)
	if w.zero() {
		return errSequence
	}
	s.have[todo[0].v] = word{v: s.reg(w)}
	return nil
}

func (s *synth) there(v id) bool {
	if _, ok := s.have[v]; ok {
		return true
	}
	_, ok := s.g.isConst(v)
	return ok || s.g.at(v).kind == leaf
}

// rowOf chooses the factor with which the sequence goes on: one that it has not
// had, computed rather than given, and of most of the products that are missing.
func (s *synth) rowOf(miss []id) (id, error) {
	count := map[id]int{}
	best := none
	for _, v := range miss {
		if v == none || s.g.at(v).kind != prod {
			return none, errSequence
		}
		for _, x := range []id{s.g.at(v).a, s.g.at(v).b} {
			if !s.used[x] {
				count[x]++
			}
		}
	}
	for x, n := range count {
		if best == none {
			best = x
			continue
		}
		c, d := s.g.at(x).kind != leaf, s.g.at(best).kind != leaf
		switch {
		case c != d:
			if c {
				best = x
			}
		case n > count[best], n == count[best] && x > best:
			best = x
		}
	}
	if best == none {
		best = s.g.at(miss[0]).b
	}
	return best, nil
}

func newSynth(g *graph, class Class, how variant) *synth {
	c := newCode(g)
	s := &synth{code: c, how: how, g: g, adds: class == Kepler} // sm_20 and sm_30 have no funnel shift
	switch {
	case how.columns || class == GFX7:
		s.m = &columns{code: c, fused: how.form == fused}
	case class == Maxwell:
		s.m = &xmad{code: c}
	case class == Kepler, class == GFX6:
		s.m = &wordwise{code: c, rows: how.rows}
	case class == Generic:
		s.m = &scan{wordwise{code: c}}
	default:
		s.m = &evenOdd{code: c, form: how.form, rows: how.rows, lead: how.first}
	}
	return s
}
