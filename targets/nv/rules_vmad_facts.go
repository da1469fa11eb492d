package nv

import (
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
)

// extent is what may be known of a word of vmad.
type extent uint8

const (
	anyWord extent = iota
	unsigned16
	signed16
	unsigned31 // the same as a signed and as an unsigned word
	zeroWord   // of c only
	smallWord  // of c only: c < 2^29
	smallWordS // of c only: −2^29 <= c < 2^29
)

func (x extent) facts(i int) []isel.Fact {
	switch x {
	case unsigned16:
		return []isel.Fact{isel.FitsU(i, 16)}
	case signed16:
		return []isel.Fact{isel.FitsS(i, 16)}
	case unsigned31:
		return []isel.Fact{isel.FitsU(i, 31)}
	case zeroWord:
		return []isel.Fact{isel.Is(i, 0)}
	case smallWord:
		return []isel.Fact{isel.FitsU(i, 29)}
	case smallWordS:
		return []isel.Fact{isel.FitsS(i, 30)}
	}
	return nil
}

// vmadFacts lists what is looked for: operands that are small constants, c being
// 0 or small, words that hold halves.
var vmadFacts = [...]struct{ x, y, z extent }{
	{unsigned16, unsigned16, smallWord},
	{signed16, signed16, smallWordS},
	{unsigned16, unsigned16, anyWord},
	{signed16, signed16, anyWord},
	{anyWord, unsigned16, zeroWord},
	{anyWord, signed16, zeroWord},
	{anyWord, unsigned31, zeroWord},
	{anyWord, anyWord, zeroWord},
	{anyWord, unsigned16, anyWord},
	{anyWord, signed16, anyWord},
	{anyWord, unsigned31, anyWord},
	{unsigned16, anyWord, anyWord},
	{signed16, anyWord, anyWord},
	{unsigned31, anyWord, anyWord},
	{anyWord, anyWord, smallWord},
	{anyWord, anyWord, smallWordS},
}

// vmadFactRules are vmad with words of known extents: halves in a word need no
// extraction, a word that is not negative may be multiplied as signed, small sums
// need no limit.
func (g isa) vmadFactRules() isel.Table {
	var t isel.Table
	for _, known := range vmadFacts {
		facts := append(append(known.x.facts(0), known.y.facts(1)...), known.z.facts(2)...)
		t = append(t, isel.G("vmad", "vmad.*", PredCarry, func(f ptx.Form, m ptx.Model) []expr {
			return result(g.vmadKnown(f, m, known.x, known.y, known.z))
		}).If(facts...))
	}
	return t
}

// vmadKnown is vmad where the extents make it cheaper: where c is 0 it is so by
// what the constant itself would take.
func (g isa) vmadKnown(f ptx.Form, m ptx.Model, x, y, z extent) expr {
	general, v := vmadOf(f, m), vmadOf(f, m)
	if !v.x.know(x) || !v.y.know(y) || !v.know(z) {
		return none
	}
	v.sat = f.Sat && !v.fits(v.n)
	d, cost := g.cheapest(&v)
	if _, most := g.cheapest(&general); cost < most || cost == most && z == zeroWord {
		return d
	}
	return none
}

// cheapest is the way to compute vmad that takes the fewest instructions.
func (g isa) cheapest(v *vmadForm) (best expr, cost int) {
	for _, way := range vmadWays {
		x := way.expand(g, v)
		if x == none {
			continue
		}
		n := len(mach.Ops([]expr{x})) + way.constants
		if best == none || n < cost {
			best, cost = x, n
		}
	}
	return best, cost
}

// know notes what is known of a factor. It is false where that is of no use.
func (x *factor) know(e extent) bool {
	switch {
	case e == anyWord:
		return true
	case x.sel != ptx.Word, e != unsigned16 && x.signed != (e == signed16):
		return false
	case e == unsigned31:
		x.signed = true
	default:
		x.fits, x.signed = 16, e == signed16
	}
	return true
}

// know notes what is known of c.
func (v *vmadForm) know(e extent) bool {
	switch e {
	case zeroWord, smallWord:
		v.zero, v.small = e == zeroWord, e == smallWord
		v.cs = v.cs && (v.signed || v.x.signed || v.y.signed) // else t is not negative
	case smallWordS:
		v.small = true
		return v.cs
	}
	return true
}
