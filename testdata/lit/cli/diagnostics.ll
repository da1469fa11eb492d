; RUN: not ptxlower %s 2>&1 | FileCheck %s --check-prefix=TEXT
; RUN: not ptxlower %s --diag-format=short 2>&1 | FileCheck %s --check-prefix=SHORT
; RUN: not ptxlower %s --diag-format=json 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: not ptxlower %s --error-limit=1 2>&1 | FileCheck %s --check-prefix=LIMIT

; Every error is reported, each with its place; tabs do not move the mark.
target triple = "nvptx64-nvidia-cuda"

; TEXT:      diagnostics.ll:[[#@LINE+15]]:31: error: 'add.u32' takes 3 operands, not 1 [ptx-operand-count]
; TEXT-NEXT: {{^}}   [[#@LINE+14]] |         %s = call i32   asm "add.u32 $0;", "=r"()
; TEXT-NEXT: {{^}}      |                                        ^{{$}}
; TEXT-NEXT: diagnostics.ll:[[#@LINE+13]]:27: error: 'mad24' needs .lo or .hi

; SHORT:      diagnostics.ll:[[#@LINE+10]]:31: error:
; SHORT-NEXT: diagnostics.ll:[[#@LINE+10]]:27: error: {{.*}}[ptx-missing-mode]{{$}}
; SHORT-NOT:  {{.}}

; JSON:      "line":[[#@LINE+6]],"col":31,"end_line":[[#@LINE+6]],"end_col":32,"severity":"error","id":"ptx-operand-count","message":"'add.u32' takes 3 operands, not 1"}
; JSON-NEXT: "line":[[#@LINE+6]],"col":27,

; LIMIT: 1 more error not shown
; LIMIT: 2 errors
define void @f() {
	%s = call i32	asm "add.u32 $0;", "=r"()
  %t = call i32 asm "mad24.u32 $0, 1, 2, 3;", "=r"()
  ret void
}
