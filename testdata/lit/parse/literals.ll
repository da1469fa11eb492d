; RUN: ptxlower %s --emit=ir -O0 | FileCheck %s
; RUN: ptxlower %s --emit=none -O0 2>&1 | FileCheck %s --check-prefix=WARN

; Integer literals: decimal, hexadecimal, octal, binary, with U, negative with
; blanks, and constant expressions. What does not fit is cut, with a warning.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @f(
; CHECK:       add.u32 %a, 0x3e8
; CHECK:       add.u32 {{%[0-9]+}}, 255
; CHECK:       add.u32 {{%[0-9]+}}, 8
; CHECK:       add.u32 {{%[0-9]+}}, 5
; CHECK:       add.u32 {{%[0-9]+}}, 7
; CHECK:       add.u32 {{%[0-9]+}}, 0xffffffff
; CHECK:       add.u32 {{%[0-9]+}}, 19
; CHECK:       add.u32 {{%[0-9]+}}, 32
; CHECK:       add.u32 {{%[0-9]+}}, 1
; WARN: literals.ll:[[#@LINE+2]]:225: warning: the constant does not fit in 32 bits; 0x1 is used [ptx-truncated]
define i32 @f(i32 %a) {
  %r = call i32 asm "add.u32 $0, $1, 1000; add.u32 $0, $0, 0xFF; add.u32 $0, $0, 010; add.u32 $0, $0, 0b101; add.u32 $0, $0, 7U; add.u32 $0, $0, - 1; add.u32 $0, $0, ((1<<4)|3)&~(4); add.u32 $0, $0, WARP_SZ; add.u32 $0, $0, 0x100000001;", "=r,r"(i32 %a)
  ret i32 %r
}
