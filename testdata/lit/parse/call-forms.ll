; RUN: ptxlower %s --emit=llvm | FileCheck %s

; All that clang prints around an asm call: tail, attributes on the result and
; the operands, groups, bundles, metadata, clobbers.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @f(
; CHECK-NEXT:    %1 = add i32 %a, 1
; CHECK-NEXT:    %2 = add i32 %1, 2
; CHECK-NEXT:    %"a b" = add i32 %2, 3
; CHECK-NEXT:    %3 = add i32 %"a b", 4
; CHECK-NEXT:    ret i32 %3
define i32 @f(i32 %a) {
  %1 = tail call noundef i32 asm sideeffect alignstack "add.u32 $0, $1, 1;", "=r,r,~{memory},~{cc}"(i32 noundef %a) #1, !srcloc !0
  %2 = notail call range(i32 0, 100) i32 asm "add.u32 $0, $1, 2;", "=r,r"(i32 %1) convergent nounwind memory(none)
  %"a b" = musttail call i32 asm "add.u32 $0, $1, 3;", "=r,r"(i32 %2) [ "deopt"(i32 1) ], !srcloc !0
  %3 = call i32 asm "add.u32 $0, $1, 4;",
                    "=r,r"(i32 %"a b")
  ret i32 %3
}

; A result that nobody wants, and none at all.
; CHECK-LABEL: {{^}}define void @g(
; CHECK-NOT:     call
; CHECK:         ret void
define void @g(i32 %a) {
  call void asm sideeffect "{ .reg .u32 t; add.u32 t, $0, 1; }", "r"(i32 %a)
  ret void
}
attributes #1 = { convergent nounwind }
!0 = !{i64 1, i64 20}
