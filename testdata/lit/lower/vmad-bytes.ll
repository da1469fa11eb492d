; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; vmad picks bytes and halves of its operands, as rasterisers and dot products
; use it.
target triple = "nvptx64-nvidia-cuda"

define i32 @b1b3(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32 $0, $1.b1, $2.b3, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @b0s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32 $0, $1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @h1h0(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.u32 $0, $1.h1, $2.h0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @word(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @negated(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32 $0, -$1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32.sat $0, $1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @scaled(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32.shr15 $0, $1.h0, $2.h0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
