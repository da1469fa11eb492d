// Package amd holds AMD's GPUs: instruction tables, rules, machines and
// listings. gfx900 is here; the rest of gfx6 to gfx12.5 are more features and
// rows of the same tables.
//
// Rows carry the names that gfx9 gives them. A per-lane bit, a carry or a
// predicate, is a lane mask in VCC or a pair of SGPRs.
package amd

import "github.com/ptxlower/ptxlower/ir"

// What tells AMD's generations apart (seen: llvm-mc 22 on gfx600 … gfx1250).
const (
	MAD64  ir.Features = 1 << iota // v_mad_u64_u32, v_mad_i64_i32: gfx7 and up
	SDWA                           // parts of registers as operands: gfx8 to gfx10
	OPS16                          // 16-bit ops that clear the upper half: gfx8, gfx9
	PERM                           // v_perm_b32: gfx8 and up
	CLAMPU                         // unsigned saturating v_add_u32, v_sub_u32: gfx8 and up
	CLAMPS                         // signed saturating v_add_i32, v_sub_i32: gfx9 and up
	ADDNC                          // adds that leave VCC alone: gfx9 and up
	CO                             // the carry ops of gfx9: _co_ in their names, 4 bytes with VCC
	THREE                          // v_add3, v_lshl_or, v_and_or, v_or3, v_xad: gfx9 and up
	MAD16                          // v_mad_u32_u16, v_mad_i32_i16 with op_sel: gfx9 and up
)

// gfx9 is what gfx900 has, and what every later gfx9 has too.
const gfx9 = MAD64 | SDWA | OPS16 | PERM | CLAMPU | CLAMPS | ADDNC | CO | THREE | MAD16
