; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; PTX cannot branch out of its statement.
target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %a) personality ptr null {
; CHECK: asm-in-invoke.ll:[[#@LINE+1]]:8: error: PTX in invoke is not supported [asm-branch]
  %r = invoke i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a) to label %x unwind label %y
x:
  ret i32 %r
y:
  %p = landingpad { ptr, i32 } cleanup
  ret i32 0
}
