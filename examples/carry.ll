target triple = "nvptx64-nvidia-cuda"

; (hi, lo) += a * b, one asm statement an instruction: the carry goes from one to the next.
define { i32, i32 } @mac(i32 %lo, i32 %hi, i32 %a, i32 %b) {
  %1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %lo)
  %2 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %hi)
  %3 = insertvalue { i32, i32 } undef, i32 %1, 0
  %4 = insertvalue { i32, i32 } %3, i32 %2, 1
  ret { i32, i32 } %4
}
