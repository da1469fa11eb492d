; RUN: ptxlower %s --emit=ir -w | FileCheck %s
; RUN: ptxlower %s --emit=llvm | FileCheck %s --check-prefix=LLVM

; Bodies as people write them: several instructions a line, comments of both
; kinds, blank lines, tabs, carriage returns, no blanks around commas.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @f(
; CHECK:       [[A:%[0-9]+]] = add.u32 %a, %b
; CHECK-NEXT:  [[B:%[0-9]+]] = mul.lo.u32 [[A]], %b
; CHECK-NEXT:  [[C:%[0-9]+]] = xor.b32 [[B]], [[A]]
; CHECK-NEXT:  ret [[C]]
define i32 @f(i32 %a, i32 %b) {
  %r = call i32 asm "{\0D\0A\09.reg .u32 t1,t2; // two \22temporaries\22; here\0D\0A\0D\0A\09add.u32 t1,$1,$2;mul.lo.u32\09t2 , t1 , $2 ;\0D\0A\09/* xor.b32 $0, 0, 0; */ xor.b32\0A\09\09$0,\0A\09\09t2, t1;\0D\0A}", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; A barrier for the compiler has no instruction and stays.
; LLVM-LABEL: {{^}}define i32 @nothing(
; LLVM-NEXT:    call void asm sideeffect "", "~{memory}"()
; LLVM-NEXT:    call void asm sideeffect "// nothing", ""()
; LLVM-NEXT:    ret i32 %a
define i32 @nothing(i32 %a) {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "// nothing", ""()
  ret i32 %a
}
