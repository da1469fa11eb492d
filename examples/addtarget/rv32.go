package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// 1. The registers. RISC-V has words only: a 64-bit value is two of them, a bit
// is a word that is 0 or 1. Arguments and results are in a0 … a7, then come t0 …
// t6, s2 … s11: numbers 10–17, 5–7 and 28–31, 18–27. x0 is 0.
var (
	word = mach.Class{Bank: mach.General, Bits: 32}
	pair = mach.Class{Bank: mach.General, Bits: 64}

	machine = &mach.Machine{
		ClassOf: func(bits int) (mach.Class, bool) {
			if bits <= 32 {
				return word, true
			}
			return pair, bits <= 64
		},
		Const:     func(mach.Class) *mach.Op { return li },
		Copy:      func(mach.Class) *mach.Op { return mv },
		BoolIn:    func(x mach.Expr) mach.Expr { return x },
		BoolOut:   func(x mach.Expr) mach.Expr { return x },
		Params:    10,
		PairAlign: 1,
		Banks: [mach.NumBanks]mach.BankInfo{mach.General: {Unit: 32, Order: []int16{
			10, 11, 12, 13, 14, 15, 16, 17, 5, 6, 7, 28, 29, 30, 31, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}}},
	}
)

// 2. The instructions: name, operands, meaning. A register may be x0, which is the
// constant 0; an immediate has 12 bits.
var (
	reg  = mach.Kind{Class: word, Imm: mach.Zero, Literal: func(sem.Val) bool { return false }}
	imm  = mach.Kind{Class: word, Imm: twelve, ImmOnly: true}
	any_ = mach.Kind{Class: word, Imm: mach.Any, ImmOnly: true}

	add   = op("add", reg, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Add(x, y) })
	sub   = op("sub", reg, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Sub(x, y) })
	or    = op("or", reg, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Or(x, y) })
	sltu  = op("sltu", reg, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Zext(b.Ult(x, y), 32) })
	xori  = op("xori", imm, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Xor(x, y) })
	slli  = op("slli", imm, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Shl(x, y) })
	srli  = op("srli", imm, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Lshr(x, y) })
	srai  = op("srai", imm, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Ashr(x, y) })
	mul   = op("mul", reg, func(b *sem.Builder, x, y *sem.Term) *sem.Term { return b.Mul(x, y) })
	mulh  = op("mulh", reg, high((*sem.Builder).Sext))
	mulhu = op("mulhu", reg, high((*sem.Builder).Zext))

	mv = &mach.Op{Name: "mv", Out: []mach.Class{word}, In: []mach.Kind{reg}, Meaning: same}
	li = &mach.Op{Name: "li", Out: []mach.Class{word}, In: []mach.Kind{any_}, Meaning: same}
)

func op(name string, second mach.Kind, f func(b *sem.Builder, x, y *sem.Term) *sem.Term) *mach.Op {
	return &mach.Op{
		Name: name, Out: []mach.Class{word}, In: []mach.Kind{reg, second},
		Mul: strings.HasPrefix(name, "mul"), Src: "The RISC-V Instruction Set Manual, volume I: RV32I, M",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{f(b, in[0], in[1])} },
	}
}

func high(extend func(b *sem.Builder, x *sem.Term, bits int) *sem.Term) func(b *sem.Builder, x, y *sem.Term) *sem.Term {
	return func(b *sem.Builder, x, y *sem.Term) *sem.Term {
		return b.Bits(b.Mul(extend(b, x, 64), extend(b, y, 64)), 63, 32)
	}
}

func same(_ *sem.Builder, in []*sem.Term) []*sem.Term { return in }

func twelve(k sem.Val) bool { v := int32(k.Lo); return v >= -2048 && v < 2048 }

// 3. The rules, from forms to instructions. A result is an expression over the
// form's operands, the carry in being the last; one for each result, the carry
// out being the last. A sum carries where it is less than a summand; CC.CF after a
// subtraction is NOT borrow.
var rules = func() isel.Table {
	a, b, c := mach.Arg(0), mach.Arg(1), mach.Arg(2)
	not := func(x mach.Expr) mach.Expr { return xori.Of(x, mach.K(1)) }
	plus := func(x, y mach.Expr) []mach.Expr { // sum and carry
		s := add.Of(x, y)
		return []mach.Expr{s, sltu.Of(s, y)}
	}
	plusC := func(x, y, cf mach.Expr) []mach.Expr { // at most one of the two additions carries
		s := plus(x, y)
		t := plus(s[0], cf)
		return []mach.Expr{t[0], or.Of(s[1], t[1])}
	}
	minusC := func(x, y, cf mach.Expr) []mach.Expr {
		d, n := sub.Of(x, y), not(cf)
		return []mach.Expr{sub.Of(d, n), not(or.Of(sltu.Of(x, y), sltu.Of(d, n)))}
	}
	low24 := func(shift *mach.Op) (x, y mach.Expr) {
		return shift.Of(slli.Of(a, mach.K(8)), mach.K(8)), shift.Of(slli.Of(b, mach.K(8)), mach.K(8))
	}
	u0, u1 := low24(srli)
	s0, s1 := low24(srai)
	lo, hiU, hiS := mul.Of(a, b), mulhu.Of(a, b), mulh.Of(a, b)
	wide := plus(lo, mach.LoHalf(c))
	carry, carry4 := mach.Arg(2), mach.Arg(3)
	return isel.Table{
		isel.R("add.{u,s}32", 0, add.Of(a, b)),
		isel.R("sub.{u,s}32", 0, sub.Of(a, b)),
		isel.R("add.cc.{u,s}32", 0, plus(a, b)...),
		isel.R("addc.{u,s}32", 0, add.Of(add.Of(a, b), carry)),
		isel.R("addc.cc.{u,s}32", 0, plusC(a, b, carry)...),
		isel.R("sub.cc.{u,s}32", 0, sub.Of(a, b), not(sltu.Of(a, b))),
		isel.R("subc.{u,s}32", 0, minusC(a, b, carry)[0]),
		isel.R("subc.cc.{u,s}32", 0, minusC(a, b, carry)...),

		isel.R("mul.lo.{u,s}32", 0, lo),
		isel.R("mul.hi.u32", 0, hiU),
		isel.R("mul.hi.s32", 0, hiS),
		isel.R("mul.wide.u32", 0, mach.Pair(lo, hiU)),
		isel.R("mul.wide.s32", 0, mach.Pair(lo, hiS)),
		isel.R("mul24.lo.u32", 0, mul.Of(u0, u1)),
		isel.R("mul24.lo.s32", 0, mul.Of(s0, s1)),
		isel.R("mad24.lo.u32", 0, add.Of(mul.Of(u0, u1), c)),
		isel.R("mad24.lo.s32", 0, add.Of(mul.Of(s0, s1), c)),
		isel.R("mad.lo.{u,s}32", 0, add.Of(lo, c)),
		isel.R("mad.hi.u32", 0, add.Of(hiU, c)),
		isel.R("mad.hi.s32", 0, add.Of(hiS, c)),
		isel.R("mad.wide.u32", 0, mach.Pair(wide[0], add.Of(add.Of(hiU, mach.HiHalf(c)), wide[1]))),

		isel.R("mad.lo.cc.{u,s}32", 0, plus(lo, c)...),
		isel.R("mad.hi.cc.u32", 0, plus(hiU, c)...),
		isel.R("mad.hi.cc.s32", 0, plus(hiS, c)...),
		isel.R("madc.lo.{u,s}32", 0, add.Of(add.Of(lo, c), carry4)),
		isel.R("madc.hi.u32", 0, add.Of(add.Of(hiU, c), carry4)),
		isel.R("madc.hi.s32", 0, add.Of(add.Of(hiS, c), carry4)),
		isel.R("madc.lo.cc.{u,s}32", 0, plusC(lo, c, carry4)...),
		isel.R("madc.hi.cc.u32", 0, plusC(hiU, c, carry4)...),
		isel.R("madc.hi.cc.s32", 0, plusC(hiS, c, carry4)...),
	}
}()

// 4. The listing.
func print(w io.Writer, f *mach.Func) error {
	fmt.Fprintf(w, "%s:\n", f.Name)
	for _, in := range f.Blocks[0].Insts {
		fields := []string{name(f, in.Out[0])}
		for _, o := range in.In {
			fields = append(fields, name(f, o))
		}
		fmt.Fprintf(w, "\t%s %s\n", in.Op.Name, strings.Join(fields, ", "))
	}
	_, err := fmt.Fprintln(w, "\tret")
	return err
}

func name(f *mach.Func, o mach.Operand) string {
	switch {
	case o.IsConst() && o.K.IsZero():
		return "zero"
	case o.IsConst():
		return fmt.Sprint(int32(o.K.Lo))
	}
	n := f.Phys[o.Reg]
	if o.Sub == mach.High {
		n++
	}
	return [...]string{"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
		"s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"}[n]
}

// rv32im is all of it.
func rv32im() *isel.Target {
	return &isel.Target{Name: "rv32im", Family: "riscv", Machine: machine, Rules: rules, Print: print}
}
