package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/lower"
)

// join adds to a on the left, to b on the right; both leave a carry.
const join = `
define i32 @f(i1 %left, i32 %a, i32 %b) {
entry:
  br i1 %left, label %yes, label %no
yes:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %end
no:
  %t = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %b)
  br label %end
end:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`

// loop adds a and b and the last carry n times, and gives the sum of the sums
// and the carry that is left.
const loop = `
define { i32, i32 } @f(i32 %a, i32 %b, i32 %n) {
entry:
  %z = call i32 asm sideeffect "add.cc.u32 $0, 0, 0;", "=r"()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %s = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %sum1 = add i32 %sum, %s
  br label %latch
latch:
  %i1 = add i32 %i, 1
  br label %head
exit:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r = insertvalue { i32, i32 } undef, i32 %sum, 0
  %q = insertvalue { i32, i32 } %r, i32 %c, 1
  ret { i32, i32 } %q
}`

func TestACarryFlowsFrom(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		in         []int64
		want       []uint64
	}{
		{"one instruction to the next", `
define i32 @f(i32 %a, i32 %b) {
  %r = call i32 asm "{ .reg .u32 t; add.cc.u32 t, $1, $2; addc.u32 $0, 0, 0; }", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}`, []int64{-1, 1}, []uint64{1}},
		{"one statement to the next", `
define i64 @f(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
  %s0 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b0)
  %s1 = call i64 asm sideeffect "addc.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b1)
  ret i64 %s1
}`, []int64{-1, 5, 1, 7}, []uint64{13}},
		{"a 64-bit writer to a 32-bit reader", `
define i32 @f(i64 %a, i64 %b) {
  %s = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`, []int64{-1, 1}, []uint64{1}},
		{"a statement to a later one over what does not touch it", `
define i32 @f(i32 %a, i32 %b, i32 %x) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %y = mul i32 %x, %s
  %z = call i32 asm sideeffect "add.u32 $0, $1, 1;", "=r,r"(i32 %y)
  call void @llvm.assume(i1 true)
  %m = call i32 @llvm.nvvm.mul24.ui(i32 %z, i32 1)
  %c = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %m)
  ret i32 %c
}
declare void @llvm.assume(i1)
declare i32 @llvm.nvvm.mul24.ui(i32, i32)`, []int64{-1, 3, 10}, []uint64{2*10 + 1 + 1}},
		{"the last writer only", `
define i32 @f(i32 %a, i32 %b) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %t = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 1, i32 1)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`, []int64{-1, 1}, []uint64{0}},
		{"a writer to two readers", `
define { i32, i32 } @f(i32 %a, i32 %b) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %d = call i32 asm sideeffect "addc.u32 $0, 5, 0;", "=r"()
  %r = insertvalue { i32, i32 } undef, i32 %c, 0
  %q = insertvalue { i32, i32 } %r, i32 %d, 1
  ret { i32, i32 } %q
}`, []int64{-1, 1}, []uint64{1, 6}},
		{"a block to the next", `
define i32 @f(i32 %a, i32 %b) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %between
between:
  br label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`, []int64{-1, 1}, []uint64{1}},
		{"the left side of a join", join, []int64{1, -1, 7}, []uint64{1}},
		{"the right side of a join", join, []int64{0, -1, 7}, []uint64{0}},
		{"round to round of a loop", loop, []int64{-1, -1, 3}, []uint64{0xfffffffc, 1}},
		{"before a loop that does not run", loop, []int64{-1, -1, 0}, []uint64{0, 0}},
		{"both edges of a branch with one target", `
define i32 @f(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br i1 %p, label %out, label %out
out:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`, []int64{1, -1}, []uint64{1}},
		{"a switch's default to its join", choice, []int64{9, -1}, []uint64{1}},
		{"a switch's case that goes straight to its join", choice, []int64{1, -1}, []uint64{1}},
		{"a block that two cases go to", choice, []int64{3, -1}, []uint64{0}},
		{"a call of @ptx, whose carry is an argument, to nothing else", `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  %t = call { i32, i1 } @ptx.addc.cc.u32(i32 0, i32 0, i1 false)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}
declare { i32, i1 } @ptx.addc.cc.u32(i32, i32, i1)`, []int64{-1}, []uint64{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, run(t, function(t, tt.text, isa), tt.in...))
		})
	}
}

// choice carries from a + 1, or where k is 2 or 3 from the sum plus 2.
const choice = `
define i32 @f(i32 %k, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  switch i32 %k, label %out [ i32 1, label %out
    i32 2, label %two
    i32 3, label %two ]
two:
  %t = call i32 asm sideeffect "add.cc.u32 $0, $1, 2;", "=r,r"(i32 %s)
  br label %out
out:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`

// flow lists for each site from which sites its carry can come; phi says that
// it comes by one.
func flow(u *lower.Unit) (out []string) {
	number := map[*lower.Site]int{}
	for i, s := range u.Sites {
		number[s] = i
	}
	for i, s := range u.Sites {
		for _, in := range s.In {
			if in.State == nil || !in.State.Var.CF {
				continue
			}
			var from []string
			seen := map[*lower.State]bool{}
			var walk func(st *lower.State)
			walk = func(st *lower.State) {
				if st = st.Resolve(); seen[st] {
					return
				}
				seen[st] = true
				switch st.Kind {
				case lower.StateOut:
					from = append(from, fmt.Sprint(number[st.Site]))
				case lower.StateUndef:
					from = append(from, "undef")
				case lower.StatePhi:
					from = append(from, "phi")
				}
				for _, x := range st.In {
					walk(x)
				}
			}
			walk(in.State)
			out = append(out, fmt.Sprintf("%d: %s", i, strings.Join(from, " ")))
		}
	}
	return out
}

func TestUnoptimisedCodeKeepsTheCarry(t *testing.T) {
	// As clang -O0 writes for (i = 0; i < 4; i++) over u32 limbs.
	_, units, ds := lift(t, `
define void @f(ptr %r, ptr %a) {
entry:
  %r.addr = alloca ptr, align 8
  %i = alloca i32, align 4
  store ptr %r, ptr %r.addr, align 8
  %0 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 1, i32 2), !srcloc !0
  store i32 0, ptr %i, align 4
  br label %for.cond
for.cond:
  %1 = load i32, ptr %i, align 4
  %cmp = icmp ult i32 %1, 4
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %2 = load i32, ptr %a, align 4
  %3 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %2, i32 %2)
  store i32 %3, ptr %r, align 4
  br label %for.inc
for.inc:
  %4 = load i32, ptr %i, align 4
  %inc = add i32 %4, 1
  store i32 %inc, ptr %i, align 4
  br label %for.cond
for.end:
  %5 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  store i32 %5, ptr %r, align 4
  ret void
}
!0 = !{i32 1}`, isa)
	require.Empty(t, ds)
	require.Equal(t, []string{"1: phi 0 1", "2: phi 0 1"}, flow(units[0]))
	require.Len(t, units[0].Phis, 1)
	require.Equal(t, "for.cond", units[0].Phis[0].Block.Name)
}

func TestNoPhiIsMadeWhereOneCarryArrives(t *testing.T) {
	_, units, _ := lift(t, `
define i32 @f(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br i1 %p, label %x, label %y
x:
  br label %y
y:
  br i1 %p, label %y, label %z
z:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`, isa)
	require.Equal(t, []string{"1: 0"}, flow(units[0]))
	require.Empty(t, units[0].Phis)
}

func TestACarryThatNobodyReadsIsNoResult(t *testing.T) {
	_, units, _ := lift(t, `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  ret i32 %s
}`, isa)
	require.Equal(t, []int{32}, units[0].Sites[0].Frag.Results)
	require.Len(t, units[0].Sites[0].Out, 1)
}

const called = `
declare void @g()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`

func TestCarriesThatAreNotThere(t *testing.T) {
	read := `
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`
	for _, tt := range []struct {
		name, text string
		want       []string
		text0      string // part of the first diagnostic
	}{
		{"nothing writes it", `
define i32 @f() {` + read, []string{"error cc-undefined: addc.u32"}, "no instruction that writes CC.CF reaches this read"},
		{"only later statements write it", `
define i32 @f(i32 %a) {
  %d = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  ret i32 %d
}`, []string{"error cc-undefined: addc.u32"}, ""},
		{"a call lies between", `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  call void @g()` + read + called, []string{"error cc-undefined: addc.u32"}, "not preserved across the call in line 4"},
		{"an indirect call lies between", `
define i32 @f(i32 %a, ptr %p) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  call void %p()` + read, []string{"error cc-undefined: addc.u32"}, ""},
		{"a call in an earlier block lies between", `
define i32 @f(i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  call void @g()
  br label %next
next:` + read + called, []string{"error cc-undefined: addc.u32"}, ""},
		{"a call lies on one way", `
define i32 @f(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br i1 %p, label %x, label %next
x:
  call void @g()
  br label %next
next:` + read + called, []string{"error cc-undefined: addc.u32"}, ""},
		{"an intrinsic is no call", `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()` + read + called, nil, ""},
		{"a call before the writer does not matter", `
define i32 @f(i32 %a) {
  call void @g()
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)` + read + called, nil, ""},
		{"one way in writes it, the other does not", `
define i32 @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %x, label %next
x:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %next
next:` + read, []string{"warning cc-maybe-undefined: addc.u32"}, "on a way through the function"},
		{"a guarded writer alone", `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p add.cc.u32 $0, $1, 1; @!p mov.u32 $0, 0; }", "=r,r"(i32 %a)` + read, nil, ""},
		{"a guarded writer after a call, and nobody reads", `
define i32 @f(i32 %a) {
  call void @g()
  %s = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p add.cc.u32 $0, $1, 1; @!p mov.u32 $0, 0; }", "=r,r"(i32 %a)
  ret i32 %s
}` + called, nil, ""},
		{"a guarded writer after a call, read under its guard", `
define i32 @f(i32 %a) {
  call void @g()
  %s = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p add.cc.u32 $0, $1, 1; @!p mov.u32 $0, 0; }", "=r,r"(i32 %a)` + read + called, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, isa)
			require.Equal(t, tt.want, shown(ds))
			if tt.text0 != "" {
				require.Contains(t, ds[0].Text, tt.text0)
			}
		})
	}
}

func TestACarryIsKeptOverACallOnRequest(t *testing.T) {
	keep := lower.Options{KeepCCOverCalls: true}
	for name, text := range map[string]string{
		"in the same block": `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  call void @g()
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`,
		"in an earlier block": `
define i32 @f(i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  call void @g()
  br label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`,
		"on one way into a block": `
define i32 @f(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br i1 %p, label %call, label %next
call:
  call void @g()
  br label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`,
		"in a loop": `
define i32 @f(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %head
head:
  call void @g()
  br i1 %p, label %head, label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, units, ds := lift(t, text+called, keep)
			require.Equal(t, []string{"warning cc-call: addc.u32"}, shown(ds))
			require.Contains(t, ds[0].Text, "over the call in line")
			require.Equal(t, []string{"1: 0"}, flow(units[0]))
		})
	}
	_, _, ds := lift(t, `
define i32 @f(i32 %a) {
  call void @g()
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}`+called, keep)
	require.Contains(t, shown(ds), "error cc-undefined: addc.u32", "nothing writes it before the call either")
}

func TestMixedFamiliesAreWarnedOf(t *testing.T) {
	two := func(first, second string) string {
		return fmt.Sprintf(`
define i32 @f(i32 %%a) {
  %%s = call i32 asm sideeffect "%s $0, $1, 1;", "=r,r"(i32 %%a)
  %%c = call i32 asm sideeffect "%s $0, $1, 1;", "=r,r"(i32 %%s)
  ret i32 %%c
}`, first, second)
	}
	one := func(body string) string {
		return fmt.Sprintf(`
define i32 @f(i32 %%a) {
  %%s = call i32 asm sideeffect "%s", "=r,r"(i32 %%a)
  ret i32 %%s
}`, body)
	}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"subc after add.cc", two("add.cc.u32", "subc.u32"), []string{"warning cc-mixed: subc.u32"}},
		{"addc after sub.cc", two("sub.cc.u32", "addc.u32"), []string{"warning cc-mixed: addc.u32"}},
		{"addc after add.cc", two("add.cc.u32", "addc.u32"), nil},
		{"subc after sub.cc", two("sub.cc.u32", "subc.u32"), nil},
		{"within a statement, at the reader", one("add.cc.u32 $0, $1, 1; subc.cc.u32 $0, $0, $1; subc.u32 $0, $0, 1;"),
			[]string{"warning cc-mixed: subc.cc.u32"}},
		{"madc after sub.cc within a statement", one("sub.cc.u32 $0, $1, 1; madc.lo.u32 $0, $0, $1, 1; xor.b32 $0, $0, 1;"),
			[]string{"warning cc-mixed: madc.lo.u32"}},
		{"an unread carry in between does not count", one("add.cc.u32 $0, $1, 1; sub.cc.u32 $0, $0, 1; subc.u32 $0, $0, 1;"), nil},
		{"a guarded writer leaves both", one("{ .reg .pred p; setp.ne.u32 p, $1, 0; sub.cc.u32 $0, $1, 1; @p add.cc.u32 $0, $1, 1; subc.u32 $0, $0, 1; }"),
			[]string{"warning cc-mixed: subc.u32"}},
		{"a loop in which the families meet", `
define i32 @f(i32 %a, i1 %p) {
entry:
  %s = call i32 asm sideeffect "sub.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %head
head:
  %c = call i32 asm sideeffect "subc.u32 $0, $1, 1;", "=r,r"(i32 %s)
  %d = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %c)
  br i1 %p, label %head, label %exit
exit:
  ret i32 %d
}`, []string{"warning cc-mixed: subc.u32"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, isa)
			require.Equal(t, tt.want, shown(ds))
		})
	}
	// And the value is NOT borrow: 5 − 1 does not borrow, so addc adds one.
	f := function(t, two("sub.cc.u32", "addc.u32"), isa)
	require.Equal(t, []uint64{4 + 1 + 1}, run(t, f, 5))
	f = function(t, two("add.cc.u32", "subc.u32"), isa)
	require.Equal(t, []uint64{6 - 1 - 1}, run(t, f, 5))
}
