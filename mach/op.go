// Package mach holds native code as data: rows of instruction tables, rule
// results as graphs of them, programs over virtual registers, and what turns
// those into programs over physical ones. It knows no target; targets fill its
// tables.
package mach

import (
	"fmt"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
)

// Class says what an operand's register is: which bank it is in and how many
// bits it has. A 64-bit class of a bank of 32-bit registers is a pair.
type Class struct {
	Bank Bank
	Bits uint8
}

// Bank numbers the register files of a target; a Machine describes each.
type Bank uint8

// The banks. Portable LLVM IR has only General, with any width.
const (
	General   Bank = iota // R0…, v0…: 32-bit registers
	Predicate             // P0…, or the SGPR pairs and VCC that hold one bit a lane
	Carry                 // CC.CF of Fermi to Pascal, AMD's SCC: one register
	Scalar                // s0…: 32-bit registers that all lanes of a wave have in common
	NumBanks
)

func (b Bank) String() string { return [...]string{"general", "predicate", "carry", "scalar"}[b] }

// Kind is what an input operand of an op may be: a register of the class, or a
// constant that Imm accepts. With Imm nil no constant is accepted.
type Kind struct {
	Class   Class
	Imm     func(k sem.Val) bool
	ImmOnly bool                 // never a register: a LUT, a selector, a shift count in the encoding
	Literal func(k sem.Val) bool // those constants of Imm that use up the op's one literal; nil: all
	Not     bool                 // a complemented register may stand here: !P0
	Scalar  bool                 // a scalar register may stand here, within what the machine's Bus carries
}

// Conf is how sure a row's meaning is.
type Conf uint8

// The degrees of confidence.
const (
	Documented   Conf = iota // in the maker's manual
	Disassembled             // seen in the output of the maker's tools
	Inferred                 // follows from other facts
	Assumed                  // taken to be so and not seen: used only where that is asked for
)

func (c Conf) String() string {
	return [...]string{"documented", "disassembled", "inferred", "assumed"}[c]
}

// Cost is what an instruction costs to issue and to wait for.
type Cost struct {
	Slots   int // issue slots; 0 means 1
	Latency int // cycles from issue to use of the result, 0 where unknown
	Flags   int // the same for a carry or predicate; 0 means Latency
}

// Op is one row of a target's instruction table.
type Op struct {
	Name     string      // as the target's assembler spells it: "IMAD.WIDE.U32", "v_mad_u32_u24"
	Syntax   string      // operands: $d $e are results, $0 $1 … inputs: "$d, $0, $1, $2"
	Out      []Class     // results
	In       []Kind      // inputs
	Commutes bool        // inputs 0 and 1 may be exchanged
	Literals int         // how many Literal constants one instruction may have; 0 means 1
	Needs    ir.Features // what the target must have
	Mul      bool        // uses the multiplier
	Pipe     string      // the unit that executes it, "" where unknown: "alu", "fma"
	Cost                 // where generations that share the row differ in it, a target has the cost of its pipe
	Src      string      // where the meaning is from: "PTX ISA …", "seen: nvdisasm 13.5 sm_90"
	Conf     Conf
	Meaning  func(b *sem.Builder, in []*sem.Term) []*sem.Term // widths: In's and Out's class bits

	// Spoils says that the op overwrites the carry register, not with something
	// that a lane knows.
	Spoils bool

	// EarlyClobber says that no result may lie where an input does, nor right
	// behind one: what lies there may be read with it.
	EarlyClobber bool
}

// Accepts reports whether constant k may stand as input i.
func (o *Op) Accepts(i int, k sem.Val) bool {
	return o.In[i].Imm != nil && o.In[i].Imm(k)
}

// literal reports whether constant k as input i uses up a literal.
func (o *Op) literal(i int, k sem.Val) bool {
	in := &o.In[i]
	return !in.ImmOnly && (in.Literal == nil || in.Literal(k))
}

// Legal reports whether the inputs fit the op: classes, constants, the number
// of literals.
func (o *Op) Legal(in []Operand) error {
	lits, limit := 0, max(o.Literals, 1)
	for i, x := range in {
		switch {
		case x.IsConst() && !o.Accepts(i, x.K):
			return fmt.Errorf("%s: constant %v as operand %d", o.Name, x.K, i)
		case x.IsConst() && o.literal(i, x.K):
			lits++
		case !x.IsConst() && o.In[i].ImmOnly:
			return fmt.Errorf("%s: register as operand %d", o.Name, i)
		case x.Not && !o.In[i].Not && !x.IsConst():
			return fmt.Errorf("%s: complemented operand %d", o.Name, i)
		}
	}
	if lits > limit {
		return fmt.Errorf("%s: %d literals, at most %d", o.Name, lits, limit)
	}
	return nil
}

// Any accepts every constant; Zero only 0; Range a signed or unsigned interval.
func Any(sem.Val) bool    { return true }
func Zero(k sem.Val) bool { return k.IsZero() }
