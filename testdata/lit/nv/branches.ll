; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s

; A function with branches: blocks are labelled, a phi is a move on each edge,
; and a carry that lives over blocks is a predicate.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}chain:
; CHECK-NEXT: IADD3 R4, P0, R4, R5, RZ ;
; CHECK-NEXT: MOV R0, RZ ;
; CHECK-NEXT: MOV R2, R4 ;
; CHECK-NEXT: .L_x_1:
; CHECK-NEXT: IADD3.X R3, P1, R2, R4, RZ, P0, !PT ;
; CHECK-NEXT: IADD3 R5, R0, 0x1, RZ ;
; CHECK-NEXT: ISETP.LT.U32.AND P2, PT, R5, R6, PT ;
; CHECK-NEXT: @!P2 BRA `(.L_x_2) ;
; CHECK-NEXT: .L_x_3:
; CHECK-NEXT: PLOP3.LUT P0, PT, P1, PT, PT, 0x80, 0x0 ;
; CHECK-NEXT: MOV R0, R5 ;
; CHECK-NEXT: MOV R2, R3 ;
; CHECK-NEXT: BRA `(.L_x_1) ;
; CHECK-NEXT: .L_x_2:
; CHECK-NEXT: MOV R4, R3 ;
; CHECK-NEXT: RET.ABS.NODEC R20 0x0 ;
define i32 @chain(i32 %a, i32 %b, i32 %n) {
entry:
  %lo = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ %lo, %entry ], [ %t, %loop ]
  %t = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %s, i32 %lo)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %t
}
