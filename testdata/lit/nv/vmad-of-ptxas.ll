; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=ISA
; RUN: ptxlower %s --target=sm_70 --vmad=ptxas | FileCheck %s --check-prefix=PTXAS

; The two models of vmad, where they differ.
target triple = "nvptx64-nvidia-cuda"

define i32 @sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
