; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; 128 by 128 bits in limbs of 64 bits. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-40: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-92: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-30: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-30: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: f:
; GFX600-COUNT-67: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: f:
; GFX900-COUNT-35: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: f:
; GFX90A-COUNT-40: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: f:
; GFX1100-COUNT-37: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

define { i64, i64, i64, i64 } @f(i64 %a0, i64 %a1, i64 %b0, i64 %b1) {
entry:
  %v0 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b0)
  %v1 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b0)
  %v2 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b0, i64 %v1)
  %v3 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a1, i64 %b0)
  %v4 = call i64 asm sideeffect "mad.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b1, i64 %v2)
  %v5 = call i64 asm sideeffect "madc.lo.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b1, i64 %v3)
  %v6 = call i64 asm sideeffect "addc.u64 $0, 0, 0;", "=l"()
  %v7 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b1, i64 %v5)
  %v8 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b1, i64 %v6)
  %agg0 = insertvalue { i64, i64, i64, i64 } undef, i64 %v0, 0
  %agg1 = insertvalue { i64, i64, i64, i64 } %agg0, i64 %v4, 1
  %agg2 = insertvalue { i64, i64, i64, i64 } %agg1, i64 %v7, 2
  %agg3 = insertvalue { i64, i64, i64, i64 } %agg2, i64 %v8, 3
  ret { i64, i64, i64, i64 } %agg3
}
