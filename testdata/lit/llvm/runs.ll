; REQUIRES: llvm-22
; RUN: ptxlower %s --emit=llvm | lli-22
; RUN: ptxlower %s --emit=llvm | opt-22 -passes="default<O2>" | lli-22

; The portable IR runs on any machine: main checks a 64-bit product, a chain over
; a loop and a few corner cases, and gives 0 where all are right.
target triple = "x86_64-unknown-linux-gnu"

define i64 @square(i32 %a, i32 %b) {
  %r = call i64 asm "{ .reg .u32 l, h; mul.lo.u32 l, $1, $2; mul.hi.u32 h, $1, $2; mov.b64 $0, {l, h}; }", "=l,r,r"(i32 %a, i32 %b)
  ret i64 %r
}

; The sum of n words of all ones and the carries between them.
define i32 @chain(i32 %n) {
entry:
  %z = call i32 asm sideeffect "add.cc.u32 $0, 0, 0;", "=r"()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %t = call i32 asm sideeffect "addc.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %s, i32 -1)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  %c = call i32 asm sideeffect "addc.u32 $0, $1, 0;", "=r,r"(i32 %t)
  ret i32 %c
}

define i32 @mad24hi(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "mad24.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @vmadsat(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "vmad.s32.s32.s32.sat $0, $1.b0, $2, -$3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @carryfold(i32 %x, i32 %y, i32 %a, i32 %b) {
  %r = call i32 asm "{ .reg .u32 s; add.u32 s, $1, $2; add.cc.u32 $0, $3, $4; addc.cc.u32 $0, s, 0; addc.u32 $0, 0, 0; }", "=&r,r,r,r,r"(i32 %x, i32 %y, i32 %a, i32 %b)
  ret i32 %r
}

define i32 @main() {
  %p = call i64 @square(i32 -1, i32 -1)
  %p.bad = icmp ne i64 %p, -8589934591
  ; 1 + -1 = 0 with a carry, 0 + -1 + 1 = 0 with a carry, twice; then 0 + 1.
  %q = call i32 @chain(i32 3)
  %q.bad = icmp ne i32 %q, 1
  %s = call i32 @mad24hi(i32 268435455, i32 -1, i32 5)
  %s.bad = icmp ne i32 %s, -507
  %t = call i32 @vmadsat(i32 128, i32 16777216, i32 -2147483648)
  %t.bad = icmp ne i32 %t, 0
  %u = call i32 @carryfold(i32 -1, i32 1, i32 0, i32 0)
  %u.bad = icmp ne i32 %u, 0
  %1 = or i1 %p.bad, %q.bad
  %2 = or i1 %1, %s.bad
  %3 = or i1 %2, %t.bad
  %4 = or i1 %3, %u.bad
  %r = zext i1 %4 to i32
  ret i32 %r
}
