; (x + y) + 0 + cf is compiled as x + y + cf, whose carry-out is another one.
; llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 amdgpu-carry-fold.ll

; s = x + y; gives s + cf and its carry, where cf is the carry of a + b.
; fold(0xffffffff, 1, 0, 0) is {0, 0}: s = 0, cf = 0. llc's code gives {0, 1}.
define { i32, i32 } @fold(i32 %x, i32 %y, i32 %a, i32 %b) {
  %s = add i32 %x, %y
  %ab = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %cf = extractvalue { i32, i1 } %ab, 1
  %cf32 = zext i1 %cf to i32
  %r = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %s, i32 %cf32)
  %sum = extractvalue { i32, i1 } %r, 0
  %carry = extractvalue { i32, i1 } %r, 1
  %carry32 = zext i1 %carry to i32
  %d = insertvalue { i32, i32 } undef, i32 %sum, 0
  %e = insertvalue { i32, i32 } %d, i32 %carry32, 1
  ret { i32, i32 } %e
}

declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

; t = a * a + b; gives t + 1 and whether that is 0. increment(-1, -1) is {1, 0}:
; t = 0. From LLVM 22 on the compare becomes the carry-out of a sum in two words,
; of which the higher one is folded as above: {1, 1}.
define { i64, i32 } @increment(i64 %a, i64 %b) {
  %p = mul i64 %a, %a
  %t = add i64 %p, %b
  %s = add i64 %t, 1
  %z = icmp eq i64 %t, -1
  %c = zext i1 %z to i32
  %d = insertvalue { i64, i32 } undef, i64 %s, 0
  %e = insertvalue { i64, i32 } %d, i32 %c, 1
  ret { i64, i32 } %e
}
