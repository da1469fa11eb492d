; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; The 24-bit family side by side. NVIDIA's machines since Volta have no 24-bit
; multiplier: the low half needs the operands' top bytes gone, the high half is
; that of a product of operands shifted left by 8. AMD's multiplier of 24 bits
; gives bits 47 to 32 as high half, so that PTX's needs a funnel shift.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}mul24_lo_u:
; SM70-NEXT: LOP3.LUT R0, R4, 0xffffff, RZ, 0xc0, !PT ;
; SM70-NEXT: LOP3.LUT R2, R5, 0xffffff, RZ, 0xc0, !PT ;
; SM70-NEXT: IMAD R4, R0, R2, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mul24_lo_u:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_u32_u24 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	mul24_lo_u, .Lfunc_end0-mul24_lo_u
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mul24_lo_s
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mul24_lo_s,@function
define i32 @mul24_lo_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}mul24_lo_s:
; SM70-NEXT: SGXT R0, R4, 0x18 ;
; SM70-NEXT: SGXT R2, R5, 0x18 ;
; SM70-NEXT: IMAD R4, R0, R2, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mul24_lo_s:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_i32_i24 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	mul24_lo_s, .Lfunc_end1-mul24_lo_s
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mul24_hi_u
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mul24_hi_u,@function
define i32 @mul24_lo_s(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.lo.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}mul24_hi_u:
; SM70-NEXT: SHF.L.U32 R0, R4, 0x8, RZ ;
; SM70-NEXT: SHF.L.U32 R2, R5, 0x8, RZ ;
; SM70-NEXT: IMAD.WIDE.U32 R2, R0, R2, RZ ;
; SM70-NEXT: MOV R4, R3 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mul24_hi_u:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_u32_u24 v2, v0, v1
; GFX900-NEXT: v_mul_u32_u24 v0, v0, v1
; GFX900-NEXT: v_alignbit_b32 v0, v2, v0, 16
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	mul24_hi_u, .Lfunc_end2-mul24_hi_u
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad24_lo_u
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad24_lo_u,@function
define i32 @mul24_hi_u(i32 %a, i32 %b) {
  %r = call i32 asm "mul24.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad24_lo_u:
; SM70-NEXT: LOP3.LUT R0, R4, 0xffffff, RZ, 0xc0, !PT ;
; SM70-NEXT: LOP3.LUT R2, R5, 0xffffff, RZ, 0xc0, !PT ;
; SM70-NEXT: IMAD R4, R0, R2, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad24_lo_u:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u32_u24 v0, v0, v1, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end3:
; GFX900-NEXT: .size	mad24_lo_u, .Lfunc_end3-mad24_lo_u
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad24_lo_s
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad24_lo_s,@function
define i32 @mad24_lo_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad24_lo_s:
; SM70-NEXT: SGXT R0, R4, 0x18 ;
; SM70-NEXT: SGXT R2, R5, 0x18 ;
; SM70-NEXT: IMAD R4, R0, R2, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad24_lo_s:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_i32_i24 v0, v0, v1, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end4:
; GFX900-NEXT: .size	mad24_lo_s, .Lfunc_end4-mad24_lo_s
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad24_hi_u
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad24_hi_u,@function
define i32 @mad24_lo_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.lo.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad24_hi_u:
; SM70-NEXT: SHF.L.U32 R0, R4, 0x8, RZ ;
; SM70-NEXT: SHF.L.U32 R2, R5, 0x8, RZ ;
; SM70-NEXT: IMAD.WIDE.U32 R2, R0, R2, RZ ;
; SM70-NEXT: IADD3 R4, R3, R6, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad24_hi_u:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_u32_u24 v3, v0, v1
; GFX900-NEXT: v_mul_u32_u24 v0, v0, v1
; GFX900-NEXT: v_alignbit_b32 v0, v3, v0, 16
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end5:
; GFX900-NEXT: .size	mad24_hi_u, .Lfunc_end5-mad24_hi_u
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad24_hi_s
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad24_hi_s,@function
define i32 @mad24_hi_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad24_hi_s:
; SM70-NEXT: SHF.L.U32 R0, R4, 0x8, RZ ;
; SM70-NEXT: SHF.L.U32 R2, R5, 0x8, RZ ;
; SM70-NEXT: IMAD.WIDE R2, R0, R2, RZ ;
; SM70-NEXT: IADD3 R4, R3, R6, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad24_hi_s:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_i32_i24 v3, v0, v1
; GFX900-NEXT: v_mul_i32_i24 v0, v0, v1
; GFX900-NEXT: v_alignbit_b32 v0, v3, v0, 16
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end6:
; GFX900-NEXT: .size	mad24_hi_s, .Lfunc_end6-mad24_hi_s
; GFX900-EMPTY:
; GFX900-NEXT: .globl	mad24_hi_sat
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	mad24_hi_sat,@function
define i32 @mad24_hi_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}mad24_hi_sat:
; SM70-NEXT: SHF.L.U32 R0, R4, 0x8, RZ ;
; SM70-NEXT: SHF.L.U32 R2, R5, 0x8, RZ ;
; SM70-NEXT: IMAD.WIDE R2, R0, R2, RZ ;
; SM70-NEXT: IADD3 R4, R3, R6, RZ ;
; SM70-NEXT: PLOP3.LUT P0, PT, R3.SIGN, R6.SIGN, R4.SIGN, 0x42, 0x0 ;
; SM70-NEXT: @P0 LEA.HI R4, R3, 0x7fffffff, RZ, 0x1 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mad24_hi_sat:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_hi_i32_i24 v3, v0, v1
; GFX900-NEXT: v_mul_i32_i24 v0, v0, v1
; GFX900-NEXT: v_alignbit_b32 v0, v3, v0, 16
; GFX900-NEXT: v_add_i32 v0, v0, v2 clamp
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end7:
; GFX900-NEXT: .size	mad24_hi_sat, .Lfunc_end7-mad24_hi_sat
define i32 @mad24_hi_sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.sat.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
