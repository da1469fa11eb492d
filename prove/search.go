package prove

// Trusted: that a refutation counts only when it is checked.

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/ptxlower/ptxlower/sem"
)

// search is how a circuit was decided.
type search struct {
	Words     []unknownWord
	Shared    int // terms that share the bits of another
	Ties      int // facts that tie bits
	Gates     int // in the cone of the goal
	Clauses   int
	Conflicts int
	Steps     int  // of the checked refutation
	Known     bool // the same circuit was refuted before
	Cases     int
}

// decide looks for an input that makes all roots 1. A refutation is replayed by
// the checker before it counts; a solution is given as the values of signals.
func (c *circuit) decide(run *search, roots []lit, conflicts int, cache *Cache) (verdict, func(lit) bool, error) {
	order, number := c.cone(roots...)
	run.Gates = len(order)
	key := c.key(order, number, roots, conflicts)
	if cache.refutes(key) {
		run.Known = true
		return unsatisfiable, nil, nil
	}
	f := c.clauses(order, number, roots...)
	run.Clauses = f.len()
	s := newSolver(f)
	// A conflict visits some hundred clauses; more work than that counts, too.
	v := s.solve(conflicts, 4000*conflicts)
	run.Conflicts, run.Steps = s.conflicts, s.proof.steps.len()
	if v == unsatisfiable {
		if !s.proof.check() {
			return v, nil, errors.New("a refutation does not hold")
		}
		cache.refuted(key)
	}
	at := func(l lit) bool {
		n := number[l.gate()]
		return (n > 0 && s.value(n)) != (l&1 == 1)
	}
	return v, at, nil
}

// values are the variables' values where lits have those given.
func (h *hybrid) values(at func(lit) bool) map[string]sem.Val {
	env := map[string]sem.Val{}
	for _, t := range h.order {
		if t.Op != sem.OpVar {
			continue
		}
		var v sem.Val
		for i, l := range h.bits[t] {
			if l == yes || l != no && at(l) {
				v = v.Or(sem.U(1).Shl(uint64(i)))
			}
		}
		env[t.Name] = v
	}
	return env
}

// key is equal for cones of one shape, whatever their inputs are, and the same
// limit, so that what is known of one is what would be found of the other.
func (c *circuit) key(order []int, number []int32, roots []lit, conflicts int) [32]byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 16*len(order)), uint64(conflicts))
	put := func(l lit) {
		b = binary.LittleEndian.AppendUint32(b, uint32(number[l.gate()])<<1|uint32(l&1))
	}
	for _, g := range order {
		x := c.gates[g]
		op := byte(x.op)
		if g == 0 { // the constant is no input
			op = 255
		}
		b = append(b, op)
		for _, l := range [...]lit{x.a, x.b, x.c} {
			put(l)
		}
	}
	for _, r := range roots {
		put(r)
	}
	return sha256.Sum256(b)
}
