package mach

import mathbits "math/bits"

// bits is a set of registers.
type bits []uint64

func (s bits) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// each calls f for each member, in order.
func (s bits) each(f func(i int)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			f(w<<6 + mathbits.TrailingZeros64(x))
		}
	}
}

func (s bits) set(i int) { s[i>>6] |= 1 << (i & 63) }

type liveSets struct{ in, out []bits }

// liveness computes the registers live into and out of each block. A write to
// half a pair, or under a guard, does not end what was live before it.
func (f *Func) liveness(copies map[*Block][]move) liveSets {
	words := (len(f.Classes) + 63) / 64
	sets := func() []bits {
		s := make([]bits, len(f.Blocks))
		for i := range s {
			s[i] = make(bits, words)
		}
		return s
	}
	l := liveSets{sets(), sets()}
	if len(f.Blocks) == 1 {
		return l
	}
	gen, kill := sets(), sets()
	index := map[*Block]int{}
	for i, b := range f.Blocks {
		index[b] = i
		read := func(o Operand) {
			if o.Bits > 0 && !o.IsConst() && !kill[i].has(int(o.Reg)) {
				gen[i].set(int(o.Reg))
			}
		}
		for j := range b.Insts {
			in := &b.Insts[j]
			in.reads(read)
			for _, o := range in.Out {
				if in.Guard != nil {
					read(o)
				}
				if in.Guard == nil && o.Sub == Whole {
					kill[i].set(int(o.Reg))
				}
			}
		}
		read(b.Cond)
		for _, c := range copies[b] {
			read(c.s)
		}
		for _, o := range b.Ret {
			if o.Bits > 0 && !o.IsConst() && f.Classes[o.Reg].Bank != General {
				read(o)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			for w := range words {
				var out uint64
				for _, s := range f.Blocks[i].Succs {
					out |= l.in[index[s]][w]
				}
				in := gen[i][w] | out&^kill[i][w]
				if out != l.out[i][w] || in != l.in[i][w] {
					l.out[i][w], l.in[i][w], changed = out, in, true
				}
			}
		}
	}
	return l
}
