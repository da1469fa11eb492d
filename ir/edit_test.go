package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/irtest"
	"github.com/ptxlower/ptxlower/sem"
)

func TestACloneIsEqualAndApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Loops).Draw(t, "f")
		text := f.String()
		g := ir.Clone(f)
		require.NoError(t, ir.Verify(g))
		require.Equal(t, text, g.String())
		same(t, f, g)
		require.Equal(t, f.NumValues(), g.NumValues())

		// What happens to the clone leaves the original as it was.
		k := g.Const(sem.U(1234567), 32)
		require.Same(t, k, g.Const(sem.U(1234567), 32))
		for _, b := range g.Blocks {
			b.Name, b.Term, b.Succs, b.Preds = "gone", ir.Unreachable, nil, nil
			for _, v := range b.Vals {
				v.Args, v.Name = nil, "gone"
			}
			b.Vals, b.Args = nil, nil
		}
		require.Equal(t, text, f.String())
		require.NoError(t, ir.Verify(f))
	})
}

func TestConstantsOfACloneAreInterned(t *testing.T) {
	f := ir.NewFunc("f")
	f.Const(sem.U(7), 32)
	f.Undef(8)
	g := ir.Clone(f)
	require.Same(t, g.Consts[0], g.Const(sem.U(7), 32))
	require.Same(t, g.Consts[1], g.Undef(8))
	require.NotSame(t, f.Consts[0], g.Consts[0])
}

func TestReplaceUsesFollowsChains(t *testing.T) {
	f := parsed(t, sample)
	a, s, n := named(f, "a"), named(f, "s"), named(f, "n")
	ir.ReplaceUses(f, map[*ir.Value]*ir.Value{n: s, s: a, named(f, "c"): named(f, "p")})
	require.NoError(t, ir.Verify(f))
	require.Equal(t, 4, ir.RemoveDead(f))
	require.Equal(t, `func @f(%a: i32, %p: i1) -> (i32, i1) {
entry:
  condbr %p, yes, no
yes:
  %w: i64 = zext %a
  %t: i32 = trunc %w
  br join
no:
  br join
join:
  %r: i32 = phi [%t, yes], [%a, no]
  ret %r, %p
}
`, f.String())
}

func TestReplacingInACircleEnds(t *testing.T) {
	f := parsed(t, sample)
	a, s := named(f, "a"), named(f, "s")
	ir.ReplaceUses(f, map[*ir.Value]*ir.Value{a: s, s: a})
}

func TestPhisThatFeedEachOtherAreDead(t *testing.T) {
	f := parsed(t, `func @f(%n: i8) -> (i8) {
entry:
  br loop
loop:
  %i: i8 = phi [0, entry], [%j, loop]
  %x: i8 = phi [1, entry], [%y, loop]
  %y: i8 = mul %x, %i
  %j: i8 = add %i, 1
  %m: i1 = icmp ult %j, %n
  condbr %m, loop, done
done:
  ret %i
}
`)
	require.Equal(t, 2, ir.RemoveDead(f))
	require.NoError(t, ir.Verify(f))
	require.Zero(t, ir.RemoveDead(f))
}

func TestOneOfSeveralResultsKeepsItsForm(t *testing.T) {
	f := parsed(t, `func @f(%a: i32) -> (i1) {
entry:
  %1, %2 = add.cc.u32 %a, 1
  %3, %4 = add.cc.u32 %a, 2
  ret %2
}
`)
	require.Equal(t, 2, ir.RemoveDead(f))
	require.NoError(t, ir.Verify(f))
	require.Len(t, f.Blocks[0].Vals, 2)
}

func TestOnlyWhatIsNeededStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := irtest.Funcs(irtest.Loops).Draw(t, "f")
		ir.RemoveDead(f)
		require.NoError(t, ir.Verify(f))
		used := map[*ir.Value]bool{}
		for _, b := range f.Blocks {
			for _, v := range b.Vals {
				for _, a := range v.Args {
					used[a] = used[a] || a != v
				}
			}
			for _, a := range b.Args {
				used[a] = true
			}
		}
		for _, b := range f.Blocks {
			for _, v := range b.Vals {
				require.True(t, used[v], "%s\n%s", v, f)
			}
		}
	})
}

func TestWhatIsNotReachedIsRemoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := graphs.Draw(t, "g")
		for _, b := range f.Blocks { // phis must follow
			if len(b.Preds) > 0 {
				v := b.Phi(16)
				for _, p := range b.Preds {
					v.Args = append(v.Args, f.Const(sem.U(uint64(p.ID)), 16))
				}
			}
		}
		require.NoError(t, ir.Verify(f))
		all := reached(f.Blocks[0], nil)
		from := map[*ir.Block]uint64{}
		for _, b := range f.Blocks {
			from[b] = uint64(b.ID)
		}
		require.Equal(t, len(f.Blocks)-len(all), ir.RemoveUnreachable(f))
		require.NoError(t, ir.Verify(f))
		require.Len(t, f.Blocks, len(all))
		for _, b := range f.Blocks {
			require.True(t, all[b])
			for i, p := range b.Preds {
				require.Equal(t, from[p], b.Vals[0].Args[i].K.Lo)
			}
		}
	})
}
