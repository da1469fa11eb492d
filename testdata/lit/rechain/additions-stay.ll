; RUN: ptxlower %s --target=sm_80 2>&1 | FileCheck %s --implicit-check-not=remark

; Without products nothing is gained.
; CHECK: IADD3 R4, P0,
; CHECK-NEXT: IADD3.X R5, P0,
; CHECK-NEXT: IADD3.X R6, RZ, RZ, RZ, P0, !PT ;
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32 } @add(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r0.0 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1.0 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b1)
  %r2.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %agg0 = insertvalue { i32, i32, i32 } undef, i32 %r0.0, 0
  %agg1 = insertvalue { i32, i32, i32 } %agg0, i32 %r1.0, 1
  %agg2 = insertvalue { i32, i32, i32 } %agg1, i32 %r2.0, 2
  ret { i32, i32, i32 } %agg2
}
