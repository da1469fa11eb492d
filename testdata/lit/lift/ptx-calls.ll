; RUN: ptxlower %s --emit=ir | FileCheck %s
; RUN: ptxlower %s --emit=llvm | FileCheck %s --check-prefix=LLVM

; A form can be called by its name: the carry-in is an i1 behind the sources,
; the carry-out an i1 behind the result, and what modifies an operand follows
; the operand's letter.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: func @calls(
; CHECK:       [[X:%[0-9]+]], [[CF:%[0-9]+]] = mad.lo.cc.u32 %a, %b, 1
; CHECK-NEXT:  [[Y:%[0-9]+]] = madc.hi.u32 %a, %b, [[X]], [[CF]]
; CHECK-NEXT:  [[Z:%[0-9]+]] = "vmad.s32.s32.u32.sat a.h0, -b.b3, c" [[Y]], %b, %a
; CHECK-NEXT:  ret [[Z]]

; LLVM-LABEL: {{^}}define i32 @calls(
; LLVM-NOT:   @ptx.
; LLVM:       ret i32 %z
define i32 @calls(i32 %a, i32 %b) {
  %x = call { i32, i1 } @ptx.mad.lo.cc.u32(i32 %a, i32 %b, i32 1)
  %lo = extractvalue { i32, i1 } %x, 0
  %cf = extractvalue { i32, i1 } %x, 1
  %y = call i32 @ptx.madc.hi.u32(i32 %a, i32 %b, i32 %lo, i1 %cf)
  %z = call i32 @ptx.vmad.s32.s32.u32.sat.a.h0.b.neg.b3(i32 %y, i32 %b, i32 %a)
  ret i32 %z
}
declare { i32, i1 } @ptx.mad.lo.cc.u32(i32, i32, i32)
declare i32 @ptx.madc.hi.u32(i32, i32, i32, i1)
declare i32 @ptx.vmad.s32.s32.u32.sat.a.h0.b.neg.b3(i32, i32, i32)
