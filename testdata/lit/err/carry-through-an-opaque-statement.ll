; RUN: not ptxlower %s --emit=llvm 2>&1 | FileCheck %s --implicit-check-not=error:

; A statement that stays as it is has its CC.CF in a register that nobody sees.
target triple = "nvptx64-nvidia-cuda"

define i32 @into(i32 %a) {
  %1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $1;", "=r,r"(i32 %a)
; CHECK: carry-through-an-opaque-statement.ll:[[#@LINE+1]]:55: error: addc.u32 reads a carry from outside a statement that stays as it is because of ex2.approx.f32 [cc-opaque]
  %2 = call i32 asm sideeffect "ex2.approx.f32 $0, $1;addc.u32 $0, $0, 1;", "=r,r"(i32 %1)
  ret i32 %2
}
define i32 @outof(i32 %a) {
  %1 = call i32 asm sideeffect "ex2.approx.f32 $0, $1; add.cc.u32 $0, $0, 1;", "=r,r"(i32 %a)
; CHECK: carry-through-an-opaque-statement.ll:[[#@LINE+1]]:33: error: this reads a carry out of a statement that stays as it is because of ex2.approx.f32 [cc-opaque]
  %2 = call i32 asm sideeffect "addc.u32 $0, $1, 1;", "=r,r"(i32 %1)
  ret i32 %2
}
; Within such a statement, and past it, a carry is well.
define i32 @within(i32 %a) {
  %1 = call i32 asm sideeffect "add.cc.u32 $0, $1, $1;", "=r,r"(i32 %a)
  %2 = call i32 asm sideeffect "ex2.approx.f32 $0, $1;", "=r,r"(i32 %1)
  %3 = call i32 asm sideeffect "addc.u32 $0, $1, 1;", "=r,r"(i32 %2)
  ret i32 %3
}
