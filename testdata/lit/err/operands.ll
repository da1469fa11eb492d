; RUN: not ptxlower %s --error-limit=0 2>&1 | FileCheck %s --implicit-check-not=error:

; Operands that an instruction cannot have.
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %a, i32 %b) {
; CHECK: :[[#@LINE+1]]:36: error: 'add.u32' takes 3 operands, not 2 [ptx-operand-count]
  %1 = call i32 asm "add.u32 $0, $1;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:42: error: 'add.u32' takes 3 operands, not 4 [ptx-operand-count]
  %2 = call i32 asm "add.u32 $0, $1, $2, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:30: error: a constant as destination [ptx-immediate-dest]
  %3 = call i32 asm "add.u32 5, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:38: error: %q is not declared [ptx-undeclared]
  %4 = call i32 asm "add.u32 $0, $1, %q;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:38: error: only mov reads a special register such as '%laneid' [ptx-special]
  %5 = call i32 asm "add.u32 $0, $1, %laneid;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:34: error: only operands of vmad may be negated [ptx-negation]
  %6 = call i32 asm "add.u32 $0, -$1, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:45: error: the selectors are .b0 to .b3, .h0 and .h1, not '.b4' [ptx-selector]
  %7 = call i32 asm "vmad.s32.s32.s32 $0, $1.b4, $2, 0;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:52: error: {{.*}}[ptx-negation]
  %8 = call i32 asm "vmad.s32.s32.s32 $0, -$1, $2, -$2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:38: error: {{.*}}[ptx-literal]
  %9 = call i32 asm "add.u32 $0, $1, 0f3f800000;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:40: error: expected ';' here [ptx-missing-semicolon]
  %10 = call i32 asm "add.u32 $0, $1, 1", "=r,r,r"(i32 %a, i32 %b)
  ret void
}
