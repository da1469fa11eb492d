// Package sem is the one place where meaning is written down: bit-vector terms
// over some twenty primitives. A PTX, LLVM or native instruction means a
// function from terms to terms; evaluation, proof, folding, known bits, SMT-LIB
// text, documentation and portable LLVM IR are all derived from that function.
//
// Terms are hash-consed by their Builder: the same term is the same pointer.
// Widths run from 1 to 128 bits. Signedness is in the primitive, not the term.
package sem

import "slices"

// Op names a primitive.
type Op uint8

// The primitives. Shifts take a count of the operand's width; a count of the
// width or more gives 0, or for Ashr copies of the sign bit.
const (
	OpVar Op = iota
	OpConst
	OpAdd
	OpSub
	OpMul
	OpAnd
	OpOr
	OpXor
	OpNot
	OpNeg
	OpShl
	OpLshr
	OpAshr
	OpConcat  // A[0] is the high part
	OpExtract // bits K.Lo … K.Lo+W-1 of A[0]
	OpZext
	OpSext
	OpEq
	OpUlt
	OpSlt
	OpIte // A[0] is the condition, one bit
	NumOps
)

func (o Op) String() string { return prims[o].name }

// Term is one node. Terms are immutable; compare them with ==.
type Term struct {
	Op   Op
	N    uint8 // number of operands
	W    int   // width in bits
	A    [3]*Term
	K    Val    // OpConst: the value; OpExtract: K.Lo is the lowest bit taken
	Name string // OpVar
	ID   int    // order of creation in its Builder; operands come first
}

// Args are the operands.
func (t *Term) Args() []*Term { return t.A[:t.N] }

// IsConst reports a constant.
func (t *Term) IsConst() bool { return t.Op == OpConst }

func (t *Term) String() string { return Doc(t) }

// Order lists each term below the roots once, roots included, in the order of
// their creation: operands come before what uses them.
func Order(roots ...*Term) []*Term {
	seen := map[*Term]bool{}
	var out []*Term
	var walk func(*Term)
	walk = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		out = append(out, t)
		for _, x := range t.Args() {
			walk(x)
		}
	}
	for _, r := range roots {
		walk(r)
	}
	slices.SortFunc(out, func(a, b *Term) int { return a.ID - b.ID })
	return out
}

// Vars lists the free variables of the roots in the order of their creation.
func Vars(roots ...*Term) []*Term {
	return slices.DeleteFunc(Order(roots...), func(t *Term) bool { return t.Op != OpVar })
}
