; On GPUs that have add.cc and addc, statements that carry stay as they are: in
; portable IR they would take more. -O0 and other targets take the carries apart.
;
; RUN: ptxlower %s --target=sm_80 --emit=llvm | FileCheck %s
; RUN: ptxlower %s --target=sm_80 --emit=llvm -O0 | FileCheck %s --check-prefix=APART
; RUN: ptxlower %s --target=gfx900 --emit=llvm | FileCheck %s --check-prefix=APART
;
; CHECK-LABEL: {{^}}define i32 @add3
; CHECK: add.cc.u32
; CHECK-NEXT: addc.cc.u32
; CHECK-NEXT: addc.u32
;
; Not where another block stands between them.
; CHECK-LABEL: {{^}}define i32 @blocks
; CHECK-NOT: {{ }}asm{{ }}
; CHECK: ret
;
; A multiplication of 24 bits takes fewer operations as portable IR.
; CHECK-LABEL: {{^}}define i32 @mul24
; CHECK-NOT: {{ }}asm{{ }}
;
; APART-LABEL: {{^}}define i32 @add3
; APART-NOT: {{ }}asm{{ }}

target triple = "nvptx64-nvidia-cuda"

define i32 @add3(i32 %a, i32 %b, i32 %c) {
  %1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %2 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %b, i32 %c)
  %3 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %c)
  %4 = xor i32 %1, %2
  %5 = xor i32 %4, %3
  ret i32 %5
}

define i32 @blocks(i32 %a, i32 %b, i32 %c) {
  %1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %next

next:
  %2 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %c)
  %3 = xor i32 %1, %2
  ret i32 %3
}

define i32 @mul24(i32 %a, i32 %b) {
  %1 = call i32 asm sideeffect "mul24.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %1
}
