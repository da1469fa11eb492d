package mach

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// Machine is what selection and allocation need to know of a target besides
// its instruction table and rules.
type Machine struct {
	// ClassOf is the class of registers that hold a value of some bits; a value
	// narrower than its register is zero-extended in it. ok is false for widths
	// that have no register.
	ClassOf func(bits int) (c Class, ok bool)

	// Const is the op with one ImmOnly input that puts a constant into a
	// register of the class; pairs are made of their halves.
	Const func(c Class) *Op

	// Copy is the op that copies a register of the class; pairs are copied by
	// halves.
	Copy func(c Class) *Op

	// Complement is the op that complements a predicate, for operands that cannot
	// be read complemented; nil where all can.
	Complement func(c Class) *Op

	// BoolIn turns a 0/1 register into a predicate, BoolOut the reverse: i1
	// parameters and results travel in general registers.
	BoolIn, BoolOut func(x Expr) Expr

	// Carry is the class of carries where they are no predicates: CC.CF of Fermi
	// to Pascal, the only register of its bank. It is zero where they are.
	// SaveCarry turns a carry into a 0/1 register, LoadCarry the reverse.
	Carry                Class
	SaveCarry, LoadCarry func(x Expr) Expr

	// Combine makes one instruction of several where a target has one; what is not
	// read any more may stay. It may be nil.
	Combine func(f *Func)

	// ScalarOf is the class of scalar registers that hold a value which is the same
	// in all lanes, a bit as 0 or 1; nil where there are none. Parameters of that
	// class lie in ScalarParams, a word each. One instruction of a lane reads at
	// most Bus of them, masks and literals among them. NotZero makes the carry of a
	// word, IsZero its complement, Bit a word of the carry.
	ScalarOf             func(bits int) (c Class, ok bool)
	ScalarParams         []int16
	Bus                  int
	NotZero, IsZero, Bit func(x Expr) Expr

	// Masks says that a predicate register has a bit of every lane: code that runs
	// for some lanes overwrites those of all, so that none lives across blocks.
	Masks bool

	// Banks describes the register files.
	Banks [NumBanks]BankInfo

	// Params is the first general register of parameters and of results.
	Params int16
	// Reserved are general registers from Params on that hold something else, such
	// as the return address.
	Reserved []int16
	// PairAlign is 2 where pairs start at even registers, else 1.
	PairAlign int16

	// SSA says that there are no physical registers: every virtual register is
	// a name (portable LLVM IR).
	SSA bool
}

// BankInfo lists the allocatable registers of a bank, first choice first. Unit
// is how many bits one register has, Span how many registers it takes of a file
// that it shares with other banks; 0 where it has its own.
type BankInfo struct {
	Order []int16
	Unit  uint8
	Span  int16
}

// file is the bank that stands for all with which one shares its registers.
func (m *Machine) file(b Bank) Bank {
	if m.Banks[b].Span > 0 {
		return Predicate
	}
	return b
}

// taken is the number of consecutive registers of its file that a class takes.
func (m *Machine) taken(c Class) int16 { return m.Units(c) * max(m.Banks[c.Bank].Span, 1) }

// aligns reports a bank whose pairs start at even registers.
func (m *Machine) aligns(b Bank) bool { return m.PairAlign == 2 || b == Scalar }

// Units is the number of consecutive registers that a class takes.
func (m *Machine) Units(c Class) int16 {
	if u := m.Banks[c.Bank].Unit; u > 0 && c.Bits > u {
		return int16((c.Bits + u - 1) / u)
	}
	return 1
}

// Layout is where values of some classes are passed or returned: general
// registers from Params on, pairs aligned, past reserved ones; scalars in
// ScalarParams, −1 where they do not fit; other banks in their own order.
func (m *Machine) Layout(cs []Class) []int16 {
	out := make([]int16, len(cs))
	at := m.Params
	var used [NumBanks]int
	words := m.ScalarParams
	for i, c := range cs {
		if c.Bank == Scalar {
			n := int(m.Units(c))
			if out[i] = -1; n <= len(words) {
				out[i] = words[0]
			}
			words = words[min(n, len(words)):]
			continue
		}
		if c.Bank != General {
			out[i] = m.Banks[c.Bank].Order[used[c.Bank]]
			used[c.Bank]++
			continue
		}
		n := m.Units(c)
		if n == 2 && m.PairAlign == 2 {
			at += at & 1
		}
		for slices.Contains(m.Reserved, at) || slices.Contains(m.Reserved, at+n-1) {
			at += n
		}
		out[i] = at
		at += n
	}
	return out
}

// Upper is where the upper half of a pair is passed whose lower half is passed at
// a place: in the next register, or for scalars in the next of ScalarParams.
func (m *Machine) Upper(c Class, at int16) int16 {
	if c.Bank == Scalar {
		if i := slices.Index(m.ScalarParams, at); i >= 0 && i+1 < len(m.ScalarParams) {
			return m.ScalarParams[i+1]
		}
	}
	return at + 1
}

// has reports whether a value of the class can lie at a place.
func (m *Machine) has(c Class, at int16) bool {
	for u := range m.Units(c) {
		if !slices.Contains(m.Banks[c.Bank].Order, at+u) {
			return false
		}
	}
	return true
}

// half is the class of half a pair.
func (c Class) half() Class { return Class{c.Bank, c.Bits / 2} }

// Unsigned accepts constants up to max, given in any width.
func Unsigned(max uint64) func(sem.Val) bool {
	return func(k sem.Val) bool { return k.Hi == 0 && k.Lo <= max }
}
