; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --emit=llvm | FileCheck %s --check-prefix=LLVM

; The 24-bit multiplications of NVVM, libdevice and OpenCL mean what PTX's do.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @nvvm(
; CHECK:       mul24.lo.s32 %a, %b
; CHECK:       mul24.lo.u32
; CHECK:       mul24.lo.s32
; CHECK:       mul24.lo.u32
define i32 @nvvm(i32 %a, i32 %b) {
  %1 = call i32 @llvm.nvvm.mul24.i(i32 %a, i32 %b)
  %2 = call i32 @llvm.nvvm.mul24.ui(i32 %1, i32 %b)
  %3 = call i32 @__nv_mul24(i32 %2, i32 %b)
  %4 = call i32 @__nv_umul24(i32 %3, i32 %b)
  ret i32 %4
}

; CHECK-LABEL: func @opencl(
; CHECK:       mul24.lo.s32 %a, %b
; CHECK:       mad24.lo.u32 %{{[0-9]+}}, %b, 7
define i32 @opencl(i32 %a, i32 %b) {
  %1 = call spir_func i32 @_Z5mul24ii(i32 %a, i32 %b)
  %2 = call spir_func i32 @_Z5mad24jjj(i32 %1, i32 %b, i32 7)
  ret i32 %2
}

; A vector is lowered lane by lane.
; LLVM-LABEL: {{^}}define <2 x i32> @vector(
; LLVM:       extractelement <2 x i32> %a, i64 0
; LLVM:       mul i32
; LLVM:       extractelement <2 x i32> %a, i64 1
; LLVM:       mul i32
; LLVM:       %r = insertelement <2 x i32> {{.*}}, i64 1
; LLVM-NEXT:  ret <2 x i32> %r
define <2 x i32> @vector(<2 x i32> %a, <2 x i32> %b) {
  %r = call <2 x i32> @_Z5mul24Dv2_iS_(<2 x i32> %a, <2 x i32> %b)
  ret <2 x i32> %r
}

declare i32 @llvm.nvvm.mul24.i(i32, i32)
declare i32 @llvm.nvvm.mul24.ui(i32, i32)
declare i32 @__nv_mul24(i32, i32)
declare i32 @__nv_umul24(i32, i32)
declare spir_func i32 @_Z5mul24ii(i32, i32)
declare spir_func i32 @_Z5mad24jjj(i32, i32, i32)
declare <2 x i32> @_Z5mul24Dv2_iS_(<2 x i32>, <2 x i32>)
