package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
)

// Statements with instructions that nobody here lowers.
func TestStatementsWithUnknownInstructions(t *testing.T) {
	keep, drop := lower.Options{KeepUnknown: true}, lower.Options{}
	nvptx, amdgcn := "target triple = \"nvptx64-nvidia-cuda\"\n", "target triple = \"amdgcn-amd-amdhsa\"\n"
	mixed := asm("i32", "vadd.s32.s32.s32 $0, $1, $1; add.u32 $0, $0, 1;", "=r,r", "i32 %a", "i32 %a")
	alone := asm("i32", "vadd.s32.s32.s32 $0, $1, $1;", "=r,r", "i32 %a", "i32 %a")
	load := asm("i32", "ld.global.u32 $0, [$1]; mul24.lo.u32 $0, $0, 3;", "=r,l", "ptr %a", "ptr %a")
	special := asm("i32", "mov.u32 $0, %tid.x; add.u32 $0, $0, 1;", "=r", "", "")
	for _, tt := range []struct {
		name, text string
		opt        lower.Options
		kept       string // the instruction for which the first site stays, "-" where there is no site
		want       []string
	}{
		{"beside our own, on NVIDIA", nvptx + mixed, keep, "vadd.s32.s32.s32", nil},
		{"beside our own, elsewhere", amdgcn + mixed, drop, "-", []string{"error asm-unknown: vadd.s32.s32.s32"}},
		{"in a CUDA module for another target", nvptx + mixed, drop, "-", []string{"error asm-unknown: vadd.s32.s32.s32"}},
		{"alone, on NVIDIA, are no site", nvptx + alone, keep, "-", nil},
		{"alone, in a CUDA module for another target", nvptx + alone, drop, "-", []string{"error asm-unknown: vadd.s32.s32.s32"}},
		{"alone, in an AMD module, are not ours", amdgcn + asm("i32", "v_foo $0, $1;", "=v,v", "i32 %a", "i32 %a"), drop, "-", nil},
		{"a load", nvptx + load, keep, "ld.global.u32", nil},
		{"a special register", nvptx + special, keep, "mov.u32", nil},
		{"a special register elsewhere", amdgcn + special, drop, "-", []string{"error asm-unknown: %tid.x"}},
		{"a branch", nvptx + asm("void", "L: add.u32 $0, $0, 1; bra L;", "r", "i32 %a", "i32 %a"), keep, "bra", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, units, ds := lift(t, tt.text, tt.opt)
			require.Equal(t, tt.want, shown(ds))
			if tt.kept == "-" {
				require.Empty(t, units[0].Sites)
				return
			}
			s := units[0].Sites[0]
			require.Equal(t, tt.kept, s.Kept)
			require.Nil(t, s.Frag)
			_, refusal := units[0].Function(m, 0)
			require.NotNil(t, refusal, "the function is not selectable")
			require.Equal(t, s.KeptSpan, refusal.Span)
			require.Contains(t, refusal.What, tt.kept)
		})
	}
}

func TestNoCarryPassesIntoOrOutOfAStatementThatStays(t *testing.T) {
	keep := lower.Options{KeepUnknown: true}
	two := func(first, second string) string {
		return fmt.Sprintf(`
define i32 @f(i32 %%a) {
  %%s = call i32 asm sideeffect "%s", "=r,r"(i32 %%a)
  %%c = call i32 asm sideeffect "%s", "=r,r"(i32 %%s)
  ret i32 %%c
}`, first, second)
	}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"out of it", two("add.cc.u32 $0, $1, 1; vadd.s32.s32.s32 $0, $0, $0;", "addc.u32 $0, $1, 0;"),
			[]string{"error cc-opaque: addc.u32"}},
		{"into it", two("add.cc.u32 $0, $1, 1;", "addc.u32 $0, $1, 0; vadd.s32.s32.s32 $0, $0, $0;"),
			[]string{"error cc-opaque: addc.u32"}},
		{"within it", two("mov.u32 $0, $1;", "add.cc.u32 $0, $1, 0; addc.u32 $0, $0, 1; vadd.s32.s32.s32 $0, $0, $0;"), nil},
		{"over it", `
define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  %x = call i32 asm sideeffect "vadd.s32.s32.s32 $0, $1, 1; add.u32 $0, $0, 1;", "=r,r"(i32 %s)
  %c = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %x)
  ret i32 %c
}`, nil},
		{"a guarded writer in it lets the old carry through", two("add.cc.u32 $0, $1, 1;",
			"{ .reg .pred p; setp.eq.u32 p, $1, 0; @p add.cc.u32 $0, $1, 1; addc.u32 $0, $1, 0; vadd.s32.s32.s32 $0, $0, $0; }"),
			[]string{"error cc-opaque: addc.u32"}},
		{"a scope that it opens", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; vadd.s32.s32.s32 t, $0, $0; add.u32 t, t, 1;", "r"(i32 %a)
  call void asm sideeffect "}", ""()
  ret void
}`, []string{"error asm-scope: vadd.s32.s32.s32", "error asm-scope: }"}},
		{"a scope that it closes", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  call void asm sideeffect "vadd.s32.s32.s32 t, t, t; add.u32 t, t, 1; }", ""()
  ret void
}`, []string{"warning asm-scope: { .reg .u32 t; mov.u32 t, $0;", "error asm-scope: vadd.s32.s32.s32"}},
		{"a register of a scope that another statement opened", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, $0;", "r"(i32 %a)
  call void asm sideeffect "vadd.s32.s32.s32 t, t, t; add.u32 t, t, 1;", ""()
  call void asm sideeffect "}", ""()
  ret void
}`, []string{"error asm-scope: vadd.s32.s32.s32"}},
		{"but a scope that it has nothing to do with", `
define void @f(i32 %a) {
  call void asm sideeffect "{ .reg .u32 %t; mov.u32 %t, $0;", "r"(i32 %a)
  call void asm sideeffect "vadd.s32.s32.s32 $0, $0, $0; add.u32 $0, $0, 1;", "r"(i32 %a)
  call void asm sideeffect "}", ""()
  ret void
}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ds := lift(t, tt.text, keep)
			require.Equal(t, tt.want, shown(ds))
		})
	}
}

func TestAssemblyThatIsNotPTXIsLeftAlone(t *testing.T) {
	for _, tt := range []struct{ name, triple, text string }{
		{"x86", "x86_64-pc-linux-gnu", asm("i32", "movl $1, $0\n\taddl $$1, $0", "=r,r,~{dirflag},~{fpsr},~{flags}", "i32 %a", "i32 %a")},
		{"x86 with semicolons", "x86_64-pc-linux-gnu", asm("i32", "mov $0, $1; add $0, 1; mul $1;", "=r,r", "i32 %a", "i32 %a")},
		{"x86 with a label", "x86_64-pc-linux-gnu", asm("void", "here:", "", "", "")},
		{"ARM with widths", "thumbv7-linux-gnueabi", asm("i32", "add.w $0, $1, #1; sub.w $0, $0, r1;", "=r,r", "i32 %a", "i32 %a")},
		{"MIPS with floats", "mips-linux-gnu", asm("float", "mul.s $0, $1, $1; add.s $0, $0, $0; sub.d $0, $0, $0", "=f,f", "float %a", "float %a")},
		{"AArch64 with a vector", "aarch64-linux-gnu", asm("void", "add.4s v0, v0, v1; mul.4s v0, v0, v1", "", "", "")},
		{"AMD", "amdgcn-amd-amdhsa", asm("i32", "v_add_u32 $0, $1, $1", "=v,v", "i32 %a", "i32 %a")},
		{"AMD with semicolons, which start comments", "amdgcn-amd-amdhsa", asm("i32", "v_mad_u64_u32 $0, vcc, $1, $1, 0 ; a product", "=v,v", "i32 %a", "i32 %a")},
		{"a barrier for the compiler", "nvptx64-nvidia-cuda", asm("void", "", "~{memory}", "", "")},
		{"blanks", "nvptx64-nvidia-cuda", asm("void", " \n\t", "~{memory}", "", "")},
		{"comments", "nvptx64-nvidia-cuda", asm("void", "// begin inline asm\n/* mad24 */", "", "", "")},
		{"other PTX", "nvptx64-nvidia-cuda", asm("void", "membar.gl; bar.sync 0;", "~{memory}", "", "")},
		{"a reference to no instruction", "amdgcn-amd-amdhsa", asm("i32", "; def $0", "=v", "", "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := fmt.Sprintf("target triple = %q\n", tt.triple) + tt.text
			for _, keep := range []bool{false, true} {
				if tt.name == "other PTX" && !keep {
					continue
				}
				_, units, ds := lift(t, text, lower.Options{KeepUnknown: keep})
				require.Empty(t, shown(ds))
				require.Empty(t, units[0].Sites)
			}
		})
	}
}

func TestAMisspelledInstructionOfTheFamilyIsAnError(t *testing.T) {
	for body, want := range map[string]string{
		"mad24.u32 $0, $1, $1, $1;":   "ptx-missing-mode",
		"add.cc.u16 $0, $1, $1;":      "ptx-bad-type",
		"vmad.u32 $0, $1, $1, $1;":    "ptx-missing-type",
		"mul24.lo.u32 $0, $1":         "ptx-missing-semicolon",
		"madc.lo.u32 $0, $1, $1;":     "ptx-operand-count",
		"addc.cc.u32.foo $0, $1, $1;": "ptx-bad-modifier",
		"mul.lo.u32 $0, $1, $1; = 3;": "ptx-syntax",
	} {
		_, _, ds := lift(t, asm("i32", body, "=r,r", "i32 %a", "i32 %a"), isa)
		require.NotEmpty(t, ds, body)
		require.Equal(t, want, ds[0].ID, body)
	}
}

func TestPTXInTerminatorsIsAnError(t *testing.T) {
	_, units, ds := lift(t, `
define i32 @f(i32 %a) personality ptr @p {
entry:
  %s = invoke i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a) to label %ok unwind label %bad
ok:
  ret i32 %s
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 0
}
define void @g(i32 %a) {
entry:
  callbr void asm sideeffect "add.u32 $0, $0, 1;", "r,!i"(i32 %a) to label %ok [label %other]
ok:
  ret void
other:
  ret void
}
define i32 @h(i32 %a) personality ptr @p {
entry:
  %s = invoke i32 @ptx.mul24.lo.u32(i32 %a, i32 %a) to label %ok unwind label %bad
ok:
  ret i32 %s
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 0
}
declare i32 @p(...)
declare i32 @ptx.mul24.lo.u32(i32, i32)`, isa)
	require.Equal(t, []string{"error asm-branch: invoke", "error asm-branch: callbr", "error asm-branch: invoke"}, shown(ds))
	for _, u := range units {
		require.Empty(t, u.Sites)
	}
}

func TestTerminatorsOfOtherKindsEndBlocks(t *testing.T) {
	_, units, ds := lift(t, `
define i32 @f(i32 %a) personality ptr @p {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  invoke void asm sideeffect "nop", ""() to label %ok unwind label %bad
ok:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
bad:
  %l = landingpad { ptr, i32 } cleanup
  %d = call i32 asm sideeffect "addc.u32 $0, 0, 1;", "=r"()
  ret i32 %d
}
declare i32 @p(...)`, isa)
	require.Empty(t, ds)
	require.Equal(t, []string{"1: 0", "2: 0"}, flow(units[0]))
}

func TestFragmentsAreValid(t *testing.T) {
	_, units, _ := lift(t, sumOfProducts, isa)
	for _, s := range units[0].Sites {
		require.NoError(t, ir.Verify(s.Frag))
		require.Len(t, s.Frag.Params, len(s.In))
		require.Len(t, s.Frag.Results, len(s.Out))
	}
}

const sumOfProducts = `
define { i32, i32 } @f(i32 %a, i32 %b, i32 %c) {
  %x = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $2, 0; mad.lo.cc.u32 $0, $2, $3, $4; @p madc.hi.cc.u32 $1, $2, $3, 0; @!p mov.u32 $1, 7; }", "=r,=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  %lo = extractvalue { i32, i32 } %x, 0
  %y = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %lo)
  %r = insertvalue { i32, i32 } %x, i32 %y, 0
  ret { i32, i32 } %r
}`
