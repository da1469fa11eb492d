package prove_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

func TestScratch(t *testing.T) {
	for _, target := range llvm.Targets() {
		for _, m := range []ptx.Model{ptx.ISA, ptx.PTXAS} {
			for i, fs := range [][]ptx.Form{ptx.Behaviours(), ptx.Neighbours()} {
				cnt := map[string]int{}
				tm := map[string]time.Duration{}
				var mx time.Duration
				var mxn string
				cache := prove.NewCache()
				start := time.Now()
				for _, f := range fs {
					g := formGoal(t, target, f, m)
					r := prove.Equal(g, prove.Options{Cache: cache})
					k := r.Status.String() + " " + string(r.Method)
					if r.Cached {
						k += " cached"
					}
					cnt[k]++
					tm[k] += r.Time
					if r.Time > mx {
						mx = r.Time
						mxn = g.Name
					}
					if r.Status != prove.Proved {
						fmt.Println(g.Name, r.Status, r.Reason, r.Counterexample, r.Time)
					}
				}
				fmt.Println(target.Name, m, i, time.Since(start), cnt, tm, mx, mxn)
			}
		}
	}
}
