; RUN: ptxlower %s --emit=llvm | FileCheck %s

; The lines that replace a statement carry its !dbg; debug records and calls of
; llvm.dbg stay where they are.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @f(
; CHECK-NEXT:      #dbg_value(i32 %a, !9, !DIExpression(), !11)
; CHECK-NEXT:    %{{.*}} = and i32 %a, 16777215, !dbg !11
; CHECK:         %r = mul i32 {{.*}}, !dbg !11
; CHECK-NEXT:      #dbg_value(i32 %r, !9, !DIExpression(), !11)
; CHECK-NEXT:    ret i32 %r, !dbg !12
define i32 @f(i32 %a, i32 %b) !dbg !7 {
    #dbg_value(i32 %a, !9, !DIExpression(), !11)
  %r = call i32 asm "mul24.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b) #1, !dbg !11, !srcloc !13
    #dbg_value(i32 %r, !9, !DIExpression(), !11)
  ret i32 %r, !dbg !12
}
attributes #1 = { nounwind }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!7 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !10)
!9 = !DILocalVariable(name: "a", scope: !7, file: !1, line: 1)
!10 = !{null}
!11 = !DILocation(line: 2, scope: !7)
!12 = !DILocation(line: 3, scope: !7)
!13 = !{i64 5}
