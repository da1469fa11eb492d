; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; Parameters and results: words from R4 (v0) on, 64 bits in an even pair (in the
; next two words), i1 as 0 or 1, narrow integers zero-extended.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}pair:
; SM70-NEXT: IMAD.WIDE.U32 R4, R4, 0x3, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}pair:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v0, 3, v[1:2]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	pair, .Lfunc_end0-pair
; GFX900-EMPTY:
; GFX900-NEXT: .globl	half
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	half,@function
define i64 @pair(i32 %a, i64 %b, i16 %c) {
  %r = call i64 asm "mad.wide.u32 $0, $1, 3, $2;", "=l,r,l"(i32 %a, i64 %b)
  ret i64 %r
}

; SM70-LABEL: {{^}}half:
; SM70-NEXT: IMAD R0, R4, R5, 0x1 ;
; SM70-NEXT: LOP3.LUT R4, R0, 0xffff, RZ, 0xc0, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}half:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_legacy_u16 v0, v0, v1, 1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	half, .Lfunc_end1-half
; GFX900-EMPTY:
; GFX900-NEXT: .globl	flag
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	flag,@function
define i16 @half(i16 %a, i16 %b) {
  %r = call i16 asm "mad.lo.u16 $0, $1, $2, 1;", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}

; SM70-LABEL: {{^}}flag:
; SM70-NEXT: ISETP.NE.U32.AND P0, PT, R5, RZ, PT ;
; SM70-NEXT: IADD3.X R4, P0, R4, 0x5, RZ, P0, !PT ;
; SM70-NEXT: SEL R5, RZ, 0x1, !P0 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}flag:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_cmp_ne_u32 vcc, 0, v1
; GFX900-NEXT: v_addc_co_u32 v0, vcc, v0, 5, vcc
; GFX900-NEXT: v_cndmask_b32 v1, 0, 1, vcc
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	flag, .Lfunc_end2-flag
define { i32, i1 } @flag(i32 %a, i1 %c) {
  %r = call { i32, i1 } @ptx.addc.cc.u32(i32 %a, i32 5, i1 %c)
  ret { i32, i1 } %r
}

declare { i32, i1 } @ptx.addc.cc.u32(i32, i32, i1)
