package lower

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// Fuse makes one wide operation of two that multiply the same operands:
//
//	mul.lo a, b  and  mul.hi a, b                    mul.wide a, b
//	mad.lo.cc a, b, c0  and its  madc.hi a, b, c1    mad.wide a, b, {c1, c0}
//
// The second also with a carry into the low half and one out of the high half.
// They need not stand next to each other; the signedness is the high half's, the
// low half has none. The carry between the halves must have no other reader, and
// c1 must not depend on what the low half gives. has says which wide forms the
// target has operations for.
func Fuse(f *ir.Func, has func(ptx.Form) bool) {
	fu := fuser{f: f, has: has, uses: map[*ir.Value]int{}, with: map[*ir.Value]*ir.Value{}}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			for _, a := range v.Args {
				fu.uses[a]++
			}
		}
		for _, a := range b.Args {
			fu.uses[a]++
		}
	}
	var changed []*ir.Block
	for _, b := range f.Blocks {
		n := len(b.Vals)
		if fu.block(b); len(b.Vals) > n {
			changed = append(changed, b)
		}
	}
	if len(changed) == 0 {
		return
	}
	ir.ReplaceUses(f, fu.with)
	ir.RemoveDead(f)
	for _, b := range changed {
		sort(b)
	}
}

type fuser struct {
	f    *ir.Func
	b    *ir.Block
	has  func(ptx.Form) bool
	uses map[*ir.Value]int
	with map[*ir.Value]*ir.Value // what stands for the halves that were fused
}

func (fu *fuser) block(b *ir.Block) {
	fu.b = b
	var lows, highs []*ir.Value
	for _, v := range b.Vals {
		if v.Op != ir.PTX || v.Form.T.Bits() != 32 || v.Form.Sat {
			continue
		}
		switch f := v.Form; {
		case f.Op == ptx.Mul && f.Mode == ptx.Lo:
			lows = append(lows, v)
		case f.Op == ptx.Mul && f.Mode == ptx.Hi, f.Op == ptx.Madc && f.Mode == ptx.Hi:
			highs = append(highs, v)
		}
	}
	for _, h := range highs {
		if h.Form.Op == ptx.Madc {
			fu.pair(h)
			continue
		}
		for _, l := range lows {
			if fu.with[l] == nil && sameFactors(l, h) {
				fu.product(l, h)
				break
			}
		}
	}
}

// sameFactors: a and b are the same, in either order.
func sameFactors(x, y *ir.Value) bool {
	return x.Args[0] == y.Args[0] && x.Args[1] == y.Args[1] || x.Args[0] == y.Args[1] && x.Args[1] == y.Args[0]
}

func (fu *fuser) product(l, h *ir.Value) {
	f := ptx.Form{Op: ptx.Mul, Mode: ptx.Wide, T: h.Form.T}
	if fu.has(f) {
		fu.halves(l, h, fu.form(h.Off, f, h.Args[0], h.Args[1])[0])
	}
}

// pair fuses a madc.hi with the mad.lo.cc or madc.lo.cc that its carry is from.
func (fu *fuser) pair(h *ir.Value) {
	carry := h.Args[3]
	if carry.Op != ir.Result || carry.Block != fu.b || fu.uses[carry] != 1 {
		return
	}
	l := carry.Args[0]
	if l.Form.Op != ptx.Mad && l.Form.Op != ptx.Madc || l.Form.Mode != ptx.Lo || l.Form.T.Bits() != 32 ||
		!sameFactors(l, h) || fu.dependsOn(h.Args[2], l) {
		return
	}
	f := ptx.Form{Op: l.Form.Op, Mode: ptx.Wide, T: h.Form.T, CC: h.Form.CC}
	if !fu.has(f) {
		return
	}
	c := fu.form(h.Off, ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: 2}, l.Args[2], h.Args[2])[0]
	args := append([]*ir.Value{h.Args[0], h.Args[1], c}, l.Args[3:]...)
	out := fu.form(h.Off, f, args...)
	fu.halves(l, h, out[0])
	if h.Form.CC {
		for _, v := range fu.b.Vals {
			if v.Op == ir.Result && v.Args[0] == h {
				fu.with[v] = out[1]
			}
		}
	}
}

func (fu *fuser) form(off int, f ptx.Form, args ...*ir.Value) []*ir.Value {
	out := fu.b.PTX(f, args...)
	for _, v := range out {
		v.Off = off
	}
	return out
}

// halves lets the low and high half of a wide value stand for l and h.
func (fu *fuser) halves(l, h, wide *ir.Value) {
	out := fu.form(h.Off, ptx.Form{Op: ptx.Mov, T: ptx.B64, Pack: -2}, wide)
	fu.with[l], fu.with[h] = out[0], out[1]
}

// dependsOn reports whether v needs x, looking through the values of the block
// as they are once what was fused so far stands in its place: the low half of a
// pair then needs what the high half does.
func (fu *fuser) dependsOn(v, x *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var walk func(v *ir.Value) bool
	walk = func(v *ir.Value) bool {
		if v == x {
			return true
		}
		if seen[v] || v.Block != fu.b || v.Op == ir.Phi {
			return false
		}
		seen[v] = true
		if w := fu.with[v]; w != nil && walk(w) {
			return true
		}
		for _, a := range v.Args {
			if walk(a) {
				return true
			}
		}
		return false
	}
	return walk(v)
}

// sort puts the values of a block into an order in which operands come first,
// and otherwise keeps their order; a form's further results follow it.
func sort(b *ir.Block) {
	results := map[*ir.Value][]*ir.Value{}
	for _, v := range b.Vals {
		if v.Op == ir.Result {
			results[v.Args[0]] = append(results[v.Args[0]], v)
		}
	}
	placed := map[*ir.Value]bool{}
	out := make([]*ir.Value, 0, len(b.Vals))
	var place func(v *ir.Value)
	place = func(v *ir.Value) {
		if placed[v] || v.Block != b {
			return
		}
		if v.Op == ir.Result {
			place(v.Args[0])
			return
		}
		placed[v] = true
		if v.Op != ir.Phi {
			for _, a := range v.Args {
				place(a)
			}
		}
		out = append(out, v)
		for _, r := range results[v] {
			placed[r] = true
			out = append(out, r)
		}
	}
	for _, v := range b.Vals {
		if v.Op == ir.Phi {
			place(v)
		}
	}
	for _, v := range b.Vals {
		place(v)
	}
	b.Vals = out
}
