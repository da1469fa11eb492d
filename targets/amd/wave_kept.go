package amd

import (
	"fmt"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/sem"
)

// RunWave runs the listing of a function on the parameters of each lane and gives
// each lane's results, of the bits in results; both lie in registers one behind
// the other, narrow ones zero-extended. It runs twice: with all lanes, and called
// by every other lane. The error is that of a listing that cannot be read, that has
// not returned after a number of lines, that returns with other lanes than it was
// called with or without what a callee keeps, or whose results depend on which
// lanes are active.
func RunWave(t *isel.Target, listing string, params []Passed, in [][]sem.Val, results []int, most int) ([][]sem.Val, error) {
	all := uint64(1)<<len(in) - 1
	out, err := runWave(t, listing, params, in, all, results, most)
	if err != nil {
		return nil, err
	}
	const even = 0x5555555555555555
	some, err := runWave(t, listing, params, in, all&even, results, most)
	if err != nil {
		return nil, fmt.Errorf("called by every other lane: %w", err)
	}
	for l := 0; l < len(in); l += 2 {
		for i := range results {
			if out[l][i] != some[l][i] {
				return nil, fmt.Errorf("lane %d has the result %v if all lanes are active, %v if every other is", l, out[l][i], some[l][i])
			}
		}
	}
	return out, nil
}

// kept is the error of a function that overwrites what its caller wants kept:
// registers of lanes that did not call it, VGPRs v40–47, v56–63 …, and SGPRs s30–39,
// s48–55 … (seen: what llc 22 saves).
func (w *wave) kept(active uint64, vgprs [][256]uint32, sgprs map[int16]uint32) error {
	for l, r := range w.vgprs {
		for n, x := range r {
			switch {
			case x == vgprs[l][n]:
			case active>>l&1 == 0:
				return fmt.Errorf("v%d of lane %d is overwritten, which did not call the function", n, l)
			case n >= 40 && n&8 != 0:
				return fmt.Errorf("v%d is overwritten, which its caller wants kept", n)
			}
		}
	}
	for n := int16(30); n < 106; n++ {
		if (n < 40 || n >= 48 && n&8 == 0) && w.sgprs[n] != sgprs[n] {
			return fmt.Errorf("s%d is overwritten, which its caller wants kept", n)
		}
	}
	return nil
}
