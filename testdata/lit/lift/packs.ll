; RUN: ptxlower %s --emit=llvm | FileCheck %s

; mov packs two registers into one of twice the width, and unpacks it; the low
; half comes first. _ drops a half.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}define i64 @square(
; CHECK:       mul i64
; CHECK:       [[LO:%[a-z0-9.]+]] = trunc i64 {{.*}} to i32
; CHECK:       [[HI:%[a-z0-9.]+]] = trunc i64 {{.*}} to i32
; CHECK:       [[LO64:%[a-z0-9.]+]] = zext i32 [[LO]] to i64
; CHECK-NEXT:  [[HI64:%[a-z0-9.]+]] = zext i32 [[HI]] to i64
; CHECK-NEXT:  [[UP:%[a-z0-9.]+]] = shl i64 [[HI64]], 32
; CHECK-NEXT:  %r = or i64 [[LO64]], [[UP]]
define i64 @square(i32 %x) {
  %r = call i64 asm "{ .reg .u32 lo, hi; mul.lo.u32 lo, $1, $1; mul.hi.u32 hi, $1, $1; mov.b64 $0, {lo, hi}; }", "=l,r"(i32 %x)
  ret i64 %r
}

; CHECK-LABEL: {{^}}define i32 @high(
; CHECK-NEXT:  [[H:%[a-z0-9.]+]] = lshr i64 %x, 32
; CHECK-NEXT:  %r = trunc i64 [[H]] to i32
define i32 @high(i64 %x) {
  %r = call i32 asm "mov.b64 {_, $0}, $1;", "=r,l"(i64 %x)
  ret i32 %r
}
