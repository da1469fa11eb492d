; Functions whose lanes go different ways.

define i32 @triangle(i32 %a, i32 %b) {
  %c = icmp ult i32 %a, %b
  br i1 %c, label %then, label %end
then:
  %x = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %a, i32 %b)
  br label %end
end:
  %r = phi i32 [ %x, %then ], [ %a, %0 ]
  %s = add i32 %r, %b
  ret i32 %s
}

define i32 @diamond(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  br i1 %c, label %yes, label %no
yes:
  %x = call i32 asm "mad24.hi.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %a, i32 %b)
  br label %end
no:
  %y = xor i32 %a, 7
  %z = icmp eq i32 %y, %b
  br label %end
end:
  %r = phi i32 [ %x, %yes ], [ %y, %no ]
  %p = phi i1 [ %c, %yes ], [ %z, %no ]
  %s = select i1 %p, i32 %r, i32 %b
  ret i32 %s
}

define i32 @early(i32 %a, i32 %b) {
  %c = icmp ult i32 %a, 5
  br i1 %c, label %out, label %on
out:
  ret i32 %b
on:
  %d = icmp ugt i32 %a, 1000
  br i1 %d, label %far, label %near
far:
  %x = call i32 asm "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %x
near:
  %y = sub i32 %a, %b
  ret i32 %y
}

define i32 @while(i32 %a, i32 %b) {
  br label %head
head:
  %i = phi i32 [ %a, %0 ], [ %j, %body ]
  %s = phi i32 [ 0, %0 ], [ %t, %body ]
  %c = icmp eq i32 %i, 0
  br i1 %c, label %end, label %body
body:
  %t = call i32 asm "mad.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %i, i32 %b, i32 %s)
  %j = lshr i32 %i, 1
  br label %head
end:
  %r = add i32 %s, %a
  ret i32 %r
}

define i32 @nested(i32 %a, i32 %b) {
  br label %outer
outer:
  %i = phi i32 [ %a, %0 ], [ %i2, %next ]
  %s = phi i32 [ %b, %0 ], [ %s3, %next ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j2, %more ]
  %t = phi i32 [ %s, %outer ], [ %t2, %more ]
  %t2 = call i32 asm "mad.lo.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %j, i32 %j, i32 %t)
  %odd = and i32 %t2, 63
  %leave = icmp eq i32 %odd, 5
  br i1 %leave, label %out, label %more
more:
  %j2 = lshr i32 %j, 3
  %z = icmp eq i32 %j2, 0
  br i1 %z, label %next, label %inner
next:
  %s3 = xor i32 %t2, %i
  %i2 = lshr i32 %i, 5
  %q = icmp ugt i32 %i2, 1
  br i1 %q, label %outer, label %end
out:
  %o = add i32 %t2, 99
  br label %end
end:
  %r = phi i32 [ %o, %out ], [ %s3, %next ]
  ret i32 %r
}
