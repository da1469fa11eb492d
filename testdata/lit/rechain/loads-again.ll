; RUN: ptxlower %s --target=sm_80 --emit=llvm --verify=prove 2>&1 | FileCheck %s

; What is loaded again from the same address, with nothing stored in between, is
; the same value: statements of PTX touch no memory. After a store elsewhere it may be
; another, and what was stored is what is loaded.
; CHECK: [[#@LINE+11]]:{{[0-9]+}}: remark: 64×64→128 product, 4 products; 12 → 8 ops
; CHECK: remark: sum of 4 products of numbers modulo 2^128, 4 products; 12 → 8 ops
; CHECK-LABEL: {{^}}define void @same
; CHECK: call { i32, i32, i32, i32 } asm sideeffect "{{.*}}", "=r,=r,=r,=r,r,r,r,r"(
; CHECK-LABEL: {{^}}define void @other
; CHECK: call { i32, i32, i32, i32 } asm sideeffect "{{.*}}", "=r,=r,=r,=r,r,r,r,r,r"(
target triple = "nvptx64-nvidia-cuda"

define void @same(ptr %p, ptr %q, ptr %r, ptr %to, i32 %b1) {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %r0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %h0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = load i32, ptr %r
  %r1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c, i32 %b, i32 %h0)
  %c2 = load i32, ptr %r
  %r2 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %c2, i32 %b)
  %a2 = load i32, ptr %p
  %s1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %r1)
  %s2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c2, i32 %b1, i32 %r2)
  %s3 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %t2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %s2)
  %t3 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c2, i32 %b1, i32 %s3)
  %to1 = getelementptr i32, ptr %to, i64 1
  %to2 = getelementptr i32, ptr %to, i64 2
  %to3 = getelementptr i32, ptr %to, i64 3
  store i32 %r0, ptr %to
  store i32 %s1, ptr %to1
  store i32 %t2, ptr %to2
  store i32 %t3, ptr %to3
  ret void
}

define void @other(ptr %p, ptr %q, ptr %r, ptr %to, i32 %b1) {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %r0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %h0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = load i32, ptr %r
  %r1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c, i32 %b, i32 %h0)
  %c2 = load i32, ptr %r
  %r2 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %c2, i32 %b)
  store i32 7, ptr %to
  %a2 = load i32, ptr %p
  %s1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %r1)
  %s2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c2, i32 %b1, i32 %r2)
  %s3 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %t2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a2, i32 %b1, i32 %s2)
  %t3 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c2, i32 %b1, i32 %s3)
  %to1 = getelementptr i32, ptr %to, i64 1
  %to2 = getelementptr i32, ptr %to, i64 2
  %to3 = getelementptr i32, ptr %to, i64 3
  store i32 %r0, ptr %to
  store i32 %s1, ptr %to1
  store i32 %t2, ptr %to2
  store i32 %t3, ptr %to3
  ret void
}

; CHECK-LABEL: {{^}}define void @stored
; CHECK: call { i32, i32, i32, i32 } asm sideeffect "{{.*}}", "=r,=r,=r,=r,r,r,r,r"(
define void @stored(ptr %p, ptr %to, i32 %a0, i32 %a1, i32 %b0, i32 %b1) {
  store i32 %a0, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 %a1, ptr %p1
  %a = load i32, ptr %p
  %r0 = call i32 asm sideeffect "mul.lo.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b0)
  %h0 = call i32 asm sideeffect "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a0, i32 %b0)
  %r1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b0, i32 %h0)
  %c = load i32, ptr %p1
  %r2 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, 0;", "=r,r,r"(i32 %c, i32 %b0)
  %s1 = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b1, i32 %r1)
  %s2 = call i32 asm sideeffect "madc.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c, i32 %b1, i32 %r2)
  %s3 = call i32 asm sideeffect "addc.u32 $0, 0, 0;", "=r"()
  %t2 = call i32 asm sideeffect "mad.hi.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a0, i32 %b1, i32 %s2)
  %t3 = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a1, i32 %b1, i32 %s3)
  %to1 = getelementptr i32, ptr %to, i64 1
  %to2 = getelementptr i32, ptr %to, i64 2
  %to3 = getelementptr i32, ptr %to, i64 3
  store i32 %r0, ptr %to
  store i32 %s1, ptr %to1
  store i32 %t2, ptr %to2
  store i32 %t3, ptr %to3
  ret void
}
