package rechain

import (
	"encoding/binary"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
)

// Memo remembers what became of regions, so that one like another is not worked
// out again: real modules have the same functions many times. It belongs to one
// class and one set of options.
type Memo struct {
	known map[string]known
	forms map[ptx.Form]uint64
}

// known is what became of a region; the parameters of its code are numbers of
// the shape.
type known struct {
	rep    Report
	code   *ir.Func
	params []int
}

// NewMemo is an empty Memo.
func NewMemo() *Memo { return &Memo{known: map[string]known{}, forms: map[ptx.Form]uint64{}} }

// find gives what became of a region of the same shape.
func (m *Memo) find(key string, vals []*ir.Value, x *region) (Found, bool) {
	k, ok := m.known[key]
	if !ok {
		return Found{}, false
	}
	f := Found{Report: k.rep, Vals: x.vals, Wanted: x.wanted, region: x}
	f.Off = x.vals[0].Off
	if k.code != nil {
		f.Code = ir.Clone(k.code)
		for _, n := range k.params {
			f.Params = append(f.Params, vals[n])
		}
	}
	return f, true
}

// keep remembers what became of a region.
func (m *Memo) keep(key string, vals []*ir.Value, f *Found) {
	k := known{rep: f.Report}
	if f.Code != nil {
		k.code = ir.Clone(f.Code)
		for _, p := range f.Params {
			n := slices.Index(vals, p)
			if n < 0 {
				return
			}
			k.params = append(k.params, n)
		}
	}
	m.known[key] = k
}

// shape is all that decides what becomes of a region: its operations, how they
// are connected, the bounds of its leaves, and which values are wanted. vals are
// its values, leaves among them, in an order that equal shapes share.
func (m *Memo) shape(r *reader, x *region) (shape string, vals []*ir.Value) {
	var key []byte
	put := func(n ...uint64) {
		for _, k := range n {
			key = binary.AppendUvarint(key, k)
		}
	}
	number := make(map[*ir.Value]uint64, 2*len(x.vals))
	for _, v := range x.vals {
		put(uint64(v.Op), uint64(v.W), uint64(v.Pred), uint64(v.Index), uint64(len(v.Args)))
		if v.Op == ir.PTX {
			f, ok := m.forms[v.Form]
			if !ok {
				f = uint64(len(m.forms))
				m.forms[v.Form] = f
			}
			put(f)
		}
		for _, a := range v.Args {
			n, ok := number[a]
			put(n)
			if ok {
				continue
			}
			vals = append(vals, a)
			number[a] = uint64(len(vals))
			b := r.leafMax(a)
			put(uint64(a.Op), uint64(a.W), b.hi, b.lo)
			if a.Op == ir.Const {
				put(a.K.Hi, a.K.Lo)
			}
		}
		vals = append(vals, v)
		number[v] = uint64(len(vals))
	}
	for _, v := range x.wanted {
		put(number[v])
	}
	return string(key), vals
}
