package rechain

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

func runLoop(f *ir.Func, in []sem.Val) ([]sem.Val, error) { return eval.RunIR(f, in, 100) }

func rat(x num) *big.Rat {
	r := new(big.Rat).SetInt(x.mant())
	two := big.NewRat(2, 1)
	for range x.e {
		r.Mul(r, two)
	}
	for range -x.e {
		r.Quo(r, two)
	}
	return r
}

func TestNumbersAreExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func() num {
		m := int64(rnd.Uint64() >> rnd.IntN(64))
		if rnd.IntN(2) == 0 {
			m = -m
		}
		x := small(m)
		if rnd.IntN(3) == 0 {
			x = x.mul(small(int64(rnd.Uint64() >> rnd.IntN(64))))
		}
		return x.shl(rnd.IntN(200) - 100)
	}
	for range 3_000 {
		x, y := random(), random()
		require.Zero(t, rat(x.add(y)).Cmp(new(big.Rat).Add(rat(x), rat(y))), "%v + %v", x, y)
		require.Zero(t, rat(x.mul(y)).Cmp(new(big.Rat).Mul(rat(x), rat(y))), "%v · %v", x, y)
		require.Zero(t, rat(x.neg()).Cmp(new(big.Rat).Neg(rat(x))))
		require.Equal(t, rat(x).Sign(), x.sign())
		require.True(t, x.add(y).equal(y.add(x)))
		require.True(t, x.add(y).add(y.neg()).equal(x))
		if k := rnd.IntN(300); x.e >= 0 {
			m := new(big.Int).Mod(x.integer(), new(big.Int).Lsh(big.NewInt(1), uint(k)))
			require.Zero(t, rat(x.mod(k)).Cmp(new(big.Rat).SetInt(m)), "%v mod 2^%d", x, k)
		}
		if x.sign() > 0 && x.e >= 0 {
			for i := range 12 {
				w := new(big.Int).Rsh(x.integer(), uint(32*i))
				require.Equal(t, uint32(w.Uint64()), limb(x, i), "word %d of %v", i, x)
			}
			k := rnd.IntN(250)
			require.Equal(t, x.integer().BitLen() > k, atLeast(x, k))
		}
	}
}

func TestBoundsAreUpperBounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 2))
	top := new(big.Int).Lsh(big.NewInt(1), 128)
	same := func(want *big.Int, got bound) {
		if want.Cmp(top) >= 0 {
			require.True(t, got.inf)
		} else if !got.inf {
			require.Zero(t, want.Cmp(bigBound(got)))
		}
	}
	for range 20_000 {
		x := bound{hi: rnd.Uint64() >> rnd.IntN(64), lo: rnd.Uint64() >> rnd.IntN(64)}
		y := bound{hi: rnd.Uint64() >> rnd.IntN(64) >> rnd.IntN(64), lo: rnd.Uint64() >> rnd.IntN(64)}
		n := rnd.IntN(140)
		same(new(big.Int).Add(bigBound(x), bigBound(y)), x.add(y))
		same(new(big.Int).Mul(bigBound(x), bigBound(y)), x.times(y))
		same(new(big.Int).Lsh(bigBound(x), uint(n)), x.shl(n))
		same(new(big.Int).Rsh(bigBound(x), uint(n)), x.shr(n))
		same(new(big.Int).Mul(bigBound(x), fromUint(y.lo).integer()), x.scaled(fromUint(y.lo)))
		require.Equal(t, bigBound(x).Cmp(bigBound(y)) < 0, x.less(y))
		require.Equal(t, bigBound(x).BitLen(), x.bits())
	}
}

func TestChainsReadLikeMathematics(t *testing.T) {
	for _, tt := range []struct {
		folder, chain string
		at            int
		what, formula string
	}{
		{"spec/nv/chains", "mul256_rowlohi", 0, "256×256→512 product, 64 products",
			"%2 + %34·2^32 + … + %263·2^480 = (a0 + a1·2^32 + … + a7·2^224)·(b0 + b1·2^32 + … + b7·2^224)  (mod 2^512)"},
		{"spec/nv/chains", "mul128_u64row", 0, "128×128→256 product, 16 products",
			"%2.lo + %2.hi·2^32 + … + %17.hi·2^224 = (a0.lo + a0.hi·2^32 + a1.lo·2^64 + a1.hi·2^96)·(b0.lo + b0.hi·2^32 + b1.lo·2^64 + b1.hi·2^96)  (mod 2^256)"},
		{"spec/nv/chains", "sqr256_dbl", 0, "square of 256 bits, 36 products",
			"%163 + %164·2^32 + … + %192·2^480 = (a0 + a1·2^32 + … + a7·2^224)²  (mod 2^512)"},
		{"proto/rechain/in", "mulhi3x32", 0, "96×96→192 product, 9 products", "(a0 + a1·2^32 + a2·2^64)·(b0 + b1·2^32 + b2·2^64)  (mod 2^192)"},
		{"proto/rechain/in", "mul4x64_fold", 1, "sum of 2 numbers modulo 2^320, 0 products", "0x1000003d1·("},
		{"spec/nv/chains", "mont256_rowlohi", 16, "sum of 2 products of numbers modulo 2^544, 128 products",
			"(a0 + a1·2^32 + … + a7·2^224)·(b0 + b1·2^32 + … + b7·2^224)"},
	} {
		f := kernels(t, tt.folder, tt.chain)[tt.chain]
		r := single(t, ir.Clone(f), Volta, Options{})
		require.Greater(t, len(r.Chains), tt.at, tt.chain)
		require.Equal(t, tt.what, r.Chains[tt.at].String())
		require.Contains(t, r.Chains[tt.at].Formula(), tt.formula)
	}
}

// The parts that a chain is printed as are the polynomial: with any numbers for
// the names, both have one value.
func TestPartsOfAChainAreItsTerms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	chains := 0
	for _, folder := range []string{"spec/nv/chains", "proto/rechain/in"} {
		for n, f := range kernels(t, folder, "*") {
			for _, r := range Run(f, GFX7) {
				for _, c := range r.Chains {
					chains++
					is := map[string]*big.Int{}
					of := func(name string) *big.Int {
						if is[name] == nil {
							is[name] = new(big.Int).SetUint64(uint64(rnd.Uint32()))
						}
						return is[name]
					}
					sum := new(big.Int)
					for _, m := range c.Terms {
						x := new(big.Int).Set(m.Coef)
						for _, v := range m.Factors {
							x.Mul(x, of(v))
						}
						sum.Add(sum, x)
					}
					total := func(x number) *big.Int {
						s := new(big.Int)
						for _, p := range x {
							s.Add(s, new(big.Int).Lsh(of(p.name), uint(32*p.at)))
						}
						return s
					}
					for _, p := range c.parts {
						x := big.NewInt(-1)
						if p.minus {
							x.SetInt64(1)
						}
						if p.factor != nil {
							x.Mul(x, p.factor)
						}
						if p.x != nil {
							x.Mul(x, total(p.x))
						}
						if p.y != nil {
							x.Mul(x, total(p.y))
						}
						if p.square {
							x.Mul(x, total(p.x))
						}
						sum.Add(sum, x)
					}
					sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), uint(c.Bits)))
					require.Zero(t, sum.Sign(), "%s: %s", n, c.Formula())
				}
			}
		}
	}
	require.Greater(t, chains, 50)
}

// The other prover agrees, where it reaches.
func TestTheProverOfRulesAgrees(t *testing.T) {
	proved := 0
	for _, pattern := range []string{"mul64_[cerw]*", "sqr64_*", "sqr128_dbl"} {
		for n, f := range kernels(t, "spec/nv/chains", pattern) {
			for _, class := range []Class{Kepler, Volta, GFX7} {
				w, x := planned(t, f, class, variant{first: -1})
				require.NoError(t, w.prove())
				b := sem.NewBuilder()
				params, _, old, new := w.terms(b, x)
				r := prove.Equal(prove.Goal{Params: params, Want: old, Got: new}, prove.Options{Conflicts: -1})
				require.NotEqual(t, prove.Refuted, r.Status, "%s", n)
				proved += btoi(r.Status == prove.Proved)
			}
		}
	}
	t.Logf("%d proved", proved)
	require.GreaterOrEqual(t, proved, 9)
}

// Work grows with the operations that are read, not with their cube: 4 times as
// many for twice the bits.
func TestLongChainsAreReadInTime(t *testing.T) {
	visits := map[int]int{}
	for _, n := range []int{8, 16, 32, 64} {
		f := rowProduct(t, n)
		start := time.Now()
		r := single(t, f, GFX7, Options{})
		require.True(t, r.Changed, r.Reason)
		visits[n] = r.Visits
		t.Logf("%d bits: %d node visits, %v", 32*n, r.Visits, time.Since(start))
		if n > 8 {
			require.Less(t, visits[n], 5*visits[n/2])
		}
	}
	r := single(t, rowProduct(t, 32), Volta, Options{})
	require.LessOrEqual(t, r.After.Ops, 1118)
	require.Less(t, r.Visits, 150_000)
	// Too many registers for even and odd words: columns.
	r = single(t, rowProduct(t, 64), Volta, Options{})
	require.True(t, r.Changed, r.Reason)
	require.LessOrEqual(t, r.After.Regs, 240)
}

// Recognition, synthesis and proof, all together.
func TestChainsAreWrittenAgainInTime(t *testing.T) {
	for _, tt := range []struct {
		words int
		most  time.Duration
	}{{8, 50 * time.Millisecond}, {32, time.Second}, {64, time.Second}, {128, 5 * time.Second}} {
		f := rowProduct(t, tt.words)
		best := time.Hour
		for try := 0; try < max(4, 160/tt.words) && best > tt.most; try++ { // others use the machine, too
			g := ir.Clone(f)
			start := testutil.ProcessorTime(t)
			r := single(t, g, Volta, Options{Regs: 12 * tt.words}) // of 4,096 bits the operands alone are 256
			require.True(t, r.Changed, "%d bits: %s", 32*tt.words, r.Reason)
			best = min(best, testutil.ProcessorTime(t)-start)
		}
		t.Logf("%d bits: %v", 32*tt.words, best)
		require.LessOrEqual(t, best, tt.most)
	}
}

func TestPastTheLimitAChainStays(t *testing.T) {
	f := rowProduct(t, 16)
	g := ir.Clone(f)
	r := single(t, g, Volta, Options{Work: 3000})
	require.False(t, r.Changed)
	require.Equal(t, errLimit.Error(), r.Reason)
	require.Equal(t, f.String(), g.String())
}

// Nothing that reads a block is quadratic in what it has, whatever that is.
func TestLongRandomBlocksAreReadInTime(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	f := randomChain(rnd, 30_000)
	for _, v := range f.Blocks[0].Vals { // all of it is wanted
		f.Blocks[0].Args, f.Results = append(f.Blocks[0].Args, v), append(f.Results, v.W)
	}
	start := time.Now()
	rs := Run(f, Volta)
	require.NoError(t, ir.Verify(f))
	t.Logf("%d operations, %d regions, %v", len(f.Blocks[0].Vals), len(rs), time.Since(start))
	require.Less(t, time.Since(start), 30*time.Second) // takes 1
}

func TestWhatCostsTooManyRegistersStays(t *testing.T) {
	f := rowProduct(t, 8)
	g := ir.Clone(f)
	r := single(t, g, Volta, Options{Regs: 30})
	require.False(t, r.Changed)
	require.Contains(t, r.Reason, "registers")
	require.Equal(t, f.String(), g.String())
}

func TestASecondRunFindsNothing(t *testing.T) {
	for _, n := range []string{"mul256_rowlohi", "sqr256_rowlohi", "mont256_rowlohi"} {
		f := kernels(t, "spec/nv/chains", n)[n]
		require.True(t, single(t, f, Volta, Options{}).Changed)
		before := f.String()
		for _, r := range Run(f, Volta) {
			require.False(t, r.Changed, strings.Join([]string{n, r.Reason}, ": "))
		}
		require.Equal(t, before, f.String())
	}
}
