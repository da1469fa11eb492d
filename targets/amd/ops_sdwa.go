package amd

import (
	"fmt"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops on parts of registers: SDWA, which takes a byte or half of each source
// and may write only a half, and op_sel. A choice of parts is a row.

// part is a byte or half of a register, extended to 32 bits.
type part struct {
	sel    ptx.Sel
	signed bool
}

var parts = [...]ptx.Sel{ptx.B0, ptx.B1, ptx.B2, ptx.B3, ptx.H0, ptx.H1}

func (p part) String() string {
	lo, n := p.sel.Range()
	switch n {
	case 8:
		return fmt.Sprintf("BYTE_%d", lo/8)
	case 16:
		return fmt.Sprintf("WORD_%d", lo/16)
	}
	return "DWORD"
}

func (p part) of(b *sem.Builder, x *sem.Term) *sem.Term {
	lo, n := p.sel.Range()
	return b.Ext(b.Bits(x, lo+n-1, lo), 32, p.signed)
}

// operand is input i as the assembler wants it.
func (p part) operand(i int) string {
	if p.signed {
		return fmt.Sprintf("sext($%d)", i)
	}
	return fmt.Sprintf("$%d", i)
}

// opSel is written only where an upper half is wanted.
func opSel(p, q part) string {
	if p.sel == ptx.H0 && q.sel == ptx.H0 {
		return ""
	}
	return fmt.Sprintf(" op_sel:[%d,%d,0,0]", p.sel-ptx.H0, q.sel-ptx.H0)
}

var (
	word = part{}
	h0   = part{sel: ptx.H0}
	h1   = part{sel: ptx.H1}
)

// sdwa is a two-operand op on parts; to is DWORD or WORD_0, which clears the
// rest of the result.
func sdwa(name string, to part, k0, k1 mach.Kind, p, q part, m binary) *mach.Op {
	return row(mach.Op{
		Name:   name + "_sdwa",
		Syntax: fmt.Sprintf("$d, %s, %s dst_sel:%v dst_unused:UNUSED_PAD src0_sel:%v src1_sel:%v", p.operand(0), q.operand(1), to, p, q),
		Out:    []mach.Class{r32}, In: []mach.Kind{k0, k1}, Needs: SDWA, Src: "AMD Vega ISA: SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(to.of(b, m(b, p.of(b, in[0]), q.of(b, in[1]))))
		},
	})
}

// sdwa1 has an inline constant as its first operand.
func sdwa1(name string, to, q part, m binary) *mach.Op {
	return sdwa(name, to, inline, vgpr, word, q, m)
}

// products are the exact products of two parts: they fit 32 bits, signed unless
// both are unsigned.
var products = func() map[[2]part]*mach.Op {
	m := map[[2]part]*mach.Op{}
	for _, sa := range []bool{false, true} {
		for _, sb := range []bool{false, true} {
			name := "v_mul_u32_u24"
			if sa || sb {
				name = "v_mul_i32_i24"
			}
			for _, a := range parts {
				for _, b := range parts {
					p, q := part{a, sa}, part{b, sb}
					m[[2]part{p, q}] = fast(sdwa(name, word, vgpr, vgpr, p, q, mul24(sa || sb, 0)))
				}
			}
		}
	}
	return m
}()

// negated is 0 − part, if $0 is 0; limited is the lesser of $0 and a byte.
var (
	negated = func() map[part]*mach.Op {
		m := map[part]*mach.Op{}
		for _, signed := range []bool{false, true} {
			for _, sel := range parts {
				p := part{sel, signed}
				m[p] = sdwa1("v_sub_u32", word, p, (*sem.Builder).Sub)
			}
		}
		return m
	}()
	v_min_u32_byte     = sdwa1("v_min_u32", word, part{sel: ptx.B0}, lesser((*sem.Builder).Ult))
	v_max_i32_byte     = sdwa1("v_max_i32", word, part{ptx.B0, true}, greater((*sem.Builder).Slt))
	v_max_i32_half     = sdwa1("v_max_i32", word, part{ptx.H0, true}, greater((*sem.Builder).Slt))
	v_lshlrev_b32_half = sdwa("v_lshlrev_b32", h0, inline, vgpr, word, word, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Shl(x, low5(b, n)) })
	v_ashrrev_i32_half = sdwa("v_ashrrev_i32", h0, inline, vgpr, word, part{ptx.H0, true}, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Ashr(x, low5(b, n)) })

	// The upper half of $0 plus the lower half of $1.
	v_add_u32_halves = sdwa("v_add_u32", h0, vgpr, vgpr, h1, h0, (*sem.Builder).Add)

	v_mov_b32_half = row(mach.Op{Name: "v_mov_b32_sdwa", Syntax: "$d, sext($0) dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:BYTE_0",
		Out: []mach.Class{r32}, In: []mach.Kind{vgpr}, Needs: SDWA, Src: "AMD Vega ISA: SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(h0.of(b, part{ptx.B0, true}.of(b, in[0])))
		}})

	v_cmp_gt_u32_byte = row(mach.Op{Name: "v_cmp_gt_u32_sdwa", Syntax: "$d, $0, $1 src0_sel:DWORD src1_sel:BYTE_0",
		Out: []mach.Class{mask}, In: []mach.Kind{inline, vgpr}, Needs: SDWA, Src: "AMD Vega ISA: SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(b.Ult(part{sel: ptx.B0}.of(b, in[1]), in[0]))
		}})

	// halves multiply two halves, both signed or both not, and add a word.
	halves = func() map[[2]part]*mach.Op {
		m := map[[2]part]*mach.Op{}
		for _, signed := range []bool{false, true} {
			name := "v_mad_u32_u16"
			if signed {
				name = "v_mad_i32_i16"
			}
			for _, a := range parts[4:] {
				for _, b := range parts[4:] {
					p, q := part{a, signed}, part{b, signed}
					m[[2]part{p, q}] = fast(row(mach.Op{Name: name, Syntax: "$d, $0, $1, $2" + opSel(p, q),
						Out: []mach.Class{r32}, In: []mach.Kind{vgpr, vgpr, inline}, Needs: MAD16, Src: "AMD Vega ISA: VOP3",
						Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
							return b.Add(b.Mul(p.of(b, x[0]), q.of(b, x[1])), x[2])
						}).one}))
				}
			}
		}
		return m
	}()
)
