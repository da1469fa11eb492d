package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// returnAddress is the pair that a called function returns to.
const returnAddress = 20

// volta is the register machine of sm_70 and later: R0 … R254 of 32 bits, RZ
// being 0, and P0 … P6, PT being 1. R1 is the stack pointer and R20, R21 hold
// the return address; neither is allocated. Parameters and results go from R4
// on, a pair at an even register (seen: functions that ptxas 12.9 compiles for
// sm_70).
var volta = &mach.Machine{
	ClassOf: func(bits int) (mach.Class, bool) {
		switch {
		case bits == 1:
			return p1, true
		case bits > 1 && bits <= 32:
			return r32, true
		case bits > 32 && bits <= 64:
			return r64, true
		}
		return mach.Class{}, false
	},
	Const: func(c mach.Class) *mach.Op {
		if c.Bank == mach.Predicate {
			return PMOV_K
		}
		return MOV_K
	},
	Copy: func(c mach.Class) *mach.Op {
		if c.Bank == mach.Predicate {
			return PMOV
		}
		return MOV
	},
	BoolIn:  func(x expr) expr { return isU(ptx.Ne, x, zero) },
	BoolOut: bit,
	Combine: combineCarries,
	Banks: [mach.NumBanks]mach.BankInfo{
		mach.General:   {Order: generalRegisters(), Unit: 32},
		mach.Predicate: {Order: predicates, Unit: 1},
	},
	Params:    4,
	Reserved:  []int16{returnAddress, returnAddress + 1},
	PairAlign: 2,
}

// predicates are P0 … P6.
var predicates = []int16{0, 1, 2, 3, 4, 5, 6}

// generalRegisters lists R0, R2 … R254 but the return address.
func generalRegisters() []int16 {
	var order []int16
	for r := range int16(255) {
		if r != 1 && r != returnAddress && r != returnAddress+1 {
			order = append(order, r)
		}
	}
	return order
}
