package prove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/sem"
)

// trick is a way to compute something, right or wrong, from three words.
type trick struct {
	name  string
	wrong bool
	goal  func(b *sem.Builder, x, y, c, cf *sem.Term) (want, got []*sem.Term)
}

func one(t *sem.Term) []*sem.Term { return []*sem.Term{t} }

// wide is the product of x and y in twice their width.
func wide(b *sem.Builder, x, y *sem.Term, sx, sy bool) *sem.Term {
	w := 2 * x.W
	return b.Mul(b.Ext(x, w, sx), b.Ext(y, w, sy))
}

func hi(b *sem.Builder, t *sem.Term) *sem.Term { return b.Bits(t, t.W-1, t.W/2) }
func lo(b *sem.Builder, t *sem.Term) *sem.Term { return b.Bits(t, t.W/2-1, 0) }

// xmad is Maxwell's 16·16+32 multiply-add.
func xmad(b *sem.Builder, x, y, c *sem.Term) *sem.Term { return b.Add(wide(b, x, y, false, false), c) }

// xmadLo is x·y + c with three XMADs, the second merged, the third shifted.
func xmadLo(b *sem.Builder, x, y, c *sem.Term) *sem.Term {
	r0 := xmad(b, lo(b, x), lo(b, y), c)
	r1 := b.Concat(lo(b, y), lo(b, wide(b, lo(b, x), hi(b, y), false, false)))
	return b.Add(b.ShlK(wide(b, hi(b, x), hi(b, r1), false, false), 16), b.Add(r0, b.ShlK(r1, 16)))
}

// xmadHi is the high word of x·y with four XMADs and a sum of w bits.
func xmadHi(b *sem.Builder, x, y *sem.Term, w int) *sem.Term {
	zero := b.U(0, 32)
	r0 := xmad(b, lo(b, x), lo(b, y), zero)
	r1 := xmad(b, lo(b, x), hi(b, y), zero)
	r3 := xmad(b, hi(b, x), lo(b, y), b.LshrK(r0, 16))
	s := b.Add(b.Zext(r1, w), b.Zext(r3, w))
	return b.Add(b.Zext(b.Bits(s, w-1, 16), 32), xmad(b, hi(b, x), hi(b, y), zero))
}

// minus is x where s is negative, else 0.
func minus(b *sem.Builder, s, x *sem.Term) *sem.Term {
	return b.Ite(b.Slt(s, b.U(0, s.W)), x, b.U(0, x.W))
}

// limbs is the 128-bit product of two 64-bit words by four 32-bit multiply-adds.
func limbs(b *sem.Builder, x, y *sem.Term) *sem.Term {
	z := func(t *sem.Term) *sem.Term { return b.Zext(t, 64) }
	mad := func(p, q, c *sem.Term) *sem.Term { return b.Add(wide(b, p, q, false, false), c) }
	t0 := mad(lo(b, x), lo(b, y), b.U(0, 64))
	t1 := mad(hi(b, x), lo(b, y), z(hi(b, t0)))
	t2 := mad(lo(b, x), hi(b, y), z(lo(b, t1)))
	t3 := mad(hi(b, x), hi(b, y), b.Add(z(hi(b, t1)), z(hi(b, t2))))
	return b.Concat(t3, b.Concat(lo(b, t2), lo(b, t0)))
}

// clamped is vmad's saturated result from an exact sum.
func clamped(b *sem.Builder, t *sem.Term) *sem.Term {
	return b.Bits(b.Clamp(t, b.S(-1<<31, t.W), b.S(1<<31-1, t.W)), 31, 0)
}

// The planted bugs and their right neighbours of the study of verification: on
// the wrong ones, solvers and vectors differ in what they find.
var tricks = []trick{
	{"mad24.hi.u32 by a wide product of shifted operands", false, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := wide(b, b.Bits(x, 23, 0), b.Bits(y, 23, 0), false, false)
		return one(b.Add(b.Bits(p, 47, 16), c)), one(b.Add(hi(b, wide(b, b.ShlK(x, 8), b.ShlK(y, 8), false, false)), c))
	}},
	{"mad24.hi.u32 by an asymmetric shift", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := wide(b, b.Bits(x, 23, 0), b.Bits(y, 23, 0), false, false)
		return one(b.Add(b.Bits(p, 47, 16), c)), one(b.Add(hi(b, wide(b, b.Zext(b.Bits(x, 23, 0), 32), b.ShlK(y, 16), false, false)), c))
	}},
	{"mad24.hi.u32 without the mask of b", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := wide(b, b.Bits(x, 23, 0), b.Bits(y, 23, 0), false, false)
		return one(b.Add(b.Bits(p, 47, 16), c)), one(b.Add(b.Bits(wide(b, b.Zext(b.Bits(x, 23, 0), 32), y, false, false), 47, 16), c))
	}},
	{"mad24.hi.s32 by an asymmetric shift", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := wide(b, b.Bits(x, 23, 0), b.Bits(y, 23, 0), true, true)
		return one(b.Add(b.Bits(p, 47, 16), c)), one(b.Add(hi(b, wide(b, b.Sext(b.Bits(x, 23, 0), 32), b.ShlK(y, 16), true, true)), c))
	}},
	{"mad24.hi.s32 without the extension of b", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := wide(b, b.Bits(x, 23, 0), b.Bits(y, 23, 0), true, true)
		return one(b.Add(b.Bits(p, 47, 16), c)), one(b.Add(b.Bits(wide(b, b.Sext(b.Bits(x, 23, 0), 32), y, true, true), 47, 16), c))
	}},
	{"mad.lo.u32 by three XMADs", false, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		return one(b.Add(b.Mul(x, y), c)), one(xmadLo(b, x, y, c))
	}},
	{"mul.hi.u32 by four XMADs and a 33-bit sum", false, func(b *sem.Builder, x, y, _, _ *sem.Term) (want, got []*sem.Term) {
		return one(hi(b, wide(b, x, y, false, false))), one(xmadHi(b, x, y, 33))
	}},
	{"mul.hi.u32 by four XMADs and a 32-bit sum", true, func(b *sem.Builder, x, y, _, _ *sem.Term) (want, got []*sem.Term) {
		return one(hi(b, wide(b, x, y, false, false))), one(xmadHi(b, x, y, 32))
	}},
	{"mul.hi.s32 from XMADs and two corrections", false, func(b *sem.Builder, x, y, _, _ *sem.Term) (want, got []*sem.Term) {
		h := xmadHi(b, x, y, 33)
		return one(hi(b, wide(b, x, y, true, true))), one(b.Sub(b.Sub(h, minus(b, x, y)), minus(b, y, x)))
	}},
	{"mul.hi.s32 with one correction", true, func(b *sem.Builder, x, y, _, _ *sem.Term) (want, got []*sem.Term) {
		h := hi(b, wide(b, x, y, false, false))
		return one(hi(b, wide(b, x, y, true, true))), one(b.Sub(h, minus(b, x, y)))
	}},
	{"madc.hi.cc with the carry d < c", false, func(b *sem.Builder, x, y, c, cf *sem.Term) (want, got []*sem.Term) {
		p := hi(b, wide(b, x, y, false, false))
		s, co := b.AddCarry(p, c, cf)
		d := b.Add(b.Add(p, c), b.Zext(cf, 32))
		return []*sem.Term{s, co}, []*sem.Term{d, b.Ult(d, c)}
	}},
	{"madc.lo.cc with the carry d < c", true, func(b *sem.Builder, x, y, c, cf *sem.Term) (want, got []*sem.Term) {
		p := b.Mul(x, y)
		s, co := b.AddCarry(p, c, cf)
		d := b.Add(b.Add(p, c), b.Zext(cf, 32))
		return []*sem.Term{s, co}, []*sem.Term{d, b.Ult(d, c)}
	}},
	{"madc.lo.cc by two overflows", false, func(b *sem.Builder, x, y, c, cf *sem.Term) (want, got []*sem.Term) {
		p := b.Mul(x, y)
		s, co := b.AddCarry(p, c, cf)
		t := b.Add(p, c)
		d := b.Add(t, b.Zext(cf, 32))
		return []*sem.Term{s, co}, []*sem.Term{d, b.Or(b.Ult(t, p), b.Ult(d, t))}
	}},
	{"vmad.u32.u32.sat with -c in 65 bits", false, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := b.Zext(wide(b, x, y, false, false), 72)
		q := b.Zext(wide(b, x, y, false, false), 65)
		return one(clamped(b, b.Sub(p, b.Sext(c, 72)))), one(clamped(b, b.Sub(q, b.Sext(c, 65))))
	}},
	{"vmad.u32.u32.sat.shr7 with -c in 64 bits", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := b.Zext(wide(b, x, y, false, false), 72)
		return one(clamped(b, b.AshrK(b.Sub(p, b.Sext(c, 72)), 7))),
			one(clamped(b, b.AshrK(b.Sub(wide(b, x, y, false, false), b.Sext(c, 64)), 7)))
	}},
	{"vmad.u32.u32.sat with -a in 64 bits", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		p := b.Zext(wide(b, x, y, false, false), 72)
		return one(clamped(b, b.Sub(b.Sext(c, 72), p))), one(clamped(b, b.Sub(b.Sext(c, 64), wide(b, x, y, false, false))))
	}},
	{"a clamp whose limit is off by one", true, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		t := b.Add(wide(b, x, y, true, true), b.Sext(c, 64))
		least := b.S(-1<<31, 64)
		top := b.S(1<<31-1, 64)
		return one(clamped(b, t)), one(b.Bits(b.Ite(b.Slt(t, b.S(-1<<31+1, 64)), b.S(-1<<31+1, 64), b.Ite(b.Slt(top, t), top, b.Ite(b.Eq(t, least), least, t))), 31, 0))
	}},
	{"a 128-bit product by limbs", false, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		x, y = b.Concat(x, c), b.Concat(y, b.Var("d", 32))
		return one(wide(b, x, y, false, false)), one(limbs(b, x, y))
	}},
	{"a signed 64-bit high half by limbs and corrections", false, func(b *sem.Builder, x, y, c, _ *sem.Term) (want, got []*sem.Term) {
		x, y = b.Concat(x, c), b.Concat(y, b.Var("d", 32))
		h := hi(b, limbs(b, x, y))
		return one(hi(b, wide(b, x, y, true, true))), one(b.Sub(b.Sub(h, minus(b, x, y)), minus(b, y, x)))
	}},
}

func TestPlantedBugsAreRefutedAndTheirNeighboursProved(t *testing.T) {
	for _, tr := range tricks {
		b := sem.NewBuilder()
		params := []*sem.Term{b.Var("a", 32), b.Var("b", 32), b.Var("c", 32), b.Var("cf", 1), b.Var("d", 32)}
		g := prove.Goal{Name: tr.name, Params: params}
		g.Want, g.Got = tr.goal(b, params[0], params[1], params[2], params[3])
		r := prove.Equal(g, prove.Options{})
		if !tr.wrong {
			require.Equal(t, prove.Proved, r.Status, "%s: %s %v", tr.name, r.Reason, r.Counterexample)
			continue
		}
		require.Equal(t, prove.Refuted, r.Status, "%s: %s", tr.name, r.Reason)
		by, err := prove.Engines(g, 2000, false)
		require.NoError(t, err)
		require.Empty(t, by, tr.name)
	}
}
