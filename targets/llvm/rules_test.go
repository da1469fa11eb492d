package llvm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

var models = []ptx.Model{ptx.ISA, ptx.PTXAS}

func TestEveryRuleComputesWhatItsFormMeans(t *testing.T) {
	for _, target := range llvm.Targets() {
		for _, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
			for _, m := range models {
				bad, err := eval.CheckForm(target, f, m, 512, 1)
				require.NoError(t, err)
				require.Nil(t, bad, "%s %s %s: %v", target.Name, f.Name(), m, bad)
			}
		}
	}
}
