; RUN: ptxlower %s --target=sm_80 --emit=llvm | FileCheck %s --check-prefix=NV
; RUN: ptxlower %s --target=sm_80 --emit=llvm --verify=prove | FileCheck %s --check-prefix=NV
; RUN: ptxlower %s --target=gfx900 --emit=llvm | FileCheck %s --check-prefix=AMD

; In LLVM IR for NVIDIA a chain becomes one asm statement that ptxas fuses; its
; results have new names, which are read instead of the old ones. Elsewhere it is
; portable IR.
; NV-LABEL: {{^}}define
; NV-NOT: call {{.*}} asm
; NV: {{^}}  %ptxl{{[0-9]*[.]}}c0.v = call { i32, i32, i32, i32 } asm sideeffect "{{{.*}}mul.wide.u32 {{.*}}add.cc.u64 {{.*}}"
; NV-NOT: call {{.*}} asm
; NV: %agg0 = insertvalue { i32, i32, i32, i32 } undef, i32 %ptxl{{[0-9]*[.]}}c0.r0, 0
; NV-NEXT: %agg1 = insertvalue { i32, i32, i32, i32 } %agg0, i32 %ptxl{{[0-9]*[.]}}c0.r1, 1
; AMD-LABEL: {{^}}define
; AMD-NOT: call {{.*}} asm
; AMD: insertvalue {{.*}} %ptxl{{[0-9]*[.]}}c0.r0, 0
target triple = "nvptx64-nvidia-cuda"

define { i32, i32, i32, i32 } @mul(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r0.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1.0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.1 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b0, i32 %r1.0)
  %r2.0 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %a1, i32 %b0)
  %r1.2 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r1.1)
  %r2.1 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r2.0)
  %r3.0 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r2.2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %r2.1)
  %r3.1 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %r3.0)
  %agg0 = insertvalue { i32, i32, i32, i32 } undef, i32 %r0.0, 0
  %agg1 = insertvalue { i32, i32, i32, i32 } %agg0, i32 %r1.2, 1
  %agg2 = insertvalue { i32, i32, i32, i32 } %agg1, i32 %r2.2, 2
  %agg3 = insertvalue { i32, i32, i32, i32 } %agg2, i32 %r3.1, 3
  ret { i32, i32, i32, i32 } %agg3
}
