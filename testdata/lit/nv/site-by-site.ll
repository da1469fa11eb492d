; RUN: ptxlower %s --target=sm_70 2>&1 | FileCheck %s

; A function with memory is listed site by site, over the names of the module;
; the carry between two sites has a name of its own.
target triple = "nvptx64-nvidia-cuda"

; CHECK: site-by-site.ll:[[#@LINE+9]]:3: warning: @add2 is listed site by site: load is not an integer operation [not-selectable]
; CHECK: 1 warning

; CHECK:         {{^}}add2.0: // line [[#@LINE+7]]
; CHECK-NEXT:    IADD3 [[LO:[a-z0-9%.]+]], [[P:[a-z0-9]+]], %a0.lo, %b.lo, RZ ;
; CHECK-NEXT:    IADD3.X [[HI:[a-z0-9%.]+]], [[CF:%ptxl[.]cf0]], %a0.hi, %b.hi, RZ, [[P]], !PT ;
; CHECK:         {{^}}add2.1: // line [[#@LINE+6]]
; CHECK-NEXT:    IADD3.X %c, RZ, RZ, RZ, [[CF]], !PT ;
define void @add2(ptr %r, ptr %a, i64 %b) {
  %a0 = load i64, ptr %a
  %s0 = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a0, i64 %b)
  store i64 %s0, ptr %r
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %r1 = getelementptr i64, ptr %r, i64 1
  store i32 %c, ptr %r1
  ret void
}
