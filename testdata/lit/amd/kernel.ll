; RUN: ptxlower %s --target=gfx900 -w | FileCheck %s

; The arguments of a kernel are the same in all lanes, and so is what sites make
; of them: in SGPRs, a carry as 0 or 1, where all their operations have scalar
; code. A phi where lanes come together that went different ways is none.
target triple = "amdgcn-amd-amdhsa"

; CHECK:      {{^}}k.0:
; CHECK-NEXT: s_mul_i32 t0, %a, %b
; CHECK-NEXT: s_add_u32 %s, t0, %a
; CHECK-NEXT: k.1:
; CHECK-NEXT: s_add_u32 %lo, %a, %b
; CHECK-NEXT: s_cselect_b32 [[CF:%ptxl[.]cf0]], 1, 0
; CHECK-NEXT: k.2:
; CHECK-NEXT: v_mov_b32 t0, %b
; CHECK-NEXT: v_cmp_ne_u32 t1, 0, [[CF]]
; CHECK-NEXT: v_addc_co_u32 %hi, t2, %id, t0, t1
; CHECK-NEXT: k.3:
; CHECK-NEXT: s_mul_i32 t0, %s, %s
; CHECK-NEXT: s_add_u32 t1, t0, %lo
; CHECK-NEXT: s_mul_hi_u32 t3, %s, %s
; CHECK-NEXT: s_addc_u32 t4, t3, 0
; CHECK-NEXT: s_mov_b32 %w.lo, t1
; CHECK-NEXT: s_mov_b32 %w.hi, t4
; CHECK-NEXT: k.4:
; CHECK-NEXT: v_mad_u32_u24 %q, %p, %b, %p
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %a, i32 %b) {
  %s = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %a, i32 %b)
  %lo = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %hi = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %id, i32 %b)
  %small = icmp ult i32 %id, %a
  br i1 %small, label %then, label %end
then:
  %w = call i64 asm "{ .reg .u32 l, h; mad.lo.cc.u32 l, $1, $1, $2; madc.hi.u32 h, $1, $1, 0; mov.b64 $0, {l, h}; }", "=l,r,r"(i32 %s, i32 %lo)
  br label %end
end:
  %p = phi i32 [ %s, %then ], [ %lo, %0 ]
  %q = call i32 asm "mad24.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %p, i32 %b)
  store i32 %hi, ptr addrspace(1) %out
  ret void
}

; CHECK:      {{^}}nothing:
; CHECK-NEXT: s_endpgm
define amdgpu_kernel void @nothing(i32 %a, i32 %b) {
  %s = mul i32 %a, %b
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
