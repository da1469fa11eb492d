; RUN: ptxlower %s --target=sm_80 --print-after=rechain -o %t 2>&1 | FileCheck %s

; The pass says what it read as an equation, and what became of it.
; CHECK: ; %{{[0-9]+}} + %{{[0-9]+}}·2^32 + %{{[0-9]+}}·2^64 + %{{[0-9]+}}·2^96 = (a0 + a1·2^32)·(b0 + b1·2^32)  (mod 2^128)
; CHECK: ; after rechain
; CHECK-COUNT-2: mul.wide.u32
; CHECK: [[#@LINE+4]]:{{[0-9]+}}: remark: 64×64→128 product, 4 products; 14 → 7 ops, {{.*}}; proved by telescoping [rechain]
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32 } @mul(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.1 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %r1.0)
  %r2.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.2 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r1.1)
  %r2.1 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r2.0)
  %r3.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r2.2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r2.1)
  %r3.1 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r3.0)
  %agg0 = insertvalue { i32, i32, i32, i32 } undef, i32 %r0.0, 0
  %agg1 = insertvalue { i32, i32, i32, i32 } %agg0, i32 %r1.2, 1
  %agg2 = insertvalue { i32, i32, i32, i32 } %agg1, i32 %r2.2, 2
  %agg3 = insertvalue { i32, i32, i32, i32 } %agg2, i32 %r3.1, 3
  ret { i32, i32, i32, i32 } %agg3
}
