package nv

import (
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// XMAD multiplies halves and adds a word, sm_50 to sm_62 (envytools, "Maxwell
// integer arithmetic"; tested on sm_53: nxgpucatch):
//
//	p = a·b, or with .PSL (a·b)·2^16
//	c, or .CLO c<15..0>, .CHI c<31..16>, .CBCC c + b·2^16, .CSFU below
//	d = p + c, and with .MRG its high half replaced by b's low half
//
// .CSFU takes 2^16 from c for each factor's register that is negative where the
// other register's low half is not 0 (inferred: ptxas multiplies all signed words
// so). That is where the products of its high half and that low half, as the two
// 32-bit numbers that a signed product of words is made of, are negative.
type xmad struct {
	signedA, signedB bool
	highA, highB     bool
	shifted, merged  bool
	addend           addend
}

type addend uint8

const (
	whole addend = iota
	lowHalf
	highHalf
	plusB
	signFix
)

var (
	X_LL      = xmad{}.row("XMAD")
	X_LH      = xmad{highB: true}.row("XMAD")
	X_HH      = xmad{highA: true, highB: true}.row("XMAD")
	X_LL_PSL  = xmad{shifted: true}.row("XMAD.PSL")
	X_LL_CLO  = guessed(xmad{addend: lowHalf}.row("XMAD.CLO"))
	X_LH_CHI  = guessed(xmad{highB: true, addend: highHalf}.row("XMAD.CHI"))
	X_HL      = xmad{highA: true}.row("XMAD")
	X_HL_CHI  = xmad{highA: true, addend: highHalf}.row("XMAD.CHI")
	X_HH_CHI  = guessed(xmad{highA: true, highB: true, addend: highHalf}.row("XMAD.CHI"))
	X_LH_MRG  = xmad{highB: true, merged: true}.row("XMAD.MRG")
	X_HH_CBCC = xmad{highA: true, highB: true, shifted: true, addend: plusB}.row("XMAD.PSL.CBCC")
	X_LH_PSL  = guessed(xmad{highB: true, shifted: true}.row("XMAD.PSL"))
	X_HL_PSL  = guessed(xmad{highA: true, shifted: true}.row("XMAD.PSL"))
	X_HH_PSL  = guessed(xmad{highA: true, highB: true, shifted: true}.row("XMAD.PSL"))
	X_JOIN    = xmad{shifted: true, addend: lowHalf}.row("XMAD.PSL.CLO")
	X_PSL_CHI = xmad{shifted: true, addend: highHalf}.row("XMAD.PSL.CHI")

	X_SS        = xmad{signedA: true, signedB: true}.row("XMAD.S16.S16")
	X_SS_HL     = guessed(xmad{signedA: true, signedB: true, highA: true}.row("XMAD.S16.S16"))
	X_SS_HH     = guessed(xmad{signedA: true, signedB: true, highA: true, highB: true}.row("XMAD.S16.S16"))
	X_US_LL     = guessed(xmad{signedB: true}.row("XMAD.U16.S16"))
	X_US_LH     = xmad{signedB: true, highB: true}.row("XMAD.U16.S16")
	X_US_HL     = guessed(xmad{signedB: true, highA: true}.row("XMAD.U16.S16"))
	X_US_HH     = guessed(xmad{signedB: true, highA: true, highB: true}.row("XMAD.U16.S16"))
	X_SU_CHI    = xmad{signedA: true, highA: true, addend: highHalf}.row("XMAD.S16.U16.CHI")
	X_SU_HH_CHI = guessed(xmad{signedA: true, highA: true, highB: true, addend: highHalf}.row("XMAD.S16.U16.CHI"))
	X_CSFU      = guessed(xmad{signedA: true, signedB: true, highA: true, highB: true, addend: signFix}.row("XMAD.S16.S16.CSFU"))
)

// Sums with carries, as IADD and IADD.X have them: [with a carry in][with a
// carry out][high half of a][high half of b].
var xmadSums = func() (t [2][2][2][2]*mach.Op) {
	half := [2]string{"", ".H1"}
	for i := range 16 {
		in, out, a, b := i>>3, i>>2&1, i>>1&1, i&1
		x := xmad{highA: a == 1, highB: b == 1}
		if in+out == 0 {
			t[in][out][a][b] = [2][2]*mach.Op{{X_LL, X_LH}, {X_HL, X_HH}}[a][b]
			continue
		}
		name, sig := "XMAD"+[2]string{"", ".X"}[in], "r"+[2]string{"", "c"}[out]+"<r"+[2]string{"h", "r"}[b]+"r"+[2]string{"", "c"}[in]
		o := multiplier(fermiRow(HalfMul, seenMaxwell, name, "$d"+[2]string{"", ".CC"}[out]+", $0"+half[a]+", $1"+half[b]+", $2", sig, x.carries(in == 1, out == 1)))
		o.Commutes = a == b && b == 1
		t[in][out][a][b] = o
	}
	return t
}()

// carries is the sum with a carry in, the last operand, and a carry out.
func (x xmad) carries(reads, writes bool) meaning {
	return func(b *sem.Builder, in []*sem.Term) []*sem.Term {
		var cf *sem.Term
		if reads {
			cf = in[3]
		}
		zero := []*sem.Term{in[0], in[1], b.U(0, 32)}
		sum, carry := b.AddCarry(in[2], x.meaning(b, zero), cf)
		return []*sem.Term{sum, carry}[:1+index(writes)]
	}
}

func (x xmad) row(name string) *mach.Op {
	half := map[bool]string{true: ".H1"}
	sig := "r<rhr"
	if x.highB || x.addend == signFix { // a literal has no high half
		sig = "r<rrr"
	}
	o := multiplier(fermiRow(HalfMul, seenMaxwell, name, "$d, $0"+half[x.highA]+", $1"+half[x.highB]+", $2", sig, single(x.meaning)))
	o.Commutes = !x.merged && x.signedA == x.signedB && x.highA == x.highB && x.addend != plusB && sig == "r<rrr"
	return o
}

func (x xmad) meaning(b *sem.Builder, in []*sem.Term) *sem.Term {
	half := func(t *sem.Term, high, signed bool) *sem.Term {
		lo := 16 * index(high)
		return b.Ext(b.Bits(t, lo+15, lo), 32, signed)
	}
	p := b.Mul(half(in[0], x.highA, x.signedA), half(in[1], x.highB, x.signedB))
	if x.shifted {
		p = b.ShlK(p, 16)
	}
	c := in[2]
	switch x.addend {
	case lowHalf:
		c = half(c, false, false)
	case highHalf:
		c = half(c, true, false)
	case plusB:
		c = b.Add(c, b.ShlK(in[1], 16))
	case signFix:
		c = b.Sum(c, signsOf(b, in[0], in[1], true), signsOf(b, in[1], in[0], false))
	}
	d := b.Add(p, c)
	if x.merged {
		d = b.Concat(b.Bits(in[1], 15, 0), b.Bits(d, 15, 0))
	}
	return d
}

// signsOf is −2^16 where the product of the high half of x, signed, and the low
// half of y is negative, plus ⌊xL·yL / 2^16⌋ where that is asked for, which changes
// no sign.
func signsOf(b *sem.Builder, x, y *sem.Term, plus bool) *sem.Term {
	low := func(t *sem.Term) *sem.Term { return b.Bits(t, 15, 0) }
	p := b.Mul(b.Sext(b.Bits(x, 31, 16), 64), b.Zext(low(y), 64))
	if plus {
		p = b.Add(p, b.Zext(b.Bits(b.Mul(b.Zext(low(x), 32), b.Zext(low(y), 32)), 31, 16), 64))
	}
	return b.ShlK(b.Bits(p, 63, 32), 16)
}

// Three-operand additions: of words, of halves zero-extended, with .RS of
// ⌊(a + b) / 2^16⌋, a + b having 33 bits, with .LS of (a + b)·2^16.
var (
	F_IADD3_L  = guessed(maxwell("IADD3", "$d, $0, $1.H0, $2.H0", "r<rrr", addHalves(0)))
	F_IADD3_H  = guessed(maxwell("IADD3", "$d, $0, $1.H1, $2.H1", "r<rrr", addHalves(16)))
	F_IADD3_RS = maxwell("IADD3.RS", "$d, $0, $1, $2", "r<rrr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		s := b.Add(b.Zext(in[0], 33), b.Zext(in[1], 33))
		return b.Add(b.Zext(b.Bits(s, 32, 16), 32), in[2])
	}))
	F_IADD3_LS = guessed(maxwell("IADD3.LS", "$d, $0, $1, $2.H0", "r<rrr", single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Concat(b.Bits(b.Add(in[0], in[1]), 15, 0), b.Bits(in[2], 15, 0))
	})))
)

func maxwell(name, syntax, sig string, m meaning) *mach.Op {
	return fermiRow(HalfMul, seenMaxwell, name, syntax, sig, m)
}

func addHalves(lo int) meaning {
	return single(func(b *sem.Builder, in []*sem.Term) *sem.Term {
		return b.Sum(in[0], b.Zext(b.Bits(in[1], lo+15, lo), 32), b.Zext(b.Bits(in[2], lo+15, lo), 32))
	})
}

// LOP3 and LEA.HI as from sm_70 on, with the literals of their time.
var (
	F_LOP3   = maxwell("LOP3.LUT", "$d, $0, $1, $2, $3", "r<rir8", LOP3.Meaning)
	F_LEA_HI = maxwell("LEA.HI", "$d, $0, $1, $2, $3", "r<rrr5", LEA_HI.Meaning)
)
