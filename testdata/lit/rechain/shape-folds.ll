; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_35 --verify=prove | FileCheck %s --check-prefix=SM35
; RUN: ptxlower %s --target=sm_52 --verify=prove | FileCheck %s --check-prefix=SM52
; RUN: ptxlower %s --target=sm_70 --verify=prove | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=sm_120 --verify=prove | FileCheck %s --check-prefix=SM120
; RUN: ptxlower %s --target=gfx600 --verify=prove | FileCheck %s --check-prefix=GFX600
; RUN: ptxlower %s --target=gfx900 --verify=prove | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx90a --verify=prove | FileCheck %s --check-prefix=GFX90A
; RUN: ptxlower %s --target=gfx1100 --verify=prove | FileCheck %s --check-prefix=GFX1100

; 256 by 256 bits in limbs of 64, folded twice modulo 2^256 - 0x1000003d1. The counts are of all instructions of a
; listing, moves and the return of NVIDIA's included.
; SM35-LABEL: f:
; SM35-COUNT-190: {{^ +[A-Z].*;$}}
; SM35-NOT: {{^ +[A-Z].*;$}}
; SM52-LABEL: f:
; SM52-COUNT-369: {{^ +[A-Z].*;$}}
; SM52-NOT: {{^ +[A-Z].*;$}}
; SM70-LABEL: f:
; SM70-COUNT-125: {{^ +[A-Z].*;$}}
; SM70-NOT: {{^ +[A-Z].*;$}}
; SM120-LABEL: f:
; SM120-COUNT-125: {{^ +[A-Z].*;$}}
; SM120-NOT: {{^ +[A-Z].*;$}}
; GFX600-LABEL: f:
; GFX600-COUNT-331: {{^.v_}}
; GFX600-NOT: {{^.v_}}
; GFX900-LABEL: f:
; GFX900-COUNT-181: {{^.v_}}
; GFX900-NOT: {{^.v_}}
; GFX90A-LABEL: f:
; GFX90A-COUNT-202: {{^.v_}}
; GFX90A-NOT: {{^.v_}}
; GFX1100-LABEL: f:
; GFX1100-COUNT-183: {{^.v_}}
; GFX1100-NOT: {{^.v_}}
target triple = "nvptx64-nvidia-cuda"

define { i64, i64, i64, i64 } @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %b0, i64 %b1, i64 %b2, i64 %b3) {
entry:
  %v0 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b0)
  %v1 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b0)
  %v2 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b0, i64 %v1)
  %v3 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a2, i64 %b0)
  %v4 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b0, i64 %v3)
  %v5 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a3, i64 %b0)
  %v6 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a2, i64 %b0, i64 %v5)
  %v7 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a3, i64 %b0)
  %v8 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b1)
  %v9 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b1)
  %v10 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b1, i64 %v9)
  %v11 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a2, i64 %b1)
  %v12 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b1, i64 %v11)
  %v13 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a3, i64 %b1)
  %v14 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a2, i64 %b1, i64 %v13)
  %v15 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a3, i64 %b1)
  %v16 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v2, i64 %v8)
  %v17 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v4, i64 %v10)
  %v18 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v6, i64 %v12)
  %v19 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v7, i64 %v14)
  %v20 = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %v15)
  %v21 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b2)
  %v22 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b2)
  %v23 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b2, i64 %v22)
  %v24 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a2, i64 %b2)
  %v25 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b2, i64 %v24)
  %v26 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a3, i64 %b2)
  %v27 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a2, i64 %b2, i64 %v26)
  %v28 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a3, i64 %b2)
  %v29 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v17, i64 %v21)
  %v30 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v18, i64 %v23)
  %v31 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v19, i64 %v25)
  %v32 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v20, i64 %v27)
  %v33 = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %v28)
  %v34 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b3)
  %v35 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a1, i64 %b3)
  %v36 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a0, i64 %b3, i64 %v35)
  %v37 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a2, i64 %b3)
  %v38 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a1, i64 %b3, i64 %v37)
  %v39 = call i64 asm sideeffect "mul.lo.u64 $0, $1, $2;", "=l,l,l"(i64 %a3, i64 %b3)
  %v40 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, $2, $3;", "=l,l,l,l"(i64 %a2, i64 %b3, i64 %v39)
  %v41 = call i64 asm sideeffect "madc.hi.u64 $0, $1, $2, 0;", "=l,l,l"(i64 %a3, i64 %b3)
  %v42 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v30, i64 %v34)
  %v43 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v31, i64 %v36)
  %v44 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v32, i64 %v38)
  %v45 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v33, i64 %v40)
  %v46 = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %v41)
  %v47 = call i64 asm sideeffect "mul.lo.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v43)
  %v48 = call i64 asm sideeffect "mul.lo.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v44)
  %v49 = call i64 asm sideeffect "mad.hi.cc.u64 $0, $1, 0x1000003D1, $2;", "=l,l,l"(i64 %v43, i64 %v48)
  %v50 = call i64 asm sideeffect "mul.lo.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v45)
  %v51 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, 0x1000003D1, $2;", "=l,l,l"(i64 %v44, i64 %v50)
  %v52 = call i64 asm sideeffect "mul.lo.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v46)
  %v53 = call i64 asm sideeffect "madc.hi.cc.u64 $0, $1, 0x1000003D1, $2;", "=l,l,l"(i64 %v45, i64 %v52)
  %v54 = call i64 asm sideeffect "madc.hi.u64 $0, $1, 0x1000003D1, 0;", "=l,l"(i64 %v46)
  %v55 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v0, i64 %v47)
  %v56 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v16, i64 %v49)
  %v57 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v29, i64 %v51)
  %v58 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v42, i64 %v53)
  %v59 = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %v54)
  %v60 = call i64 asm sideeffect "mul.lo.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v59)
  %v61 = call i64 asm sideeffect "mul.hi.u64 $0, $1, 0x1000003D1;", "=l,l"(i64 %v59)
  %v62 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v55, i64 %v60)
  %v63 = call i64 asm sideeffect "addc.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %v56, i64 %v61)
  %v64 = call i64 asm sideeffect "addc.cc.u64 $0, $1, 0;", "=l,l"(i64 %v57)
  %v65 = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %v58)
  %agg0 = insertvalue { i64, i64, i64, i64 } undef, i64 %v62, 0
  %agg1 = insertvalue { i64, i64, i64, i64 } %agg0, i64 %v63, 1
  %agg2 = insertvalue { i64, i64, i64, i64 } %agg1, i64 %v64, 2
  %agg3 = insertvalue { i64, i64, i64, i64 } %agg2, i64 %v65, 3
  ret { i64, i64, i64, i64 } %agg3
}
