; RUN: ptxlower %s --emit=llvm | FileCheck %s

; h, r and l registers; a value of another type is converted at the statement.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i16 @half(
; CHECK:         mul i16 %a, %b
define i16 @half(i16 %a, i16 %b) {
  %r = call i16 asm "mul.lo.u16 $0, $1, $2;", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}
; CHECK-LABEL: {{^}}define ptr @pointer(
; CHECK:         ptrtoint ptr %p to i64
; CHECK:         add i64
; CHECK:         %q = inttoptr i64 {{.*}} to ptr
define ptr @pointer(ptr %p) {
  %q = call ptr asm "add.u64 $0, $1, 8;", "=l,l"(ptr %p)
  ret ptr %q
}
; CHECK-LABEL: {{^}}define float @bits(
; CHECK:         bitcast float %x to i32
; CHECK:         and i32 {{.*}}, 2147483647
; CHECK:         %r = bitcast i32 {{.*}} to float
define float @bits(float %x) {
  %r = call float asm "and.b32 $0, $1, 0x7fffffff;", "=r,r"(float %x)
  ret float %r
}
