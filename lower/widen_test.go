package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

func TestLowsWithHighsAreTakenFromWideProducts(t *testing.T) {
	for _, signed := range []string{"mul.hi.u32", "mul.hi.s32"} {
		f := one(32, []int{32, 32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
			p := b.PTX(half("mul.lo.u32"), ps[0], ps[1])[0]
			x := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			y := b.PTX(half("madc.lo.u32"), ps[1], ps[0], x[0], x[1])[0]
			z := b.PTX(half("madc.lo.cc.u32"), ps[1], ps[2], y, x[1]) // no high half
			return b.New(ir.Add, 32, b.New(ir.Xor, 32, p, z[0]), b.PTX(half(signed), ps[0], ps[1])[0])
		})
		want := ir.Clone(f)
		lower.WidenLows(f, nil)
		require.NoError(t, ir.Verify(f))
		require.NoError(t, sample(want, f, 50))
		n := count(f)
		require.Equal(t, 3, n["mul.wide."+signed[7:]])
		require.Equal(t, 1, n["madc.lo.cc.u32"])
		require.Zero(t, n["mul.lo.u32"]+n["mad.lo.cc.u32"]+n["madc.lo.u32"])
	}
}

func TestHighsElsewhereCountToo(t *testing.T) {
	f := one(32, []int{32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return b.PTX(half("mul.lo.u32"), ps[0], ps[1])[0] })
	want := ir.Clone(f)
	lower.WidenLows(f, func(a, b *ir.Value) (ptx.Type, bool) { return ptx.U32, false })
	require.Equal(t, map[string]int{"mul.lo.u32": 1}, count(f))
	lower.WidenLows(f, func(a, b *ir.Value) (ptx.Type, bool) {
		return ptx.U32, a == f.Params[0] && b == f.Params[1]
	})
	require.NoError(t, ir.Verify(f))
	require.NoError(t, sample(want, f, 50))
	require.Equal(t, map[string]int{"mul.wide.u32": 1, "mov.b64 {d0, d1}, a": 1}, count(f))
}
