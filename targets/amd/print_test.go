package amd_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func TestListingOfAnAllocatedFunctionFollowsTheCallingConvention(t *testing.T) {
	tg := target(t, "gfx900")
	fn := ir.NewFunc("mulhi24")
	x, y, z := fn.Param("x", 32), fn.Param("y", 32), fn.Param("z", 32)
	b := fn.Blocks[0]
	b.Ret(b.PTX(ptx.Form{Op: ptx.Mad24, Mode: ptx.Hi, T: ptx.U32}, x, y, z)...)
	fn.Results = []int{32}
	var sb strings.Builder
	require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
	require.Equal(t, `mulhi24:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mul_hi_u32_u24 v3, v0, v1
	v_mul_u32_u24 v0, v0, v1
	v_alignbit_b32 v0, v3, v0, 16
	v_add_u32 v0, v0, v2
	s_setpc_b64 s[30:31]
`, sb.String())
}

func TestListingOverNamesHasHalvesAndTemporaries(t *testing.T) {
	tg := target(t, "gfx900")
	for f, want := range map[ptx.Form]string{
		{Op: ptx.Madc, Mode: ptx.Lo, CC: true, T: ptx.U64}: `madc.lo.cc.u64:
	v_mad_u64_u32 t0, t1, a.lo, b.lo, 0
	v_addc_co_u32 t2, t3, t0.lo, c.lo, cf
	v_mad_u64_u32 t4, t5, a.lo, b.hi, t0.hi
	v_mad_u64_u32 t6, t7, a.hi, b.lo, t4.lo
	v_addc_co_u32 t8, t9, t6.lo, c.hi, t3
`,
		{Op: ptx.Vmad, T: ptx.S32, A: ptx.U32, B: ptx.U32, NegC: true, Sat: true}: `vmad.s32.u32.u32.sat:
	v_mad_i64_i32 t0, t1, c, -1, 0
	v_mad_u64_u32 t2, t3, a, b, t0
	v_ashrrev_i32 t4, 31, t2.lo
	v_cmp_eq_u32 t5, t2.hi, t4
	v_cndmask_b32_e64 t6, neg(-1), t2.lo, t5
`,
	} {
		nf, _, err := tg.SelectForm(f, ptx.ISA)
		require.NoError(t, err)
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, nf))
		var ops []string // what builds the result pair is moves
		for line := range strings.Lines(sb.String()) {
			if !strings.Contains(line, "v_mov_b32") {
				ops = append(ops, line)
			}
		}
		require.Equal(t, want, strings.Join(ops, ""))
	}
}

func TestNamesThatTheAssemblerWouldNotTakeAreQuoted(t *testing.T) {
	tg := target(t, "gfx900")
	for name, want := range map[string]string{"f": "f:", "_Z1fPj": "_Z1fPj:", "f.x$1": "f.x$1:", "1f": `"1f":`, "f g": `"f g":`} {
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, &mach.Func{Name: name, Phys: []int16{}}))
		got, _, _ := strings.Cut(sb.String(), "\n")
		require.Equal(t, want, got)
	}
}

func TestWhatHasNoListingIsAnError(t *testing.T) {
	tg := target(t, "gfx900")

	branch := ir.NewFunc("branch")
	p, x := branch.Param("p", 1), branch.Param("x", 32)
	yes, no := branch.NewBlock("yes"), branch.NewBlock("no")
	branch.Blocks[0].CondBr(p, yes, no)
	yes.Ret(x)
	no.Ret(branch.Const(sem.U(7), 32))
	branch.Results = []int{32}

	long := ir.NewFunc("long")
	var last *ir.Value
	for range 17 {
		last = long.Param("x", 64)
	}
	long.Blocks[0].Ret(last)
	long.Results = []int{64}

	for fn, want := range map[*ir.Func]string{branch: "branches on a condition", long: "would lie on the stack"} {
		require.ErrorContains(t, tg.Print(new(strings.Builder), compiled(t, tg, fn)), want)
	}

	guarded := &mach.Func{Name: "guarded", Blocks: []*mach.Block{{Insts: []mach.Inst{{Guard: &mach.Operand{}}}}}}
	require.ErrorContains(t, tg.Print(new(strings.Builder), guarded), "guarded")
}

func TestBlocksAreLabelledWhereTheyAreJumpedTo(t *testing.T) {
	tg := target(t, "gfx900")
	fn := ir.NewFunc("f")
	next, last := fn.NewBlock("next"), fn.NewBlock("last")
	fn.Blocks[0].Br(last)
	next.Ret()
	last.Br(next)
	var sb strings.Builder
	require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
	require.Equal(t, `f:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_branch .Lf_2
.Lf_1:
	s_setpc_b64 s[30:31]
.Lf_2:
	s_branch .Lf_1
`, sb.String())
	requireAssembles(t, tg.Name, []byte(sb.String()))
}
