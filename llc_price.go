package ptxlower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/ptx"
)

// llcOps is about how many instructions llc makes for AMD's GPUs of carry chains in
// portable IR: one v_mad_u64_u32 for all halves of a product, and an addition for
// each word that is added with a carry, which it does not take from the product
// (seen: llc 22 gfx900, gfx1100). ok is false where f has products of 64 bits.
func llcOps(f *ir.Func) (n int, ok bool) {
	type factors struct{ a, b *ir.Value }
	made := map[factors]bool{}
	zero := func(v *ir.Value) bool { return v.Op == ir.Const && v.K.IsZero() }
	for _, v := range f.Blocks[0].Vals {
		if v.Op != ir.PTX {
			continue
		}
		words, carries := (v.Form.T.Bits()+31)/32, v.Form.CC || v.Form.ReadsCF()
		switch v.Form.Op {
		case ptx.Mul, ptx.Mad, ptx.Madc:
			if words > 1 {
				return 0, false
			}
			if x := (factors{v.Args[0], v.Args[1]}); !made[x] {
				made[x], made[factors{x.b, x.a}] = true, true
				n++
			}
			switch {
			case v.Form.Op == ptx.Mul || zero(v.Args[2]) && !v.Form.ReadsCF():
			case v.Form.Mode != ptx.Wide:
				n++
			case carries:
				n += 2
			}
		case ptx.Add, ptx.Addc, ptx.Sub, ptx.Subc:
			n += words
		}
	}
	return n, true
}

// llcKeeps reports a chain that would not be clearly shorter through llc than as it
// is written: the count is not exact, and what it puts below 7 % came out longer as
// often as not (docs/rechaining.csv).
func llcKeeps(x *rechain.Found) bool {
	was, ok := llcOps(x.Source())
	is, known := llcOps(x.Code)
	return ok && known && 100*is >= 93*was
}
