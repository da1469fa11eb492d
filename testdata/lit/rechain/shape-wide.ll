; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; 128 by 128 bits of mul.wide and additions of 64 bits. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-40: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-87: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-27: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-27: {{^ +[A-Z].*;$}}
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

define { i32, i32, i32, i32, i32, i32, i32, i32 } @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3) {
entry:
  %v0 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a0, i32 %b0)
  %v1 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a2, i32 %b0)
  %v2 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a1, i32 %b0)
  %v3 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a3, i32 %b0)
  %v4 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a1, i32 %b1)
  %v5 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a3, i32 %b1)
  %v6 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v1, i64 %v4)
  %v7 = call i64 asm sideeffect "addc.u64 $0, 0, $1;", "=l,l"(i64 %v5)
  %v8 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a0, i32 %b1)
  %v9 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a2, i32 %b1)
  %v10 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v2, i64 %v8)
  %v11 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v3, i64 %v9)
  %v12 = call i64 asm sideeffect "addc.u64 $0, 0, 0;", "=l"()
  %v13 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a0, i32 %b2)
  %v14 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a2, i32 %b2)
  %v15 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v6, i64 %v13)
  %v16 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v7, i64 %v14)
  %v17 = call i64 asm sideeffect "addc.u64 $0, 0, 0;", "=l"()
  %v18 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a1, i32 %b2)
  %v19 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a3, i32 %b2)
  %v20 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v11, i64 %v18)
  %v21 = call i64 asm sideeffect "addc.u64 $0, $1, $2;", "=l,l,l"(i64 %v12, i64 %v19)
  %v22 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a1, i32 %b3)
  %v23 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a3, i32 %b3)
  %v24 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v16, i64 %v22)
  %v25 = call i64 asm sideeffect "addc.u64 $0, $1, $2;", "=l,l,l"(i64 %v17, i64 %v23)
  %v26 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a0, i32 %b3)
  %v27 = call i64 asm sideeffect "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a2, i32 %b3)
  %v28 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v20, i64 %v26)
  %v29 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v21, i64 %v27)
  %v30 = call i64 asm sideeffect "addc.u64 $0, 0, 0;", "=l"()
  %v31 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v0)
  %v32 = extractvalue { i32, i32 } %v31, 0
  %v33 = extractvalue { i32, i32 } %v31, 1
  %v34 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v15)
  %v35 = extractvalue { i32, i32 } %v34, 0
  %v36 = extractvalue { i32, i32 } %v34, 1
  %v37 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v24)
  %v38 = extractvalue { i32, i32 } %v37, 0
  %v39 = extractvalue { i32, i32 } %v37, 1
  %v40 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v25)
  %v41 = extractvalue { i32, i32 } %v40, 0
  %v42 = extractvalue { i32, i32 } %v40, 1
  %v43 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v10)
  %v44 = extractvalue { i32, i32 } %v43, 0
  %v45 = extractvalue { i32, i32 } %v43, 1
  %v46 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v28)
  %v47 = extractvalue { i32, i32 } %v46, 0
  %v48 = extractvalue { i32, i32 } %v46, 1
  %v49 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v29)
  %v50 = extractvalue { i32, i32 } %v49, 0
  %v51 = extractvalue { i32, i32 } %v49, 1
  %v52 = call { i32, i32 } asm sideeffect "mov.b64 {$0, $1}, $2;", "=r,=r,l"(i64 %v30)
  %v53 = extractvalue { i32, i32 } %v52, 0
  %v54 = extractvalue { i32, i32 } %v52, 1
  %v55 = call i32 asm sideeffect "mov.u32 $0, $1;", "=r,r"(i32 %v32)
  %v56 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v33, i32 %v44)
  %v57 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v35, i32 %v45)
  %v58 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v36, i32 %v47)
  %v59 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v38, i32 %v48)
  %v60 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v39, i32 %v50)
  %v61 = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %v41, i32 %v51)
  %v62 = call i32 asm sideeffect "addc.u32 $0, $1, $2;", "=r,r,r"(i32 %v42, i32 %v53)
  %agg0 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } undef, i32 %v55, 0
  %agg1 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg0, i32 %v56, 1
  %agg2 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg1, i32 %v57, 2
  %agg3 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg2, i32 %v58, 3
  %agg4 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg3, i32 %v59, 4
  %agg5 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg4, i32 %v60, 5
  %agg6 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg5, i32 %v61, 6
  %agg7 = insertvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %agg6, i32 %v62, 7
  ret { i32, i32, i32, i32, i32, i32, i32, i32 } %agg7
}
