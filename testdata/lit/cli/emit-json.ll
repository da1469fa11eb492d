; RUN: ptxlower %s --emit=json --target=gfx900 | FileCheck %s --check-prefix=GFX900
; RUN: ptxlower %s --emit=json --target=sm_70 | FileCheck %s --check-prefix=SM70

; One object a site: where it is, what it is, and what it becomes on the target.
target triple = "nvptx64-nvidia-cuda"

; GFX900: {"schema":1,"function":"f","index":0,"line":[[#@LINE+7]],"col":22,"kind":"asm","forms":["mad24.lo.u32"],"target":"gfx900","rules":["mad24.lo.u32"],
; GFX900-SAME: "ops":[{"op":"v_mad_u32_u24","text":"v_mad_u32_u24 %r, %a, %b, 7"}],"count":1,"moves":0,"mul":1,

; SM70: "target":"sm_70","rules":["mad24.lo.u32"],"ops":[
; SM70-SAME: {"op":"IMAD","text":"IMAD %r, {{.*}}"}
; SM70-SAME: "count":3,"moves":0,"mul":1,
define i32 @f(i32 %a, i32 %b) {
  %r = call i32 asm "mad24.lo.u32 $0, $1, $2, 7;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
