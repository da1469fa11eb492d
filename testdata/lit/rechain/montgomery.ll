; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_80 | FileCheck %s --check-prefix=SM80

; A Montgomery multiplication of 64 bits, row by row: each m is the lowest word of
; the sum so far, times n.
target triple = "nvptx64-nvidia-cuda"

; SM80-LABEL: {{^}}mont:
; SM80-NEXT: IMAD R0, R4, R6, RZ ;
; SM80-NEXT: IMAD R0, R0, R10, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, R0, R9, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R12, R0, R8, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R6, R5, R2 ;
; SM80-NEXT: IADD3.X R15, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IMAD.WIDE.U32 R12, P0, R4, R6, R12 ;
; SM80-NEXT: IADD3.X R14, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IADD3 R2, P0, R2, R13, RZ ;
; SM80-NEXT: IMAD.WIDE.U32.X R12, R5, R7, R14, P0 ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P0, R4, R7, R2 ;
; SM80-NEXT: IADD3.X R0, RZ, RZ, RZ, P0, !PT ;
; SM80-NEXT: IMAD R4, R10, R2, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R6, P0, R9, R4, R12 ;
; SM80-NEXT: IMAD.WIDE.U32 R2, P1, R8, R4, R2 ;
; SM80-NEXT: IADD3.X R2, RZ, RZ, RZ, P1, !PT ;
; SM80-NEXT: IADD3 R2, P1, R2, R7, RZ ;
; SM80-NEXT: IADD3.X R4, RZ, RZ, RZ, P1, !PT ;
; SM80-NEXT: IADD3 R3, P1, R6, R3, RZ ;
; SM80-NEXT: IADD3.X R5, P1, R0, R2, RZ, P1, !PT ;
; SM80-NEXT: IADD3.X R6, RZ, R4, RZ, P0, P1 ;
; SM80-NEXT: MOV R4, R3 ;
; SM80-NEXT: RET.ABS.NODEC R20 0x0 ;
define { i32, i32, i32 } @mont(i32 %a0, i32 %a1, i32 %b0, i32 %b1, i32 %p0, i32 %p1, i32 %n) {
  %r0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.1 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %r1.0)
  %r2.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %b0)
  %m.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %r0.0, i32 %n)
  %r0.1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.0, i32 %p0, i32 %r0.0)
  %r1.2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.0, i32 %p1, i32 %r1.1)
  %r2.1 = call i32 asm sideeffect "addc.cc.u32 $0, $1, 0;", "=r,r"(i32 %r2.0)
  %r3.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r1.3 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.0, i32 %p0, i32 %r1.2)
  %r2.2 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.0, i32 %p1, i32 %r2.1)
  %r3.1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r3.0)
  %r1.4 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r1.3)
  %r2.3 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r2.2)
  %r3.2 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r3.1)
  %r2.4 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r2.3)
  %r3.3 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r3.2)
  %r4.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %m.1 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %r1.4, i32 %n)
  %r1.5 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.1, i32 %p0, i32 %r1.4)
  %r2.5 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.1, i32 %p1, i32 %r2.4)
  %r3.4 = call i32 asm sideeffect "addc.cc.u32 $0, $1, 0;", "=r,r"(i32 %r3.3)
  %r4.1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r4.0)
  %r2.6 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.1, i32 %p0, i32 %r2.5)
  %r3.5 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %m.1, i32 %p1, i32 %r3.4)
  %r4.2 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r4.1)
  %agg0 = insertvalue { i32, i32, i32 } undef, i32 %r2.6, 0
  %agg1 = insertvalue { i32, i32, i32 } %agg0, i32 %r3.5, 1
  %agg2 = insertvalue { i32, i32, i32 } %agg1, i32 %r4.2, 2
  ret { i32, i32, i32 } %agg2
}
