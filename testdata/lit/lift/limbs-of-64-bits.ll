; RUN: ptxlower %s --emit=ir | FileCheck %s

; Curve arithmetic on 64-bit limbs: a macro for each instruction, sums in place
; (tied operands), a memory clobber on what writes CC.CF, the high half of a
; product signed at the top.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @mac(
; CHECK:       [[R0:%[0-9]+]], [[C0:%[0-9]+]] = add.cc.u64 %r0, %lo
; CHECK-NEXT:  [[H:%[0-9]+]], [[C1:%[0-9]+]] = madc.hi.cc.u64 %a, %b, %r1, [[C0]]
; CHECK-NEXT:  [[R2:%[0-9]+]] = addc.u64 %r2, 0, [[C1]]
; CHECK-NEXT:  ret [[R0]], [[H]], [[R2]]
define { i64, i64, i64 } @mac(i64 %r0, i64 %r1, i64 %r2, i64 %lo, i64 %a, i64 %b) {
  %1 = tail call i64 asm sideeffect "add.cc.u64 $0, $0, $1;", "=l,l,0,~{memory}"(i64 %lo, i64 %r0) #1
  %2 = tail call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l,~{memory}"(i64 %a, i64 %b, i64 %r1) #1
  %3 = tail call i64 asm sideeffect "addc.u64 $0, $0, $1;", "=l,l,0"(i64 0, i64 %r2) #1
  %4 = insertvalue { i64, i64, i64 } poison, i64 %1, 0
  %5 = insertvalue { i64, i64, i64 } %4, i64 %2, 1
  %6 = insertvalue { i64, i64, i64 } %5, i64 %3, 2
  ret { i64, i64, i64 } %6
}

; CHECK-LABEL: func @top(
; CHECK:       {{%[0-9]+}}, [[C:%[0-9]+]] = mad.hi.cc.u64 %a, %b, %c
; CHECK-NEXT:  madc.hi.s64 %a, %b, %c, [[C]]
define i64 @top(i64 %a, i64 %b, i64 %c) {
  %1 = tail call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l,~{memory}"(i64 %a, i64 %b, i64 %c) #1
  %2 = tail call i64 asm sideeffect "madc.hi.s64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a, i64 %b, i64 %c) #1
  ret i64 %2
}
attributes #1 = { convergent nounwind }
