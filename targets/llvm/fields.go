package llvm

import (
	"cmp"
	"slices"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/sem"
)

// field is n bits of a term, from bit lo on, that stand at bit at of another.
type field struct {
	src       *sem.Term
	lo, n, at int
}

// fieldsOf takes a term apart into fields; what lies between them is 0. A term
// that is no composition is one field.
func (d *derivation) fieldsOf(t *sem.Term) []field {
	switch t.Op {
	case sem.OpConcat:
		return append(d.fieldsOf(t.A[1]), shifted(d.fieldsOf(t.A[0]), t.A[1].W, t.W)...)
	case sem.OpZext:
		return d.fieldsOf(t.A[0])
	case sem.OpSext: // the highest part of a concatenation extends it
		if x := t.A[0]; x.Op == sem.OpConcat {
			l := x.A[1].W
			return append(d.fieldsOf(x.A[1]), field{d.b.Sext(x.A[0], t.W-l), 0, t.W - l, l})
		}
	case sem.OpExtract:
		return shifted(d.fieldsOf(t.A[0]), -int(t.K.Lo), t.W)
	case sem.OpShl, sem.OpLshr:
		k := t.A[1]
		if !k.IsConst() || !k.K.Less(sem.U(uint64(t.W))) {
			break
		}
		if t.Op == sem.OpShl {
			return shifted(d.fieldsOf(t.A[0]), int(k.K.Lo), t.W)
		}
		return shifted(d.fieldsOf(t.A[0]), -int(k.K.Lo), t.W)
	case sem.OpAnd:
		if t.A[1].IsConst() {
			return masked(d.fieldsOf(t.A[0]), t.A[1].K, t.W)
		}
	case sem.OpOr:
		x, y := d.fieldsOf(t.A[0]), d.fieldsOf(t.A[1])
		if cover(x).And(cover(y)).IsZero() {
			return append(x, y...)
		}
	}
	return []field{{t, 0, t.W, 0}}
}

// shifted moves fields to the left, minus to the right, within w bits.
func shifted(fs []field, by, w int) (out []field) {
	for _, f := range fs {
		f.at += by
		if f.at < 0 {
			f.lo, f.n, f.at = f.lo-f.at, f.n+f.at, 0
		}
		if f.n = min(f.n, w-f.at); f.n > 0 {
			out = append(out, f)
		}
	}
	return out
}

// signs makes copies of one bit fields of one source of w bits, in their places.
func (d *derivation) signs(fs []field, w int) []field {
	for k, f := range fs {
		if s, _ := signOf(f.src); s != nil {
			fs[k].src, fs[k].lo = d.b.Sext(f.src.A[0], w), f.at
		}
	}
	return fs
}

// joined sorts fields and makes one of neighbours that were neighbours before.
func joined(fs []field) (out []field) {
	slices.SortFunc(fs, func(x, y field) int { return cmp.Compare(x.at, y.at) })
	for _, f := range fs {
		if k := len(out) - 1; k >= 0 && out[k].src == f.src && out[k].at+out[k].n == f.at && out[k].lo+out[k].n == f.lo {
			out[k].n += f.n
			continue
		}
		out = append(out, f)
	}
	return out
}

// masked keeps the bits of a mask.
func masked(fs []field, mask sem.Val, w int) (out []field) {
	bit := func(k int) bool { return !mask.Shr(uint64(k)).And(sem.U(1)).IsZero() }
	for _, f := range fs {
		for k := f.at; k < f.at+f.n; {
			end := k
			for end < f.at+f.n && bit(end) {
				end++
			}
			if end > k {
				out = append(out, field{f.src, f.lo + k - f.at, end - k, k})
			}
			k = end + 1
		}
	}
	return out
}

// cover has ones where fields are.
func cover(fs []field) (v sem.Val) {
	for _, f := range fs {
		v = v.Or(ones128(f.n).Shl(uint64(f.at)))
	}
	return v
}

func ones128(n int) sem.Val { return sem.U(1).Shl(uint64(n)).Sub(sem.U(1)) }

// fields is a term made of fields of others as people write it: a shift, a mask,
// a rotation, bytes reversed, or several of them; none if it is no composition.
func (d *derivation) fields(t *sem.Term) expr {
	switch t.Op {
	case sem.OpConcat, sem.OpZext, sem.OpSext, sem.OpExtract, sem.OpShl, sem.OpLshr, sem.OpAnd, sem.OpOr:
	default:
		return none
	}
	w := t.W
	fs := joined(d.signs(d.fieldsOf(t), w))
	switch {
	case len(fs) == 0 || len(fs) == 1 && (fs[0].src == t || fs[0].src.W > w):
		return none
	case len(fs) == 1 && (t.Op == sem.OpZext || t.Op == sem.OpSext) && fs[0].n == fs[0].src.W: // no more than an extension
		return none
	case slices.ContainsFunc(fs, func(f field) bool { return f.src.W > w || f.src == t }):
		return none
	}
	if e := d.idiom(fs, w); e != none {
		return e
	}
	var e expr
	for len(fs) > 0 {
		// The fields of a source that move alike are one shift and one mask.
		f := fs[0]
		alike := func(g field) bool { return g.src == f.src && g.at-g.lo == f.at-f.lo }
		var same []field
		for _, g := range fs {
			if alike(g) {
				same = append(same, g)
			}
		}
		fs = slices.DeleteFunc(fs, alike)
		if x := d.group(same, w); e == none {
			e = x
		} else {
			e = i(w).or(e, x)
		}
	}
	return e
}

// group is fields of one source that move alike, in w bits.
func (d *derivation) group(fs []field, w int) expr {
	f, keep := fs[0], cover(fs)
	if f.src.IsConst() {
		return mach.KVal(f.src.K.Shl(uint64(f.at)).Shr(uint64(f.lo)).And(keep).SignExtend(w))
	}
	if s, bit := signOf(f.src); s != nil && s.W == w {
		return i(w).and(i(w).ashr(d.leftmost(s, bit), w-1), mach.KVal(keep.SignExtend(w)))
	}
	x := i(w).zext(i(f.src.W), d.value(f.src))
	from := ones128(f.src.W)
	if by := f.at - f.lo; by > 0 {
		x, from = i(w).shl(x, by), from.Shl(uint64(by)).Cut(w)
	} else if by < 0 {
		x, from = i(w).lshr(x, -by), from.Shr(uint64(-by))
	}
	if keep == from {
		return x
	}
	return i(w).and(x, mach.KVal(keep.SignExtend(w)))
}

// idiom is two fields that are a rotation, a funnel shift or a signed field, or
// the bytes of a word reversed; none for others.
func (d *derivation) idiom(fs []field, w int) expr {
	swapped := len(fs) == w/8 && (w == 32 || w == 64)
	for k, f := range fs {
		swapped = swapped && f == field{fs[0].src, w - 8 - 8*k, 8, 8 * k} && f.src.W == w
	}
	if swapped {
		return i(w).op(opBswap, d.value(fs[0].src))
	}
	if len(fs) != 2 || fs[0].src.W != w || fs[0].at != 0 || fs[0].n != fs[1].at || fs[1].at+fs[1].n != w {
		return none
	}
	lo, hi := fs[0], fs[1]
	switch s, bit := signOf(hi.src); {
	case s == lo.src && bit == lo.lo+lo.n-1: // copies of the highest bit
		return i(w).ashr(d.leftmost(s, bit), w-lo.n)
	case hi.src.W == w && hi.lo == 0 && lo.lo+lo.n == w && (w == 32 || w == 64):
		return i(w).op(opFshl, d.value(hi.src), d.value(lo.src), mach.K(int64(lo.n)))
	}
	return none
}

// signOf gives the term and the bit of it of which t is copies; nil for others.
func signOf(t *sem.Term) (*sem.Term, int) {
	if t.Op == sem.OpSext {
		if x := t.A[0]; x.Op == sem.OpExtract && x.W == 1 {
			return x.A[0], int(x.K.Lo)
		}
	}
	return nil, 0
}

// leftmost moves a bit of a term to its top.
func (d *derivation) leftmost(t *sem.Term, bit int) expr {
	if by := t.W - 1 - bit; by > 0 {
		return i(t.W).shl(d.value(t), by)
	}
	return d.value(t)
}
