// Package ir is the program between the reader and the targets: functions of
// integer SSA values, in which PTX forms are first-class operations and a carry
// is an ordinary value of type i1.
//
// Invariants, checked by Verify: a value is defined once and dominates its
// uses; widths agree with the operation's signature; a phi has one operand for
// each predecessor, in the order of Block.Preds.
package ir

import (
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Op is an operation.
type Op uint8

// The operations: what a function starts from, PTX, and LLVM's integer
// instructions. Shifts read the low 32 bits of their count, and a count of the
// width or more gives what sem's shifts give; both refine LLVM's poison.
const (
	BadOp  Op = iota
	Param     // Index: which
	Const     // K
	Undef     // any value; reads as 0 when evaluated
	PTX       // Form; with several results the value is the first of them
	Result    // Index: which result of Args[0], 1 and up
	Phi       // Args follow Block.Preds
	Add       // LLVM's integer instructions from here on
	Sub
	Mul
	And
	Or
	Xor
	Shl
	LShr
	AShr
	ICmp // Pred
	Select
	ZExt
	SExt
	Trunc
	NumOps
)

// Pred is an icmp predicate.
type Pred uint8

// The predicates, in LLVM's words.
const (
	NoPred Pred = iota
	EQ
	NE
	UGT
	UGE
	ULT
	ULE
	SGT
	SGE
	SLT
	SLE
)

var predNames = [...]string{"", "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"}

// String is the word of LLVM IR: "ult".
func (p Pred) String() string { return predNames[p] }

// PredNamed is the predicate of an LLVM word, NoPred for another word.
func PredNamed(s string) Pred {
	for i, n := range predNames {
		if i > 0 && n == s {
			return Pred(i)
		}
	}
	return NoPred
}

type meaning func(b *sem.Builder, v *Value, in []*sem.Term) *sem.Term

func binary(f func(*sem.Builder, *sem.Term, *sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, _ *Value, in []*sem.Term) *sem.Term { return f(b, in[0], in[1]) }
}

func shift(f func(*sem.Builder, *sem.Term, *sem.Term) *sem.Term) meaning {
	return func(b *sem.Builder, _ *Value, in []*sem.Term) *sem.Term {
		n := in[1]
		return f(b, in[0], b.Zext(b.Zext(n, min(n.W, 32)), n.W))
	}
}

// ops: the name in the text form, the number of operands (−1: any), the meaning.
var ops = [NumOps]struct {
	name    string
	args    int
	meaning meaning
}{
	Param:  {"param", 0, nil},
	Const:  {"const", 0, nil},
	Undef:  {"undef", 0, nil},
	PTX:    {"ptx", -1, nil},
	Result: {"result", 1, nil},
	Phi:    {"phi", -1, nil},
	Add:    {"add", 2, binary((*sem.Builder).Add)},
	Sub:    {"sub", 2, binary((*sem.Builder).Sub)},
	Mul:    {"mul", 2, binary((*sem.Builder).Mul)},
	And:    {"and", 2, binary((*sem.Builder).And)},
	Or:     {"or", 2, binary((*sem.Builder).Or)},
	Xor:    {"xor", 2, binary((*sem.Builder).Xor)},
	Shl:    {"shl", 2, shift((*sem.Builder).Shl)},
	LShr:   {"lshr", 2, shift((*sem.Builder).Lshr)},
	AShr:   {"ashr", 2, shift((*sem.Builder).Ashr)},
	ICmp:   {"icmp", 2, icmp},
	Select: {"select", 3, func(b *sem.Builder, _ *Value, in []*sem.Term) *sem.Term { return b.Ite(in[0], in[1], in[2]) }},
	ZExt:   {"zext", 1, func(b *sem.Builder, v *Value, in []*sem.Term) *sem.Term { return b.Zext(in[0], v.W) }},
	SExt:   {"sext", 1, func(b *sem.Builder, v *Value, in []*sem.Term) *sem.Term { return b.Sext(in[0], v.W) }},
	Trunc:  {"trunc", 1, func(b *sem.Builder, v *Value, in []*sem.Term) *sem.Term { return b.Bits(in[0], v.W-1, 0) }},
}

func icmp(b *sem.Builder, v *Value, in []*sem.Term) *sem.Term {
	x, y := in[0], in[1]
	switch v.Pred {
	case EQ:
		return b.Eq(x, y)
	case NE:
		return b.Ne(x, y)
	case UGT:
		return b.Ult(y, x)
	case UGE:
		return b.Not(b.Ult(x, y))
	case ULT:
		return b.Ult(x, y)
	case ULE:
		return b.Not(b.Ult(y, x))
	case SGT:
		return b.Slt(y, x)
	case SGE:
		return b.Not(b.Slt(x, y))
	case SLT:
		return b.Slt(x, y)
	}
	return b.Not(b.Slt(y, x))
}

// String is the word of the text form: "add", "ptx".
func (o Op) String() string { return ops[o].name }

// LLVM reports an LLVM instruction, as opposed to PTX and structure.
func (o Op) LLVM() bool { return o >= Add }

// Value is one SSA value.
type Value struct {
	ID      int
	Op      Op
	W       int // bits: 1 for carries and predicates, up to 128
	Args    []*Value
	Form    ptx.Form // PTX
	K       sem.Val  // Const
	Pred    Pred     // ICmp
	Index   int      // Param, Result
	Uniform bool     // Param: the same in all lanes of a wave
	Name    string   // for people; may be empty
	Off     int      // where it comes from: offset in the source file, −1 for nowhere
	Block   *Block
}

// Meaning gives the results of the value's operation on given operands: one
// term, or for a PTX form as many as it has results.
func (v *Value) Meaning(b *sem.Builder, in []*sem.Term, m ptx.Model) []*sem.Term {
	switch v.Op {
	case Const:
		return []*sem.Term{b.Const(v.K, v.W)}
	case Undef:
		return []*sem.Term{b.U(0, v.W)}
	case PTX:
		return v.Form.Meaning(b, in, m)
	}
	return []*sem.Term{ops[v.Op].meaning(b, v, in)}
}

// TermKind says how a block ends.
type TermKind uint8

// The terminators.
const (
	NoTerm TermKind = iota
	Ret             // Args are the results
	Br              // to Succs[0]
	CondBr          // Args[0] ? Succs[0] : Succs[1]
	Unreachable
)

// Block is a basic block.
type Block struct {
	ID    int
	Name  string
	Vals  []*Value // in order; phis first
	Term  TermKind
	Args  []*Value // of the terminator
	Succs []*Block
	Preds []*Block
	Func  *Func
}

// Func is a function. Blocks[0] is the entry.
type Func struct {
	Name    string
	Params  []*Value
	Results []int // widths
	Blocks  []*Block
	Model   ptx.Model // which meaning vmad has
	Consts  []*Value  // constants and undefs, which belong to no block
	values  int
	consts  map[constKey]*Value
}

type constKey struct {
	k sem.Val
	w int
	u bool
}

// NumValues is one more than the largest Value.ID.
func (f *Func) NumValues() int { return f.values }

// StraightLine reports a function of one block that returns.
func (f *Func) StraightLine() bool { return len(f.Blocks) == 1 && f.Blocks[0].Term == Ret }

// Features is a set of the properties of a target that steer rules and passes.
// The bits are given out by the target families.
type Features uint64

// Has reports that every feature of x is in f.
func (f Features) Has(x Features) bool { return f&x == x }

// Names are those of the features in the set, given the name of each bit.
func (f Features) Names(of []string) []string {
	var out []string
	for i, name := range of {
		if name != "" && f>>i&1 == 1 {
			out = append(out, name)
		}
	}
	return out
}
