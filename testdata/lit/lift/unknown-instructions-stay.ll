; RUN: ptxlower %s --emit=llvm -o %t
; RUN: FileCheck %s < %t
; RUN: ptxlower %s --emit=llvm 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: not ptxlower %s --emit=llvm --target=gfx900 2>&1 | FileCheck %s --check-prefix=AMD

; A statement with an instruction that is not lowered stays whole on an NVIDIA
; target, with a remark; elsewhere it is an error. Statements around it are
; lowered.
target triple = "nvptx64-nvidia-cuda"

; REMARK: unknown-instructions-stay.ll:[[#@LINE+11]]:{{[0-9]+}}: remark: this statement stays as it is: ex2.approx.f32 is not lowered [site-kept]
; AMD:    unknown-instructions-stay.ll:[[#@LINE+10]]:{{[0-9]+}}: error: ex2.approx.f32 is not an instruction that ptxlower lowers [asm-unknown]
; AMD:    note: on NVIDIA targets the statement can stay as it is (--emit=llvm)

; CHECK-LABEL: {{^}}define i32 @f(
; CHECK-NEXT:  %a = add i32 %x, 1
; CHECK-NEXT:  %b = call i32 asm "add.u32 $0, $1, 2; ex2.approx.f32 $0, $0;", "=r,r"(i32 %a)
; CHECK-NEXT:  %c = add i32 %b, 3
; CHECK-NEXT:  ret i32 %c
define i32 @f(i32 %x) {
  %a = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %x)
  %b = call i32 asm "add.u32 $0, $1, 2; ex2.approx.f32 $0, $0;", "=r,r"(i32 %a)
  %c = call i32 asm "add.u32 $0, $1, 3;", "=r,r"(i32 %b)
  ret i32 %c
}
