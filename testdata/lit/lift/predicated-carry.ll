; RUN: ptxlower %s --emit=ir | FileCheck %s

; Additions under a predicate of an earlier statement in the same scope: where it
; is false neither the sum nor CC.CF changes, and the chain goes on from what was.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @addif(
; CHECK:       [[P:%[0-9]+]] = setp.ne.u32 %c, 0
; CHECK:       [[S:%[0-9]+]], [[F:%[0-9]+]] = add.cc.u32 %a, %b
; CHECK:       [[X:%[0-9]+]] = selp.b32 [[S]], %a, [[P]]
; CHECK:       and.pred [[P]], [[F]]
; CHECK:       addc.u32
define { i32, i32 } @addif(i32 %a, i32 %b, i32 %c) {
  %z = call i32 asm sideeffect "add.cc.u32 $0, 0, 0;", "=r"()
  call void asm sideeffect "{ .reg .pred %go; setp.ne.u32 %go, $0, 0;", "r"(i32 %c)
  %s = call i32 asm sideeffect "@%go add.cc.u32 $0, $0, $1;", "=r,r,0"(i32 %b, i32 %a)
  %t = call i32 asm sideeffect "addc.u32 $0, 0, 0; }", "=r"()
  %r0 = insertvalue { i32, i32 } undef, i32 %s, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %t, 1
  ret { i32, i32 } %r1
}
