; RUN: ptxlower %s --emit=llvm | FileCheck %s

; Code that emits PTX text is compiled for AMD too. The module's own assembly
; stays as it is.
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: {{^}}define i32 @f(
; CHECK:       shl i32 %x
; CHECK:       %s = call i32 asm "v_add_u32 $0, $1, 1", "=v,v"(i32 %r)
; CHECK-NEXT:  ret i32 %s
define i32 @f(i32 %x) #0 {
  %r = call i32 asm "shl.b32 $0, $1, 3;", "=r,r"(i32 %x)
  %s = call i32 asm "v_add_u32 $0, $1, 1", "=v,v"(i32 %r)
  ret i32 %s
}
attributes #0 = { "target-cpu"="gfx1100" }
