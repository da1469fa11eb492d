; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; Operands have just the instruction's width; .b, .u and .s of it are alike.
target triple = "nvptx64-nvidia-cuda"

define i64 @f(i32 %a, i64 %b, i16 %h) {
; CHECK: width-of-a-register.ll:[[#@LINE+1]]:37: error: mul.lo.u64 wants a .u64 operand; $1 is .b32 [ptx-operand-type]
  %1 = call i64 asm "mul.lo.u64 $0, $1, $2;", "=l,r,l"(i32 %a, i64 %b)
; CHECK: width-of-a-register.ll:[[#@LINE+1]]:30: error: add.u32 wants a .u32 operand; $0 is .b64 [ptx-operand-type]
  %2 = call i64 asm "add.u32 $0, $1, $1;", "=l,r"(i32 %a)
; CHECK: width-of-a-register.ll:[[#@LINE+1]]:49: error: mov.u32 wants a .u32 operand; t is .u16 [ptx-operand-type]
  %3 = call i32 asm "{ .reg .u16 t; mov.u32 $0, t; }", "=r"()
; CHECK: width-of-a-register.ll:[[#@LINE+1]]:43: error: mul.wide.u16 wants a .u16 operand; $2 is .b32 [ptx-operand-type]
  %4 = call i32 asm "mul.wide.u16 $0, $1, $2;", "=r,h,r"(i16 %h, i32 %a)
  %5 = call i32 asm "{ .reg .s32 t; mov.b32 t, $1; mad.lo.u32 $0, t, t, t; }", "=r,r"(i32 %a)
  ret i64 %1
}
