package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/lower"
)

// asm is a function of one statement; params are its parameters, args those of
// the statement.
func asm(result, body, constraints, params, args string) string {
	ret, call := "ret void", "call void"
	if result != "void" {
		ret, call = "ret "+result+" %r", "%r = call "+result
	}
	return fmt.Sprintf("define %s @f(%s) {\n  %s asm sideeffect %q, %q(%s)\n  %s\n}\n", result, params, call, body, constraints, args, ret)
}

func TestOperands(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		in         []int64
		want       []uint64
	}{
		{"an input that the body overwrites is a copy", asm("{ i32, i32 }", "add.u32 $2, $2, 1; mov.u32 $0, $2; mov.u32 $1, $3;", "=r,=r,r,r",
			"i32 %a", "i32 %a, i32 %a"), []int64{7}, []uint64{8, 7}},
		{"an output written before the last read of an input does not change the input", asm("{ i32, i32 }", "mov.u32 $0, 5; add.u32 $1, $2, 0;", "=r,=r,r",
			"i32 %a", "i32 %a"), []int64{7}, []uint64{5, 7}},
		{"nor does an early clobber", asm("{ i32, i32 }", "mov.u32 $0, 5; add.u32 $1, $2, 0;", "=&r,=&r,r",
			"i32 %a", "i32 %a"), []int64{7}, []uint64{5, 7}},
		{"a tied input is where its output starts", asm("i32", "add.u32 $0, $0, $1;", "=r,r,0",
			"i32 %a, i32 %b", "i32 %b, i32 %a"), []int64{7, 20}, []uint64{27}},
		{"a tied output that nobody writes keeps its input", asm("{ i32, i32 }", "mov.u32 $1, 3;", "=r,=r,0",
			"i32 %a", "i32 %a"), []int64{7}, []uint64{7, 3}},
		{"a tied input by its own number is the output too", asm("i32", "add.u32 $0, $2, 1;", "=r,r,0",
			"i32 %a, i32 %b", "i32 %b, i32 %a"), []int64{7, 20}, []uint64{8}},
		{"two tied inputs", asm("{ i32, i32 }", "{ .reg .u32 t; mov.u32 t, $0; mov.u32 $0, $1; mov.u32 $1, t; }", "=r,=r,0,1",
			"i32 %a, i32 %b", "i32 %a, i32 %b"), []int64{1, 2}, []uint64{2, 1}},
		{"braces and modifiers around a number", asm("i32", "add.u32 ${0}, ${1:u}, $2;", "=r,r,r",
			"i32 %a, i32 %b", "i32 %a, i32 %b"), []int64{1, 2}, []uint64{3}},
		{"a constant in a register", asm("i32", "add.u32 $0, $1, $2;", "=r,r,r",
			"i32 %a", "i32 %a, i32 -2"), []int64{1}, []uint64{0xffffffff}},
		{"a constant that the body overwrites", asm("i32", "add.u32 $1, $1, 1; mov.u32 $0, $1;", "=r,r",
			"", "i32 5"), nil, []uint64{6}},
		{"an immediate", asm("i32", "add.u32 $0, $1, $2;", "=r,r,n",
			"i32 %a", "i32 %a, i32 -2"), []int64{1}, []uint64{0xffffffff}},
		{"an immediate is as wide as the place where it stands", asm("{ i32, i64 }", "mov.u32 $0, $2; mov.u64 $1, $2;", "=r,=l,i",
			"", "i32 -2"), nil, []uint64{0xfffffffe, 0xfffffffffffffffe}},
		{"true as an immediate is 1", asm("i32", "mov.u32 $0, $1;", "=r,n",
			"", "i1 true"), nil, []uint64{1}},
		{"either a register or an immediate", asm("i32", "add.u32 $0, $1, $2;", "=r,r,rn",
			"i32 %a", "i32 %a, i32 3"), []int64{1}, []uint64{4}},
		{"a shift count that is an immediate", asm("i64", "shl.b64 $0, $1, $2;", "=l,l,n",
			"i64 %a", "i64 %a, i32 33"), []int64{3}, []uint64{3 << 33}},
		{"undef and poison are values like others", asm("i32", "mul.lo.u32 $0, $1, 0;", "=r,r",
			"", "i32 undef"), nil, []uint64{0}},
		{"i1 in a register of 32 bits", asm("i32", "add.u32 $0, $1, 1;", "=r,r",
			"i1 %a", "i1 %a"), []int64{1}, []uint64{2}},
		{"i8 in a register of 16 bits is zero-extended", asm("i16", "add.u16 $0, $1, 1;", "=h,h",
			"i8 %a", "i8 %a"), []int64{-1}, []uint64{256}},
		{"i16 in a register of 32 bits is zero-extended", asm("i32", "add.u32 $0, $1, 1;", "=r,r",
			"i16 %a", "i16 %a"), []int64{-1}, []uint64{0x10000}},
		{"i16 out of a register of 32 bits is cut", asm("i16", "add.u32 $0, $1, 1;", "=r,r",
			"i32 %a", "i32 %a"), []int64{0x1ffff}, []uint64{0}},
		{"an AMD register constraint", asm("i32", "add.u32 $0, $1, $2;", "=v,v,v",
			"i32 %a, i32 %b", "i32 %a, i32 %b"), []int64{1, 2}, []uint64{3}},
		{"a predicate operand", asm("i32", "selp.u32 $0, 5, 6, $1;", "=r,b",
			"i1 %p", "i1 %p"), []int64{0}, []uint64{6}},
		{"half-words out of a word", asm("{ i16, i16 }", "mov.b32 {$0, $1}, $2;", "=h,=h,r",
			"i32 %a", "i32 %a"), []int64{0x12345678}, []uint64{0x5678, 0x1234}},
		{"a sink", asm("i16", "mov.b32 {_, $0}, $1;", "=h,r",
			"i32 %a", "i32 %a"), []int64{0x12345678}, []uint64{0x1234}},
		{"several results in a struct, in the order of the constraints", asm("{ i64, i32, i64 }", "mul.wide.u32 $2, $3, $4; mov.u32 $1, $3; mov.u64 $0, 1;",
			"=l,=r,=l,r,r", "i32 %a, i32 %b", "i32 %a, i32 %b"), []int64{-1, 3}, []uint64{1, 0xffffffff, 3 * 0xffffffff}},
		{"a conversion reads the low part of a wider register", asm("i32", "cvt.u32.u8 $0, $1;", "=r,r",
			"i32 %a", "i32 %a"), []int64{0x1ff}, []uint64{0xff}},
		{"a conversion sign-extends into a wider register", asm("i32", "cvt.s8.s32 $0, $1;", "=r,r",
			"i32 %a", "i32 %a"), []int64{0x80}, []uint64{0xffffff80}},
		{"a conversion zero-extends into a wider register", asm("i64", "cvt.u16.u32 $0, $1;", "=l,r",
			"i32 %a", "i32 %a"), []int64{0x18000}, []uint64{0x8000}},
		{"a guard", asm("i32", "{ .reg .pred p; mov.u32 $0, 1; setp.lt.u32 p, $1, 5; @p add.u32 $0, $0, 10; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{4}, []uint64{11}},
		{"a guard that is false", asm("i32", "{ .reg .pred p; mov.u32 $0, 1; setp.lt.u32 p, $1, 5; @p add.u32 $0, $0, 10; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{5}, []uint64{1}},
		{"complementary guards", asm("i32", "{ .reg .pred %p; setp.lt.u32 %p, $1, 5; @%p mov.u32 $0, 10; @!%p mov.u32 $0, 20; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{5}, []uint64{20}},
		{"a guard read before the instruction changes it", asm("i32", "{ .reg .pred p; setp.lt.u32 p, $1, 5; mov.u32 $0, 1; @p setp.lt.u32 p, $1, 3; @p mov.u32 $0, 2; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{4}, []uint64{1}},
		{"a guard on a tied output", asm("i32", "{ .reg .pred p; setp.lt.u32 p, $0, 5; @p add.u32 $0, $0, 10; }", "=r,0",
			"i32 %a", "i32 %a"), []int64{9}, []uint64{9}},
		{"a guard on a carry's writer, which then keeps the old carry", asm("i32",
			"{ .reg .pred p; .reg .u32 t; setp.ne.u32 p, $1, 0; add.cc.u32 t, -1, 1; @p add.cc.u32 t, 0, 0; addc.u32 $0, 0, 0; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{0}, []uint64{1}},
		{"a guard on a carry's writer, which writes", asm("i32",
			"{ .reg .pred p; .reg .u32 t; setp.ne.u32 p, $1, 0; add.cc.u32 t, -1, 1; @p add.cc.u32 t, 0, 0; addc.u32 $0, 0, 0; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{1}, []uint64{0}},
		{"a guard on all results of an instruction", asm("{ i16, i16 }",
			"{ .reg .pred p; setp.ne.u32 p, $2, 0; mov.u16 $0, 7; mov.u16 $1, 8; @p mov.b32 {$0, $1}, $2; }", "=h,=h,r",
			"i32 %a", "i32 %a"), []int64{0}, []uint64{7, 8}},
		{"two registers of one scope hide those of the outer one", asm("i32",
			"{ .reg .u32 t; mov.u32 t, 1; { .reg .u32 t; mov.u32 t, 2; } add.u32 $0, t, $1; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{5}, []uint64{6}},
		{"an inner scope sees the registers of the outer one", asm("i32",
			"{ .reg .u32 t; mov.u32 t, 1; { mov.u32 t, 2; } add.u32 $0, t, $1; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{5}, []uint64{7}},
		{"numbered registers", asm("i32", "{ .reg .u32 r<3>; mov.u32 r2, 1; add.u32 $0, r2, $1; }", "=r,r",
			"i32 %a", "i32 %a"), []int64{5}, []uint64{6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, run(t, function(t, tt.text, isa), tt.in...))
		})
	}
}

func TestNamesOfRegistersAreLocalToTheStatement(t *testing.T) {
	f := function(t, `
define { i32, i32 } @f(i32 %a) {
  %x = call i32 asm "{ .reg .u32 t; add.u32 t, $1, 1; mov.u32 $0, t; }", "=r,r"(i32 %a)
  %y = call i32 asm ".reg .u64 t; mov.u64 t, 5; cvt.u32.u64 $0, t;", "=r"()
  %z = call i32 asm ".reg .u32 t; mov.u32 t, 6; add.u32 $0, t, $1;", "=r,r"(i32 %y)
  %r = insertvalue { i32, i32 } undef, i32 %x, 0
  %q = insertvalue { i32, i32 } %r, i32 %z, 1
  ret { i32, i32 } %q
}`, isa)
	require.Equal(t, []uint64{8, 11}, run(t, f, 7))
	_, _, ds := lift(t, `
define i32 @f(i32 %a) {
  %x = call i32 asm "{ .reg .u32 t; add.u32 t, $1, 1; mov.u32 $0, t; }", "=r,r"(i32 %a)
  %y = call i32 asm "mov.u32 $0, t;", "=r"()
  ret i32 %y
}`, isa)
	require.Equal(t, []string{"error ptx-undeclared: t"}, shown(ds))
}

func TestTypesThatTravelInRegisters(t *testing.T) {
	for _, tt := range []struct{ name, typ, constraint, body string }{
		{"a pointer", "ptr", "l", "add.u64 $0, $1, 8;"},
		{"a pointer of 32 bits", "ptr addrspace(3)", "r", "add.u32 $0, $1, 8;"},
		{"a float", "float", "r", "xor.b32 $0, $1, 1;"},
		{"a double", "double", "l", "xor.b64 $0, $1, 1;"},
		{"a half", "half", "h", "xor.b16 $0, $1, 1;"},
		{"a vector of halves", "<2 x half>", "r", "xor.b32 $0, $1, 1;"},
		{"a vector of i16", "<2 x i16>", "r", "xor.b32 $0, $1, 1;"},
		{"a vector of bytes", "<4 x i8>", "r", "xor.b32 $0, $1, 1;"},
		{"a typed pointer", "i32*", "l", "add.u64 $0, $1, 8;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, units, ds := lift(t, asm(tt.typ, tt.body, "="+tt.constraint+","+tt.constraint, tt.typ+" %a", tt.typ+" %a"), isa)
			require.Empty(t, ds)
			require.Equal(t, []lower.Input{{Arg: 0}}, []lower.Input{{Arg: units[0].Sites[0].In[0].Arg}})
			require.Len(t, units[0].Sites[0].Out, 1)
		})
	}
}

func TestOperandsThatAreWrong(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
		part       string // of the first diagnostic
	}{
		{"an output read before it is written", asm("i32", "add.u32 $0, $0, $1;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error asm-unwritten-output: $0"}, "output $0 is read before it is written"},
		{"an output that is written under a guard may be read under it", asm("i32",
			"{ .reg .pred p; setp.eq.u32 p, $1, 0; @p mov.u32 $0, 1; @p add.u32 $0, $0, 1; @!p mov.u32 $0, 0; }", "=r,r", "i32 %a", "i32 %a"), nil, ""},
		{"an output that nobody writes", asm("{ i32, i32 }", "mov.u32 $0, $2;", "=r,=r,r", "i32 %a", "i32 %a"),
			[]string{"warning asm-unwritten-output: mov.u32 $0, $2;"}, "output $1 is never written"},
		{"a register read before it is written", asm("i32", "{ .reg .u32 t; add.u32 $0, t, $1; }", "=r,r", "i32 %a", "i32 %a"),
			[]string{"warning asm-unwritten-register: t"}, "register t is read before it is written"},
		{"a register of another width", asm("i32", "add.u64 $0, $1, 1;", "=r,l", "i64 %a", "i64 %a"),
			[]string{"error ptx-operand-type: $0"}, "add.u64 wants a .u64 operand; $0 is .b32"},
		{"a source of another width", asm("i64", "add.u64 $0, $1, 1;", "=l,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: $1"}, "add.u64 wants a .u64 operand; $1 is .b32"},
		{"a declared register of another width", asm("i32", "{ .reg .u16 t; mov.u32 t, $1; mov.u32 $0, 1; }", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: t"}, "mov.u32 wants a .u32 operand; t is .u16"},
		{"a float register as a source", asm("i32", "add.u32 $0, $1, 1;", "=r,f", "float %a", "float %a"),
			[]string{"error ptx-operand-type: $1"}, "$1 is .f32"},
		{"a float register as a destination", asm("float", "add.u32 $0, $1, 1;", "=f,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: $0"}, "$0 is .f32"},
		{"a float register of the body", asm("i32", "{ .reg .f32 t; add.u32 $0, t, 1; }", "=r", "", ""),
			[]string{"error ptx-operand-type: t"}, "t is .f32"},
		{"a predicate where a word is wanted", asm("i32", "{ .reg .pred p; add.u32 $0, $1, p; }", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: p"}, "add.u32 wants a .u32 operand; p is .pred"},
		{"a word as a guard", asm("i32", "@$1 mov.u32 $0, 1;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: $1"}, "wants a .pred operand; $1 is .b32"},
		{"writing to an immediate", asm("i32", "add.u32 $1, $1, 1; mov.u32 $0, $1;", "=r,n", "", "i32 5"),
			[]string{"error ptx-operand-type: $1"}, "$1 is a constant"},
		{"an immediate that is none", asm("i32", "mov.u32 $0, $1;", "=r,n", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: $1"}, "$1 is not an integer constant"},
		{"i64 in a register of 32 bits", asm("i32", "mov.u32 $0, $1;", "=r,r", "i64 %a", "i64 %a"),
			[]string{"error ptx-operand-type: $1"}, "$1 is an i64"},
		{"i64 out of a register of 32 bits", asm("i64", "mov.u32 $0, $1;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-operand-type: $0"}, "$0 is an i64"},
		{"a constant that the register does not hold", asm("i32", "mov.u32 $0, $1;", "=r,r", "", "i64 5"),
			[]string{"error ptx-operand-type: $1"}, "$1 is an i64"},
		{"a float in a register of 64 bits", asm("i64", "mov.b64 $0, $1;", "=l,l", "float %a", "float %a"),
			[]string{"error ptx-operand-type: $1"}, "$1 is a float"},
		{"a tied input that the register does not hold", asm("i32", "add.u32 $0, $0, 1;", "=r,0", "i64 %a", "i64 %a"),
			[]string{"error ptx-operand-type: $0"}, "$0 is an i64"},
		{"a number beyond the operands", asm("i32", "add.u32 $0, $1, $2;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error asm-operand: $2"}, "operand $2 does not exist: the constraints give 2"},
		{"a number beyond the operands as a destination", asm("i32", "add.u32 ${7}, $1, $1; mov.u32 $0, $1;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error asm-operand: ${7}"}, ""},
		{"a name that is not declared", asm("i32", "add.u32 $0, $1, t;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-undeclared: t"}, "t is not declared"},
		{"a name declared twice", asm("i32", "{ .reg .u32 t, t; mov.u32 $0, 1; }", "=r", "", ""),
			[]string{"error ptx-redeclared: t"}, "t is declared twice"},
		{"a name declared in a scope that is closed", asm("i32", "{ .reg .u32 t; mov.u32 t, 1; } mov.u32 $0, t;", "=r", "", ""),
			[]string{"error ptx-undeclared: t"}, ""},
		{"an illegal spelling", asm("i32", "mad24.u32 $0, $1, $1, $1;", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-missing-mode: .u32"}, "did you mean 'mad24.lo.u32'?"},
		{"a missing semicolon", asm("i32", "mul24.lo.u32 $0, $1, $1", "=r,r", "i32 %a", "i32 %a"),
			[]string{"error ptx-missing-semicolon: "}, ""},
		{"an output in memory", asm("void", "mov.u32 $0, 1;", "=*m", "ptr %p", "ptr elementtype(i32) %p"),
			[]string{"error ptx-operand-type: $0"}, "$0 is in memory"},
		{"a wide register that no instruction of ours can write", asm("{ i32, i128 }", "mov.u32 $0, 1;", "=r,=q", "", ""),
			[]string{"error asm-unwritten-output: mov.u32 $0, 1;"}, `output $1, of constraint "q", is never written`},
		{"constraints that are wrong", asm("i32", "mov.u32 $0, $1;", "=r,9", "i32 %a", "i32 %a"),
			[]string{"error ll-asm-constraint: 9"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, isa)
			require.Equal(t, tt.want, shown(ds))
			if tt.part != "" {
				require.Contains(t, ds[0].Text, tt.part)
			}
		})
	}
}

func TestEveryErrorOfAStatementIsReported(t *testing.T) {
	_, _, ds := lift(t, asm("i32", "add.u64 $0, $0, 1; add.u32 t, $1, $1; mul24.lo.u32 $0, $1, $9;", "=r,r", "i32 %a", "i32 %a"), isa)
	require.Equal(t, []string{"error ptx-operand-type: $0", "error ptx-undeclared: t", "error asm-operand: $9"}, shown(ds))
}

func TestPositionsLieInTheEscapedText(t *testing.T) {
	_, _, ds := lift(t, `define i32 @f(i32 %a) {
  %r = call i32 asm sideeffect "{\0A\09.reg .u32 t;\0A\09add.u32 \09t, $1, $5;\0A}", "=r,r"(i32 %a)
  ret i32 %r
}`, isa)
	require.Equal(t, []string{"error asm-operand: $5"}, shown(ds))
}
