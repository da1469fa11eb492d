; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_80 | FileCheck %s --check-prefix=SM80

; The high half of a product of 96 by 96 bits: the low words are not wanted, but
; they carry.
target triple = "nvptx64-nvidia-cuda"

; SM80-LABEL: {{^}}mulhi:
; SM80-NEXT: IMAD.WIDE.U32 R2, R4, R9, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R5, R8, R2 ;
; SM80-NEXT: IADD3.X R11, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IMAD.WIDE.U32 R12, R4, R7, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R7, R6, R2 ;
; SM80-NEXT: IMAD.WIDE.U32.X R14, R6, R9, RZ, P0 ;
; SM80-NEXT: IMAD.WIDE.U32 R16, R4, R8, RZ ;
; SM80-NEXT: MOV R10, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R10, R5, R9, R10 ;
; SM80-NEXT: IMAD.WIDE.U32 R4, P0, R7, R5, R16 ;
; SM80-NEXT: IMAD.WIDE.U32.X R6, P0, R6, R8, R10, P0 ;
; SM80-NEXT: IADD3 R0, P1, R4, R13, RZ ;
; SM80-NEXT: IADD3.X R0, P1, R2, R5, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R4, P1, R6, R3, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R5, P1, R14, R7, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R6, R15, RZ, RZ, P0, P1 ;
; SM80-NEXT: RET.ABS.NODEC R20 0x0 ;
define { i32, i32, i32 } @mulhi(i32 %a0, i32 %a1, i32 %a2, i32 %b0, i32 %b1, i32 %b2) {
  %r1.0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r2.0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b0)
  %r3.0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a2, i32 %b0)
  %r1.1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b0, i32 %r1.0)
  %r2.1 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b0, i32 %r2.0)
  %r3.1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r3.0)
  %r1.2 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r1.1)
  %r2.2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r2.1)
  %r3.2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %r3.1)
  %r4.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r2.3 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r2.2)
  %r3.3 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r3.2)
  %r4.1 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %r4.0)
  %r2.4 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b2, i32 %r2.3)
  %r3.4 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b2, i32 %r3.3)
  %r4.2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b2, i32 %r4.1)
  %r5.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r3.5 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b2, i32 %r3.4)
  %r4.3 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b2, i32 %r4.2)
  %r5.1 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b2, i32 %r5.0)
  %agg0 = insertvalue { i32, i32, i32 } undef, i32 %r3.5, 0
  %agg1 = insertvalue { i32, i32, i32 } %agg0, i32 %r4.3, 1
  %agg2 = insertvalue { i32, i32, i32 } %agg1, i32 %r5.1, 2
  ret { i32, i32, i32 } %agg2
}
