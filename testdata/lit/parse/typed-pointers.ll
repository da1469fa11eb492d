; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: ptxlower %s --target=sm_70 -w | FileCheck %s --check-prefix=SM70

; LLVM 14's text, with types on pointers.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define void @f(i32* %p, i32** %q) {
; CHECK-NEXT:    %v = load i32, i32* %p, align 4
; CHECK-NEXT:    %w = add i32 %v, 1
; CHECK-NEXT:    store i32 %w, i32* %p, align 4
; SM70-LABEL: f.0: // line 15
; SM70-NEXT:  IADD3 %w, %v, 0x1, RZ ;
define void @f(i32* %p, i32** %q) {
  %v = load i32, i32* %p, align 4
  %w = tail call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %v) #1, !srcloc !3
  store i32 %w, i32* %p, align 4
  %e = bitcast i32* %p to i8*
  ret void
}
attributes #1 = { nounwind readnone }
!3 = !{i64 100}
