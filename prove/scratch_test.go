package prove_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/llvm"
	"github.com/ptxlower/ptxlower/targets/nv"
)

func find(name string) *isel.Target {
	for _, x := range append(append(amd.Targets(), nv.Targets()...), llvm.Targets()...) {
		if x.Name == name {
			return x
		}
	}
	return nil
}

func TestShow(t *testing.T) {
	want := os.Getenv("FORM")
	m := ptx.ISA
	if os.Getenv("MODEL") == "ptxas" {
		m = ptx.PTXAS
	}
	for _, f := range append(ptx.Behaviours(), ptx.Neighbours()...) {
		if f.Name() == want || f.String() == want {
			g := formGoal(t, find(os.Getenv("TG")), f, m)
			var roots []*sem.Term
			var names []string
			for i := range g.Want {
				names = append(names, fmt.Sprint("want", i), fmt.Sprint("got", i))
				roots = append(roots, g.Want[i], g.Got[i])
			}
			fmt.Println(strings.Join(sem.DocLines(names, roots...), "\n"))
			k := prove.NewKernel(roots...)
			for i := range g.Want {
				fmt.Println(k.Text(k.Of(g.Want[i])))
				fmt.Println(k.Text(k.Of(g.Got[i])))
			}
			if os.Getenv("RUN") != "" {
				r := prove.Equal(g, prove.Options{Conflicts: 3000})
				fmt.Println(r.Status, r.Method, r.Reason, r.Time)
				fmt.Println(r.Certificate)
			}
		}
	}
}
