package ptxlower_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/targets"
)

const straight = `
define i64 @wide(i32 %a, i32 %b, i64 %c) {
  %lo = trunc i64 %c to i32
  %s = lshr i64 %c, 32
  %hi = trunc i64 %s to i32
  %l = call i32 asm sideeffect "mad.lo.cc.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %lo)
  %h = call i32 asm sideeffect "madc.hi.u32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %hi)
  %x = zext i32 %l to i64
  %y = zext i32 %h to i64
  %z = shl i64 %y, 32
  %r = or i64 %x, %z
  ret i64 %r
}
define i32 @clamped(i32 %a, i32 %b, i32 %c) {
  %v = call i32 asm "vmad.s32.s32.u32.sat.shr7 $0, $1.h0, $2.b3, -$3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  %w = call i32 asm "mad24.hi.sat.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %v)
  ret i32 %w
}
define i32 @guarded(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "{ .reg .pred p; sub.cc.u32 $0, $1, $2; subc.u32 $0, 0, $3; setp.ne.u32 p, $0, 0; @p mad.lo.u32 $0, $0, 7, $3; }", "=&r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
`

// What is printed is read back and proved, whatever the target's syntax.
func TestListingsOfEveryTargetAreProved(t *testing.T) {
	seen := map[ir.Features]bool{}
	for _, tg := range targets.Supported() {
		if tg.Machine.SSA || seen[tg.Features] {
			continue
		}
		seen[tg.Features] = true
		res, err := ptxlower.Lower(context.Background(), "f.ll", []byte(straight),
			ptxlower.Options{Target: tg.Name, Emit: ptxlower.EmitAsm, Verify: ptxlower.VerifyProve})
		require.NoError(t, err, tg.Name)
		for _, d := range res.Diags {
			require.Equal(t, "ptx-floor", d.ID, "%s: %s", tg.Name, d.Text)
		}
		require.Equal(t, res.Checked, res.Proved, tg.Name)
		require.GreaterOrEqual(t, res.Proved, 3, tg.Name)
	}
	require.GreaterOrEqual(t, len(seen), 20)
}
