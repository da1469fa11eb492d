; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; vmad picks bytes and halves of its operands, as rasterisers and dot products
; use it.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}b1b3:
; SM70-NEXT: PRMT R0, R4, 0x1777, RZ ;
; SM70-NEXT: IDP.4A.U8.U8 R4, R0, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}b1b3:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_u32_u24_sdwa v0, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_3
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	b1b3, .Lfunc_end0-b1b3
; GFX900-EMPTY:
; GFX900-NEXT: .globl	b0s
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	b0s,@function
define i32 @b1b3(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32 $0, $1.b1, $2.b3, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}b0s:
; SM70-NEXT: PRMT R0, R4, 0x7770, RZ ;
; SM70-NEXT: IDP.4A.S8.S8 R4, R0, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}b0s:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_i32_i24_sdwa v0, sext(v0), sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_0
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	b0s, .Lfunc_end1-b0s
; GFX900-EMPTY:
; GFX900-NEXT: .globl	h1h0
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	h1h0,@function
define i32 @b0s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32 $0, $1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}h1h0:
; SM70-NEXT: PRMT R0, R4, 0xbb32, RZ ;
; SM70-NEXT: PRMT R2, R5, 0x7710, RZ ;
; SM70-NEXT: IMAD R4, R0, R2, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}h1h0:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_i32_i24_sdwa v0, sext(v0), v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0
; GFX900-NEXT: v_add_u32 v0, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	h1h0, .Lfunc_end2-h1h0
; GFX900-EMPTY:
; GFX900-NEXT: .globl	word
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	word,@function
define i32 @h1h0(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.u32 $0, $1.h1, $2.h0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}word:
; SM70-NEXT: IMAD R4, R4, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}word:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end3:
; GFX900-NEXT: .size	word, .Lfunc_end3-word
; GFX900-EMPTY:
; GFX900-NEXT: .globl	negated
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	negated,@function
define i32 @word(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}negated:
; SM70-NEXT: PRMT R0, R4, 0x7770, RZ ;
; SM70-NEXT: IDP.4A.S8.S8 R0, R0, R5, RZ ;
; SM70-NEXT: IADD3 R4, R6, -R0, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}negated:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_i32_i24_sdwa v0, sext(v0), sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_0
; GFX900-NEXT: v_sub_u32 v0, v2, v0
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end4:
; GFX900-NEXT: .size	negated, .Lfunc_end4-negated
; GFX900-EMPTY:
; GFX900-NEXT: .globl	sat
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	sat,@function
define i32 @negated(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32 $0, -$1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}sat:
; SM70-NEXT: PRMT R0, R4, 0x7770, RZ ;
; SM70-NEXT: IDP.4A.U8.U8 R0, R0, R5, RZ ;
; SM70-NEXT: IADD3 R4, P0, R0, R6, RZ ;
; SM70-NEXT: @P0 MOV R4, 0xffffffff ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}sat:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_u32_u24_sdwa v0, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_0
; GFX900-NEXT: v_add_u32 v0, v0, v2 clamp
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end5:
; GFX900-NEXT: .size	sat, .Lfunc_end5-sat
; GFX900-EMPTY:
; GFX900-NEXT: .globl	scaled
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	scaled,@function
define i32 @sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32.sat $0, $1.b0, $2.b0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}scaled:
; SM70-NEXT: PRMT R0, R4, 0x9910, RZ ;
; SM70-NEXT: PRMT R2, R5, 0x9910, RZ ;
; SM70-NEXT: IMAD R0, R0, R2, RZ ;
; SM70-NEXT: IMAD.WIDE R2, R0, 0x20000, RZ ;
; SM70-NEXT: IMAD.WIDE R2, R6, 0x20000, R2 ;
; SM70-NEXT: MOV R4, R3 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}scaled:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mul_i32_i24_sdwa v0, sext(v0), sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_0
; GFX900-NEXT: v_ashrrev_i32 v3, 31, v2
; GFX900-NEXT: v_mad_i64_i32 v[0:1], vcc, v0, 1, v[2:3]
; GFX900-NEXT: v_alignbit_b32 v0, v1, v0, 15
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end6:
; GFX900-NEXT: .size	scaled, .Lfunc_end6-scaled
define i32 @scaled(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32.shr15 $0, $1.h0, $2.h0, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
