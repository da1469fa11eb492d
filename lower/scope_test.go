package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/lower"
)

func TestScopesThatOneStatementOpensAndAnotherCloses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		in         []int64
		want       []uint64
		diags      []string
	}{
		{"in one block", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .pred %top; setp.lt.u32 %top, $0, 5;", "r"(i32 %a)
  %x = call i32 asm sideeffect "mov.u32 $0, 1; @%top mov.u32 $0, 2;", "=r"()
  %y = call i32 asm sideeffect "add.u32 $0, $1, 1; @!%top add.u32 $0, $0, 10;", "=r,r"(i32 %x)
  call void asm sideeffect "}", ""()
  ret i32 %y
}`, []int64{7}, []uint64{12}, nil},
		{"a statement in between hides a name", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  %x = call i32 asm sideeffect "{ .reg .u32 t; mov.u32 t, 100; mov.u32 $0, t; }", "=r"()
  %y = call i32 asm sideeffect "add.u32 $0, $1, t; }", "=r,r"(i32 %x)
  ret i32 %y
}`, []int64{7}, []uint64{107}, nil},
		{"a later statement declares more", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{", ""()
  call void asm sideeffect ".reg .u32 t; add.u32 t, $0, 1;", "r"(i32 %a)
  %y = call i32 asm sideeffect "add.u32 $0, t, t;", "=r"()
  call void asm sideeffect "}", ""()
  ret i32 %y
}`, []int64{7}, []uint64{16}, nil},
		{"two scopes, closed one by one", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0; { .reg .u32 u; mov.u32 u, 1;", "r"(i32 %a)
  call void asm sideeffect "add.u32 t, t, u; }", ""()
  %y = call i32 asm sideeffect "mov.u32 $0, t; }", "=r"()
  ret i32 %y
}`, []int64{7}, []uint64{8}, nil},
		{"closed and opened in one statement", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  %x = call i32 asm sideeffect "mov.u32 $0, t; } { .reg .u32 t; mov.u32 t, 3;", "=r"()
  %y = call i32 asm sideeffect "add.u32 $0, $1, t; }", "=r,r"(i32 %x)
  ret i32 %y
}`, []int64{7}, []uint64{10}, nil},
		{"a 64-bit register, written twice", `
define i64 @f(i64 %a) {
  call void asm sideeffect "{ .reg .u64 t; mov.u64 t, $0;", "l"(i64 %a)
  call void asm sideeffect "mul.lo.u64 t, t, t;", ""()
  %y = call i64 asm sideeffect "mov.u64 $0, t; }", "=l"()
  ret i64 %y
}`, []int64{1 << 20}, []uint64{1 << 40}, nil},
		{"around a loop", `
define i32 @f(i32 %n) {
entry:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, 1;", ""()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  call void asm sideeffect "add.u32 t, t, t;", ""()
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %head, label %exit
exit:
  %y = call i32 asm sideeffect "mov.u32 $0, t; }", "=r"()
  ret i32 %y
}`, []int64{5}, []uint64{32}, nil},
		{"within a loop", `
define i32 @f(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %next ]
  call void asm sideeffect "{ .reg .u32 t; mul.lo.u32 t, $0, $0;", "r"(i32 %i)
  br label %next
next:
  %sum1 = call i32 asm sideeffect "add.u32 $0, $1, t; }", "=r,r"(i32 %sum)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %head, label %exit
exit:
  ret i32 %sum1
}`, []int64{4}, []uint64{0 + 1 + 4 + 9}, nil},
		{"closed on both ways out", `
define i32 @f(i1 %p, i32 %a) {
entry:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br i1 %p, label %x, label %y
x:
  %u = call i32 asm sideeffect "add.u32 $0, t, 1; }", "=r"()
  ret i32 %u
y:
  %v = call i32 asm sideeffect "add.u32 $0, t, 2; }", "=r"()
  ret i32 %v
}`, []int64{0, 7}, []uint64{9}, nil},
		{"written on one of two ways that join", `
define i32 @f(i1 %p, i32 %a) {
entry:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br i1 %p, label %x, label %y
x:
  call void asm sideeffect "add.u32 t, t, 1;", ""()
  br label %y
y:
  %v = call i32 asm sideeffect "mov.u32 $0, t; }", "=r"()
  ret i32 %v
}`, []int64{1, 7}, []uint64{8}, nil},
		{"with a guard that keeps the old value", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; .reg .pred p; mov.u32 t, $0; setp.eq.u32 p, t, 1;", "r"(i32 %a)
  call void asm sideeffect "@p mov.u32 t, 50;", ""()
  %v = call i32 asm sideeffect "mov.u32 $0, t; }", "=r"()
  ret i32 %v
}`, []int64{2}, []uint64{2}, nil},
		{"never closed", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  %v = call i32 asm sideeffect "mov.u32 $0, t;", "=r"()
  ret i32 %v
}`, []int64{2}, []uint64{2}, []string{"warning asm-scope: { .reg .u32 t; mov.u32 t, $0;"}},
		{"with a register that is read before it is written", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t;", ""()
  %v = call i32 asm sideeffect "mov.u32 $0, t; }", "=r"()
  ret i32 %v
}`, []int64{2}, []uint64{0}, []string{"warning asm-unwritten-register: t"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, isa)
			require.Equal(t, tt.diags, shown(ds))
			require.Equal(t, tt.want, run(t, function(t, tt.text, isa), tt.in...))
		})
	}
}

func TestScopesThatDoNotMatch(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a } too many", asm("i32", "mov.u32 $0, 1; }", "=r", "", ""), []string{"error asm-scope: }"}},
		{"a } of a scope that a statement before closed", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  call void asm sideeffect "} }", ""()
  ret void
}`, []string{"error asm-scope: }"}},
		{"open on one way into a block", `
define void @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %x, label %y
x:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br label %y
y:
  call void asm sideeffect "}", ""()
  ret void
}`, []string{"error asm-scope: y:", "error asm-scope: }"}},
		{"two scopes of two ways into a block are not one", `
define void @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %x, label %y
x:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br label %z
y:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br label %z
z:
  call void asm sideeffect "}", ""()
  ret void
}`, []string{"error asm-scope: z:"}},
		{"open in each round of a loop", `
define void @f(i1 %p, i32 %a) {
entry:
  br label %head
head:
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  br i1 %p, label %head, label %exit
exit:
  call void asm sideeffect "}", ""()
  ret void
}`, []string{"error asm-scope: head:"}},
		{"a name declared twice in one scope by two statements", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  call void asm sideeffect ".reg .u32 t; }", ""()
  ret void
}`, []string{"error ptx-redeclared: t"}},
		{"a name after its scope was closed", `
define i32 @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  call void asm sideeffect "}", ""()
  %v = call i32 asm sideeffect "mov.u32 $0, t;", "=r"()
  ret i32 %v
}`, []string{"error ptx-undeclared: t"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, isa)
			require.Equal(t, tt.want, shown(ds))
		})
	}
}

func TestBlocksThatNothingReachesDoNotDisturb(t *testing.T) {
	text := `
define i32 @f(i32 %a) {
entry:
  %s = call i32 asm sideeffect "{ .reg .u32 t; add.cc.u32 t, $1, 1; mov.u32 $0, t;", "=r,r"(i32 %a)
  br label %next
dead:
  %d = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %next
island:
  %e = call i32 asm sideeffect "addc.u32 $0, 1, 1;", "=r"()
  br label %island
next:
  %x = phi i32 [ %s, %entry ], [ %d, %dead ]
  %c = call i32 asm sideeffect "addc.u32 $0, t, 0; }", "=r"()
  %r = add i32 %c, %x
  ret i32 %r
}`
	_, units, ds := lift(t, text, isa)
	require.Empty(t, ds)
	require.Len(t, units[0].Sites, 4, "sites that nothing reaches are replaced too")
	f := function(t, text, isa)
	require.Len(t, f.Blocks, 2)
	require.Equal(t, []uint64{6 + 6}, run(t, f, 5))
	require.Equal(t, []uint64{0 + 1 + 0}, run(t, lower.Run(f, true, nil, nil), -1))
}

func TestSitesAreInTheOrderOfTheText(t *testing.T) {
	_, units, _ := lift(t, `
define i32 @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %last, label %first
first:
  %x = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %end
last:
  %y = call i32 asm "sub.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %end
end:
  %z = phi i32 [ %x, %first ], [ %y, %last ]
  ret i32 %z
}`, isa)
	require.Equal(t, []string{"add.u32", "sub.u32"}, forms(units[0]))
}
