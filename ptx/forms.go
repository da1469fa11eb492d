package ptx

import "sync"

// Sets of forms, in the order of the manual (PTX ISA 9.7): the same order in
// every run and on every machine.

// Forms are the 200 mnemonics of the family, as forms without selectors and
// negations.
func Forms() []Form { return append([]Form(nil), familyForms()...) }

var familyForms = sync.OnceValue(func() []Form {
	var fs []Form
	add := func(f Form) { fs = append(fs, f) }
	for _, op := range [...]Op{Add, Sub} { // 9.7.1.1–2
		for _, t := range wordTypes {
			add(Form{Op: op, T: t})
		}
		add(Form{Op: op, Sat: true, T: S32})
	}
	for _, op := range [...]Op{Mul, Mad} { // 9.7.1.3–4
		for _, m := range [...]Mode{Lo, Hi, Wide} {
			for _, t := range wordTypes {
				if m != Wide || t.Bits() < 64 {
					add(Form{Op: op, Mode: m, T: t})
				}
			}
		}
	}
	add(Form{Op: Mad, Mode: Hi, Sat: true, T: S32})
	for _, op := range [...]Op{Mul24, Mad24} { // 9.7.1.5–6
		for _, m := range [...]Mode{Lo, Hi} {
			add(Form{Op: op, Mode: m, T: U32})
			add(Form{Op: op, Mode: m, T: S32})
		}
	}
	add(Form{Op: Mad24, Mode: Hi, Sat: true, T: S32})
	for _, op := range [...]Op{Add, Addc, Sub, Subc} { // 9.7.2.1–4
		for _, cc := range [...]bool{true, false} {
			if !cc && !(Form{Op: op}).ReadsCF() {
				continue
			}
			for _, t := range carryTypes {
				add(Form{Op: op, CC: cc, T: t})
			}
		}
	}
	for _, op := range [...]Op{Mad, Madc} { // 9.7.2.5–6
		for _, m := range [...]Mode{Lo, Hi} {
			for _, cc := range [...]bool{true, false} {
				if !cc && op == Mad {
					continue
				}
				for _, t := range carryTypes {
					add(Form{Op: op, Mode: m, CC: cc, T: t})
				}
			}
		}
	}
	for _, d := range vmadTypes { // 9.7.18.1.3
		for _, a := range vmadTypes {
			for _, b := range vmadTypes {
				for _, po := range [...]bool{false, true} {
					for _, sat := range [...]bool{false, true} {
						for _, n := range [...]uint8{0, 7, 15} {
							add(Form{Op: Vmad, T: d, A: a, B: b, PO: po, Sat: sat, Shr: n})
						}
					}
				}
			}
		}
	}
	return fs
})

var (
	vmadTypes  = [...]Type{U32, S32}
	carryTypes = [...]Type{U32, S32, U64, S64}
	wordTypes  = [...]Type{U16, U32, U64, S16, S32, S64}
	bitTypes   = [...]Type{B16, B32, B64}
	anyTypes   = [...]Type{B16, B32, B64, U16, U32, U64, S16, S32, S64}
	cvtTypes   = [...]Type{U8, U16, U32, U64, S8, S16, S32, S64}
)

// VmadForms are the 16,464 operand forms of vmad: each mnemonic with each legal
// set of negations (six without .po, one with it) and 7 × 7 selectors.
func VmadForms() []Form {
	fs := make([]Form, 0, 48*49*6+48*49)
	for _, f := range familyForms() {
		if f.Op != Vmad {
			continue
		}
		for neg := range 8 {
			f.NegA, f.NegB, f.NegC = neg&1 != 0, neg&2 != 0, neg&4 != 0
			if f.PO && neg != 0 || f.NegC && f.NegA != f.NegB {
				continue
			}
			for f.SelA = range NumSels {
				for f.SelB = range NumSels {
					fs = append(fs, f)
				}
			}
		}
	}
	return fs
}

// Behaviours are the 4,808 forms of the family that compute different things:
// 104 mnemonics other than vmad, and 4,704 of vmad, each standing for the forms
// whose Behaviour it is.
func Behaviours() []Form {
	fs := make([]Form, 0, 104+4704)
	for _, f := range familyForms() {
		if f.Op != Vmad {
			fs = append(fs, f)
		}
	}
	for _, f := range VmadForms() {
		if f == f.Behaviour() {
			fs = append(fs, f)
		}
	}
	return fs
}

// Neighbours are all legal forms of the instructions that share asm bodies with
// the family; a mov that packs or unpacks, a setp with two results and each
// table of lop3 are forms of their own.
func Neighbours() []Form {
	var fs []Form
	for _, f := range neighbourForms() {
		fs = append(fs, f)
		switch f.Op {
		case Setp:
			f.Dual = true
			fs = append(fs, f)
		case Mov:
			for _, n := range [...]int8{2, 4} {
				if packs(f.T, int(n)) {
					f.Pack = n
					fs = append(fs, f)
					f.Pack = -n
					fs = append(fs, f)
				}
			}
		case Lop3:
			for f.Lut = 1; f.Lut != 0; f.Lut++ {
				fs = append(fs, f)
			}
		}
	}
	return fs
}

// packs reports whether mov.t takes n parts of 8 bits or more (PTX ISA 9.7.9.2).
func packs(t Type, n int) bool {
	return t >= B16 && t <= B64 && (n == 2 || n == 4 && t != B16)
}

// neighbourForms has one form for each mnemonic.
var neighbourForms = sync.OnceValue(func() []Form {
	var fs []Form
	add := func(f Form) { fs = append(fs, f) }
	each := func(op Op, ts ...Type) {
		for _, t := range ts {
			add(Form{Op: op, T: t})
		}
	}
	each(Sad, wordTypes[:]...) // 9.7.1.9
	each(Min, wordTypes[:]...)
	each(Max, wordTypes[:]...)
	each(Abs, S16, S32, S64)
	each(Neg, S16, S32, S64)
	each(Popc, B32, B64)
	each(Clz, B32, B64)
	for _, amt := range [...]bool{false, true} {
		for _, t := range carryTypes {
			add(Form{Op: Bfind, ShiftAmt: amt, T: t})
		}
	}
	each(Brev, B32, B64)
	each(Bfe, carryTypes[:]...)
	each(Bfi, B32, B64)

	comparing := func(f Form, t Type) { // 9.7.6.1–2
		for f.Cmp = Eq; f.Cmp <= HsU; f.Cmp++ {
			if compares(f.Cmp, t) {
				for f.Bool = range BoolXor + 1 {
					add(f)
				}
			}
		}
	}
	for _, d := range [...]Type{U32, S32} {
		for _, t := range anyTypes {
			comparing(Form{Op: Set, T: d, A: t}, t)
		}
	}
	for _, t := range anyTypes {
		comparing(Form{Op: Setp, T: t}, t)
	}
	each(Selp, anyTypes[:]...) // 9.7.6.3–4
	for _, t := range anyTypes {
		add(Form{Op: Slct, T: t, A: S32})
	}

	for _, op := range [...]Op{And, Or, Xor, Not} { // 9.7.8
		each(op, Pred, B16, B32, B64)
	}
	each(Cnot, bitTypes[:]...)
	each(Lop3, B32)
	for _, m := range [...]Mode{Left, Right} {
		add(Form{Op: Shf, Mode: m, T: B32})
		add(Form{Op: Shf, Mode: m, Wrap: true, T: B32})
	}
	each(Shl, bitTypes[:]...)
	each(Shr, anyTypes[:]...)

	each(Mov, Pred) // 9.7.9
	each(Mov, anyTypes[:]...)
	for m := range RC16 + 1 {
		add(Form{Op: Prmt, T: B32, Perm: m})
	}
	for _, d := range cvtTypes {
		for _, a := range cvtTypes {
			add(Form{Op: Cvt, T: d, A: a})
			if saturates(d, a) {
				add(Form{Op: Cvt, T: d, A: a, Sat: true})
			}
		}
	}
	return fs
})

// compares reports whether values of type t are compared by c.
func compares(c Cmp, t Type) bool {
	switch {
	case c <= Ne:
		return true
	case c <= Ge:
		return t.Signed() || t.Unsigned()
	}
	return t.Unsigned()
}

// saturates reports whether some value of type a lies outside d's range: .sat
// is illegal where nothing can saturate (PTX ISA 9.7.9.21).
func saturates(d, a Type) bool {
	switch {
	case d.Signed() == a.Signed():
		return d.Bits() < a.Bits()
	case d.Signed():
		return d.Bits() <= a.Bits()
	}
	return true
}

// Floor is the first PTX version and the lowest sm_ target that have the form
// (seen: ptxas 11.8, 12.9 and 13.5, which agree; shf says sm_32, the manual's
// number, prmt to bfind sm_20).
func Floor(f Form) (version string, sm int) {
	switch f.Op {
	case Vmad, Prmt, Bfe, Bfi, Clz, Popc, Brev, Bfind:
		return "2.0", 20
	case Shf:
		return "3.1", 32
	case Lop3:
		return "4.3", 50
	}
	switch mad := f.Op == Madc || f.Op == Mad && f.CC; {
	case f.CC && f.T.Bits() == 64:
		return "4.3", 20
	case mad:
		return "3.0", 20
	case f.Op == Sub && f.CC, f.Op == Subc:
		return "1.3", 10
	case f.Op == Add && f.CC, f.Op == Addc:
		return "1.2", 10
	}
	return "1.0", 10
}

// Fused lists the wide multiply-adds with a carry that PTX has no spelling for:
// they mean what a pair mad.lo.cc, madc.hi(.cc) of the same a and b computes on
// c = {c.hi, c.lo}. Passes make them; text cannot.
func Fused() []Form {
	var out []Form
	for _, t := range []Type{U32, S32} {
		out = append(out,
			Form{Op: Mad, Mode: Wide, CC: true, T: t},
			Form{Op: Madc, Mode: Wide, T: t},
			Form{Op: Madc, Mode: Wide, CC: true, T: t})
	}
	return out
}

// Halved lists mul.wide.u16 and mad.wide.u16 of halves of words, the sum also
// with carries as add.cc, addc and addc.cc have them: "madc.wide.cc.u16 a.h1,
// b.h0, c". Passes make them for targets that multiply halves; text cannot.
func Halved() []Form {
	var out []Form
	for _, f := range []Form{{Op: Mul}, {Op: Mad}, {Op: Mad, CC: true}, {Op: Madc}, {Op: Madc, CC: true}} {
		f.Mode, f.T = Wide, U16
		for f.SelA = H0; f.SelA <= H1; f.SelA++ {
			for f.SelB = H0; f.SelB <= H1; f.SelB++ {
				out = append(out, f)
			}
		}
	}
	return out
}

// OfHalves reports a form of Halved.
func (f Form) OfHalves() bool { return f.Op != Vmad && f.SelA != Word }
