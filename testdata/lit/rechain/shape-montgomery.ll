; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; A Montgomery multiplication of 64 bits: a sequence of digits. The counts are of all
; instructions of a listing, moves and the return of NVIDIA's included.
; SM35-LABEL: mont:
; SM35-COUNT-27: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: mont:
; SM52-COUNT-73: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: mont:
; SM70-COUNT-23: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: mont:
; SM120-COUNT-23: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: mont:
; GFX600-COUNT-40: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: mont:
; GFX900-COUNT-17: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: mont:
; GFX90A-COUNT-19: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: mont:
; GFX1100-COUNT-19: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

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
