package nv

import (
	"strings"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// pipeOf is the pipe of an instruction before sm_70. Instructions have one where
// they cost the same on each generation: alu adds, does logic, selects, multiplies
// halves; mul multiplies words; video does VMAD, video16 that of two halves
// without more; minmax compares into a register, cmp into a predicate; bits is
// BFE and BFI; cvt is I2I, xu counts bits.
func pipeOf(name string) string {
	base, mods, _ := strings.Cut(name, ".")
	switch base {
	case "IMUL", "IMAD":
		return "mul"
	case "SHL", "SHR", "SHF", "ISCADD", "LEA":
		return "shift"
	case "BFE", "BFI":
		return "bits"
	case "IMNMX", "IMIN", "IMAX", "ISET":
		return "minmax"
	case "ISETP", "PSETP", "ICMP":
		return "cmp"
	case "VMAD":
		if mods == "S16.S16" || mods == "S16.U16" || mods == "U16.S16" || mods == "U16.U16" {
			return "video16"
		}
		return "video"
	case "VABSDIFF":
		return "video"
	case "I2I":
		return "cvt"
	case "FLO", "POPC":
		return "xu"
	}
	return "alu"
}

// costsBefore70 are the costs of the pipes and where they are from. An issue slot
// is the time that an addition takes: the guide's results per clock of an
// addition, by those of the instruction, rounded up.
func costsBefore70(arch string) (map[string]mach.Cost, string) {
	const guide = "CUDA C++ Programming Guide: Arithmetic Instructions; "
	type cost = mach.Cost
	switch {
	case arch < "sm_20":
		c := cost{Slots: 1, Latency: 24}
		return map[string]cost{"alu": c, "mul": c, "shift": c, "minmax": c, "cvt": c}, guide + "latency: Mesa nouveau"
	case arch < "sm_30":
		half := cost{Slots: 2, Latency: 24}
		if arch == "sm_21" { // which adds with 48 lanes and multiplies with 16
			half.Slots = 3
		}
		return map[string]cost{"alu": {Slots: 1, Latency: 24}, "mul": half, "shift": half, "bits": half, "minmax": half,
			"cmp": half, "video": half, "video16": half, "cvt": half, "xu": half}, guide + "video as mul: inferred; latency: Mesa nouveau"
	case arch < "sm_50":
		shift := 5 // 32 of 160 a clock
		if arch >= "sm_35" {
			shift = 3 // 64
		}
		mul := cost{Slots: 5, Latency: 15}
		return map[string]cost{"alu": {Slots: 1, Latency: 9, Flags: 13}, "mul": mul, "video": mul, "video16": mul,
			"shift": {Slots: shift, Latency: 9}, "bits": {Slots: shift, Latency: 9}, "minmax": {Slots: 1, Latency: 9},
			"cmp": {Slots: 1, Latency: 13}, "cvt": {Slots: 2}, "xu": {Slots: 5}}, guide + "video as mul: inferred; latency: Mesa NAK"
	}
	cvt := 4 // 32 of 128 a clock, or 16 of 64
	if arch == "sm_61" || arch == "sm_62" {
		cvt = 8
	}
	alu, shift := cost{Slots: 1, Latency: 6, Flags: 13}, cost{Slots: 2, Latency: 6, Flags: 13}
	// No figure is published of how often the word multiplier issues. ptxas writes
	// five instructions rather than IMAD.HI, so that it takes more than five slots,
	// and IMAD.HI.SAT rather than those five and IADD.SAT: no more than six.
	mul := cost{Slots: 6, Latency: 86}
	return map[string]cost{"alu": alu, "mul": mul, "shift": shift, "bits": shift, "minmax": shift, "cmp": {Slots: 2, Latency: 13},
			"video": shift, "video16": alu, "cvt": {Slots: cvt}, "xu": {Slots: 4}},
		guide + "maxas: instruction classes; latency of mul: Jia et al. 2018; slots of mul: inferred from what ptxas 12.9 prefers"
}

// maxwellOthers are no better in issue slots than the rules. IMAD.HI.SAT is one
// instruction, but its result comes late: three times as late as that of halves.
var maxwellOthers = isel.Table{
	// ⌊a·b / 2^32⌋ fits a word, so that only adding c can leave its range.
	isel.R("mad.hi.sat.s32", HalfMul, F_IADD_SAT.Of(signedHalves(a, b).high(zero), c)).Named("mad.hi.sat.s32 by halves"),
	// (a·2^8)·(b·2^8) = t·2^16, whose high word is t<47..16>.
	isel.R("mad24.hi.sat.s32", HalfMul, F_HI_SAT.Of(cc.shl(a, 8), cc.shl(b, 8), c)).Named("mad24.hi.sat.s32 by words"),
}
