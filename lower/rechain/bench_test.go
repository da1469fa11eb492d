package rechain

import (
	"testing"

	"github.com/ptxlower/ptxlower/ir"
)

func BenchmarkRun(b *testing.B) {
	for _, n := range []string{"mul256_rowlohi", "mul256_u64row", "mont256_rowlohi", "mul512_rowlohi"} {
		f := kernels(b, "spec/nv/chains", n)[n]
		b.Run(n, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Run(ir.Clone(f), Volta)
			}
		})
	}
}
