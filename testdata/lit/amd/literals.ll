; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=gfx900 | FileCheck %s
; RUN: %if llvm-22 %{ ptxlower %s --target=gfx900 | llvm-mc-22 -triple=amdgcn -mcpu=gfx900 -filetype=null %} %else %{ true %}

; gfx9 takes a literal of 32 bits in e32 and e64 encodings with limits; small
; integers are inline anywhere. LLVM's assembler takes the listing.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: {{^}}literal:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: v_mov_b32 v1, 0x12345678
; CHECK-NEXT: v_mov_b32 v2, 0x9abcdef0
; CHECK-NEXT: v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]
; CHECK-NEXT: s_setpc_b64 s[30:31]
; CHECK-NEXT: .Lfunc_end0:
; CHECK-NEXT: .size	literal, .Lfunc_end0-literal
; CHECK-EMPTY:
; CHECK-NEXT: .globl	inline
; CHECK-NEXT: .p2align	2
; CHECK-NEXT: .type	inline,@function
define i32 @literal(i32 %a) {
  %r = call i32 asm "mad.lo.u32 $0, $1, 0x12345678, 0x9abcdef0;", "=r,r"(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: {{^}}inline:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: v_mad_u32_u24 v0, v0, 64, -16
; CHECK-NEXT: s_setpc_b64 s[30:31]
; CHECK-NEXT: .Lfunc_end1:
; CHECK-NEXT: .size	inline, .Lfunc_end1-inline
define i32 @inline(i32 %a) {
  %r = call i32 asm "mad24.lo.u32 $0, $1, 64, -16;", "=r,r"(i32 %a)
  ret i32 %r
}
