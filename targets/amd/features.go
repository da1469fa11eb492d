// Package amd holds AMD's GPUs from gfx6 to gfx12.5: instruction tables, rules,
// machines, hazards and listings.
//
// Rules are written once, over ops; what an op is on a target, a row of the
// table or several, its features decide. A per-lane bit, a carry or a
// predicate, is a lane mask: in wave64 VCC or a pair of SGPRs, in wave32, which
// is how gfx10 and up run, VCC_LO or one SGPR.
package amd

import "github.com/ptxlower/ptxlower/ir"

// What tells AMD's generations apart (seen: llvm-mc 22 and llc 22 on gfx600 …
// gfx1250). "gfx9" has 90a and 94x in it.
const (
	W64 ir.Features = 1 << iota // waves of 64 lanes: gfx6 to gfx9
	W32                         // waves of 32 lanes: gfx10 and up

	// The names of the carry ops, one of the last three, and ADDI beside ADDC.
	ADDI // v_add_i32: gfx6, gfx7
	ADDC // v_add_i32 or v_add_u32, v_addc_u32: gfx6 to gfx8
	CO   // v_add_co_u32, v_addc_co_u32: gfx9
	CI   // v_add_co_u32, which is VOP3, v_add_co_ci_u32: gfx10 and up

	OLD // v_ffbh_u32, s_andn2: gfx6 to gfx10
	NEW // v_clz_i32_u32, s_and_not1: gfx11 and up

	ADDNC  // adds that write no mask: gfx9 and up
	CLAMPU // unsigned saturating adds: gfx8 and up
	CLAMPS // signed ones: gfx9 and up
	REV64  // 64-bit shifts with the count first: gfx8 and up
	PERM   // v_perm_b32: gfx8 and up
	THREE  // v_add3, v_lshl_or, v_and_or, v_or3, v_xad: gfx9 and up
	XNOR   // v_xnor_b32: gfx906 and up
	XOR3   // v_xor3_b32: gfx10 and up
	BITOP3 // v_bitop3_b32: gfx950, gfx12.5
	LIT3   // literals in VOP3: gfx10 and up
	NULL   // null as a mask that nobody reads: gfx10.3 and up

	OPS16  // 16-bit ops that clear the upper half: gfx8, gfx9
	CMP16  // 16-bit comparisons: gfx8 and up
	PACKED // ops on two halves: gfx9 and up
	SDWA   // parts of registers as operands: gfx8 to gfx10
	SDWAK  // constants and any mask in SDWA: gfx9, gfx10
	MAD16  // v_mad_u32_u16, v_mad_i32_i16 with op_sel: gfx9 and up
	DOT    // v_dot4_u32_u8, v_dot4_i32_iu8: gfx11 and up

	MAD64   // 32 × 32 + 64 bits: gfx7 and up
	MADU    // v_mad_u64_u32 is its name: gfx7 to gfx11
	MADCO   // v_mad_co_u64_u32 is: gfx12 and up
	FWD     // its result may not overlap its operands: gfx1100 to gfx1103
	ALIGNED // pairs start at even registers: gfx90a, gfx94x, gfx12.5
	ANYPAIR // the addend of MAD64 may be any two registers, and the result too

	LSHLADD // v_lshl_add_u64: gfx94x, gfx12.5
	U64     // v_mul_u64, v_add_nc_u64, v_min_i64, v_mad_nc_u64_u32, v_mad_u32: gfx12.5
	DUAL    // two shifts in one: gfx12.5

	WAIT12  // counters are waited for one by one at entry: gfx12 and up
	SETPC64 // s_set_pc_i64 returns: gfx12.5
	NOPS    // a VALU reads a mask two states after a VALU wrote it: gfx94x
	WAITALU // reads of masks wait: gfx1200, gfx1201

	MADCLAMP // multiply-adds that saturate are trusted: see MadClamp

	SADD   // s_add_u32, s_addc_u32 are the names: gfx6 to gfx11
	SADDCO // s_add_co_u32, s_add_co_ci_u32 are, and s_mul_u64 is there: gfx12 and up
	SMULHI // s_mul_hi_u32, s_pack_ll_b32_b16: gfx9 and up
	FLAT   // s0 to s3 do not describe the stack: gfx94x, gfx11 and up
)

// The generations, each by what it adds to an older one and lacks of it.
const (
	gfx6    = W64 | ADDI | ADDC | OLD | SADD
	gfx7    = gfx6 | MAD64 | MADU | ANYPAIR
	gfx8    = gfx7&^ADDI | CLAMPU | REV64 | PERM | OPS16 | CMP16 | SDWA
	gfx9    = gfx8&^ADDC | CO | ADDNC | CLAMPS | THREE | PACKED | SDWAK | MAD16 | SMULHI
	gfx906  = gfx9 | XNOR
	gfx90a  = gfx906&^ANYPAIR | ALIGNED
	gfx94x  = gfx90a | LSHLADD | NOPS | FLAT
	gfx950  = gfx94x | BITOP3
	gfx10   = gfx906&^(W64|CO|OPS16) | W32 | CI | LIT3 | XOR3
	gfx10_3 = gfx10 | NULL
	gfx11_5 = gfx10_3&^(OLD|SDWA|SDWAK) | NEW | DOT | FLAT
	gfx11   = gfx11_5&^ANYPAIR | FWD
	gfx12   = gfx11_5&^(MADU|SADD) | MADCO | SADDCO | WAIT12 | WAITALU
	gfx12_5 = gfx12&^(ANYPAIR|WAITALU) | ALIGNED | LSHLADD | U64 | BITOP3 | DUAL | SETPC64
)

// featureNames are in the order of the bits.
var featureNames = []string{
	"W64", "W32", "ADDI", "ADDC", "CO", "CI", "OLD", "NEW", "ADDNC", "CLAMPU", "CLAMPS", "REV64", "PERM",
	"THREE", "XNOR", "XOR3", "BITOP3", "LIT3", "NULL", "OPS16", "CMP16", "PACKED", "SDWA", "SDWAK", "MAD16",
	"DOT", "MAD64", "MADU", "MADCO", "FWD", "ALIGNED", "ANYPAIR", "LSHLADD", "U64", "DUAL", "WAIT12", "SETPC64",
	"NOPS", "WAITALU", "MADCLAMP", "SADD", "SADDCO", "SMULHI", "FLAT",
}

// FeatureNames lists the features of a set.
func FeatureNames(f ir.Features) []string { return f.Names(featureNames) }
