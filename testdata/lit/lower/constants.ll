; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx900 -O0 | FileCheck %s --check-prefix=O0

; What is constant is computed here, without -O0, and what nobody reads is
; dropped.
target triple = "nvptx64-nvidia-cuda"

define i32 @folded(i32 %a) {
  %r = call i32 asm "{ .reg .u32 t; mul.lo.u32 t, 6, 7; add.u32 $0, $1, t; mad24.hi.u32 t, $1, $1, $1; }", "=r,r"(i32 %a)
  ret i32 %r
}
