; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --target=gfx900 -O0 | FileCheck %s --check-prefix=GFX900

; The first output is written before the last input is read, and without & in
; its constraint a compiler may give both one register: the high half is then
; that of the wrong product. Outputs alias no input here.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @product(
; CHECK:       [[LO:%[0-9]+]] = mul.lo.u32 %x, %b
; CHECK-NEXT:  [[HI:%[0-9]+]] = mul.hi.u32 %x, %b
; CHECK-NEXT:  ret [[LO]], [[HI]]

; GFX900-LABEL: product:
; GFX900:       v_mul_lo_u32 [[LO:v[0-9]+]], v0, v1
; GFX900-NEXT:  v_mul_hi_u32 v1, v0, v1
; GFX900-NEXT:  v_mov_b32 v0, [[LO]]
define { i32, i32 } @product(i32 %x, i32 %b) {
  %r = call { i32, i32 } asm sideeffect "mul.lo.u32 $0, $2, $3; mul.hi.u32 $1, $2, $3;", "=r,=r,r,r"(i32 %x, i32 %b)
  ret { i32, i32 } %r
}
