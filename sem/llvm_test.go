package sem

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/judges"
)

func TestLLVMIsStraightLineCodeWithGuardedShifts(t *testing.T) {
	b := NewBuilder()
	x, n, t1 := b.Var("x", 33), b.Var("a n", 33), b.Var("t1", 8)
	d := b.Bits(b.Add(b.Shl(b.Neg(x), n), b.AshrK(x, 3)), 32, 1)
	e := b.Ite(b.Not(b.Bit(x, 0)), b.Not(t1), b.S(-100, 8))
	require.Equal(t, `define { i32, i8 } @"vmad;x"(i33 %x, i33 %"a n", i8 %t1) {
  %t_1 = sub i33 0, %x
  %t_2.in = icmp ult i33 %"a n", 33
  %t_2.s = shl i33 %t_1, %"a n"
  %t_2 = select i1 %t_2.in, i33 %t_2.s, i33 0
  %t_3 = ashr i33 %x, 3
  %t_4 = add i33 %t_2, %t_3
  %t_5.s = lshr i33 %t_4, 1
  %t_5 = trunc i33 %t_5.s to i32
  %t_6 = trunc i33 %x to i1
  %t_7 = xor i8 %t1, -1
  %t_8 = select i1 %t_6, i8 -100, i8 %t_7
  %t_.ret0 = insertvalue { i32, i8 } poison, i32 %t_5, 0
  %t_.ret1 = insertvalue { i32, i8 } %t_.ret0, i8 %t_8, 1
  ret { i32, i8 } %t_.ret1
}
`, LLVM("vmad;x", []*Term{x, n, t1}, d, e))

	masked := b.Lshr(x, b.And(n, b.U(31, 33)))
	require.NotContains(t, LLVM("f", []*Term{x, n}, masked), "select")
	require.Equal(t, "define i1 @f() {\n  ret i1 true\n}\n", LLVM("f", nil, b.U(1, 1)))
	require.Equal(t, "define void @f() {\n  ret void\n}\n", LLVM("f", nil))
	odd := b.Var("a\"\n", 7)
	require.Equal(t, "define i7 @f(i7 %\"a\\22\\0A\") {\n  ret i7 %\"a\\22\\0A\"\n}\n", LLVM("f", []*Term{odd}, odd))
	require.PanicsWithValue(t, "sem: free variable x has no value", func() { LLVM("f", nil, x) })
}

func TestLLVMCodeContinuesFromValuesThatAreThere(t *testing.T) {
	b := NewBuilder()
	x, y := b.Var("x", 32), b.Var("y", 32)
	s := b.Add(x, y)
	code, values := LLVMCode("%v", map[*Term]string{s: "%sum", y: "7"}, b.Mul(s, y), s)
	require.Equal(t, []string{"%v1 = mul i32 %sum, 7"}, code)
	require.Equal(t, []string{"%v1", "%sum"}, values)
}

// module collects functions and a main that calls them.
type module struct {
	funcs, main strings.Builder
	n           int
	texts       []string
}

// add is a function that returns x, and a call of it a vector.
func (m *module) add(x *Term, vars []*Term, vecs [][]Val) {
	name := fmt.Sprintf("f%d", m.n)
	m.funcs.WriteString(LLVM(name, vars, x))
	b := NewBuilder()
	for _, vec := range vecs {
		env := map[string]Val{}
		var args []string
		for i, v := range vars {
			env[v.Name] = vec[i]
			args = append(args, fmt.Sprintf("i%d %s", v.W, llvmConst(b.Const(vec[i], v.W))))
		}
		want := Eval(x, env)
		m.texts = append(m.texts, fmt.Sprintf("%s of %d bits at %v", x, x.W, env))
		i := len(m.texts) - 1
		fmt.Fprintf(&m.main, "  %%r%d = call i%d @%s(%s)\n", i, x.W, name, strings.Join(args, ", "))
		fmt.Fprintf(&m.main, "  %%e%d = icmp ne i%d %%r%d, %s\n", i, x.W, i, llvmConst(b.Const(want, x.W)))
		fmt.Fprintf(&m.main, "  br i1 %%e%d, label %%bad%d, label %%good%d\n", i, i, i)
		fmt.Fprintf(&m.main, "bad%d:\n  call i32 (ptr, ...) @printf(ptr @format, i32 %d)\n  br label %%good%d\ngood%d:\n", i, i, i, i)
	}
	m.n++
}

func (m *module) String() string {
	return "@format = constant [4 x i8] c\"%d\\0A\\00\"\ndeclare i32 @printf(ptr, ...)\n" +
		m.funcs.String() + "define i32 @main() {\n" + m.main.String() + "  ret i32 0\n}\n"
}

func TestLLVMVerifiesAndRunsAsEvalDoes(t *testing.T) {
	opt, lli := judges.Need(t, "opt-22"), judges.Need(t, "lli-22")
	r := rng(t)
	var m module
	for _, w := range []int{1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128} {
		each(r, w, w, func(vs []*Term, x *Term) { m.add(x, vs, randomVecs(r, vs, 4)) })
		each(r, w, min(w+9, 128), func(vs []*Term, x *Term) { m.add(x, vs, randomVecs(r, vs, 2)) })
	}
	for range 80 {
		z := newZoo(r, 70, []int{70, 64, 32, 32, 1}, raw, built)
		for i, x := range z.term(1+r.IntN(70), 4) {
			m.add(x, z.vars[i], randomVecs(r, z.vars[i], 2))
		}
	}
	file := filepath.Join(t.TempDir(), "all.ll")
	require.NoError(t, os.WriteFile(file, []byte(m.String()), 0o666))
	out, err := exec.Command(opt, "-passes=verify", "-disable-output", file).CombinedOutput()
	require.NoError(t, err, "%s", out)

	out, err = exec.Command(lli, file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, line := range strings.Fields(string(out)) {
		var i int
		fmt.Sscan(line, &i)
		t.Errorf("lli disagrees: %s", m.texts[i])
	}
	require.Empty(t, string(out))

	// A wrong expectation is seen.
	b := NewBuilder()
	x := b.Var("x", 8)
	var wrong module
	wrong.add(x, []*Term{x}, [][]Val{{U(3)}})
	text := strings.Replace(wrong.String(), "%r0, 3", "%r0, 4", 1)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	out, err = exec.Command(lli, file).CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "0\n", string(out))
}
