package llvm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// lowered is a function that computes one form of its parameters.
func lowered(t testing.TB, target *isel.Target, f ptx.Form, m ptx.Model) *mach.Func {
	fn := ir.NewFunc("f")
	fn.Model = m
	var args []*ir.Value
	for n, w := range ir.ArgWidths(f) {
		args = append(args, fn.Param(string(rune('a'+n)), w))
	}
	b := fn.Blocks[0]
	b.Ret(b.PTX(f, args...)...)
	out, err := target.Select(fn, nil)
	require.NoError(t, err)
	return out
}
