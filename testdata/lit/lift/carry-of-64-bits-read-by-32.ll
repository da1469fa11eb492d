; RUN: ptxlower %s --emit=ir | FileCheck %s

; Widths may mix: the carry of a 64-bit addition becomes a 32-bit flag, as in
; overflow tests of library code.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @overflow(
; CHECK:       [[LO:%[0-9]+]], [[CF:%[0-9]+]] = add.cc.u64 %a, %b
; CHECK-NEXT:  [[HI:%[0-9]+]] = addc.u32 0, 0, [[CF]]
; CHECK-NEXT:  ret [[LO]], [[HI]]
define { i64, i32 } @overflow(i64 %a, i64 %b) {
  %r = call { i64, i32 } asm "add.cc.u64 $0, $2, $3; addc.u32 $1, 0, 0;", "=l,=r,l,l"(i64 %a, i64 %b)
  ret { i64, i32 } %r
}
