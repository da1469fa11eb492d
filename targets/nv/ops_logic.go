package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Truth tables. Bit 4a + 2b + c of the table is the result for the bits a, b, c.
// PLOP3 writes a second predicate by a table of its own, which is not used here.
var (
	LOP3   = row("LOP3.LUT", "$d, $0, $1, $2, $3, !PT", "r<bbb8", single(lut(func(b *sem.Builder, x *sem.Term) *sem.Term { return x })))
	PLOP3  = row("PLOP3.LUT", "$d, PT, $0, $1, $2, $3, 0x0", "p<ppp8", single(lut(func(b *sem.Builder, x *sem.Term) *sem.Term { return x })))
	PLOP3S = needing(SignLogic, row("PLOP3.LUT", "$d, PT, $0.SIGN, $1.SIGN, $2.SIGN, $3, 0x0", "p<rrr8", single(lut(func(b *sem.Builder, x *sem.Term) *sem.Term { return b.Bit(x, 31) }))))
)

// Tables of LOP3 and PLOP3: what they compute from a, b and c.
const (
	lutA, lutB, lutC = 0xf0, 0xcc, 0xaa

	lutAnd    = lutA & lutB
	lutOr     = lutA | lutB
	lutXor    = lutA ^ lutB
	lutNotB   = ^lutB & 0xff
	lutNotA   = ^lutA & 0xff
	lutAndNot = lutA &^ lutB
	lutPick   = lutA&lutB | lutC&^lutB // a where b, else c
	lutXorCut = (lutA ^ lutB) &^ lutC

	lutAddOverflow = lutA&lutB&^lutC | lutC&^(lutA|lutB) // signs of x, y and x + y
	lutSubOverflow = lutA&^(lutB|lutC) | lutB&lutC&^lutA // signs of x, y and x − y
)

func lut(part func(b *sem.Builder, x *sem.Term) *sem.Term) func(b *sem.Builder, in []*sem.Term) *sem.Term {
	return func(b *sem.Builder, in []*sem.Term) *sem.Term {
		var v [3]*sem.Term
		for i := range v {
			v[i] = part(b, in[i])
		}
		return lookup(b, v[:], in[3].K.Lo)
	}
}

// lookup is the truth table over the terms, by Shannon's expansion at the last.
func lookup(b *sem.Builder, v []*sem.Term, t uint64) *sem.Term {
	n := len(v)
	w := v[0].W
	all := uint64(1)<<(1<<n) - 1
	switch t {
	case 0:
		return b.U(0, w)
	case all:
		return b.S(-1, w)
	}
	var yes, no uint64 // the tables for 1 and 0 of the last
	for i := range 1 << (n - 1) {
		no |= t >> (2 * i) & 1 << i
		yes |= t >> (2*i + 1) & 1 << i
	}
	all = uint64(1)<<(1<<(n-1)) - 1
	last, rest := v[n-1], v[:n-1]
	switch {
	case n == 1 && yes == 1:
		return last
	case n == 1:
		return b.Not(last)
	case yes == no:
		return lookup(b, rest, yes)
	case yes == no^all:
		return b.Xor(lookup(b, rest, no), last)
	case no == 0:
		return b.And(lookup(b, rest, yes), last)
	case yes == 0:
		return b.And(lookup(b, rest, no), b.Not(last))
	case no == all:
		return b.Or(lookup(b, rest, yes), b.Not(last))
	case yes == all:
		return b.Or(lookup(b, rest, no), last)
	}
	return b.Or(b.And(lookup(b, rest, yes), last), b.And(lookup(b, rest, no), b.Not(last)))
}

// PRMT d, a, selector, b: byte i of d is byte s of {b, a}, s being bits 2..0 of
// nibble i; bit 3 takes the byte's sign eight times. Only bits 15..0 of the
// selector count.
var PRMT = row("PRMT", "$d, $0, $1, $2", "r<rbb", single(prmt))

func prmt(b *sem.Builder, in []*sem.Term) *sem.Term {
	if in[1].Op != sem.OpConst {
		return form(ptx.Form{Op: ptx.Prmt, T: ptx.B32}, 0, 2, 1)(b, in)[0]
	}
	x, sel := b.Concat(in[2], in[0]), in[1].K.Lo
	nib := func(i int) int { return int(sel>>(4*i)) & 15 }
	var d *sem.Term
	for i := range 4 {
		k := nib(i) & 7
		y := b.Bits(x, 8*k+7, 8*k)
		switch {
		case i > 0 && nib(i) == k|8 && nib(i-1)&7 == k:
			d = b.Sext(d, d.W+8) // d ends in that byte, or in its sign
			continue
		case nib(i) > 7:
			y = b.Sext(b.Bit(y, 7), 8)
		}
		if d == nil {
			d = y
		} else {
			d = b.Concat(y, d)
		}
	}
	return d
}

// form is the meaning of an instruction that computes what a PTX form computes;
// order lists the operands that are the form's sources.
func form(f ptx.Form, order ...int) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		args := make([]*sem.Term, len(order))
		for i, o := range order {
			args[i] = in[o]
		}
		return f.Meaning(b, args, ptx.ISA)
	}
}

// permRow is prmt in one of its other modes.
func permRow(m ptx.PermMode, name string) *mach.Op {
	return row("PRMT."+name, "$d, $0, $1, $2", "r<rbb", form(ptx.Form{Op: ptx.Prmt, T: ptx.B32, Perm: m}, 0, 2, 1))
}

// PRMTs are the rows by mode.
var PRMTs = map[ptx.PermMode]*mach.Op{
	ptx.NoPerm: PRMT,
	ptx.F4E:    permRow(ptx.F4E, "F4E"),
	ptx.B4E:    permRow(ptx.B4E, "B4E"),
	ptx.RC8:    permRow(ptx.RC8, "RC8"),
	ptx.ECL:    permRow(ptx.ECL, "ECL"),
	ptx.ECR:    permRow(ptx.ECR, "ECR"),
	ptx.RC16:   permRow(ptx.RC16, "RC16"),
}

// Shifts: SHF d, a, n, c shifts {c, a}. A count above the width of what is
// shifted acts as that width; .W takes bits 4..0 of it.
var (
	SHL      = row("SHF.L.U32", "$d, $0, $1, RZ", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Shl(in[0], in[1]) }))
	SHR      = row("SHF.R.U32.HI", "$d, RZ, $1, $0", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Lshr(in[0], in[1]) }))
	SAR      = row("SHF.R.S32.HI", "$d, RZ, $1, $0", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Ashr(in[0], in[1]) }))
	SHR64    = row("SHF.R.U64", "$d, $0, $1, $2", "r<rbr", shift64((*sem.Builder).Lshr, 31, 0))
	SAR64    = row("SHF.R.S64", "$d, $0, $1, $2", "r<rbr", shift64((*sem.Builder).Ashr, 31, 0))
	SHL64_HI = row("SHF.L.U64.HI", "$d, $0, $1, $2", "r<rbr", shift64((*sem.Builder).Shl, 63, 32))

	FSHL   = row("SHF.L.U32.HI", "$d, $0, $1, $2", "r<rbr", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, T: ptx.B32}, 0, 2, 1))
	FSHL_W = row("SHF.L.W.U32.HI", "$d, $0, $1, $2", "r<rbr", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Left, T: ptx.B32, Wrap: true}, 0, 2, 1))
	FSHR   = row("SHF.R.U32", "$d, $0, $1, $2", "r<rbr", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Right, T: ptx.B32}, 0, 2, 1))
	FSHR_W = row("SHF.R.W.U32", "$d, $0, $1, $2", "r<rbr", form(ptx.Form{Op: ptx.Shf, Mode: ptx.Right, T: ptx.B32, Wrap: true}, 0, 2, 1))
)

// shift64 is bits hi … lo of {in[2], in[0]} shifted by in[1].
func shift64(shift func(b *sem.Builder, x, n *sem.Term) *sem.Term, hi, lo int) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Bits(shift(b, b.Concat(in[2], in[0]), b.Zext(in[1], 64)), hi, lo)
	})
}

// Fields. SGXT keeps the low n bits and extends them, all 32 where n is more;
// BMSK is n ones from bit p on.
var (
	SGXT   = row("SGXT", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return sgxt(b, in, true) }))
	SGXT_U = row("SGXT.U32", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return sgxt(b, in, false) }))
	BMSK   = row("BMSK", "$d, $0, $1", "r<rb", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Shl(b.Not(b.Shl(b.S(-1, 32), in[1])), in[0])
	}))
)

func sgxt(b *sem.Builder, in []*sem.Term, signed bool) *sem.Term {
	n := in[1]
	if n.Op == sem.OpConst && n.K.Lo > 0 && n.K.Lo < 32 {
		return b.Ext(b.Bits(in[0], int(n.K.Lo)-1, 0), 32, signed)
	}
	k := b.Ite(b.Ult(n, b.U(32, 32)), b.Sub(b.U(32, 32), n), b.U(0, 32))
	x := b.Shl(in[0], k)
	if signed {
		return b.Ashr(x, k)
	}
	return b.Lshr(x, k)
}

// Selection and copies. A literal of SEL is printed second.
var (
	SEL    = row("SEL", "$d, $0, $1, $2", "r<bbp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return b.Ite(in[2], in[0], in[1]) }))
	MOV    = row("MOV", "$d, $0", "r<r", copied)
	MOV_K  = row("MOV", "$d, $0", "r<k", copied)
	PMOV   = row("PLOP3.LUT", "$d, PT, $0, PT, PT, 0x80, 0x0", "p<p", copied)
	PMOV_K = inferred(row("PLOP3.LUT", "$d, PT, $0, PT, PT, 0x80, 0x0", "p<q", copied))
)

func copied(_ *sem.Builder, in []*sem.Term) []*sem.Term { return in[:1] }

// Bit counts, in the slow unit. FLO is the place of the highest bit that is 1,
// signed: that differs from the sign; −1 where there is none; .SH subtracts the
// place from 31.
var (
	FLO      = unit(row("FLO", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.S32}, 0)))
	FLO_U    = unit(row("FLO.U32", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.U32}, 0)))
	FLO_SH   = unit(row("FLO.SH", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.S32, ShiftAmt: true}, 0)))
	FLO_U_SH = unit(row("FLO.U32.SH", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Bfind, T: ptx.U32, ShiftAmt: true}, 0)))
	POPC     = unit(row("POPC", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Popc, T: ptx.B32}, 0)))
	BREV     = unit(row("BREV", "$d, $0", "r<r", form(ptx.Form{Op: ptx.Brev, T: ptx.B32}, 0)))
)

// comparison is a row of ISETP: $d = (a cmp b) with the predicate $2; .EX takes
// $3, which compares the low words, where a = b.
type comparison struct {
	cmp      ptx.Cmp // Eq … Ge
	unsigned bool
	with     ptx.BoolOp
	ex       bool
}

var isetps = func() map[comparison]*mach.Op {
	rows := map[comparison]*mach.Op{}
	for cmp := ptx.Eq; cmp <= ptx.Ge; cmp++ {
		for _, unsigned := range [...]bool{false, true} {
			for with := ptx.BoolAnd; with <= ptx.BoolXor; with++ {
				for _, ex := range [...]bool{false, true} {
					c := comparison{cmp, unsigned, with, ex}
					rows[c] = c.row()
				}
			}
		}
	}
	return rows
}()

// The suffixes of ISETP.
var (
	cmpSuffix  = [...]string{ptx.Eq: "EQ", ptx.Ne: "NE", ptx.Lt: "LT", ptx.Le: "LE", ptx.Gt: "GT", ptx.Ge: "GE"}
	boolSuffix = [...]string{ptx.BoolAnd: "AND", ptx.BoolOr: "OR", ptx.BoolXor: "XOR"}
)

func (c comparison) row() *mach.Op {
	name, t := "ISETP."+cmpSuffix[c.cmp], ptx.S32
	if c.unsigned {
		name, t = name+".U32", ptx.U32
	}
	name += "." + boolSuffix[c.with]
	plain := ptx.Form{Op: ptx.Setp, Cmp: c.cmp, T: t}
	if !c.ex {
		return row(name, "$d, PT, $0, $1, $2", "p<rbp", tested(plain, c.with))
	}
	test := form(plain, 0, 1)
	return row(name+".EX", "$d, PT, $0, $1, $2, $3", "p<rbpp", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return combine(b, c.with, b.Ite(b.Eq(in[0], in[1]), in[3], test(b, in)[0]), in[2])
	}))
}

// tested is a comparison of in[0] and in[1], combined with in[2].
func tested(f ptx.Form, with ptx.BoolOp) meaning {
	test := form(f, 0, 1)
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term { return combine(b, with, test(b, in)[0], in[2]) })
}

func combine(b *sem.Builder, with ptx.BoolOp, x, y *sem.Term) *sem.Term {
	switch with {
	case ptx.BoolOr:
		return b.Or(x, y)
	case ptx.BoolXor:
		return b.Xor(x, y)
	}
	return b.And(x, y)
}
