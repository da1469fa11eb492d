package sem

// Facts bounds the values that a term of some width can take: known bits and
// ranges, all three true at once. The zero value is the fact "is 0"; start from
// Any, Exactly, Between, BetweenS or Bits.
type Facts struct {
	Zeros, Ones Val // bits known to be 0, bits known to be 1; none above the width
	UMin, UMax  Val // least and greatest value read as unsigned
	SMin, SMax  Val // least and greatest value read as signed, sign-extended to 128 bits
}

// Any is true of every w-bit value.
func Any(w int) Facts {
	top := U(1).Shl(uint64(w - 1))
	return Facts{UMax: ones(w), SMin: top.SignExtend(w), SMax: top.Sub(U(1))}
}

// Exactly is true of the one w-bit value v.
func Exactly(v Val, w int) Facts {
	v = v.Cut(w)
	s := v.SignExtend(w)
	return Facts{Zeros: v.Not().Cut(w), Ones: v, UMin: v, UMax: v, SMin: s, SMax: s}
}

// Between is true of the w-bit values from lo to hi, both included, unsigned.
func Between(lo, hi Val, w int) Facts {
	f := Any(w)
	f.UMin, f.UMax = lo, hi
	return f.tighten(w)
}

// BetweenS is true of the w-bit values from lo to hi, both included, signed and
// given in 128 bits.
func BetweenS(lo, hi Val, w int) Facts {
	f := Any(w)
	f.SMin, f.SMax = lo, hi
	return f.tighten(w)
}

// KnownBits is true of the w-bit values that have zeros and ones where given.
func KnownBits(zeros, ones Val, w int) Facts {
	f := Any(w)
	f.Zeros, f.Ones = zeros.Cut(w), ones.Cut(w)
	return f.tighten(w)
}

// FitsU reports that the value is below 2^n.
func (f Facts) FitsU(n int) bool { return f.UMax.Len() <= n }

// FitsS reports that the value, read as signed, is from −2^(n−1) to 2^(n−1)−1.
func (f Facts) FitsS(n int) bool {
	return f.SMin.SignExtend(n) == f.SMin && f.SMax.SignExtend(n) == f.SMax
}

// Const is the value where only one is possible.
func (f Facts) Const() (Val, bool) { return f.UMin, f.UMin == f.UMax }

// Holds reports that the w-bit value v is within the facts.
func (f Facts) Holds(v Val, w int) bool {
	s := v.SignExtend(w)
	return v.And(f.Zeros).IsZero() && v.And(f.Ones) == f.Ones &&
		!v.Less(f.UMin) && !f.UMax.Less(v) && !s.SLess(f.SMin) && !f.SMax.SLess(s)
}

// Or is what holds where f or g does.
func (f Facts) Or(g Facts) Facts {
	return Facts{
		Zeros: f.Zeros.And(g.Zeros), Ones: f.Ones.And(g.Ones),
		UMin: minU(f.UMin, g.UMin), UMax: maxU(f.UMax, g.UMax),
		SMin: minS(f.SMin, g.SMin), SMax: maxS(f.SMax, g.SMax),
	}
}

// And is what holds of a w-bit value where both f and g do.
func (f Facts) And(g Facts, w int) Facts { return f.meet(g).tighten(w) }

func (f Facts) meet(g Facts) Facts {
	return Facts{
		Zeros: f.Zeros.Or(g.Zeros), Ones: f.Ones.Or(g.Ones),
		UMin: maxU(f.UMin, g.UMin), UMax: minU(f.UMax, g.UMax),
		SMin: maxS(f.SMin, g.SMin), SMax: minS(f.SMax, g.SMax),
	}
}

// tighten lets each kind of fact improve the others. Facts that no value meets
// stay such, or become facts of some value: either is true of nothing.
func (f Facts) tighten(w int) Facts {
	mask, sign := ones(w), U(1).Shl(uint64(w-1))
	negative := func(v Val) bool { return !v.And(sign).IsZero() }
	for range 2 {
		// Unknown bits all 0, all 1.
		lo, hi := f.Ones, mask.And(f.Zeros.Not())
		f.UMin, f.UMax = maxU(f.UMin, lo), minU(f.UMax, hi)
		if !negative(f.Zeros) {
			lo = lo.Or(sign)
		}
		if !negative(f.Ones) {
			hi = hi.And(sign.Not())
		}
		f.SMin, f.SMax = maxS(f.SMin, lo.SignExtend(w)), minS(f.SMax, hi.SignExtend(w))

		// Within one sign, the signed and the unsigned order agree.
		if negative(f.UMin) == negative(f.UMax) {
			f.SMin, f.SMax = maxS(f.SMin, f.UMin.SignExtend(w)), minS(f.SMax, f.UMax.SignExtend(w))
		}
		if negative(f.SMin) == negative(f.SMax) {
			f.UMin, f.UMax = maxU(f.UMin, f.SMin.Cut(w)), minU(f.UMax, f.SMax.Cut(w))
		}

		// What UMin and UMax share at the top, all values between them have.
		top := mask.And(ones(f.UMin.Xor(f.UMax).Len()).Not())
		f.Ones = f.Ones.Or(f.UMin.And(top))
		f.Zeros = f.Zeros.Or(f.UMin.Not().And(top))
	}
	return f
}

func minU(a, b Val) Val {
	if a.Less(b) {
		return a
	}
	return b
}

func maxU(a, b Val) Val {
	if a.Less(b) {
		return b
	}
	return a
}

func minS(a, b Val) Val {
	if a.SLess(b) {
		return a
	}
	return b
}

func maxS(a, b Val) Val {
	if a.SLess(b) {
		return b
	}
	return a
}

// Analysis finds Facts of terms and remembers them. It is not safe for
// concurrent use.
type Analysis struct {
	assume, memo map[*Term]Facts
}

// NewAnalysis gives an Analysis that takes the given facts, of variables or of
// any other terms, for granted.
func NewAnalysis(assume map[*Term]Facts) *Analysis {
	return &Analysis{assume, map[*Term]Facts{}}
}

// Facts is what the Builder's primitives imply of t where the assumptions hold.
// For more than one term, an Analysis saves work.
func (b *Builder) Facts(t *Term, assume map[*Term]Facts) Facts {
	return NewAnalysis(assume).Of(t)
}

// Of is what holds of t.
func (a *Analysis) Of(t *Term) Facts {
	if f, ok := a.memo[t]; ok {
		return f
	}
	var f Facts
	switch t.Op {
	case OpVar:
		f = Any(t.W)
	case OpConst:
		f = Exactly(t.K, t.W)
	case OpIte:
		f = a.under(t, nil)
	default:
		var x [3]Facts
		for i, arg := range t.Args() {
			x[i] = a.Of(arg)
		}
		f = prims[t.Op].facts(t, x[0], x[1], x[2]).tighten(t.W)
	}
	if g, ok := a.assume[t]; ok {
		f = f.And(g, t.W)
	}
	a.memo[t] = f
	return f
}

// guard is a condition of which the outcome is known on a path.
type guard struct {
	cond *Term
	is   bool
}

// maxGuards limits the nesting of choices that are followed: enough for a clamp.
const maxGuards = 3

// under is what holds of t where the guards do: the arms of a choice are seen
// under its condition, so that x < k ? x : k is known to be at most k.
func (a *Analysis) under(t *Term, gs []guard) Facts {
	if t.Op == OpIte && len(gs) < maxGuards {
		c := a.Of(t.A[0])
		yes := a.under(t.A[1], append(gs[:len(gs):len(gs)], guard{t.A[0], true}))
		no := a.under(t.A[2], append(gs[:len(gs):len(gs)], guard{t.A[0], false}))
		f := prims[OpIte].facts(t, c, yes, no).tighten(t.W)
		if g, ok := a.assume[t]; ok {
			f = f.And(g, t.W)
		}
		return a.guarded(t, f, gs)
	}
	return a.guarded(t, a.Of(t), gs)
}

// guarded adds to t's facts what the guards that compare t say.
func (a *Analysis) guarded(t *Term, f Facts, gs []guard) Facts {
	one := U(1)
	for _, g := range gs {
		if g.cond.N != 2 || g.cond.A[0].W != t.W {
			continue
		}
		x, y := g.cond.A[0], g.cond.A[1]
		if t != x && t != y {
			continue
		}
		fx, fy, h := a.Of(x), a.Of(y), Any(t.W)
		switch {
		case g.cond.Op == OpEq && g.is:
			h = fx.meet(fy)
		case g.cond.Op == OpUlt && g.is && t == x && !fy.UMax.IsZero():
			h.UMax = fy.UMax.Sub(one)
		case g.cond.Op == OpUlt && g.is && t == y && fx.UMin != ones(t.W):
			h.UMin = fx.UMin.Add(one)
		case g.cond.Op == OpUlt && !g.is && t == x:
			h.UMin = fy.UMin
		case g.cond.Op == OpUlt && !g.is && t == y:
			h.UMax = fx.UMax
		case g.cond.Op == OpSlt && g.is && t == x && fy.SMax != h.SMin:
			h.SMax = fy.SMax.Sub(one)
		case g.cond.Op == OpSlt && g.is && t == y && fx.SMin != h.SMax:
			h.SMin = fx.SMin.Add(one)
		case g.cond.Op == OpSlt && !g.is && t == x:
			h.SMin = fy.SMin
		case g.cond.Op == OpSlt && !g.is && t == y:
			h.SMax = fx.SMax
		default:
			continue
		}
		f = f.And(h, t.W)
	}
	return f
}
