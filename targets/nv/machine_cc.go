package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// flag is the carry in CC, of which there is one.
var flag = mach.Class{Bank: mach.Carry, Bits: 1}

// fermi and kepler are the register machines of sm_20 to sm_30, with R0 … R62,
// and of sm_32 to sm_62, with R0 … R254; P0 … P6 on both. RZ is 0, R1 the stack
// pointer. Calls keep the return address on a stack of their own. Parameters
// and results go from R4 on, a pair at an even register (seen: functions that
// ptxas 12.9 compiles for sm_50).
var fermi, kepler = ccMachine(63), ccMachine(255)

func ccMachine(registers int16) *mach.Machine {
	m := &mach.Machine{
		ClassOf: volta.ClassOf,
		Const: func(c mach.Class) *mach.Op {
			if c.Bank == mach.Predicate {
				return F_PMOV_K
			}
			return F_MOV_K
		},
		Copy: func(c mach.Class) *mach.Op {
			if c.Bank == mach.Predicate {
				return F_PMOV
			}
			return F_MOV
		},
		BoolIn:    func(x expr) expr { return cc.isU(ptx.Ne, x, zero) },
		BoolOut:   cc.bit,
		Carry:     flag,
		SaveCarry: cc.save,
		LoadCarry: cc.load,
		Params:    4,
		PairAlign: 2,
	}
	var order []int16
	for r := range registers {
		if r != 1 {
			order = append(order, r)
		}
	}
	m.Banks[mach.General] = mach.BankInfo{Order: order, Unit: 32}
	m.Banks[mach.Predicate] = mach.BankInfo{Order: []int16{0, 1, 2, 3, 4, 5, 6}, Unit: 1}
	m.Banks[mach.Carry] = mach.BankInfo{Order: []int16{0}, Unit: 1}
	return m
}

// g80 is the register machine of sm_10 to sm_13: R0 … R63, the registers whose
// halves can be named and which instructions with literals can; R124 is 0. C1 and
// C2 guard; a branch tests its bit with C3.
var g80 = func() *mach.Machine {
	m := &mach.Machine{
		ClassOf: func(bits int) (mach.Class, bool) {
			if bits == 1 {
				return r32, true
			}
			return volta.ClassOf(bits)
		},
		Const:     func(mach.Class) *mach.Op { return T_MVI },
		Copy:      func(mach.Class) *mach.Op { return T_MOV },
		BoolIn:    func(x expr) expr { return x },
		BoolOut:   func(x expr) expr { return x },
		Carry:     carry0,
		SaveCarry: te.save,
		LoadCarry: te.load,
		Params:    4,
		PairAlign: 2,
	}
	var order []int16
	for r := range int16(64) {
		order = append(order, r)
	}
	m.Banks[mach.General] = mach.BankInfo{Order: order, Unit: 32}
	m.Banks[mach.Predicate] = mach.BankInfo{Order: []int16{1, 2}, Unit: 1}
	m.Banks[mach.Carry] = mach.BankInfo{Order: []int16{0}, Unit: 32}
	return m
}()
