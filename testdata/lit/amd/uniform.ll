; NOTE: CHECK lines are kept by -update
; RUN: ptxlower %s --target=gfx900 -w | FileCheck %s
; RUN: ptxlower %s --target=gfx1200 -w | FileCheck %s --check-prefix=GFX12

; The trip count of the loop is the same in all lanes: it is counted in an SGPR
; and tested by SCC, and EXEC stays. The chain in the loop is one of each lane.
; What is made of uniform parameters alone is scalar code, the carries in SCC.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: {{^}}chain:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: s_movk_i32 s17, 0x0
; CHECK-NEXT: v_mov_b32 v2, v0
; CHECK-NEXT: v_mov_b32 v3, v1
; CHECK-NEXT: .Lchain_1:
; CHECK-NEXT: v_add_co_u32 v4, vcc, v2, v0
; CHECK-NEXT: v_addc_co_u32 v5, vcc, v3, v1, vcc
; CHECK-NEXT: s_add_u32 s18, s17, 1
; CHECK-NEXT: s_cmp_lt_u32 s18, s16
; CHECK-NEXT: s_cbranch_scc0 .Lchain_2
; CHECK-NEXT: s_mov_b32 s17, s18
; CHECK-NEXT: v_mov_b32 v2, v4
; CHECK-NEXT: v_mov_b32 v3, v5
; CHECK-NEXT: s_branch .Lchain_1
; CHECK-NEXT: .Lchain_2:
; CHECK-NEXT: v_mov_b32 v0, v4
; CHECK-NEXT: v_mov_b32 v1, v5
; CHECK-NEXT: s_setpc_b64 s[30:31]
; GFX12-LABEL: {{^}}chain:
; GFX12-NEXT: s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT: s_wait_expcnt 0x0
; GFX12-NEXT: s_wait_samplecnt 0x0
; GFX12-NEXT: s_wait_bvhcnt 0x0
; GFX12-NEXT: s_wait_kmcnt 0x0
; GFX12-NEXT: s_movk_i32 s16, 0x0
; GFX12-NEXT: v_mov_b32 v2, v0
; GFX12-NEXT: v_mov_b32 v3, v1
; GFX12-NEXT: .Lchain_1:
; GFX12-NEXT: v_add_co_u32 v4, vcc_lo, v2, v0
; GFX12-NEXT: s_wait_alu depctr_va_vcc(0)
; GFX12-NEXT: v_add_co_ci_u32 v5, null, v3, v1, vcc_lo
; GFX12-NEXT: s_wait_alu depctr_sa_sdst(0)
; GFX12-NEXT: s_add_co_u32 s17, s16, 1
; GFX12-NEXT: s_wait_alu depctr_sa_sdst(0)
; GFX12-NEXT: s_cmp_lt_u32 s17, s0
; GFX12-NEXT: s_cbranch_scc0 .Lchain_2
; GFX12-NEXT: s_mov_b32 s16, s17
; GFX12-NEXT: v_mov_b32 v2, v4
; GFX12-NEXT: v_mov_b32 v3, v5
; GFX12-NEXT: s_branch .Lchain_1
; GFX12-NEXT: .Lchain_2:
; GFX12-NEXT: v_mov_b32 v0, v4
; GFX12-NEXT: v_mov_b32 v1, v5
; GFX12-NEXT: s_wait_alu depctr_sa_sdst(0)
; GFX12-NEXT: s_setpc_b64 s[30:31]
define { i32, i32 } @chain(i32 inreg %n, i32 %a, i32 %b) {
  br label %again
again:
  %i = phi i32 [ 0, %0 ], [ %j, %again ]
  %lo = phi i32 [ %a, %0 ], [ %lo2, %again ]
  %hi = phi i32 [ %b, %0 ], [ %hi2, %again ]
  %lo2 = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %lo, i32 %a)
  %hi2 = call i32 asm "addc.u32 $0, $1, $2;", "=r,r,r"(i32 %hi, i32 %b)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %again, label %end
end:
  %r = insertvalue { i32, i32 } undef, i32 %lo2, 0
  %s = insertvalue { i32, i32 } %r, i32 %hi2, 1
  ret { i32, i32 } %s
}

; CHECK-LABEL: {{^}}scalar:
; CHECK-NEXT: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
; CHECK-NEXT: s_sub_u32 s16, s16, s18
; CHECK-NEXT: s_subb_u32 s17, s17, s19
; CHECK-NEXT: s_subb_u32 s16, s18, s16
; CHECK-NEXT: s_subb_u32 s17, s19, s17
; CHECK-NEXT: v_mov_b32 v0, s16
; CHECK-NEXT: v_mov_b32 v1, s17
; CHECK-NEXT: s_setpc_b64 s[30:31]
; GFX12-LABEL: {{^}}scalar:
; GFX12-NEXT: s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT: s_wait_expcnt 0x0
; GFX12-NEXT: s_wait_samplecnt 0x0
; GFX12-NEXT: s_wait_bvhcnt 0x0
; GFX12-NEXT: s_wait_kmcnt 0x0
; GFX12-NEXT: s_sub_co_u32 s16, s0, s2
; GFX12-NEXT: s_sub_co_ci_u32 s17, s1, s3
; GFX12-NEXT: s_wait_alu depctr_sa_sdst(0)
; GFX12-NEXT: s_sub_co_ci_u32 s16, s2, s16
; GFX12-NEXT: s_sub_co_ci_u32 s17, s3, s17
; GFX12-NEXT: s_wait_alu depctr_sa_sdst(0)
; GFX12-NEXT: v_mov_b32 v0, s16
; GFX12-NEXT: v_mov_b32 v1, s17
; GFX12-NEXT: s_setpc_b64 s[30:31]
define i64 @scalar(i64 inreg %a, i64 inreg %b) {
  %lo = call i64 asm "sub.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  %hi = call i64 asm "subc.u64 $0, $1, $2;", "=l,l,l"(i64 %b, i64 %lo)
  ret i64 %hi
}
