package amd

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vcc is the number of VCC among the masks; the others are numbered by the
// lower of their two SGPRs.
const vcc = 106

// argWords is how many registers carry parameters, and how many results; more
// would lie on the stack (LLVM's C calling convention).
const argWords = 32

// wave64 is the machine of the generations before gfx10 whose pairs may start
// at any register.
var wave64 = &mach.Machine{
	ClassOf: func(bits int) (mach.Class, bool) {
		switch {
		case bits == 1:
			return mask, true
		case bits <= 32:
			return r32, true
		case bits <= 64:
			return r64, true
		}
		return mach.Class{}, false
	},
	Const: func(c mach.Class) *mach.Op {
		if c == mask {
			return s_mov_b64_k
		}
		return v_mov_b32_k
	},
	Copy: func(c mach.Class) *mach.Op {
		if c == mask {
			return s_mov_b64
		}
		return v_mov_b32
	},
	Complement: func(mach.Class) *mach.Op { return s_not_b64 },

	BoolIn:  func(x expr) expr { return cmp(ptx.Ne, false, k(0), x) },
	BoolOut: func(x expr) expr { return pick(x, k(1), k(0)) },
	Banks: [mach.NumBanks]mach.BankInfo{
		mach.General:   {Order: vgprs(), Unit: 32},
		mach.Predicate: {Order: masks(), Unit: 1},
	},
	Params:    0,
	PairAlign: 1,
}

// vgprs are the caller-saved registers of LLVM's C calling convention: v0 to
// v39, and from v40 on every other eight (seen: llc 22 saves v40–47, v56–63 …).
func vgprs() []int16 {
	var order []int16
	for n := int16(0); n < 256; n++ {
		if n < 40 || n&8 == 0 {
			order = append(order, n)
		}
	}
	return order
}

// masks are VCC and the caller-saved pairs: s4 to s29. s[0:3] describe the
// stack, s[30:31] hold the return address, s32 and up are the callee's to save.
func masks() []int16 {
	order := []int16{vcc}
	for n := int16(4); n < 30; n += 2 {
		order = append(order, n)
	}
	return order
}
