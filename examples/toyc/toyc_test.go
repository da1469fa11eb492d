package main

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"os/exec"
	"strings"
	"testing"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/targets"
)

var programs = []string{
	"f() = 1",
	"f(a) = a",
	"f(a, b) = a + b",
	"f(a, b) = a - b",
	"f(a, b) = a * b",
	"f(a) = -a",
	"f(a) = a*a + a - 1",
	"f(a, b) = (a + b)*(a - b) - (a*a - b*b)",
	"f(a) = a * 0xdeadbeef0123456789abcdef00000001 + 340282366920938463463374607431768211455",
	"f(a, b) = let s = a + b in let s = s*s in s - 4*a*b",
	"double(x) = x + x  square(x) = x*x  f(a, b) = square(double(a) + 1) * b",
}

// shapes are the ways to compile a program.
type shape struct {
	target string
	limbs  int
	calls  bool
}

func (s shape) String() string { return fmt.Sprintf("%s/%d/calls=%v", s.target, s.limbs, s.calls) }

var shapes = func() (all []shape) {
	for _, target := range []string{"sm_70", "gfx900", "generic"} {
		for _, limbs := range []int{32, 64} {
			all = append(all, shape{target, limbs, false}, shape{target, limbs, true})
		}
	}
	return all
}()

func parsed(t require.TestingT, text string) *program {
	p, l := parse("p", text)
	require.NoError(t, l.Err(), text)
	return p
}

// compiled is a program's code; a listing is checked to be of that code.
func compiled(t require.TestingT, p *program, s shape) *code {
	c, res, err := lowerModule(context.Background(), compile(p, s.limbs, s.calls), s.target)
	require.NoError(t, err, "%v", res.Diags)
	require.Empty(t, res.Diags)
	info, err := targets.Find(s.target)
	require.NoError(t, err)
	if info.Vendor != targets.None {
		var listing bytes.Buffer
		require.NoError(t, info.Target.Print(&listing, c.f))
		require.Contains(t, string(res.Output), listing.String()) // between directives
	}
	return c
}

// anyNumber is edge-biased: words of zeros, of ones, and random ones.
var anyNumber = rapid.Custom(func(t *rapid.T) *big.Int {
	n := new(big.Int)
	for range 4 {
		w := rapid.OneOf(rapid.SampledFrom([]uint32{0, 1, 1 << 31, 1<<32 - 1}), rapid.Uint32()).Draw(t, "word")
		n.Lsh(n, 32).Or(n, big.NewInt(int64(w)))
	}
	return n
})

func arguments(t *rapid.T, p *program) []*big.Int {
	return rapid.SliceOfN(anyNumber, len(p.main.params), len(p.main.params)).Draw(t, "arguments")
}

func TestLoweredCodeComputesWhatTheProgramMeans(t *testing.T) {
	for _, text := range programs {
		p := parsed(t, text)
		var codes []*code
		for _, s := range shapes {
			codes = append(codes, compiled(t, p, s))
		}
		rapid.Check(t, func(t *rapid.T) {
			args := arguments(t, p)
			want := p.interpret(args)
			for i, c := range codes {
				got, err := c.run(args, shapes[i].limbs)
				require.NoError(t, err)
				require.Equal(t, want.Text(16), got.Text(16), "%s for %s", text, shapes[i])
			}
		})
	}
}

// expression is a random one over a, b and variables around it.
func expression(t *rapid.T, depth int, vars []string) string {
	sub := func(vars []string) string { return expression(t, depth-1, vars) }
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return "0x" + anyNumber.Draw(t, "number").Text(16)
	case 1, 2:
		return rapid.SampledFrom(vars).Draw(t, "variable")
	case 3:
		return "-" + "(" + sub(vars) + ")"
	case 4:
		v := fmt.Sprintf("v%d", len(vars))
		return "(let " + v + " = " + sub(vars) + " in " + sub(append(vars, v)) + ")"
	}
	op := rapid.SampledFrom([]string{" + ", " - ", "*"}).Draw(t, "op")
	return "(" + sub(vars) + op + sub(vars) + ")"
}

func TestRandomProgramsAreCompiledRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := parsed(t, "f(a, b) = "+expression(t, 5, []string{"a", "b"}))
		s := rapid.SampledFrom(shapes).Draw(t, "shape")
		c := compiled(t, p, s)
		for range 5 {
			args := arguments(t, p)
			got, err := c.run(args, s.limbs)
			require.NoError(t, err)
			require.Equal(t, p.interpret(args).Text(16), got.Text(16))
		}
	})
}

// LLVM itself runs the module that was lowered in place: main gives the number
// of the test that failed.
func TestLLVMRunsTheLoweredModule(t *testing.T) {
	lli := judges.Need(t, "lli-22")
	for _, text := range programs {
		for _, limbs := range []int{32, 64} {
			p := parsed(t, text)
			m := compile(p, limbs, false)
			_, _, err := lowerModule(context.Background(), m, "generic")
			require.NoError(t, err)
			addMain(m, p, limbs)
			cmd := exec.Command(lli, "-")
			cmd.Stdin = strings.NewReader(m.String())
			said, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s\n%s", text, said, m)
		}
	}
}

func addMain(m *ir.Module, p *program, bits int) {
	f := m.Funcs[0]
	b := m.NewFunc("main", types.I32).NewBlock("")
	var failed value.Value = constant.NewInt(types.I32, 0)
	word := func(n *big.Int) value.Value { return &constant.Int{Typ: types.NewInt(uint64(bits)), X: n} }
	for i := range 20 {
		var numbers []*big.Int
		var args []value.Value
		for range p.main.params {
			n := anyNumber.Example(100*i + len(numbers))
			numbers = append(numbers, n)
			for _, w := range split(n, bits) {
				args = append(args, word(w))
			}
		}
		got := b.NewCall(f, args...)
		for j, w := range split(p.interpret(numbers), bits) {
			wrong := b.NewICmp(enum.IPredNE, b.NewExtractValue(got, uint64(j)), word(w))
			failed = b.NewSelect(wrong, constant.NewInt(types.I32, int64(i+1)), failed)
		}
	}
	b.NewRet(failed)
}

func TestProgramsMeanWhatTheySay(t *testing.T) {
	for _, c := range []struct{ text, args, want string }{
		{"f(a, b) = a + b*2 - 1", "5 7", "18"},
		{"f(a) = a - 1 - 2", "9", "6"},
		{"f(a) = -a*a", "3", "340282366920938463463374607431768211447"},
		{"f(a) = 2*-a + 7", "3", "1"},
		{"f(a, b) = let a = b in a", "1 2", "2"},
		{"f(a) = (let a = a + 1 in a) * a", "3", "12"},
		{"g(x) = x*x f(a) = g(g(a)) + 0x10", "2", "32"},
		{"f(a)=a*a", "0x10000000000000000", "0"},
	} {
		args, err := numbers(strings.Fields(c.args))
		require.NoError(t, err)
		require.Equal(t, c.want, parsed(t, c.text).interpret(args).String(), c.text)
	}
}

func TestWrongProgramsGetDiagnostics(t *testing.T) {
	deep := "f(a) = " + strings.Repeat("(", 5000)
	lets := "f(a) = " + strings.Repeat("let a = ", 5000)
	for text, want := range map[string]string{
		"":                                       "p:1:1: error: a name is expected here [toyc]",
		"f":                                      `p:1:2: error: "(" is expected here [toyc]`,
		"f(a":                                    `p:1:4: error: ")" is expected here [toyc]`,
		"f(a,) = a":                              "p:1:5: error: a name is expected here [toyc]",
		"f(a, a) = a":                            "p:1:6: error: two parameters with this name [toyc]",
		"f(a) = a +":                             "p:1:11: error: an expression is expected here [toyc]",
		"f(a) = b":                               "p:1:8: error: no such variable [toyc]",
		"f(a) = (a":                              `p:1:10: error: ")" is expected here [toyc]`,
		"f(a) = a @ a":                           "p:1:10: error: a name is expected here [toyc]",
		"f(a) = 12x":                             "p:1:8: error: not a number of at most 128 bits [toyc]",
		"f(a) =\n 0x1" + strings.Repeat("0", 32): "p:2:2: error: not a number of at most 128 bits [toyc]",
		"f(a) = f(a)":                            "p:1:8: error: no function before this one has this name and 1 parameters [toyc]",
		"g(a) = a f() = g()":                     "p:1:16: error: no function before this one has this name and 0 parameters [toyc]",
		"f(a) = let in = a in a":                 "p:1:12: error: a name is expected here [toyc]",
		"f(a) = (let b = a in b) + b":            "p:1:27: error: no such variable [toyc]",
		deep:                                     "p:1:2008: error: the function is too large here [toyc]",
		lets:                                     "p:1:16012: error: the function is too large here [toyc]",
		chainOf(20):                              "p:1:211: error: the function is too large here [toyc]",
	} {
		_, l := parse("p", text)
		require.Equal(t, 1, l.Errors(), "%.40s", text)
		require.Equal(t, want, l.All[0].Head(), "%.40s", text)
	}
}

// chainOf is n functions, each with twice the size of the one before.
func chainOf(n int) string {
	var sb strings.Builder
	sb.WriteString("f0(x) = x*x")
	for i := range n {
		fmt.Fprintf(&sb, " f%d(x) = f%d(x) + f%d(x)", i+1, i, i)
	}
	return sb.String()
}

func FuzzParse(f *testing.F) {
	for _, text := range programs {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, l := parse("p", text); l.Errors() == 0 {
			require.NotNil(t, p.main.body)
		} else {
			diag.Render(new(bytes.Buffer), l.All, diag.Text, 0)
		}
	})
}

func TestTheCommand(t *testing.T) {
	for _, c := range []struct {
		args        string
		code        int
		out, errors string // parts
	}{
		{"-target=sm_70|f(a, b) = a*b + 1|6|7", 0, "f(6, 7) = 43\n", ""},
		{"-target=gfx900|-limbs=64|-calls|f(a) = a - 1|0", 0, "f(0) = 340282366920938463463374607431768211455\n", ""},
		{"f(a) = a + 1", 0, "@llvm.uadd.with.overflow.i32", ""},
		{"-ptx|f(a) = a + 1", 0, "add.cc.u32 $0, $1, $2;", ""},
		{"-ptx|-calls|f(a) = a + 1", 0, "@ptx.addc.cc.u32", ""},
		{"f(a) = ", 1, "", "<program>:1:8: error: an expression is expected here [toyc]"},
		{"-h", 0, "", "usage: toyc"},
		{"", 2, "", "usage: toyc"},
		{"-limbs=16|f(a) = a", 2, "", "usage: toyc"},
		{"-x|f(a) = a", 2, "", "not defined: -x"},
		{"f(a) = a|x", 2, "", `toyc: "x" is not a number`},
		{"f(a) = a|1|2", 2, "", "toyc: f has 1 parameters, not 2"},
		{"-target=sm_0|f(a) = a", 2, "", `unknown target "sm_0"`},
	} {
		var out, errs bytes.Buffer
		args := strings.Split(c.args, "|")
		if c.args == "" {
			args = nil
		}
		require.Equal(t, c.code, run(args, &out, &errs), "%s: %s", c.args, &errs)
		require.Contains(t, out.String(), c.out)
		require.Contains(t, errs.String(), c.errors)
		if c.code == 0 && c.errors == "" {
			require.Empty(t, errs.String())
		} else {
			require.Empty(t, out.String())
		}
	}
}
