package llvm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

func linesOf(t *testing.T, fn *ir.Func, ctx llvm.Context) llvm.Code {
	t.Helper()
	code, err := llvm.Lines(selected(t, generic(), fn), ctx)
	require.NoError(t, err)
	return code
}

func text(lines ...string) string { return strings.Join(lines, "\n") }

func TestLinesNameResultsAndTemporariesAsTheContextSays(t *testing.T) {
	code := linesOf(t, single("f", named(t, "mad24.hi.sat.s32"), ptx.ISA),
		llvm.Context{Args: []string{"%x", "-3", "%arg.1"}, Results: []string{"%5"}, Prefix: "ptx."})
	require.Equal(t, text(
		"%ptx.0 = shl i32 %x, 8",
		"%ptx.1 = ashr i32 %ptx.0, 8",
		"%ptx.2 = sext i32 %ptx.1 to i64",
		"%ptx.3 = shl i32 -3, 8",
		"%ptx.4 = ashr i32 %ptx.3, 8",
		"%ptx.5 = sext i32 %ptx.4 to i64",
		"%ptx.6 = mul i64 %ptx.2, %ptx.5",
		"%ptx.7 = lshr i64 %ptx.6, 16",
		"%ptx.8 = trunc i64 %ptx.7 to i32",
		"%5 = call i32 @llvm.sadd.sat.i32(i32 %ptx.8, i32 %arg.1)",
	), text(code.Lines...))
	require.Equal(t, map[string]string{"llvm.sadd.sat.i32": "declare i32 @llvm.sadd.sat.i32(i32, i32)"}, code.Declares)
}

func TestACarryThatIsNotWantedLeavesAPlainAdd(t *testing.T) {
	fn := single("f", named(t, "add.cc.u32"), ptx.ISA)
	for _, c := range []struct {
		results []string
		want    string
	}{
		{[]string{"%d", ""}, "%d = add i32 %x, 1"},
		{[]string{"", "%c"}, text("%t0 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 1)", "%c = extractvalue { i32, i1 } %t0, 1")},
		{[]string{"%d", "%c"}, text("%t0 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 1)", "%d = extractvalue { i32, i1 } %t0, 0", "%c = extractvalue { i32, i1 } %t0, 1")},
		{[]string{"", ""}, ""},
	} {
		code := linesOf(t, fn, llvm.Context{Args: []string{"%x", "1"}, Results: c.results, Prefix: "t"})
		require.Equal(t, c.want, text(code.Lines...))
	}
}

func TestAResultThatNoInstructionMakesIsCopied(t *testing.T) {
	fn := ir.NewFunc("f")
	x, p := fn.Param("x", 32), fn.Param("p", 1)
	sum := fn.Blocks[0].PTX(ptx.Form{Op: ptx.Add, T: ptx.U32}, x, x)[0]
	fn.Blocks[0].Ret(x, p, fn.Const(sem.S(-1), 64), fn.Const(sem.U(1), 1), sum, sum, x)
	code := linesOf(t, fn, llvm.Context{Args: []string{"%a", "%b"}, Results: []string{"%1", "%2", "%3", "%4", "%5", "%6", ""}, Prefix: "t"})
	require.Equal(t, text(
		"%5 = add i32 %a, %a",
		"%1 = add i32 %a, 0",
		"%2 = or i1 %b, false",
		"%3 = add i64 -1, 0",
		"%4 = or i1 true, false",
		"%6 = add i32 %5, 0",
	), text(code.Lines...))
}

// Inline assembly gives some value for undef and poison, the same at each use.
func TestUndefIsFrozenOnce(t *testing.T) {
	fn := single("f", named(t, "mul.lo.u32"), ptx.ISA)
	for _, c := range []struct {
		a, b   string
		freeze bool
		want   string
	}{
		{"undef", "%y", false, text("%t0 = freeze i32 undef", "%d = mul i32 %t0, %y")},
		{"%x", "poison", false, text("%t0 = freeze i32 poison", "%d = mul i32 %x, %t0")},
		{"%x", "7", true, text("%t0 = freeze i32 %x", "%d = mul i32 %t0, 7")},
		{"-7", "%y", true, text("%t0 = freeze i32 %y", "%d = mul i32 -7, %t0")},
		{"%x", "%y", false, "%d = mul i32 %x, %y"},
	} {
		code := linesOf(t, fn, llvm.Context{Args: []string{c.a, c.b}, Results: []string{"%d"}, Prefix: "t", Freeze: c.freeze})
		require.Equal(t, c.want, text(code.Lines...))
	}
}

func TestAnArgumentThatNobodyReadsIsNotFrozen(t *testing.T) {
	fn := ir.NewFunc("f")
	fn.Param("x", 32)
	fn.Blocks[0].Ret(fn.Const(sem.U(5), 32))
	code := linesOf(t, fn, llvm.Context{Args: []string{"undef"}, Results: []string{"%d"}, Prefix: "t", Freeze: true})
	require.Equal(t, []string{"%d = add i32 5, 0"}, code.Lines)
}

func TestConstantsArePrintedAsLLVMDoes(t *testing.T) {
	for _, c := range []struct {
		k    sem.Val
		bits int
		want string
	}{
		{sem.U(255), 8, "add i8 -1, 0"},
		{sem.U(127), 8, "add i8 127, 0"},
		{sem.U(1 << 63), 64, "add i64 -9223372036854775808, 0"},
		{sem.U(1 << 63), 128, "add i128 9223372036854775808, 0"},
		{sem.S(-1), 128, "add i128 -1, 0"},
		{sem.U(1).Shl(127), 128, "add i128 -170141183460469231731687303715884105728, 0"},
		{sem.U(0), 1, "or i1 false, false"},
	} {
		fn := ir.NewFunc("f")
		fn.Blocks[0].Ret(fn.Const(c.k, c.bits))
		code := linesOf(t, fn, llvm.Context{Results: []string{"%d"}})
		require.Equal(t, []string{"%d = " + c.want}, code.Lines)
	}
}

func TestLinesRefuseWhatDoesNotFit(t *testing.T) {
	f := selected(t, generic(), single("f", named(t, "add.u32"), ptx.ISA))
	for name, ctx := range map[string]llvm.Context{
		"an argument is missing":     {Args: []string{"%x"}, Results: []string{"%d"}},
		"a result is missing":        {Args: []string{"%x", "%y"}},
		"there is one name too many": {Args: []string{"%x", "%y"}, Results: []string{"%d", "%e"}},
	} {
		_, err := llvm.Lines(f, ctx)
		require.ErrorContains(t, err, "f has 2 parameters and 1 results", name)
	}
	branchy := &mach.Func{Name: "g", Blocks: []*mach.Block{{Term: mach.Jump}}}
	_, err := llvm.Lines(branchy, llvm.Context{})
	require.ErrorContains(t, err, "g is not straight-line code")
	foreign := &mach.Func{Name: "h", Classes: []mach.Class{{Bank: mach.General, Bits: 32}}, Blocks: []*mach.Block{{
		Insts: []mach.Inst{{Op: &mach.Op{Name: "IADD3", Out: []mach.Class{{Bank: mach.General, Bits: 32}}}, Out: []mach.Operand{{Bits: 32}}}},
		Ret:   []mach.Operand{{Bits: 32}},
	}}}
	_, err = llvm.Lines(foreign, llvm.Context{Results: []string{"%d"}})
	require.ErrorContains(t, err, "IADD3 is no instruction of LLVM IR")
}

func TestPrintWritesADefinition(t *testing.T) {
	require.Equal(t, text(
		"define { i32, i1 } @f(i32 %a, i32 %b) {",
		"  %t2 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)",
		"  %t0 = extractvalue { i32, i1 } %t2, 0",
		"  %t1 = extractvalue { i32, i1 } %t2, 1",
		"  %t3 = xor i1 %t1, true",
		"  %t4 = insertvalue { i32, i1 } poison, i32 %t0, 0",
		"  %t5 = insertvalue { i32, i1 } %t4, i1 %t3, 1",
		"  ret { i32, i1 } %t5",
		"}", "",
	), printed(t, generic(), selected(t, generic(), single("f", named(t, "sub.cc.u32"), ptx.ISA))))
}

func TestPrintWritesBranchesPhisAndOddNames(t *testing.T) {
	fn := ir.NewFunc("a function")
	x, n := fn.Param("t0", 32), fn.Param("t0", 32)
	entry, loop, out := fn.Blocks[0], fn.NewBlock("lo op"), fn.NewBlock("")
	entry.Br(loop)
	k := loop.Phi(32)
	next := loop.PTX(ptx.Form{Op: ptx.Add, T: ptx.U32}, k, fn.Const(sem.U(1), 32))[0]
	k.Args = []*ir.Value{x, next}
	more := loop.PTX(ptx.Form{Op: ptx.Setp, Cmp: ptx.Lt, T: ptx.U32}, next, n)[0]
	loop.CondBr(more, loop, out)
	out.Ret(next)
	got := printed(t, generic(), selected(t, generic(), fn))
	require.Equal(t, text(
		`define i32 @"a function"(i32 %t0.0, i32 %t0.1) {`,
		"entry:",
		`  br label %"lo op"`,
		`"lo op":`,
		`  %t0 = phi i32 [ %t0.0, %entry ], [ %t1, %"lo op" ]`,
		"  %t1 = add i32 %t0, 1",
		"  %t2 = icmp ult i32 %t1, %t0.1",
		`  br i1 %t2, label %"lo op", label %bb2`,
		"bb2:",
		"  ret i32 %t1",
		"}", "",
	), got)
	tool(t, got, "opt-22", "-passes=verify", "-disable-output")
}
