package amd

import (
	"strings"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// fit replaces ops that cannot have the registers that they got by two that can.
// An op of 32 × 32 + 64 bits with one register as its addend reads the next one
// too: the two must be aligned as pairs are, and apart from the result where
// results may not overlap operands. Two shifts are one only if their operands
// lie in different banks.
func (p *printing) fit() {
	fitted := map[*mach.Block][]mach.Inst{}
	for _, b := range p.f.Blocks {
		var insts []mach.Inst
		changed := false
		for i := range b.Insts {
			two := p.two(&b.Insts[i])
			changed = changed || two != nil
			if two == nil {
				two = b.Insts[i : i+1]
			}
			insts = append(insts, two...)
		}
		if changed {
			fitted[b] = insts
		}
	}
	if len(fitted) == 0 {
		return
	}
	if b := p.f.Blocks[0]; len(p.f.Blocks) == 1 { // with branches the blocks are the listing's own
		p.f = copied(p.f)
		fitted[p.f.Blocks[0]] = fitted[b]
		delete(fitted, b)
	}
	for b, insts := range fitted {
		b.Insts = insts
	}
}

// two are the ops that do what one cannot, nil if it can.
func (p *printing) two(in *mach.Inst) []mach.Inst {
	at := func(o mach.Operand) int16 {
		n := p.f.Phys[o.Reg]
		if o.Sub == mach.High {
			n++
		}
		return n
	}
	row := func(o *op) *mach.Op { return o.on(p.features).row }
	switch {
	case in.Op == s_word_k.ways[0].row && shortWord(in.In[0].K): // s_mov_b32 is that of a mask, too
		short := *in
		short.Op, short.In = row(s_movk_i32), []mach.Operand{mach.Imm(in.In[0].K, 16)}
		return []mach.Inst{short}
	case strings.HasSuffix(in.Op.Syntax, ":") && !in.In[2].IsConst():
		c, d := at(in.In[2]), at(in.Out[0])
		apart := c+1 < d || d+1 < c
		if (!p.features.Has(ALIGNED) || c&1 == 0) && (!in.Op.EarlyClobber || apart) {
			return nil
		}
		low, t := in.Out[0], in.Out[0]
		low.Sub, low.Bits, t.Bits = mach.Low, 32, 32
		if t.Sub = mach.Low; d == c { // one half of the result is not the addend
			t.Sub = mach.High
		}
		return []mach.Inst{
			{Op: row(v_mul_lo_u32), Out: []mach.Operand{t}, In: in.In[:2], Off: in.Off},
			{Op: row(v_add_u32), Out: []mach.Operand{low}, In: []mach.Operand{t, in.In[2]}, Off: in.Off},
		}
	case in.Op == v_lshl8.ways[0].row:
		x, y := at(in.In[0]), at(in.In[1])
		if x == y || x&3 != y&3 {
			return nil
		}
		shift := func(i int, x mach.Operand) mach.Inst {
			return mach.Inst{Op: row(v_lshlrev_b32), Out: in.Out[i : i+1], In: []mach.Operand{mach.Imm(sem.U(8), 32), x}, Off: in.Off}
		}
		firstHurts, secondHurts := at(in.Out[0]) == y, at(in.Out[1]) == x
		switch {
		case firstHurts && secondHurts: // they change places first
			xor := func(d, s mach.Operand) mach.Inst {
				return mach.Inst{Op: row(v_xor_b32), Out: []mach.Operand{d}, In: []mach.Operand{d, s}, Off: in.Off}
			}
			d, e := in.Out[0], in.Out[1]
			return []mach.Inst{xor(d, e), xor(e, d), xor(d, e), shift(0, d), shift(1, e)}
		case firstHurts:
			return []mach.Inst{shift(1, in.In[1]), shift(0, in.In[0])}
		}
		return []mach.Inst{shift(0, in.In[0]), shift(1, in.In[1])}
	}
	return nil
}

// shortWord reports a word that is 16 bits, sign-extended.
func shortWord(k sem.Val) bool { return uint32(int32(int16(k.Lo))) == uint32(k.Lo) }
