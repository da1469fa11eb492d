package lower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// High reports a 32-bit form that takes the high half of its product.
func High(v *ir.Value) bool { return half(v, ptx.Hi) }

// Low reports a 32-bit form that takes the low half of its product.
func Low(v *ir.Value) bool { return half(v, ptx.Lo) }

func half(v *ir.Value, m ptx.Mode) bool {
	if v.Op != ir.PTX {
		return false
	}
	f := v.Form
	return (f.Op == ptx.Mul || f.Op == ptx.Mad || f.Op == ptx.Madc) && f.Mode == m && f.T.Bits() == 32 && !f.Sat
}

// WidenLows takes the low half of a product of 32 bits from the product in 64
// bits where the high half of the same product is needed too, in the function or
// elsewhere: LLVM then has one multiplication for both. elsewhere says in which
// type, and may be nil.
//
//	mad.lo.cc a, b, c   mul.wide t, a, b; add.cc lo(t), c
func WidenLows(f *ir.Func, elsewhere func(a, b *ir.Value) (ptx.Type, bool)) {
	highs := map[[2]*ir.Value]ptx.Type{}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if High(v) {
				x, y := v.Args[0], v.Args[1]
				highs[[2]*ir.Value{x, y}], highs[[2]*ir.Value{y, x}] = v.Form.T, v.Form.T
			}
		}
	}
	with := map[*ir.Value]*ir.Value{}
	for _, b := range f.Blocks {
		vals := b.Vals
		b.Vals = make([]*ir.Value, 0, len(vals)) // new ones stand where the old ones stood
		for _, v := range vals {
			t, ok := ptx.Type(0), false
			if Low(v) {
				t, ok = highs[[2]*ir.Value{v.Args[0], v.Args[1]}]
				if !ok && elsewhere != nil {
					t, ok = elsewhere(v.Args[0], v.Args[1])
				}
			}
			if ok {
				widenLow(b, v, vals, t, with)
			}
			b.Vals = append(b.Vals, v)
		}
	}
	if len(with) > 0 {
		ir.ReplaceUses(f, with)
		ir.RemoveDead(f)
	}
}

// widenLow appends what stands for a low half and its carry; vals are the block's
// values.
func widenLow(b *ir.Block, v *ir.Value, vals []*ir.Value, t ptx.Type, with map[*ir.Value]*ir.Value) {
	start := len(b.Vals)
	defer func() {
		for _, x := range b.Vals[start:] {
			x.Off = v.Off
		}
	}()
	product := b.PTX(ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: t}, v.Args[0], v.Args[1])[0]
	out := b.PTX(ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: -2}, product)[:1]
	if v.Form.Op != ptx.Mul {
		sum := ptx.Form{Op: ptx.Add, T: v.Form.T, CC: v.Form.CC}
		if v.Form.Op == ptx.Madc {
			sum.Op = ptx.Addc
		}
		out = b.PTX(sum, append([]*ir.Value{out[0]}, v.Args[2:]...)...)
	}
	with[v] = out[0]
	for _, r := range vals {
		if r.Op == ir.Result && r.Args[0] == v {
			with[r] = out[r.Index]
		}
	}
}
