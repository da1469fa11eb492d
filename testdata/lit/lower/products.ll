; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; Plain products: the machines' multipliers are 32 bits wide and give 64.
target triple = "nvptx64-nvidia-cuda"

define i32 @lo(i32 %a, i32 %b) {
  %r = call i32 asm "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @hi_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @hi_s(i32 %a, i32 %b) {
  %r = call i32 asm "mul.hi.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @mad(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @mad_hi(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i64 @wide(i32 %a, i32 %b) {
  %r = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %a, i32 %b)
  ret i64 %r
}

define i64 @madwide(i32 %a, i32 %b, i64 %c) {
  %r = call i64 asm "mad.wide.u32 $0, $1, $2, $3;", "=l,r,r,l"(i32 %a, i32 %b, i64 %c)
  ret i64 %r
}

define i64 @lo64(i64 %a, i64 %b) {
  %r = call i64 asm "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  ret i64 %r
}

define i64 @hi64(i64 %a, i64 %b) {
  %r = call i64 asm "mul.hi.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  ret i64 %r
}
