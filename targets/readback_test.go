package targets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// formFunc is a form as a function of its sources and carry-in.
func formFunc(f ptx.Form, m ptx.Model) *ir.Func {
	fn := ir.NewFunc("f")
	fn.Model = m
	var args []*ir.Value
	for i, w := range ir.ArgWidths(f) {
		args = append(args, fn.Param(string("abcef"[i]), w))
	}
	out := fn.Blocks[0].PTX(f, args...)
	for _, v := range out {
		fn.Results = append(fn.Results, v.W)
	}
	fn.Blocks[0].Ret(out...)
	return fn
}

// classes are those in which values of some widths are passed.
func classes(t *isel.Target, ws []int) []mach.Class {
	var out []mach.Class
	for _, w := range ws {
		c, _ := t.Machine.ClassOf(max(w, 32))
		out = append(out, c)
	}
	return out
}

func TestEveryListingReadsBackAsWhatItSays(t *testing.T) {
	stride, _ := size()
	for n, tg := range representatives() {
		if tg.Machine.SSA {
			continue
		}
		t.Run(tg.Name, func(t *testing.T) {
			t.Parallel()
			r := mach.NewReader(*tg.Dialect, tg.Machine)
			all := forms()
			for i := n % stride; i < len(all); i += stride {
				readsBack(t, tg, r, all[i])
			}
		})
	}
}

func readsBack(t *testing.T, tg *isel.Target, r *mach.Reader, f ptx.Form) {
	src := formFunc(f, ptx.ISA)
	nf, err := tg.Select(src, nil)
	require.NoError(t, err)
	require.NoError(t, nf.Allocate(tg.Machine))
	var sb strings.Builder
	require.NoError(t, tg.Print(&sb, nf))
	lines := strings.Split(strings.TrimSpace(sb.String()), "\n")[1:]
	back, err := r.Read(lines, classes(tg, ir.ArgWidths(f)), classes(tg, src.Results))
	require.NoError(t, err, "%s %s\n%s", tg.Name, f.Name(), sb.String())
	mm, err := eval.CheckLowering(src, back, tg.Machine, 64, 7)
	require.NoError(t, err, "%s %s\n%s", tg.Name, f.Name(), sb.String())
	require.Nil(t, mm, "%s %s\n%s", tg.Name, f.Name(), sb.String())
}
