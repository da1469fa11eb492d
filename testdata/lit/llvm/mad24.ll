; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm | opt-22 -passes=verify -disable-output %} %else %{ true %}

; The top bytes are masked before a 24-bit product, whatever the compiler behind
; can prove of them; the high half is bits 47 to 16 of 48.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @lo_u(
; CHECK-DAG:     [[A:%[a-z0-9.]+]] = and i32 %a, 16777215
; CHECK-DAG:     [[B:%[a-z0-9.]+]] = and i32 %b, 16777215
; CHECK:         [[P:%[a-z0-9.]+]] = mul i32 [[A]], [[B]]
; CHECK-NEXT:    %r = add i32 [[P]], %c
; CHECK-NEXT:    ret i32 %r
define i32 @lo_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: {{^}}define i32 @lo_s(
; CHECK:         [[A8:%[a-z0-9.]+]] = shl i32 %a, 8
; CHECK:         [[A:%[a-z0-9.]+]] = ashr i32 [[A8]], 8
; CHECK:         mul i32 [[A]],
define i32 @lo_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: {{^}}define i32 @hi_u(
; CHECK:         [[P:%[a-z0-9.]+]] = mul i64
; CHECK-NEXT:    [[S:%[a-z0-9.]+]] = lshr i64 [[P]], 16
; CHECK-NEXT:    [[T:%[a-z0-9.]+]] = trunc i64 [[S]] to i32
; CHECK-NEXT:    %r = add i32 [[T]], %c
define i32 @hi_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
