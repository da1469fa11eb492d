package rechain

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
)

var classNames = map[Class]string{Generic: "generic", Kepler: "kepler", Maxwell: "maxwell", Volta: "volta",
	Geforce120: "geforce120", GFX6: "gfx6", GFX7: "gfx7"}

// single runs the pass on a function that is one region.
func single(t testing.TB, f *ir.Func, class Class, opt Options) Report {
	t.Helper()
	r := RunWith(f, class, opt)
	require.Len(t, r, 1)
	require.NoError(t, ir.Verify(f))
	return r[0]
}

func TestEveryLayoutBecomesTheSameFewOperations(t *testing.T) {
	products := "mul256_rowlohi mul256_u64row mul256_column mul256_evenodd mul256_wide64"
	squares := "sqr256_rowlohi sqr256_dbl sqr256_evenodd"
	for _, tt := range []struct {
		chains string
		folder string
		most   map[Class]int
	}{
		{products, "spec/nv/chains", map[Class]int{Volta: 86, Maxwell: 302, GFX7: 125, Kepler: 135, GFX6: 255, Generic: 120}},
		{"mul128_rowlohi mul128_u64row mul128_column mul128_evenodd mul128_wide64", "spec/nv/chains", map[Class]int{Volta: 26, Maxwell: 86, GFX7: 29}},
		{"mul64_rowlohi mul64_column mul64_evenodd mul64_wide64 mul64_u64row", "spec/nv/chains", map[Class]int{Volta: 8, Maxwell: 26, GFX7: 6}},
		{"rows8x32 mul4x64", "proto/rechain/in", map[Class]int{Volta: 86, Geforce120: 86, Maxwell: 302, GFX7: 125}},
		{squares, "spec/nv/chains", map[Class]int{Volta: 66, Geforce120: 66, Maxwell: 231, GFX7: 89, Kepler: 92}},
		{"mont256_rowlohi", "spec/nv/chains", map[Class]int{Volta: 184, Geforce120: 184, Maxwell: 691, GFX7: 263, Generic: 258}},
		{"mont8_cmp", "proto/rechain/in", map[Class]int{Volta: 193}},
		{"mul4x64_fold", "proto/rechain/in", map[Class]int{Volta: 120, Maxwell: 386}},
		{"mul512_rowlohi mul512_u64row mul512_column mul512_evenodd", "spec/nv/chains", map[Class]int{Volta: 302, Maxwell: 1118, GFX7: 509}},
		{"mulhi3x32 sqr3x32", "proto/rechain/in", map[Class]int{Volta: 16, GFX7: 15}},
		{"add4x64_fold", "proto/rechain/in", map[Class]int{Volta: 18}},
	} {
		for _, n := range strings.Fields(tt.chains) {
			f := kernels(t, tt.folder, n)[n]
			for class, most := range tt.most {
				g := ir.Clone(f)
				r := single(t, g, class, Options{})
				if !r.Changed { // it was as good
					r.After = r.Before
				}
				require.LessOrEqual(t, r.After.Ops, most, "%s %s: %s", n, classNames[class], r.Reason)
				got := pricesOf(class, Options{}).costOf(g.Blocks[0].Vals, g.Blocks[0].Args)
				require.LessOrEqual(t, got.Ops, most, "%s %s", n, classNames[class])
			}
		}
	}
}

// sameResults runs two functions on random and edge values.
func sameResults(t testing.TB, f, g *ir.Func, vectors int, facts Facts) {
	t.Helper()
	p, q := eval.CompileIR(f), eval.CompileIR(g)
	rnd := rand.New(rand.NewPCG(11, 12))
	for range vectors {
		in := inputs(rnd, f)
		for i, v := range f.Params {
			if facts != nil {
				if k, ok := facts(v); ok && k.Less(in[i]) {
					in[i] = k
				}
			}
		}
		want, err := p.Run(in, 10)
		require.NoError(t, err)
		got, err := q.Run(in, 10)
		require.NoError(t, err)
		require.Equal(t, want, got, "%s", f.Name)
	}
}

// liveCarries is the greatest number of carries that are live at once.
func liveCarries(f *ir.Func) int {
	b := f.Blocks[0]
	last := map[*ir.Value]int{}
	for i, v := range b.Vals {
		if v.Op != ir.Result {
			for _, a := range v.Args {
				last[a] = i
			}
		}
	}
	live, most := map[*ir.Value]bool{}, 0
	for i, v := range b.Vals {
		for a := range live {
			if last[a] <= i {
				delete(live, a)
			}
		}
		if v.Op == ir.Result && v.W == 1 && last[v] > i {
			live[v] = true
		}
		most = max(most, len(live))
	}
	return most
}

func TestNoChainGetsLongerOrWrong(t *testing.T) {
	changed := 0
	for _, folder := range []string{"spec/nv/chains", "proto/rechain/in"} {
		ks := kernels(t, folder, "*")
		for _, n := range names(ks) {
			for class := Generic; class < NumClasses; class++ {
				for _, reader := range []Reader{Selection, Ptxas70, Ptxas90, Ptxas120}[:1+3*btoi(class == Volta)] {
					f, g, h := ks[n], ir.Clone(ks[n]), ir.Clone(ks[n])
					before := pricesOf(class, Options{}).costOf(f.Blocks[0].Vals, f.Blocks[0].Args)
					for _, r := range RunWith(g, class, Options{For: reader}) {
						changed += btoi(r.Changed)
						if r.Changed {
							require.Less(t, r.After.Ops, r.Before.Ops)
							require.Empty(t, r.Reason)
							require.NotEmpty(t, r.Proof)
						} else {
							require.NotEmpty(t, r.Reason)
						}
					}
					require.NoError(t, ir.Verify(g))
					after := pricesOf(class, Options{}).costOf(g.Blocks[0].Vals, g.Blocks[0].Args)
					require.LessOrEqual(t, after.Ops, before.Ops, "%s %s", n, classNames[class])
					require.LessOrEqual(t, liveCarries(g), 6, "%s %s", n, classNames[class])
					sameResults(t, f, g, 40, nil)
					if class == Volta {
						RunWith(h, class, Options{For: reader})
						require.Equal(t, g.String(), h.String(), "two runs differ")
					}
				}
			}
		}
	}
	require.Greater(t, changed, 200)
}

func TestAdditionsAloneStay(t *testing.T) {
	for _, pattern := range []string{"add*", "sub*"} {
		for n, f := range kernels(t, "spec/nv/chains", pattern) {
			g := ir.Clone(f)
			require.Empty(t, Run(g, Volta), n)
			require.Equal(t, f.String(), g.String())
		}
	}
}

// A value in the middle that something outside needs, too, costs what it costs
// to compute it; the whole never gets longer, and never wrong.
func TestValuesInTheMiddleMayBeWanted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	rewritten, total := 0, 0
	for _, n := range []string{"mul128_rowlohi", "mul128_evenodd", "mul128_column", "mul128_u64row", "sqr128_dbl", "montstep256_rowlohi"} {
		f := kernels(t, "spec/nv/chains", n)[n]
		for range 30 {
			g := ir.Clone(f)
			b := g.Blocks[0]
			for range 1 + rnd.IntN(2) {
				v := b.Vals[rnd.IntN(len(b.Vals))]
				b.Args, g.Results = append(b.Args, v), append(g.Results, v.W)
			}
			for _, class := range []Class{Volta, GFX7} {
				h := ir.Clone(g)
				for _, r := range Run(h, class) {
					total++
					rewritten += btoi(r.Changed)
					require.NotContains(t, r.Reason, "fault")
				}
				require.NoError(t, ir.Verify(h))
				sameResults(t, g, h, 30, nil)
			}
		}
	}
	t.Logf("%d of %d rewritten", rewritten, total)
	require.Greater(t, rewritten, total/4)
}
