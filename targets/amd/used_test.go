package amd_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/targets/amd"
)

// special are the instructions that make AMD's code short, with what a target must
// have for them, and must not.
var special = []struct {
	name, syntax string // of the row, and what is in its syntax
	needs, lacks ir.Features
}{
	{"v_mad_u64_u32", "$e", amd.MADU, 0},
	{"v_mad_co_u64_u32", "$e", amd.MADCO, 0},
	{"v_mad_nc_u64_u32", "", amd.U64, 0},
	{"v_mad_nc_i64_i32", "", amd.U64, 0},
	{"v_add_nc_u64", "", amd.U64, 0},
	{"v_mul_u64", "", amd.U64, 0},
	{"v_mad_u32", "", amd.U64, 0},
	{"v_min_i64", "", amd.U64, 0},
	{"v_dual_lshlrev_b32", "", amd.DUAL, 0},
	{"v_lshl_add_u64", "", amd.LSHLADD, amd.U64}, // where v_add_nc_u64 does not do it
	{"v_mad_u32_u24", "", 0, 0},
	{"v_mad_i32_i24", "", 0, amd.SDWA}, // where no part of a register is an operand
	{"v_mul_i32_i24_sdwa", "", amd.SDWA, 0},
	{"v_mad_u32_u16", "op_sel:[0,1", amd.MAD16, 0},
	{"v_mad_i32_i16", "op_sel:[1,1", amd.MAD16, 0},
	{"v_dot4_u32_u8", "", amd.DOT, 0},
	{"v_dot4_i32_iu8", "neg_lo:[1,0,0]", amd.DOT, 0},
	{"v_perm_b32", "", amd.PERM, 0},
	{"v_bfe_u32", "", 0, 0},
	{"v_bfe_i32", "", 0, 0},
	{"v_alignbit_b32", "", 0, 0},
	{"v_med3_i32", "", amd.LIT3, 0},
	{"v_add_u32", "clamp", amd.CLAMPU, amd.CI},
	{"v_add_nc_u32", "clamp", amd.CI, 0},
	{"v_add_i32", "clamp", amd.CLAMPS, amd.CI},
	{"v_sub_nc_i32", "clamp", amd.CI, 0},
	{"v_bitop3_b32", "", amd.BITOP3, 0},
	{"v_xad_u32", "", amd.THREE, 0},
	{"v_add3_u32", "", amd.THREE, 0},
}

// requireSpecial fails unless a target that has such an instruction uses it: uses
// are how many choices of rules have a row.
func requireSpecial(t *testing.T, tg *isel.Target, uses map[*mach.Op]int) {
	t.Helper()
	var list []string
	for _, s := range special {
		if !tg.Features.Has(s.needs) || tg.Features&s.lacks != 0 {
			continue
		}
		n := 0
		for o, by := range uses {
			if o.Name == s.name && strings.Contains(o.Syntax, s.syntax) {
				n += by
			}
		}
		require.NotZero(t, n, "%s does not use %s %s", tg.Name, s.name, s.syntax)
		list = append(list, s.name)
	}
	t.Logf("%s: %s", tg.Name, strings.Join(list, " "))
}
