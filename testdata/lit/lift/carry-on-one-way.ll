; RUN: ptxlower %s --emit=llvm | FileCheck %s

; Unrolled templates write the flag in a first round and read it in the others,
; each behind a test of the position. The way on which nothing wrote it is never
; taken; the carry is 0 there.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @position(
; CHECK:       again:
; CHECK:         [[CF:%ptxl[.]cf[0-9]+]] = phi i1 [ false, %entry ], [ [[W:%ptxl[.]cf[0-9]+]], %first ]
; CHECK:         zext i1 [[CF]] to i32
define i32 @position(i32 %a, i1 %at0) {
entry:
  br i1 %at0, label %first, label %again
first:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %again
again:
  %r = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %a)
  ret i32 %r
}
