; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_80 | FileCheck %s --check-prefix=SM80

; A square of 96 bits: products that occur twice are summed once and doubled.
target triple = "nvptx64-nvidia-cuda"

; SM80-LABEL: {{^}}sqr:
; SM80-NEXT: IMAD.WIDE.U32 R2, R4, R6, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R10, R4, R5, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R12, R5, R6, RZ ;
; SM80-NEXT: IADD3 R0, P0, R2, R11, RZ ;
; SM80-NEXT: IADD3.X R2, P0, R12, R3, RZ, P0, !PT ;
; SM80-NEXT: IADD3.X R3, P0, R13, RZ, RZ, P0, !PT ;
; SM80-NEXT: IADD3 R11, R10, R10, RZ ;
; SM80-NEXT: SHF.L.W.U32.HI R12, R10, 0x1, R0 ;
; SM80-NEXT: SHF.L.W.U32.HI R13, R0, 0x1, R2 ;
; SM80-NEXT: SHF.L.W.U32.HI R2, R2, 0x1, R3 ;
; SM80-NEXT: SHF.L.W.U32.HI R3, R3, 0x1, RZ ;
; SM80-NEXT: MOV R10, RZ ;
; SM80-NEXT: IMAD.WIDE.U32 R10, P0, R4, R4, R10 ;
; SM80-NEXT: IMAD.WIDE.U32.X R12, P0, R5, R5, R12, P0 ;
; SM80-NEXT: IMAD.WIDE.U32.X R8, R6, R6, R2, P0 ;
; SM80-NEXT: MOV R4, R10 ;
; SM80-NEXT: MOV R5, R11 ;
; SM80-NEXT: MOV R6, R12 ;
; SM80-NEXT: MOV R7, R13 ;
; SM80-NEXT: RET.ABS.NODEC R20 0x0 ;
define { i32, i32, i32, i32, i32, i32 } @sqr(i32 %a0, i32 %a1, i32 %a2) {
  %r0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a0)
  %r1.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a1)
  %r2.0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a1)
  %r1.1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r1.0, i32 %r1.0)
  %r2.1 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r2.0, i32 %r2.0)
  %r3.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %a1)
  %r1.2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %a0, i32 %r1.1)
  %r2.2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %a1, i32 %r2.1)
  %r3.1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r3.0)
  %t0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a2)
  %t1.0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a2)
  %t0.1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %t0.0, i32 %t0.0)
  %t1.1 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %t1.0, i32 %t1.0)
  %t2.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r2.3 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r2.2, i32 %t0.1)
  %r3.2 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r3.1, i32 %t1.1)
  %r4.0 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a2, i32 %t2.0)
  %r5.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a2, i32 %a2)
  %t0.2 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a2)
  %t1.2 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a2)
  %r3.3 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r3.2, i32 %t0.2)
  %r4.1 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r4.0, i32 %t1.2)
  %r5.1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r5.0)
  %r3.4 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r3.3, i32 %t0.2)
  %r4.2 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %r4.1, i32 %t1.2)
  %r5.2 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %r5.1)
  %agg0 = insertvalue { i32, i32, i32, i32, i32, i32 } undef, i32 %r0.0, 0
  %agg1 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg0, i32 %r1.2, 1
  %agg2 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg1, i32 %r2.3, 2
  %agg3 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg2, i32 %r3.4, 3
  %agg4 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg3, i32 %r4.2, 4
  %agg5 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg4, i32 %r5.2, 5
  ret { i32, i32, i32, i32, i32, i32 } %agg5
}
