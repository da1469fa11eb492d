package nv

import "github.com/ptxlower/ptxlower/ir"

// The features of the generations before sm_70 (research: envytools' gf100,
// gk110, gm107 and tesla tables; ptxas 11.8 and 12.9 on sm_35 to sm_62).
const (
	// CarryFlag: one condition code register, CC, that IADD.X and IMAD.X read;
	// IADD, LOP, BFE, BFI, PRMT, ICMP, ISET, IMNMX, I2I: sm_20 to sm_62.
	CarryFlag ir.Features = 1 << (32 + iota)
	// WordMul: IMUL and IMAD of words at the full rate, ISAD: sm_20 to sm_37.
	WordMul
	// HalfMul: XMAD, which multiplies halves, IADD3, LOP3, LEA.HI and VABSDIFF:
	// sm_50 to sm_62.
	HalfMul
	// Funnel: SHF, which shifts pairs: sm_32 on.
	Funnel
	// VideoWord: VMAD of words: sm_20 to sm_53.
	VideoWord
	// Tesla: 24-bit multiplies and those of register halves, four condition code
	// registers: sm_10 to sm_13.
	Tesla
)

// featureNames are in the order of the bits, those above from bit 32 on.
var featureNames = []string{
	"PredCarry", "SignLogic", "HighMul", "MinMax", "SatCvt", "VectorInt", "Int64", "AbsDiff", "HalfMinMax", "BothCarries",
	32: "CarryFlag", "WordMul", "HalfMul", "Funnel", "VideoWord", "Tesla",
}

// FeatureNames lists the features of a set.
func FeatureNames(f ir.Features) []string { return f.Names(featureNames) }
