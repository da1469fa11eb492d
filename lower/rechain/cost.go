package rechain

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// Cost is what operations take: native operations of a class, without moves,
// and registers of 32 bits at the most crowded place.
type Cost struct{ Ops, Regs int }

// prices are the native operations of a class for the forms of 32 bits and, at
// index 1, of 64.
type prices struct {
	lo, hi, add [2]int // mul.lo, mul.hi, add; mad is the sum where nothing fuses
	wide        int    // mul.wide.u32
	macLo       int    // mad.lo with carry
	macHi       int    // mad.hi with carry
	pair        int    // mad.lo.cc and madc.hi of the same operands
	pairIn      int    // and further operations where it reads a carry
	halfZero    int    // a pair of which one addend is 0
	imad        bool   // mad.lo without carry is one
	fused       bool   // mul.wide and add.u64 are one
	wide16      bool   // mul.wide.u16 and add.u32 are one
}

// The prices are fitted to counts of ptxas on product chains of the layouts in
// use (256 bits: rows 255 and 575, u64 rows 190 and 702, columns 120 and 639,
// even/odd 94 and 582 operations on sm_80 and sm_52), and for AMD follow from
// the instructions.
var classPrices = [...]prices{
	Generic:    {lo: [2]int{1, 1}, hi: [2]int{4, 8}, add: [2]int{1, 1}, wide: 1, macLo: 4, macHi: 7, pair: 11, halfZero: 0},
	Kepler:     {lo: [2]int{1, 4}, hi: [2]int{1, 8}, add: [2]int{1, 2}, wide: 2, macLo: 1, macHi: 1, pair: 2},
	Maxwell:    {lo: [2]int{3, 14}, hi: [2]int{4, 26}, add: [2]int{1, 2}, wide: 7, macLo: 4, macHi: 5, pair: 9, wide16: true},
	Volta:      {lo: [2]int{1, 3}, hi: [2]int{1, 5}, add: [2]int{1, 2}, wide: 1, macLo: 2, macHi: 2, pair: 1, halfZero: 1, imad: true, fused: true},
	Geforce120: {lo: [2]int{1, 3}, hi: [2]int{1, 5}, add: [2]int{1, 1}, wide: 1, macLo: 2, macHi: 2, pair: 1, halfZero: 1, imad: true, fused: true},
	GFX6:       {lo: [2]int{1, 5}, hi: [2]int{1, 11}, add: [2]int{1, 2}, wide: 2, macLo: 2, macHi: 2, pair: 4},
	GFX7:       {lo: [2]int{1, 4}, hi: [2]int{1, 7}, add: [2]int{1, 2}, wide: 1, macLo: 2, macHi: 2, pair: 1, pairIn: 2, halfZero: 1},
}

// costOf counts operations of a block that follow each other. outs are the
// values needed behind them.
func (p *prices) costOf(vals, outs []*ir.Value) Cost {
	return Cost{p.opsOf(vals, outs), pressure(vals, outs)}
}

// pricesOf are the prices of a class; ptxas fuses mul.wide with an addition of
// 64 bits, our own selection does not.
func pricesOf(class Class, opt Options) *prices {
	p := classPrices[class]
	p.fused = p.fused && !opt.Fused
	return &p
}

// opsOf is costOf without registers.
func (p *prices) opsOf(vals, outs []*ir.Value) (n int) {
	uses := make([]int32, highest(vals, outs)+1) // by Value.ID
	for _, v := range vals {
		for _, a := range v.Args {
			uses[a.ID]++
		}
	}
	for _, v := range outs {
		uses[v.ID]++
	}
	var prev *ir.Value // the form before
	for _, v := range vals {
		if v.Op == ir.Result {
			continue
		}
		if prev != nil && isPair(prev, v) {
			n += p.pair - p.single(prev)
			if prev.Form.ReadsCF() {
				n += p.pairIn
			}
			if v.Form.Op != ptx.Mul && isK(prev.Args[2], 0) != isK(v.Args[2], 0) {
				n += p.halfZero
			}
		} else {
			n += p.price(v, uses)
		}
		prev = v
	}
	return n
}

// highest is the greatest Value.ID that occurs.
func highest(vals, outs []*ir.Value) (id int) {
	for _, v := range vals {
		id = max(id, v.ID)
		for _, a := range v.Args {
			id = max(id, a.ID)
		}
	}
	for _, v := range outs {
		id = max(id, v.ID)
	}
	return id
}

// isPair reports the low and the high half of one multiply-add.
func isPair(lo, hi *ir.Value) bool {
	if !isProduct(lo) || !isProduct(hi) || lo.Op != ir.PTX || hi.Op != ir.PTX || lo.Form.Mode != ptx.Lo || hi.Form.Mode != ptx.Hi || lo.Form.T.Bits() != 32 || hi.Form.T != ptx.U32 {
		return false
	}
	if lo.Args[0] != hi.Args[0] || lo.Args[1] != hi.Args[1] {
		return false
	}
	if lo.Form.Op == ptx.Mul && hi.Form.Op == ptx.Mul {
		return true
	}
	if hi.Form.Op != ptx.Madc || !lo.Form.CC {
		return false
	}
	c := hi.Args[3]
	return c.Op == ir.Result && c.Args[0] == lo
}

// single is the price of a multiplication of 32 bits that is not part of a pair.
func (p *prices) single(v *ir.Value) int {
	f := v.Form
	wide := btoi(f.T.Bits() == 64)
	carries := f.CC || f.ReadsCF()
	n := p.lo[wide]
	if f.Mode == ptx.Hi {
		n = p.hi[wide]
	}
	switch {
	case f.Op == ptx.Mul:
		return n
	case wide == 1:
		return n + p.add[1]
	case f.Mode == ptx.Lo && carries:
		return p.macLo
	case f.Mode == ptx.Hi:
		return p.macHi
	case p.imad:
		return 1
	}
	return n + p.add[0]
}

func (p *prices) price(v *ir.Value, uses []int32) int {
	words := (v.W + 31) / 32
	f := v.Form
	if v.Op != ir.PTX {
		switch v.Op {
		case ir.ZExt, ir.Trunc:
			return 0
		case ir.Add, ir.Sub:
			return p.addPrice(v, uses, words)
		case ir.Mul:
			if v.W > 64 {
				return p.lo[1] + p.hi[1]
			}
			if words == 2 && v.Args[0].Op == ir.ZExt && v.Args[1].Op == ir.ZExt && v.Args[0].Args[0].W <= 32 && v.Args[1].Args[0].W <= 32 {
				return p.wide
			}
			return p.lo[words-1]
		case ir.Shl, ir.LShr:
			return shiftPrice(v.Args[1], words)
		}
		return words
	}
	switch f.Op {
	case ptx.Mov:
		return 0
	case ptx.Cvt:
		if f.T.Bits() >= 32 && f.A.Bits() >= 32 && !f.A.Signed() {
			return 0
		}
		return 1
	case ptx.Add, ptx.Addc, ptx.Sub, ptx.Subc:
		return p.addPrice(v, uses, words)
	case ptx.Mul, ptx.Mad, ptx.Madc:
		if f.Mode != ptx.Wide {
			return p.single(v)
		}
		n := 1
		if f.T.Bits() == 32 {
			n = p.wide
		}
		switch {
		case f.CC || f.ReadsCF():
			n = p.pair
			if f.ReadsCF() {
				n += p.pairIn
			}
			if halfEmpty(v.Args[2]) {
				n += p.halfZero
			}
		case f.Op == ptx.Mad && n > 1:
			n += p.add[1]
		}
		return n
	case ptx.Shl, ptx.Shr:
		return shiftPrice(v.Args[1], words)
	}
	if f.Op == ptx.Setp {
		words = (v.Args[0].W + 31) / 32
	}
	return words
}

func shiftPrice(n *ir.Value, words int) int {
	if words > 1 && n.Op == ir.Const && n.K.Lo%32 == 0 {
		return 0
	}
	return words
}

// halfEmpty reports two words in a register of 64 bits of which one is 0.
func halfEmpty(v *ir.Value) bool {
	return v.Op == ir.PTX && v.Form.Op == ptx.Mov && v.Form.Pack == 2 && isK(v.Args[0], 0) != isK(v.Args[1], 0)
}

// addPrice is that of an addition, which a product may be part of.
func (p *prices) addPrice(v *ir.Value, uses []int32, words int) int {
	if words > 2 {
		return words
	}
	for i, a := range v.Args[:2] {
		if a.Op != ir.PTX || a.Form.Op != ptx.Mul || a.Form.Mode != ptx.Wide || uses[a.ID] != 1 {
			continue
		}
		if words == 2 && p.fused {
			if halfEmpty(v.Args[1-i]) {
				return p.halfZero
			}
			return 0
		}
		if words == 1 && p.wide16 {
			return 0
		}
	}
	return p.add[words-1]
}

// pressure is the greatest number of registers of 32 bits that are needed at
// once, if the operations stay in order. Parameters are there from the start.
func pressure(vals, outs []*ir.Value) int {
	regs := func(v *ir.Value) int {
		if v.Op == ir.Const || v.Op == ir.Undef || v.W == 1 {
			return 0
		}
		return (v.W + 31) / 32
	}
	last := make([]int32, highest(vals, outs)+1) // by Value.ID: 1 + the last reader
	def := ir.NewBitSet(len(last))
	var read []*ir.Value // each once
	use := func(v *ir.Value, at int) {
		if last[v.ID] == 0 {
			read = append(read, v)
		}
		last[v.ID] = int32(at + 1)
	}
	for i, v := range vals {
		def.Add(v.ID)
		if v.Op != ir.Result {
			for _, a := range v.Args {
				use(a, i)
			}
		}
	}
	for _, v := range outs {
		use(v, len(vals))
	}
	free := make([]int, len(vals)+1)
	live := 0
	for _, v := range read {
		if !def.Has(v.ID) {
			live += regs(v)
		}
		free[last[v.ID]-1] += regs(v)
	}
	most := live
	for i, v := range vals {
		live -= free[i]
		if last[v.ID] != 0 {
			live += regs(v)
		}
		most = max(most, live)
	}
	return most
}
