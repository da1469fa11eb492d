package llvm

import (
	"slices"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// Targets are the profiles of portable IR. All compute the same on every
// machine that LLVM knows; they differ in the width of the words that they add
// with carry, and in what they do for AMD's GPUs that take parts of registers as
// operands (SDWA).
func Targets() []*isel.Target {
	return []*isel.Target{
		target("generic", 32, false, "llvm"),
		target("generic64", 64, false),
		target("generic-sdwa", 32, true),
	}
}

func target(name string, limb i, sdwa bool, aliases ...string) *isel.Target {
	return &isel.Target{
		Name: name, Family: "llvm", Aliases: aliases, Machine: machine, Print: Print, Line: Line,
		Rules: slices.Concat(carryRules(limb), mulRules, vmadRules(sdwa), constantRules, shiftRules, neighbourRules, derivedRules),
	}
}

// machine has a register class for each width; a value fills its register.
var machine = &mach.Machine{
	ClassOf: func(bits int) (mach.Class, bool) { return class(bits), bits >= 1 && bits <= 128 },
	Const:   func(c mach.Class) *mach.Op { return copyOp(c) },
	Copy:    func(c mach.Class) *mach.Op { return copyOp(c) },
	BoolIn:  func(x mach.Expr) mach.Expr { return x },
	BoolOut: func(x mach.Expr) mach.Expr { return x },
	SSA:     true,
}
