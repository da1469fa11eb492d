package ll

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
)

func TestBadInputGivesOneErrorWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"bitcode", "BC\xC0\xDE\x35\x14", "t.ll:1:1: error: this is LLVM bitcode, not text: turn it into text with llvm-dis first [ll-bitcode]"},
		{"wrapped bitcode", "\xDE\xC0\x17\x0B\x00\x00", "t.ll:1:1: error: this is LLVM bitcode, not text: turn it into text with llvm-dis first [ll-bitcode]"},
		{"empty", "", "t.ll:1:1: error: the file is empty: LLVM IR text expected [ll-empty]"},
		{"blank", " \n\t\n", "t.ll:1:1: error: the file is empty: LLVM IR text expected [ll-empty]"},
		{"NUL", "; x\n\x00", "t.ll:2:1: error: NUL byte: this is no LLVM IR text [ll-binary]"},
		{"ELF", "\x7fELF\x02\x01\x00", "t.ll:1:7: error: NUL byte: this is no LLVM IR text [ll-binary]"},
		{"C source", "int main() { return 0; }", "t.ll:1:1: error: expected top-level entity [ll-syntax]"},
		{"stray brace", "define void @f() { ret void }\n}", "t.ll:2:1: error: expected top-level entity [ll-syntax]"},
		{"stray byte", "@x = global i32 0\n\xff", "t.ll:2:1: error: expected top-level entity [ll-syntax]"},
		{"unterminated string", "target triple = \"nvptx\n", "t.ll:1:17: error: unterminated string [ll-syntax]"},
		{"unterminated asm", "define void @f() {\n  call void asm \"x, \"\"()\n  ret void\n}\n", "t.ll:2:22: error: unterminated string [ll-syntax]"},
		{"unterminated comment", "define void @f() {\n  ret void /* x\n}\n", "t.ll:2:12: error: unterminated comment [ll-syntax]"},
		{"open body", "define void @f() {\n  ret void\n", "t.ll:1:18: error: expected '}' at end of function: this brace is not closed [ll-syntax]"},
		{"open body before another", "define void @f() {\n  ret void\ndefine void @g() {\n  ret void\n}\n", "t.ll:3:1: error: expected '}' at end of function before this [ll-syntax]"},
		{"open body before metadata", "define void @f() {\n  ret void\n!0 = !{}\n", "t.ll:3:1: error: expected '}' at end of function before this [ll-syntax]"},
		{"open body before a global", "define void @f() {\n  fancy i32 0\n@x = global i32 0\n", "t.ll:3:1: error: expected '}' at end of function before this [ll-syntax]"},
		{"open bracket in a call", "define void @f() {\n  call void @g(i32 (i8 1\n  ret void\n}\n", "t.ll:2:15: error: this bracket is not closed [ll-syntax]"},
		{"open bracket in metadata", "!0 = !{i32 1\n!1 = !{}\n", "t.ll:1:7: error: this bracket is not closed [ll-syntax]"},
		{"stray bracket", "define void @f() {\n  call void @g())\n  ret void\n}\n", "t.ll:2:17: error: this bracket closes nothing [ll-syntax]"},
		{"empty body", "define void @f() {\n}\n", "t.ll:2:1: error: function body requires at least one basic block [ll-syntax]"},
		{"no terminator", "define void @f() {\n  %x = add i32 1, 2\nl:\n  ret void\n}\n", "t.ll:3:1: error: expected terminator instruction at end of block %0 [ll-syntax]"},
		{"empty block", "define void @f() {\na:\nb:\n  ret void\n}\n", "t.ll:3:1: error: expected terminator instruction at end of block %a [ll-syntax]"},
		{"no name", "define void (i32 %x) { ret void }", "t.ll:1:22: error: expected function name [ll-syntax]"},
		{"no opcode", "define void @f() {\n  %x = 5\n}\n", "t.ll:2:8: error: expected instruction opcode [ll-syntax]"},
		{"lost label", "define void @f() {\n  br label %nowhere\n}\n", "t.ll:2:12: error: use of undefined label '%nowhere' [ll-label]"},
		{"huge width", "@x = global i32 0\ndefine i99999999 @f() { ret void }", "t.ll:2:8: error: bitwidth for integer type out of range [ll-syntax]"},
		{"header without end", "define void @f() nounwind", "t.ll:1:26: error: end of file in a function's header [ll-syntax]"},
		{"attributes without group", "attributes 0 = { }", "t.ll:1:12: error: expected attribute group id [ll-syntax]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l diag.List
			require.NotNil(t, Parse(diag.NewFile("t.ll", []byte(c.text)), &l))
			require.Len(t, l.All, 1)
			require.Equal(t, c.want, l.All[0].Head())
		})
	}
}

func TestWhatCameBeforeAnErrorIsKept(t *testing.T) {
	var l diag.List
	m := Parse(diag.NewFile("t.ll", []byte("define void @f() { ret void }\nxyzzy")), &l)
	require.Len(t, l.All, 1)
	require.Len(t, m.Funcs, 1)
	require.NotNil(t, m.Func("f"))
}

func TestDeepNestingIsNoDanger(t *testing.T) {
	for _, open := range []string{"{", "[1 x ", "<", "("} {
		deep := strings.Repeat(open, 1<<16)
		for _, text := range []string{"%T = type " + deep, "define void @f(" + deep, "!0 = " + deep,
			"define void @f() {\n  %x = add " + deep + "\n  ret void\n}\n"} {
			var l diag.List
			Parse(diag.NewFile("t.ll", []byte(text)), &l)
			require.NotEmpty(t, l.All)
		}
	}
}
