; RUN: ptxlower %s --emit=ir | FileCheck %s

; The body overwrites $1, which is an input only. The value outside is not
; changed by that: an operand is a copy.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @step(
; CHECK:       [[M:%[0-9]+]] = and.b32 %x, 15
; CHECK-NEXT:  [[X:%[0-9]+]] = xor.b32 %x, [[M]]
; CHECK-NEXT:  [[S:%[0-9]+]] = shr.b32 [[M]], 4
; CHECK-NEXT:  [[R:%[0-9]+]] = add.u32 [[X]], [[S]]
; CHECK-NEXT:  [[Q:%[0-9]+]] = add.u32 [[R]], %i
; CHECK-NEXT:  ret [[Q]]
define i32 @step(i32 %i, i32 %x) {
  %r = call i32 asm "and.b32 $1, $0, 15; xor.b32 $0, $0, $1; shr.b32 $1, $1, 4; add.u32 $0, $0, $1;", "=r,r,0"(i32 %i, i32 %x)
  %s = add i32 %r, %i
  ret i32 %s
}
