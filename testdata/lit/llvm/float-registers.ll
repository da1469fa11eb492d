; RUN: ptxlower %s --target=gfx900 --emit=llvm | FileCheck %s
; A .b operand takes a floating-point register too; a value of another type than
; its register's integer is cast on the way in and out, whole vectors included.
define float @bits(i32 %b, float %x) {
; CHECK-LABEL: {{^}}define float @bits
; CHECK: {{^}}  %[[R:[a-z0-9.]+]] = add i32 %b, 0
; CHECK: {{^}}  %k = bitcast i32 %[[R]] to float
  %k = call float asm "mov.b32 $0, $1;", "=f,r"(i32 %b)
; CHECK: {{^}}  %{{.*}} = bitcast float %x to i32
  %l = call i32 asm "{ .reg .f32 t; mov.b32 t, $1; mov.b32 $0, t; }", "=r,f"(float %x)
; CHECK: {{^}}  %m = bitcast i32 %{{.*}} to <2 x i16>
  %m = call <2 x i16> asm sideeffect "add.u32 $0, $1, 1;", "=r,r"(i32 %l)
  %n = bitcast <2 x i16> %m to float
  %o = fadd float %k, %n
  ret float %o
}
