; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; A module whose names are wrong is not lowered.
define i32 @undefined(i32 %a) {
; CHECK: names.ll:[[#@LINE+1]]:54: error: use of undefined value '%b' [ll-undefined]
  %r = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %b)
  ret i32 %r
}
define i32 @twice(i32 %a) {
  %r = call i32 asm "add.u32 $0, $1, 1;", "=r,r"(i32 %a)
; CHECK: names.ll:[[#@LINE+1]]:3: error: multiple definition of local value named '%r' [ll-redefined]
  %r = call i32 asm "add.u32 $0, $1, 2;", "=r,r"(i32 %a)
  ret i32 %r
}
