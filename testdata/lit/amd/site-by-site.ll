; RUN: ptxlower %s --target=gfx900 -w | FileCheck %s

; A function with memory is listed site by site, over the names of the module;
; the carry between two sites has a name of its own.
target triple = "nvptx64-nvidia-cuda"

; CHECK:         {{^}}add2.0:
; CHECK-NEXT:    v_add_co_u32 [[LO:[a-z0-9%.]+]], [[P:[a-z0-9]+]], %a0.lo, %b.lo
; CHECK-NEXT:    v_addc_co_u32 [[HI:[a-z0-9%.]+]], [[CF:%ptxl[.]cf0]], %a0.hi, %b.hi, [[P]]
; CHECK:         {{^}}add2.1:
; CHECK-NEXT:    v_addc_co_u32 %c, {{[a-z0-9]+}}, 0, 0, [[CF]]
define void @add2(ptr %r, ptr %a, i64 %b) {
  %a0 = load i64, ptr %a
  %s0 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b)
  store i64 %s0, ptr %r
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r1 = getelementptr i64, ptr %r, i64 1
  store i32 %c, ptr %r1
  ret void
}
