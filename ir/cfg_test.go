package ir_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
)

// graphs are functions of any control flow, irreducible too, with blocks that
// nothing reaches.
var graphs = rapid.Custom(func(t *rapid.T) *ir.Func {
	f := ir.NewFunc("g")
	p := f.Param("p", 1)
	n := rapid.IntRange(1, 12).Draw(t, "blocks")
	for range n - 1 {
		f.NewBlock("")
	}
	for _, b := range f.Blocks {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		if n == 1 {
			kind = 0
		}
		to := func() *ir.Block { return f.Blocks[rapid.IntRange(1, n-1).Draw(t, "to")] }
		switch kind {
		case 0:
			b.Ret()
		case 1:
			b.Br(to())
		default:
			b.CondBr(p, to(), to())
		}
	}
	return f
})

// reached gives what a path from the start leads to that avoids a block.
func reached(start, without *ir.Block) map[*ir.Block]bool {
	seen := map[*ir.Block]bool{}
	var walk func(b *ir.Block)
	walk = func(b *ir.Block) {
		if b != without && !seen[b] {
			seen[b] = true
			for _, s := range b.Succs {
				walk(s)
			}
		}
	}
	walk(start)
	return seen
}

func TestABlockDominatesWhatIsNotReachedWithoutIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := graphs.Draw(t, "g")
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		d := ir.Dominators(f)
		all := reached(f.Blocks[0], nil)
		for _, x := range f.Blocks {
			without := reached(f.Blocks[0], x)
			require.Equal(t, all[x], d.Reachable(x))
			for _, y := range f.Blocks {
				if want := !without[y]; all[x] || !all[y] {
					require.Equal(t, want, d.Dominates(x, y), "%d, %d in\n%s", x.ID, y.ID, f)
				}
			}
			// The immediate dominator is the nearest strict one.
			i := d.IDom(x)
			require.Equal(t, all[x] && x != f.Blocks[0], i != nil)
			for _, y := range f.Blocks {
				if i != nil && y != x && all[y] && d.Dominates(y, x) {
					require.True(t, d.Dominates(y, i))
				}
			}
		}
	})
}

func TestReversePostorderVisitsPredecessorsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Acyclic).Draw(t, "f")
		seen := map[*ir.Block]bool{}
		for _, b := range ir.ReversePostorder(f) {
			for _, p := range b.Preds {
				require.True(t, seen[p])
			}
			seen[b] = true
		}
		require.Len(t, seen, len(f.Blocks))
	})
}

func TestReversePostorderListsWhatIsReachedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := graphs.Draw(t, "g")
		all := reached(f.Blocks[0], nil)
		for _, b := range ir.ReversePostorder(f) {
			require.True(t, all[b])
			delete(all, b)
		}
		require.Empty(t, all)
	})
}

func TestReversePostorderKeepsTheOrderOfSuccessors(t *testing.T) {
	f := parsed(t, sample)
	order := ""
	for _, b := range ir.ReversePostorder(f) {
		order += b.Name + " "
	}
	require.Equal(t, "entry yes no join ", order)
}

// A value is live at the end of a block if a path leads from there to a use and
// does not pass the definition.
func TestLivenessIsAPathToAUse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Loops).Draw(t, "f")
		live := ir.Live(f)
		vals := append([]*ir.Value(nil), f.Params...)
		for _, b := range f.Blocks {
			vals = append(vals, b.Vals...)
		}
		for _, v := range vals {
			in, out := map[*ir.Block]bool{}, map[*ir.Block]bool{}
			var liveOut func(b *ir.Block)
			liveIn := func(b *ir.Block) {
				if b != v.Block && !in[b] {
					in[b] = true
					for _, p := range b.Preds {
						liveOut(p)
					}
				}
			}
			liveOut = func(b *ir.Block) {
				if !out[b] {
					out[b] = true
					liveIn(b)
				}
			}
			for _, b := range f.Blocks {
				for _, u := range b.Vals {
					for i, a := range u.Args {
						if a == v && u.Op == ir.Phi {
							liveOut(b.Preds[i])
						} else if a == v {
							liveIn(b)
						}
					}
				}
				for _, a := range b.Args {
					if a == v {
						liveIn(b)
					}
				}
			}
			for _, b := range f.Blocks {
				if live.In[b.ID].Has(v.ID) != in[b] || live.Out[b.ID].Has(v.ID) != out[b] {
					t.Fatalf("%s in block %d: live %t, %t, want %t, %t\n%s", v, b.ID,
						live.In[b.ID].Has(v.ID), live.Out[b.ID].Has(v.ID), in[b], out[b], f)
				}
			}
		}
		for _, c := range f.Consts {
			for _, b := range f.Blocks {
				require.False(t, live.In[b.ID].Has(c.ID) || live.Out[b.ID].Has(c.ID))
			}
		}
	})
}

func TestBitSets(t *testing.T) {
	s, u := ir.NewBitSet(130), ir.NewBitSet(130)
	for _, i := range []int{0, 63, 64, 129} {
		s.Add(i)
	}
	s.Remove(63)
	u.Add(5)
	require.True(t, u.Union(s))
	require.False(t, u.Union(s))
	require.Equal(t, "true false true false", fmt.Sprint(u.Has(5), u.Has(63), u.Has(129), s.Has(5)))
	require.Equal(t, 4, u.Len())
}

func BenchmarkDominators(b *testing.B) {
	f := ir.NewFunc("f")
	p := f.Param("p", 1)
	last := f.Blocks[0]
	for range 10000 {
		x, y := f.NewBlock(""), f.NewBlock("")
		last.CondBr(p, x, y)
		x.Br(y)
		last = y
	}
	last.Ret()
	for b.Loop() {
		ir.Dominators(f)
	}
}
