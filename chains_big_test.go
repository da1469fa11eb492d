package ptxlower_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/chains"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// behind is the chain as a function whose inputs lie behind the registers in
// which its results are returned.
func behind(c *chains.Chain) string {
	d := *c
	d.Bits, d.Ins = maps.Clone(c.Bits), nil
	for _, r := range c.Outs {
		d.Ins, d.Bits["no_"+r] = append(d.Ins, "no_"+r), c.Bits[r]
	}
	d.Ins = append(d.Ins, c.Ins...)
	return d.Function("nvptx64-nvidia-cuda")
}

var vectorOp = regexp.MustCompile(`(?m)^\s+(v_\w+) (\w+)`)

// vectorOps counts the vector instructions of a listing, moves included, and
// apart those at the end that only place results.
func vectorOps(listing string) (n, placing int) {
	found := vectorOp.FindAllStringSubmatch(listing, -1)
	for i := len(found) - 1; i >= 0 && found[i][1] == "v_mov_b32"; i-- {
		placing++
	}
	return len(found) - placing, placing
}

// The best sequences known by hand for products of 64, 128 and 256 bits, moves
// included. Where pairs lie anywhere and a result may lie on an input, the sums
// slide upwards through the registers of the results, and no copy is left to
// place those either. Sequences of gfx6 multiply low and high words apart.
func TestProductsOnAMDTakeNoMoreThanByHand(t *testing.T) {
	rows := 0
	for _, row := range testutil.CSV(t, "spec/amd/counts_hand.csv") {
		target, form := row["target"], row["form"]
		if row["kind"] != "big" {
			continue
		}
		if row["instrs"] == "" { // gfx600 2, 4, 8: no sequence by hand
			n, err := strconv.Atoi(form)
			if err != nil {
				form, target = target, form
				n, err = strconv.Atoi(form)
			}
			require.NoError(t, err, "%v", row)
			form, row["instrs"] = fmt.Sprintf("mul%dx%d", 32*n, 32*n), strconv.Itoa(4*n*n-1)
		}
		rows++
		bits, _, _ := strings.Cut(strings.TrimPrefix(form, "mul"), "x")
		most, err := strconv.Atoi(row["instrs"])
		require.NoError(t, err)
		for _, layout := range []string{"rowlohi", "column"} {
			c := readChain(t, "spec/nv/chains", "mul"+bits+"_"+layout)
			verify := ptxlower.VerifyRun
			if bits != "256" || slices.Contains([]string{"gfx900", "gfx90a", "gfx1100"}, target) {
				verify = ptxlower.VerifyProve
			}
			res := lowered(t, behind(c), ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm, Verify: verify})
			n, placing := vectorOps(string(res.Output))
			require.LessOrEqual(t, n, most, "%s %s %s", form, layout, target)
			if slices.Contains([]string{"gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx1010", "gfx1030", "gfx1150", "gfx1200", "gfx1201"}, target) {
				require.LessOrEqual(t, n+placing, most, "%s %s %s", form, layout, target)
			}
			if os.Getenv("PTXLOWER_FULL") == "" {
				break
			}
		}
	}
	require.GreaterOrEqual(t, rows, 48)
}
