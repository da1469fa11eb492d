; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_80 | FileCheck %s --check-prefix=SM80
; RUN: ptxlower %s --target=sm_80 -O0 | FileCheck %s --check-prefix=O0
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; A product of 64 by 64 bits as people write it, the low words of a row before
; its high words: each product of words is one wide multiply-add in the end.
target triple = "nvptx64-nvidia-cuda"

; SM80-LABEL: {{^}}mul:
; SM80-NEXT: IMAD.WIDE.U32 R2, R4, R6, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R8, R5, R7, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R10, R4, R7, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R4, P0, R6, R5, R10 ;
; SM80-NEXT: IADD3 R0, P1, R4, R3, RZ ;
; SM80-NEXT: IADD3.X R6, P1, R8, R5, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R7, R9, RZ, RZ, P0, P1 ;
; SM80-NEXT: MOV R4, R2 ;
; SM80-NEXT: MOV R5, R0 ;
; SM80-NEXT: RET.ABS.NODEC R20 0x0 ;
; O0-LABEL: {{^}}mul:
; O0-NEXT: IMAD R0, R4, R6, RZ ;
; O0-NEXT: IMAD R2, R5, R6, RZ ;
; O0-NEXT: IMAD.HI.U32 R3, R4, R6, RZ ;
; O0-NEXT: IADD3 R2, P0, R3, R2, RZ ;
; O0-NEXT: IMAD.HI.U32 R3, R5, R6, RZ ;
; O0-NEXT: IADD3.X R3, R3, RZ, RZ, P0, !PT ;
; O0-NEXT: IMAD R6, R4, R7, RZ ;
; O0-NEXT: IADD3 R2, P0, R6, R2, RZ ;
; O0-NEXT: IMAD R6, R5, R7, RZ ;
; O0-NEXT: IADD3.X R3, P0, R6, R3, RZ, P0, !PT ;
; O0-NEXT: IMAD.HI.U32 R4, R4, R7, RZ ;
; O0-NEXT: IADD3 R6, P1, R4, R3, RZ ;
; O0-NEXT: IMAD.HI.U32 R3, R5, R7, RZ ;
; O0-NEXT: IADD3.X R7, RZ, R3, RZ, P0, P1 ;
; O0-NEXT: MOV R4, R0 ;
; O0-NEXT: MOV R5, R2 ;
; O0-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}mul:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_mad_u64_u32 v[4:5], vcc, v0, v2, 0
; GFX900-NEXT: v_mov_b32 v6, 0
; GFX900-NEXT: v_mad_u64_u32 v[5:6], vcc, v0, v3, v[5:6]
; GFX900-NEXT: v_mad_u64_u32 v[5:6], vcc, v2, v1, v[5:6]
; GFX900-NEXT: v_addc_co_u32 v7, vcc, 0, 0, vcc
; GFX900-NEXT: v_mad_u64_u32 v[2:3], vcc, v1, v3, v[6:7]
; GFX900-NEXT: v_mov_b32 v0, v4
; GFX900-NEXT: v_mov_b32 v1, v5
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	mul, .Lfunc_end0-mul
define { i32, i32, i32, i32 } @mul(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.1 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %r1.0)
  %r2.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.2 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r1.1)
  %r2.1 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r2.0)
  %r3.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r2.2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r2.1)
  %r3.1 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r3.0)
  %agg0 = insertvalue { i32, i32, i32, i32 } undef, i32 %r0.0, 0
  %agg1 = insertvalue { i32, i32, i32, i32 } %agg0, i32 %r1.2, 1
  %agg2 = insertvalue { i32, i32, i32, i32 } %agg1, i32 %r2.2, 2
  %agg3 = insertvalue { i32, i32, i32, i32 } %agg2, i32 %r3.1, 3
  ret { i32, i32, i32, i32 } %agg3
}
