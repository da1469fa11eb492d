; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70

; Only the flag of the first addition is wanted: adding -1 pushes bucket != 0
; into CC.CF. That its sum is not used does not make it dead.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @push(
; CHECK:       %{{[0-9]+}}, [[CF:%[0-9]+]] = add.cc.u32 %bucket, 0xffffffff
; CHECK-NEXT:  [[R:%[0-9]+]] = addc.cc.u32 %x, %y, [[CF]]
; CHECK-NEXT:  ret [[R]]
; SM70-LABEL: push:
; SM70-NEXT:  IADD3 [[T:R[0-9]+]], [[P:P[0-9]]], R4, -0x1, RZ ;
; SM70-NEXT:  IADD3.X R4, {{.*}}R5, R6, RZ, [[P]], !PT ;
define i32 @push(i32 %bucket, i32 %x, i32 %y) {
  %dead = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %bucket, i32 -1)
  %r = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}
