package rechain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
)

// found is what Find says, as text.
func found(f *ir.Func, opt Options) (out []string) {
	for _, b := range f.Blocks {
		for _, x := range Find(b, Volta, opt) {
			s := x.Reason
			if x.Code != nil {
				s = x.Code.String()
				for _, p := range x.Params {
					s += " " + p.Name
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// A region like one before becomes the same; one that differs in a bound, an
// operand or what is wanted is worked out anew.
func TestAMemoChangesNothing(t *testing.T) {
	memo := NewMemo()
	all := kernels(t, "spec/nv/chains", "*128*")
	require.NotEmpty(t, all)
	for range 2 {
		for _, n := range names(all) {
			f := all[n]
			require.Equal(t, found(f, Options{}), found(f, Options{Memo: memo}), n)
			require.Equal(t, found(ir.Clone(f), Options{}), found(ir.Clone(f), Options{Memo: memo}), n)
		}
	}
	known := len(memo.known)
	require.GreaterOrEqual(t, known, len(all)/2)

	// Another operand: another shape.
	f := ir.Clone(all["mul128_rowlohi"])
	for _, v := range f.Blocks[0].Vals {
		if isProduct(v) && v.Args[0] != v.Args[1] {
			v.Args[0] = v.Args[1]
			break
		}
	}
	require.Equal(t, found(f, Options{}), found(f, Options{Memo: memo}))
	require.Greater(t, len(memo.known), known)
}
