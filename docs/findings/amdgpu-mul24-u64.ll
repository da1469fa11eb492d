; The masks of a 24-bit product are dropped when a 64-bit value is added.
; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 amdgpu-mul24-u64.ll

; a<23..0> * b<23..0> + c.
; mad24_wide(0xff000001, 2, 0) is 2. llc's code is v_mad_u64_u32 of a and b, bits
; 31..24 included, and gives 0x1fe000002.
define i64 @mad24_wide(i32 %a, i32 %b, i64 %c) {
  %x = and i32 %a, 16777215
  %y = and i32 %b, 16777215
  %x64 = zext i32 %x to i64
  %y64 = zext i32 %y to i64
  %p = mul i64 %x64, %y64
  %d = add i64 %p, %c
  ret i64 %d
}
