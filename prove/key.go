package prove

// Trusted: which goals are equal up to renaming.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sync"

	"github.com/ptxlower/ptxlower/sem"
)

// Key is the same for goals that differ in nothing but the names of variables,
// parameters that nothing reads, and the order in which terms were made. It is
// a hash of 256 bits in hexadecimal.
func (g Goal) Key() string {
	sum := g.key()
	return hex.EncodeToString(sum[:])
}

func (g *Goal) key() [32]byte {
	w := keyWriter{number: map[*sem.Term]uint32{}}
	for _, ts := range [3][]*sem.Term{g.Want, g.Got, g.Assume} {
		w.put(uint64(len(ts)))
		for _, t := range ts {
			w.term(t)
			w.put(uint64(w.number[t]))
		}
	}
	return sha256.Sum256(w.buf)
}

// keyWriter numbers terms in the order in which a walk from the roots leaves
// them and writes each once.
type keyWriter struct {
	number map[*sem.Term]uint32
	vars   uint64
	buf    []byte
}

func (w *keyWriter) put(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }

func (w *keyWriter) term(t *sem.Term) {
	if _, ok := w.number[t]; ok {
		return
	}
	for _, a := range t.Args() {
		w.term(a)
	}
	w.number[t] = uint32(len(w.number))
	w.put(uint64(t.Op))
	w.put(uint64(t.W))
	switch t.Op {
	case sem.OpVar:
		w.put(w.vars)
		w.vars++
	case sem.OpConst, sem.OpExtract:
		w.put(t.K.Lo)
		w.put(t.K.Hi)
	}
	for _, a := range t.Args() {
		w.put(uint64(w.number[a]))
	}
}

// Cache keeps what was proved, so that goals and circuits that are equal up to
// renaming are proved once. It may be shared between goroutines; what it knows
// changes no answer, only its time and Result.Cached.
type Cache struct {
	mu       sync.Mutex
	goals    map[[32]byte]Method
	circuits map[[32]byte]bool
}

// NewCache is an empty Cache.
func NewCache() *Cache {
	return &Cache{goals: map[[32]byte]Method{}, circuits: map[[32]byte]bool{}}
}

// proved is the method by which a goal equal to g was proved.
func (c *Cache) proved(g Goal) (Method, bool) {
	if c == nil {
		return "", false
	}
	key := g.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.goals[key]
	return m, ok
}

func (c *Cache) remember(g Goal, r Result) {
	if c == nil || r.Status != Proved {
		return
	}
	key := g.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.goals[key] = r.Method
}

func (c *Cache) refutes(key [32]byte) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.circuits[key]
}

func (c *Cache) refuted(key [32]byte) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.circuits[key] = true
}
