; RUN: not ptxlower %s --error-limit=0 2>&1 | FileCheck %s --implicit-check-not=error:

; Spellings that PTX does not have: the mark stands on what is wrong, and what
; was meant is named where that is clear.
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %a, i32 %b) {
; CHECK: :[[#@LINE+1]]:27: error: 'mad24' needs .lo or .hi; did you mean 'mad24.lo.u32'? [ptx-missing-mode]
  %1 = call i32 asm "mad24.u32 $0, $1, $2, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:28: error: 'mul' has no '.cc'; did you mean 'mul.lo.u32'? [ptx-bad-modifier]
  %2 = call i32 asm "mul.lo.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:30: error: 'mad24.lo' is for .u32 and .s32, not '.s64'; did you mean 'mad24.lo.s32'? [ptx-bad-type]
  %3 = call i32 asm "mad24.lo.s64 $0, $1, $2, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:22: error: PTX has no instruction 'madcc'; did you mean 'madc.lo.u32'? [ptx-unknown-opcode]
  %4 = call i32 asm "madcc.lo.u32 $0, $1, $2, $2; mov.u32 $0, 0;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:28: error: PTX is lower case: '.U32'; did you mean 'add.cc.u32'? [ptx-lower-case]
  %5 = call i32 asm "add.cc.U32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
; CHECK: :[[#@LINE+1]]:26: error: 'addc.u16' is not documented, though ptxas takes it [ptx-undocumented]
  %6 = call i16 asm "addc.u16 $0, $1, $2;", "=h,h,h"(i16 1, i16 2)
; CHECK: :[[#@LINE+1]]:38: error: {{.*}}[ptx-bad-modifier]
  %7 = call i32 asm "vmad.u32.u32.u32.shl1 $0, $1, $2, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret void
}
