package amd

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

// bitRules covers shifts, fields, permutations and counts. PTX's counts stop at
// the width, AMD's are taken modulo it: a count known to be below the width
// needs no care.
var bitRules = concat(table{
	r("shl.b16", 0, v_lshlrev_b16.Of(b, a)).If(isel.Below(1, 16)),
	r("shl.b32", 0, v_lshlrev_b32.Of(b, a)).If(isel.Below(1, 32)),
	r("shl.b64", 0, v_lshlrev_b64.Of(b, a)).If(isel.Below(1, 64)),
	r("shr.{b,u}{16,32}", 0, v_lshrrev_b32.Of(b, a)).If(isel.Below(1, 32)),
	r("shr.s16", 0, v_ashrrev_i16.Of(b, a)).If(isel.Below(1, 16)),
	r("shr.s32", 0, v_ashrrev_i32.Of(b, a)).If(isel.Below(1, 32)),
	r("shr.{b,u}64", 0, v_lshrrev_b64.Of(b, a)).If(isel.Below(1, 64)),
	r("shr.s64", 0, v_ashrrev_i64.Of(b, a)).If(isel.Below(1, 64)),

	// 16 bits shifted by 16 to 31 are gone, or all sign.
	r("shl.b16", 0, v_lshlrev_b32_half.Of(v_min_u32.Of(k(16), b), a)),
	r("shl.b32", 0, pick(cmp(ptx.Gt, false, k(32), b), v_lshlrev_b32.Of(b, a), k(0))),
	r("shl.b64", 0, pick64(cmp(ptx.Gt, false, k(64), b), v_lshlrev_b64.Of(b, a), joined(k(0), k(0)))),
	r("shr.{b,u}16", 0, v_lshrrev_b32.Of(v_min_u32.Of(k(16), b), a)),
	r("shr.{b,u}32", 0, pick(cmp(ptx.Gt, false, k(32), b), v_lshrrev_b32.Of(b, a), k(0))),
	r("shr.{b,u}64", 0, pick64(cmp(ptx.Gt, false, k(64), b), v_lshrrev_b64.Of(b, a), joined(k(0), k(0)))),
	r("shr.s16", 0, v_ashrrev_i16.Of(v_min_u32.Of(k(15), b), a)),
	r("shr.s32", 0, v_ashrrev_i32.Of(v_min_u32.Of(k(31), b), a)),
	r("shr.s64", 0, v_ashrrev_i64.Of(v_min_u32.Of(k(63), b), a)),

	r("shf.r.{clamp,wrap}.b32", 0, v_alignbit_b32.Of(b, a, c)).If(isel.Below(2, 32)),
	r("shf.r.wrap.b32", 0, v_alignbit_b32.Of(b, a, c)),
	r("shf.r.clamp.b32", 0, lo(v_lshrrev_b64.Of(v_min_u32.Of(k(32), c), joined(a, b)))),
}, shfLeft, table{
	r("shf.l.{clamp,wrap}.b32", 0, hi(v_lshlrev_b64.Of(c, joined(a, b)))).If(isel.Below(2, 32)),
	r("shf.l.wrap.b32", 0, hi(v_lshlrev_b64.Of(v_and_b32.Of(k(31), c), joined(a, b)))),
	r("shf.l.clamp.b32", 0, hi(v_lshlrev_b64.Of(v_min_u32.Of(k(32), c), joined(a, b)))),

	r("bfe.u32", 0, v_bfe_u32.Of(a, b, c)).If(isel.Below(1, 32), isel.Below(2, 32)),
	r("bfe.s32", 0, v_bfe_i32.Of(a, b, c)).If(isel.Below(1, 32), isel.Below(2, 32)),
	r("bfe.u64", 0, lowBits(v_lshrrev_b64.Of(b, a), v_lshlrev_b64.Of(c, k(-1)))).If(isel.Below(1, 64), isel.Below(2, 64)),
	r("bfe.s64", 0, signBits(v_ashrrev_i64.Of(b, a), c)).If(isel.Below(1, 64), isel.Fact{Arg: 2, Min: 1, Max: 64}),
	r("bfe.u32", 0, bfeU32()),
	r("bfe.s32", 0, bfeS32()),
	r("bfe.u64", 0, bfeU64()),
	r("bfe.s64", 0, bfeS64()),
	r("bfi.b32", 0, v_bfi_b32.Of(v_bfm_b32.Of(e, c), v_lshlrev_b32.Of(c, a), b)).If(isel.Below(2, 32), isel.Below(3, 32)),
	r("bfi.b64", 0, bfi64(v_lshlrev_b64.Of(e, k(-1)))).If(isel.Below(2, 64), isel.Below(3, 64)),
	r("bfi.b32", 0, bfi32()),
	r("bfi.b64", 0, bfi64Any()),
}, prmtConstants, table{
	r("prmt.b32", PERM, prmt()),
	r("prmt.b32", 0, prmtBytes()).named("prmt by bytes"),
	r("prmt.b32.f4e", 0, v_alignbyte_b32.Of(b, a, c)),
	r("prmt.b32.b4e", PERM, v_perm_b32.Of(b, a, backwards())),
	r("prmt.b32.b4e", 0, swapped(upTo(c))).named("prmt.b32.b4e by swap"),
	r("prmt.b32.rc8", 0, fill(byteAt(c))),
	r("prmt.b32.ecl", 0, v_bfi_b32.Of(below(c), fill(byteAt(c)), a)),
	r("prmt.b32.ecr", 0, v_bfi_b32.Of(below(c), a, fill(byteAt(c)))),
	r("prmt.b32.rc16", 0, twice(v_bfe_u32.Of(a, v_lshlrev_b32.Of(k(4), c), k(16)))),

	// v_ffbh gives −1 where there is no bit: the greatest unsigned number.
	r("clz.b32", 0, v_min_u32.Of(k(32), v_ffbh_u32.Of(a))),
	r("clz.b64", 0, v_min3_u32.Of(v_ffbh_u32.Of(hi(a)), below32(v_ffbh_u32.Of(lo(a))), k(64))),
	r("popc.b32", 0, v_bcnt_u32_b32.Of(a, k(0))),
	r("popc.b64", 0, v_bcnt_u32_b32.Of(hi(a), v_bcnt_u32_b32.Of(lo(a), k(0)))),
	r("brev.b32", 0, v_bfrev_b32.Of(a)),
	r("brev.b64", 0, joined(v_bfrev_b32.Of(hi(a)), v_bfrev_b32.Of(lo(a)))),
	r("bfind.shiftamt.u32", 0, v_ffbh_u32.Of(a)),
	r("bfind.shiftamt.s32", 0, v_ffbh_i32.Of(a)),
	r("bfind.shiftamt.u64", 0, shiftAmount64(false)),
	r("bfind.shiftamt.s64", 0, shiftAmount64(true)),
	r("bfind.u32", 0, position(v_ffbh_u32.Of(a))),
	r("bfind.s32", 0, position(v_ffbh_i32.Of(a))),
	r("bfind.u64", 0, position64(false)),
	r("bfind.s64", 0, position64(true)),
})

// shfLeft: {b, a} << n has {b, a} >> (32 − n) as its high word.
var shfLeft = func() table {
	t := table{r("shf.l.{clamp,wrap}.b32", 0, b).If(isel.Is(2, 0))}
	for n := uint64(1); n < 32; n++ {
		t = append(t, r("shf.l.{clamp,wrap}.b32", 0, v_alignbit_b32.Of(b, a, k(int64(32-n)))).If(isel.Is(2, n)))
	}
	return t
}()

// inWidth: byte 0 of x is below n.
func inWidth(n int64, x expr) expr { return v_cmp_gt_u32_byte.Of(k(n), x) }

// atMost is the lesser of byte 0 of x and n.
func atMost(n int64, x expr) expr { return v_min_u32_byte.Of(k(n), x) }

// bfeU32: a, or 0 if the position is past it, shifted; all of that if the
// length is 32 or more, else its low bits.
func bfeU32() expr {
	x := pick(inWidth(32, b), a, k(0))
	return pick(inWidth(32, c), v_bfe_u32.Of(x, b, c), v_lshrrev_b32.Of(b, x))
}

// bfeS32: past the operand there are copies of its sign, as far as 31 shows them.
func bfeS32() expr {
	p := atMost(31, b)
	return pick(inWidth(32, c), v_bfe_i32.Of(a, p, c), v_ashrrev_i32.Of(p, a))
}

// lowBits is x without the bits of mask m.
func lowBits(x, m expr) expr {
	return joined(v_bfi_b32.Of(lo(m), k(0), lo(x)), v_bfi_b32.Of(hi(m), k(0), hi(x)))
}

func bfeU64() expr {
	x := pick64(inWidth(64, b), v_lshrrev_b64.Of(b, a), joined(k(0), k(0)))
	return lowBits(x, upper(c))
}

// upper has all bits from n on, n a byte: none from 64 on.
func upper(n expr) expr {
	return pick64(inWidth(64, n), v_lshlrev_b64.Of(n, k(-1)), joined(k(0), k(0)))
}

// signBits is the low n bits of x, sign-extended, 1 ≤ n ≤ 64: up by 64 − n and
// down again, counts modulo 64.
func signBits(x, n expr) expr {
	up := v_sub_u32.Of(k(0), n)
	return v_ashrrev_i64.Of(up, v_lshlrev_b64.Of(up, x))
}

func bfeS64() expr {
	n := atMost(64, c)
	d := signBits(v_ashrrev_i64.Of(atMost(63, b), a), n)
	return pick64(cmp(ptx.Ne, false, k(0), n), d, joined(k(0), k(0)))
}

// bfi32: the field's mask is that of its length, or all ones, or none if the
// position is past the operand, shifted.
func bfi32() expr {
	n := pick(inWidth(32, e), v_bfm_b32.Of(e, k(0)), k(-1))
	n = pick(inWidth(32, c), n, k(0))
	return v_bfi_b32.Of(v_lshlrev_b32.Of(c, n), v_lshlrev_b32.Of(c, a), b)
}

// bfi64 takes the mask of the bits past the field's length.
func bfi64(past expr) expr {
	m := v_lshlrev_b64.Of(c, each(v_not_b32, past))
	return each(v_bfi_b32, m, v_lshlrev_b64.Of(c, a), b)
}

func bfi64Any() expr {
	return bfi64(pick64(inWidth(64, c), upper(e), joined(k(-1), k(-1))))
}

// byteAt is a shifted down so that byte n modulo 4 is the lowest.
func byteAt(n expr) expr { return v_lshrrev_b32.Of(v_lshlrev_b32.Of(k(3), n), a) }

// fill copies the lowest byte to all four.
func fill(x expr) expr { return v_perm_b32.Of(x, x, k(0)) }

// swapped reverses the bytes: those that move by 8 up and those by 8 down, each
// rotated to their places.
func swapped(x expr) expr {
	return v_bfi_b32.Of(k(0x00ff00ff), v_alignbit_b32.Of(x, x, k(24)), v_alignbit_b32.Of(x, x, k(8)))
}

// upTo is the four bytes of {b, a}, round and round, up to byte n modulo 4.
func upTo(n expr) expr {
	bits := v_add_u32.Of(k(8), v_lshlrev_b32.Of(k(3), v_and_b32.Of(k(3), n)))
	return lo(v_lshrrev_b64.Of(bits, joined(b, a)))
}

// below has the bytes below byte n modulo 4.
func below(n expr) expr { return v_bfm_b32.Of(v_lshlrev_b32.Of(k(3), n), k(0)) }

// twice puts a half in both halves.
func twice(x expr) expr { return v_lshl_or_b32.Of(x, k(16), x) }

// backwards are the selectors n, n − 1, n − 2, n − 3 modulo 8, n = c modulo 4.
func backwards() expr {
	n := fill(v_and_b32.Of(k(3), c))
	return v_and_b32.Of(k(0x07070707), v_add_u32.Of(k(0x05060700), n))
}

// prmt spreads the selector's nibbles to bytes, picks bytes by their low three
// bits, and replaces those whose fourth bit is set by copies of their sign: in
// x a byte is 1 where that is so, and in y where the sign is 1 besides.
func prmt() expr {
	n := v_and_b32.Of(k(0x0f0f0f0f), v_perm_b32.Of(v_lshrrev_b32.Of(k(4), c), c, k(0x05010400)))
	d := v_perm_b32.Of(b, a, v_and_b32.Of(k(0x07070707), n))
	x := v_and_b32.Of(k(0x01010101), v_lshrrev_b32.Of(k(3), n))
	y := v_and_b32.Of(x, v_lshrrev_b32.Of(k(7), d))
	return v_bfi_b32.Of(v_mul_lo_u32.Of(x, k(255)), v_mul_lo_u32.Of(y, k(255)), d)
}

// prmtBytes takes for each nibble its byte from {b, a}, in t only the sign of
// it, and one or the other as bit 3 of the nibble says.
func prmtBytes() expr {
	d := none
	for i := range int64(4) {
		bits := v_lshlrev_b32.Of(k(3), v_bfe_u32.Of(c, k(4*i), k(3)))
		y := lo(v_lshrrev_b64.Of(bits, joined(a, b)))
		t := v_bfe_i32.Of(y, k(7), k(1))
		y = v_bfi_b32.Of(v_bfe_i32.Of(c, k(4*i+3), k(1)), t, y)
		if i == 0 {
			d = y
			continue
		}
		d = v_bfi_b32.Of(k(1<<(8*i)-1), d, v_lshlrev_b32.Of(k(8*i), y))
	}
	return d
}

// prmtConstants are selectors that programs use: rotations by bytes, halves
// joined or exchanged, bytes reversed.
var prmtConstants = func() table {
	t := table{
		r("prmt.b32", 0, a).If(isel.Is(2, 0x3210)),
		r("prmt.b32", 0, b).If(isel.Is(2, 0x7654)),
		r("prmt.b32", 0, v_alignbyte_b32.Of(b, a, k(1))).If(isel.Is(2, 0x4321)),
		r("prmt.b32", 0, v_alignbyte_b32.Of(b, a, k(2))).If(isel.Is(2, 0x5432)),
		r("prmt.b32", 0, v_alignbyte_b32.Of(b, a, k(3))).If(isel.Is(2, 0x6543)),
		r("prmt.b32", 0, v_alignbyte_b32.Of(a, a, k(2))).If(isel.Is(2, 0x1032)),
	}
	for _, s := range []uint64{0x0123, 0x2301, 0x5410, 0x7632, 0x6420, 0x7531, 0x5140, 0x7362} {
		bytes := s&15 | s>>4&15<<8 | s>>8&15<<16 | s>>12<<24
		t = append(t, r("prmt.b32", 0, v_perm_b32.Of(b, a, k(int64(bytes)))).If(isel.Is(2, s)))
	}
	return t
}()

// below32 is a count of zeros in a low word, with 32 more above it; −1 stays.
func below32(n expr) expr { return v_add_u32_clamp.Of(n, k(32)) }

// highest64 is the number of bits above the highest one, or with signed the
// highest that differs from the sign: for each half, −1 if it has none.
func highest64(signed bool) (h, l expr) {
	if signed {
		return v_ffbh_i32.Of(hi(a)), below32(v_ffbh_u32.Of(v_xor_b32.Of(lo(a), sign(hi(a)))))
	}
	return v_ffbh_u32.Of(hi(a)), below32(v_ffbh_u32.Of(lo(a)))
}

func shiftAmount64(signed bool) expr { return v_min_u32.Of(highest64(signed)) }

// position is 31 − n, and −1 where n is −1.
func position(n expr) expr { return v_sub_u32.Of(k(31), v_min_u32.Of(k(32), n)) }

func position64(signed bool) expr {
	h, l := highest64(signed)
	return v_sub_u32.Of(k(63), v_min3_u32.Of(h, l, k(64)))
}
