package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// families are all forms that can be called by name.
func families() []ptx.Form {
	fs := ptx.VmadForms()
	for _, f := range ptx.Forms() {
		if f.Op != ptx.Vmad {
			fs = append(fs, f)
		}
	}
	return fs
}

func TestTheNameOfACallStandsForItsForm(t *testing.T) {
	seen := map[string]ptx.Form{}
	n := 0
	for _, f := range families() {
		name := lower.CallName(f)
		if other, ok := seen[name]; ok {
			require.Equal(t, other, f, name)
		}
		seen[name] = f
		back, err := lower.FormOfCall(name)
		require.NoError(t, err, name)
		require.Equal(t, f, back, name)
		if f.Op == ptx.Vmad {
			n++
		}
	}
	require.Equal(t, 16464, n)
	require.Equal(t, "ptx.vmad.s32.s32.u32.sat.a.h0.b.neg.b3",
		lower.CallName(ptx.Form{Op: ptx.Vmad, T: ptx.S32, A: ptx.S32, B: ptx.U32, Sat: true, SelA: ptx.H0, SelB: ptx.B3, NegB: true}))
}

func TestNeighboursWithoutOperandPatternsCanBeCalledToo(t *testing.T) {
	for _, f := range ptx.Neighbours() {
		if f.Dual || f.Pack != 0 || f.Op == ptx.Lop3 {
			continue // their mnemonic says less than they are
		}
		back, err := lower.FormOfCall(lower.CallName(f))
		require.NoError(t, err, f.Name())
		require.Equal(t, f, back, f.Name())
	}
}

func TestNamesThatStandForNoForm(t *testing.T) {
	for name, part := range map[string]string{
		"ptx.frobnicate":                         "no such instruction",
		"ptx.":                                   "",
		"ptx.mad24.u32":                          "'mad24' needs .lo or .hi",
		"ptx.add.cc.u16":                         "",
		"ptx.mul24.lo.u32.a.b0":                  "mul24.lo.u32 has no operand modifiers",
		"ptx.vmad.u32.u32.u32.c.b0":              "operand modifier .b0 after .c",
		"ptx.vmad.u32.u32.u32.a.b7":              "operand modifier .b7 after .a",
		"ptx.vmad.u32.u32.u32.a.neg.c.neg":       "cannot both be negated",
		"ptx.vmad.u32.u32.u32.po.c.neg":          ".po takes no negation",
		"ptx.vmad.u32.u32.u32.a.neg.b.neg.c.neg": "",
		"ptx.vadd.s32.s32.s32":                   "no such instruction",
	} {
		_, err := lower.FormOfCall(name)
		if name == "ptx.vmad.u32.u32.u32.a.neg.b.neg.c.neg" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, part, name)
	}
}

// callOf is a module that calls a form with parameters as arguments.
func callOf(f ptx.Form) string {
	types := func(ws []int) (ts []string) {
		for _, w := range ws {
			ts = append(ts, fmt.Sprintf("i%d", w))
		}
		return ts
	}
	in, out := types(ir.ArgWidths(f)), types(ir.ResultWidths(f))
	ret := out[0]
	if len(out) > 1 {
		ret = "{ " + strings.Join(out, ", ") + " }"
	}
	params := make([]string, len(in))
	for i, ty := range in {
		params[i] = fmt.Sprintf("%s %%a%d", ty, i)
	}
	list := strings.Join(params, ", ")
	return fmt.Sprintf("define %s @f(%s) {\n  %%r = call %s @%s(%s)\n  ret %s %%r\n}\ndeclare %s @%s(%s)\n",
		ret, list, ret, lower.CallName(f), list, ret, ret, lower.CallName(f), strings.Join(in, ", "))
}

func TestACallComputesItsForm(t *testing.T) {
	for n, f := range families() {
		if f.Op == ptx.Vmad && n%37 != 0 {
			continue
		}
		for _, m := range []ptx.Model{ptx.ISA, ptx.PTXAS} {
			fn := function(t, callOf(f), lower.Options{Model: m})
			b := sem.NewBuilder()
			var params []*sem.Term
			for i, w := range ir.ArgWidths(f) {
				params = append(params, b.Var(string("abce"[i]), w))
			}
			got, err := eval.Terms(fn, b, params)
			require.NoError(t, err)
			require.Equal(t, f.Meaning(b, params, m), got, "%s", f.Name())
		}
	}
}

func TestACarryIsAnArgumentAndAResultOfACall(t *testing.T) {
	f := function(t, `
define i64 @f(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
  %s0 = call { i64, i1 } @ptx.add.cc.u64(i64 %a0, i64 %b0)
  %c = extractvalue { i64, i1 } %s0, 1
  %s1 = call i64 @ptx.addc.u64(i64 %a1, i64 %b1, i1 %c)
  ret i64 %s1
}
declare { i64, i1 } @ptx.add.cc.u64(i64, i64)
declare i64 @ptx.addc.u64(i64, i64, i1)`, isa)
	require.Equal(t, []uint64{13}, run(t, f, -1, 5, 1, 7))
}

func TestConstantsAreArgumentsOfCalls(t *testing.T) {
	m, units, ds := lift(t, `
define i32 @f(i32 %a) {
  %r = call i32 @ptx.madc.lo.u32(i32 %a, i32 -1, i32 7, i1 true)
  ret i32 %r
}
declare i32 @ptx.madc.lo.u32(i32, i32, i32, i1)`, isa)
	require.Empty(t, ds)
	require.Len(t, units[0].Sites[0].In, 1)
	f, refusal := units[0].Function(m, ptx.ISA)
	require.Nil(t, refusal)
	require.Equal(t, []uint64{3}, run(t, f, 5))
}

func TestCallsOfTheWrongType(t *testing.T) {
	for _, tt := range []struct{ name, text, part string }{
		{"too few arguments", `%r = call i32 @ptx.mad24.lo.u32(i32 %a, i32 %a)`, "@ptx.mad24.lo.u32 has the type i32 (i32, i32, i32)"},
		{"an argument of another width", `%r = call i32 @ptx.mul24.lo.u32(i32 %a, i64 1)`, "has the type i32 (i32, i32)"},
		{"a result of another width", `%r = call i64 @ptx.mul24.lo.u32(i32 %a, i32 1)`, ""},
		{"no carry-in", `%r = call i32 @ptx.addc.u32(i32 %a, i32 1)`, "has the type i32 (i32, i32, i1)"},
		{"no carry-out", `%r = call i32 @ptx.add.cc.u32(i32 %a, i32 1)`, "has the type { i32, i1 } (i32, i32)"},
		{"a carry-out too many", `%r = call { i32, i1 } @ptx.addc.u32(i32 %a, i32 1, i1 true)`, "has the type i32 (i32, i32, i1)"},
		{"a struct of another shape", `%r = call { i32, i32 } @ptx.add.cc.u32(i32 %a, i32 1)`, ""},
		{"a packed struct", `%r = call <{ i32, i1 }> @ptx.add.cc.u32(i32 %a, i32 1)`, ""},
		{"no result", `call void @ptx.mul24.lo.u32(i32 %a, i32 1)`, ""},
		{"a vector", `%r = call <2 x i32> @ptx.mul24.lo.u32(<2 x i32> undef, <2 x i32> undef)`, ""},
		{"of an instruction that there is not", `%r = call i32 @ptx.mul24.u32(i32 %a, i32 1)`, "needs .lo or .hi"},
		{"of a built-in", `%r = call i32 @llvm.nvvm.mul24.i(i32 %a)`, "@llvm.nvvm.mul24.i has the type i32 (i32, i32)"},
		{"of an OpenCL vector built-in", `%r = call i32 @_Z5mul24Dv2_iS_(i32 %a, i32 %a)`, "has the type <2 x i32> (<2 x i32>, <2 x i32>)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, units, ds := lift(t, "define void @f(i32 %a) {\n  "+tt.text+"\n  ret void\n}\n", isa)
			require.Len(t, ds, 1)
			require.Equal(t, "ptx-call", ds[0].ID)
			require.Contains(t, ds[0].Text, tt.part)
			require.Empty(t, units[0].Sites)
		})
	}
}

func TestBuiltins(t *testing.T) {
	signed, unsigned := ptx.Form{Op: ptx.Mul24, Mode: ptx.Lo, T: ptx.S32}, ptx.Form{Op: ptx.Mul24, Mode: ptx.Lo, T: ptx.U32}
	signedMad, unsignedMad := signed, unsigned
	signedMad.Op, unsignedMad.Op = ptx.Mad24, ptx.Mad24
	for _, tt := range []struct {
		name  string
		form  ptx.Form
		lanes int
	}{
		{"llvm.nvvm.mul24.i", signed, 0},
		{"llvm.nvvm.mul24.ui", unsigned, 0},
		{"__nv_mul24", signed, 0},
		{"__nv_umul24", unsigned, 0},
		{"_Z5mul24ii", signed, 0},
		{"_Z5mul24jj", unsigned, 0},
		{"_Z5mad24iii", signedMad, 0},
		{"_Z5mad24jjj", unsignedMad, 0},
		{"_Z5mul24Dv2_iS_", signed, 2},
		{"_Z5mul24Dv3_jS_", unsigned, 3},
		{"_Z5mul24Dv4_jS_", unsigned, 4},
		{"_Z5mad24Dv8_iS_S_", signedMad, 8},
		{"_Z5mad24Dv16_jS_S_", unsignedMad, 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ty := "i32"
			if tt.lanes > 0 {
				ty = fmt.Sprintf("<%d x i32>", tt.lanes)
			}
			args := strings.TrimSuffix(strings.Repeat(ty+" %a, ", len(ir.ArgWidths(tt.form))), ", ")
			text := fmt.Sprintf("define %s @f(%s %%a) {\n  %%r = tail call %s @%s(%s) #1\n  ret %s %%r\n}\nattributes #1 = { nounwind }\n", ty, ty, ty, tt.name, args, ty)
			m, units, ds := lift(t, text, isa)
			require.Empty(t, ds)
			s := units[0].Sites[0]
			require.Equal(t, lower.SiteBuiltin, s.Kind)
			require.Equal(t, tt.form, s.Insts[0].Form)
			require.Equal(t, tt.lanes, s.Lanes)
			f, refusal := units[0].Function(m, ptx.ISA)
			if tt.lanes > 0 {
				require.Contains(t, refusal.What, "not selectable")
				return
			}
			require.Nil(t, refusal)
			want := sem.Eval(meaning(tt.form), map[string]sem.Val{"a": sem.U(0x81234567)})
			require.Equal(t, []uint64{want.Lo}, run(t, f, 0x81234567))
		})
	}
}

// meaning is a form of which all operands are a.
func meaning(f ptx.Form) *sem.Term {
	b := sem.NewBuilder()
	a := b.Var("a", 32)
	return f.Meaning(b, []*sem.Term{a, a, a}[:len(f.Ins())], ptx.ISA)[0]
}

func TestOtherFunctionsAreCalls(t *testing.T) {
	for _, name := range []string{"ptxas", "mul24", "_Z5mul24if", "_Z5mul24Dv5_iS_", "_Z5mad24ii", "_Z6mul24ii", "__nv_mul24hi", "llvm.nvvm.mul24.ull"} {
		_, units, ds := lift(t, fmt.Sprintf("define i32 @f(i32 %%a) {\n  %%r = call i32 @%s(i32 %%a, i32 %%a)\n  ret i32 %%r\n}\n", name), isa)
		require.Empty(t, ds, name)
		require.Empty(t, units[0].Sites, name)
	}
}
