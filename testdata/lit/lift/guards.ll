; RUN: ptxlower %s --emit=ir | FileCheck %s

; A guard is a select: a false one writes neither the register nor CC.CF.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @sum(
; CHECK:       [[P:%[0-9]+]] = setp.gt.u32 %x, %y
; CHECK-NEXT:  [[S:%[0-9]+]], [[C0:%[0-9]+]] = add.cc.u32 %x, %y
; CHECK-NEXT:  [[T:%[0-9]+]], [[C1:%[0-9]+]] = add.cc.u32 [[S]], 1
; CHECK-NEXT:  [[U:%[0-9]+]] = selp.b32 [[T]], [[S]], [[P]]
; CHECK:       and.pred [[P]], [[C1]]
; CHECK:       and.pred {{%[0-9]+}}, [[C0]]
; CHECK-NEXT:  [[CF:%[0-9]+]] = or.pred
; CHECK-NEXT:  addc.u32 [[U]], 0, [[CF]]
define i32 @sum(i32 %x, i32 %y) {
  %r = call i32 asm "{ .reg .pred p; setp.gt.u32 p, $1, $2; add.cc.u32 $0, $1, $2; @p add.cc.u32 $0, $0, 1; addc.u32 $0, $0, 0; }", "=&r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}

; CHECK-LABEL: func @negated(
; CHECK:       [[P:%[0-9]+]] = setp.ne.u32 %c, 0
; CHECK:       [[N:%[0-9]+]] = not.pred [[P]]
; CHECK:       selp.b32 0, %x, [[N]]
define i32 @negated(i32 %x, i32 %c) {
  %r = call i32 asm "{ .reg .pred %q; setp.ne.u32 %q, $1, 0; @!%q mov.u32 $0, 0; }", "=r,r,0"(i32 %c, i32 %x)
  ret i32 %r
}
