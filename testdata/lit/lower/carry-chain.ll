; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; A chain of four words, the carry out at the end: one operation a word, and the
; flag never leaves its register. AMD's flag after a subtraction is borrow where
; PTX's is NOT borrow: within a chain both go, and nothing is inverted.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}add4:
; SM70-NEXT: IADD3 R4, P0, R4, R8, RZ ;
; SM70-NEXT: IADD3.X R5, P0, R5, R9, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R6, P0, R6, R10, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R7, P0, R7, R11, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R8, RZ, RZ, RZ, P0, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}add4:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_add_co_u32 v0, vcc, v0, v4
; GFX900-NEXT: v_addc_co_u32 v1, vcc, v1, v5, vcc
; GFX900-NEXT: v_addc_co_u32 v2, vcc, v2, v6, vcc
; GFX900-NEXT: v_addc_co_u32 v3, vcc, v3, v7, vcc
; GFX900-NEXT: v_addc_co_u32 v4, vcc, 0, 0, vcc
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	add4, .Lfunc_end0-add4
; GFX900-EMPTY:
; GFX900-NEXT: .globl	sub2
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	sub2,@function
define { i32, i32, i32, i32, i32 } @add4(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3) {
  %r = call { i32, i32, i32, i32, i32 } asm "add.cc.u32 $0, $5, $9; addc.cc.u32 $1, $6, $10; addc.cc.u32 $2, $7, $11; addc.cc.u32 $3, $8, $12; addc.u32 $4, 0, 0;", "=r,=r,=r,=r,=r,r,r,r,r,r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3)
  ret { i32, i32, i32, i32, i32 } %r
}

; SM70-LABEL: {{^}}sub2:
; SM70-NEXT: IADD3 R4, P0, R4, -R6, RZ ;
; SM70-NEXT: IADD3.X R5, P0, R5, ~R7, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R6, RZ, -0x1, RZ, P0, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}sub2:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_sub_co_u32 v0, vcc, v0, v2
; GFX900-NEXT: v_subb_co_u32 v1, vcc, v1, v3, vcc
; GFX900-NEXT: v_subb_co_u32 v2, vcc, 0, 0, vcc
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	sub2, .Lfunc_end1-sub2
; GFX900-EMPTY:
; GFX900-NEXT: .globl	add128
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	add128,@function
define { i32, i32, i32 } @sub2(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r = call { i32, i32, i32 } asm "sub.cc.u32 $0, $3, $5; subc.cc.u32 $1, $4, $6; subc.u32 $2, 0, 0;", "=r,=r,=r,r,r,r,r"(i32 %a0, i32 %a1, i32 %b0, i32 %b1)
  ret { i32, i32, i32 } %r
}

; SM70-LABEL: {{^}}add128:
; SM70-NEXT: IADD3 R4, P0, R4, R8, RZ ;
; SM70-NEXT: IADD3.X R5, P0, R5, R9, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R6, P0, R6, R10, RZ, P0, !PT ;
; SM70-NEXT: IADD3.X R7, R7, R11, RZ, P0, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}add128:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_add_co_u32 v0, vcc, v0, v4
; GFX900-NEXT: v_addc_co_u32 v1, vcc, v1, v5, vcc
; GFX900-NEXT: v_addc_co_u32 v2, vcc, v2, v6, vcc
; GFX900-NEXT: v_addc_co_u32 v3, vcc, v3, v7, vcc
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	add128, .Lfunc_end2-add128
define { i64, i64 } @add128(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
  %r = call { i64, i64 } asm "add.cc.u64 $0, $2, $4; addc.u64 $1, $3, $5;", "=l,=l,l,l,l,l"(i64 %a0, i64 %a1, i64 %b0, i64 %b1)
  ret { i64, i64 } %r
}
