; Functions of which lanes have something in common.

define { i32, i32 } @chain(i32 inreg %n, i32 %a, i32 %b) {
  br label %again
again:
  %i = phi i32 [ 0, %0 ], [ %j, %again ]
  %lo = phi i32 [ %a, %0 ], [ %lo2, %again ]
  %hi = phi i32 [ %b, %0 ], [ %hi2, %again ]
  %lo2 = call i32 asm "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %lo, i32 %a)
  %hi2 = call i32 asm "addc.u32 $0, $1, $2;", "=r,r,r"(i32 %hi, i32 %b)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %again, label %end
end:
  %r = insertvalue { i32, i32 } undef, i32 %lo2, 0
  %s = insertvalue { i32, i32 } %r, i32 %hi2, 1
  ret { i32, i32 } %s
}

define { i64, i64 } @both(i64 inreg %a, i64 inreg %b, i64 %c, i64 %d) {
  %lo = call i64 asm "sub.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %a, i64 %b)
  %hi = call i64 asm "subc.u64 $0, $1, $2;", "=l,l,l"(i64 %b, i64 %a)
  %x = call i64 asm "sub.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %c, i64 %lo)
  %y = call i64 asm "subc.u64 $0, $1, $2;", "=l,l,l"(i64 %d, i64 %hi)
  %r = insertvalue { i64, i64 } undef, i64 %x, 0
  %s = insertvalue { i64, i64 } %r, i64 %y, 1
  ret { i64, i64 } %s
}

define i32 @ways(i32 inreg %n, i32 inreg %m, i32 %a) {
  %few = icmp ult i32 %n, %m
  br i1 %few, label %yes, label %no
yes:
  %own = icmp ult i32 %a, 4
  br i1 %own, label %then, label %on
then:
  %x = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %a, i32 %n)
  br label %on
on:
  %y = phi i32 [ %x, %then ], [ %m, %yes ]
  br label %end
no:
  %t = call i32 asm "mad24.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %n, i32 %m)
  %z = xor i32 %t, %a
  br label %end
end:
  %u = phi i32 [ 1, %on ], [ %t, %no ]
  %r = phi i32 [ %y, %on ], [ %z, %no ]
  %s = add i32 %r, %u
  ret i32 %s
}

define i32 @inside(i32 inreg %n, i32 inreg %m, i32 %a) {
  %own = icmp ult i32 %a, 4
  br i1 %own, label %then, label %end
then:
  %few = icmp ult i32 %n, %m
  br i1 %few, label %deep, label %end
deep:
  %x = mul i32 %n, %m
  br label %end
end:
  %r = phi i32 [ %x, %deep ], [ %n, %then ], [ %m, %0 ]
  %s = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %r, i32 %n)
  ret i32 %s
}

define i32 @turns(i32 inreg %n, i32 %a) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %next ]
  %s = phi i32 [ %n, %0 ], [ %s2, %next ]
  br label %inner
inner:
  %k = phi i32 [ %a, %head ], [ %k2, %inner ]
  %t = phi i32 [ %s, %head ], [ %t2, %inner ]
  %t2 = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %t, i32 %i)
  %k2 = lshr i32 %k, 1
  %z = icmp eq i32 %k2, 0
  br i1 %z, label %next, label %inner
next:
  %s2 = add i32 %t2, %i
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 5
  br i1 %more, label %head, label %out
out:
  %r = add i32 %s2, %j
  ret i32 %r
}

define i32 @leaves(i32 inreg %n, i32 %a) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %body ]
  %own = icmp ult i32 %a, %i
  br i1 %own, label %out, label %body
body:
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %head, label %end
end:
  %e = call i32 asm "mad.lo.u32 $0, $1, $2, $1;", "=r,r,r"(i32 %n, i32 %n)
  br label %out
out:
  %r = phi i32 [ %i, %head ], [ %e, %end ]
  ret i32 %r
}
