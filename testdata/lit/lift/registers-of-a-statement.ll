; RUN: ptxlower %s --emit=ir | FileCheck %s

; A statement that declares a register outside braces stands here twice, as
; after inlining. Each has a register of its own, and no name clashes.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @twice(
; CHECK:       [[A:%[0-9]+]] = add.u32 %x, 1
; CHECK-NEXT:  [[B:%[0-9]+]] = mul.lo.u32 [[A]], [[A]]
; CHECK-NEXT:  [[C:%[0-9]+]] = add.u32 [[B]], 1
; CHECK-NEXT:  [[D:%[0-9]+]] = mul.lo.u32 [[C]], [[C]]
; CHECK-NEXT:  ret [[D]]
define i32 @twice(i32 %x) {
  %a = call i32 asm ".reg .b32 p; add.u32 p, $1, 1; mul.lo.u32 $0, p, p;", "=r,r"(i32 %x)
  %b = call i32 asm ".reg .b32 p; add.u32 p, $1, 1; mul.lo.u32 $0, p, p;", "=r,r"(i32 %a)
  ret i32 %b
}

; Braces nest, and a name inside hides the one outside.
; CHECK-LABEL: func @nested(
; CHECK:       [[A:%[0-9]+]] = add.u32 %x, 1
; CHECK-NEXT:  [[B:%[0-9]+]] = add.u32 %x, 2
; CHECK-NEXT:  [[C:%[0-9]+]] = mul.lo.u32 [[A]], [[B]]
; CHECK-NEXT:  ret [[C]]
define i32 @nested(i32 %x) {
  %r = call i32 asm "{ .reg .u32 t; add.u32 t, $1, 1; { .reg .u32 t; add.u32 t, $1, 2; mov.u32 $0, t; } mul.lo.u32 $0, t, $0; }", "=r,r"(i32 %x)
  ret i32 %r
}

; .reg .u32 r<3> declares r0, r1 and r2.
; CHECK-LABEL: func @numbered(
; CHECK:       [[A:%[0-9]+]] = add.u32 %x, 1
; CHECK-NEXT:  [[B:%[0-9]+]] = add.u32 [[A]], 2
; CHECK-NEXT:  ret [[B]]
define i32 @numbered(i32 %x) {
  %r = call i32 asm "{ .reg .u32 %r<3>; add.u32 %r0, $1, 1; add.u32 %r2, %r0, 2; mov.u32 $0, %r2; }", "=r,r"(i32 %x)
  ret i32 %r
}
