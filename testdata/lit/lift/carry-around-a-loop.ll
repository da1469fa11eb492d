; RUN: ptxlower %s --emit=llvm | FileCheck %s
; RUN: ptxlower %s --emit=ir | FileCheck %s --check-prefix=IR

; A chain in a loop: the carry enters from above and around the back edge, so a
; phi joins the two; what comes out is what the last round left.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @chain(
; CHECK:       entry:
; CHECK:         [[IN:%ptxl[.]cf[0-9]+]] = extractvalue { i32, i1 } %{{.*}}, 1
; CHECK:       loop:
; CHECK:         [[PHI:%ptxl[.]cf[0-9]+]] = phi i1 [ [[IN]], %entry ], [ [[OUT:%ptxl[.]cf[0-9]+]], %loop ]
; CHECK:         [[OUT]] = or i1
; CHECK:       done:
; CHECK-NEXT:    %hi = zext i1 [[OUT]] to i32
; CHECK-NEXT:    ret i32 %hi

; IR-LABEL: func @chain(
; IR:       entry:
; IR:         {{%[0-9]+}}, [[IN:%[0-9]+]] = add.cc.u32 %a, %b
; IR:       loop:
; IR:         [[PHI:%[0-9]+]]: i1 = phi {{\[}}[[IN]], entry], {{\[}}[[OUT:%[0-9]+]], loop]
; IR:         {{%[0-9]+}}, [[OUT]] = addc.cc.u32 {{%[0-9]+}}, {{%[0-9]+}}, [[PHI]]
; IR:       done:
; IR:         addc.u32 0, 0, [[OUT]]
define i32 @chain(i32 %a, i32 %b, i32 %c, i32 %n) {
entry:
  %lo = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ %c, %entry ], [ %t, %loop ]
  %t = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %s, i32 %lo)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %done

done:
  %hi = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %hi
}
