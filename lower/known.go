package lower

import (
	"strconv"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/sem"
)

// Settle replaces values that are known to be one constant by it.
func Settle(f *ir.Func, known func(v *ir.Value) (sem.Facts, bool)) {
	with := map[*ir.Value]*ir.Value{}
	for _, blk := range f.Blocks {
		for _, v := range blk.Vals {
			if facts, ok := known(v); ok {
				if k, ok := facts.Const(); ok {
					with[v] = f.Const(k, v.W)
				}
			}
		}
	}
	ir.ReplaceUses(f, with)
	ir.RemoveDead(f)
}

// Known finds what the operations of a function say of its values: bits and
// ranges. Parameters and phis can be
// anything.
func Known(f *ir.Func) func(v *ir.Value) (sem.Facts, bool) {
	b := sem.NewBuilder()
	analysis, terms := sem.NewAnalysis(nil), map[*ir.Value]*sem.Term{}
	several := map[*ir.Value][]*sem.Term{}
	free := func(v *ir.Value) *sem.Term { return b.Var(strconv.Itoa(v.ID), v.W) }
	for _, p := range f.Params {
		terms[p] = free(p)
	}
	for _, k := range f.Consts {
		terms[k] = b.Const(k.K, k.W)
	}
	for _, blk := range ir.ReversePostorder(f) {
		for _, v := range blk.Vals {
			switch v.Op {
			case ir.Phi, ir.Undef:
				terms[v] = free(v)
			case ir.Result:
				terms[v] = several[v.Args[0]][v.Index]
			default:
				in := make([]*sem.Term, len(v.Args))
				for i, a := range v.Args {
					in[i] = terms[a]
				}
				several[v] = v.Meaning(b, in, f.Model)
				terms[v] = several[v][0]
			}
		}
	}
	return func(v *ir.Value) (sem.Facts, bool) {
		t, ok := terms[v]
		if !ok {
			return sem.Facts{}, false
		}
		return analysis.Of(t), true
	}
}
