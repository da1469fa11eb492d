package rechain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// scanProduct is a product of two numbers of n limbs of w bits as C has it: a
// row at a time in integers of 2·w bits, LLVM's instructions alone.
func scanProduct(n, w int) *ir.Func {
	f := ir.NewFunc("scan")
	b := f.Blocks[0]
	params := func(name string) (out []*ir.Value) {
		for i := range n {
			out = append(out, f.Param(name+string(rune('0'+i)), w))
		}
		return out
	}
	x, y := params("a"), params("b")
	r := make([]*ir.Value, 2*n)
	for i := range r {
		r[i] = f.Const(sem.Val{}, w)
	}
	wide := func(v *ir.Value) *ir.Value { return b.New(ir.ZExt, 2*w, v) }
	for j := range n {
		carry := f.Const(sem.Val{}, w)
		for i := range n {
			t := b.New(ir.Mul, 2*w, wide(x[i]), wide(y[j]))
			t = b.New(ir.Add, 2*w, t, wide(r[i+j]))
			t = b.New(ir.Add, 2*w, t, wide(carry))
			r[i+j] = b.New(ir.Trunc, w, t)
			carry = b.New(ir.Trunc, w, b.New(ir.LShr, 2*w, t, f.Const(sem.U(uint64(w)), 2*w)))
		}
		r[n+j] = carry
	}
	for range r {
		f.Results = append(f.Results, w)
	}
	b.Ret(r...)
	return f
}

func TestLLVMInstructionsAreRead(t *testing.T) {
	t.Run("limbs of 32 bits", func(t *testing.T) {
		f := scanProduct(8, 32)
		require.NoError(t, ir.Verify(f))
		for class, most := range map[Class]int{Volta: 86, Maxwell: 302, GFX7: 125} {
			g := ir.Clone(f)
			r := single(t, g, class, Options{})
			require.True(t, r.Changed, r.Reason)
			require.LessOrEqual(t, r.After.Ops, most)
			require.Equal(t, "256×256→512 product, 64 products", r.Chains[0].String())
			sameResults(t, f, g, 100, nil)
		}
	})
	t.Run("and so are the PTX forms that they become", func(t *testing.T) {
		f := scanProduct(8, 32)
		g := lower.Canon(ir.Clone(f))
		lower.Simplify(g)
		h := ir.Clone(g)
		r := single(t, h, Volta, Options{})
		require.True(t, r.Changed, r.Reason)
		require.LessOrEqual(t, r.After.Ops, 86)
		sameResults(t, g, h, 100, nil)
	})
	t.Run("limbs of 64 bits in integers of 128", func(t *testing.T) {
		f := scanProduct(4, 64)
		g := ir.Clone(f)
		r := single(t, g, Volta, Options{})
		require.True(t, r.Changed, r.Reason)
		require.LessOrEqual(t, r.After.Ops, 86)
		sameResults(t, f, g, 100, nil)
	})
}

// A carry as C has it: the sum is smaller than a summand.
func TestComparisonsThatAreCarriesAreRead(t *testing.T) {
	f, err := ir.ParseFunc(`func @f(%a0: i32, %a1: i32, %b: i32, %c0: i32, %c1: i32) -> (i32, i32, i32) {
entry:
  %l0 = mul.lo.u32 %a0, %b
  %h0 = mul.hi.u32 %a0, %b
  %l1 = mul.lo.u32 %a1, %b
  %h1 = mul.hi.u32 %a1, %b
  %m: i32 = add %h0, %l1
  %k0: i1 = icmp ult %m, %l1
  %k: i32 = zext %k0
  %t: i32 = add %h1, %k
  %s0: i32 = add %l0, %c0
  %k1: i1 = icmp ult %s0, %c0
  %k2: i32 = zext %k1
  %s1, %k3 = add.cc.u32 %m, %c1
  %u1, %k4 = add.cc.u32 %s1, %k2
  %k5: i32 = zext %k3
  %k6: i32 = zext %k4
  %v: i32 = add %t, %k5
  %w: i32 = add %v, %k6
  ret %s0, %u1, %w
}`)
	require.NoError(t, err)
	g := ir.Clone(f)
	r := single(t, g, Volta, Options{})
	require.True(t, r.Changed, r.Reason)
	require.LessOrEqual(t, r.After.Ops, 5)
	require.Contains(t, r.Chains[0].Formula(), "b·(a0 + a1·2^32) + (c0 + c1·2^32)  (mod 2^96)")
	sameResults(t, f, g, 500, nil)
}

// What is not of the family is left where it is: what it reads is wanted, and
// what it gives is a value like an input.
func TestForeignOperationsStayInBetween(t *testing.T) {
	f, err := ir.ParseFunc(`func @f(%a0: i32, %a1: i32, %b0: i32, %b1: i32, %p0: i32, %p1: i32) -> (i32, i32, i32, i32, i1) {
entry:
  %x0 = xor.b32 %a0, %p1
  %r0 = mul.lo.u32 %x0, %b0
  %r1a = mul.lo.u32 %a1, %b0
  %r1, %c0 = mad.hi.cc.u32 %x0, %b0, %r1a
  %r2 = madc.hi.u32 %a1, %b0, 0, %c0
  %s1, %c1 = mad.lo.cc.u32 %x0, %b1, %r1
  %s2, %c2 = madc.lo.cc.u32 %a1, %b1, %r2, %c1
  %s3 = addc.u32 0, 0, %c2
  %t2, %c3 = mad.hi.cc.u32 %x0, %b1, %s2
  %t3 = madc.hi.u32 %a1, %b1, %s3, %c3
  %d0, %e0 = sub.cc.u32 %t2, %p0
  %d1, %e1 = subc.cc.u32 %t3, %p1, %e0
  %q0 = selp.b32 %d0, %t2, %e1
  %q1 = selp.b32 %d1, %t3, %e1
  %y0 = mul.lo.u32 %q0, %b0
  %y1a = mul.lo.u32 %q1, %b0
  %y1, %f0 = mad.hi.cc.u32 %q0, %b0, %y1a
  %y2 = madc.hi.u32 %q1, %b0, 0, %f0
  %z1, %f1 = mad.lo.cc.u32 %q0, %b1, %y1
  %z2, %f2 = madc.lo.cc.u32 %q1, %b1, %y2, %f1
  %z3 = addc.u32 0, 0, %f2
  %w2, %f3 = mad.hi.cc.u32 %q0, %b1, %z2
  %w3 = madc.hi.u32 %q1, %b1, %z3, %f3
  ret %y0, %z1, %w2, %w3, %e1
}`)
	require.NoError(t, err)
	for class := Generic; class < NumClasses; class++ {
		g := ir.Clone(f)
		rs := Run(g, class)
		require.NoError(t, ir.Verify(g))
		sameResults(t, f, g, 300, nil)
		if class == Volta {
			require.Len(t, rs, 2)
			for _, r := range rs {
				require.True(t, r.Changed, r.Reason)
			}
			selps := 0
			for _, v := range g.Blocks[0].Vals {
				selps += btoi(v.Op == ir.PTX && v.Form.Op == ptx.Selp)
			}
			require.Equal(t, 2, selps)
		}
	}
}

// A loop stays a loop; its body is a region of its own.
func TestEachBlockIsReadByItself(t *testing.T) {
	f, err := ir.ParseFunc(`func @f(%a: i64, %b: i64, %n: i32) -> (i64, i64) {
entry:
  br loop
loop:
  %lo: i64 = phi [%a, entry], [%l, loop]
  %hi: i64 = phi [%b, entry], [%h, loop]
  %i: i32 = phi [0, entry], [%j, loop]
  %l = mul.lo.u64 %lo, %b
  %t = mul.lo.u64 %hi, %b
  %h = mad.hi.u64 %lo, %b, %t
  %j = add.u32 %i, 1
  %c: i1 = icmp ult %j, %n
  condbr %c, loop, done
done:
  ret %l, %h
}`)
	require.NoError(t, err)
	g := ir.Clone(f)
	rs := Run(g, Maxwell)
	require.Len(t, rs, 1)
	require.True(t, rs[0].Changed, rs[0].Reason)
	require.NoError(t, ir.Verify(g))
	require.Len(t, g.Blocks, 3)
	for _, n := range []uint64{0, 1, 3, 7} {
		in := []sem.Val{sem.U(0xfedcba9876543211), sem.U(0xffffffffffffffff - n), sem.U(n)}
		want, err := runLoop(f, in)
		require.NoError(t, err)
		got, err := runLoop(g, in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
