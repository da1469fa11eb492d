; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; CC.CF is undefined where a function starts.
target triple = "nvptx64-nvidia-cuda"

define i32 @start(i32 %a) {
; CHECK: carry-from-nowhere.ll:[[#@LINE+1]]:33: error: no instruction that writes CC.CF reaches this read of it [cc-undefined]
  %r = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %a)
  ret i32 %r
}
