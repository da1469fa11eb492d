package amd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// nearLimits fills a, b and c so that ±a·b ± c lies within a few units of
// ±2^31·2^n, 2^32·2^n or 2^63, as near as a quotient can bring it, for words
// and for parts (the quotient is put in every part of b).
func nearLimits(lanes int, shr uint8, seed uint64) []sem.Col {
	r := rand.New(rand.NewPCG(seed, uint64(shr)))
	cols := make([]sem.Col, 3)
	for i := range cols {
		cols[i].Lo = make([]uint64, lanes)
	}
	for l := range lanes {
		a := r.Uint32() >> r.IntN(32)
		c := r.Uint32()
		switch r.IntN(4) {
		case 0:
			c = uint32(r.IntN(3)) - 1
		case 1:
			c = 1<<31 + uint32(r.IntN(3)) - 1
		}
		t := int64(1) << (31 + r.IntN(2) + int(shr))
		if r.IntN(8) == 0 {
			t = 1 << 62
		}
		if r.IntN(2) == 0 {
			t = -t
		}
		if r.IntN(2) == 0 {
			t -= int64(int32(c))
		} else {
			t += int64(int32(c))
		}
		d := int64(int32(a))
		if d == 0 || r.IntN(2) == 0 {
			d = int64(a) | 1
		}
		q := uint32(t/d) + uint32(r.IntN(5)) - 2
		switch r.IntN(3) {
		case 0:
			q = q & 0xff * 0x01010101
		case 1:
			q = q & 0xffff * 0x00010001
		}
		cols[0].Lo[l], cols[1].Lo[l], cols[2].Lo[l] = uint64(a), uint64(q), uint64(c)
	}
	return cols
}

func TestVmadAgreesNearItsLimits(t *testing.T) {
	const lanes = 3000
	in := map[uint8][]sem.Col{}
	for _, n := range []uint8{0, 7, 15} {
		in[n] = nearLimits(lanes, n, 11)
	}
	out := []sem.Col{{Lo: make([]uint64, lanes)}, {Lo: make([]uint64, lanes)}}
	sampled(t, 11, func(t *testing.T, tg *isel.Target, forms []ptx.Form) {
		for _, f := range forms {
			if f.Op != ptx.Vmad || !f.Sat {
				continue
			}
			for _, m := range models(f) {
				b := sem.NewBuilder()
				params := []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32)}
				c, err := tg.Choose(f, m, nil)
				require.NoError(t, err)
				want, got := f.Meaning(b, params, m)[0], c.Meaning(b, tg, params)[0]
				cols := in[f.Shr]
				sem.Compile(params, want, got).Run(cols, out)
				for l := range lanes {
					if out[0].Lo[l] != out[1].Lo[l] {
						t.Errorf("%s %v by %q: a=0x%x b=0x%x c=0x%x: want 0x%x, got 0x%x", f.Name(), m, c.Rule.Name, cols[0].Lo[l], cols[1].Lo[l], cols[2].Lo[l], out[0].Lo[l], out[1].Lo[l])
						break
					}
				}
			}
		}
	})
}
