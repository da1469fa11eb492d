; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; A square of 96 bits. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-21: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-53: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-20: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-20: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: f:
; GFX600-COUNT-28: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: f:
; GFX900-COUNT-18: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: f:
; GFX90A-COUNT-23: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: f:
; GFX1100-COUNT-19: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32, i32, i32 } @f(i32 %a0, i32 %a1, i32 %a2) {
entry:
  %v0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a0)
  %v1 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a1)
  %v2 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a1)
  %v3 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v1, i32 %v1)
  %v4 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v2, i32 %v2)
  %v5 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %a1)
  %v6 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %a0, i32 %v3)
  %v7 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %a1, i32 %v4)
  %v8 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %v5)
  %v9 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a2)
  %v10 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a2)
  %v11 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v9, i32 %v9)
  %v12 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v10, i32 %v10)
  %v13 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %v14 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v7, i32 %v11)
  %v15 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v8, i32 %v12)
  %v16 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a2, i32 %v13)
  %v17 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a2, i32 %a2)
  %v18 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a2)
  %v19 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a2)
  %v20 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v15, i32 %v18)
  %v21 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v16, i32 %v19)
  %v22 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %v17)
  %v23 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v20, i32 %v18)
  %v24 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v21, i32 %v19)
  %v25 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %v22)
  %agg0 = insertvalue { i32, i32, i32, i32, i32, i32 } undef, i32 %v0, 0
  %agg1 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg0, i32 %v6, 1
  %agg2 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg1, i32 %v14, 2
  %agg3 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg2, i32 %v23, 3
  %agg4 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg3, i32 %v24, 4
  %agg5 = insertvalue { i32, i32, i32, i32, i32, i32 } %agg4, i32 %v25, 5
  ret { i32, i32, i32, i32, i32, i32 } %agg5
}
