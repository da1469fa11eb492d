package prove

import "slices"

// solver decides formulas by conflict-driven clause learning: two watched
// literals, activities, saved phases, Luby restarts. It is deterministic: no
// clock, no map order, no random numbers. It is not trusted: a refutation comes
// with a hint for each step, which proof.check replays.
type solver struct {
	f       *formula
	vals    []int8 // by literal: 1 true, −1 false, 0 unknown
	level   []int32
	reason  []int32 // clause, −1 for none
	pos     []int32 // on the trail
	unit    []int32 // the clause that fixes a variable at level 0, −1 for none
	fixed   int     // of the trail, how much has such a clause
	trail   []uint32
	levels  []int32 // trail length at each decision
	head    int
	watches [][]watch
	clauses []clause
	lits    []uint32

	activity []float64
	bump     float64
	heap     []uint32 // of variables
	at       []int32  // in heap, −1 outside
	phase    []uint8

	learnts   []int32
	seen      []uint8
	toClear   []uint32
	chain     []link
	proof     proof
	conflicts int
	ticks     int // clauses visited
}

type clause struct {
	start, n int32
	lbd      int32
	act      float32
	gone     bool
}

type watch struct {
	clause  int32
	blocker uint32
}

// link is a clause used in a derivation and the trail position it implies.
type link struct{ pos, clause int32 }

// verdict is what became of a formula.
type verdict int8

const (
	unknownYet verdict = iota
	satisfiable
	unsatisfiable
)

func newSolver(f *formula) *solver {
	n := f.vars + 1
	s := &solver{
		f: f, vals: make([]int8, 2*n), level: make([]int32, n), reason: make([]int32, n), pos: make([]int32, n),
		unit: make([]int32, n), watches: make([][]watch, 2*n), activity: make([]float64, n), bump: 1,
		at: make([]int32, n), phase: make([]uint8, n), seen: make([]uint8, n),
		clauses: make([]clause, 0, f.len()), lits: slices.Clone(f.lits), proof: proof{f: f},
	}
	for v := range s.at {
		s.at[v], s.unit[v], s.phase[v] = -1, -1, 1
	}
	// One block for the first watches.
	count := make([]int32, 2*n)
	for i := range f.len() {
		if c := f.clause(i); len(c) > 1 {
			count[c[0]^1]++
			count[c[1]^1]++
		}
	}
	block := make([]watch, 2*f.len())
	for l, k := range count {
		s.watches[l], block = block[:0:k], block[k:]
	}
	for v := 1; v < n; v++ {
		s.heapPush(uint32(v))
	}
	return s
}

// solve searches until there is an answer or a limit is reached.
func (s *solver) solve(conflicts, ticks int) verdict {
	start := int32(0)
	for _, end := range s.f.ends {
		s.clauses = append(s.clauses, clause{start: start, n: end - start})
		start = end
	}
	for i := range s.f.ends {
		if !s.attach(int32(i)) {
			return s.refuted(int32(i))
		}
	}
	luby, restart := 0, 0
	for {
		if c := s.propagate(); c >= 0 {
			s.conflicts++
			if len(s.levels) == 0 {
				return s.refuted(c)
			}
			s.learn(c)
			s.bump /= 0.95
			if restart--; s.conflicts >= conflicts || s.ticks >= ticks {
				return unknownYet
			}
			continue
		}
		s.fix()
		if restart <= 0 {
			s.backTo(0)
			restart = 100 * lubyAt(luby)
			luby++
			if len(s.learnts) > 2000+s.conflicts/4 {
				s.forget()
			}
			continue
		}
		v := s.pick()
		if v == 0 {
			return satisfiable
		}
		s.levels = append(s.levels, int32(len(s.trail)))
		s.assign(v<<1|uint32(s.phase[v]), -1)
	}
}

// value is what a satisfying assignment gives variable v.
func (s *solver) value(v int32) bool { return s.vals[v<<1] > 0 }

// attach watches a clause or assigns its only literal; false is a conflict.
func (s *solver) attach(i int32) bool {
	c := s.of(i)
	switch {
	case len(c) == 0:
		return false
	case len(c) == 1:
		if s.vals[c[0]] < 0 {
			return false
		}
		if s.vals[c[0]] == 0 {
			s.assign(c[0], i)
			s.fix()
		}
		return true
	}
	// Literals that are false already must not be watched.
	for w := range 2 {
		for j := w; j < len(c); j++ {
			if s.vals[c[j]] >= 0 {
				c[w], c[j] = c[j], c[w]
				break
			}
		}
	}
	s.watch(i, c)
	if s.vals[c[1]] < 0 {
		if s.vals[c[0]] < 0 {
			return false
		}
		if s.vals[c[0]] == 0 {
			s.assign(c[0], i)
			s.fix()
		}
	}
	return true
}

func (s *solver) of(i int32) []uint32 {
	c := &s.clauses[i]
	return s.lits[c.start : c.start+c.n]
}

func (s *solver) watch(i int32, c []uint32) {
	s.watches[c[0]^1] = append(s.watches[c[0]^1], watch{i, c[1]})
	s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{i, c[0]})
}

func (s *solver) assign(l uint32, reason int32) {
	v := l >> 1
	s.vals[l], s.vals[l^1] = 1, -1
	s.level[v], s.reason[v], s.pos[v] = int32(len(s.levels)), reason, int32(len(s.trail))
	s.trail = append(s.trail, l)
}

// propagate assigns what follows; it gives a clause that is false, or −1.
func (s *solver) propagate() int32 {
	for s.head < len(s.trail) {
		l := s.trail[s.head] // now true: look at the clauses with ¬l
		s.head++
		ws := s.watches[l]
		s.ticks += len(ws) + 1
		keep := ws[:0]
		for k := 0; k < len(ws); k++ {
			w := ws[k]
			if s.vals[w.blocker] > 0 {
				keep = append(keep, w)
				continue
			}
			if s.clauses[w.clause].gone {
				continue
			}
			c := s.of(w.clause)
			if c[0] == l^1 {
				c[0], c[1] = c[1], c[0]
			}
			if s.vals[c[0]] > 0 {
				keep = append(keep, watch{w.clause, c[0]})
				continue
			}
			moved := false
			for j := 2; j < len(c); j++ {
				if s.vals[c[j]] >= 0 {
					c[1], c[j] = c[j], c[1]
					s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{w.clause, c[0]})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			keep = append(keep, watch{w.clause, c[0]})
			if s.vals[c[0]] < 0 {
				keep = append(keep, ws[k+1:]...)
				s.watches[l] = keep
				s.head = len(s.trail)
				return w.clause
			}
			s.assign(c[0], w.clause)
		}
		s.watches[l] = keep
	}
	return -1
}

// fix derives a unit clause for each literal that is new at level 0.
func (s *solver) fix() {
	if len(s.levels) > 0 {
		return
	}
	for ; s.fixed < len(s.trail); s.fixed++ {
		l := s.trail[s.fixed]
		r := s.reason[l>>1]
		if s.clauses[r].n == 1 {
			s.unit[l>>1] = r
			continue
		}
		s.proof.begin(l)
		for _, x := range s.of(r) {
			if x != l {
				s.proof.hint(s.unit[x>>1])
			}
		}
		s.proof.hint(r)
		s.unit[l>>1] = s.add([]uint32{l})
	}
}

// add numbers a clause that the proof has derived.
func (s *solver) add(ls []uint32) int32 {
	i := int32(len(s.clauses))
	s.clauses = append(s.clauses, clause{start: int32(len(s.lits)), n: int32(len(ls))})
	s.lits = append(s.lits, ls...)
	return i
}

// refuted derives the empty clause from one that is false at level 0.
func (s *solver) refuted(c int32) verdict {
	s.fix()
	s.proof.begin()
	for _, l := range s.of(c) {
		s.proof.hint(s.unit[l>>1])
	}
	s.proof.hint(c)
	return unsatisfiable
}

// learn derives the first-UIP clause of a conflict, minimizes it, goes back
// and asserts it.
func (s *solver) learn(conflict int32) {
	s.chain = s.chain[:0]
	learnt := []uint32{0}
	open, i := 0, len(s.trail)
	c := conflict
	var p uint32
	for {
		s.touch(c)
		for _, l := range s.of(c) {
			v := l >> 1
			if l == p || s.seen[v] != 0 {
				continue
			}
			s.mark(v, 1)
			if s.level[v] == 0 {
				continue
			}
			s.heat(v)
			if int(s.level[v]) == len(s.levels) {
				open++
			} else {
				learnt = append(learnt, l)
			}
		}
		for i--; s.seen[s.trail[i]>>1] == 0; i-- {
		}
		p = s.trail[i]
		if open--; open == 0 {
			break
		}
		c = s.reason[p>>1]
		s.chain = append(s.chain, link{s.pos[p>>1], c})
	}
	learnt[0] = p ^ 1
	kept := learnt[:1]
	for _, l := range learnt[1:] {
		if !s.redundant(l, 0) {
			kept = append(kept, l)
		}
	}
	learnt = kept

	// Hints: what is fixed, the reasons in the order of the trail, the conflict.
	s.proof.begin(learnt...)
	for _, v := range s.toClear {
		if s.level[v] == 0 {
			s.proof.hint(s.unit[v])
		}
	}
	slices.SortFunc(s.chain, func(a, b link) int { return int(a.pos) - int(b.pos) })
	for k, l := range s.chain {
		if k == 0 || l != s.chain[k-1] {
			s.proof.hint(l.clause)
		}
	}
	s.proof.hint(conflict)

	back := int32(0)
	for j := 1; j < len(learnt); j++ {
		if lv := s.level[learnt[j]>>1]; lv > back {
			back = lv
			learnt[1], learnt[j] = learnt[j], learnt[1]
		}
	}
	lbd := s.lbd(learnt)
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
	s.toClear = s.toClear[:0]
	s.backTo(int(back))
	id := s.add(learnt)
	if len(learnt) > 1 {
		s.clauses[id].lbd = lbd
		s.clauses[id].act = float32(s.conflicts)
		s.learnts = append(s.learnts, id)
		s.watch(id, s.of(id))
	}
	s.assign(learnt[0], id)
}

func (s *solver) mark(v uint32, m uint8) {
	if s.seen[v] == 0 {
		s.toClear = append(s.toClear, v)
	}
	s.seen[v] = m
}

// maxDeep limits the recursion of minimization.
const maxDeep = 200

// redundant reports that l follows from the other literals of the learnt
// clause. seen: 1 in the clause or resolved, 2 redundant, 3 not.
func (s *solver) redundant(l uint32, depth int) bool {
	r := s.reason[l>>1]
	if r < 0 || depth > maxDeep {
		return false
	}
	for _, x := range s.of(r) {
		v := x >> 1
		if v == l>>1 {
			continue
		}
		if s.level[v] == 0 {
			if s.seen[v] == 0 {
				s.mark(v, 1)
			}
			continue
		}
		switch s.seen[v] {
		case 1, 2:
		case 3:
			return false
		default:
			if !s.redundant(x, depth+1) {
				s.mark(v, 3)
				return false
			}
			s.mark(v, 2)
		}
	}
	s.chain = append(s.chain, link{s.pos[l>>1], r})
	return true
}

// lbd is the number of levels that a clause spans.
func (s *solver) lbd(c []uint32) int32 {
	n := int32(0)
	for i, l := range c {
		lv, fresh := s.level[l>>1], true
		for _, m := range c[:i] {
			if s.level[m>>1] == lv {
				fresh = false
				break
			}
		}
		if fresh {
			n++
		}
	}
	return n
}

func (s *solver) touch(c int32) { s.clauses[c].act = float32(s.conflicts) }

// forget drops the half of the learnt clauses that was used least, but those of
// two levels and those that are reasons.
func (s *solver) forget() {
	slices.SortStableFunc(s.learnts, func(i, j int32) int {
		a, b := &s.clauses[i], &s.clauses[j]
		if a.lbd != b.lbd {
			return int(a.lbd - b.lbd)
		}
		return int(b.act - a.act)
	})
	keep := s.learnts[:0]
	for k, i := range s.learnts {
		c := &s.clauses[i]
		if k < len(s.learnts)/2 || c.lbd <= 2 || s.reason[s.lits[c.start]>>1] == i {
			keep = append(keep, i)
			continue
		}
		c.gone = true
	}
	s.learnts = keep
}

func (s *solver) backTo(level int) {
	if len(s.levels) <= level {
		return
	}
	to := int(s.levels[level])
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		v := l >> 1
		s.vals[l], s.vals[l^1] = 0, 0
		s.phase[v] = uint8(l & 1)
		s.reason[v] = -1
		if s.at[v] < 0 {
			s.heapPush(v)
		}
	}
	s.trail = s.trail[:to]
	s.levels = s.levels[:level]
	s.head = to
}

// pick takes the unassigned variable of the highest activity; 0 if there is none.
func (s *solver) pick() uint32 {
	for len(s.heap) > 0 {
		v := s.heap[0]
		last := s.heap[len(s.heap)-1]
		s.heap = s.heap[:len(s.heap)-1]
		s.at[v] = -1
		if len(s.heap) > 0 {
			s.heap[0] = last
			s.at[last] = 0
			s.down(0)
		}
		if s.vals[v<<1] == 0 {
			return v
		}
	}
	return 0
}

func (s *solver) heat(v uint32) {
	s.activity[v] += s.bump
	if s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.bump *= 1e-100
	}
	if s.at[v] >= 0 {
		s.up(int(s.at[v]))
	}
}

// before orders the heap: by activity, later gates first among equals.
func (s *solver) before(a, b uint32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a > b
}

func (s *solver) heapPush(v uint32) {
	s.at[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.up(len(s.heap) - 1)
}

func (s *solver) up(i int) {
	v := s.heap[i]
	for i > 0 && s.before(v, s.heap[(i-1)/2]) {
		s.heap[i] = s.heap[(i-1)/2]
		s.at[s.heap[i]] = int32(i)
		i = (i - 1) / 2
	}
	s.heap[i] = v
	s.at[v] = int32(i)
}

func (s *solver) down(i int) {
	v := s.heap[i]
	for {
		j := 2*i + 1
		if j >= len(s.heap) {
			break
		}
		if j+1 < len(s.heap) && s.before(s.heap[j+1], s.heap[j]) {
			j++
		}
		if !s.before(s.heap[j], v) {
			break
		}
		s.heap[i] = s.heap[j]
		s.at[s.heap[i]] = int32(i)
		i = j
	}
	s.heap[i] = v
	s.at[v] = int32(i)
}

// lubyAt is element i of 1 1 2 1 1 2 4 1 1 2 ….
func lubyAt(i int) int {
	size, seq := 1, 0
	for size < i+1 {
		size, seq = 2*size+1, seq+1
	}
	for size-1 != i {
		size = (size - 1) / 2
		seq--
		i %= size
	}
	return 1 << seq
}
