; RUN: ptxlower sites %s | FileCheck %s
; RUN: ptxlower sites %s --json | FileCheck %s --check-prefix=JSON

; Sites are counted in their function, with the place of their text in the file
; and the sites that their carry comes from.
target triple = "nvptx64-nvidia-cuda"

; CHECK:      @f
; CHECK-NEXT:   0  [[#@LINE+10]]:38  asm  add.cc.u64                         carry out
; CHECK-NEXT:   1  [[#@LINE+10]]:33  asm  madc.hi.cc.u32; mul.lo.u32         carry from 0; carry out
; CHECK-NEXT:   2  [[#@LINE+10]]:33  asm  addc.u32                           carry from 1
; CHECK-NEXT:   3  [[#@LINE+10]]:17  ptx  vmad.s32.s32.s32.sat a.h0, b, -c{{$}}

; JSON:      {"schema":1,"function":"f","index":0,"line":[[#@LINE+5]],"col":38,"kind":"asm","forms":["add.cc.u64"],"carry_out":true}
; JSON-NEXT: {"schema":1,"function":"f","index":1,"line":[[#@LINE+5]],"col":33,"kind":"asm","forms":["madc.hi.cc.u32","mul.lo.u32"],"carry_in":[0],"carry_out":true}
; JSON-NEXT: {"schema":1,"function":"f","index":2,"line":[[#@LINE+5]],"col":33,"kind":"asm","forms":["addc.u32"],"carry_in":[1]}
; JSON-NEXT: {"schema":1,"function":"f","index":3,{{.*}}"kind":"ptx","forms":["vmad.s32.s32.s32.sat a.h0, b, -c"]}
define i32 @f(i64 %a, i32 %b) {
  %1 = tail call i64 asm sideeffect "add.cc.u64 $0, $1, $1;", "=l,l"(i64 %a)
  %2 = call i32 asm sideeffect "madc.hi.cc.u32 $0, $1, $1, 1; mul.lo.u32 $0, $0, $0;", "=r,r"(i32 %b)
  %3 = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %2)
  %4 = call i32 @ptx.vmad.s32.s32.s32.sat.a.h0.c.neg(i32 %b, i32 %2, i32 %3)
  ret i32 %4
}
declare i32 @ptx.vmad.s32.s32.s32.sat.a.h0.c.neg(i32, i32, i32)
