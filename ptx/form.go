// Package ptx describes PTX's integer multiply-add family (mul24 mad24, mul
// mad, the carry family, vmad) and the integer instructions that share asm
// bodies with it: forms, legality, meaning, and the grammar of asm bodies.
//
// A Form is an instruction with all its modifiers, operand selectors and
// negations included; it is comparable. What a form means is one function to
// sem terms, in meaning.go; nothing else in the project states it.
package ptx

import "strings"

// Op is an opcode.
type Op uint8

// The opcodes. Those up to Vmad are the family; the rest are its neighbours.
const (
	BadOp Op = iota
	Mul24
	Mad24
	Mul
	Mad
	Add
	Sub
	Addc
	Subc
	Madc
	Vmad

	Mov
	And
	Or
	Xor
	Not
	Cnot
	Lop3
	Shl
	Shr
	Shf
	Prmt
	Bfe
	Bfi
	Setp
	Set
	Selp
	Slct
	Min
	Max
	Abs
	Neg
	Sad
	Cvt
	Clz
	Popc
	Brev
	Bfind
	NumOps
)

var opNames = [NumOps]string{
	Mul24: "mul24", Mad24: "mad24", Mul: "mul", Mad: "mad", Add: "add", Sub: "sub",
	Addc: "addc", Subc: "subc", Madc: "madc", Vmad: "vmad",
	Mov: "mov", And: "and", Or: "or", Xor: "xor", Not: "not", Cnot: "cnot", Lop3: "lop3",
	Shl: "shl", Shr: "shr", Shf: "shf", Prmt: "prmt", Bfe: "bfe", Bfi: "bfi",
	Setp: "setp", Set: "set", Selp: "selp", Slct: "slct", Min: "min", Max: "max",
	Abs: "abs", Neg: "neg", Sad: "sad", Cvt: "cvt", Clz: "clz", Popc: "popc", Brev: "brev", Bfind: "bfind",
}

func (o Op) String() string { return opNames[o] }

// Family reports the multiply-add family, as opposed to its neighbours.
func (o Op) Family() bool { return o >= Mul24 && o <= Vmad }

// Type is an operand type of PTX.
type Type uint8

// The integer types of PTX, and predicates.
const (
	NoType Type = iota
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	B8
	B16
	B32
	B64
	Pred
	numTypes
)

var typeNames = [numTypes]string{"", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "b8", "b16", "b32", "b64", "pred"}

func (t Type) String() string { return typeNames[t] }

// Bits is the width: 1 for a predicate.
func (t Type) Bits() int {
	switch {
	case t == Pred:
		return 1
	case t == NoType:
		return 0
	}
	return 8 << ((t - 1) & 3)
}

// Signed reports .s8 to .s64.
func (t Type) Signed() bool { return t >= S8 && t <= S64 }

// Unsigned reports .u8 to .u64.
func (t Type) Unsigned() bool { return t >= U8 && t <= U64 }

// IntType is the type of a kind ('u', 's' or 'b') and width, NoType if there is none.
func IntType(kind byte, bits int) Type {
	var base Type
	switch kind {
	case 'u':
		base = U8
	case 's':
		base = S8
	case 'b':
		base = B8
	default:
		return NoType
	}
	switch bits {
	case 8, 16, 32, 64:
		for base.Bits() != bits {
			base++
		}
		return base
	}
	return NoType
}

// Mode is the part of a product that is wanted, or the direction of shf.
type Mode uint8

// The modes.
const (
	NoMode Mode = iota
	Lo
	Hi
	Wide
	Left  // shf.l
	Right // shf.r
)

var modeNames = [...]string{"", "lo", "hi", "wide", "l", "r"}

func (m Mode) String() string { return modeNames[m] }

// Sel is a vmad operand selector.
type Sel uint8

// The selectors: the whole word, a byte, a half.
const (
	Word Sel = iota
	B0
	B1
	B2
	B3
	H0
	H1
	NumSels
)

var selNames = [NumSels]string{"", "b0", "b1", "b2", "b3", "h0", "h1"}

func (s Sel) String() string { return selNames[s] }

// Range is the lowest bit and the width in bits of the selected part.
func (s Sel) Range() (lo, width int) {
	switch {
	case s == Word:
		return 0, 32
	case s <= B3:
		return 8 * int(s-B0), 8
	}
	return 16 * int(s-H0), 16
}

// Cmp is a comparison of setp and set.
type Cmp uint8

// The comparisons; LoU to HsU stand for Lt, Le, Gt, Ge and are for unsigned
// types only, bit types have Eq and Ne only (PTX ISA 9.7.6.2).
const (
	NoCmp Cmp = iota
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LoU
	LsU
	HiU
	HsU
)

var cmpNames = [...]string{"", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}

func (c Cmp) String() string { return cmpNames[c] }

// BoolOp combines a comparison with a predicate in setp and set.
type BoolOp uint8

// The combinations.
const (
	NoBool BoolOp = iota
	BoolAnd
	BoolOr
	BoolXor
)

var boolNames = [...]string{"", "and", "or", "xor"}

func (o BoolOp) String() string { return boolNames[o] }

// PermMode is a mode of prmt other than the default.
type PermMode uint8

// The modes of prmt (PTX ISA 9.7.9.7).
const (
	NoPerm PermMode = iota
	F4E
	B4E
	RC8
	ECL
	ECR
	RC16
)

var permNames = [...]string{"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}

func (m PermMode) String() string { return permNames[m] }

// Form is an instruction with everything that decides what it computes.
type Form struct {
	Op         Op
	Mode       Mode
	T, A, B    Type // in the order written: vmad.T.A.B, cvt.T.A, set.T.A, slct.T.A; others only T
	CC         bool // writes CC.CF
	Sat        bool
	PO         bool  // vmad: +1
	Shr        uint8 // vmad: 0, 7 or 15
	SelA, SelB Sel
	NegA, NegB bool // vmad operands
	NegC       bool
	Cmp        Cmp
	Bool       BoolOp
	Dual       bool // setp p|q: a second result, of the complemented comparison
	Wrap       bool // shf.wrap (else .clamp)
	ShiftAmt   bool // bfind.shiftamt
	Perm       PermMode
	Lut        uint8 // lop3's immLut
	Pack       int8  // mov: n > 0 packs n parts into T, −n unpacks T into n parts
}

// String is the canonical mnemonic, without operands.
func (f Form) String() string { return string(f.append(make([]byte, 0, 32))) }

// append appends the text of String to t.
func (f Form) append(t []byte) []byte {
	t = append(t, f.Op.String()...)
	add := func(s string) {
		if s != "" {
			t = append(append(t, '.'), s...)
		}
	}
	on := func(b bool, s string) {
		if b {
			add(s)
		}
	}
	add(f.Mode.String())
	if f.Op == Shf {
		on(f.Wrap, "wrap")
		on(!f.Wrap, "clamp")
	}
	add(f.Cmp.String())
	add(f.Bool.String())
	on(f.ShiftAmt, "shiftamt")
	on(f.Sat && f.Op != Vmad, "sat")
	on(f.CC, "cc")
	add(f.T.String())
	add(f.A.String())
	add(f.B.String())
	on(f.PO, "po")
	on(f.Sat && f.Op == Vmad, "sat")
	switch f.Shr {
	case 7:
		add("shr7")
	case 15:
		add("shr15")
	}
	add(f.Perm.String())
	return t
}

// Operands is the operand list in the manual's letters: "d, -a.h0, b, c".
func (f Form) Operands() string {
	names := []string{"a", "b", "c", "e"}
	var sb strings.Builder
	switch {
	case f.Pack < 0:
		sb.WriteString("{" + strings.Join([]string{"d0", "d1", "d2", "d3"}[:-f.Pack], ", ") + "}")
	case f.Dual:
		sb.WriteString("p|q")
	case f.T == Pred || f.Op == Setp:
		sb.WriteString("p")
	default:
		sb.WriteString("d")
	}
	if f.Pack > 0 {
		sb.WriteString(", {" + strings.Join(names[:f.Pack], ", ") + "}")
		return sb.String()
	}
	for i := range f.Ins() {
		sb.WriteString(", ")
		if i == 0 && f.NegA || i == 1 && f.NegB || i == 2 && f.NegC {
			sb.WriteByte('-')
		}
		sb.WriteString(names[i])
		switch {
		case i == 0 && f.SelA != Word:
			sb.WriteString("." + f.SelA.String())
		case i == 1 && f.SelB != Word:
			sb.WriteString("." + f.SelB.String())
		}
	}
	if f.Op == Lop3 {
		sb.WriteString(", immLut")
	}
	return sb.String()
}

// Name is the mnemonic with the operand pattern where the latter says more:
// "vmad.s32.s32.u32.sat a.h0, -b, c". It identifies the form.
func (f Form) Name() string {
	if f.SelA|f.SelB != Word || f.NegA || f.NegB || f.NegC {
		return f.String() + " " + strings.TrimPrefix(f.Operands(), "d, ")
	}
	switch {
	case f.Op == Lop3:
		const hex = "0123456789abcdef"
		return f.String() + " 0x" + string([]byte{hex[f.Lut>>4], hex[f.Lut&15]})
	case f.Dual, f.Pack != 0:
		return f.String() + " " + f.Operands()
	}
	return f.String()
}

// wide is T with twice the width.
func wide(t Type) Type { return t + 1 }

// Ins are the types of the source operands, in order, without the carry.
func (f Form) Ins() []Type {
	t := f.T
	switch f.Op {
	case Mul24, Mul, Add, Sub, Addc, Subc, And, Or, Xor, Min, Max:
		if f.OfHalves() {
			return []Type{B32, B32}
		}
		return []Type{t, t}
	case Mad24, Sad:
		return []Type{t, t, t}
	case Mad, Madc:
		if f.OfHalves() {
			return []Type{B32, B32, wide(t)}
		}
		if f.Mode == Wide {
			return []Type{t, t, wide(t)}
		}
		return []Type{t, t, t}
	case Vmad:
		return []Type{f.A, f.B, U32}
	case Mov:
		switch {
		case f.Pack > 0:
			return parts(t, int(f.Pack))
		}
		return []Type{t}
	case Not, Cnot, Abs, Neg, Clz, Popc, Brev, Bfind:
		return []Type{t}
	case Cvt:
		return []Type{f.A}
	case Lop3, Prmt:
		return []Type{B32, B32, B32}
	case Shl, Shr:
		return []Type{t, U32}
	case Shf:
		return []Type{B32, B32, U32}
	case Bfe:
		return []Type{t, U32, U32}
	case Bfi:
		return []Type{t, t, U32, U32}
	case Setp:
		if f.Bool != NoBool {
			return []Type{t, t, Pred}
		}
		return []Type{t, t}
	case Set:
		if f.Bool != NoBool {
			return []Type{f.A, f.A, Pred}
		}
		return []Type{f.A, f.A}
	case Selp:
		return []Type{t, t, Pred}
	case Slct:
		return []Type{t, t, f.A}
	}
	return nil
}

func parts(t Type, n int) []Type {
	p := make([]Type, n)
	for i := range p {
		p[i] = IntType('b', t.Bits()/n)
	}
	return p
}

// Outs are the types of the results, in order, without the carry.
func (f Form) Outs() []Type {
	switch f.Op {
	case Mul, Mad, Madc:
		if f.Mode == Wide {
			return []Type{wide(f.T)}
		}
	case Mov:
		if f.Pack < 0 {
			return parts(f.T, -int(f.Pack))
		}
	case Setp:
		if f.Dual {
			return []Type{Pred, Pred}
		}
		return []Type{Pred}
	case Clz, Popc, Bfind:
		return []Type{U32}
	}
	return []Type{f.T}
}

// ReadsCF reports the instructions with a carry in.
func (f Form) ReadsCF() bool { return f.Op == Addc || f.Op == Subc || f.Op == Madc }

// WritesCF reports the instructions with a carry out.
func (f Form) WritesCF() bool { return f.CC }

// SubFamily reports the instructions whose carry is NOT borrow.
func (f Form) SubFamily() bool { return f.Op == Sub || f.Op == Subc }

// Behaviour is the form that stands for all that compute the same: two
// negations of the product cancel, one is on a, and dtype, which never matters
// (seen: ptxas, all 16,464 forms), names the sign of the result. Forms other
// than vmad are their own.
func (f Form) Behaviour() Form {
	if f.Op == Vmad {
		f.NegA, f.NegB = f.NegA != f.NegB, false
		f.T = S32
		if f.A == U32 && f.B == U32 && !f.NegA && !f.NegC {
			f.T = U32
		}
	}
	return f
}
