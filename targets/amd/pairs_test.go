package amd_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

// pair is mad.lo.cc and madc.hi of the same factors, with more between them if
// they are not adjacent, which the last result then is of.
func pair(row string, apart bool) *ir.Func {
	fn := ir.NewFunc("pair")
	b := fn.Blocks[0]
	x, y, c0, c1 := fn.Param("x", 32), fn.Param("y", 32), fn.Param("c0", 32), fn.Param("c1", 32)
	low := ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32, CC: true}
	args := []*ir.Value{x, y, c0}
	if row == "madc_pair_lohi_cc" {
		low.Op = ptx.Madc
		args = append(args, fn.Param("e", 1))
	}
	lo := b.PTX(low, args...)
	fn.Results = []int{32, 32}
	var between []*ir.Value
	if apart {
		between = b.PTX(ptx.Form{Op: ptx.Xor, T: ptx.B32}, x, c1)
		fn.Results = append(fn.Results, 32)
	}
	high := ptx.Form{Op: ptx.Madc, Mode: ptx.Hi, T: ptx.U32, CC: strings.HasSuffix(row, "_cc")}
	hi := b.PTX(high, x, y, c1, lo[1])
	ret := append([]*ir.Value{lo[0], hi[0]}, between...)
	if high.CC {
		ret, fn.Results = append(ret, hi[1]), append(fn.Results, 1)
	}
	b.Ret(ret...)
	return fn
}

func TestPairsOfLowAndHighAreOneMultiplyAdd(t *testing.T) {
	n := 0
	for _, row := range testutil.CSV(t, "spec/amd/counts_hand.csv") {
		if row["kind"] != "pair" {
			continue
		}
		n++
		best, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		for _, apart := range []bool{false, true} {
			limit := best
			if apart {
				limit++
			}
			tg := target(t, row["target"])
			f := lower.Run(pair(row["form"], apart), true, tg.Has, nil)
			nf, err := tg.SelectPart(f, nil)
			require.NoError(t, err)
			ops, _ := nf.Count()
			if ops > limit {
				t.Errorf("%s %s, apart %v: %d ops, by hand %d: %s", tg.Name, row["form"], apart, ops, limit, row["sequence"])
			}
		}
	}
	require.Equal(t, 48, n)
}
