; RUN: ptxlower %s --emit=ir | FileCheck %s

; LLVM's escapes: $$ is a dollar, $( $| $) are literal braces and bar in the
; text of AMD's compilers, ${:uid} is a number.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @f(
; CHECK:       [[T:%[0-9]+]] = add.u32 %a, 1
; CHECK:       mul.lo.u32 [[T]], 3
define i32 @f(i32 %a) {
  %r = call i32 asm "$( .reg .u32 t${:uid}; add.u32 t${:uid}, $1, 1; mul.lo.u32 $0, t${:uid}, 3; $)", "=r,r"(i32 %a)
  ret i32 %r
}
; CHECK-LABEL: func @dollar(
; CHECK:       add.u32 %a, 2
define i32 @dollar(i32 %a) {
  %r = call i32 asm "{ .reg .u32 $$t; add.u32 $$t, $1, 2; mov.u32 $0, $$t; }", "=r,r"(i32 %a)
  ret i32 %r
}
