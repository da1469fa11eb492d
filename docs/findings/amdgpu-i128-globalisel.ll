; llc -global-isel -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a amdgpu-i128-globalisel.ll
; ends in a crash of RegBankSelect.
define i128 @square(i64 %a) {
  %x = zext i64 %a to i128
  %d = mul i128 %x, %x
  ret i128 %d
}
