package llvm_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

var models = []ptx.Model{ptx.ISA, ptx.PTXAS}

// generic is the profile that is right and fair everywhere.
func generic() *isel.Target { return llvm.Targets()[0] }

func everyForm() []ptx.Form { return append(ptx.Behaviours(), ptx.Neighbours()...) }

// full reports that nothing is sampled.
func full() bool { return os.Getenv("PTXLOWER_FULL") != "" }

// sampled is every one of a list under PTXLOWER_FULL, else one in n.
func sampled[T any](list []T, n int) (some []T) {
	if full() {
		return list
	}
	for k := 0; k < len(list); k += n {
		some = append(some, list[k])
	}
	return some
}

// named is the form of a name.
func named(t testing.TB, name string) ptx.Form {
	t.Helper()
	for _, f := range everyForm() {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("there is no form %s", name)
	return ptx.Form{}
}

// single is a function that computes one form of its parameters a, b, c, …
func single(name string, f ptx.Form, m ptx.Model) *ir.Func {
	fn := ir.NewFunc(name)
	fn.Model = m
	var args []*ir.Value
	for n, w := range ir.ArgWidths(f) {
		args = append(args, fn.Param(string(rune('a'+n)), w))
	}
	b := fn.Blocks[0]
	b.Ret(b.PTX(f, args...)...)
	return fn
}

func selected(t testing.TB, target *isel.Target, fn *ir.Func) *mach.Func {
	t.Helper()
	out, err := target.Select(fn, nil)
	require.NoError(t, err)
	return out
}

func printed(t testing.TB, target *isel.Target, f *mach.Func) string {
	t.Helper()
	var sb strings.Builder
	require.NoError(t, target.Print(&sb, f))
	return sb.String()
}

// module collects functions and the declarations that they need.
type module struct {
	text     strings.Builder
	declares map[string]string
}

func (m *module) add(t testing.TB, target *isel.Target, f *mach.Func) {
	t.Helper()
	m.text.WriteString(printed(t, target, f))
	if m.declares == nil {
		m.declares = map[string]string{}
	}
	maps.Copy(m.declares, llvm.Declares(f))
}

func (m *module) String() string {
	var sb strings.Builder
	sb.WriteString(m.text.String())
	for _, name := range slices.Sorted(maps.Keys(m.declares)) {
		fmt.Fprintln(&sb, m.declares[name])
	}
	return sb.String()
}

// tool gives the output of a judge for a text on its standard input.
func tool(t testing.TB, input, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(judges.Need(t, name), args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s %s\n%s%s", name, args, out.String(), errs.String())
	return out.String()
}

// meaning compiles what a straight-line function of forms computes.
func meaning(f *ir.Func) *sem.Prog {
	b := sem.NewBuilder()
	vals := map[*ir.Value]*sem.Term{}
	var params, results, last []*sem.Term
	for _, p := range f.Params {
		vals[p] = b.Var(p.Name, p.W)
		params = append(params, vals[p])
	}
	for _, k := range f.Consts {
		vals[k] = b.Const(k.K, k.W)
	}
	for _, v := range f.Blocks[0].Vals {
		if v.Op == ir.Result {
			vals[v] = last[v.Index]
			continue
		}
		args := make([]*sem.Term, len(v.Args))
		for n, a := range v.Args {
			args[n] = vals[a]
		}
		last = v.Meaning(b, args, f.Model)
		vals[v] = last[0]
	}
	for _, v := range f.Blocks[0].Args {
		results = append(results, vals[v])
	}
	return sem.Compile(params, results...)
}
