package amd

import "github.com/ptxlower/ptxlower/ptx"

// cvtRules covers conversions between integers. A narrow value lies
// zero-extended in its register, so that most need no op.
var cvtRules = table{
	g("cvt sat", "cvt.sat.*", 0, saturated),
	g("cvt", "cvt.*", 0, convert),
}

// convert cuts or extends by the sign of the source.
func convert(f ptx.Form, _ ptx.Model) []expr {
	w, n := f.T.Bits(), f.A.Bits()
	low := a
	if n == 64 {
		low = lo(a)
	}
	switch {
	case w == n || w < n && w == 32:
		if w == 64 {
			return []expr{a}
		}
		return []expr{low}
	case w < n:
		return []expr{v_and_b32.Of(k(1<<w-1), low)}
	case !f.A.Signed() && w == 64:
		return []expr{zext(a)}
	case !f.A.Signed():
		return []expr{a}
	case w == 16:
		return []expr{v_mov_b32_half.Of(a)}
	case w == 64:
		return []expr{sext(signedWord(f.A))}
	}
	return []expr{signedWord(f.A)}
}

// signedWord is a source of up to 32 bits, sign-extended.
func signedWord(t ptx.Type) expr {
	if t.Bits() == 32 {
		return a
	}
	return v_bfe_i32.Of(a, k(0), k(int64(t.Bits())))
}

// saturated limits to the destination's range first.
func saturated(f ptx.Form, _ ptx.Model) []expr {
	w, n := f.T.Bits(), f.A.Bits()
	most := uint64(1)<<(w-1)<<1 - 1 // the greatest value of the destination
	if f.T.Signed() {
		most >>= 1
	}
	switch {
	case n == 64 && w == 64:
		return []expr{limit64(f.A.Signed())}
	case n == 64 && !f.A.Signed():
		return []expr{atMostWord(clampUU(a), w, most)}
	case n == 64 && !f.T.Signed():
		return []expr{atMostWord(clampSU(a), w, most)}
	case n == 64:
		return []expr{limitSigned(clampS(a), 32, w)}
	case f.T.Signed() && f.A.Signed():
		return []expr{limitSigned(a, n, w)}
	case f.A.Signed() && n == 32 && w < n:
		return []expr{v_between_i32.Of(a, k(int64(most)))}
	case f.A.Signed() && n == 16 && w < n:
		return []expr{v_between_i16.Of(a, k(int64(most)))}
	case f.A.Signed() && w == 64:
		return []expr{zext(notNegative(f.A))}
	case f.A.Signed():
		return []expr{notNegative(f.A)}
	}
	return []expr{v_min_u32.Of(k(int64(most)), a)}
}

// atMostWord limits an unsigned word to most.
func atMostWord(x expr, w int, most uint64) expr {
	if most == 1<<32-1 {
		return x
	}
	return v_min_u32.Of(k(int64(most)), x)
}

// notNegative is the signed source, 0 if it is negative.
func notNegative(t ptx.Type) expr {
	switch t.Bits() {
	case 8:
		return v_max_i32_byte.Of(k(0), a)
	case 16:
		return v_max_i32_half.Of(k(0), a)
	}
	return v_max_i32.Of(k(0), a)
}

// limitSigned limits a signed value of n bits to w bits.
func limitSigned(x expr, n, w int) expr {
	least, most := int64(-1)<<(w-1), int64(1)<<(w-1)-1
	switch {
	case w >= n:
		return x
	case n == 16:
		x = limitHalf.Of(x, k(least), k(most))
	default:
		x = v_min_i32.Of(k(most), v_max_i32.Of(k(least), x))
	}
	return v_and_b32.Of(k(1<<w-1), x)
}

// limitHalf limits a half. It is not sign-extended, and need not be for the ops
// that take constants.
var limitHalf = (&op{}).
	or(OPS16, func(x []expr) []expr {
		return []expr{v_min_i16.Of(x[2], v_max_i16.Of(k(x[1].n.k&0xffff), x[0]))}
	}).
	as(func(x []expr) expr { return v_min_i32.Of(x[2], v_max_i32.Of(x[1], extended(x[0], 16))) })

// limit64 is a signed pair made unsigned, or an unsigned one made signed.
func limit64(signed bool) expr {
	if signed {
		return joined(v_bfi_b32.Of(sign(hi(a)), k(0), lo(a)), v_max_i32.Of(k(0), hi(a)))
	}
	fits := cmp(ptx.Le, true, k(0), hi(a))
	return joined(pick(fits, lo(a), k(-1)), v_min_u32.Of(k(1<<31-1), hi(a)))
}
