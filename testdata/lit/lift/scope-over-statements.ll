; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --emit=llvm | FileCheck %s --check-prefix=LLVM

; A scope and a predicate that one statement opens, others use, and a last one
; closes: field arithmetic is written so, to select without branches.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @select(
; CHECK:       [[P:%[0-9]+]] = setp.ne.u32 %f, 0
; CHECK-NEXT:  [[A:%[0-9]+]] = selp.b32 %x, %y, [[P]]
; CHECK-NEXT:  [[B:%[0-9]+]] = selp.b32 %y, %x, [[P]]
; CHECK-NEXT:  ret [[A]], [[B]]

; LLVM-LABEL: {{^}}define { i32, i32 } @select(
; LLVM-NEXT:  [[P:%ptxl[.]r0]] = icmp ne i32 %f, 0
; LLVM-NEXT:  %a = select i1 [[P]], i32 %x, i32 %y
; LLVM-NOT:   asm
; LLVM:       ret
define { i32, i32 } @select(i32 %x, i32 %y, i32 %f) {
  call void asm sideeffect "{ .reg .pred %top; setp.ne.u32 %top, $0, 0;", "r"(i32 %f)
  %a = call i32 asm sideeffect "@%top mov.b32 $0, $1;", "=r,r,0"(i32 %x, i32 %y)
  %b = call i32 asm sideeffect "@%top mov.b32 $0, $1;", "=r,r,0"(i32 %y, i32 %x)
  call void asm sideeffect "}", ""()
  %r0 = insertvalue { i32, i32 } undef, i32 %a, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %b, 1
  ret { i32, i32 } %r1
}
