; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; A statement whose arguments or result are not those of its constraints.
target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %a) {
; CHECK: asm-call-signature.ll:[[#@LINE+1]]:45: error: asm has 1 arguments, its constraints need 2 [ll-asm-args]
  %1 = call i32 asm "add.u32 $0, $1, $2;", "=r,r,r"(i32 %a)
; CHECK: asm-call-signature.ll:[[#@LINE+1]]:45: error: asm returns i32, but has 2 outputs [ll-asm-result]
  %2 = call i32 asm "add.u32 $0, $2, $2;", "=r,=r,r"(i32 %a)
; CHECK: asm-call-signature.ll:[[#@LINE+1]]:48: error: constraint "9": tied to operand 9, which is no output [ll-asm-constraint]
  %3 = call i32 asm "add.u32 $0, $1, $1;", "=r,9"(i32 %a)
  ret i32 %1
}
