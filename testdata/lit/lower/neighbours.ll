; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; What shares bodies with the family becomes one operation where the machine has
; it: byte permutes, fields, funnel shifts, logic of three operands.
target triple = "nvptx64-nvidia-cuda"

define i32 @perm(i32 %a, i32 %b) {
  %r = call i32 asm "prmt.b32 $0, $1, $2, 0x7531;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @field(i32 %a) {
  %r = call i32 asm "bfe.u32 $0, $1, 4, 8;", "=r,r"(i32 %a)
  ret i32 %r
}

define i32 @insert(i32 %a, i32 %b) {
  %r = call i32 asm "bfi.b32 $0, $1, $2, 8, 8;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @funnel(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @majority(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0xe8;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @least(i32 %a, i32 %b) {
  %r = call i32 asm "min.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @ones(i32 %a) {
  %r = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %a)
  ret i32 %r
}

define i32 @sad(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "sad.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
