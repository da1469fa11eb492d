; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm | opt-22 -passes=verify -disable-output %} %else %{ true %}

; Selectors are shifts and casts. Without a range or a scale 32 bits are enough.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @bytes(
; CHECK-DAG:     [[S:%[a-z0-9.]+]] = lshr i32 %a, 8
; CHECK-DAG:     [[B:%[a-z0-9.]+]] = lshr i32 %b, 24
; CHECK-NOT:     i64
; CHECK:         mul i32
; CHECK-NEXT:    %r = add i32 {{%[a-z0-9.]+}}, %c
; CHECK-NEXT:    ret i32 %r
define i32 @bytes(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32 $0, $1.b1, $2.b3, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
