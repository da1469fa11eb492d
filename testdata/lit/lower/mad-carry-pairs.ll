; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; (hi, lo) += a * b as people write it: the low halves first, then the high ones
; with the carry.
target triple = "nvptx64-nvidia-cuda"

define { i32, i32 } @mac(i32 %lo, i32 %hi, i32 %a, i32 %b) {
  %r = call { i32, i32 } asm "mad.lo.cc.u32 $0, $2, $3, $0; madc.hi.u32 $1, $2, $3, $1;", "=r,=r,r,r,0,1"(i32 %a, i32 %b, i32 %lo, i32 %hi)
  ret { i32, i32 } %r
}

define { i32, i32, i32 } @row(i32 %r0, i32 %r1, i32 %r2, i32 %a0, i32 %a1, i32 %b) {
  %r = call { i32, i32, i32 } asm "mad.lo.cc.u32 $0, $3, $5, $0; madc.lo.cc.u32 $1, $4, $5, $1; addc.u32 $2, $2, 0; mad.hi.cc.u32 $1, $3, $5, $1; madc.hi.u32 $2, $4, $5, $2;", "=r,=r,=r,r,r,r,0,1,2"(i32 %a0, i32 %a1, i32 %b, i32 %r0, i32 %r1, i32 %r2)
  ret { i32, i32, i32 } %r
}
