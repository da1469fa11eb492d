; RUN: not ptxlower %s --emit=none 2>&1 | FileCheck %s --implicit-check-not=error:

; The called function may end the carry: an error, which -Wno-error=cc-call
; makes a warning (the other one is about the call). Intrinsics are no calls.
; RUN: ptxlower %s -Wno-error=cc-call --emit=none 2>&1 | FileCheck %s --check-prefix=KEEP
target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %a) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $1;", "=r,r"(i32 %a)
  %u = call i32 @llvm.umin.i32(i32 %s, i32 5)
  call void @g()
; CHECK: carry-over-a-call.ll:[[#@LINE+4]]:33: error: CC.CF is not preserved across the call in line [[#@LINE-1]] [cc-undefined]
; CHECK: carry-over-a-call.ll:[[#@LINE-2]]:3: note: the call; -Wno-error=cc-call keeps the carry over it
; KEEP:  carry-over-a-call.ll:[[#@LINE+2]]:33: warning: CC.CF is taken over the call in line [[#@LINE-3]], which need not preserve it [cc-call]
; KEEP:  2 warnings
  %r = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %u)
  ret i32 %r
}
declare void @g()
declare i32 @llvm.umin.i32(i32, i32)
