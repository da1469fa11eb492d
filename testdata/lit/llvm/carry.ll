; RUN: ptxlower %s -O0 --emit=llvm | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s -O0 --emit=llvm | opt-22 -passes=verify -disable-output %} %else %{ true %}

; A carry is an i1 from an overflow intrinsic, which is declared once. With a
; carry in and a carry out there are two, and either sets the flag.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @add3(
; CHECK-NEXT:    [[P:%[a-z0-9.]+]] = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
; CHECK-NEXT:    %s = extractvalue { i32, i1 } [[P]], 0
; CHECK-NEXT:    [[CF:%[a-z0-9.]+]] = extractvalue { i32, i1 } [[P]], 1
; CHECK:         call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %c, i32 %d)
; CHECK:         zext i1 [[CF]] to i32
; CHECK:         call { i32, i1 } @llvm.uadd.with.overflow.i32(
; CHECK:         [[OUT:%[a-z0-9.]+]] = or i1
; CHECK:         %u = zext i1 [[OUT]] to i32
; CHECK-NEXT:    ret i32 %u
define i32 @add3(i32 %a, i32 %b, i32 %c, i32 %d) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %t = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %c, i32 %d)
  %u = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %u
}

; CF is NOT borrow: 1 - 1 leaves it set, and subc takes one off where it is not.
; CHECK-LABEL: {{^}}define i32 @borrow(
; CHECK:         call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
; CHECK:         xor i1 %{{.*}}, true
; CHECK:         ret i32 %m
define i32 @borrow(i32 %a, i32 %b) {
  %d = call i32 asm sideeffect "sub.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %m = call i32 asm sideeffect "subc.u32 $0, 0, 0;", "=r"()
  ret i32 %m
}

; CHECK:     {{^}}declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
; CHECK-NOT: {{^}}declare {{.*}}uadd.with.overflow.i32
