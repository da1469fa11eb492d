package mach

import (
	"github.com/ptxlower/ptxlower/sem"
)

// Reg is a virtual register of a Func; NoReg stands for a constant.
type Reg int32

// NoReg is the register of a constant operand.
const NoReg Reg = -1

// Sub is a part of a register pair.
type Sub uint8

// The parts.
const (
	Whole Sub = iota
	Low
	High
)

// Operand is a register, half of a pair, or a constant.
type Operand struct {
	Reg  Reg
	Sub  Sub
	Not  bool    // a predicate read complemented
	K    sem.Val // where Reg is NoReg: the constant, cut to Bits
	Bits uint8
}

// R is a whole register.
func (f *Func) R(r Reg) Operand { return Operand{Reg: r, Bits: f.Classes[r].Bits} }

// Imm is a constant of some bits.
func Imm(k sem.Val, bits int) Operand {
	return Operand{Reg: NoReg, K: k.Cut(bits), Bits: uint8(bits)}
}

// IsConst reports a constant.
func (o Operand) IsConst() bool { return o.Reg == NoReg }

// Inst is one native instruction. Under a guard that is false the results keep
// what their registers held.
type Inst struct {
	Op    *Op
	Out   []Operand
	In    []Operand
	Guard *Operand
	Move  bool // copies a register; not counted as an op
	Off   int  // position in the source, −1 for none
}

// TermKind says how a block ends.
type TermKind uint8

// The terminators.
const (
	Ret TermKind = iota
	Jump
	CondJump    // to Succs[0] if Cond, else to Succs[1]
	Trap        // unreachable
	Fallthrough // nothing: a sequence that is part of something else
)

// Phi is a value that depends on the edge by which its block was entered.
type Phi struct {
	Out Reg
	In  []Operand // in the order of Preds
}

// Block is a basic block.
type Block struct {
	ID    int
	Name  string
	Phis  []Phi
	Insts []Inst
	Term  TermKind
	Cond  Operand
	Ret   []Operand // results, in order
	Succs []*Block
	Preds []*Block
}

// Func is a native function over virtual registers.
type Func struct {
	Name    string
	Kernel  bool   // is launched, not called
	Note    string // a remark for the listing's first line; may be empty
	Blocks  []*Block
	Classes []Class  // of each virtual register
	Names   []string // for people; "" for temporaries
	Params  []Reg
	Phys    []int16 // physical register of each virtual one after Allocate; the low one of a pair
}

// NewReg makes a virtual register.
func (f *Func) NewReg(c Class, name string) Reg {
	f.Classes = append(f.Classes, c)
	f.Names = append(f.Names, name)
	return Reg(len(f.Classes) - 1)
}

// Count gives the number of ops and of register moves; slots for issue.
func (f *Func) Count() (ops, moves int) {
	for _, b := range f.Blocks {
		for i := range b.Insts {
			if b.Insts[i].Move {
				moves++
			} else {
				ops++
			}
		}
	}
	return
}

// Registers counts the registers of the General bank that the function touches,
// in units of one register.
func (f *Func) Registers(m *Machine) int {
	seen := map[int16]bool{}
	touch := func(o Operand) {
		if o.Bits == 0 || o.IsConst() || f.Classes[o.Reg].Bank != General {
			return
		}
		if f.Phys == nil || f.Phys[o.Reg] < 0 {
			seen[int16(o.Reg)] = true
			return
		}
		for u := range m.Units(f.Classes[o.Reg]) {
			seen[f.Phys[o.Reg]+u] = true
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			for _, o := range b.Insts[i].Out {
				touch(o)
			}
			b.Insts[i].reads(touch)
		}
	}
	return len(seen)
}
