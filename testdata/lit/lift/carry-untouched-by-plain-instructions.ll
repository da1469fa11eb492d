; RUN: ptxlower %s --emit=ir | FileCheck %s

; Instructions without .cc leave CC.CF as it is: add, mad, shifts, and addc
; itself.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @f(
; CHECK:       %{{[0-9]+}}, [[CF:%[0-9]+]] = add.cc.u32 %a, %b
; CHECK:       [[X:%[0-9]+]] = mad.lo.u32
; CHECK:       [[Y:%[0-9]+]] = addc.u32 [[X]], 1, [[CF]]
; CHECK:       addc.u32 [[Y]], 2, [[CF]]
define i32 @f(i32 %a, i32 %b) {
  %r = call i32 asm "add.cc.u32 $0, $1, $2; mad.lo.u32 $0, $1, $2, $0; addc.u32 $0, $0, 1; addc.u32 $0, $0, 2;", "=&r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
