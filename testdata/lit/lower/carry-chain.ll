; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; A chain of four words, the carry out at the end: one operation a word, and the
; flag never leaves its register. AMD's flag after a subtraction is borrow where
; PTX's is NOT borrow: it is inverted where PTX's is wanted.
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32, i32 } @add4(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3) {
  %r = call { i32, i32, i32, i32, i32 } asm "add.cc.u32 $0, $5, $9; addc.cc.u32 $1, $6, $10; addc.cc.u32 $2, $7, $11; addc.cc.u32 $3, $8, $12; addc.u32 $4, 0, 0;", "=r,=r,=r,=r,=r,r,r,r,r,r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3)
  ret { i32, i32, i32, i32, i32 } %r
}

define { i32, i32, i32 } @sub2(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r = call { i32, i32, i32 } asm "sub.cc.u32 $0, $3, $5; subc.cc.u32 $1, $4, $6; subc.u32 $2, 0, 0;", "=r,=r,=r,r,r,r,r"(i32 %a0, i32 %a1, i32 %b0, i32 %b1)
  ret { i32, i32, i32 } %r
}

define { i64, i64 } @add128(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
  %r = call { i64, i64 } asm "add.cc.u64 $0, $2, $4; addc.u64 $1, $3, $5;", "=l,=l,l,l,l,l"(i64 %a0, i64 %a1, i64 %b0, i64 %b1)
  ret { i64, i64 } %r
}
