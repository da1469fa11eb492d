package prove

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/sem"
)

func TestGatesComputeTheirFunctions(t *testing.T) {
	// All functions of three signals, each plain or complemented, equal or
	// constant: the simplifications must keep what is computed.
	c := newCircuit()
	in := c.inputs(3)
	signals := []lit{no, yes}
	for _, l := range in {
		signals = append(signals, l, l^1)
	}
	values := map[int]uint64{in[0].gate(): 0b11110000, in[1].gate(): 0b11001100, in[2].gate(): 0b10101010}
	type made struct {
		out, a, b, d lit
		op           gateOp
	}
	var all []made
	for _, a := range signals {
		for _, b := range signals {
			all = append(all, made{c.and(a, b), a, b, 0, andGate}, made{c.xor(a, b), a, b, 0, xorGate})
			for _, d := range signals {
				all = append(all, made{c.mux(a, b, d), a, b, d, muxGate}, made{c.maj(a, b, d), a, b, d, majGate})
			}
		}
	}
	out := c.simulate(values)
	at := func(l lit) uint64 { return (out[l.gate()] ^ -uint64(l&1)) & 0xff }
	for _, m := range all {
		a, b, d := at(m.a), at(m.b), at(m.d)
		want := [...]uint64{andGate: a & b, xorGate: a ^ b, muxGate: a&b | ^a&d, majGate: a&b | a&d | b&d}[m.op] & 0xff
		require.Equal(t, want, at(m.out), "%v", m)
	}
	require.Less(t, len(c.gates), 40, "equal gates are one")
}

func TestClausesHoldWhereGatesHaveTheirValues(t *testing.T) {
	for _, op := range []gateOp{andGate, xorGate, muxGate, majGate} {
		c := newCircuit()
		in := c.inputs(3)
		out := c.add(gate{op, in[0], in[1] ^ 1, in[2]})
		if op.arity() == 2 {
			out = c.add(gate{op, in[0], in[1] ^ 1, 0})
		}
		order, number := c.cone(out, in[2])
		f := c.clauses(order, number) // without roots: the definitions alone
		for v := range uint64(1 << 4) {
			vals := map[int]uint64{}
			for i, l := range in {
				vals[l.gate()] = v >> i & 1
			}
			sim := c.simulate(vals)
			bit := func(l uint32) bool { // of a literal of the formula
				g := order[l>>1-1]
				x := sim[g] & 1
				if g == out.gate() {
					x = v >> 3
				}
				return x&1 == 1 != (l&1 == 1)
			}
			holds := true
			for i := range f.len() {
				any := false
				for _, l := range f.clause(i) {
					any = any || bit(l)
				}
				holds = holds && any
			}
			require.Equal(t, sim[out.gate()]&1 == v>>3, holds, "op %d, %04b", op, v)
		}
	}
}

// primitive is a term of the primitive on variables, with konst the last one a
// constant; k chooses constants, positions and widths.
func primitive(b *sem.Builder, op sem.Op, w int, k uint64, konst bool) *sem.Term {
	x, y, z := b.Var("x", w), b.Var("y", w), b.Var("z", 1)
	t := &sem.Term{Op: op, N: 2, W: w, A: [3]*sem.Term{x, y}}
	switch op {
	case sem.OpNot, sem.OpNeg:
		t.N, t.A[1] = 1, nil
	case sem.OpZext, sem.OpSext:
		t.N, t.A[1], t.W = 1, nil, w+int(k%3)+1
	case sem.OpExtract:
		t.N, t.A[1] = 1, nil
		t.K = sem.U(k % uint64(w))
		t.W = 1 + int(k)/w%(w-int(t.K.Lo))
	case sem.OpConcat:
		t.W = 2 * w
	case sem.OpEq, sem.OpUlt, sem.OpSlt:
		t.W = 1
	case sem.OpIte:
		t.N, t.A = 3, [3]*sem.Term{z, x, y}
	}
	if konst && t.N == 2 {
		return Rebuild(b, t, x, b.U(k, w), nil)
	}
	return Rebuild(b, t, t.A[0], t.A[1], t.A[2])
}

func TestPrimitivesOnBitsComputeWhatTheyMean(t *testing.T) {
	checked := 0
	for op := sem.OpAdd; op < sem.NumOps; op++ {
		for _, w := range []int{1, 2, 3, 4} {
			for k := range uint64(1 << (w + 1)) {
				b := sem.NewBuilder()
				x := primitive(b, op, w, k, k < 1<<w && k%2 == 0)
				order := sem.Order(x)
				c := newCircuit()
				bits := map[*sem.Term][]lit{}
				free := map[int]string{}
				for _, t := range order {
					var a [3][]lit
					for i, y := range t.Args() {
						a[i] = bits[y]
					}
					bits[t] = c.blast(t, a[0], a[1], a[2])
					if t.Op == sem.OpVar {
						for i, l := range bits[t] {
							free[l.gate()] = fmt.Sprint(t.Name, i)
						}
					}
				}
				vars := sem.Vars(x)
				total := 0
				for _, v := range vars {
					total += v.W
				}
				for n := range 1 << total {
					env, in, m := map[string]sem.Val{}, map[int]uint64{}, n
					for _, v := range vars {
						env[v.Name] = sem.U(uint64(m)).Cut(v.W)
						for i, l := range bits[v] {
							in[l.gate()] = uint64(m >> i & 1)
						}
						m >>= v.W
					}
					out := c.simulate(in)
					got := new(big.Int)
					for i, l := range bits[x] {
						got.SetBit(got, i, uint(out[l.gate()]&1)^uint(l&1))
					}
					require.Zero(t, toBig(sem.Eval(x, env)).Cmp(got), "%s at %v", x, env)
					checked++
				}
			}
		}
	}
	require.Greater(t, checked, 50_000)
}

func TestTransposeExchangesRowsAndColumns(t *testing.T) {
	r := rng(t)
	var m [64]uint64
	for i := range m {
		m[i] = r.Uint64()
	}
	n := m
	transpose(&n)
	for i := range m {
		for j := range m {
			require.Equal(t, m[i]>>j&1, n[j]>>i&1)
		}
	}
}

func TestCubesCoverAllCounts(t *testing.T) {
	x := sem.NewBuilder().Var("x", 8)
	for m := 0; m <= 8; m++ {
		var bs []variableBit
		for i := 7; i >= 0; i-- {
			bs = append(bs, variableBit{x, i})
		}
		cubes := cover(bs, m)
		for v := range 256 {
			in := 0
			for _, q := range cubes {
				has := true
				for b, l := range q {
					has = has && lit(v>>b.bit&1) == l
				}
				if has {
					in++
				}
			}
			require.Equal(t, 1, in, "%d", v)
		}
	}
}

func TestTheSimulationFindsWrongBitsAndFacts(t *testing.T) {
	b := sem.NewBuilder()
	x, y := b.Var("x", 16), b.Var("y", 16)
	p := b.Mul(b.Zext(x, 32), b.Zext(y, 32))
	g := Goal{Params: []*sem.Term{x, y}, Want: []*sem.Term{b.Add(p, b.U(1, 32))}, Got: []*sem.Term{b.Sub(b.Neg(b.Not(p)), b.U(0, 32))}}
	for _, break_ := range []func(h *hybrid){
		func(h *hybrid) {},
		func(h *hybrid) { h.facts = append(h.facts, h.c.below(h.bits[p], constBits(small(1<<20), 32))) },
		func(h *hybrid) { h.bits[p][3] ^= 1 },
	} {
		pr := newProver(g, Options{})
		pr.sampler = newSampler(pr)
		pr.sampler.plain()
		h := newHybrid(pr.k, &g, pr.order, nil, products)
		fine := len(h.facts)
		break_(h)
		err := h.simulate(pr.sampler.values(pr.order, nil))
		if len(h.facts) == fine && h.bits[p][3]&1 == 0 {
			require.NoError(t, err)
		} else {
			require.Error(t, err)
		}
	}
}
