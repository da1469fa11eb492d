package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
)

func TestWholeFunctions(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		in         []int64
		want       []uint64
	}{
		{"nothing", `define void @f() {
  ret void
}`, nil, nil},
		{"a constant", `define i64 @f() {
  ret i64 -1
}`, nil, []uint64{0xffffffffffffffff}},
		{"zero and undef", `define { i32, i32 } @f() {
  ret { i32, i32 } zeroinitializer
}`, nil, []uint64{0, 0}},
		{"a struct of constants", `define { i32, i1 } @f() {
  ret { i32, i1 } { i32 7, i1 true }
}`, nil, []uint64{7, 1}},
		{"a parameter that is not used", `define i32 @f(ptr %p, i32 %a) {
  ret i32 %a
}`, []int64{0, 5}, []uint64{5}},
		{"a struct, changed and taken apart", `define i32 @f(i32 %a, i32 %b) {
  %x = insertvalue { i32, i32 } poison, i32 %a, 0
  %y = insertvalue { i32, i32 } %x, i32 %b, 1
  %z = insertvalue { i32, i32 } %y, i32 100, 0
  %l = extractvalue { i32, i32 } %z, 0
  %h = extractvalue { i32, i32 } %y, 1
  %m = extractvalue { i32, i32 } %y, 0
  %s = add i32 %l, %h
  %r = mul i32 %s, %m
  ret i32 %r
}`, []int64{3, 5}, []uint64{3 * 105}},
		{"a named struct", `%pair = type { i32, i64 }
define %pair @f(i32 %a) {
  %w = sext i32 %a to i64
  %x = insertvalue %pair undef, i32 %a, 0
  %y = insertvalue %pair %x, i64 %w, 1
  ret %pair %y
}`, []int64{-3}, []uint64{0xfffffffd, 0xfffffffffffffffd}},
		{"widths that PTX has not", `define i7 @f(i33 %a) {
  %x = shl i33 %a, 30
  %y = lshr i33 %x, 29
  %z = trunc i33 %y to i7
  ret i7 %z
}`, []int64{7}, []uint64{14}},
		{"flags change nothing", `define i32 @f(i32 %a) {
  %x = add nuw nsw i32 %a, 1
  %y = or disjoint i32 %x, 64
  %z = zext nneg i32 %y to i64
  %u = lshr exact i64 %z, 1
  %v = trunc nuw i64 %u to i32
  ret i32 %v
}`, []int64{5}, []uint64{(6 | 64) / 2}},
		{"a choice", `define i32 @f(i32 %a, i32 %b) {
  %c = icmp samesign slt i32 %a, %b
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r
}`, []int64{-1, 1}, []uint64{0xffffffff}},
		{"freeze", `define i32 @f(i32 %a) {
  %r = freeze i32 %a
  %s = freeze i32 poison
  %t = add i32 %r, %s
  ret i32 %t
}`, []int64{9}, []uint64{9}},
		{"a loop", `define i64 @f(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %j, %loop ]
  %p = phi i64 [ 1, %entry ], [ %q, %loop ]
  %q = mul i64 %p, %i
  %j = add i64 %i, -1
  %more = icmp ugt i64 %j, 1
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %q
}`, []int64{10}, []uint64{3628800}},
		{"two values that change places in a loop", `define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %a
}`, []int64{4}, []uint64{2}},
		{"a switch with phis", `define i32 @f(i32 %k) {
entry:
  switch i32 %k, label %out [ i32 1, label %out
    i32 2, label %two
    i32 -3, label %two
    i32 4, label %out ]
two:
  %x = phi i32 [ 20, %entry ], [ 20, %entry ]
  br label %out
out:
  %r = phi i32 [ 7, %entry ], [ 7, %entry ], [ %x, %two ], [ 7, %entry ]
  ret i32 %r
}`, []int64{-3}, []uint64{20}},
		{"a switch, its default", `define i32 @f(i8 %k) {
entry:
  switch i8 %k, label %d [ i8 -1, label %a
    i8 2, label %b ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 3
}`, []int64{0x7f}, []uint64{3}},
		{"a switch without cases", `define i32 @f(i8 %k) {
entry:
  switch i8 %k, label %d [ ]
d:
  ret i32 3
}`, []int64{1}, []uint64{3}},
		{"names that need quotes", `define i32 @"my f"(i32 %"a b") {
"the entry":
  br label %"next \22one\22"
"next \22one\22":
  %"r r" = phi i32 [ %"a b", %"the entry" ]
  ret i32 %"r r"
}`, []int64{5}, []uint64{5}},
		{"numbers for names", `define i32 @f(i32 %0, i1 %1) {
  br i1 %1, label %3, label %5
3:
  %4 = add i32 %0, 1
  br label %5
5:
  %6 = phi i32 [ %0, %2 ], [ %4, %3 ]
  ret i32 %6
}`, []int64{5, 1}, []uint64{6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, run(t, function(t, tt.text, isa), tt.in...))
		})
	}
}

func TestFunctionsThatAreNoIntegersOnly(t *testing.T) {
	for _, tt := range []struct{ name, text, mark, part string }{
		{"a load", `define i32 @f(ptr %p) {
  %r = load i32, ptr %p
  ret i32 %r
}`, "%r = load i32, ptr %p", "load is not an integer operation"},
		{"a float parameter", `define i32 @f(float %p) {
  ret i32 0
}`, "float %p", "a parameter of type float is not selectable"},
		{"a vector result", `define <2 x i32> @f() {
  ret <2 x i32> zeroinitializer
}`, "@f", "a result of type <2 x i32> is not selectable"},
		{"a nested struct", `define { i32, { i32 } } @f() {
  ret { i32, { i32 } } zeroinitializer
}`, "@f", "is not selectable"},
		{"variable arguments", `define i32 @f(i32 %a, ...) {
  ret i32 %a
}`, "@f", "a variadic function is not selectable"},
		{"a pointer that is used", `define i64 @f(ptr %p) {
  %r = ptrtoint ptr %p to i64
  ret i64 %r
}`, "%r = ptrtoint ptr %p to i64", "ptrtoint is not an integer operation"},
		{"a pointer that is compared", `define i1 @f(ptr %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}`, "%r = icmp eq ptr %p, null", "icmp of type ptr is not selectable"},
		{"an integer that is too wide", `define i64 @f(i64 %a) {
  %x = zext i64 %a to i128
  %r = trunc i128 %x to i64
  ret i64 %r
}`, "%x = zext i64 %a to i128", "zext of type i128 is not selectable"},
		{"a division", `define i32 @f(i32 %a) {
  %r = udiv i32 %a, 3
  ret i32 %r
}`, "%r = udiv i32 %a, 3", "udiv is not an integer operation"},
		{"a constant expression", `@g = global i32 0
define i64 @f() {
  %r = add i64 ptrtoint (ptr @g to i64), 1
  ret i64 %r
}`, "%r = add i64 ptrtoint (ptr @g to i64), 1", "ptrtoint (ptr @g to i64)"},
		{"a jump to a computed place", `define i32 @f(ptr %p) {
entry:
  indirectbr ptr %p, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}`, "indirectbr ptr %p, [label %a, label %b]", "indirectbr is not an integer operation"},
		{"a definition that does not come before its use", `define i32 @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %x, label %y
x:
  %v = add i32 %a, 1
  br label %y
y:
  %r = add i32 %v, 1
  ret i32 %r
}`, "@f", "it is not valid LLVM IR"},
		{"an operand of another width than its type", `define i32 @f(i64 %a) {
  %r = add i32 %a, 1
  ret i32 %r
}`, "%r = add i32 %a, 1", "operand %a of add"},
		{"a widening that does not widen", `define i32 @f(i32 %a) {
  %r = zext i32 %a to i32
  ret i32 %r
}`, "@f", "it is not valid LLVM IR"},
		{"a result of another width", `define i32 @f(i64 %a) {
  ret i64 %a
}`, "@f", "it is not valid LLVM IR"},
		{"a branch on a word", `define i32 @f(i32 %a) {
entry:
  br i32 %a, label %x, label %x2
x:
  ret i32 1
x2:
  ret i32 2
}`, "@f", "it is not valid LLVM IR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, units, ds := lift(t, tt.text, isa)
			require.Empty(t, ds)
			f, refusal := units[0].Function(m, ptx.ISA)
			require.Nil(t, f)
			require.Contains(t, refusal.What, tt.part)
			require.Equal(t, tt.mark, m.Text(refusal.Span))
		})
	}
}

func TestParametersInRegistersOfAllLanesAreUniform(t *testing.T) {
	for text, want := range map[string][]bool{
		"define void @f(i32 inreg %a, i32 %b, i64 inreg noundef %c, ptr inreg %p) {\n  ret void\n}": {true, false, true, true},
		"define amdgpu_kernel void @f(i32 %a, ptr %p) {\n  ret void\n}":                             {true, true},
		"define i32 @f(i32 %a) {\n  ret i32 %a\n}":                                                  {false},
	} {
		f := function(t, text, isa)
		for i, p := range f.Params {
			require.Equal(t, want[i], p.Uniform, text)
		}
		for i, p := range lower.Canon(f).Params {
			require.Equal(t, want[i], p.Uniform, text)
		}
	}
}
