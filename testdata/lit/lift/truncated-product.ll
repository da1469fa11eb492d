; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower eval 'mul.lo.u32 r0, a0, b0; mul.lo.u32 r1, a0, b1; mad.lo.u32 r1, a1, b0, r1; mad.hi.u32 r1, a0, b0, r1;' a0=0xffffffff a1=0x12345678 b0=0xfffffffe b1=0x9abcdef0 | FileCheck %s --check-prefix=VALUE

; The low 64 bits of a product, with the first output written while inputs are
; still to be read: no & is needed.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @low(
; CHECK:       [[R0:%[0-9]+]] = mul.lo.u32 %a0, %b0
; CHECK-NEXT:  [[X:%[0-9]+]] = mul.lo.u32 %a0, %b1
; CHECK-NEXT:  [[Y:%[0-9]+]] = mad.lo.u32 %a1, %b0, [[X]]
; CHECK-NEXT:  [[R1:%[0-9]+]] = mad.hi.u32 %a0, %b0, [[Y]]
; CHECK-NEXT:  ret [[R0]], [[R1]]

; 0x12345678ffffffff * 0x9abcdef0fffffffe modulo 2^64.
; VALUE:      r0 = 0x00000002
; VALUE-NEXT: r1 = 0x40da741d
define { i32, i32 } @low(i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  %r = call { i32, i32 } asm "mul.lo.u32 $0, $2, $4; mul.lo.u32 $1, $2, $5; mad.lo.u32 $1, $3, $4, $1; mad.hi.u32 $1, $2, $4, $1;", "=r,=r,r,r,r,r"(i32 %a0, i32 %a1, i32 %b0, i32 %b1)
  ret { i32, i32 } %r
}
