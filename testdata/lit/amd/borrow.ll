; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=gfx900 -w | FileCheck %s

; The flag of v_sub_co is borrow, PTX's is NOT borrow. A chain of subtractions
; uses it as it is; what an addition reads, or a caller gets, is inverted.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}mixed:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: v_sub_co_u32 v0, vcc, v0, v1
; CHECK-NEXT: s_not_b64 vcc, vcc
; CHECK-NEXT: v_addc_co_u32 v0, vcc, v0, 0, vcc
; CHECK-NEXT: s_setpc_b64 s[30:31]
; CHECK-NEXT: .Lfunc_end0:
; CHECK-NEXT: .size	mixed, .Lfunc_end0-mixed
; CHECK-EMPTY:
; CHECK-NEXT: .globl	pure
; CHECK-NEXT: .p2align	2
; CHECK-NEXT: .type	pure,@function
define i32 @mixed(i32 %a, i32 %b) {
  %r = call i32 asm "sub.cc.u32 $0, $1, $2; addc.u32 $0, $0, 0;", "=&r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: {{^}}pure:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: v_sub_co_u32 v0, vcc, v0, v1
; CHECK-NEXT: v_subb_co_u32 v1, vcc, v2, v3, vcc
; CHECK-NEXT: s_setpc_b64 s[30:31]
; CHECK-NEXT: .Lfunc_end1:
; CHECK-NEXT: .size	pure, .Lfunc_end1-pure
; CHECK-EMPTY:
; CHECK-NEXT: .globl	out
; CHECK-NEXT: .p2align	2
; CHECK-NEXT: .type	out,@function
define { i32, i32 } @pure(i32 %a, i32 %b, i32 %c, i32 %d) {
  %r = call { i32, i32 } asm "sub.cc.u32 $0, $2, $3; subc.u32 $1, $4, $5;", "=&r,=r,r,r,r,r"(i32 %a, i32 %b, i32 %c, i32 %d)
  ret { i32, i32 } %r
}

; CHECK-LABEL: {{^}}out:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: v_sub_co_u32 v0, vcc, v0, v1
; CHECK-NEXT: s_not_b64 vcc, vcc
; CHECK-NEXT: v_cndmask_b32 v1, 0, 1, vcc
; CHECK-NEXT: s_setpc_b64 s[30:31]
; CHECK-NEXT: .Lfunc_end2:
; CHECK-NEXT: .size	out, .Lfunc_end2-out
define { i32, i1 } @out(i32 %a, i32 %b) {
  %r = call { i32, i1 } @ptx.sub.cc.u32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

declare { i32, i1 } @ptx.sub.cc.u32(i32, i32)
