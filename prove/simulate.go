package prove

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/ptxlower/ptxlower/sem"
)

// simulate checks the circuit on the values of all terms of the order for which
// the assumptions hold: every term's bits must be its value, and every fact
// must be 1. This has to succeed, whatever the terms are; the error names what
// is wrong with the prover.
func (h *hybrid) simulate(vals []sem.Col, lanes int) error {
	if lanes == 0 {
		return errors.New("no vector to simulate on")
	}
	for off := 0; off < lanes; off += 64 {
		m := min(64, lanes-off)
		in := make(map[int]uint64, len(h.free))
		columns := make([][]uint64, len(h.order))
		for i, t := range h.order {
			columns[i] = bitColumns(vals[i], t.W, off, m)
		}
		for g, at := range h.free {
			in[g] = columns[at[0]][at[1]]
		}
		out := h.c.simulate(in)
		at := func(l lit) uint64 { return out[l.gate()] ^ -uint64(l&1) }
		live := ^uint64(0) >> (64 - m)
		for _, l := range h.assumed {
			live &= at(l)
		}
		for i, t := range h.order {
			for j, l := range h.bits[t] {
				if bad := (at(l) ^ columns[i][j]) & live; bad != 0 {
					return fmt.Errorf("bit %d of %s is wrong", j, t)
				}
			}
		}
		for _, l := range h.facts {
			if bad := ^at(l) & live; bad != 0 {
				return fmt.Errorf("a fact is wrong on vector %d", off+bits.TrailingZeros64(bad))
			}
		}
	}
	return nil
}

// bitColumns are w words; bit l of word i is bit i of value off+l.
func bitColumns(c sem.Col, w, off, lanes int) []uint64 {
	out := make([]uint64, 0, 128)
	for _, part := range [2][]uint64{c.Lo, c.Hi} {
		if len(out) < w {
			var m [64]uint64
			copy(m[:], part[off:off+lanes])
			transpose(&m)
			out = append(out, m[:]...)
		}
	}
	return out[:w]
}

// transpose exchanges bit j of word i and bit i of word j.
func transpose(m *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for n := 32; n > 0; n, mask = n>>1, mask^mask<<(n>>1) {
		for i := 0; i < 64; i = (i + n + 1) &^ n {
			t := (m[i]>>n ^ m[i+n]) & mask
			m[i] ^= t << n
			m[i+n] ^= t
		}
	}
}
