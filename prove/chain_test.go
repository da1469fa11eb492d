package prove_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// ptxOp evaluates a form as the source program would: cf is the carry, read and
// written as the form does.
func ptxOp(b *sem.Builder, f ptx.Form, cf **sem.Term, in ...*sem.Term) *sem.Term {
	if f.ReadsCF() {
		in = append(in, *cf)
	}
	out := f.Meaning(b, in, ptx.ISA)
	if f.WritesCF() {
		*cf = out[len(out)-1]
	}
	return out[0]
}

// schoolbook is the straight-line product of two numbers of n limbs with
// mad.lo.cc, madc.lo.cc, madc.hi.cc and addc, as people write it: for each limb
// of a, a row of low halves, then a row of high halves. With drop, one carry is
// not added.
func schoolbook(b *sem.Builder, n, limb int, drop bool) (x, y, r []*sem.Term) {
	t := ptx.U32
	if limb == 64 {
		t = ptx.U64
	}
	for i := range n {
		x = append(x, b.Var(fmt.Sprint("a", i), limb))
		y = append(y, b.Var(fmt.Sprint("b", i), limb))
	}
	zero := b.U(0, limb)
	r = make([]*sem.Term, 2*n)
	for i := range r {
		r[i] = zero
	}
	var cf *sem.Term
	for i := range n {
		for _, mode := range []ptx.Mode{ptx.Lo, ptx.Hi} {
			h := 0
			if mode == ptx.Hi {
				h = 1
			}
			for j := range n {
				f := ptx.Form{Op: ptx.Madc, Mode: mode, CC: true, T: t}
				if j == 0 {
					f.Op = ptx.Mad
				}
				r[i+j+h] = ptxOp(b, f, &cf, x[i], y[j], r[i+j+h])
			}
			for k := i + n + h; k < 2*n; k++ {
				if drop && i == n/2 {
					break
				}
				r[k] = ptxOp(b, ptx.Form{Op: ptx.Addc, CC: true, T: t}, &cf, r[k], zero)
			}
		}
	}
	return x, y, r
}

// number is the polynomial Σ 2^(limb·i) · t_i.
func number(k *prove.Kernel, limb int, ts []*sem.Term) *prove.Poly {
	var sum *prove.Poly
	for i, t := range ts {
		p := k.Shl(k.Of(t), uint(limb*i))
		if sum == nil {
			sum = p
		} else {
			sum = k.Add(sum, p)
		}
	}
	return sum
}

// proveChain reports whether the rows compute the product of the two numbers.
func proveChain(n, limb int, drop bool) (*prove.Kernel, bool) {
	x, y, r := schoolbook(sem.NewBuilder(), n, limb, drop)
	k := prove.NewKernel(r...)
	return k, number(k, limb, r) == k.Mul(number(k, limb, x), number(k, limb, y))
}

func TestChainsOfCarriesAreTheProduct(t *testing.T) {
	for _, tt := range []struct{ n, limb int }{{2, 32}, {4, 32}, {6, 32}, {8, 32}, {2, 64}, {4, 64}, {8, 64}} {
		if tt.n*tt.limb > 256 && testing.Short() {
			continue
		}
		_, ok := proveChain(tt.n, tt.limb, false)
		require.True(t, ok, "%d limbs of %d bits", tt.n, tt.limb)
		_, ok = proveChain(tt.n, tt.limb, true)
		require.False(t, ok, "%d limbs of %d bits, a carry dropped", tt.n, tt.limb)
	}
}

func TestTheChainComputesTheProductOnValues(t *testing.T) {
	x, y, r := schoolbook(sem.NewBuilder(), 4, 32, false)
	env := map[string]sem.Val{}
	value := func(ts []*sem.Term) *big.Int {
		sum := new(big.Int)
		for i, t := range ts {
			sum.Add(sum, new(big.Int).Lsh(new(big.Int).SetUint64(sem.Eval(t, env).Lo), uint(32*i)))
		}
		return sum
	}
	for i := range 100 {
		for j, v := range append(append([]*sem.Term{}, x...), y...) {
			env[v.Name] = sem.U(uint64(i*j) * 0x9e3779b97f4a7c15 >> 32)
		}
		require.Equal(t, new(big.Int).Mul(value(x), value(y)), value(r))
	}
}

func BenchmarkChain(b *testing.B) {
	for _, bits := range []int{128, 256, 512} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			for b.Loop() {
				if _, ok := proveChain(bits/32, 32, false); !ok {
					b.Fatal("not proved")
				}
			}
		})
	}
}
