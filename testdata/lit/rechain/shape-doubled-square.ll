; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; A square of 128 bits: what occurs twice is summed once and doubled. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-33: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-82: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-28: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-28: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: f:
; GFX600-COUNT-47: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: f:
; GFX900-COUNT-29: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: f:
; GFX90A-COUNT-33: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: f:
; GFX1100-COUNT-29: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32, i32, i32, i32, i32 } @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3) {
entry:
  %v0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a2, i32 %a0)
  %v1 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a2, i32 %a0)
  %v2 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a0)
  %v3 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %a0)
  %v4 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a3, i32 %a0)
  %v5 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a3, i32 %a0)
  %v6 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a3, i32 %a1)
  %v7 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a3, i32 %a1)
  %v8 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a1, i32 %v4)
  %v9 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a1, i32 %v5)
  %v10 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %v11 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a3, i32 %a2, i32 %v10)
  %v12 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a3, i32 %a2)
  %v13 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %v14 = call i32 asm sideeffect "add.cc.u32 $0, 0, $1;", "=r,r"(i32 %v2)
  %v15 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v0, i32 %v3)
  %v16 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v1, i32 %v8)
  %v17 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v6, i32 %v9)
  %v18 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v7, i32 %v11)
  %v19 = call i32 asm sideeffect "addc.cc.u32 $0, 0, $1;", "=r,r"(i32 %v12)
  %v20 = call i32 asm sideeffect "addc.u32 $0, 0, $1;", "=r,r"(i32 %v13)
  %v21 = call i32 asm sideeffect "add.u32 $0, $1, $2;", "=r,r,r"(i32 %v14, i32 %v14)
  %v22 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v14, i32 %v15)
  %v23 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v15, i32 %v16)
  %v24 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v16, i32 %v17)
  %v25 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v17, i32 %v18)
  %v26 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v18, i32 %v19)
  %v27 = call i32 asm sideeffect "shf.l.wrap.b32 $0, $1, $2, 1;", "=r,r,r"(i32 %v19, i32 %v20)
  %v28 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %a0)
  %v29 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %a0, i32 %v21)
  %v30 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %a1, i32 %v22)
  %v31 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %a1, i32 %v23)
  %v32 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a2, i32 %v24)
  %v33 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %a2, i32 %v25)
  %v34 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a3, i32 %a3, i32 %v26)
  %v35 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a3, i32 %a3, i32 %v27)
  %agg0 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } undef, i32 %v28, 0
  %agg1 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg0, i32 %v29, 1
  %agg2 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg1, i32 %v30, 2
  %agg3 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg2, i32 %v31, 3
  %agg4 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg3, i32 %v32, 4
  %agg5 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg4, i32 %v33, 5
  %agg6 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg5, i32 %v34, 6
  %agg7 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg6, i32 %v35, 7
  ret { i32, i32, i32, i32, i32, i32, i32, i32 } %agg7
}
