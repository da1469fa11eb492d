package mach

import "github.com/ptxlower/ptxlower/sem"

// A machine of eight words, pairs at even ones, and three predicates.
var (
	word  = Class{General, 32}
	words = Class{General, 64}
	bit   = Class{Predicate, 1}

	mov   = &Op{Name: "mov", Out: []Class{word}, In: []Kind{{Class: word}}, Meaning: same}
	movK  = &Op{Name: "mov", Out: []Class{word}, In: []Kind{{Class: word, Imm: Any, ImmOnly: true}}, Meaning: same}
	pmov  = &Op{Name: "pmov", Out: []Class{bit}, In: []Kind{{Class: bit, Not: true}}, Meaning: same}
	pmovK = &Op{Name: "pmov", Out: []Class{bit}, In: []Kind{{Class: bit, Imm: Any, ImmOnly: true}}, Meaning: same}
	add   = &Op{Name: "add", Commutes: true, Out: []Class{word}, In: []Kind{{Class: word}, {Class: word, Imm: small}}, Meaning: sum}
	addw  = &Op{Name: "addw", Out: []Class{words}, In: []Kind{{Class: words}, {Class: words}}, Meaning: sum}
	addc  = &Op{Name: "addc", Out: []Class{word, bit}, In: []Kind{{Class: word}, {Class: word}, {Class: bit, Imm: Any, Not: true}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			s := b.Add(b.Add(b.Zext(in[0], 33), b.Zext(in[1], 33)), b.Zext(in[2], 33))
			return []*sem.Term{b.Bits(s, 31, 0), b.Bit(s, 32)}
		}}
	zero = &Op{Name: "iszero", Out: []Class{bit}, In: []Kind{{Class: word}},
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return []*sem.Term{b.Eq(in[0], b.U(0, 32))} }}

	toy = &Machine{
		ClassOf: func(bits int) (Class, bool) {
			switch {
			case bits == 1:
				return bit, true
			case bits <= 32:
				return word, true
			}
			return words, bits <= 64
		},
		Const: func(c Class) *Op {
			if c.Bank == Predicate {
				return pmovK
			}
			return movK
		},
		Copy: func(c Class) *Op {
			if c.Bank == Predicate {
				return pmov
			}
			return mov
		},
		Banks: [NumBanks]BankInfo{
			General:   {Order: []int16{0, 1, 2, 3, 4, 5, 6, 7}, Unit: 32},
			Predicate: {Order: []int16{0, 1, 2}, Unit: 1},
		},
		PairAlign: 2,
	}
)

func same(_ *sem.Builder, in []*sem.Term) []*sem.Term { return in }
func sum(b *sem.Builder, in []*sem.Term) []*sem.Term  { return []*sem.Term{b.Add(in[0], in[1])} }
func small(k sem.Val) bool                            { return k.Hi == 0 && k.Lo < 16 }

// part is half a pair.
func part(f *Func, r Reg, s Sub) Operand {
	o := f.R(r)
	if s != Whole {
		o.Sub, o.Bits = s, o.Bits/2
	}
	return o
}

// function is one block of instructions that returns.
func function(params []Class) (*Func, *Block) {
	b := &Block{Term: Ret}
	f := &Func{Name: "f", Blocks: []*Block{b}}
	for _, c := range params {
		f.Params = append(f.Params, f.NewReg(c, ""))
	}
	return f, b
}

func (b *Block) emit(op *Op, out []Operand, in ...Operand) {
	b.Insts = append(b.Insts, Inst{Op: op, Out: out, In: in, Move: op == mov || op == pmov, Off: -1})
}
