; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=gfx900 -w | FileCheck %s

; The flag of v_sub_co is borrow, PTX's is NOT borrow: what an addition reads, or
; a caller gets, is inverted.
target triple = "nvptx64-nvidia-cuda"

define i32 @mixed(i32 %a, i32 %b) {
  %r = call i32 asm "sub.cc.u32 $0, $1, $2; addc.u32 $0, $0, 0;", "=&r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

define { i32, i32 } @pure(i32 %a, i32 %b, i32 %c, i32 %d) {
  %r = call { i32, i32 } asm "sub.cc.u32 $0, $2, $3; subc.u32 $1, $4, $5;", "=&r,=r,r,r,r,r"(i32 %a, i32 %b, i32 %c, i32 %d)
  ret { i32, i32 } %r
}

define { i32, i1 } @out(i32 %a, i32 %b) {
  %r = call { i32, i1 } @ptx.sub.cc.u32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

declare { i32, i1 } @ptx.sub.cc.u32(i32, i32)
