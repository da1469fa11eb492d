; RUN: ptxlower %s -O0 --emit=llvm | FileCheck %s

; Between the statements of a chain stand loads, stores, address arithmetic and
; asm that does not touch CC.CF; none of them ends the carry.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define void @limbs(
; CHECK:       [[CF:%ptxl[.]cf[0-9]+]] = extractvalue { i32, i1 } %{{.*}}, 1
; CHECK:       store i32 %s0, ptr %r
; CHECK:       %x = mul i32 %a1, 3
; CHECK-NOT:   asm
; CHECK:       zext i1 [[CF]] to i32
; CHECK:       store i32 %s1, ptr %r1
define void @limbs(ptr %r, ptr %a, i32 %b) {
  %a0 = load i32, ptr %a
  %s0 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r,~{memory}"(i32 %a0, i32 %b)
  store i32 %s0, ptr %r
  %p1 = getelementptr i32, ptr %a, i64 1
  %a1 = load i32, ptr %p1
  %x = call i32 asm "mul.lo.u32 $0, $1, 3;", "=r,r"(i32 %a1)
  %s1 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %x)
  %r1 = getelementptr i32, ptr %r, i64 1
  store i32 %s1, ptr %r1
  ret void
}
