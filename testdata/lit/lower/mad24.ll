; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; The 24-bit family side by side. NVIDIA's machines since Volta have no 24-bit
; multiplier: the low half needs the operands' top bytes gone, the high half is
; that of a product of operands shifted left by 8. AMD's multiplier of 24 bits
; gives bits 47 to 32 as high half, so that PTX's needs a funnel shift.
target triple = "nvptx64-nvidia-cuda"

define i32 @mul24_lo_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @mul24_lo_s(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.lo.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @mul24_hi_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @mad24_lo_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @mad24_lo_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @mad24_hi_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @mad24_hi_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @mad24_hi_sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.sat.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
