; RUN: ptxlower %s --emit=none 2>&1 | FileCheck %s
; RUN: ptxlower %s --emit=none -Wno-cc-maybe-undefined 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE
; RUN: not ptxlower %s --emit=none -Werror=cc-maybe-undefined 2>&1 | FileCheck %s --check-prefix=ERROR

; A carry that only some ways through a function have written: PTX leaves it
; undefined on the others.
target triple = "nvptx64-nvidia-cuda"

; CHECK:      :[[@LINE+11]]:33: warning: CC.CF is undefined here on a way through the function, on which it is taken as 0 [cc-maybe-undefined]
; CHECK:      :[[@LINE+5]]:3: note: nothing has written it where this leaves %entry
; NONE-NOT:   CC.CF
; ERROR:      error: CC.CF is undefined here on a way {{.*}} [cc-maybe-undefined]
define i32 @f(i1 %p, i32 %a) {
entry:
  br i1 %p, label %x, label %next
x:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}

; One that a guard may skip, over a way that has it, is no such read.
; CHECK-NOT: warning:
; CHECK: {{^}}1 warning
define i32 @g(i1 %p, i32 %a) {
entry:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, 1;", "=r,r"(i32 %a)
  br i1 %p, label %x, label %next
x:
  %t = call i32 asm sideeffect "add.cc.u32 $0, $1, 2;", "=r,r"(i32 %a)
  br label %next
next:
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}
