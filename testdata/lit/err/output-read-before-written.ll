; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; An output starts with nothing in it.
target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %a) {
; CHECK: output-read-before-written.ll:[[#@LINE+1]]:34: error: output $0 is read before it is written [asm-unwritten-output]
  %1 = call i32 asm "add.u32 $0, $0, $1;", "=r,r"(i32 %a)
  %2 = call i32 asm "add.u32 $0, $0, $1;", "=r,r,0"(i32 %a, i32 %1)
  ret i32 %2
}
