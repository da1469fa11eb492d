; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=ISA
; RUN: ptxlower %s --target=sm_70 --vmad=ptxas | FileCheck %s --check-prefix=PTXAS

; The two models of vmad, where they differ.
target triple = "nvptx64-nvidia-cuda"

; ISA-LABEL: {{^}}sat:
; ISA-NEXT: MOV R7, 0xffffffff ;
; ISA-NEXT: IMAD.WIDE.U32 R4, P0, R4, R5, R6 ;
; ISA-NEXT: @P0 MOV R4, 0xffffffff ;
; ISA-NEXT: RET.ABS.NODEC R20 0x0 ;
; PTXAS-LABEL: {{^}}sat:
; PTXAS-NEXT: IMAD.WIDE R2, R4, R5, RZ ;
; PTXAS-NEXT: IMAD.WIDE R4, R6, 0x1, R2 ;
; PTXAS-NEXT: ISETP.NE.AND P0, PT, R5, RZ, PT ;
; PTXAS-NEXT: @P0 LEA.HI R4, R5, 0xffffffff, RZ, 0x1 ;
; PTXAS-NEXT: RET.ABS.NODEC R20 0x0 ;
define i32 @sat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.u32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
