package ptxlower_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/chains"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

// readChain reads a kernel of the specification material.
func readChain(t testing.TB, folder, name string) *chains.Chain {
	c, err := chains.Read(filepath.Join(testutil.Shared(t, folder), name+".ptx"))
	require.NoError(t, err)
	return c
}

// ops counts the operations of a listing: moves and what ends it left out.
func ops(listing string) int { return chains.Listing(listing).Ops }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Listings of our own: what the best layout takes, however the source is laid
// out. The listing is proved, line by line, as it is printed.
func TestListingsOfChainsAreAsShortAsTheBestLayout(t *testing.T) {
	for _, tt := range []struct {
		folder, chains string
		most           map[string]int
	}{
		{"spec/nv/chains", "mul256_rowlohi mul256_u64row mul256_column mul256_evenodd mul256_wide64", map[string]int{"sm_52": 302, "sm_70": 85, "sm_90": 85, "sm_120": 85, "gfx900": 125}},
		{"proto/rechain/in", "rows8x32 mul4x64", map[string]int{"sm_80": 85, "gfx900": 125}},
		{"spec/nv/chains", "mul128_rowlohi mul128_u64row", map[string]int{"sm_90": 25, "gfx1100": 29}},
		{"spec/nv/chains", "sqr256_rowlohi sqr256_dbl", map[string]int{"sm_62": 231, "sm_100": 65, "gfx906": 89}},
		{"spec/nv/chains", "mont256_rowlohi", map[string]int{"sm_35": 302, "sm_52": 691, "sm_70": 183, "sm_120": 183, "gfx600": 550, "gfx900": 263, "gfx1100": 263}},
		{"proto/rechain/in", "mul4x64_fold", map[string]int{"sm_52": 386, "sm_70": 117, "sm_120": 117}},
	} {
		for chain := range strings.FieldsSeq(tt.chains) {
			c := readChain(t, tt.folder, chain)
			for target, most := range tt.most {
				res, err := ptxlower.Lower(t.Context(), chain, []byte(c.Function("nvptx64-nvidia-cuda")), ptxlower.Options{
					Target: target, Emit: ptxlower.EmitAsm, Verify: ptxlower.VerifyProve})
				require.NoError(t, err, "%s %s: %v", chain, target, res.Diags)
				require.LessOrEqual(t, ops(string(res.Output)), most, "%s %s", chain, target)
			}
		}
	}
}

// mixed is the chain as a function in which other things happen on the way: some
// of the values in between are results, too, or change an input; and some
// statements stand in blocks of their own.
func mixed(c *chains.Chain, rnd *rand.Rand) string {
	var body strings.Builder
	var params, types, results []string
	in := map[string]string{}
	for _, r := range c.Ins {
		params = append(params, fmt.Sprintf("i%d %%%s", c.Bits[r], r))
		in[r] = "%" + r
	}
	result := func(bits int, v string) {
		types, results = append(types, fmt.Sprintf("i%d", bits)), append(results, v)
	}
	n := 0
	each := 3 + rnd.IntN(40)
	numbered := rnd.IntN(2) == 0
	is := c.Statements(&body, numbered, in, func(is map[string]string) {
		if n++; rnd.IntN(each) > 0 {
			return
		}
		var have []string // what is computed by now
		for r, v := range is {
			if in[r] == "" && c.Bits[r] == 32 {
				have = append(have, v)
			}
		}
		slices.Sort(have)
		if len(have) == 0 {
			return
		}
		v := have[rnd.IntN(len(have))]
		switch rnd.IntN(4) {
		case 0, 1:
			result(32, v)
		case 2:
			r := c.Ins[rnd.IntN(len(c.Ins))]
			if c.Bits[r] == 32 {
				fmt.Fprintf(&body, "  %%x%d = xor i32 %s, %s\n", n, is[r], v)
				is[r] = fmt.Sprintf("%%x%d", n)
			}
		case 3:
			fmt.Fprintf(&body, "  br label %%at%d\n\nat%d:\n", n, n)
		}
	})
	for _, r := range c.Outs {
		result(c.Bits[r], is[r])
	}
	typ := "{ " + strings.Join(types, ", ") + " }"
	var s strings.Builder
	fmt.Fprintf(&s, "target triple = \"nvptx64-nvidia-cuda\"\n\ndefine %s @f(%s) {\nentry:\n%s", typ, strings.Join(params, ", "), &body)
	agg := "undef"
	for i, v := range results {
		fmt.Fprintf(&s, "  %%agg%d = insertvalue %s %s, %s %s, %d\n", i, typ, agg, types[i], v, i)
		agg = fmt.Sprintf("%%agg%d", i)
	}
	fmt.Fprintf(&s, "  ret %s %s\n}\n", typ, agg)
	return s.String()
}

// Whatever happens around them, and whatever is wanted of their inside, chains
// compute what they did, in listings and as text.
func TestChainsAmongOtherThingsComputeWhatTheyDid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 26))
	rewritten := 0
	for _, name := range []string{"mul128_rowlohi", "mul128_u64row", "mul128_wide64", "mul128_evenodd", "sqr128_dbl", "montstep256_rowlohi"} {
		c := readChain(t, "spec/nv/chains", name)
		for range 10 {
			text := mixed(c, rnd)
			want, _ := whole(t, text, ptx.ISA)
			for _, target := range []string{"sm_52", "sm_80", "sm_120", "gfx900", "gfx942", "generic"} {
				out := string(lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM}).Output)
				rewritten += strings.Count(out, "ptxl.c0.r0 =") + strings.Count(out, "ptxl.c1.r0 =")
				got, _ := whole(t, out, ptx.ISA)
				require.NoError(t, differs(want, got, 60), "%s\n%s", text, out)
			}
			for _, target := range []string{"sm_80", "gfx900"} { // checked on vectors
				if target == "sm_80" || want.StraightLine() {
					lowered(t, text, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
				}
			}
		}
	}
	t.Logf("%d chains", rewritten)
	require.Greater(t, rewritten, 100)
}
