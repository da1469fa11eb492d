; RUN: ptxlower %s --emit=ir | FileCheck %s

; CUDA code writes a carry chain as one asm statement an instruction. Nothing
; promises that CC.CF survives from one to the next; here it is a value, and
; what a reader gets is what the writer before it in program order made, with
; sideeffect or without.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @volatile(
; CHECK:       %{{[0-9]+}}, [[CF:%[0-9]+]] = add.cc.u32 %a, %b
; CHECK-NEXT:  [[C:%[0-9]+]] = addc.u32 0, 0, [[CF]]
; CHECK-NEXT:  ret [[C]]
define i32 @volatile(i32 %a, i32 %b) {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  ret i32 %c
}

; CHECK-LABEL: func @plain(
; CHECK:       %{{[0-9]+}}, [[CF:%[0-9]+]] = add.cc.u32 %a, %b
; CHECK-NEXT:  [[C:%[0-9]+]] = addc.cc.u32 0, 0, [[CF]]
; CHECK-NEXT:  ret [[C]]
define i32 @plain(i32 %a, i32 %b) {
  %s = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = call i32 asm "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 0, i32 0)
  ret i32 %c
}

; Two limbs, each with a carry of its own: the second reader must not get the
; first one's (clang -O2 merges them where they are not sideeffect).
; CHECK-LABEL: func @independent(
; CHECK:       %{{[0-9]+}}, [[CF0:%[0-9]+]] = add.cc.u32 %a, %b
; CHECK-NEXT:  [[C0:%[0-9]+]] = addc.u32 0, 0, [[CF0]]
; CHECK-NEXT:  %{{[0-9]+}}, [[CF1:%[0-9]+]] = add.cc.u32 %c, %d
; CHECK-NEXT:  [[C1:%[0-9]+]] = addc.u32 0, 0, [[CF1]]
; CHECK-NEXT:  ret [[C0]], [[C1]]
define { i32, i32 } @independent(i32 %a, i32 %b, i32 %c, i32 %d) {
  %s0 = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c0 = call i32 asm "addc.u32 $0, 0, 0;", "=r"()
  %s1 = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %c, i32 %d)
  %c1 = call i32 asm "addc.u32 $0, 0, 0;", "=r"()
  %r0 = insertvalue { i32, i32 } undef, i32 %c0, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %c1, 1
  ret { i32, i32 } %r1
}
