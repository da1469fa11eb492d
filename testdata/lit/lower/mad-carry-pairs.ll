; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; (hi, lo) += a * b as people write it: the low halves first, then the high ones
; with the carry.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}mac:
; SM70-NEXT: IMAD.WIDE.U32 R4, R6, R7, R4 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mac:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v2, v3, v[0:1]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	mac, .Lfunc_end0-mac
; GFX900-EMPTY:
; GFX900-NEXT: .globl	row
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	row,@function
define { i32, i32 } @mac(i32 %lo, i32 %hi, i32 %a, i32 %b) {
  %r = call { i32, i32 } asm "mad.lo.cc.u32 $0, $2, $3, $0; madc.hi.u32 $1, $2, $3, $1;", "=r,=r,r,r,0,1"(i32 %a, i32 %b, i32 %lo, i32 %hi)
  ret { i32, i32 } %r
}

; SM70-LABEL: {{^}}row:
; SM70-NEXT: IMAD.WIDE.U32 R4, P0, R7, R9, R4 ;
; SM70-NEXT: IADD3.X R3, RZ, RZ, RZ, P0, !PT ;
; SM70-NEXT: MOV R2, RZ ;
; SM70-NEXT: IMAD.WIDE.U32 R2, R9, R8, R2 ;
; SM70-NEXT: IADD3 R5, P0, R2, R5, RZ ;
; SM70-NEXT: IADD3.X R6, R6, R3, RZ, P0, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}row:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[6:7], vcc, v3, v5, 0
; GFX900-NEXT: v_mov_b32 v8, 0
; GFX900-NEXT: v_mad_u64_u32 v[3:4], vcc, v5, v4, v[7:8]
; GFX900-NEXT: v_add_co_u32 v0, vcc, v6, v0
; GFX900-NEXT: v_addc_co_u32 v1, vcc, v3, v1, vcc
; GFX900-NEXT: v_addc_co_u32 v2, vcc, v4, v2, vcc
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	row, .Lfunc_end1-row
define { i32, i32, i32 } @row(i32 %r0, i32 %r1, i32 %r2, i32 %a0, i32 %a1, i32 %b) {
  %r = call { i32, i32, i32 } asm "mad.lo.cc.u32 $0, $3, $5, $0; madc.lo.cc.u32 $1, $4, $5, $1; addc.u32 $2, $2, 0; mad.hi.cc.u32 $1, $3, $5, $1; madc.hi.u32 $2, $4, $5, $2;", "=r,=r,=r,r,r,r,0,1,2"(i32 %a0, i32 %a1, i32 %b, i32 %r0, i32 %r1, i32 %r2)
  ret { i32, i32, i32 } %r
}
