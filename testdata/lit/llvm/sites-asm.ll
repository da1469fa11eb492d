; RUN: ptxlower %s --emit=llvm --sites=asm --target=gfx900 | FileCheck %s --check-prefix=W64
; RUN: ptxlower %s --emit=llvm --sites=asm --target=gfx1100 | FileCheck %s --check-prefix=W32
; RUN: ptxlower %s --emit=llvm --sites=asm --target=gfx942 | FileCheck %s --check-prefix=NOPS
; RUN: ptxlower %s --emit=llvm --sites=asm --target=gfx1200 | FileCheck %s --check-prefix=WAIT
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm --sites=asm --target=gfx900 | llc-22 -mcpu=gfx900 -filetype=obj -o /dev/null %} %else %{ true %}
; RUN: %if llvm-22 %{ ptxlower %s --emit=llvm --sites=asm --target=gfx1100 | llc-22 -mcpu=gfx1100 -filetype=obj -o /dev/null %} %else %{ true %}

; Sites as inline assembly of AMD's GPUs. A carry is a mask of as many bits as a
; wave has lanes; from site to site of a block it is passed as that.
target triple = "amdgcn-amd-amdhsa"

; W64-LABEL: {{^}}define i32 @add64(
; W64-NEXT:    [[X:%.+]] = call { i32, i64 } asm "v_add_co_u32 $0, $1, $2, $3", "=v,=s,v,v"(i32 %a, i32 %b) convergent nounwind readnone
; W64-NEXT:    %x = extractvalue { i32, i64 } [[X]], 0
; W64-NEXT:    [[M:%.+]] = extractvalue { i32, i64 } [[X]], 1
; W64-NEXT:    [[Y:%.+]] = call { i32, i64 } asm "v_addc_co_u32 $0, $1, $2, $3, $4", "=v,=s,v,v,s"(i32 %c, i32 %d, i64 [[M]]) convergent nounwind readnone
; W64-NEXT:    %y = extractvalue { i32, i64 } [[Y]], 0
; W64-NEXT:    ret i32 %y
; W32-LABEL: {{^}}define i32 @add64(
; W32:         call { i32, i32 } asm "v_add_co_u32 $0, $1, $2, $3", "=v,=s,v,v"(i32 %a, i32 %b)
; W32:         %y = call i32 asm "v_add_co_ci_u32 $0, null, $1, $2, $3", "=v,v,v,s"(i32 %c, i32 %d, i32 %{{.*}})
; NOPS-LABEL: {{^}}define i32 @add64(
; NOPS:        asm "v_add_co_u32 $0, $1, $2, $3", "=v,=s,v,v"(
; NOPS:        asm "s_nop 1\0A\09v_addc_co_u32 $0, $1, $2, $3, $4
; WAIT-LABEL: {{^}}define i32 @add64(
; WAIT:        asm "v_add_co_u32 $0, $1, $2, $3", "=v,=s,v,v"(
; WAIT:        asm "s_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0) depctr_va_vcc(0)\0A\09v_add_co_ci_u32 $0, null, $1, $2, $3", "=v,v,v,s"(
define i32 @add64(i32 %a, i32 %b, i32 %c, i32 %d) {
  %x = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %y = call i32 asm sideeffect "addc.u32 $0, $1, $2;", "=r,r,r"(i32 %c, i32 %d)
  ret i32 %y
}

; One statement where it can be one. Temporaries that do not live at the same
; time are one operand. A result that is written before the last
; operand is read may not lie where one does.
; W64-LABEL: {{^}}define i64 @add(
; W64:         call { i32, i64, i32 } asm "v_add_co_u32 $0, $1, $3, $4\0A\09v_addc_co_u32 $2, $1, $5, $6, $1", "=&v,=&s,=v,v,v,v,v"(
; W64:         %r = or i64
define i64 @add(i64 %a, i64 %b) {
  %r = call i64 asm "{ .reg .u64 t; add.cc.u64 $0, $1, $2; }", "=l,l,l"(i64 %a, i64 %b)
  ret i64 %r
}

; Where a carry leaves its block it is an i1.
; W64-LABEL: {{^}}define i32 @join(
; W64:         %[[A:.+]] = call i1 @llvm.amdgcn.inverse.ballot.i64(i64
; W64:         %[[B:.+]] = call i1 @llvm.amdgcn.inverse.ballot.i64(i64
; W64:         [[P:%.+]] = phi i1 [ %[[A]], %entry ], [ %[[B]], %then ]
; W64-NEXT:    [[N:%.+]] = call i64 @llvm.amdgcn.ballot.i64(i1 [[P]])
; W64-NEXT:    call { i32, i64 } asm "v_addc_co_u32 $0, $1, $2, 7, $3", "=v,=s,v,s"(i32 %a, i64 [[N]])
; NOPS-LABEL: {{^}}define i32 @join(
; NOPS:        [[S:%.+]] = call i64 asm "s_nop 1", "=s,0"(i64 %{{.*}}) convergent nounwind readnone
; NOPS-NEXT:   call i1 @llvm.amdgcn.inverse.ballot.i64(i64 [[S]])
; W32-LABEL: {{^}}define i32 @join(
; W32:         call i1 @llvm.amdgcn.inverse.ballot.i32(i32
; W32:         call i32 @llvm.amdgcn.ballot.i32(i1
define i32 @join(i32 %a, i32 %b, i1 %c) {
entry:
  %x = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br i1 %c, label %then, label %end
then:
  %y = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %x)
  br label %end
end:
  %z = call i32 asm sideeffect "addc.u32 $0, $1, 7;", "=r,r"(i32 %a)
  ret i32 %z
}

; A pair that is read in halves is made by a statement of its own.
; W64-LABEL: {{^}}define i32 @high(
; W64:         [[P:%.+]] = extractvalue { i64, i64 } {{.*}}, 0
; W64:         lshr i64 [[P]], 32
; W64:         %r = call i32 asm "v_alignbit_b32 $0, $1, $2, 7", "=v,v,v"(
define i32 @high(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32.shr7 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; Narrow values are extended to registers, and cut.
; W64-LABEL: {{^}}define i16 @narrow(
; W64:         zext i16 %a to i32
; W64:         %r = trunc i32 {{.*}} to i16
define i16 @narrow(i16 %a, i16 %b) {
  %r = call i16 asm "mul.lo.u16 $0, $1, $2;", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}
