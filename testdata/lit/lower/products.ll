; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; Plain products: the machines' multipliers are 32 bits wide and give 64.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}lo:
; SM70-NEXT: IMAD R4, R4, R5, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}lo:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_lo_u32 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	lo, .Lfunc_end0-lo
; GFX900-EMPTY:
; GFX900-NEXT: .globl	hi_u
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	hi_u,@function
define i32 @lo(i32 %a, i32 %b) {
  %r = call i32 asm "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}hi_u:
; SM70-NEXT: IMAD.WIDE.U32 R2, R4, R5, RZ ;
; SM70-NEXT: MOV R4, R3 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}hi_u:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_u32 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	hi_u, .Lfunc_end1-hi_u
; GFX900-EMPTY:
; GFX900-NEXT: .globl	hi_s
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	hi_s,@function
define i32 @hi_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}hi_s:
; SM70-NEXT: IMAD.WIDE R2, R4, R5, RZ ;
; SM70-NEXT: MOV R4, R3 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}hi_s:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_i32 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	hi_s, .Lfunc_end2-hi_s
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad,@function
define i32 @hi_s(i32 %a, i32 %b) {
  %r = call i32 asm "mul.hi.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad:
; SM70-NEXT: IMAD R4, R4, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end3:
; GFX900-NEXT: .size	mad, .Lfunc_end3-mad
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad_hi
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad_hi,@function
define i32 @mad(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad_hi:
; SM70-NEXT: IMAD.WIDE.U32 R2, R4, R5, RZ ;
; SM70-NEXT: IADD3 R4, R3, R6, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad_hi:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_u32 v0, v0, v1
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end4:
; GFX900-NEXT: .size	mad_hi, .Lfunc_end4-mad_hi
; GFX900-EMPTY:
; GFX900-NEXT: .globl	wide
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	wide,@function
define i32 @mad_hi(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}wide:
; SM70-NEXT: IMAD.WIDE R4, R4, R5, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}wide:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_i64_i32 v[0:1], vcc, v0, v1, 0
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end5:
; GFX900-NEXT: .size	wide, .Lfunc_end5-wide
; GFX900-EMPTY:
; GFX900-NEXT: .globl	madwide
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	madwide,@function
define i64 @wide(i32 %a, i32 %b) {
  %r = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %a, i32 %b)
  ret i64 %r
}

; SM70-LABEL: {{^}}madwide:
; SM70-NEXT: IMAD.WIDE.U32 R4, R4, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}madwide:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end6:
; GFX900-NEXT: .size	madwide, .Lfunc_end6-madwide
; GFX900-EMPTY:
; GFX900-NEXT: .globl	lo64
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	lo64,@function
define i64 @madwide(i32 %a, i32 %b, i64 %c) {
  %r = call i64 asm "mad.wide.u32 $0, $1, $2, $3;", "=l,r,r,l"(i32 %a, i32 %b, i64 %c)
  ret i64 %r
}

; SM70-LABEL: {{^}}lo64:
; SM70-NEXT: IMAD.WIDE.U32 R2, R4, R6, RZ ;
; SM70-NEXT: IMAD R0, R5, R6, R3 ;
; SM70-NEXT: IMAD R5, R4, R7, R0 ;
; SM70-NEXT: MOV R4, R2 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}lo64:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[4:5], vcc, v0, v2, 0
; GFX900-NEXT: v_mad_u64_u32 v[5:6], vcc, v0, v3, v[5:6]
; GFX900-NEXT: v_mad_u64_u32 v[1:2], vcc, v1, v2, v[5:6]
; GFX900-NEXT: v_mov_b32 v0, v4
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end7:
; GFX900-NEXT: .size	lo64, .Lfunc_end7-lo64
; GFX900-EMPTY:
; GFX900-NEXT: .globl	hi64
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	hi64,@function
define i64 @lo64(i64 %a, i64 %b) {
  %r = call i64 asm "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  ret i64 %r
}

; SM70-LABEL: {{^}}hi64:
; SM70-NEXT: IMAD.WIDE.U32 R2, R4, R6, RZ ;
; SM70-NEXT: IMAD.WIDE.U32 R2, R3, 0x1, RZ ;
; SM70-NEXT: IMAD.WIDE.U32 R2, R4, R7, R2 ;
; SM70-NEXT: IMAD.WIDE.U32 R2, P0, R5, R6, R2 ;
; SM70-NEXT: SEL R9, RZ, 0x1, !P0 ;
; SM70-NEXT: MOV R8, R3 ;
; SM70-NEXT: IMAD.WIDE.U32 R4, R5, R7, R8 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}hi64:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_u32 v4, v0, v2
; GFX900-NEXT: v_mov_b32 v5, 0
; GFX900-NEXT: v_mad_u64_u32 v[4:5], vcc, v0, v3, v[4:5]
; GFX900-NEXT: v_mad_u64_u32 v[4:5], vcc, v1, v2, v[4:5]
; GFX900-NEXT: v_addc_co_u32 v6, vcc, 0, 0, vcc
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v1, v3, v[5:6]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end8:
; GFX900-NEXT: .size	hi64, .Lfunc_end8-hi64
define i64 @hi64(i64 %a, i64 %b) {
  %r = call i64 asm "mul.hi.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  ret i64 %r
}
