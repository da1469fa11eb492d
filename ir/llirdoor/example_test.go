package llirdoor_test

import (
	"context"
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ir/llirdoor"
)

func ExampleReplace() {
	m := ir.NewModule()
	a, b := ir.NewParam("a", types.I32), ir.NewParam("b", types.I32)
	entry := m.NewFunc("f", types.I32, a, b).NewBlock("entry")
	sig := types.NewFunc(types.I32, types.I32, types.I32)
	mad := ir.NewInlineAsm(types.NewPointer(sig), "mad.lo.s32 $0, $1, $2, $1;", "=r,r,r")
	entry.NewRet(entry.NewCall(mad, a, b))

	if _, err := llirdoor.Replace(context.Background(), m, ptxlower.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(m)
	// Output:
	// define i32 @f(i32 %a, i32 %b) {
	// entry:
	// 	%ptxl.0.0 = mul i32 %a, %b
	// 	%0 = add i32 %ptxl.0.0, %a
	// 	ret i32 %0
	// }
}
