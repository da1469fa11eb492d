package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// vcc is the number of VCC, and of VCC_LO, among the masks; the others are
// numbered by their SGPR, or the lower of two. null is no register.
const (
	vcc  = 106
	null = 124
)

// argWords is how many registers carry parameters, and how many results; more
// would lie on the stack (LLVM's C calling convention).
const argWords = 32

// The machines: by the lanes of a wave, where pairs may start, and where uniform
// parameters do.
var machines = map[ir.Features]*mach.Machine{
	W64:                  machine(W64|ADDI|ADDC|OLD, 1),
	W64 | ALIGNED:        machine(W64|CO|OLD, 2),
	W64 | ALIGNED | FLAT: machine(W64|CO|OLD|FLAT, 2),
	0:                    machine(W32|CI|OLD|LIT3, 1),
	FLAT:                 machine(W32|CI|NEW|LIT3|FLAT, 1),
	FLAT | ALIGNED:       machine(W32|CI|NEW|LIT3|FLAT, 2),
}

func machineOf(f ir.Features) *mach.Machine { return machines[f&(W64|ALIGNED|FLAT)] }

// machine is that of targets with some features, which decide on the rows of
// moves and masks.
func machine(f ir.Features, pairAlign int16) *mach.Machine {
	on := func(o *op) *mach.Op { return o.on(f).row }
	different, pick := on(v_cmp[cmpKey{ptx.Ne, false}]), on(v_cndmask_b32)
	step, bus := int16(2), 1
	if f.Has(W32) {
		step, bus = 1, 2
	}
	return &mach.Machine{
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
			switch c {
			case mask:
				return on(s_mov_k)
			case sc32:
				return on(s_word_k)
			}
			return on(v_mov_b32_k)
		},
		Copy: func(c mach.Class) *mach.Op {
			switch c {
			case mask:
				return on(s_mov)
			case sc32:
				return on(s_word)
			}
			return on(v_mov_b32)
		},
		Complement: func(mach.Class) *mach.Op { return on(s_not) },

		ScalarOf: func(bits int) (mach.Class, bool) {
			switch {
			case bits <= 32:
				return sc32, true
			case bits <= 64:
				return sc64, true
			}
			return mach.Class{}, false
		},
		ScalarParams: scalarParams(f),
		Bus:          bus,
		NotZero:      func(x mach.Expr) mach.Expr { return on(s_cmp[cmpKey{ptx.Ne, false}]).Of(x, mach.K(0)) },
		IsZero:       func(x mach.Expr) mach.Expr { return on(s_cmp[cmpKey{ptx.Eq, false}]).Of(x, mach.K(0)) },
		Bit:          func(x mach.Expr) mach.Expr { return on(s_cselect_b32).Of(mach.K(1), mach.K(0), x) },

		Masks:   true,
		BoolIn:  func(x mach.Expr) mach.Expr { return different.Of(mach.K(0), x) },
		BoolOut: func(x mach.Expr) mach.Expr { return pick.Of(mach.K(0), mach.K(1), x) },
		Banks: [mach.NumBanks]mach.BankInfo{
			mach.General:   {Order: vgprs(), Unit: 32},
			mach.Predicate: {Order: masks(step), Unit: 1, Span: step},
			mach.Carry:     {Order: []int16{sccNumber}, Unit: 1},
			mach.Scalar:    {Order: sgprs(f), Unit: 32, Span: 1},
		},
		Params:    0,
		PairAlign: pairAlign,
	}
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

// masks are VCC and the caller-saved SGPRs: s4 to s29. s[0:3] describe the
// stack, s[30:31] hold the return address, s32 and up are the callee's to save.
func masks(step int16) []int16 {
	order := []int16{vcc}
	for n := int16(4); n < 30; n += step {
		order = append(order, n)
	}
	return order
}

// sccNumber is the number of SCC, the one register of its bank.
const sccNumber = 253

// scalarParams are the words in which LLVM's C calling convention passes
// parameters that are inreg, in order (seen: llc 22). The others that the caller
// saves are taken up by what it passes besides.
func scalarParams(f ir.Features) []int16 {
	var order []int16
	if f.Has(FLAT) {
		order = []int16{0, 1, 2, 3}
	}
	for n := int16(16); n < 30; n++ {
		order = append(order, n)
	}
	return order
}

// sgprs are the caller-saved SGPRs, those that masks take first last.
func sgprs(f ir.Features) []int16 {
	var order []int16
	for n := int16(16); n < 30; n++ {
		order = append(order, n)
	}
	for n := int16(15); n >= 4; n-- {
		order = append(order, n)
	}
	if f.Has(FLAT) {
		order = append(order, 0, 1, 2, 3)
	}
	return order
}
