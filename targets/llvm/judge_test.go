package llvm_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// lanes is the number of vectors on which each function runs.
const lanes = 64

// suite is a module of functions and a driver that runs each on all vectors and
// compares a hash of its results with that of what its form means.
type suite struct {
	module
	names []string // of the forms
	order []string // signatures, as they came
	table map[string]*group
}

// group is the functions of one signature.
type group struct {
	in, out []int // widths
	entries []entry
}

type entry struct {
	number int
	want   uint64
}

func vectors(ws []int) []sem.Col { return eval.Vectors(ws, lanes, 7) }

// fold is a step of the hash.
func fold(h, x uint64) uint64 { return (h ^ x) * 0x100000001b3 }

func expected(fn *ir.Func, in, out []int) uint64 {
	cols := make([]sem.Col, len(out))
	for n := range cols {
		cols[n].Lo = make([]uint64, lanes)
	}
	meaning(fn).Run(vectors(in), cols)
	h := uint64(0)
	for l := range lanes {
		for _, c := range cols {
			h = fold(h, c.Lo[l])
		}
	}
	return h
}

// newSuite has each form on each target in both models, each text once.
func newSuite(t testing.TB, forms []ptx.Form) *suite {
	s := &suite{table: map[string]*group{}}
	seen := map[string]bool{}
	for _, target := range llvm.Targets() {
		for _, m := range models {
			for _, f := range forms {
				fn := single("f", f, m)
				low := selected(t, target, fn)
				in, out := ir.ArgWidths(f), ir.ResultWidths(f)
				want := expected(fn, in, out)
				key := fmt.Sprint(want, printed(t, target, low))
				if seen[key] {
					continue
				}
				seen[key] = true
				s.addFunc(t, target, fn, low, in, out, fmt.Sprintf("%s %s %s", target.Name, f.Name(), m))
			}
		}
	}
	return s
}

// addFunc adds the code of a function of parameters and results of some widths.
func (s *suite) addFunc(t testing.TB, target *isel.Target, fn *ir.Func, low *mach.Func, in, out []int, name string) {
	low.Name = fmt.Sprintf("f%d", len(s.names))
	s.add(t, target, low)
	sig := fmt.Sprint(in, out)
	g := s.table[sig]
	if g == nil {
		g = &group{in: in, out: out}
		s.table[sig], s.order = g, append(s.order, sig)
	}
	g.entries = append(g.entries, entry{len(s.names), expected(fn, in, out)})
	s.names = append(s.names, name)
}

// driver has a main that prints the numbers of the wrong functions.
func (s *suite) driver() string {
	var sb strings.Builder
	sb.WriteString("declare i32 @printf(ptr, ...)\n@format = constant [4 x i8] c\"%d \\00\"\n")
	sb.WriteString("define i32 @main() {\n")
	for n := range s.order {
		fmt.Fprintf(&sb, "  call void @run%d()\n", n)
	}
	sb.WriteString("  ret i32 0\n}\n")
	for n, sig := range s.order {
		s.table[sig].runner(&sb, n)
	}
	return sb.String()
}

// runner is a loop over the functions of a signature around one over the lanes.
func (g *group) runner(sb *strings.Builder, n int) {
	list := func(name, ty string, xs []string) {
		fmt.Fprintf(sb, "@%s = constant [%d x %s] [%s]\n", name, len(xs), ty, strings.Join(xs, ", "))
	}
	var funcs, wants, numbers []string
	for _, e := range g.entries {
		funcs = append(funcs, fmt.Sprintf("ptr @f%d", e.number))
		wants = append(wants, fmt.Sprintf("i64 %d", int64(e.want)))
		numbers = append(numbers, fmt.Sprintf("i32 %d", e.number))
	}
	list(fmt.Sprintf("funcs%d", n), "ptr", funcs)
	list(fmt.Sprintf("wants%d", n), "i64", wants)
	list(fmt.Sprintf("numbers%d", n), "i32", numbers)
	for k, c := range vectors(g.in) {
		var xs []string
		for _, x := range c.Lo {
			xs = append(xs, fmt.Sprintf("i64 %d", int64(x)))
		}
		list(fmt.Sprintf("in%d.%d", n, k), "i64", xs)
	}

	p := func(format string, args ...any) { fmt.Fprintf(sb, format+"\n", args...) }
	at := func(to, ty, array, index string) { // to = array[index]
		p("  %%%s.p = getelementptr %s, ptr @%s, i64 %s", to, ty, array, index)
		p("  %%%s = load %s, ptr %%%s.p", to, ty, to)
	}
	p("define void @run%d() {\nentry:\n  br label %%func\nfunc:", n)
	p("  %%k = phi i64 [ 0, %%entry ], [ %%k1, %%next ]")
	at("f", "ptr", fmt.Sprintf("funcs%d", n), "%k")
	at("want", "i64", fmt.Sprintf("wants%d", n), "%k")
	p("  br label %%lane\nlane:\n  %%l = phi i64 [ 0, %%func ], [ %%l1, %%lane ]")
	p("  %%h0 = phi i64 [ 0, %%func ], [ %%h%d, %%lane ]", len(g.out))
	var args, types []string
	for k, w := range g.in {
		at(fmt.Sprintf("v%d", k), "i64", fmt.Sprintf("in%d.%d", n, k), "%l")
		args = append(args, fmt.Sprintf("i%d %s", w, resize(p, fmt.Sprintf("v%d", k), "trunc", 64, w)))
	}
	for _, w := range g.out {
		types = append(types, fmt.Sprintf("i%d", w))
	}
	ty := types[0]
	if len(types) > 1 {
		ty = "{ " + strings.Join(types, ", ") + " }"
	}
	p("  %%r0 = call %s %%f(%s)", ty, strings.Join(args, ", "))
	for k, w := range g.out {
		if len(types) > 1 {
			p("  %%s%d = extractvalue %s %%r0, %d", k, ty, k)
		} else {
			p("  %%s%d = add %s %%r0, 0", k, ty)
		}
		p("  %%x%d = xor i64 %%h%d, %s", k, k, resize(p, fmt.Sprintf("s%d", k), "zext", w, 64))
		p("  %%h%d = mul i64 %%x%d, 1099511628211", k+1, k)
	}
	p("  %%l1 = add i64 %%l, 1\n  %%more = icmp ult i64 %%l1, %d\n  br i1 %%more, label %%lane, label %%check", lanes)
	p("check:\n  %%ok = icmp eq i64 %%want, %%h%d\n  br i1 %%ok, label %%next, label %%wrong\nwrong:", len(g.out))
	at("number", "i32", fmt.Sprintf("numbers%d", n), "%k")
	p("  call i32 (ptr, ...) @printf(ptr @format, i32 %%number)\n  br label %%next\nnext:\n  %%k1 = add i64 %%k, 1")
	p("  %%again = icmp ult i64 %%k1, %d\n  br i1 %%again, label %%func, label %%out\nout:\n  ret void\n}", len(g.entries))
}

// resize converts %x between two widths.
func resize(p func(string, ...any), x, how string, from, to int) string {
	if from == to {
		return "%" + x
	}
	p("  %%%s.n = %s i%d %%%s to i%d", x, how, from, x, to)
	return "%" + x + ".n"
}

// wrong are the forms of the functions whose numbers the driver printed.
func (s *suite) wrong(t testing.TB, out string) (names []string) {
	for _, x := range strings.Fields(out) {
		n, err := strconv.Atoi(x)
		require.NoError(t, err)
		names = append(names, s.names[n])
	}
	return names
}

func TestEveryFormIsValidForAllVersionsAndRunsRight(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: all forms through LLVM's tools")
	}
	s := newSuite(t, sampled(everyForm(), 6))
	text := s.String()
	t.Logf("%d different functions", len(s.names))
	require.NotRegexp(t, `\b(nuw|nsw|exact|disjoint|nneg)\b`, text)
	for _, version := range []string{"14", "16", "19", "22"} {
		tool(t, text, "llvm-as-"+version, "-o", "/dev/null")
	}
	program := text + s.driver()
	require.Empty(t, s.wrong(t, tool(t, program, "lli-22", "-O0")))
	// What is poison only in part comes out when it is optimised.
	require.Empty(t, s.wrong(t, tool(t, tool(t, program, "opt-22", "-O2", "-S"), "lli-22", "-O0")))
}

func TestTheDriverFindsWrongFunctions(t *testing.T) {
	s := newSuite(t, []ptx.Form{named(t, "add.u32"), named(t, "addc.cc.u64"), named(t, "min.s16")})
	for _, g := range s.table {
		if len(g.out) == 2 {
			g.entries[0].want++
		}
	}
	require.Equal(t, []string{"generic addc.cc.u64 isa"}, s.wrong(t, tool(t, s.String()+s.driver(), "lli-22", "-O0")))
}
