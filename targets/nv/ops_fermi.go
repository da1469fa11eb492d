package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// The instructions of sm_20 to sm_62. Rows begin with F_. Second operands may
// be literals of 20 bits, sign-extended; IADD and LOP have forms with 32 bits,
// IADD32I and LOP32I, which the listing names.

// small accepts what a sign-extended literal of 20 bits can be, half what one
// of 16 bits, zero-extended, can be.
func small(k sem.Val) bool {
	v := int32(k.Lo)
	return v >= -1<<19 && v < 1<<19
}

var half16 = mach.Unsigned(0xffff)

// fermiKinds are the operands that signatures are made of.
var fermiKinds = map[byte]mach.Kind{
	'r': kinds['r'],
	'i': {Class: r32, Imm: small, Literal: nonzero},
	'b': kinds['b'],
	'h': {Class: r32, Imm: half16, Literal: nonzero},
	'p': kinds['p'],
	'c': {Class: flag}, // CC
	'k': kinds['k'],
	'q': kinds['q'],
	'5': {Class: mach.Class{Bits: 8}, Imm: mach.Unsigned(31), ImmOnly: true},
	'8': kinds['8'],
}

// seenMaxwell and others say where the meaning of rows is from.
const (
	seenMaxwell = "seen: ptxas 12.9 sm_50"
	seenKepler  = "encoding: envytools gf100, gk110; seen: cuobjdump sm_35"
	testedTX1   = "tested on sm_53: nxgpucatch"
)

var fermiTable []*mach.Op

// FermiOps lists the rows of the instructions of sm_20 to sm_62.
func FermiOps() []*mach.Op {
	return slices.Concat(fermiTable, allVmads())
}

// fermiRow makes a row: the signature lists the results, "<", and the operands,
// a letter of fermiKinds each.
func fermiRow(needs ir.Features, src, name, syntax, sig string, m meaning) *mach.Op {
	o := newFermiRow(needs, src, name, syntax, sig, m)
	fermiTable = append(fermiTable, o)
	return o
}

func newFermiRow(needs ir.Features, src, name, syntax, sig string, m meaning) *mach.Op {
	o := &mach.Op{Name: name, Syntax: syntax, Needs: CarryFlag | needs, Meaning: m, Src: src, Conf: mach.Disassembled, Pipe: pipeOf(name)}
	addOperands(o, sig, fermiKinds)
	return o
}

// addOperands reads a signature.
func addOperands(o *mach.Op, sig string, kinds map[byte]mach.Kind) {
	results := true
	for i := range len(sig) {
		switch k := kinds[sig[i]]; {
		case sig[i] == '<':
			results = false
		case results:
			o.Out = append(o.Out, k.Class)
		default:
			o.In = append(o.In, k)
		}
	}
}

// common is a row of all of sm_20 to sm_62.
func common(name, syntax, sig string, m meaning) *mach.Op {
	return fermiRow(0, seenMaxwell, name, syntax, sig, m)
}

// commuting marks a row whose first two operands may be exchanged.
func commuting(o *mach.Op) *mach.Op {
	o.Commutes = true
	return o
}

// guessed marks a row whose meaning follows from those of its parts, where ptxas
// was not seen to emit it with these operands, or only within a sequence.
func guessed(o *mach.Op) *mach.Op {
	o.Conf = mach.Inferred
	return o
}

// Additions. The carry goes to CC. a − b is a + ~b + 1; .X takes ~b and the carry
// instead, though it is written -b.
var (
	F_IADD     = commuting(common("IADD", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Add(in[0], in[1]) })))
	F_IADD_C   = commuting(common("IADD", "$d.CC, $0, $1", "rc<rb", adder(false, 0)))
	F_IADD_K   = commuting(common("IADD", "RZ.CC, $0, $1", "c<rb", carryOnly(adder(false, 0))))
	F_IADD_X   = commuting(common("IADD.X", "$d, $0, $1", "r<rbc", sumOf(adder(false, 2))))
	F_IADD_X_C = commuting(common("IADD.X", "$d.CC, $0, $1", "rc<rbc", adder(false, 2)))
	F_IADD_PO  = commuting(fermiRow(0, testedTX1, "IADD.PO", "$d, $0, $1", "r<rr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Sum(in[0], in[1], b.U(1, 32))
	})))
	F_ISUB     = common("IADD", "$d, $0, -$1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[0], in[1]) }))
	F_ISUB_C   = common("IADD", "$d.CC, $0, -$1", "rc<rb", adder(true, 0))
	F_ISUB_K   = common("IADD", "RZ.CC, $0, -$1", "c<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Not(b.Ult(in[0], in[1])) }))
	F_ISUB_X   = common("IADD.X", "$d, $0, -$1", "r<rrc", sumOf(adder(true, 2)))
	F_ISUB_X_C = common("IADD.X", "$d.CC, $0, -$1", "rc<rrc", adder(true, 2))
	F_IRSUB    = common("IADD", "$d, -$0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Sub(in[1], in[0]) }))

	F_IADD_SAT = commuting(common("IADD.SAT", "$d, $0, $1", "r<rb", form(ptx.Form{Op: ptx.Add, Sat: true, T: ptx.S32}, 0, 1)))
	F_ISUB_SAT = common("IADD.SAT", "$d, $0, -$1", "r<rr", form(ptx.Form{Op: ptx.Sub, Sat: true, T: ptx.S32}, 0, 1))

	// (a << n) + b.
	F_ISCADD = common("ISCADD", "$d, $0, $1, $2", "r<rr5", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Add(b.Shl(in[0], b.Zext(in[2], 32)), in[1])
	}))
)

// carryOnly is an adder whose sum is not wanted.
func carryOnly(m meaning) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term { return m(b, in)[1:] }
}

// Bitwise operations.
var (
	F_AND   = commuting(common("LOP.AND", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.And(in[0], in[1]) })))
	F_OR    = commuting(common("LOP.OR", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Or(in[0], in[1]) })))
	F_XOR   = commuting(common("LOP.XOR", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Xor(in[0], in[1]) })))
	F_ANDN  = common("LOP.AND", "$d, $0, ~$1", "r<rr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.And(in[0], b.Not(in[1])) }))
	F_ORN   = common("LOP.OR", "$d, $0, ~$1", "r<rr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Or(in[0], b.Not(in[1])) }))
	F_NOT   = common("LOP.PASS_B", "$d, RZ, ~$0", "r<r", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Not(in[0]) }))
	F_PRMTs = func() map[ptx.PermMode]*mach.Op {
		rows := map[ptx.PermMode]*mach.Op{}
		for m, name := range [...]string{ptx.NoPerm: "PRMT", ptx.F4E: "PRMT.F4E", ptx.B4E: "PRMT.B4E", ptx.RC8: "PRMT.RC8", ptx.ECL: "PRMT.ECL", ptx.ECR: "PRMT.ECR", ptx.RC16: "PRMT.RC16"} {
			rows[ptx.PermMode(m)] = common(name, "$d, $0, $1, $2", "r<rir", permutation(ptx.PermMode(m)))
		}
		return rows
	}()
	F_PRMT = F_PRMTs[ptx.NoPerm]
)

func permutation(m ptx.PermMode) meaning {
	if m == ptx.NoPerm {
		return single(prmt)
	}
	return form(ptx.Form{Op: ptx.Prmt, T: ptx.B32, Perm: m}, 0, 2, 1)
}

// Shifts by a register or a literal; a count above 31 shifts all bits out. SHF
// d, a, n, c shifts the pair {c, a}: 64 places with .U64 and .S64, else 32.
var (
	F_SHL = common("SHL", "$d, $0, $1", "r<ri", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Shl(in[0], in[1]) }))
	F_SHR = common("SHR.U32", "$d, $0, $1", "r<ri", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Lshr(in[0], in[1]) }))
	F_SAR = common("SHR", "$d, $0, $1", "r<ri", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Ashr(in[0], in[1]) }))

	F_SHL64_HI = funnel("SHF.L.U64", shift64((*sem.Builder).Shl, 63, 32))
	F_SHR64    = funnel("SHF.R.U64", shift64((*sem.Builder).Lshr, 31, 0))
	F_SAR64    = funnel("SHF.R.S64", shift64((*sem.Builder).Ashr, 31, 0))
	F_FSHL     = funnel("SHF.L", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, T: ptx.B32}, 0, 2, 1))
	F_FSHL_W   = funnel("SHF.L.W", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, T: ptx.B32, Wrap: true}, 0, 2, 1))
	F_FSHR     = funnel("SHF.R", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Right, T: ptx.B32}, 0, 2, 1))
	F_FSHR_W   = funnel("SHF.R.W", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Right, T: ptx.B32, Wrap: true}, 0, 2, 1))
)

func funnel(name string, m meaning) *mach.Op {
	return fermiRow(Funnel, seenMaxwell, name, "$d, $0, $1, $2", "r<rir", m)
}

// Fields. b names the field: bits 7..0 the lowest bit, bits 15..8 the length.
var (
	F_BFE   = common("BFE", "$d, $0, $1", "r<ri", field(ptx.S32))
	F_BFE_U = common("BFE.U32", "$d, $0, $1", "r<ri", field(ptx.U32))
	F_BREV  = common("BFE.U32.BREV", "$d, $0, 0x2000", "r<r", form(ptx.Form{Op: ptx.Brev, T: ptx.B32}, 0))
	F_BFI   = common("BFI", "$d, $0, $1, $2", "r<rir", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		pos, n := fieldOf(b, in[1])
		return ptx.Form{Op: ptx.Bfi, T: ptx.B32}.Meaning(b, []*sem.Term{in[0], in[2], pos, n}, ptx.ISA)[0]
	}))
)

func field(t ptx.Type) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		pos, n := fieldOf(b, in[1])
		if pos.Op == sem.OpConst && n.Op == sem.OpConst && n.K.Lo > 0 && pos.K.Lo+n.K.Lo <= 32 {
			lo, w := int(pos.K.Lo), int(n.K.Lo)
			return b.Ext(b.Bits(in[0], lo+w-1, lo), 32, t.Signed())
		}
		return ptx.Form{Op: ptx.Bfe, T: t}.Meaning(b, []*sem.Term{in[0], pos, n}, ptx.ISA)[0]
	})
}

func fieldOf(b *sem.Builder, x *sem.Term) (pos, n *sem.Term) {
	return b.Zext(b.Bits(x, 7, 0), 32), b.Zext(b.Bits(x, 15, 8), 32)
}
