package lower

import (
	"fmt"
	"strconv"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Pass is a named step from one function to another that computes the same.
type Pass struct {
	Name string
	Doc  string
	run  func(f *ir.Func, s *Steps) *ir.Func
}

// Passes are the steps between lifting and selection, in order. With -O0 only
// those that selection needs are run.
var Passes = []Pass{
	{"simplify", "fold operations on constants, and those that give back an operand", inPlace(Simplify)},
	{"canon", "LLVM's integer instructions become PTX forms", func(f *ir.Func, _ *Steps) *ir.Func { return Canon(f) }},
	{"simplify2", "fold what canon uncovered", inPlace(Simplify)},
	{"cse", "one value for equal operations of a block", inPlace(CSE)},
	{"rechain", "carry chains, read as digits of integer polynomials, in the layout that is best for the target", chains},
	{"fuse", "one wide operation for two that multiply the same operands", fuse},
	{"dce", "remove what nobody needs", inPlace(func(f *ir.Func) { ir.RemoveDead(f) })},
}

// Needed reports a pass without which selection does not work.
func (p *Pass) Needed() bool { return p.Name == "canon" }

func inPlace(run func(*ir.Func)) func(*ir.Func, *Steps) *ir.Func {
	return func(f *ir.Func, _ *Steps) *ir.Func { run(f); return f }
}

func chains(f *ir.Func, s *Steps) *ir.Func {
	if s.Chains != nil {
		s.Chains(f)
	}
	return f
}

func fuse(f *ir.Func, s *Steps) *ir.Func {
	if s.Has != nil {
		Fuse(f, s.Has)
		FuseHalves(f, s.Has)
	}
	return f
}

// Has reports whether a target has operations for a form; nil has only what
// every target has.
type Has func(f ptx.Form) bool

// Steps say how the passes are run for a target.
type Steps struct {
	Optimise bool
	Has      Has
	Chains   func(f *ir.Func)          // the pass rechain; may be nil
	After    func(p *Pass, f *ir.Func) // sees the function behind each pass; may be nil
}

// Run applies the passes to a function.
func (s *Steps) Run(f *ir.Func) *ir.Func {
	for i := range Passes {
		p := &Passes[i]
		if !s.Optimise && !p.Needed() {
			continue
		}
		f = p.run(f, s)
		if s.After != nil {
			s.After(p, f)
		}
	}
	return f
}

// Run applies the passes for a target, without rechain.
func Run(f *ir.Func, optimise bool, has Has, after func(p *Pass, f *ir.Func)) *ir.Func {
	return (&Steps{Optimise: optimise, Has: has, After: after}).Run(f)
}

// Simplify replaces results that the meaning of their operation shows to be
// constants or one of its operands. It knows no operation: the terms fold.
func Simplify(f *ir.Func) {
	with := map[*ir.Value]*ir.Value{}
	final := func(args []*ir.Value) {
		for i, a := range args {
			for with[a] != nil {
				a = with[a]
			}
			args[i] = a
		}
	}
	several := map[*ir.Value][]*ir.Value{} // what stands for each result of a form that has several
	for _, blk := range ir.ReversePostorder(f) {
		for _, v := range blk.Vals {
			if v.Op == ir.Result { // its operand is the form itself, not the form's first result
				if rs := several[v.Args[0]]; rs != nil && rs[v.Index] != nil {
					with[v] = rs[v.Index]
				}
				continue
			}
			final(v.Args)
			if v.Op == ir.Phi {
				continue
			}
			rs := meaningOf(f, v)
			if len(rs) > 1 {
				several[v] = rs
			}
			if len(rs) > 0 && rs[0] != nil {
				with[v] = rs[0]
			}
		}
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Vals {
			if v.Op != ir.Result {
				final(v.Args)
			}
		}
		final(blk.Args)
	}
	ir.RemoveDead(f)
}

// meaningOf gives, for each result, the constant or operand that it equals, nil
// where it is neither; a nil slice where that is so for all.
func meaningOf(f *ir.Func, v *ir.Value) []*ir.Value {
	constant := false
	for _, a := range v.Args {
		constant = constant || a.Op == ir.Const || a.Op == ir.Undef
	}
	if !constant && len(v.Args) > 1 && !repeated(v.Args) {
		return nil
	}
	b := sem.NewBuilder()
	in := make([]*sem.Term, len(v.Args))
	for i, a := range v.Args {
		if a.Op == ir.Const || a.Op == ir.Undef {
			in[i] = b.Const(a.K, a.W)
		} else {
			in[i] = b.Var(strconv.Itoa(a.ID), a.W)
		}
	}
	var out []*ir.Value
	results := v.Meaning(b, in, f.Model)
	for i, t := range results {
		var r *ir.Value
		if t.IsConst() {
			r = f.Const(t.K, t.W)
		} else {
			for j, x := range in {
				if x == t {
					r = v.Args[j]
				}
			}
		}
		if r != nil && out == nil {
			out = make([]*ir.Value, len(results))
		}
		if r != nil {
			out[i] = r
		}
	}
	return out
}

func repeated(args []*ir.Value) bool {
	for i, a := range args {
		for _, b := range args[:i] {
			if a == b {
				return true
			}
		}
	}
	return false
}

// CSE lets equal operations of a block be one value.
func CSE(f *ir.Func) {
	with := map[*ir.Value]*ir.Value{}
	for _, blk := range f.Blocks {
		seen := map[string]*ir.Value{}
		var key []byte
		for _, v := range blk.Vals {
			for i, a := range v.Args {
				if w := with[a]; w != nil {
					v.Args[i] = w
				}
			}
			if v.Op == ir.Phi {
				continue
			}
			key = fmt.Appendf(key[:0], "%d %d %d %d %v", v.Op, v.W, v.Pred, v.Index, v.Form)
			for _, a := range v.Args {
				key = strconv.AppendInt(append(key, ' '), int64(a.ID), 10)
			}
			if w := seen[string(key)]; w != nil {
				with[v] = w
			} else {
				seen[string(key)] = v
			}
		}
	}
	ir.ReplaceUses(f, with)
	ir.RemoveDead(f)
}
