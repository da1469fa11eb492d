package isel_test

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// A toy machine: 32-bit registers, pairs of them, predicates.
var (
	word  = mach.Class{Bank: mach.General, Bits: 32}
	words = mach.Class{Bank: mach.General, Bits: 64}
	bit   = mach.Class{Bank: mach.Predicate, Bits: 1}

	// ADD takes one literal of up to 15 as its second operand, 0 besides.
	ADD = &mach.Op{Name: "ADD", Commutes: true, Out: []mach.Class{word}, Meaning: sum,
		In: []mach.Kind{{Class: word, Imm: mach.Zero, Literal: none}, {Class: word, Imm: mach.Unsigned(15), Literal: notZero}}}
	// ADD3 takes literals everywhere, but one in an instruction.
	ADD3 = &mach.Op{Name: "ADD3", Commutes: true, Out: []mach.Class{word},
		In: []mach.Kind{{Class: word, Imm: mach.Any}, {Class: word, Imm: mach.Any}, {Class: word, Imm: mach.Any}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return []*sem.Term{b.Add(b.Add(in[0], in[1]), in[2])}
		}}
	// SHL has its count in the encoding.
	SHL = &mach.Op{Name: "SHL", Out: []mach.Class{word}, In: []mach.Kind{{Class: word}, {Class: word, Imm: mach.Unsigned(31), ImmOnly: true}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{b.Shl(in[0], in[1])} }}
	// ADDC adds with a carry that may be complemented, and gives one.
	ADDC = &mach.Op{Name: "ADDC", Commutes: true, Out: []mach.Class{word, bit},
		In: []mach.Kind{{Class: word}, {Class: word}, {Class: bit, Imm: mach.Any, Literal: none, Not: true}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			s := b.Add(b.Add(b.Zext(in[0], 33), b.Zext(in[1], 33)), b.Zext(in[2], 33))
			return []*sem.Term{b.Bits(s, 31, 0), b.Bit(s, 32)}
		}}
	// MULW is the product of two words, a pair.
	MULW = &mach.Op{Name: "MULW", Commutes: true, Mul: true, Out: []mach.Class{words}, In: []mach.Kind{{Class: word}, {Class: word}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return []*sem.Term{b.Mul(b.Zext(in[0], 64), b.Zext(in[1], 64))}
		}}
	// NZ tests a word.
	NZ = &mach.Op{Name: "NZ", Out: []mach.Class{bit}, In: []mach.Kind{{Class: word}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{b.Ne(in[0], b.U(0, 32))} }}
	// SEL chooses.
	SEL = &mach.Op{Name: "SEL", Out: []mach.Class{word}, In: []mach.Kind{{Class: word, Imm: mach.Any}, {Class: word, Imm: mach.Any}, {Class: bit, Not: true}}, Literals: 2,
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{b.Ite(in[2], in[0], in[1])} }}

	MOV   = &mach.Op{Name: "MOV", Out: []mach.Class{word}, In: []mach.Kind{{Class: word}}, Meaning: same}
	MOVK  = &mach.Op{Name: "MOVK", Out: []mach.Class{word}, In: []mach.Kind{{Class: word, Imm: mach.Any, ImmOnly: true}}, Meaning: same}
	PMOV  = &mach.Op{Name: "PMOV", Out: []mach.Class{bit}, In: []mach.Kind{{Class: bit, Not: true}}, Meaning: same}
	PMOVK = &mach.Op{Name: "PMOVK", Out: []mach.Class{bit}, In: []mach.Kind{{Class: bit, Imm: mach.Any, ImmOnly: true}}, Meaning: same}

	toy = &mach.Machine{
		ClassOf: func(bits int) (mach.Class, bool) {
			switch {
			case bits == 1:
				return bit, true
			case bits <= 32:
				return word, true
			}
			return words, bits <= 64
		},
		Const: func(c mach.Class) *mach.Op {
			if c == bit {
				return PMOVK
			}
			return MOVK
		},
		Copy: func(c mach.Class) *mach.Op {
			if c == bit {
				return PMOV
			}
			return MOV
		},
		BoolIn:  func(x mach.Expr) mach.Expr { return NZ.Of(x) },
		BoolOut: func(x mach.Expr) mach.Expr { return SEL.Of(mach.K(1), mach.K(0), x) },
		Banks: [mach.NumBanks]mach.BankInfo{
			mach.General:   {Order: []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Unit: 32},
			mach.Predicate: {Order: []int16{0, 1, 2}, Unit: 1},
		},
		PairAlign: 2,
	}
)

func same(_ *sem.Builder, in []*sem.Term) []*sem.Term { return in }
func sum(b *sem.Builder, in []*sem.Term) []*sem.Term  { return []*sem.Term{b.Add(in[0], in[1])} }
func none(sem.Val) bool                               { return false }
func notZero(k sem.Val) bool                          { return !k.IsZero() }

// target has rules over the toy machine.
func target() *isel.Target {
	a, b, c := mach.Arg(0), mach.Arg(1), mach.Arg(2)
	add, addc := ADDC.Of(a, b, mach.K(0)), ADDC.Of(a, b, c)
	diff := ADDC.Of(SEL.Of(mach.K(-1), mach.K(0), mach.Not(c)), b, c)
	return &isel.Target{Name: "toy", Machine: toy, Rules: isel.Table{
		isel.R("add.{u,s}32", 0, ADD.Of(a, b)),
		isel.R("add.cc.u32", 0, add, add.Out(1)),
		isel.R("addc.cc.u32", 0, addc, addc.Out(1)),
		isel.R("subc.cc.u32", 0, diff, mach.Not(diff.Out(1))), // nonsense, but for the complement
		isel.R("shl.b32", 0, SHL.Of(a, b)).If(isel.Below(1, 32)),
		isel.R("shl.b32", 0, SEL.Of(mach.K(0), a, NZ.Of(b))),
		isel.R("mul.wide.u32", 0, MULW.Of(a, b)),
		isel.R("mul.hi.u32", 0, mach.HiHalf(MULW.Of(a, b))),
		isel.R("sad.u32", 0, ADD3.Of(a, b, c)),
		isel.R("mov.b64 d, *", 0, mach.Pair(a, b)),
		isel.R("mov.b64 *", 0, mach.LoHalf(a), mach.HiHalf(a)),
		isel.R("selp.b32", 0, mach.Guard(c, ADD.Of(a, mach.K(0)), b)),
		isel.R("selp.b64", 0, mach.Guard(c, MULW.Of(mach.LoHalf(a), mach.HiHalf(a)), b)),
	}}
}
