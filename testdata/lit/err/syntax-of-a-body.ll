; RUN: not ptxlower %s --error-limit=0 2>&1 | FileCheck %s --implicit-check-not=error:

; Text that is no instruction.
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %a) {
; CHECK: :[[#@LINE+1]]:41: error: a ';' without an instruction [ptx-syntax]
  %1 = call i32 asm "add.u32 $0, $1, $1;;", "=r,r"(i32 %a)
; CHECK: :[[#@LINE+1]]:40: error: comment without an end [ptx-syntax]
  %2 = call i32 asm "add.u32 $0, $1, 1;/* ", "=r,r"(i32 %a)
; CHECK: :[[#@LINE+1]]:38: error: expected an operand, not ';' [ptx-syntax]
  %3 = call i32 asm "add.u32 $0, $1, ;", "=r,r"(i32 %a)
; CHECK: :[[#@LINE+1]]:22: error: expected an instruction [ptx-syntax]
  %4 = call i32 asm "42; add.u32 $0, $1, $1;", "=r,r"(i32 %a)
; CHECK: :[[#@LINE+1]]:38: error: '$' starts an operand {{.*}}[ptx-escape]
  %5 = call i32 asm "add.u32 $0, $1, $x;", "=r,r"(i32 %a)
; CHECK: :[[#@LINE+1]]:38: error: '(' without ')' [ptx-syntax]
  %6 = call i32 asm "add.u32 $0, $1, (1+2;", "=r,r"(i32 %a)
  ret void
}
