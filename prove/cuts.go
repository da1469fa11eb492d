package prove

import (
	"slices"

	"github.com/ptxlower/ptxlower/sem"
)

// cut finds where the variables of the terms are to be cut into slices: at the
// edges of every field that an extract, a shift, a mask or a sign reads. Each
// term passes the edges that its readers ask for on to its operands, as far as
// bits keep their places. Any cuts are right; these make equal values meet. The
// work that may be done is set by the number of terms.
func (k *Kernel) cut(terms []*sem.Term) {
	order := sem.Order(terms...)
	k.limit = 1<<17 + 1<<11*len(order)
	edges := make(map[*sem.Term]*bitset, len(order))
	at := func(t *sem.Term, i int) {
		if i <= 0 || i >= t.W {
			return
		}
		if edges[t] == nil {
			edges[t] = &bitset{}
		}
		edges[t].add(i)
	}
	for _, t := range slices.Backward(order) {
		own := edges[t]
		if own == nil {
			own = &bitset{}
		}
		// pass gives the edges to an operand whose bit i+by is t's bit i.
		pass := func(x *sem.Term, by int) { own.each(func(i int) { at(x, i+by) }) }
		x, y := t.A[0], t.A[1]
		switch t.Op {
		case sem.OpVar:
			k.cuts[t] = own
		case sem.OpExtract:
			lo := int(t.K.Lo)
			at(x, lo)
			at(x, lo+t.W)
			pass(x, lo)
		case sem.OpConcat:
			pass(x, -y.W)
			pass(y, 0)
		case sem.OpZext:
			pass(x, 0)
		case sem.OpSext:
			at(x, x.W-1)
			pass(x, 0)
		case sem.OpSlt:
			at(x, x.W-1)
			at(y, y.W-1)
		case sem.OpShl, sem.OpLshr, sem.OpAshr:
			if !y.IsConst() || !y.K.Less(sem.U(uint64(t.W))) {
				break
			}
			n := int(y.K.Lo)
			switch t.Op {
			case sem.OpShl:
				at(x, t.W-n)
				n = -n
			case sem.OpAshr:
				at(x, t.W-1)
				at(x, n)
			default:
				at(x, n)
			}
			pass(x, n)
		case sem.OpAnd, sem.OpOr, sem.OpXor:
			pass(x, 0)
			pass(y, 0)
			if y.IsConst() && runs(fromVal(y.K), uint(t.W)) <= maxRuns {
				for i := 1; i < t.W; i++ {
					if y.K.Bit(i) != y.K.Bit(i-1) {
						at(x, i)
					}
				}
			}
		case sem.OpNot:
			pass(x, 0)
		case sem.OpIte:
			pass(y, 0)
			pass(t.A[2], 0)
		}
	}
}
