; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; Parameters and results: words from R4 (v0) on, 64 bits in an even pair (in the
; next two words), i1 as 0 or 1, narrow integers zero-extended.
target triple = "nvptx64-nvidia-cuda"

define i64 @pair(i32 %a, i64 %b, i16 %c) {
  %r = call i64 asm "mad.wide.u32 $0, $1, 3, $2;", "=l,r,l"(i32 %a, i64 %b)
  ret i64 %r
}

define i16 @half(i16 %a, i16 %b) {
  %r = call i16 asm "mad.lo.u16 $0, $1, $2, 1;", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}

define { i32, i1 } @flag(i32 %a, i1 %c) {
  %r = call { i32, i1 } @ptx.addc.cc.u32(i32 %a, i32 5, i1 %c)
  ret { i32, i1 } %r
}

declare { i32, i1 } @ptx.addc.cc.u32(i32, i32, i1)
