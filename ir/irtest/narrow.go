package irtest

import "github.com/ptxlower/ptxlower/ir"

// Narrow is a copy of a function in which every value of more than 64 bits has
// 64: what targets have registers for. It computes something else.
func Narrow(f *ir.Func) *ir.Func {
	f = ir.Clone(f)
	cut := func(vs []*ir.Value) {
		for _, v := range vs {
			if v.W = min(v.W, 64); v.Op == ir.Const {
				v.K = v.K.Cut(64)
			}
		}
	}
	cut(f.Params)
	cut(f.Consts)
	for i, w := range f.Results {
		f.Results[i] = min(w, 64)
	}
	for _, b := range f.Blocks {
		cut(b.Vals)
	}
	for _, b := range f.Blocks {
		for _, v := range b.Vals {
			if v.Op >= ir.ZExt && v.Op <= ir.Trunc && v.W == v.Args[0].W {
				v.Op, v.Args = ir.Or, []*ir.Value{v.Args[0], v.Args[0]}
			}
		}
	}
	return f
}
