package rechain

// wideForm is how a wide multiply-add is written.
type wideForm uint8

// The forms. PTX has no mad.wide with carry, but selection has.
const (
	pairs  wideForm = iota // mad.lo.cc and madc.hi.cc one behind the other
	halves                 // the same, and mul.lo and mul.hi where nothing is added
	wide64                 // mul.wide and add.cc.u64
	fused                  // mad.wide.cc
)

// Reader is what reads the text that is written. One instruction of it does what
// any of the forms says, but which form a reader makes the fewest operations of
// depends on the chain: where ptxas does not see that two halves are one product,
// or moves carries out of predicates and back, it takes more.
type Reader uint8

// The readers.
const (
	Selection Reader = iota // our own
	LLC                     // llc, portable IR
	Ptxas70                 // ptxas for sm_70 to sm_89
	Ptxas90                 // ptxas for sm_90 to sm_110
	Ptxas120                // ptxas for sm_120 and later
	numReaders
)

// shape is what kind of chain a text is.
type shape uint8

const (
	oneSum   shape = iota // one sum
	doubled               // one sum in which products occur twice
	long                  // a sum of 32 words or more
	sequence              // digits of a sum are factors of what is added later: Montgomery's steps
	several               // sums over the digits of others: folds
	numShapes
)

// forms is the one form for each shape that is used, for every reader. Seen: llc
// 22 with ptxas 12.9 (sm_70) and 13.5 of the chains in spec/nv/chains; operations
// of the product of 256 bits, its square, the product of 512 bits in limbs of 64,
// Montgomery's of 256 and two folds, with this form and with others:
//
//	sm_80    85 = 85    66 = 66    303 < 645    184 < 189    117 = 117
//	sm_90    85 < 88    66 < 67    304 < 711    184 < 189    120 < 121
//	sm_120   85 < 88    66 < 67    304 < 311    184 < 189    120 < 121
var forms = [numReaders][numShapes]wideForm{
	LLC:      {wide64, wide64, wide64, wide64, wide64},
	Ptxas70:  {wide64, wide64, halves, wide64, wide64},
	Ptxas90:  {pairs, halves, wide64, wide64, wide64},
	Ptxas120: {pairs, halves, wide64, pairs, wide64},
}

// shapeOf says what kind of chain groups are.
func shapeOf(g *graph, groups []*group) shape {
	for i, p := range groups {
		if len(p.want) != 1 {
			continue
		}
		for _, q := range groups[i+1 : min(len(groups), i+512)] {
			if len(q.poly) > len(p.poly) && partOf(p, q) {
				return sequence
			}
		}
	}
	if len(groups) > 1 {
		return several
	}
	twice := 0
	for _, p := range groups {
		if p.bits >= 32*32 {
			return long
		}
		for _, m := range p.poly {
			if k, ok := m.c.power(); ok && k%32 == 1 && m.v != none && g.at(m.v).kind == prod {
				twice++
			}
		}
	}
	if twice >= 3 {
		return doubled
	}
	return oneSum
}
