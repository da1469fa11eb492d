package prove

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers are all small ones and those at the ends of words.
func numbers() []num {
	var out []num
	for v := int64(-20); v <= 20; v++ {
		out = append(out, small(v))
	}
	for _, e := range []uint{31, 32, 62, 63, 64, 65, 127, 128, 200} {
		for d := int64(-2); d <= 2; d++ {
			x := new(big.Int).Lsh(big.NewInt(1), e)
			out = append(out, fromBig(new(big.Int).Add(x, big.NewInt(d))), fromBig(new(big.Int).Sub(big.NewInt(d), x)))
		}
	}
	return append(out, small(math.MaxInt64), small(math.MinInt64))
}

func TestNumbersAreExactIntegers(t *testing.T) {
	all := numbers()
	for _, x := range all {
		a := x.Big()
		require.True(t, (x.big == nil) == a.IsInt64(), "%s", x)
		require.Zero(t, new(big.Int).Neg(a).Cmp(x.neg().Big()))
		require.Zero(t, new(big.Int).Abs(a).Cmp(x.abs().Big()))
		require.Equal(t, a.Sign(), x.sign())
		require.Equal(t, a.BitLen(), x.bitLen())
		require.Equal(t, a.Sign() == 0, x.isZero())
		if a.Sign() != 0 {
			require.Equal(t, a.TrailingZeroBits(), x.twos())
		}
		w := x.width()
		limit := new(big.Int).Lsh(big.NewInt(1), w)
		fits := func(l *big.Int) bool { return a.Cmp(l) < 0 && new(big.Int).Neg(l).Cmp(a) <= 0 }
		require.True(t, fits(limit), "%s", x)
		require.True(t, w == 0 || !fits(new(big.Int).Rsh(limit, 1)), "%s", x)
		for _, k := range []uint{0, 1, 5, 31, 32, 62, 63, 64, 65, 130} {
			require.Zero(t, new(big.Int).Lsh(a, k).Cmp(x.shl(k).Big()))
			require.Zero(t, new(big.Int).Rsh(a, k).Cmp(x.shr(k).Big()))
			m := new(big.Int).Mod(a, new(big.Int).Lsh(big.NewInt(1), k))
			require.Zero(t, m.Cmp(x.mod(k).Big()), "%s mod 2^%d", x, k)
			if a.Sign() >= 0 {
				require.Equal(t, a.Bit(int(k)), x.bit(int(k)))
			}
		}
		for _, y := range all {
			b := y.Big()
			require.Equal(t, a.Cmp(b), x.cmp(y))
			require.Equal(t, a.Cmp(b) == 0, x.equal(y))
			require.True(t, !x.equal(y) || x.hash() == y.hash())
			for _, got := range []struct {
				n    num
				want *big.Int
			}{
				{x.add(y), new(big.Int).Add(a, b)}, {x.sub(y), new(big.Int).Sub(a, b)}, {x.mul(y), new(big.Int).Mul(a, b)},
			} {
				require.Zero(t, got.want.Cmp(got.n.Big()), "%s, %s", x, y)
				require.Equal(t, got.want.IsInt64(), got.n.big == nil)
			}
		}
	}
}

func TestIntervalsHaveAllResults(t *testing.T) {
	for a := int64(-4); a <= 4; a++ {
		for b := a; b <= 4; b++ {
			r := interval{small(a), small(b)}
			for c := int64(-4); c <= 4; c++ {
				require.Equal(t, min(a*c, b*c), r.scale(small(c)).lo.v)
				require.Equal(t, max(a*c, b*c), r.scale(small(c)).hi.v)
				for d := c; d <= 4; d++ {
					s := interval{small(c), small(d)}
					require.Equal(t, interval{small(a + c), small(b + d)}, r.add(s))
					require.Equal(t, min(a*c, a*d, b*c, b*d), r.mul(s).lo.v)
					require.Equal(t, max(a*c, a*d, b*c, b*d), r.mul(s).hi.v)
					require.Equal(t, interval{small(max(a, c)), small(min(b, d))}, r.meet(s))
					require.Equal(t, interval{small(min(a, c)), small(max(b, d))}, r.hull(s))
					require.Equal(t, c <= a && b <= d, r.within(s))
				}
			}
			require.Equal(t, interval{small(a >> 1), small(b >> 1)}, r.floor(1))
			require.Equal(t, a >= 0 && b <= 1, r.isBit())
			require.Equal(t, b-a, r.size().v)
		}
	}
}
