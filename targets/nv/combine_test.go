package nv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// carriesToOneWord adds a carry to a word, then n other carries come and go, and
// then a word and another carry are added to the sum; twice, if it is read twice.
func carriesToOneWord(n int, addend, twice bool) *ir.Func {
	f := ir.NewFunc("f")
	x, y, z := f.Param("x", 32), f.Param("y", 32), f.Param("z", 32)
	b := f.Blocks[0]
	zero := f.Const(x.K, 32)
	carry := func(u, v *ir.Value) *ir.Value { return b.PTX(ptx.Lookup("add.cc.u32").Form, u, v)[1] }
	addc := func(u, v, c *ir.Value) *ir.Value { return b.PTX(ptx.Lookup("addc.u32").Form, u, v, c)[0] }
	t := addc(x, zero, carry(x, y))
	var cs []*ir.Value
	for range n {
		z = b.PTX(ptx.Lookup("add.u32").Form, z, x)[0]
		cs = append(cs, carry(z, y))
	}
	other := zero
	if addend {
		other = z
	}
	d := addc(t, other, carry(y, z))
	sum := d
	for _, c := range cs {
		sum = addc(sum, sum, c)
	}
	if twice {
		sum = b.PTX(ptx.Lookup("xor.b32").Form, sum, t)[0]
	}
	f.Results = []int{32}
	b.Ret(sum)
	return f
}

// One instruction adds two carries to a sum that nothing else reads, unless that
// would need more predicates than there are.
func TestTwoCarriesAreAddedAtOnce(t *testing.T) {
	for _, name := range []string{"sm_70", "sm_90", "sm_120"} {
		tg := target(t, name)
		for _, tt := range []struct {
			n             int
			addend, twice bool
			want          int
		}{{0, false, false, 1}, {0, true, false, 1}, {3, true, false, 1}, {0, true, true, 0}, {12, true, false, 0}} {
			f := carriesToOneWord(tt.n, tt.addend, tt.twice)
			require.NoError(t, ir.Verify(f))
			nf, err := tg.Select(f, nil)
			require.NoError(t, err)
			n := 0
			for _, in := range nf.Blocks[0].Insts {
				if in.Op == nv.IADD3_XX {
					n++
				}
			}
			require.Equal(t, tt.want, n, "%s %+v", name, tt)
			require.NoError(t, nf.Allocate(tg.Machine))
			mm, err := eval.CheckLowering(f, nf, tg.Machine, 2000, 5)
			require.NoError(t, err)
			require.Nil(t, mm, "%s %+v: %s", name, tt, mm)
		}
	}
}
