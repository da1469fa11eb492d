; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=sm_70 | FileCheck %s --check-prefix=SM70
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --target=gfx900 -O0 | FileCheck %s --check-prefix=O0

; What is constant is computed here, without -O0, and what nobody reads is
; dropped.
target triple = "nvptx64-nvidia-cuda"

; SM70-LABEL: {{^}}folded:
; SM70-NEXT: IADD3 R4, R4, 0x2a, RZ ;
; SM70-NEXT: RET.ABS.NODEC R20 0x0 ;
; GFX900-LABEL: {{^}}folded:
; GFX900-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; GFX900-NEXT: v_add_u32 v0, v0, 42
; GFX900-NEXT: s_setpc_b64 s[30:31]
; GFX900-NEXT: .Lfunc_end0:
; GFX900-NEXT: .size	folded, .Lfunc_end0-folded
; O0-LABEL: {{^}}folded:
; O0-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; O0-NEXT: s_mul_i32 s16, 6, 7
; O0-NEXT: v_add_u32 v0, v0, s16
; O0-NEXT: s_setpc_b64 s[30:31]
; O0-NEXT: .Lfunc_end0:
; O0-NEXT: .size	folded, .Lfunc_end0-folded
define i32 @folded(i32 %a) {
  %r = call i32 asm "{ .reg .u32 t; mul.lo.u32 t, 6, 7; add.u32 $0, $1, t; mad24.hi.u32 t, $1, $1, $1; }", "=r,r"(i32 %a)
  ret i32 %r
}
