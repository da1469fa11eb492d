package rechain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/ir"
)

// rowProduct is a product of two numbers of n words, row by row: the low words
// of a row, then its high words.
func rowProduct(t testing.TB, n int) *ir.Func {
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	for i := range n {
		p("mul.lo.u32 r%d, a%d, b0;", i, i)
	}
	cc := func(first bool) string {
		if first {
			return ""
		}
		return "c"
	}
	for i := range n - 1 {
		p("mad%s.hi.cc.u32 r%d, a%d, b0, r%d;", cc(i == 0), i+1, i, i+1)
	}
	p("madc.hi.u32 r%d, a%d, b0, 0;", n, n-1)
	for j := 1; j < n; j++ {
		for i := range n {
			p("mad%s.lo.cc.u32 r%d, a%d, b%d, r%d;", cc(i == 0), i+j, i, j, i+j)
		}
		p("addc.u32 r%d, 0, 0;", n+j)
		for i := range n - 1 {
			p("mad%s.hi.cc.u32 r%d, a%d, b%d, r%d;", cc(i == 0), i+j+1, i, j, i+j+1)
		}
		p("madc.hi.u32 r%d, a%d, b%d, r%d;", n+j, n-1, j, n+j)
	}
	var outs []string
	for i := range 2 * n {
		outs = append(outs, fmt.Sprintf("r%d", i))
	}
	return flat(t, s.String(), outs...)
}
