; RUN: ptxlower %s --emit=ir | FileCheck %s

; clang prints "+r" as an output and an input tied to it, which comes last in
; the list; the text names it by the output.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @addto(
; CHECK:       [[LO:%[0-9]+]], [[CF:%[0-9]+]] = add.cc.u32 %lo, %a
; CHECK-NEXT:  [[HI:%[0-9]+]] = addc.u32 %hi, %b, [[CF]]
; CHECK-NEXT:  ret [[LO]], [[HI]]
define { i32, i32 } @addto(i32 %lo, i32 %hi, i32 %a, i32 %b) {
  %r = call { i32, i32 } asm "add.cc.u32 $0, $0, $2;\0A\09addc.u32 $1, $1, $3;", "=r,=r,r,r,0,1"(i32 %a, i32 %b, i32 %lo, i32 %hi)
  ret { i32, i32 } %r
}
