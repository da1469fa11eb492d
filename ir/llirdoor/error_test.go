package llirdoor_test

import (
	"bytes"
	"context"
	"log"
	"math/big"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir/llirdoor"
)

// heads are the first lines of diagnostics.
func heads(ds []diag.Diagnostic) string {
	var out []string
	for i := range ds {
		out = append(out, ds[i].Head())
	}
	return strings.Join(out, "\n")
}

// wrong are modules that cannot be lowered, and what is said about each.
var wrong = []struct {
	name  string
	build func(m *llir.Module)
	want  string
}{
	{"no terminator", func(m *llir.Module) {
		e := m.NewFunc("f", types.Void).NewBlock("")
		e.NewAdd(c32(1), c32(2))
	}, "error: @f: a block has no terminator [llir-module]"},
	{"an operand that is nil", func(m *llir.Module) {
		e := m.NewFunc("f", types.Void).NewBlock("")
		e.NewAdd(c32(1), nil)
		e.NewRet(nil)
	}, "error: llir cannot print the module: runtime error: invalid memory address or nil pointer dereference [llir-module]"},
	{"a returned value that is nil", func(m *llir.Module) {
		e := m.NewFunc("f", i32).NewBlock("")
		e.NewRet((*llir.InstAdd)(nil))
	}, "error: @f: llir cannot tell the type of a value: runtime error: invalid memory address or nil pointer dereference [llir-module]"},
	{"a constant without a value", func(m *llir.Module) {
		e := m.NewFunc("f", i32).NewBlock("")
		e.NewRet(&constant.Int{Typ: i32})
	}, "<llir>:3:6: error: llir cannot print what stands here: runtime error: invalid memory address or nil pointer dereference [llir-module]"},
	{"a boolean of 2", func(m *llir.Module) {
		e := m.NewFunc("f", i1).NewBlock("")
		e.NewRet(constant.NewInt(i1, 2))
	}, "<llir>:3:6: error: llir cannot print what stands here: invalid integer value of boolean type; expected 0 or 1, got 2 [llir-module]"},
	{"metadata that is nil", func(m *llir.Module) {
		m.NewFunc("f", types.Void).NewBlock("").NewRet(nil)
		m.Funcs[0].Metadata = llir.Metadata{nil}
	}, "<llir>:1:18: error: llir cannot print what stands here: it is nil [llir-module]"},
	{"a function that is nil", func(m *llir.Module) { m.Funcs = append(m.Funcs, nil) },
		"error: llir cannot tell the type of a value: runtime error: invalid memory address or nil pointer dereference [llir-module]"},
	{"asm whose type is no pointer", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", types.Void, a).NewBlock("")
		e.Insts = append(e.Insts, &llir.InstCall{Callee: llir.NewInlineAsm(types.NewFunc(i32, i32), "mul24.lo.u32 $0, $1, $1;", "=r,r"), Args: []value.Value{a}})
		e.NewRet(nil)
	}, "error: @f: llir cannot tell the type of a value: invalid callee type; expected *types.PointerType, got *types.FuncType [llir-module]"},
	{"a value of another function", func(m *llir.Module) {
		a, b := llir.NewParam("a", i32), llir.NewParam("b", i32)
		m.NewFunc("f", types.Void, a).NewBlock("").NewRet(nil)
		m.NewFunc("g", i32, b).NewBlock("").NewRet(a)
	}, "error: @g: %a is used here and is not in a block of this function [llir-operand]"},
	{"an instruction that is in no block", func(m *llir.Module) {
		a := llir.NewParam("", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		e.NewRet(e.NewAdd(llir.NewAdd(a, a), a))
	}, "error: @f: an unnamed value (*ir.InstAdd) is used here and is not in a block of this function [llir-operand]"},
	{"a branch into another function", func(m *llir.Module) {
		there := m.NewFunc("f", types.Void).NewBlock("x")
		there.NewRet(nil)
		m.NewFunc("g", types.Void).NewBlock("").NewBr(there)
	}, "error: @g: %x is used here and is not in a block of this function [llir-operand]"},
	{"a type that contains itself", func(m *llir.Module) {
		list := types.NewStruct(i32)
		list.Fields = append(list.Fields, types.NewPointer(list))
		m.NewGlobal("g", list)
	}, "error: @g: a type contains itself and has no name; Module.NewTypeDef gives it one [llir-type]"},
	{"a name twice", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		x := e.NewAdd(a, a)
		x.SetName("a")
		e.NewRet(x)
	}, "<llir>:3:2: error: multiple definition of local value named '%a' [ll-redefined]"},
	{"a name that llir does not quote", func(m *llir.Module) {
		a := llir.NewParam("1a", i32)
		m.NewFunc("f", i32, a).NewBlock("").NewRet(a)
	}, "<llir>:1:21: error: expected ')' at end of argument list [ll-syntax]"},
	{"an attribute that is none", func(m *llir.Module) {
		f := m.NewFunc("f", types.Void)
		f.FuncAttrs = append(f.FuncAttrs, attribute("{ ret void }\ndefine void @g()"))
		f.NewBlock("").NewRet(nil)
	}, "error: the module holds 1 functions and prints 2 [llir-module]"},
	{"a result attribute that is none", func(m *llir.Module) {
		e := m.NewFunc("f", i32, llir.NewParam("a", i32)).NewBlock("")
		x := e.NewCall(m.Funcs[0], c32(1))
		x.FuncAttrs = append(x.FuncAttrs, attribute("\nret i32 0\nb:\n"))
		e.NewRet(x)
	}, "<llir>:1:12: error: @f prints other parameters, blocks or instructions than it holds [llir-module]"},
	{"PTX that is wrong", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		e.NewRet(asm(e, i32, "add.u32 $0, $1, $1; mad.u32 $0, $1, $1, $1;", "=r,r", a))
	}, "<llir>:3:55: error: 'mad' needs .lo, .hi or .wide; did you mean 'mad.lo.u32'? [ptx-missing-mode]"},
	{"a carry that nobody made", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		e.NewRet(asm(e, i32, "addc.u32 $0, $1, $1;", "=r,r", a))
	}, "<llir>:3:32: error: no instruction that writes CC.CF reaches this read of it [cc-undefined]"},
	{"a call of @ptx with another type", func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		e.NewRet(e.NewCall(extern(m, "ptx.add.cc.u32", i32, i32), a))
	}, "<llir>:3:16: error: @ptx.add.cc.u32 has the type { i32, i1 } (i32, i32) [ptx-call]"},
}

// attribute is a function attribute that llir has no name for.
type attribute string

func (a attribute) String() string { return string(a) }
func (attribute) IsFuncAttribute() {}

func TestWrongModulesGiveDiagnosticsAndStayAsTheyAre(t *testing.T) {
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			m := built(c.build)
			res, err := llirdoor.Lower(ctx, m, ptxlower.Options{Target: "generic", Emit: ptxlower.EmitLLVM})
			require.ErrorIs(t, err, ptxlower.ErrInput)
			require.Equal(t, c.want, heads(res.Diags))
			require.Nil(t, res.Output)

			insts := instructions(m)
			res, err = llirdoor.Replace(ctx, m, ptxlower.Options{Target: "generic"})
			require.ErrorIs(t, err, ptxlower.ErrInput)
			require.Equal(t, c.want, heads(res.Diags))
			require.Equal(t, insts, instructions(m))
		})
	}
	res, err := llirdoor.Lower(ctx, nil, ptxlower.Options{})
	require.ErrorIs(t, err, ptxlower.ErrInput)
	require.Contains(t, heads(res.Diags), "[llir-module]")
}

// instructions are the objects in a module's blocks.
func instructions(m *llir.Module) (all []llir.Instruction) {
	for _, f := range m.Funcs {
		if f == nil {
			continue
		}
		for _, b := range f.Blocks {
			all = append(all, b.Insts...)
		}
	}
	return all
}

func add(m *llir.Module) {
	a := llir.NewParam("a", i32)
	e := m.NewFunc("f", i32, a).NewBlock("")
	e.NewRet(asm(e, i32, "add.u32 $0, $1, $1;", "=r,r", a))
}

func TestWrongOptionsAreErrorsOfUse(t *testing.T) {
	for _, c := range []struct {
		opt  ptxlower.Options
		want string
	}{
		{ptxlower.Options{Emit: ptxlower.EmitAsm, Target: "sm_70"}, "a module takes the output llvm, not asm"},
		{ptxlower.Options{Emit: ptxlower.EmitNone}, "a module takes the output llvm, not none"},
		{ptxlower.Options{Target: "sm_0"}, `unknown target "sm_0"`},
	} {
		m := built(add)
		_, err := llirdoor.Replace(ctx, m, c.opt)
		require.ErrorIs(t, err, ptxlower.ErrUsage)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, built(add).String(), m.String())
	}
}

func TestACancelledContextEndsLowering(t *testing.T) {
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	m := built(add)
	_, err := llirdoor.Replace(stopped, m, ptxlower.Options{Target: "generic"})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, built(add).String(), m.String())
}

func TestListingsComeFromModules(t *testing.T) {
	for target, want := range map[string]string{"sm_70": "IADD3", "gfx900": "v_add"} {
		res, err := llirdoor.Lower(ctx, built(add), ptxlower.Options{Target: target})
		require.NoError(t, err, "%v", res.Diags)
		require.Equal(t, ptxlower.EmitAsm, res.Emit)
		require.Contains(t, string(res.Output), "f:")
		require.Contains(t, string(res.Output), want)
	}
}

func TestSitesThatStayKeepTheirObjects(t *testing.T) {
	m := built(func(m *llir.Module) {
		a := llir.NewParam("a", i32)
		e := m.NewFunc("f", i32, a).NewBlock("")
		x := asm(e, i32, "mul.lo.u32 $0, $1, $1;", "=r,r", a)
		e.NewRet(asm(e, i32, "mul.lo.u32 $0, $1, $1; fns.b32 $0, $0, 0, 1;", "=&r,r", x))
	})
	keep := m.Funcs[0].Blocks[0].Insts[1].(*llir.InstCall)
	res, err := llirdoor.Replace(ctx, m, ptxlower.Options{Target: "sm_70"})
	require.NoError(t, err)
	require.Contains(t, heads(res.Diags), "[site-kept]")
	insts := m.Funcs[0].Blocks[0].Insts
	require.IsType(t, &llir.InstMul{}, insts[0])
	require.Same(t, keep, insts[1])
	require.Same(t, insts[0], keep.Args[0], "it uses what stands for the other site")
}

func TestAModuleMayGrowAfterItWasPrinted(t *testing.T) {
	a := llir.NewParam("", i32)
	m := llir.NewModule()
	f := m.NewFunc("f", i32, a)
	e := f.NewBlock("")
	x := e.NewAdd(a, a)
	e.NewRet(x)
	_ = m.String()
	e.Insts = append([]llir.Instruction{llir.NewXor(a, a)}, e.Insts...)
	require.Panics(t, func() { _ = m.String() }, "llir has mended this: forgetNumbers can go")
	lowerIR(t, m)
	require.Contains(t, m.String(), "%3 = add i32 %0, %0")
}

func TestLlirLogsNothing(t *testing.T) {
	var out bytes.Buffer
	old, flags := log.Writer(), log.Flags()
	log.SetOutput(&out)
	defer func() { log.SetOutput(old); log.SetFlags(flags) }()
	log.SetFlags(log.LstdFlags)

	x, _, err := big.ParseFloat("0.1", 10, 200, big.ToNearestEven)
	require.NoError(t, err)
	m := built(func(m *llir.Module) {
		add(m)
		m.NewGlobalDef("g", &constant.Float{Typ: types.Half, X: x})
	})
	_ = m.String()
	require.Contains(t, out.String(), "llir/llvm", "llir logs nothing any more: quietly can go")

	out.Reset()
	res, err := llirdoor.Replace(ctx, m, ptxlower.Options{Target: "generic"})
	require.NoError(t, err)
	require.Empty(t, out.String())
	require.Equal(t, "warning: llir says: unable to represent floating-point constant 0.1 of type half exactly [llir-inexact]", heads(res.Diags))
	log.Print("mine")
	require.Contains(t, out.String(), "mine")
}
