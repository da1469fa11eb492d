package llvm_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// folds are the forms that have a rule for constants.
func folds(t testing.TB) (fs []ptx.Form) {
	for _, r := range generic().Rules {
		for _, f := range ptx.Neighbours() {
			if r.Fold != nil && isel.Match(r.Forms, f.Name()) {
				fs = append(fs, f)
			}
		}
	}
	require.NotEmpty(t, fs)
	return fs
}

// withConstants is single with constants for the operands whose k is not negative.
func withConstants(f ptx.Form, k ...int64) *ir.Func {
	fn := ir.NewFunc("f")
	var args []*ir.Value
	for n, w := range ir.ArgWidths(f) {
		if n < len(k) && k[n] >= 0 {
			args = append(args, fn.Const(sem.U(uint64(k[n])), w))
		} else {
			args = append(args, fn.Param(string(rune('a'+n)), w))
		}
	}
	fn.Blocks[0].Ret(fn.Blocks[0].PTX(f, args...)...)
	return fn
}

func TestConstantsGiveWhatPeopleWrite(t *testing.T) {
	const any = -1
	for _, c := range []struct {
		form  string
		k     []int64
		lines string
	}{
		{"shl.b32", []int64{any, 3}, "%t0 = shl i32 %a, 3"},
		{"shl.b32", []int64{any, 32}, ""},
		{"shr.s64", []int64{any, 70}, "%t0 = ashr i64 %a, 63"},
		{"shr.u16", []int64{any, 3}, "%t0 = lshr i16 %a, 3"},
		{"bfe.u32", []int64{any, 8, 5}, "%t0 = lshr i32 %a, 8; %t1 = and i32 %t0, 31"},
		{"bfe.u32", []int64{any, 24, 8}, "%t0 = lshr i32 %a, 24"},
		{"bfe.s32", []int64{any, 8, 5}, "%t0 = shl i32 %a, 19; %t1 = ashr i32 %t0, 27"},
		{"bfe.s32", []int64{any, 24, 8}, "%t0 = ashr i32 %a, 24"},
		{"bfe.s64", []int64{any, 0, 40}, "%t0 = shl i64 %a, 24; %t1 = ashr i64 %t0, 24"},
		{"bfi.b32", []int64{any, any, 8, 5}, "%t0 = and i32 %b, -7937; %t1 = shl i32 %a, 8; %t2 = and i32 %t1, 7936; %t3 = or i32 %t0, %t2"},
		{"bfi.b32", []int64{7, any, 8, 5}, "%t0 = and i32 %b, -7937; %t1 = or i32 %t0, 1792"},
		{"prmt.b32", []int64{any, any, 0x5410}, "%t0 = and i32 %a, 65535; %t1 = shl i32 %b, 16; %t2 = or i32 %t0, %t1"},
		{"prmt.b32", []int64{any, any, 0x4321}, "%t0 = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 24)"},
		{"prmt.b32", []int64{any, any, 0x0123}, "%t0 = call i32 @llvm.bswap.i32(i32 %a)"},
		{"prmt.b32", []int64{any, 0, 0x4442}, "%t0 = lshr i32 %a, 16; %t1 = and i32 %t0, 255"},
		{"prmt.b32", []int64{any, any, 0x8880}, "%t0 = shl i32 %a, 24; %t1 = ashr i32 %t0, 24"},
		{"prmt.b32.f4e", []int64{any, any, 2}, "%t0 = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 16)"},
		{"shf.l.wrap.b32", []int64{any, any, 7}, "%t0 = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 7)"},
		{"shf.r.clamp.b32", []int64{any, any, 5}, "%t0 = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 27)"},
		{"shf.r.clamp.b32", []int64{any, any, 40}, ""},
	} {
		text := printed(t, generic(), selected(t, generic(), withConstants(named(t, c.form), c.k...)))
		lines := strings.Split(strings.TrimSpace(text), "\n")
		var body []string
		for _, l := range lines[1 : len(lines)-2] {
			body = append(body, strings.TrimSpace(l))
		}
		require.Equal(t, c.lines, strings.Join(body, "; "), "%s %d", c.form, c.k)
	}
}

func TestConstantsAreFoldedRight(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, f := range folds(t) {
		ws := ir.ArgWidths(f)
		for range 60 {
			known := make([]sem.Facts, len(ws))
			for n, w := range ws {
				known[n] = sem.Any(w)
				if r.IntN(4) > 0 || n == len(ws)-1 {
					v := []uint64{0, 1, uint64(r.IntN(70)), uint64(r.IntN(256)), uint64(r.IntN(1 << 16)), r.Uint64()}[r.IntN(6)]
					known[n] = sem.Exactly(sem.U(v).Cut(w), w)
				}
			}
			c, err := generic().Choose(f, ptx.ISA, func(n int) sem.Facts { return known[n] })
			require.NoError(t, err)
			require.NotNil(t, c.Rule.Fold)
			bad := underFacts(generic(), c, ptx.ISA)
			require.Nil(t, bad, "%s %v: %v", f.Name(), c.When, bad)
		}
	}
}

// Programs of neighbours with constants, run by LLVM.
func TestConstantsRunRight(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	s := &suite{table: map[string]*group{}}
	for _, f := range folds(t) {
		ws := ir.ArgWidths(f)
		for range 12 {
			k := make([]int64, len(ws))
			for n := range k {
				k[n] = []int64{0, int64(r.IntN(40)), int64(r.IntN(1 << 16))}[r.IntN(3)]
			}
			k[r.IntN(len(k)-1)] = -1
			fn := withConstants(f, k...)
			low := selected(t, generic(), fn)
			in := []int{fn.Params[0].W}
			s.addFunc(t, generic(), fn, low, in, ir.ResultWidths(f), f.Name())
		}
	}
	program := s.String() + s.driver()
	require.Empty(t, s.wrong(t, tool(t, program, "lli-22", "-O0")))
}
