; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm | opt-22 -passes=verify -disable-output %} %else %{ true %}

; A struct result is built where extractvalue expects it; a single one keeps its
; name or number; no name of the module is taken twice.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @struct(
; CHECK:         [[ONE:%[a-z0-9.]+]] = insertvalue { i32, i64 } {{undef|poison}}, i32 {{%[a-z0-9.]+}}, 0
; CHECK-NEXT:    %r = insertvalue { i32, i64 } [[ONE]], i64 {{%[a-z0-9.]+}}, 1
; CHECK-NEXT:    %x = extractvalue { i32, i64 } %r, 0
define i32 @struct(i32 %a) {
  %r = call { i32, i64 } asm "add.u32 $0, $2, 1; mul.wide.u32 $1, $2, $2;", "=&r,=l,r"(i32 %a)
  %x = extractvalue { i32, i64 } %r, 0
  ret i32 %x
}

; CHECK-LABEL: {{^}}define i32 @numbered(
; CHECK:         %2 = mul i32
; CHECK-NEXT:    %3 = add i32 %2, %0
define i32 @numbered(i32) {
  %2 = call i32 asm "mul24.lo.u32 $0, $1, $1;", "=r,r"(i32 %0)
  %3 = add i32 %2, %0
  ret i32 %3
}

; CHECK-LABEL: {{^}}define i32 @taken(
; CHECK-NEXT:    %ptxl.0.1 = add i32 %ptxl.0.0, 1
; CHECK-NEXT:    {{%ptxl[0-9]+[.]}}0.0 = and i32 %ptxl.0.1, 16777215
define i32 @taken(i32 %ptxl.0.0) {
  %ptxl.0.1 = add i32 %ptxl.0.0, 1
  %r = call i32 asm "mul24.lo.u32 $0, $1, $1;", "=r,r"(i32 %ptxl.0.1)
  ret i32 %r
}
