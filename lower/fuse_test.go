package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func every(ptx.Form) bool { return true }

// count is how many values have each mnemonic.
func count(f *ir.Func) map[string]int {
	n := map[string]int{}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if v.Op == ir.PTX {
				n[v.Form.Name()]++
			}
		}
	}
	return n
}

// half is a mul, mad or madc of words: "mul.hi.u32", "madc.lo.cc.u32".
func half(name string) ptx.Form { return ptx.Lookup(name).Form }

func TestHalvesOfAProductAreFused(t *testing.T) {
	f := one(32, []int{32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		lo := b.PTX(half("mul.lo.u32"), ps[0], ps[1])[0]
		x := b.New(ir.Xor, 32, lo, ps[0])
		hi := b.PTX(half("mul.hi.u32"), ps[1], ps[0])[0]
		return b.New(ir.Add, 32, x, hi)
	})
	want := ir.Clone(f)
	lower.Fuse(f, every)
	require.NoError(t, ir.Verify(f))
	require.NoError(t, sample(want, f, 50))
	require.Equal(t, map[string]int{"mul.wide.u32": 1, "mov.b64 {d0, d1}, a": 1}, count(f))
	lower.Fuse(want, func(ptx.Form) bool { return false })
	require.Equal(t, map[string]int{"mul.lo.u32": 1, "mul.hi.u32": 1}, count(want))
}

// chain is a·b + {c1, c0} in two words with a carry between them.
func chain(b *ir.Block, a, x, c0, c1 *ir.Value, carryOut bool) []*ir.Value {
	lo := b.PTX(half("mad.lo.cc.u32"), a, x, c0)
	form := half("madc.hi.u32")
	if carryOut {
		form = half("madc.hi.cc.u32")
	}
	return append(lo[:1:1], b.PTX(form, a, x, c1, lo[1])...)
}

func TestAMadAndItsMadcAreFused(t *testing.T) {
	for _, carryOut := range []bool{false, true} {
		f := one(32, []int{32, 32, 32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
			out := chain(b, ps[0], ps[1], ps[2], ps[3], carryOut)
			r := b.New(ir.Xor, 32, out[0], out[1])
			if carryOut {
				r = b.New(ir.Add, 32, r, b.New(ir.ZExt, 32, out[2]))
			}
			return r
		})
		want := ir.Clone(f)
		lower.Fuse(f, every)
		require.NoError(t, ir.Verify(f))
		require.NoError(t, sample(want, f, 50))
		name := map[bool]string{false: "mad.wide.u32", true: "mad.wide.cc.u32"}[carryOut]
		require.Equal(t, 1, count(f)[name], "%v", count(f))
		require.Zero(t, count(f)["madc.hi.u32"])
	}
}

func TestHalvesThatNeedEachOtherAreNotFused(t *testing.T) {
	for name, build := range map[string]func(b *ir.Block, ps []*ir.Value) []*ir.Value{
		"the high half adds the low one": func(b *ir.Block, ps []*ir.Value) []*ir.Value {
			lo := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			return b.PTX(half("madc.hi.u32"), ps[0], ps[1], lo[0], lo[1])
		},
		"the carry has another reader": func(b *ir.Block, ps []*ir.Value) []*ir.Value {
			lo := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			hi := b.PTX(half("madc.hi.u32"), ps[0], ps[1], ps[3], lo[1])
			return []*ir.Value{b.New(ir.Add, 32, hi[0], b.New(ir.ZExt, 32, lo[1]))}
		},
		"two pairs, each high half of which adds the other's low one": func(b *ir.Block, ps []*ir.Value) []*ir.Value {
			l1 := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			l2 := b.PTX(half("mad.lo.cc.u32"), ps[2], ps[3], ps[0])
			h1 := b.PTX(half("madc.hi.u32"), ps[0], ps[1], l2[0], l1[1])
			h2 := b.PTX(half("madc.hi.u32"), ps[2], ps[3], l1[0], l2[1])
			return []*ir.Value{b.New(ir.Xor, 32, h1[0], h2[0])}
		},
		"the low half adds the low half of another pair, whose high half adds it": func(b *ir.Block, ps []*ir.Value) []*ir.Value {
			l1 := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			l2 := b.PTX(half("mad.lo.cc.u32"), ps[2], ps[3], l1[0])
			h1 := b.PTX(half("madc.hi.u32"), ps[0], ps[1], l2[0], l1[1])
			h2 := b.PTX(half("madc.hi.u32"), ps[2], ps[3], ps[0], l2[1])
			return []*ir.Value{b.New(ir.Xor, 32, h1[0], h2[0])}
		},
		"the carry-in of one is needed by another's high half": func(b *ir.Block, ps []*ir.Value) []*ir.Value {
			l1 := b.PTX(half("mad.lo.cc.u32"), ps[0], ps[1], ps[2])
			d := b.PTX(half("add.cc.u32"), l1[0], ps[3])
			l2 := b.PTX(half("madc.lo.cc.u32"), ps[2], ps[3], ps[1], d[1])
			h1 := b.PTX(half("madc.hi.u32"), ps[0], ps[1], l2[0], l1[1])
			h2 := b.PTX(half("madc.hi.u32"), ps[2], ps[3], ps[0], l2[1])
			return []*ir.Value{b.New(ir.Xor, 32, h1[0], h2[0])}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(32, []int{32, 32, 32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value { return build(b, ps)[0] })
			want := ir.Clone(f)
			lower.Fuse(f, every)
			require.NoError(t, ir.Verify(f), "%s", f)
			require.NoError(t, sample(want, f, 50))
		})
	}
}

// products is a random function of words with the halves of products of few
// factors, in one block or two.
func products(rt *rapid.T) *ir.Func {
	f := ir.NewFunc("f")
	words := []*ir.Value{}
	for i := range 3 {
		words = append(words, f.Param(fmt.Sprint("p", i), 32))
	}
	factors := words[:3:3]
	carries := []*ir.Value{f.Const(sem.U(1), 1)}
	b := f.Blocks[0]
	word := func() *ir.Value {
		return words[rapid.IntRange(max(0, len(words)-12), len(words)-1).Draw(rt, "word")]
	}
	factor := func() *ir.Value { return rapid.SampledFrom(factors).Draw(rt, "factor") }
	carry := func() *ir.Value {
		return carries[rapid.IntRange(max(0, len(carries)-4), len(carries)-1).Draw(rt, "carry")]
	}
	names := []string{"mul.lo.u32", "mul.hi.u32", "mul.hi.s32", "mul.lo.s32", "mad.lo.cc.u32", "madc.lo.cc.u32", "madc.hi.cc.u32",
		"madc.hi.u32", "madc.hi.cc.s32", "mad.hi.cc.u32", "addc.cc.u32", "mad.lo.u32"}
	var open [][]*ir.Value // low halves that wait for their high ones: the result and the carry
	for range rapid.IntRange(2, 30).Draw(rt, "length") {
		if len(open) > 0 && rapid.Bool().Draw(rt, "close") {
			i := rapid.IntRange(0, len(open)-1).Draw(rt, "pair")
			l := open[i]
			open = append(open[:i], open[i+1:]...)
			form := half(rapid.SampledFrom([]string{"madc.hi.u32", "madc.hi.cc.u32", "madc.hi.s32"}).Draw(rt, "high"))
			out := b.PTX(form, l[0].Args[0], l[0].Args[1], word(), l[1])
			words = append(words, out[0])
			carries = append(carries, out[1:]...)
			continue
		}
		form := half(rapid.SampledFrom(names).Draw(rt, "form"))
		args := []*ir.Value{factor(), factor()}
		if form.Op == ptx.Addc {
			args = []*ir.Value{word(), word()}
		}
		if form.Op == ptx.Mad || form.Op == ptx.Madc {
			args = append(args, word())
		}
		if form.ReadsCF() {
			args = append(args, carry())
		}
		out := b.PTX(form, args...)
		words = append(words, out[0])
		if len(out) > 1 && form.Mode == ptx.Lo {
			open = append(open, out)
		} else if len(out) > 1 {
			carries = append(carries, out[1])
		}
		if rapid.IntRange(0, 14).Draw(rt, "block") == 0 {
			next := f.NewBlock("")
			b.Br(next)
			b = next
		}
	}
	sum := b.New(ir.ZExt, 32, carries[len(carries)-1])
	for _, w := range words {
		sum = b.New(ir.Xor, 32, b.New(ir.Add, 32, sum, sum), w)
	}
	f.Results = []int{32}
	b.Ret(sum)
	return f
}

func TestFusedFunctionsComputeTheSame(t *testing.T) {
	fused := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := products(rt)
		want := ir.Clone(f)
		lower.Fuse(f, every)
		if err := ir.Verify(f); err != nil {
			rt.Fatalf("%v\n%s\n%s", err, want, f)
		}
		if err := sample(want, f, 20); err != nil {
			rt.Fatalf("%v\n%s\n%s", err, want, f)
		}
		n := count(f)
		fused += n["mul.wide.u32"] + n["mul.wide.s32"] + n["mad.wide.u32"] + n["mad.wide.cc.u32"] + n["madc.wide.u32"] + n["madc.wide.cc.u32"]
	})
	require.Greater(t, fused, 20)
}

// Products of halves of words, and what is added to them, are one operation
// each; the carries stay on their way.
func TestProductsOfHalvesOfWordsAreFused(t *testing.T) {
	half16 := func(b *ir.Block, v *ir.Value) []*ir.Value {
		return b.PTX(ptx.Form{Op: ptx.Mov, T: ptx.B32, Pack: -2}, v)
	}
	wide := ptx.Lookup("mul.wide.u16").Form
	f := one(32, []int{32, 32, 32, 32}, func(b *ir.Block, ps []*ir.Value) *ir.Value {
		x, y := half16(b, ps[0]), half16(b, ps[1])
		k := b.Func.Const(sem.U(977), 16)
		p := b.PTX(wide, x[0], y[1])[0]
		q := b.PTX(wide, x[1], y[1])[0]
		r := b.PTX(wide, k, y[0])[0]
		twice := b.PTX(wide, x[1], y[0])[0]
		d0 := b.PTX(half("add.cc.u32"), ps[2], p)
		d1 := b.PTX(half("addc.cc.u32"), q, ps[3], d0[1])
		d2 := b.PTX(half("addc.u32"), r, d0[0], d1[1])
		d3 := b.PTX(half("add.u32"), twice, twice)
		return b.New(ir.Xor, 32, b.New(ir.Xor, 32, d1[0], d2[0]), d3[0])
	})
	want := ir.Clone(f)
	lower.FuseHalves(f, every)
	require.NoError(t, ir.Verify(f))
	require.NoError(t, sample(want, f, 200))
	require.Equal(t, map[string]int{"mad.wide.cc.u16 a.h0, b.h1, c": 1, "madc.wide.cc.u16 a.h1, b.h1, c": 1,
		"madc.wide.u16 a.h0, b.h0, c": 1, "mul.wide.u16 a.h1, b.h0": 1, "add.u32": 1}, count(f))
	lower.FuseHalves(want, func(ptx.Form) bool { return false })
	require.Equal(t, 4, count(want)["mul.wide.u16"])
}
