package ptxlower_test

import (
	"context"
	"testing"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ir/ll/lltest"
)

// BenchmarkLowerLLVM lowers a 10 MB module made of the corpus.
func BenchmarkLowerLLVM(b *testing.B) {
	src := lltest.Big(b, 10<<20)
	for _, verify := range []ptxlower.Verify{ptxlower.VerifyRun, ptxlower.VerifyOff} {
		b.Run("verify="+string(verify), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := ptxlower.Lower(context.Background(), "big.ll", src,
					ptxlower.Options{Target: "sm_70", Emit: ptxlower.EmitLLVM, Verify: verify})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
