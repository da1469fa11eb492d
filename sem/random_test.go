package sem

import (
	"math/rand/v2"
	"testing"
)

// maker builds one node of each primitive; both the Builder's constructors and
// plain interning without any identity are makers.
type maker func(b *Builder, op Op, w int, k Val, xs ...*Term) *Term

// raw interns the node as it is.
func raw(b *Builder, op Op, w int, k Val, xs ...*Term) *Term {
	var a [3]*Term
	copy(a[:], xs)
	return b.intern(op, w, a[0], a[1], a[2], k)
}

// built uses the Builder's constructors.
func built(b *Builder, op Op, w int, k Val, xs ...*Term) *Term {
	switch op {
	case OpAdd:
		return b.Add(xs[0], xs[1])
	case OpSub:
		return b.Sub(xs[0], xs[1])
	case OpMul:
		return b.Mul(xs[0], xs[1])
	case OpAnd:
		return b.And(xs[0], xs[1])
	case OpOr:
		return b.Or(xs[0], xs[1])
	case OpXor:
		return b.Xor(xs[0], xs[1])
	case OpNot:
		return b.Not(xs[0])
	case OpNeg:
		return b.Neg(xs[0])
	case OpShl:
		return b.Shl(xs[0], xs[1])
	case OpLshr:
		return b.Lshr(xs[0], xs[1])
	case OpAshr:
		return b.Ashr(xs[0], xs[1])
	case OpConcat:
		return b.Concat(xs[0], xs[1])
	case OpExtract:
		return b.Bits(xs[0], int(k.Lo)+w-1, int(k.Lo))
	case OpZext:
		return b.Zext(xs[0], w)
	case OpSext:
		return b.Sext(xs[0], w)
	case OpEq:
		return b.Eq(xs[0], xs[1])
	case OpUlt:
		return b.Ult(xs[0], xs[1])
	case OpSlt:
		return b.Slt(xs[0], xs[1])
	case OpIte:
		return b.Ite(xs[0], xs[1], xs[2])
	}
	panic(op.String())
}

// node is a random primitive's shape: the operands' widths for a result of w
// bits; ok is false where the primitive has no such result.
func shape(r *rand.Rand, op Op, w, maxW int) (ws []int, k Val, ok bool) {
	switch op {
	case OpNot, OpNeg:
		return []int{w}, k, true
	case OpConcat:
		if w < 2 {
			return nil, k, false
		}
		hi := 1 + r.IntN(w-1)
		return []int{hi, w - hi}, k, true
	case OpExtract:
		if w >= maxW {
			return nil, k, false
		}
		from := w + 1 + r.IntN(maxW-w)
		return []int{from}, U(uint64(r.IntN(from - w + 1))), true
	case OpZext, OpSext:
		if w < 2 {
			return nil, k, false
		}
		return []int{1 + r.IntN(w-1)}, k, true
	case OpEq, OpUlt, OpSlt:
		if w != 1 {
			return nil, k, false
		}
		from := 1 + r.IntN(maxW)
		return []int{from, from}, k, true
	case OpIte:
		return []int{1, w, w}, k, true
	}
	return []int{w, w}, k, true
}

// zoo makes random terms.
type zoo struct {
	r        *rand.Rand
	builders []*Builder
	makers   []maker
	vars     [][]*Term // a slice of a builder's
	widths   []int     // of the variables
	maxW     int
	pool     map[int][][]*Term // terms made so far, by width
}

func newZoo(r *rand.Rand, maxW int, widths []int, makers ...maker) *zoo {
	z := &zoo{r: r, makers: makers, widths: widths, maxW: maxW, pool: map[int][][]*Term{}}
	for range makers {
		b := NewBuilder()
		var vs []*Term
		for i, w := range widths {
			vs = append(vs, b.Var(string(rune('a'+i)), w))
		}
		z.builders, z.vars = append(z.builders, b), append(z.vars, vs)
	}
	return z
}

// term is one random term, made by each maker.
func (z *zoo) term(w, depth int) []*Term {
	if p := z.pool[w]; len(p) > 0 && z.r.IntN(4) == 0 {
		return p[z.r.IntN(len(p))]
	}
	ts := z.fresh(w, depth)
	z.pool[w] = append(z.pool[w], ts)
	return ts
}

func (z *zoo) fresh(w, depth int) []*Term {
	out := make([]*Term, len(z.makers))
	if depth == 0 || z.r.IntN(12) == 0 {
		if z.r.IntN(4) > 0 {
			var fit []int
			for i, vw := range z.widths {
				if vw == w {
					fit = append(fit, i)
				}
			}
			if len(fit) > 0 {
				i := fit[z.r.IntN(len(fit))]
				for m := range out {
					out[m] = z.vars[m][i]
				}
				return out
			}
		}
		if depth == 0 {
			k := edge(z.r, w)
			if z.r.IntN(2) == 0 { // shift counts
				k = U(uint64(z.r.IntN(w + 2)))
			}
			for m := range out {
				out[m] = z.builders[m].Const(k, w)
			}
			return out
		}
	}
	for {
		op := OpAdd + Op(z.r.IntN(int(NumOps-OpAdd)))
		ws, k, ok := shape(z.r, op, w, z.maxW)
		if !ok {
			continue
		}
		args := make([][]*Term, len(z.makers))
		for _, aw := range ws {
			for m, t := range z.term(aw, depth-1) {
				args[m] = append(args[m], t)
			}
		}
		if op == OpSub || op == OpEq || op == OpAnd || op == OpIte {
			if z.r.IntN(8) == 0 { // equal operands, on which many identities act
				for m := range args {
					args[m][len(ws)-1] = args[m][len(ws)-2]
				}
			}
		}
		for m, mk := range z.makers {
			out[m] = mk(z.builders[m], op, w, k, args[m]...)
		}
		return out
	}
}

// edge is a random value of w bits, often one near a power of two.
func edge(r *rand.Rand, w int) Val {
	v := Val{r.Uint64(), r.Uint64()}
	switch r.IntN(5) {
	case 0:
		v = U(1).Shl(uint64(r.IntN(w))).Add(S(int64(r.IntN(3) - 1)))
	case 1:
		v = S(int64(r.IntN(5) - 2))
	case 2:
		v = v.Shr(uint64(r.IntN(128)))
	case 3:
		v = v.SignExtend(1 + r.IntN(w))
	}
	return v.Cut(w)
}

func rng(t testing.TB) *rand.Rand {
	var h uint64
	for _, c := range t.Name() {
		h = h*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(h, 1))
}
