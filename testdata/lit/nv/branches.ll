; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s

; A function with branches: blocks are labelled, a phi is a move on each edge,
; and a carry that lives over blocks is a predicate.
target triple = "nvptx64-nvidia-cuda"

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
