; RUN: ptxlower %s --emit=llvm -o %t
; RUN: diff %s %t

; A module without PTX comes back byte for byte: odd spacing, comments, names in
; quotes, instructions and attributes that nobody knows, metadata.
source_filename = "a b.cu"
target datalayout = "e-i64:64-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.pair   =  type { i32,  i32 }   ; two words
@"odd name\22" = internal addrspace(3) global [4 x i8] c"a;\0A\00", align 4

define dso_local i32 @"g h"(ptr noundef byval(%struct.pair) %p, <4 x float> %v) #0 !dbg !7 {
"entry block":
	%x = getelementptr inbounds nuw %struct.pair, ptr %p, i32 0, i32 1
  %y=load i32,ptr %x,align 4,!range !9  ; close
  %z = frobnicate nsw <4 x i32> %y, shuffled volatile 7, !odd !{i32 1}
  switch i32 %y, label %d [ i32 0, label %c
                            i32 1, label %d ]
c:                                                ; preds = %entry
  br label %d
d:
  ret i32 %y
}

attributes #0 = { mustprogress "no-trapping-math"="true" memory(argmem: read) futureattr(1, 2) }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!7 = distinct !DISubprogram(name: "asm \22add.u32\22", line: 1)
!9 = !{i32 0, i32 10}
