; RUN: ptxlower %s --emit=llvm | FileCheck %s

; Either way into a block brings a carry of its own.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i32 @either(
; CHECK:       up:
; CHECK:         [[UP:%ptxl[.]cf[0-9]+]] = extractvalue { i32, i1 }
; CHECK:       down:
; CHECK:         usub.with.overflow
; CHECK:         [[DOWN:%ptxl[.]cf[0-9]+]] = xor i1 %{{.*}}, true
; CHECK:       join:
; CHECK:         [[CF:%ptxl[.]cf[0-9]+]] = phi i1 [ [[UP]], %up ], [ [[DOWN]], %down ]
; CHECK:         zext i1 [[CF]] to i32
define i32 @either(i1 %which, i32 %a, i32 %b) {
  br i1 %which, label %up, label %down
up:
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %join
down:
  %d = call i32 asm sideeffect "sub.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  br label %join
join:
  %x = phi i32 [ %s, %up ], [ %d, %down ]
  %r = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %x)
  ret i32 %r
}
