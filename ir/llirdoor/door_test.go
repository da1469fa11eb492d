package llirdoor_test

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/ir/llirdoor"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

func built(build func(*llir.Module)) *llir.Module {
	m := llir.NewModule()
	build(m)
	return m
}

var ctx = context.Background()

// lowerIR lowers to portable IR, as text and in place, and gives the module and
// the text.
func lowerIR(t require.TestingT, m *llir.Module) string {
	res, err := llirdoor.Lower(ctx, m, ptxlower.Options{Target: "generic", Emit: ptxlower.EmitLLVM})
	require.NoError(t, err, "%v", res.Diags)
	again, err := llirdoor.Replace(ctx, m, ptxlower.Options{Target: "generic"})
	require.NoError(t, err, "%v", again.Diags)
	require.Equal(t, string(res.Output), string(again.Output))
	return string(res.Output)
}

// read reads a text without complaint.
func read(t require.TestingT, text string) *ll.Module {
	var l diag.List
	m := ll.Parse(diag.NewFile("m.ll", []byte(text)), &l)
	for _, f := range m.Funcs {
		f.Check(&l)
	}
	require.NoError(t, l.Err(), text)
	return m
}

var hex = regexp.MustCompile(`u0x[0-9A-F]+`)

// outline is what a text says, however it is spelled and whatever stands where:
// the header of each function, its instructions, and the declarations.
func outline(t require.TestingT, text string) (out []string) {
	text = hex.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[len("u0x"):], 16, 64)
		require.NoError(t, err)
		return strconv.FormatUint(n, 10)
	})
	m := read(t, strings.ReplaceAll(text, `\5C`, `\\`))
	for _, f := range m.Funcs {
		out = append(out, m.Text(f.HeaderSpan()))
		for _, b := range f.Blocks {
			out = append(out, b.Name+":")
			for i := range b.Insts {
				out = append(out, m.Text(b.Insts[i].Span()))
			}
		}
	}
	var decls []string
	for _, d := range m.Decls {
		types := d.Ret.String() + " @" + d.Name
		for i := range d.Params {
			types += " " + d.Params[i].Type.String()
		}
		decls = append(decls, types)
	}
	slices.Sort(decls)
	return append(out, decls...)
}

// sites counts what is left to lower.
func sites(t require.TestingT, text string) int {
	reports, _, err := ptxlower.Sites("m.ll", []byte(text))
	require.NoError(t, err)
	return len(reports)
}

var isConstant = regexp.MustCompile(`call i1 @llvm\.is\.constant\.i\d+\(.*?\)`)

// whole is the first function of a text as IR.
func whole(t require.TestingT, text string) *ir.Func {
	var l diag.List
	m := read(t, text)
	units := lower.Lift(m, lower.Options{}, &l)
	require.NoError(t, l.Err())
	f, refusal := units[0].Function(m, ptx.ISA)
	require.Nil(t, refusal)
	return f
}

// sameResults runs the first function of two texts on vectors, the second one
// with either answer of llvm.is.constant.
func sameResults(t require.TestingT, before, after string) {
	const lanes, steps = 200, 1000
	f := whole(t, before)
	var widths []int
	for _, p := range f.Params {
		widths = append(widths, p.W)
	}
	cols := eval.Vectors(widths, lanes, 7)
	want, err := eval.CompileIR(f).RunBatch(cols, steps)
	require.NoError(t, err)
	for _, answer := range []string{"false", "true"} {
		g := whole(t, isConstant.ReplaceAllString(after, "or i1 false, "+answer))
		got, err := eval.CompileIR(g).RunBatch(cols, steps)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got))
	}
}

func TestModulesThatWereBuiltInMemoryAreLoweredInPlace(t *testing.T) {
	for _, c := range modules {
		t.Run(c.name, func(t *testing.T) {
			m := built(c.build)
			before := built(c.build).String()
			out := lowerIR(t, m)
			after := m.String()
			require.Empty(t, cmp.Diff(outline(t, out), outline(t, after)), "the module says what its text says")
			require.Zero(t, sites(t, after))
			if sites(t, before) == 0 {
				require.Equal(t, before, after)
			}
			if !c.opaque {
				sameResults(t, before, after)
			}
			require.Equal(t, after, m.String(), "printing again changes nothing")
			lowerIR(t, m)
			require.Equal(t, after, m.String(), "lowering again changes nothing")
		})
	}
}

func TestLLVMAcceptsWhatLoweringLeaves(t *testing.T) {
	for _, tool := range []string{"llvm-as-14", "llvm-as-22"} {
		t.Run(tool, func(t *testing.T) {
			as := judges.Need(t, tool)
			for _, c := range modules {
				m := built(c.build)
				out := lowerIR(t, m)
				for _, text := range []string{out, m.String()} {
					cmd := exec.Command(as, "-o", "/dev/null", "-")
					cmd.Stdin = strings.NewReader(text)
					said, err := cmd.CombinedOutput()
					require.NoError(t, err, "%s: %s\n%s", c.name, said, text)
				}
			}
		})
	}
}

func TestEveryFormOfTheFamilyIsRebuilt(t *testing.T) {
	m := llir.NewModule()
	forms := ptx.Behaviours()
	for _, f := range forms {
		callForm(m, f)
	}
	res, err := llirdoor.Replace(ctx, m, ptxlower.Options{Target: "generic", Verify: ptxlower.VerifyOff})
	require.NoError(t, err, "%v", res.Diags)
	require.Equal(t, len(forms), res.Sites)
	require.Empty(t, cmp.Diff(outline(t, string(res.Output)), outline(t, m.String())))
}

// callForm adds a function that calls @ptx.<form>.
func callForm(m *llir.Module, f ptx.Form) {
	var params []*llir.Param
	var args []value.Value
	var in []*llir.Param
	var out []types.Type
	for _, w := range ir.ArgWidths(f) {
		p := llir.NewParam("", types.NewInt(uint64(w)))
		params, args, in = append(params, p), append(args, p), append(in, llir.NewParam("", p.Typ))
	}
	for _, w := range ir.ResultWidths(f) {
		out = append(out, types.NewInt(uint64(w)))
	}
	ret := out[0]
	if len(out) > 1 {
		ret = pair(out...)
	}
	name := lower.CallName(f)
	e := m.NewFunc("f."+name, ret, params...).NewBlock("")
	e.NewRet(e.NewCall(m.NewFunc(name, ret, in...), args...))
}

// program builds a random function of two words: PTX that carries from one
// statement to another, through branches and loops.
type program struct {
	t *rapid.T
	m *llir.Module
	f *llir.Func
	b *llir.Block
	// vals are what may be used at the end of b.
	vals  []value.Value
	named int
}

func (p *program) below(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }

func (p *program) val() value.Value {
	if p.below(5) == 0 {
		return c32(rapid.Int64Range(-3, 1<<31).Draw(p.t, "constant"))
	}
	return p.vals[p.below(len(p.vals))]
}

// define adds a value, some with a name.
func (p *program) define(v value.Named) {
	if p.below(3) == 0 {
		p.named++
		v.SetName("v" + strconv.Itoa(p.named))
	}
	p.vals = append(p.vals, v)
}

func (p *program) block() *llir.Block { return p.f.NewBlock("") }

func (p *program) carry() {
	op := rapid.SampledFrom([]string{"add.cc", "addc", "addc.cc", "sub.cc", "subc", "subc.cc"}).Draw(p.t, "op")
	p.define(asm(p.b, i32, op+".u32 $0, $1, $2;", "=r,r,r", p.val(), p.val()))
}

func (p *program) steps(depth int) {
	for range 1 + p.below(3) {
		switch p.below(7) {
		case 0:
			p.define(p.b.NewXor(p.val(), p.val()))
		case 1:
			p.define(p.b.NewCall(extern(p.m, "ptx.vmad.u32.s32.s32.shr7.a.b1.c.neg", i32, i32, i32, i32), p.val(), p.val(), p.val()))
		case 2:
			x := asm(p.b, pair(i32, i32), "mad.hi.cc.u32 $0, $2, $3, $0; madc.lo.cc.u32 $1, $2, $2, $3;", "=&r,=r,r,r,0", p.val(), p.val(), p.val())
			p.define(p.b.NewExtractValue(x, uint64(p.below(2))))
		case 3:
			if depth > 0 {
				p.diamond(depth - 1)
			}
		case 4:
			if depth > 0 {
				p.loop(depth - 1)
			}
		default:
			p.carry()
		}
	}
}

func (p *program) diamond(depth int) {
	yes, no, join := p.block(), p.block(), p.block()
	p.b.NewCondBr(p.b.NewICmp(enum.IPredSLT, p.val(), p.val()), yes, no)
	outside := len(p.vals)
	arm := func(b *llir.Block) *llir.Incoming {
		p.b = b
		p.steps(depth)
		in := llir.NewIncoming(p.val(), p.b)
		p.b.NewBr(join)
		p.vals = p.vals[:outside]
		return in
	}
	phi := join.NewPhi(arm(yes), arm(no))
	p.b = join
	p.define(phi)
}

func (p *program) loop(depth int) {
	before, head, end := p.b, p.block(), p.block()
	n := p.b.NewAnd(p.val(), c32(3))
	acc, i := head.NewPhi(llir.NewIncoming(p.val(), before)), head.NewPhi(llir.NewIncoming(n, before))
	p.b.NewBr(head)
	p.b = head
	outside := len(p.vals)
	p.define(acc)
	p.steps(depth)
	next := p.val()
	acc.Incs = append(acc.Incs, llir.NewIncoming(next, p.b))
	i.Incs = append(i.Incs, llir.NewIncoming(p.b.NewSub(i, c32(1)), p.b))
	p.b.NewCondBr(p.b.NewICmp(enum.IPredEQ, i, c32(0)), end, head)
	p.vals = append(p.vals[:outside], next)
	p.b = end
}

func TestRandomProgramsComputeTheSameBeforeAndAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := llir.NewParam("x", i32), llir.NewParam("", i32)
		m := llir.NewModule()
		p := &program{t: t, m: m, f: m.NewFunc("f", i32, x, y), vals: []value.Value{x, y}}
		p.b = p.block()
		p.define(asm(p.b, i32, "add.cc.u32 $0, $1, $2;", "=r,r,r", x, y)) // so that each carry is one
		p.steps(2)
		p.carry()
		p.b.NewRet(p.b.NewAdd(p.val(), p.vals[len(p.vals)-1]))

		before := m.String()
		out := lowerIR(t, m)
		require.Empty(t, cmp.Diff(outline(t, out), outline(t, m.String())))
		sameResults(t, before, m.String())
	})
}
