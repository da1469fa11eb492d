package ptxlower_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/targets/nv"
)

var operation = regexp.MustCompile(`(?m)^        (?:@\S+ )?([A-Z][\w.]+)`)

// ptxas joins the two products of a pair only where no other multiplication is
// between them; then the second and third bodies take it four.
func TestPairsOfProductsAreOneInstructionOfAListing(t *testing.T) {
	for _, c := range []struct {
		body string
		want string // its first words
		rest int    // instructions for what is not of the pair
	}{
		{"mad.lo.cc.u32 d,a,b,c; madc.hi.u32 e,a,b,f;", "IMAD.WIDE.U32", 0},
		{"mad.lo.cc.u32 d,a,b,c; mul.lo.u32 g,x,y; madc.hi.u32 e,a,b,f;", "IMAD.WIDE.U32", 1},
		{"mad.lo.cc.u32 d,a,b,c; mul.lo.u32 g,x,y; xor.b32 g,g,x; madc.hi.u32 e,b,a,f;", "IMAD.WIDE.U32", 2},
		{"mad.lo.cc.s32 d,a,b,c; madc.hi.s32 e,a,b,f;", "IMAD.WIDE", 0},
		{"mad.lo.cc.s32 d,a,b,c; mul.lo.s32 g,x,y; madc.hi.s32 e,a,b,f;", "IMAD.WIDE", 1},
		{"mad.lo.cc.u32 d,a,b,c; madc.hi.cc.u32 e,a,b,f; addc.u32 h,0,0;", "IMAD.WIDE.U32", 1},
		{"mad.lo.cc.u32 d,a,b,c; mul.lo.u32 g,x,y; madc.hi.cc.u32 e,a,b,f; addc.u32 h,0,0;", "IMAD.WIDE.U32", 2},
		{"mul.lo.u32 d,a,b; mul.lo.u32 g,x,y; mul.hi.u32 e,b,a;", "IMAD.WIDE.U32", 1},
	} {
		n := 0
		for _, tg := range nv.Targets() {
			if !tg.Features.Has(nv.PredCarry) {
				continue
			}
			n++
			res, err := ptxlower.LowerBody(t.Context(), c.body, ptxlower.Options{Target: tg.Name, Emit: ptxlower.EmitAsm})
			require.NoError(t, err, "%s on %s", c.body, tg.Name)
			ops, pairs := 0, 0
			for _, m := range operation.FindAllStringSubmatch(string(res.Output), -1) {
				switch {
				case m[1] == "MOV", strings.HasPrefix(m[1], "RET."):
				case m[1] == c.want:
					pairs++
					fallthrough
				default:
					ops++
				}
			}
			require.Equal(t, [2]int{1 + c.rest, 1}, [2]int{ops, pairs}, "%s on %s:\n%s", c.body, tg.Name, res.Output)
		}
		require.Equal(t, 14, n)
	}
}
