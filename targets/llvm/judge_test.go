package llvm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// lanes is the number of vectors on which each function runs.
const lanes = 64

// signature is a list of parameter widths and of result widths.
type signature struct{ in, out string }

// suite collects functions that lli runs and compares with the forms' meanings.
type suite struct {
	module
	seen  map[string]bool
	table map[signature][]entry
	order []signature
}

type entry struct {
	name string
	want uint64 // hash of the results on all vectors
}

func widthList(ws []int) string { return strings.Trim(fmt.Sprint(ws), "[]") }

// vectors are the same for all functions with the same parameters.
func vectors(ws []int) []sem.Col { return eval.Vectors(ws, lanes, 7) }

// fold is the step of the hash, in Go and in the driver.
func fold(h, x uint64) uint64 { return (h ^ x) * 0x100000001b3 }

func (s *suite) addAll(t testing.TB, forms []ptx.Form) {
	s.seen, s.table = map[string]bool{}, map[signature][]entry{}
	for _, target := range llvm.Targets() {
		for _, m := range models {
			for _, f := range forms {
				fn := lowered(t, target, f, m)
				fn.Name = "f"
				var sb strings.Builder
				require.NoError(t, target.Print(&sb, fn))
				key := fmt.Sprint(f.Behaviour().Name(), sb.String())
				if s.seen[key] {
					continue
				}
				s.seen[key] = true
				sig := signature{widthList(ir.ArgWidths(f)), widthList(ir.ResultWidths(f))}
				if s.table[sig] == nil {
					s.order = append(s.order, sig)
				}
				fn.Name = fmt.Sprintf("f%d", len(s.seen))
				s.add(t, target, fn)
				s.table[sig] = append(s.table[sig], entry{fn.Name, expected(f, m)})
			}
		}
	}
}

// expected is the hash of what the form means on all vectors.
func expected(f ptx.Form, m ptx.Model) uint64 {
	b := sem.NewBuilder()
	var params []*sem.Term
	for n, w := range ir.ArgWidths(f) {
		params = append(params, b.Var(string(rune('a'+n)), w))
	}
	results := f.Meaning(b, params, m)
	out := make([]sem.Col, len(results))
	for n := range out {
		out[n].Lo = make([]uint64, lanes)
	}
	sem.Compile(params, results...).Run(vectors(ir.ArgWidths(f)), out)
	h := uint64(0)
	for l := range lanes {
		for n := range out {
			h = fold(h, out[n].Lo[l])
		}
	}
	return h
}

// driver is a main that runs each function on all vectors, prints the names of
// those whose hash is another one, and returns their number.
func (s *suite) driver() string {
	var sb strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&sb, format+"\n", args...) }
	p("declare i32 @printf(ptr, ...)")
	p(`@format = constant [5 x i8] c"f%%d\0A\00"`)
	main := "define i32 @main() {\n"
	total := "0"
	for n, sig := range s.order {
		s.runner(p, n, sig)
		main += fmt.Sprintf("  %%n%d = call i32 @run%d()\n  %%s%d = add i32 %s, %%n%d\n", n, n, n, total, n)
		total = fmt.Sprintf("%%s%d", n)
	}
	main += fmt.Sprintf("  %%many = icmp ugt i32 %s, 255\n  %%rc = select i1 %%many, i32 255, i32 %s\n  ret i32 %%rc\n}\n", total, total)
	return sb.String() + main
}

// runner is the loop over the functions of one signature.
func (s *suite) runner(p func(string, ...any), n int, sig signature) {
	var ins, outs []int
	for _, x := range strings.Fields(sig.in) {
		ins = append(ins, atoi(x))
	}
	for _, x := range strings.Fields(sig.out) {
		outs = append(outs, atoi(x))
	}
	var entries []string
	for _, e := range s.table[sig] {
		entries = append(entries, fmt.Sprintf("{ ptr, i64, i32 } { ptr @%s, i64 %d, i32 %s }", e.name, int64(e.want), e.name[1:]))
	}
	p("@table%d = constant [%d x { ptr, i64, i32 }] [%s]", n, len(entries), strings.Join(entries, ", "))
	cols := vectors(ins)
	for k, w := range ins {
		var vals []string
		for _, v := range cols[k].Lo {
			vals = append(vals, fmt.Sprintf("i64 %d", int64(v)))
		}
		p("@in%d.%d = constant [%d x i64] [%s] ; i%d", n, k, lanes, strings.Join(vals, ", "), w)
	}
	p("define i32 @run%d() {\nentry:\n  br label %%next", n)
	p("next:\n  %%k = phi i32 [ 0, %%entry ], [ %%k1, %%done ]\n  %%bad = phi i32 [ 0, %%entry ], [ %%bad1, %%done ]")
	p("  %%e = getelementptr { ptr, i64, i32 }, ptr @table%d, i32 %%k", n)
	p("  %%f = load ptr, ptr %%e")
	p("  br label %%lane")
	p("lane:\n  %%l = phi i32 [ 0, %%next ], [ %%l1, %%lane ]\n  %%h = phi i64 [ 0, %%next ], [ %%h%d, %%lane ]", len(outs))
	var args []string
	for k, w := range ins {
		p("  %%p%d = getelementptr i64, ptr @in%d.%d, i32 %%l", k, n, k)
		p("  %%q%d = load i64, ptr %%p%d", k, k)
		if w < 64 {
			p("  %%x%d = trunc i64 %%q%d to i%d", k, k, w)
		} else {
			p("  %%x%d = add i64 %%q%d, 0", k, k)
		}
		args = append(args, fmt.Sprintf("i%d %%x%d", w, k))
	}
	var types []string
	for _, w := range outs {
		types = append(types, fmt.Sprintf("i%d", w))
	}
	ty := types[0]
	if len(types) > 1 {
		ty = "{ " + strings.Join(types, ", ") + " }"
	}
	p("  %%r = call %s %%f(%s)", ty, strings.Join(args, ", "))
	for k, w := range outs {
		if len(outs) > 1 {
			p("  %%y%d = extractvalue %s %%r, %d", k, ty, k)
		} else {
			p("  %%y%d = freeze %s %%r", k, ty)
		}
		if w < 64 {
			p("  %%z%d = zext i%d %%y%d to i64", k, w, k)
		} else {
			p("  %%z%d = add i64 %%y%d, 0", k, k)
		}
		h := "%h"
		if k > 0 {
			h = fmt.Sprintf("%%h%d", k)
		}
		p("  %%v%d = xor i64 %s, %%z%d\n  %%h%d = mul i64 %%v%d, 1099511628211", k, h, k, k+1, k)
	}
	p("  %%l1 = add i32 %%l, 1\n  %%more = icmp ult i32 %%l1, %d\n  br i1 %%more, label %%lane, label %%check", lanes)
	p("check:\n  %%wp = getelementptr { ptr, i64, i32 }, ptr %%e, i32 0, i32 1\n  %%w = load i64, ptr %%wp")
	p("  %%ok = icmp eq i64 %%w, %%h%d\n  br i1 %%ok, label %%done, label %%wrong", len(outs))
	p("wrong:\n  %%np = getelementptr { ptr, i64, i32 }, ptr %%e, i32 0, i32 2\n  %%name = load i32, ptr %%np")
	p("  call i32 (ptr, ...) @printf(ptr @format, i32 %%name)\n  br label %%done")
	p("done:\n  %%b = phi i32 [ 0, %%check ], [ 1, %%wrong ]\n  %%bad1 = add i32 %%bad, %%b\n  %%k1 = add i32 %%k, 1")
	p("  %%again = icmp ult i32 %%k1, %d\n  br i1 %%again, label %%next, label %%out\nout:\n  ret i32 %%bad1\n}", len(entries))
}

func atoi(s string) (n int) {
	fmt.Sscan(s, &n)
	return n
}

func TestJudges(t *testing.T) {
	var s suite
	s.addAll(t, append(ptx.Behaviours(), ptx.Neighbours()...))
	text := s.String()
	t.Log(len(s.seen), len(text))
	for _, v := range []string{"14", "16", "19", "22"} {
		tool(t, text, "llvm-as-"+v, "-o", "/dev/null")
	}
	tool(t, text, "opt-22", "-passes=verify", "-disable-output")
	out := tool(t, text+s.driver(), "lli-22", "-O0")
	t.Log(out)
	o2 := tool(t, text+s.driver(), "opt-22", "-O2", "-S")
	t.Log(tool(t, o2, "lli-22", "-O0"))
}
