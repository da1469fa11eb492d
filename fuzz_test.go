package ptxlower_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
)

// Whatever the bytes are, Lower gives an error of a known kind with a
// diagnostic, or an output, and where that is a module it can be lowered again
// and has nothing left that could be.
func FuzzLower(f *testing.F) {
	for _, s := range seeds {
		for n := range configurations {
			f.Add([]byte(s), uint8(n))
		}
	}
	for i := range 8 {
		f.Add([]byte(programs(i%2 == 0).Example(i)), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, n uint8) {
		opt := configurations[int(n)%len(configurations)]
		res, err := ptxlower.Lower(context.Background(), "fuzz.ll", src, opt)
		switch {
		case errors.Is(err, ptxlower.ErrInput):
			for _, d := range res.Diags {
				if d.Severity == diag.Error {
					return
				}
			}
			t.Fatal("the input is wrong, but no diagnostic says why")
		case errors.Is(err, ptxlower.ErrUsage):
			if opt.Target != "" {
				t.Fatal(err)
			}
		case err != nil:
			t.Fatalf("%v %v", err, res.Diags)
		case opt.Emit == ptxlower.EmitLLVM:
			again, err := ptxlower.Lower(context.Background(), "again.ll", res.Output, opt)
			if err != nil {
				t.Fatalf("the output: %v %v\n%s", err, again.Diags, res.Output)
			}
			if string(again.Output) != string(res.Output) {
				t.Fatalf("the output changes when it is lowered again:\n%s\n%s", res.Output, again.Output)
			}
		}
	})
}

// A body that stands alone is an error with a diagnostic, or has an output.
func FuzzLowerBody(f *testing.F) {
	for _, s := range []string{"", "add.u32 d, a, b", "add.cc.u32 x, a, b; addc.u32 y, 0, 0;", "@!p vmad.s32.u32.s32.sat.shr7 d, a.b1, -b.h0, c;",
		"mov.b64 {l, h}, a; mad.wide.u32 d, l, h, a", "cvt.sat.u8.s32 d, a; setp.lt.and.s32 p|q, d, 5, !r;", "{ L: bra L; }"} {
		for n := range configurations {
			f.Add(s, uint8(n))
		}
	}
	f.Fuzz(func(t *testing.T, body string, n uint8) {
		res, err := ptxlower.LowerBody(context.Background(), body, configurations[int(n)%len(configurations)])
		switch {
		case errors.Is(err, ptxlower.ErrInput) && len(res.Diags) == 0:
			t.Fatal("the input is wrong, but no diagnostic says why")
		case err != nil && !errors.Is(err, ptxlower.ErrInput) && !errors.Is(err, ptxlower.ErrUsage):
			t.Fatalf("%v %v", err, res.Diags)
		}
	})
}

// configurations are the ways in which inputs are lowered.
var configurations = []ptxlower.Options{
	{Target: "sm_70", Emit: ptxlower.EmitLLVM},
	{Target: "gfx900", Emit: ptxlower.EmitLLVM, O0: true},
	{Target: "sm_70", Emit: ptxlower.EmitAsm},
	{Target: "gfx900", Emit: ptxlower.EmitAsm, KeepCCOverCalls: true},
	{Target: "generic", Emit: ptxlower.EmitIR},
	{Target: "sm_70", Emit: ptxlower.EmitJSON},
	{},
}

var seeds = []string{
	"",
	"define i32 @f(i32 %a) {\n  ret i32 %a\n}\n",
	`target triple = "nvptx64-nvidia-cuda"
define i32 @f(i32 %a, i32 %b) "target-cpu"="sm_70" {
  %s = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %c = tail call i32 asm sideeffect "{\0A .reg .u32 t;\0A addc.u32 $0, $1, -1; }", "=r,r"(i32 %s), !srcloc !0
  ret i32 %c
}
!0 = !{i64 1}
`,
	`define { i32, i1 } @f(i32 %a, i1 %c) {
  %r = call { i32, i1 } @ptx.madc.hi.cc.u32(i32 %a, i32 7, i32 %a, i1 %c)
  ret { i32, i1 } %r
}
declare { i32, i1 } @ptx.madc.hi.cc.u32(i32, i32, i32, i1)
`,
	`define i64 @f(i32 %n, i64 %x) {
entry:
  call void asm sideeffect "{ .reg .u64 t; .reg .pred p; mov.u64 t, $0;", "l"(i64 %x)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  call void asm sideeffect "add.cc.u64 t, t, t; setp.eq.u32 p, $0, 3; @p addc.u64 t, t, 0;", "r"(i32 %i)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %y = call i64 asm sideeffect "mov.u64 $0, t; }", "=l"()
  ret i64 %y
}
`,
	`define i32 @f(i32 %k, ptr %p) {
entry:
  %v = load i32, ptr %p
  switch i32 %k, label %d [ i32 1, label %a
    i32 2, label %d ]
a:
  %r = call { i32, i16 } asm "vmad.s32.u32.s32.sat $0, $2.b1, -$2.h0, $2; mov.b32 {$1, _}, $2;", "=&r,=h,0"(i32 %v)
  %x = extractvalue { i32, i16 } %r, 0
  br label %d
d:
  %y = phi i32 [ 0, %entry ], [ %x, %a ], [ 0, %entry ]
  ret i32 %y
}
`,
	`define <4 x i32> @f(<4 x i32> %a) {
  %r = call <4 x i32> @_Z5mad24Dv4_jS_S_(<4 x i32> %a, <4 x i32> %a, <4 x i32> zeroinitializer)
  ret <4 x i32> %r
}
declare <4 x i32> @_Z5mad24Dv4_jS_S_(<4 x i32>, <4 x i32>, <4 x i32>)
define void @g() {
  call void asm sideeffect "vadd.s32.s32.s32 $0, $0, $0; mad24.lo.u32 $0, $0, $0, 1;", "r"(i32 1)
  unreachable
}
`,
}
