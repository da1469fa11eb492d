; RUN: ptxlower %s --emit=ir | FileCheck %s

; $n, ${n} and ${n:m} name an operand of the statement, with two digits too.
; %name is a PTX name and no operand.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @spellings(
; CHECK:       [[T:%[0-9]+]] = add.u32 %a, %b
; CHECK-NEXT:  sub.u32 [[T]], %b
define i32 @spellings(i32 %a, i32 %b) {
  %r = call i32 asm "{ .reg .u32 %al; add.u32 %al, ${1}, $2; sub.u32 ${0:r}, %al, ${2:r}; }", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: func @many(
; CHECK:       [[X:%[0-9]+]] = add.u32 %k, %b
; CHECK:       sub.u32 [[X]], %c
define i32 @many(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h, i32 %i, i32 %j, i32 %k) {
  %r = call i32 asm "add.u32 $0, $11, $2; sub.u32 $0, $0, $3;", "=&r,r,r,r,r,r,r,r,r,r,r,r"(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h, i32 %i, i32 %j, i32 %k)
  ret i32 %r
}

; Constants as operands: in a register, or with constraint n in the text.
; CHECK-LABEL: func @constants(
; CHECK:       add.u32 %a, 127
; CHECK-NEXT:  {{%[0-9]+}} = add.u32 {{%[0-9]+}}, 5
define i32 @constants(i32 %a) {
  %r = call i32 asm "add.u32 $0, $1, $2; add.u32 $0, $0, $3;", "=r,r,r,n"(i32 %a, i32 127, i32 5)
  ret i32 %r
}
