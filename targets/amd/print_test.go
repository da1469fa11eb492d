package amd_test

import (
	"slices"
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

func TestListingsOfTheGenerations(t *testing.T) {
	madc := ptx.Form{Op: ptx.Madc, Mode: ptx.Lo, T: ptx.U32}
	mul := ptx.Form{Op: ptx.Mul24, Mode: ptx.Hi, T: ptx.U32}
	mad := ptx.Form{Op: ptx.Mad, Mode: ptx.Lo, T: ptx.U32}
	word := ptx.Form{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32}
	old := "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n"
	gfx12 := "s_wait_loadcnt_dscnt 0x0\ns_wait_expcnt 0x0\ns_wait_samplecnt 0x0\ns_wait_bvhcnt 0x0\ns_wait_kmcnt 0x0\n"
	gfx12_5 := "s_wait_loadcnt_dscnt 0x0\ns_wait_kmcnt 0x0\n"
	for _, x := range []struct {
		target string
		form   ptx.Form
		want   string
	}{
		{"gfx600", madc, old + "v_cmp_ne_u32 vcc, 0, v3\nv_mul_lo_u32 v0, v0, v1\nv_addc_u32 v0, vcc, v0, v2, vcc\n"},
		{"gfx90a", madc, old + "v_cmp_ne_u32 vcc, 0, v3\nv_mul_lo_u32 v0, v0, v1\nv_addc_co_u32 v0, vcc, v0, v2, vcc\n"},
		{"gfx942", madc, old + "v_cmp_ne_u32 vcc, 0, v3\nv_mul_lo_u32 v0, v0, v1\ns_nop 0\nv_addc_co_u32 v0, vcc, v0, v2, vcc\n"},
		{"gfx1010", madc, old + "v_cmp_ne_u32 vcc_lo, 0, v3\nv_mul_lo_u32 v0, v0, v1\nv_add_co_ci_u32 v0, vcc_lo, v0, v2, vcc_lo\n"},
		{"gfx1030", madc, old + "v_cmp_ne_u32 vcc_lo, 0, v3\nv_mul_lo_u32 v0, v0, v1\nv_add_co_ci_u32 v0, null, v0, v2, vcc_lo\n"},
		{"gfx1200", madc, gfx12 + "v_cmp_ne_u32 vcc_lo, 0, v3\nv_mul_lo_u32 v0, v0, v1\ns_wait_alu depctr_va_vcc(0)\nv_add_co_ci_u32 v0, null, v0, v2, vcc_lo\n"},
		{"gfx1250", madc, gfx12_5 + "v_cmp_ne_u32 vcc_lo, 0, v3\nv_mul_lo_u32 v0, v0, v1\nv_add_co_ci_u32 v0, null, v0, v2, vcc_lo\n"},
		{"gfx1250", mul, gfx12_5 + "v_dual_lshlrev_b32 v0, 8, v0 :: v_dual_lshlrev_b32 v1, 8, v1\nv_mul_hi_u32 v0, v0, v1\n"},
		{"gfx700", mad, old + "v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]\n"},
		{"gfx90a", mad, old + "v_mad_u64_u32 v[0:1], vcc, v0, v1, v[2:3]\n"},
		{"gfx1100", mad, old + "v_mad_u64_u32 v[4:5], null, v0, v1, v[2:3]\nv_mov_b32 v0, v4\n"},
		{"gfx1150", mad, old + "v_mad_u64_u32 v[0:1], null, v0, v1, v[2:3]\n"},
		{"gfx1200", mad, gfx12 + "v_mad_co_u64_u32 v[0:1], null, v0, v1, v[2:3]\n"},
		{"gfx1250", mad, gfx12_5 + "v_mad_u32 v0, v0, v1, v2\n"},
		{"gfx1200", word, gfx12 + "v_mad_co_u64_u32 v[0:1], null, v0, v1, v[2:3]\n"},
		{"gfx1250", word, gfx12_5 + "v_mad_nc_u64_u32 v[0:1], v0, v1, v[2:3]\n"},
	} {
		tg := target(t, x.target)
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, compiled(t, tg, lone("f", x.form, ptx.ISA, -1, sem.Val{}))))
		got := strings.ReplaceAll(strings.TrimPrefix(sb.String(), "f:\n"), "\t", "")
		end := "s_setpc_b64 s[30:31]\n"
		if x.target == "gfx1250" {
			end = "s_set_pc_i64 s[30:31]\n"
		}
		require.Equal(t, x.want+end, got, "%s %s", x.target, x.form.Name())
		requireAssembles(t, x.target, []byte(sb.String()))
	}
}

// Where an op cannot have the registers that it got, two others stand for it.
func TestOpsThatRegistersDoNotFitBecomeTwo(t *testing.T) {
	for _, x := range []struct {
		target, name, syntax string
		out, in              []int16 // registers, the first result a pair if there is one
		want                 string
	}{
		{"gfx90a", "v_mad_u64_u32", "$2:", []int16{4}, []int16{0, 1, 2}, "v_mad_u64_u32 v[4:5], vcc, v0, v1, v[2:3]"},
		{"gfx90a", "v_mad_u64_u32", "$2:", []int16{4}, []int16{0, 1, 3}, "v_mul_lo_u32 v4, v0, v1\nv_add_u32 v4, v4, v3"},
		{"gfx90a", "v_mad_u64_u32", "$2:", []int16{4}, []int16{5, 1, 5}, "v_mul_lo_u32 v4, v5, v1\nv_add_u32 v4, v4, v5"},
		{"gfx1100", "v_mad_u64_u32", "$2:", []int16{4}, []int16{0, 1, 2}, "v_mad_u64_u32 v[4:5], vcc_lo, v0, v1, v[2:3]"},
		{"gfx1100", "v_mad_u64_u32", "$2:", []int16{3}, []int16{0, 1, 2}, "v_mul_lo_u32 v3, v0, v1\nv_add_nc_u32 v3, v3, v2"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{2, 3}, []int16{0, 1}, "v_dual_lshlrev_b32 v2, 8, v0 :: v_dual_lshlrev_b32 v3, 8, v1"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{2, 3}, []int16{1, 1}, "v_dual_lshlrev_b32 v2, 8, v1 :: v_dual_lshlrev_b32 v3, 8, v1"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{4, 5}, []int16{0, 4}, "v_lshlrev_b32 v5, 8, v4\nv_lshlrev_b32 v4, 8, v0"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{5, 0}, []int16{0, 4}, "v_lshlrev_b32 v5, 8, v0\nv_lshlrev_b32 v0, 8, v4"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{4, 0}, []int16{0, 4}, "v_xor_b32 v4, v4, v0\nv_xor_b32 v0, v0, v4\nv_xor_b32 v4, v4, v0\nv_lshlrev_b32 v4, 8, v4\nv_lshlrev_b32 v0, 8, v0"},
		{"gfx1250", "v_dual_lshlrev_b32", "::", []int16{2, 3}, []int16{0, 4}, "v_lshlrev_b32 v2, 8, v0\nv_lshlrev_b32 v3, 8, v4"},
	} {
		tg := target(t, x.target)
		i := slices.IndexFunc(tg.Dialect.Ops, func(o *mach.Op) bool { return o.Name == x.name && strings.Contains(o.Syntax, x.syntax) })
		require.GreaterOrEqual(t, i, 0)
		op := tg.Dialect.Ops[i]
		f := &mach.Func{Name: "f"}
		reg := func(c mach.Class, at int16) mach.Operand {
			r := f.NewReg(c, "")
			f.Phys = append(f.Phys, at)
			return f.R(r)
		}
		in := mach.Inst{Op: op}
		for n, c := range op.Out {
			at := int16(106)
			if n < len(x.out) {
				at = x.out[n]
			}
			in.Out = append(in.Out, reg(c, at))
		}
		for n, at := range x.in {
			in.In = append(in.In, reg(op.In[n].Class, at))
		}
		keep := in.Out
		f.Blocks = []*mach.Block{{Insts: []mach.Inst{in}, Term: mach.Fallthrough, Cond: keep[len(keep)-1]}}
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, f))
		_, body, _ := strings.Cut(strings.ReplaceAll(sb.String(), "\t", ""), "0x0\ns_wait_kmcnt 0x0\n")
		if x.target != "gfx1250" {
			_, body, _ = strings.Cut(strings.ReplaceAll(sb.String(), "\t", ""), "lgkmcnt(0)\n")
		}
		require.Equal(t, x.want+"\n", body)
		requireAssembles(t, x.target, []byte(sb.String()))
	}
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

// LLVM passes pairs in the next two registers, aligned or not (seen: llc 22
// gfx90a).
func TestPairsArePassedWithoutGaps(t *testing.T) {
	fn := ir.NewFunc("f")
	n, x, m := fn.Param("n", 32), fn.Param("x", 64), fn.Param("m", 32)
	b := fn.Blocks[0]
	sum := b.PTX(ptx.Form{Op: ptx.Add, T: ptx.U32}, n, m)
	b.Ret(append(sum, x)...)
	fn.Results = []int{32, 64}
	for name, want := range map[string]string{
		"gfx900": "v_add_u32 v0, v0, v3\n",
		"gfx90a": "v_mov_b32 v4, v3 ; passed\nv_mov_b32 v3, v2 ; passed\nv_mov_b32 v2, v1 ; passed\nv_add_u32 v0, v0, v4\nv_mov_b32 v1, v2 ; passed\nv_mov_b32 v2, v3 ; passed\n",
	} {
		tg := target(t, name)
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
		_, body, _ := strings.Cut(strings.ReplaceAll(sb.String(), "\t", ""), "lgkmcnt(0)\n")
		require.Equal(t, want+"s_setpc_b64 s[30:31]\n", body)
		requireAssembles(t, name, []byte(sb.String()))
	}
}

func TestNamesThatTheAssemblerWouldNotTakeAreQuoted(t *testing.T) {
	tg := target(t, "gfx900")
	for name, want := range map[string]string{"f": "f:", "_Z1fPj": "_Z1fPj:", "f.x$1": "f.x$1:", "1f": `"1f":`, "f g": `"f g":`, `"f g"`: `"f g":`, `"f\22\5Cg"`: `"f\"\\g":`, `"f.x"`: "f.x:", `"\zz"`: `"\\zz":`} {
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, &mach.Func{Name: name, Phys: []int16{}}))
		got, _, _ := strings.Cut(sb.String(), "\n")
		require.Equal(t, want, got)
	}
}

func TestWhatHasNoListingIsAnError(t *testing.T) {
	tg := target(t, "gfx900")

	branch := ir.NewFunc("branch")
	p := branch.Param("p", 1)
	yes, no, end := branch.NewBlock("yes"), branch.NewBlock("no"), branch.NewBlock("end")
	branch.Blocks[0].CondBr(p, yes, no)
	yes.CondBr(p, no, end)
	no.CondBr(p, yes, end)
	end.Ret()

	long := ir.NewFunc("long")
	var last *ir.Value
	for range 17 {
		last = long.Param("x", 64)
	}
	long.Blocks[0].Ret(last)
	long.Results = []int{64}

	for fn, want := range map[*ir.Func]string{branch: "irreducible", long: "would lie on the stack"} {
		require.ErrorContains(t, tg.Print(new(strings.Builder), compiled(t, tg, fn)), want)
	}

	guarded := &mach.Func{Name: "guarded", Blocks: []*mach.Block{{Insts: []mach.Inst{{Guard: &mach.Operand{}}}}}}
	require.ErrorContains(t, tg.Print(new(strings.Builder), guarded), "guarded")
}

func TestLanesAreLedThroughBlocks(t *testing.T) {
	straight := func(fn *ir.Func) {
		next, last := fn.NewBlock("next"), fn.NewBlock("last")
		fn.Blocks[0].Br(last)
		next.Ret()
		last.Br(next)
	}
	triangle := func(fn *ir.Func) {
		p := fn.Param("p", 1)
		then, end := fn.NewBlock("then"), fn.NewBlock("end")
		fn.Blocks[0].CondBr(p, then, end)
		then.Br(end)
		end.Ret()
	}
	turns := func(fn *ir.Func) {
		p := fn.Param("p", 1)
		again, end := fn.NewBlock("again"), fn.NewBlock("end")
		fn.Blocks[0].Br(again)
		again.CondBr(p, again, end)
		end.Ret()
	}
	for _, x := range []struct {
		target string
		build  func(*ir.Func)
		want   string
	}{
		{"gfx900", straight, ""},
		{"gfx900", triangle, "v_cmp_ne_u32 vcc, 0, v0\ns_and_saveexec_b64 s[6:7], vcc\ns_mov_b64 exec, s[6:7]\n"},
		{"gfx1030", triangle, "v_cmp_ne_u32 vcc_lo, 0, v0\ns_and_saveexec_b32 s5, vcc_lo\ns_mov_b32 exec_lo, s5\n"},
		{"gfx900", turns, "s_mov_b64 s[6:7], exec\n.Lf_1:\nv_cmp_ne_u32 vcc, 0, v0\ns_and_b64 exec, exec, vcc\ns_cbranch_execnz .Lf_1\ns_mov_b64 exec, s[6:7]\n"},
	} {
		tg := target(t, x.target)
		fn := ir.NewFunc("f")
		x.build(fn)
		var sb strings.Builder
		require.NoError(t, tg.Print(&sb, compiled(t, tg, fn)))
		require.Equal(t, "f:\ns_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n"+x.want+"s_setpc_b64 s[30:31]\n", strings.ReplaceAll(sb.String(), "\t", ""))
		requireAssembles(t, tg.Name, []byte(sb.String()))
	}
}
