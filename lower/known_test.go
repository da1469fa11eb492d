package lower_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// What is known of a caught carry and of a masked word is what rules ask for.
func TestKnownOfCarriesAndMasks(t *testing.T) {
	f := ir.NewFunc("f")
	a, e, zero := f.Param("a", 32), f.Blocks[0], f.Const(sem.U(0), 32)
	cf := e.PTX(ptx.Form{Op: ptx.Add, CC: true, T: ptx.U32}, a, a)[1]
	caught := e.PTX(ptx.Form{Op: ptx.Addc, T: ptx.U32}, zero, zero, cf)[0]
	masked := e.PTX(ptx.Form{Op: ptx.And, T: ptx.B32}, a, f.Const(sem.U(0xffffff), 32))[0]
	e.Ret(caught, masked)
	known := lower.Known(f)
	for v, bits := range map[*ir.Value]int{caught: 1, masked: 24, a: 32} {
		k, ok := known(v)
		require.True(t, ok)
		require.True(t, k.FitsU(bits))
		require.False(t, k.FitsU(bits-1))
	}
	_, ok := known(ir.NewFunc("g").Param("a", 32))
	require.False(t, ok)
}

// What is known holds on runs of random sequences of all forms.
func TestKnownHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	forms := append(ptx.Behaviours(), ptx.Neighbours()...)
	for range 200 {
		f := ir.NewFunc("f")
		pool := map[int][]*ir.Value{}
		var ws []int
		for i, w := range []int{32, 32, 64, 16, 8, 1} {
			ws = append(ws, w)
			pool[w] = append(pool[w], f.Param("p"+strconv.Itoa(i), w))
		}
		var all []*ir.Value
		for range 12 {
			form := forms[r.IntN(len(forms))]
			var args []*ir.Value
			for _, w := range ir.ArgWidths(form) {
				if vs := pool[w]; len(vs) > 0 && r.IntN(4) > 0 {
					args = append(args, vs[r.IntN(len(vs))])
				} else {
					args = append(args, f.Const(sem.U(uint64(r.IntN(1<<r.IntN(20)))).Cut(w), w))
				}
			}
			for _, v := range f.Blocks[0].PTX(form, args...) {
				pool[v.W], all = append(pool[v.W], v), append(all, v)
			}
		}
		f.Blocks[0].Ret(all...)
		known := lower.Known(f)
		b := sem.NewBuilder()
		var params []*sem.Term
		for i, w := range ws {
			params = append(params, b.Var("p"+strconv.Itoa(i), w))
		}
		terms, err := eval.Terms(f, b, params)
		require.NoError(t, err)
		prog := sem.Compile(params, terms...)
		cols := eval.Vectors(ws, 50, r.Uint64())
		for l := range 50 {
			var in []sem.Val
			for _, c := range cols {
				in = append(in, sem.U(c.Lo[l]))
			}
			for i, got := range prog.Eval(in...) {
				k, ok := known(all[i])
				require.True(t, ok)
				require.True(t, k.Holds(got, all[i].W), "%v of\n%s", got, f)
			}
		}
	}
}
