package lower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// FuseHalves lets products of 16 bits read halves of words where these are, and
// add what is added to them:
//
//	mov.b32 {l, h}, a; mul.wide.u16 p, h, y; addc.cc.u32 d, c, p     madc.wide.cc.u16 d, a.h1, y.h0, c
//
// The operation stands where the addition stood, so that a carry on its way to
// it meets no other. has says which forms the target has operations for.
func FuseHalves(f *ir.Func, has Has) {
	if !has(ptx.Form{Op: ptx.Madc, Mode: ptx.Wide, T: ptx.U16, CC: true, SelA: ptx.H0, SelB: ptx.H0}) {
		return
	}
	h := halfFuser{f: f, halves: map[*ir.Value]halfOf{}, with: map[*ir.Value]*ir.Value{}, uses: map[*ir.Value]int{}}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			for _, a := range v.Args {
				h.uses[a]++
			}
			h.read(v)
		}
		for _, a := range b.Args {
			h.uses[a]++
		}
	}
	for _, b := range f.Blocks {
		h.block(b)
	}
	if len(h.with) > 0 {
		ir.ReplaceUses(f, h.with)
		ir.RemoveDead(f)
	}
}

// halfOf is a half of a word.
type halfOf struct {
	word *ir.Value
	sel  ptx.Sel
}

type halfFuser struct {
	f      *ir.Func
	halves map[*ir.Value]halfOf
	with   map[*ir.Value]*ir.Value // what stands for what was fused
	uses   map[*ir.Value]int
}

// read notes the values that are halves of words.
func (h *halfFuser) read(v *ir.Value) {
	from := v
	if v.Op == ir.Result {
		from = v.Args[0]
	}
	if from.Op != ir.PTX {
		return
	}
	switch f := from.Form; {
	case f.Op == ptx.Mov && f.T == ptx.B32 && f.Pack == -2:
		h.halves[v] = halfOf{from.Args[0], ptx.H0 + ptx.Sel(v.Index)}
	case f.Op == ptx.Cvt && !f.Sat && f.T.Bits() == 16 && f.A.Bits() == 32:
		h.halves[v] = halfOf{from.Args[0], ptx.H0}
	}
}

func (h *halfFuser) half(v *ir.Value) (halfOf, bool) {
	if v.Op == ir.Const {
		return halfOf{h.f.Const(v.K, 32), ptx.H0}, true
	}
	x, ok := h.halves[v]
	return x, ok
}

// product is a multiplication of halves; a constant comes second.
func (h *halfFuser) product(v *ir.Value) (x, y halfOf, ok bool) {
	if v.Op != ir.PTX || v.Form.Mode != ptx.Wide || v.Form.T != ptx.U16 || v.Form.OfHalves() {
		return x, y, false
	}
	x, okx := h.half(v.Args[0])
	y, oky := h.half(v.Args[1])
	if x.word != nil && x.word.Op == ir.Const {
		x, y = y, x
	}
	return x, y, okx && oky
}

func (h *halfFuser) block(b *ir.Block) {
	old := b.Vals
	b.Vals = make([]*ir.Value, 0, len(old))
	for _, v := range old {
		if v.Op == ir.Result && h.with[v.Args[0]] != nil {
			h.with[v] = b.Vals[len(b.Vals)-1] // the carry, the only one
			continue
		}
		f, args := h.fused(v)
		if args == nil {
			b.Vals = append(b.Vals, v)
			continue
		}
		out := b.PTX(f, args...)
		for _, x := range out {
			x.Off = v.Off
		}
		h.with[v] = out[0]
	}
}

// fused is the form that stands for a product or for an addition of one.
func (h *halfFuser) fused(v *ir.Value) (f ptx.Form, args []*ir.Value) {
	if x, y, ok := h.product(v); ok {
		f = v.Form
		f.SelA, f.SelB = x.sel, y.sel
		return f, append([]*ir.Value{x.word, y.word}, v.Args[2:]...)
	}
	if v.Op != ir.PTX || v.Form.T.Bits() != 32 || v.Form.Sat || v.Form.Op != ptx.Add && v.Form.Op != ptx.Addc {
		return f, nil
	}
	for i, p := range v.Args[:2] {
		if h.uses[p] != 1 || p.Op != ir.PTX || p.Form.Op != ptx.Mul || p.Block != v.Block {
			continue
		}
		if x, y, ok := h.product(p); ok {
			f = ptx.Form{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U16, CC: v.Form.CC, SelA: x.sel, SelB: y.sel}
			if v.Form.Op == ptx.Addc {
				f.Op = ptx.Madc
			}
			return f, append([]*ir.Value{x.word, y.word, v.Args[1-i]}, v.Args[2:]...)
		}
	}
	return f, nil
}
