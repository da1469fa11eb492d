// Package nv describes NVIDIA's targets: the native integer instructions of
// each generation as rows, the rules that choose among them, registers and the
// calling convention, and listings as nvdisasm prints them.
//
// A generation is a set of features. A row says what it needs. From sm_70 on the
// rules of a generation are made for its features (isa): they choose the row that
// is best among those it has, and a newer generation is a line in targets.go,
// rows for what is new and a case in isa.go.
package nv

import "github.com/ptxlower/ptxlower/ir"

// The features that rows and rules ask for (seen: ptxas 11.8, 12.9, 13.5).
const (
	// PredCarry: carries are predicates, IADD3(.X), IMAD.WIDE(.U32)(.X), IMAD.X,
	// LOP3, PRMT, SHF, SGXT, LEA, LEA.HI and IDP are there: sm_70 on.
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
	// Int64: IADD(.X), IADD.64(.X), IMNMX.S64, ISETP.S64, VIMNMX.S32 and
	// VIADD.S32.ISAT: sm_120, sm_121.
	Int64
	// AbsDiff: VABSDIFF: sm_50 to sm_110.
	AbsDiff
	// HalfMinMax: VIMNMX.S16x2: sm_90, sm_100, sm_103, sm_120, sm_121.
	HalfMinMax
	// BothCarries: listings of IADD3 name both carries out, and those of VIMNMX
	// both of its predicates, PT where unused: sm_100 on.
	BothCarries
)

// The sets of features that several targets have in common.
const (
	voltaSet     = PredCarry | SignLogic | AbsDiff
	turingSet    = voltaSet | HighMul | MinMax | SatCvt
	hopperSet    = voltaSet | HighMul | SatCvt | VectorInt | HalfMinMax
	thorSet      = turingSet | BothCarries
	blackwellSet = hopperSet | BothCarries
	geforceSet   = PredCarry | HighMul | SatCvt | Int64 | HalfMinMax | BothCarries
)
