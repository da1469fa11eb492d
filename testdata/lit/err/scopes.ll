; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; Braces of asm match within a function, on every way through it.
target triple = "nvptx64-nvidia-cuda"

define i32 @closed(i32 %a) {
; CHECK: scopes.ll:[[#@LINE+1]]:41: error: } without { [asm-scope]
  %r = call i32 asm "add.u32 $0, $1, 1; }", "=r,r"(i32 %a)
  ret i32 %r
}
define i32 @oneway(i32 %a, i1 %p) {
  br i1 %p, label %x, label %y
x:
  call void asm sideeffect "{ .reg .u32 t;", ""()
  br label %y
; CHECK: scopes.ll:[[#@LINE+1]]:1: error: asm scopes { } that are open here differ between the ways into this block [asm-scope]
y:
  ret i32 %a
}
; One left open is closed by the end of the function, with a warning.
define i32 @left(i32 %a) {
; CHECK: scopes.ll:[[#@LINE+1]]:22: warning: this asm scope { is not closed before the function returns [asm-scope]
  %r = call i32 asm "{ .reg .u32 t; add.u32 t, $1, 1; mov.u32 $0, t;", "=r,r"(i32 %a)
  ret i32 %r
}
