; RUN: not ptxlower %s 2>&1 | FileCheck %s --implicit-check-not=error:

; Calls of @ptx.… whose names or types are not a form's.
define i32 @f(i32 %a, i64 %w) {
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.madc.hi.u32 has the type i32 (i32, i32, i32, i1) [ptx-call]
  %1 = call i32 @ptx.madc.hi.u32(i32 %a, i32 %a, i32 %a)
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.add.cc.u32 has the type { i32, i1 } (i32, i32) [ptx-call]
  %2 = call i32 @ptx.add.cc.u32(i32 %a, i32 %a)
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.mul.lo.u32 has the type i32 (i32, i32) [ptx-call]
  %3 = call i32 @ptx.mul.lo.u32(i64 %w, i32 %a)
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.mad24.u32: 'mad24' needs .lo or .hi [ptx-call]
  %4 = call i32 @ptx.mad24.u32(i32 %a, i32 %a, i32 %a)
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.vmad.u32.u32.u32.a.b7: operand modifier .b7 after .a [ptx-call]
  %5 = call i32 @ptx.vmad.u32.u32.u32.a.b7(i32 %a, i32 %a, i32 %a)
; CHECK: ptx-calls.ll:[[#@LINE+1]]:17: error: @ptx.fma.rn.f32: no such instruction [ptx-call]
  %6 = call i32 @ptx.fma.rn.f32(i32 %a, i32 %a, i32 %a)
  ret i32 %1
}
