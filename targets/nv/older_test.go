package nv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func TestZZFirst(t *testing.T) {
	for _, tg := range nv.OlderTargets() {
		switch tg.Name {
		case "sm_10", "sm_20", "sm_35", "sm_50", "sm_60":
		default:
			continue
		}
		t.Run(tg.Name, func(t *testing.T) {
			bad := 0
			for _, m := range models {
				for i, f := range forms() {
					mm, err := eval.CheckForm(tg, f, m, 500, uint64(i))
					if err != nil || mm != nil {
						t.Errorf("%s (%s): %s %v", f.Name(), m, mm, err)
						if bad++; bad > 40 {
							return
						}
						continue
					}
					nf, _, err := tg.SelectForm(f, m)
					if err == nil {
						err = nf.Allocate(tg.Machine)
					}
					if err != nil {
						t.Errorf("%s (%s): %v", f.Name(), m, err)
						if bad++; bad > 40 {
							return
						}
						continue
					}
					b := sem.NewBuilder()
					var params []*sem.Term
					for j, w := range ir.ArgWidths(f) {
						params = append(params, b.Var(string("abcef"[j]), w))
					}
					got, err := eval.NativeTerms(nf, tg.Machine, b, params)
					require.NoError(t, err)
					want := f.Meaning(b, params, m)
					for j := range want {
						want[j] = b.Zext(want[j], got[j].W)
					}
					if mm := eval.Compare(params, want, got, nil, 200, uint64(i)); mm != nil {
						t.Errorf("%s (%s): allocated: %s", f.Name(), m, mm)
					}
				}
			}
		})
	}
}
