// Package nv describes NVIDIA's targets: the native integer instructions of
// each generation as rows, the rules that choose among them, registers and the
// calling convention, and listings as nvdisasm prints them.
//
// A generation is a set of features. A row says what it needs, a rule too; a
// newer generation is a line in targets.go, rows for what is new, and rules that
// stand before those that they better.
package nv

import "github.com/ptxlower/ptxlower/ir"

// The features that rows and rules ask for (seen: ptxas 11.8, 12.9, 13.5).
const (
	// PredCarry: carries are predicates, IADD3(.X), IMAD.WIDE(.U32)(.X), IMAD.X,
	// LOP3, PRMT, SHF, SGXT, LEA.HI and IDP are there: sm_70 on.
	PredCarry ir.Features = 1 << iota
	// SignLogic: PLOP3 reads the sign of registers, Rn.SIGN: sm_70 to sm_110.
	SignLogic
	// HighMul: IMAD.HI(.U32), which adds a register pair: sm_72 on.
	HighMul
	// MinMax: IMNMX: sm_50 to sm_62, sm_72 to sm_89, sm_110.
	MinMax
	// SatCvt: I2I.SAT: sm_50 to sm_62, sm_72 on.
	SatCvt
	// VectorInt: VIADD and VIMNMX: sm_90, sm_100, sm_103.
	VectorInt
	// Int64: IADD.64(.X), IMNMX.S64, ISETP.S64, VIADD.S32.ISAT: sm_120, sm_121.
	Int64
)
