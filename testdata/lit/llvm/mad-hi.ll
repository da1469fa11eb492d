; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm | opt-22 -passes=verify -disable-output %} %else %{ true %}

; mad.hi adds after the shift: (t + c) >> 32 would be wrong for a = b = 1 and
; c = 0xffffffff.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @hi(
; CHECK:         [[P:%[a-z0-9.]+]] = mul i64
; CHECK-NEXT:    [[S:%[a-z0-9.]+]] = lshr i64 [[P]], 32
; CHECK-NEXT:    [[T:%[a-z0-9.]+]] = trunc i64 [[S]] to i32
; CHECK-NEXT:    %r = add i32 [[T]], %c
define i32 @hi(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
