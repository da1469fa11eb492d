package amd

import (
	"fmt"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Ops on parts of registers: SDWA, which takes a byte or half of each source
// and may write only a half; op_sel, which takes halves; dot products of bytes.
// A choice of parts is a row.

// part is a byte or half of a register, extended to 32 bits.
type part struct {
	sel    ptx.Sel
	signed bool
}

var sels = [...]ptx.Sel{ptx.B0, ptx.B1, ptx.B2, ptx.B3, ptx.H0, ptx.H1}

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

func (p part) bits() int { _, n := p.sel.Range(); return n }

func (p part) of(b *sem.Builder, x *sem.Term) *sem.Term {
	lo, n := p.sel.Range()
	return b.Ext(b.Bits(x, lo+n-1, lo), 32, p.signed)
}

// value is the part of x in a register of its own.
func (p part) value(x expr) expr {
	pos, n := p.sel.Range()
	switch {
	case n == 32:
		return x
	case pos+n == 32 && p.signed:
		return v_ashrrev_i32.Of(k(int64(pos)), x)
	case pos+n == 32:
		return v_lshrrev_b32.Of(k(int64(pos)), x)
	case p.signed:
		return v_bfe_i32.Of(x, k(int64(pos)), k(int64(n)))
	case pos == 0:
		return v_and_b32.Of(k(1<<n-1), x)
	}
	return v_bfe_u32.Of(x, k(int64(pos)), k(int64(n)))
}

// operand is input i as the assembler wants it.
func (p part) operand(i int) string {
	if p.signed {
		return fmt.Sprintf("sext($%d)", i)
	}
	return fmt.Sprintf("$%d", i)
}

var (
	word = part{}
	h0   = part{sel: ptx.H0}
	h1   = part{sel: ptx.H1}
)

// parts calls f for all parts, and for pairs of them.
func parts(f func(p part)) {
	for _, signed := range []bool{false, true} {
		for _, sel := range sels {
			f(part{sel, signed})
		}
	}
}

func partPairs[T any](make func(p, q part) T) map[[2]part]T {
	m := map[[2]part]T{}
	parts(func(p part) { parts(func(q part) { m[[2]part{p, q}] = make(p, q) }) })
	return m
}

// sdwa is a two-operand op on parts; to is DWORD or WORD_0, which clears the
// rest of the result.
func sdwa(name string, needs ir.Features, to part, k0 mach.Kind, p, q part, m binary) *op {
	return row(mach.Op{
		Name:   name + "_sdwa",
		Syntax: fmt.Sprintf("$d, %s, %s dst_sel:%v dst_unused:UNUSED_PAD src0_sel:%v src1_sel:%v", p.operand(0), q.operand(1), to, p, q),
		Out:    []mach.Class{r32}, In: []mach.Kind{k0, vgpr}, Needs: SDWA | needs, Src: "SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term {
			return one(to.of(b, m(b, p.of(b, in[0]), q.of(b, in[1]))))
		},
	})
}

// sdwak has an inline constant as its first operand, or a word.
func sdwak(name string, needs ir.Features, to, q part, m binary) *op {
	return sdwa(name, needs|SDWAK, to, inline, word, q, m)
}

// products are the exact products of two parts: they fit 32 bits, signed unless
// both are unsigned.
var products = partPairs(func(p, q part) *op {
	name, mul := "v_mul_u32_u24", v_mul_u32_u24
	if p.signed || q.signed {
		name, mul = "v_mul_i32_i24", v_mul_i32_i24
	}
	o := fast(sdwa(name, 0, word, vgpr, p, q, mul24(p.signed || q.signed, 0)))
	for _, w := range short(p, q, halves, dots) {
		as := w.as
		o.or(w.needs, func(x []expr) []expr { return as([]expr{x[0], x[1], k(0)}) })
	}
	return o.as(func(x []expr) expr { return mul.Of(p.value(x[0]), q.value(x[1])) })
})

// productSums are the products plus a word.
var productSums = partPairs(func(p, q part) *op {
	o := &op{}
	if m := halves[[2]part{p, q}]; m != nil {
		o = either(m)
	}
	o.or(SDWA, func(x []expr) []expr {
		return []expr{v_add_u32.Of(products[[2]part{p, q}].Of(x[0], x[1]), x[2])}
	})
	o.ways = append(o.ways, short(p, q, halves, dots)...)
	mad := v_mad_u32_u24
	if p.signed || q.signed {
		mad = v_mad_i32_i24
	}
	return o.as(func(x []expr) expr { return mad.Of(p.value(x[0]), q.value(x[1]), x[2]) })
})

// short are the ways to multiply and add that take two ops at most, by the ops on
// halves and on four bytes.
func short(p, q part, halves map[[2]part]*op, dots map[[2]bool]*op) []way {
	one := func(needs ir.Features, as func(x []expr) expr) []way {
		return []way{{needs: needs, as: func(x []expr) []expr { return []expr{as(x)} }}}
	}
	switch p8, q8 := p.bits() == 8, q.bits() == 8; {
	case p8 && q8: // the other bytes of x are cleared, the one that is left meets its factor
		return one(DOT, func(x []expr) expr { return dots[[2]bool{p.signed, q.signed}].Of(p.at(x[0], q.sel), x[1], x[2]) })
	case p8 && (!p.signed || q.signed): // fits a half of q's sign
		m := halves[[2]part{{ptx.H0, q.signed}, q}]
		return one(MAD16, func(x []expr) expr { return m.Of(p.value(x[0]), x[1], x[2]) })
	case q8 && (!q.signed || p.signed):
		m := halves[[2]part{p, {ptx.H0, p.signed}}]
		return one(MAD16, func(x []expr) expr { return m.Of(x[0], q.value(x[1]), x[2]) })
	case !p8 && !q8 && p.signed == q.signed:
		m := halves[[2]part{p, q}]
		return one(MAD16, func(x []expr) expr { return m.Of(x...) })
	}
	return nil
}

// at is byte p of x where byte q is, between zeros.
func (p part) at(x expr, q ptx.Sel) expr {
	from, to := int64(p.sel-ptx.B0), int64(q-ptx.B0)
	switch {
	case from == to:
		return v_and_b32.Of(k(0xff<<(8*from)), x)
	case to == 0:
		return part{sel: p.sel}.value(x)
	case from == 0 && to == 3:
		return v_lshlrev_b32.Of(k(24), x)
	}
	return v_perm_b32.Of(x, x, k(0x0c0c0c0c&^(0xff<<(8*to))|from<<(8*to)))
}

// halves multiply two halves, both signed or both not, and add a word.
var halves = partPairs(func(p, q part) *op {
	if p.bits() != 16 || q.bits() != 16 || p.signed != q.signed {
		return nil
	}
	name, sel := halvesText(p, q)
	return fast(literals(mach.Op{Name: name, Syntax: "$d, $0, $1, $2" + sel,
		Out: []mach.Class{r32}, In: []mach.Kind{vgpr, vgpr, inline}, Needs: MAD16, Src: "VOP3",
		Meaning: nary(func(b *sem.Builder, x []*sem.Term) *sem.Term {
			return b.Add(b.Mul(p.of(b, x[0]), q.of(b, x[1])), x[2])
		}).one}))
})

// halvesText is the name of such an op, and its op_sel.
func halvesText(p, q part) (name, sel string) {
	name = "v_mad_u32_u16"
	if p.signed {
		name = "v_mad_i32_i16"
	}
	if p.sel != ptx.H0 || q.sel != ptx.H0 { // written only where an upper half is wanted
		sel = fmt.Sprintf(" op_sel:[%d,%d,0,0]", p.sel-ptx.H0, q.sel-ptx.H0)
	}
	return name, sel
}

// dots add the products of the four bytes to a word; the keys say which operand
// is signed.
var dots = dotPairs(func(x, y bool) *op {
	name, neg := dotText(x, y)
	return fast(literals(mach.Op{Name: name, Syntax: "$d, $0, $1, $2" + neg, Out: []mach.Class{r32}, In: []mach.Kind{vgpr, vgpr, inline}, Needs: DOT, Src: "VOP3P",
		Meaning: nary(func(b *sem.Builder, in []*sem.Term) *sem.Term {
			d := in[2]
			for _, s := range sels[:4] {
				d = b.Add(d, b.Mul(part{s, x}.of(b, in[0]), part{s, y}.of(b, in[1])))
			}
			return d
		}).one}))
})

// dotPairs makes a dot product for each choice of signed operands.
func dotPairs(make func(x, y bool) *op) map[[2]bool]*op {
	m := map[[2]bool]*op{}
	for _, x := range []bool{false, true} {
		for _, y := range []bool{false, true} {
			m[[2]bool{x, y}] = make(x, y)
		}
	}
	return m
}

// dotText is the name of a dot product, and its neg_lo, which says what is signed.
func dotText(x, y bool) (name, neg string) {
	switch {
	case x && y:
		return "v_dot4_i32_iu8", " neg_lo:[1,1,0]"
	case x:
		return "v_dot4_i32_iu8", " neg_lo:[1,0,0]"
	case y:
		return "v_dot4_i32_iu8", " neg_lo:[0,1,0]"
	}
	return "v_dot4_u32_u8", ""
}

// negated is 0 − part, if $0 is 0.
var negated = func() map[part]*op {
	m := map[part]*op{}
	parts(func(p part) {
		m[p] = either(sdwak("v_sub_u32", CO, word, p, (*sem.Builder).Sub), sdwak("v_sub_nc_u32", CI, word, p, (*sem.Builder).Sub)).
			as(func(x []expr) expr { return v_sub_u32.Of(x[0], p.value(x[1])) })
	})
	return m
}()

var (
	byte0  = part{sel: ptx.B0}
	sbyte0 = part{ptx.B0, true}
	shalf0 = part{ptx.H0, true}

	// The lesser of $0 and byte 0 of $1, and the like.
	v_min_u32_byte = sdwak("v_min_u32", 0, word, byte0, lesser((*sem.Builder).Ult)).
			as(func(x []expr) expr { return v_min_u32.Of(x[0], byte0.value(x[1])) })
	v_max_i32_byte = sdwak("v_max_i32", 0, word, sbyte0, greater((*sem.Builder).Slt)).
			as(func(x []expr) expr { return v_max_i32.Of(x[0], sbyte0.value(x[1])) })
	v_max_i32_half = sdwak("v_max_i32", 0, word, shalf0, greater((*sem.Builder).Slt)).
			as(func(x []expr) expr { return v_max_i32.Of(x[0], shalf0.value(x[1])) })

	// The lower half of $1 << $0, counts up to 31.
	v_lshlrev_b32_half = sdwa("v_lshlrev_b32", 0, h0, vgpr, word, word, func(b *sem.Builder, n, x *sem.Term) *sem.Term { return b.Shl(x, low5(b, n)) }).
				as(func(x []expr) expr { return cut(v_lshlrev_b32.Of(x...)) })

	// The upper half of $0 plus the lower half of $1.
	v_add_halves = either(
		sdwa("v_add_u16", OPS16, h0, vgpr, h1, h0, (*sem.Builder).Add),
		sdwa("v_add_nc_u32", CI, h0, vgpr, h1, h0, (*sem.Builder).Add)).
		as(func(x []expr) expr { return v_add_u16.Of(h1.value(x[0]), x[1]) })

	// Byte 0, its sign extended to the lower half.
	v_mov_b32_half = row(mach.Op{Name: "v_mov_b32_sdwa", Syntax: "$d, sext($0) dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:BYTE_0",
		Out: []mach.Class{r32}, In: []mach.Kind{vgpr}, Needs: SDWA, Src: "SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(h0.of(b, sbyte0.of(b, in[0]))) }}).
		as(func(x []expr) expr { return cut(sbyte0.value(x[0])) })

	v_cmp_gt_u32_byte = row(mach.Op{Name: "v_cmp_gt_u32_sdwa", Syntax: "$d, $0, $1 src0_sel:DWORD src1_sel:BYTE_0",
		Out: []mach.Class{mask}, In: []mach.Kind{inline, vgpr}, Needs: SDWAK, Src: "SDWA",
		Meaning: func(b *sem.Builder, in []*sem.Term) []*sem.Term { return one(b.Ult(byte0.of(b, in[1]), in[0])) }}).
		as(func(x []expr) expr { return cmp(ptx.Gt, false, x[0], byte0.value(x[1])) })
)
