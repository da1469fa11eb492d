; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; An operand that the constraints do not give: the mark stands on it, wherever
; escapes and line ends put it in the file.
target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %a, i32 %b) {
; CHECK: operand-out-of-range.ll:[[#@LINE+3]]:38: error: operand $3 does not exist: the constraints give 3 [asm-operand]
; CHECK-NEXT: {{[0-9]+}} |   %1 = call i32 asm "add.u32 $0, $1, $3;", "=r,r,r"(i32 %a, i32 %b)
; CHECK-NEXT: {{^ +}}|                                      ^~{{$}}
  %1 = call i32 asm "add.u32 $0, $1, $3;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: operand-out-of-range.ll:[[#@LINE+1]]:59: error: operand $12 does not exist
  %2 = call i32 asm "\09// \22sum\22\0A\09add.u32 $0, $1, ${12};", "=r,r,r"(i32 %a, i32 %b)
; CHECK: operand-out-of-range.ll:[[#@LINE+2]]:18: error: operand $4 does not exist
  %3 = call i32 asm "add.u32 $0, $1, $2;
	add.u32 $0, $0, $4;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: 3 errors
  ret i32 %3
}
