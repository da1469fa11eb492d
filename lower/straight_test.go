package lower_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

// Two loads of an address are one value only where nothing between them can have
// written there.
func TestWhatMayWriteMemoryEndsWhatLoadsAreKnownToBe(t *testing.T) {
	for between, same := range map[string]bool{
		"":                      true,
		"%z = add i32 %a, 1":    true,
		"%z = load i32, ptr %q": true,
		"store i32 %a, ptr %p1": true, // beside it
		"%z = call i32 asm sideeffect \"add.cc.u32 $0, $1, $1;\", \"=r,r,~{memory}\"(i32 %a)": true, // PTX that is lowered touches none
		"%z = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()":                                      true,
		"store i32 %a, ptr %q":                              false,
		"store i64 0, ptr %pm":                              false, // over it
		"store i8 0, ptr %p2":                               false,
		"store i32 0, ptr %far":                             false, // the same where a pointer has 32 bits
		"%z = atomicrmw add ptr %q, i32 1 seq_cst":          false,
		"%z = cmpxchg ptr %q, i32 0, i32 1 seq_cst seq_cst": false,
		"fence seq_cst":                                     false,
		"%z = va_arg ptr %q, i32":                           false,
		"call void @g()":                                    false,
		"call void asm sideeffect \"bar.sync 0;\", \"\"()":  false,
		"%z = load volatile i32, ptr %q":                    false,
		"%z = load atomic i32, ptr %q acquire, align 4":     false,
	} {
		text := `declare void @g()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @f(ptr %p, ptr %q, i32 %a) {
  %p1 = getelementptr i32, ptr %p, i64 1
  %p2 = getelementptr i8, ptr %p, i64 3
  %pm = getelementptr i8, ptr %p, i64 -4
  %far = getelementptr i8, ptr %p, i64 4294967296
  %x = load i32, ptr %p
  BETWEEN
  %y = load i32, ptr %p
  %r = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
`
		var l diag.List
		m := ll.Parse(diag.NewFile("m.ll", []byte(strings.ReplaceAll(text, "BETWEEN", between))), &l)
		units := lower.Lift(m, lower.Options{KeepUnknown: true}, &l)
		require.NoError(t, l.Err(), between)
		s := units[0].StraightLine(m, m.Funcs[0].Blocks[0], ptx.ISA)
		require.Len(t, s.Vals["x"], 1, between)
		require.Len(t, s.Vals["y"], 1, between)
		require.Equal(t, same, s.Vals["x"][0] == s.Vals["y"][0], between)
	}
}
