; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; One step of a Montgomery multiplication of 256 bits: as short as it gets on most targets, and then it stays. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-39: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-169: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-70: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-70: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: f:
; GFX600-COUNT-70: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: f:
; GFX900-COUNT-70: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: f:
; GFX90A-COUNT-70: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: f:
; GFX1100-COUNT-70: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32, i32, i32, i32, i32, i32 } @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %b0, i32 %p0, i32 %p1, i32 %p2, i32 %p3, i32 %p4, i32 %p5, i32 %p6, i32 %p7, i32 %q0, i32 %z0, i32 %z1, i32 %z2, i32 %z3, i32 %z4, i32 %z5, i32 %z6, i32 %z7, i32 %z8) {
entry:
  %v0 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %z0)
  %v1 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b0, i32 %z1)
  %v2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b0, i32 %z2)
  %v3 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a3, i32 %b0, i32 %z3)
  %v4 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a4, i32 %b0, i32 %z4)
  %v5 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a5, i32 %b0, i32 %z5)
  %v6 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a6, i32 %b0, i32 %z6)
  %v7 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a7, i32 %b0, i32 %z7)
  %v8 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %z8)
  %v9 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %v1)
  %v10 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b0, i32 %v2)
  %v11 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b0, i32 %v3)
  %v12 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a3, i32 %b0, i32 %v4)
  %v13 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a4, i32 %b0, i32 %v5)
  %v14 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a5, i32 %b0, i32 %v6)
  %v15 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a6, i32 %b0, i32 %v7)
  %v16 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a7, i32 %b0, i32 %v8)
  %v17 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %v18 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %v0, i32 %q0)
  %v19 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p0, i32 %v0)
  %v20 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p1, i32 %v9)
  %v21 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p2, i32 %v10)
  %v22 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p3, i32 %v11)
  %v23 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p4, i32 %v12)
  %v24 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p5, i32 %v13)
  %v25 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p6, i32 %v14)
  %v26 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p7, i32 %v15)
  %v27 = call i32 asm sideeffect "addc.cc.u32 $0, $1, 0;", "=r,r"(i32 %v16)
  %v28 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %v17)
  %v29 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p0, i32 %v20)
  %v30 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p1, i32 %v21)
  %v31 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p2, i32 %v22)
  %v32 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p3, i32 %v23)
  %v33 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p4, i32 %v24)
  %v34 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p5, i32 %v25)
  %v35 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p6, i32 %v26)
  %v36 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %v18, i32 %p7, i32 %v27)
  %v37 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %v28)
  %agg0 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } undef, i32 %v29, 0
  %agg1 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg0, i32 %v30, 1
  %agg2 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg1, i32 %v31, 2
  %agg3 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg2, i32 %v32, 3
  %agg4 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg3, i32 %v33, 4
  %agg5 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg4, i32 %v34, 5
  %agg6 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg5, i32 %v35, 6
  %agg7 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg6, i32 %v36, 7
  %agg8 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg7, i32 %v37, 8
  ret { i32, i32, i32, i32, i32, i32, i32, i32, i32 } %agg8
}
