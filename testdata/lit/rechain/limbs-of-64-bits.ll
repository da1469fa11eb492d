; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_80 | FileCheck %s --check-prefix=SM80

; The same in limbs of 64 bits: 16 products of words.
target triple = "nvptx64-nvidia-cuda"

; SM80-LABEL: {{^}}mul:
; SM80-NEXT: IMAD.WIDE.U32 R2, R8, R6, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R12, R10, R6, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R4, R10, R2 ;
; SM80-NEXT: IMAD.WIDE.U32.X R12, P0, R9, R7, R12, P0 ;
; SM80-NEXT: IADD3.X R15, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IMAD.WIDE.U32 R16, R4, R8, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R5, R9, R2 ;
; SM80-NEXT: IMAD.WIDE.U32.X R12, P0, R5, R11, R12, P0 ;
; SM80-NEXT: IMAD.WIDE.U32.X R18, R11, R7, RZ, P0 ;
; SM80-NEXT: IMAD.WIDE.U32 R22, R8, R7, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R22, P0, R9, R6, R22 ;
; SM80-NEXT: IADD3.X R14, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IMAD.WIDE.U32 R24, R5, R8, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R22, P0, R5, R10, R22 ;
; SM80-NEXT: IMAD.WIDE.U32.X R14, R10, R7, R14, P0 ;
; SM80-NEXT: IMAD.WIDE.U32 R8, P0, R4, R9, R24 ;
; SM80-NEXT: IMAD.WIDE.U32.X R4, P0, R4, R11, R22, P0 ;
; SM80-NEXT: IMAD.WIDE.U32.X R6, P0, R11, R6, R14, P0 ;
; SM80-NEXT: IADD3 R0, P1, R8, R17, RZ ;
; SM80-NEXT: IADD3.X R2, P1, R2, R9, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R3, P1, R4, R3, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R8, P1, R12, R5, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R9, P1, R6, R13, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R10, P1, R18, R7, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R11, R19, RZ, RZ, P0, P1 ;
; SM80-NEXT: MOV R4, R16 ;
; SM80-NEXT: MOV R5, R0 ;
; SM80-NEXT: MOV R6, R2 ;
; SM80-NEXT: MOV R7, R3 ;
; SM80-NEXT: RET.ABS.NODEC R20 0x0 ;
define { i64, i64, i64, i64 } @mul(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
  %r0.0 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b0)
  %r1.0 = call i64 asm sideeffect "mul.hi.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b0)
  %r1.1 = call i64 asm sideeffect "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b1, i64 %r1.0)
  %r2.0 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a0, i64 %b1)
  %r1.2 = call i64 asm sideeffect "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b0, i64 %r1.1)
  %r2.1 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b0, i64 %r2.0)
  %r3.0 = call i64 asm sideeffect "addc.u64 $0, 0, 0;", "=l"()
  %r2.2 = call i64 asm sideeffect "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b1, i64 %r2.1)
  %r3.1 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b1, i64 %r3.0)
  %agg0 = insertvalue { i64, i64, i64, i64 } undef, i64 %r0.0, 0
  %agg1 = insertvalue { i64, i64, i64, i64 } %agg0, i64 %r1.2, 1
  %agg2 = insertvalue { i64, i64, i64, i64 } %agg1, i64 %r2.2, 2
  %agg3 = insertvalue { i64, i64, i64, i64 } %agg2, i64 %r3.1, 3
  ret { i64, i64, i64, i64 } %agg3
}
