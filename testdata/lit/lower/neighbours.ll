; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; What shares bodies with the family becomes one operation where the machine has
; it: byte permutes, fields, funnel shifts, logic of three operands.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}perm:
; SM70-NEXT: PRMT R4, R4, 0x7531, R5 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}perm:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mov_b32 v2, 0x7050301
; GFX900-NEXT: v_perm_b32 v0, v1, v0, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	perm, .Lfunc_end0-perm
; GFX900-EMPTY:
; GFX900-NEXT: .globl	field
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	field,@function
define i32 @perm(i32 %a, i32 %b) {
  %r = call i32 asm "prmt.b32 $0, $1, $2, 0x7531;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}field:
; SM70-NEXT: SHF.R.U32.HI R0, RZ, 0x4, R4 ;
; SM70-NEXT: SGXT.U32 R4, R0, 0x8 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}field:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_bfe_u32 v0, v0, 4, 8
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end1:
; GFX900-NEXT: .size	field, .Lfunc_end1-field
; GFX900-EMPTY:
; GFX900-NEXT: .globl	insert
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	insert,@function
define i32 @field(i32 %a) {
  %r = call i32 asm "bfe.u32 $0, $1, 4, 8;", "=r,r"(i32 %a)
  ret i32 %r
}

; SM70-LABEL: {{^}}insert:
; SM70-NEXT: SHF.L.U32 R0, R4, 0x8, RZ ;
; SM70-NEXT: MOV R2, 0x8 ;
; SM70-NEXT: BMSK R2, R2, 0x8 ;
; SM70-NEXT: LOP3.LUT R4, R0, R2, R5, 0xe2, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}insert:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_bfm_b32 v2, 8, 8
; GFX900-NEXT: v_lshlrev_b32 v0, 8, v0
; GFX900-NEXT: v_bfi_b32 v0, v2, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end2:
; GFX900-NEXT: .size	insert, .Lfunc_end2-insert
; GFX900-EMPTY:
; GFX900-NEXT: .globl	funnel
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	funnel,@function
define i32 @insert(i32 %a, i32 %b) {
  %r = call i32 asm "bfi.b32 $0, $1, $2, 8, 8;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}funnel:
; SM70-NEXT: SHF.L.W.U32.HI R4, R4, R6, R5 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}funnel:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_and_b32 v2, 31, v2
; GFX900-NEXT: v_lshlrev_b64 v[0:1], v2, v[0:1]
; GFX900-NEXT: v_mov_b32 v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end3:
; GFX900-NEXT: .size	funnel, .Lfunc_end3-funnel
; GFX900-EMPTY:
; GFX900-NEXT: .globl	majority
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	majority,@function
define i32 @funnel(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}majority:
; SM70-NEXT: LOP3.LUT R4, R4, R5, R6, 0xe8, !PT ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}majority:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_xor_b32 v1, v0, v1
; GFX900-NEXT: v_bfi_b32 v0, v1, v2, v0
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end4:
; GFX900-NEXT: .size	majority, .Lfunc_end4-majority
; GFX900-EMPTY:
; GFX900-NEXT: .globl	least
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	least,@function
define i32 @majority(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0xe8;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; SM70-LABEL: {{^}}least:
; SM70-NEXT: ISETP.LT.AND P0, PT, R4, R5, PT ;
; SM70-NEXT: SEL R4, R4, R5, P0 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}least:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_min_i32 v0, v0, v1
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end5:
; GFX900-NEXT: .size	least, .Lfunc_end5-least
; GFX900-EMPTY:
; GFX900-NEXT: .globl	ones
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	ones,@function
define i32 @least(i32 %a, i32 %b) {
  %r = call i32 asm "min.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}

; SM70-LABEL: {{^}}ones:
; SM70-NEXT: POPC R4, R4 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}ones:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_bcnt_u32_b32 v0, v0, 0
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end6:
; GFX900-NEXT: .size	ones, .Lfunc_end6-ones
; GFX900-EMPTY:
; GFX900-NEXT: .globl	sad
; GFX900-NEXT: .p2align	2
; GFX900-NEXT: .type	sad,@function
define i32 @ones(i32 %a) {
  %r = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %a)
  ret i32 %r
}

; SM70-LABEL: {{^}}sad:
; SM70-NEXT: VABSDIFF.U32 R4, R4, R5, R6 ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}sad:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_sad_u32 v0, v0, v1, v2
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end7:
; GFX900-NEXT: .size	sad, .Lfunc_end7-sad
define i32 @sad(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "sad.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
