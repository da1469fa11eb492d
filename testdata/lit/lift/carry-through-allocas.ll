; RUN: ptxlower %s --emit=llvm | FileCheck %s

; clang -O0 keeps every operand in memory and puts branches between statements;
; the carry goes its own way.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define void @add2(
; CHECK:         [[CF:%ptxl[.]cf[0-9]+]] = extractvalue { i32, i1 } %{{.*}}, 1
; CHECK:         br label %next
; CHECK:       next:
; CHECK-NOT:     phi
; CHECK:         zext i1 [[CF]] to i32
; CHECK:         store i32 %4, ptr %r.addr
define void @add2(i32 %a, i32 %b) {
entry:
  %a.addr = alloca i32, align 4
  %b.addr = alloca i32, align 4
  %r.addr = alloca i32, align 4
  store i32 %a, ptr %a.addr, align 4
  store i32 %b, ptr %b.addr, align 4
  %0 = load i32, ptr %a.addr, align 4
  %1 = load i32, ptr %b.addr, align 4
  %2 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %0, i32 %1)
  store i32 %2, ptr %r.addr, align 4
  br label %next

next:
  %3 = load i32, ptr %r.addr, align 4
  %4 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %3)
  store i32 %4, ptr %r.addr, align 4
  ret void
}
