; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --target=gfx900 | FileCheck %s --check-prefix=GFX900

; A generator writes a whole field operation as one body: lines that end in \r\n,
; every word in place.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @sub4(
; CHECK:       [[D0:%[0-9]+]], [[B0:%[0-9]+]] = sub.cc.u32 %a0, %b0
; CHECK-NEXT:  [[D1:%[0-9]+]], [[B1:%[0-9]+]] = subc.cc.u32 %a1, %b1, [[B0]]
; CHECK-NEXT:  [[D2:%[0-9]+]], [[B2:%[0-9]+]] = subc.cc.u32 %a2, %b2, [[B1]]
; CHECK-NEXT:  [[D3:%[0-9]+]] = subc.u32 %a3, %b3, [[B2]]
; CHECK-NEXT:  ret [[D0]], [[D1]], [[D2]], [[D3]]

; GFX900-LABEL: sub4:
; GFX900:       v_sub_co_u32 v0, vcc, v0, v4
; GFX900-NEXT:  v_subb_co_u32 v1, vcc, v1, v5, vcc
; GFX900-NEXT:  v_subb_co_u32 v2, vcc, v2, v6, vcc
; GFX900-NEXT:  v_subb_co_u32 v3, vcc, v3, v7, vcc
; GFX900-NEXT:  s_setpc_b64
define { i32, i32, i32, i32 } @sub4(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, i32 %b2, i32 %b3) {
  %r = call { i32, i32, i32, i32 } asm "sub.cc.u32 $0, $0, $4;\0D\0Asubc.cc.u32 $1, $1, $5;\0D\0Asubc.cc.u32 $2, $2, $6;\0D\0Asubc.u32 $3, $3, $7;\0D\0A", "=r,=r,=r,=r,r,r,r,r,0,1,2,3"(i32 %b0, i32 %b1, i32 %b2, i32 %b3, i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  ret { i32, i32, i32, i32 } %r
}
