package ptxlower

import (
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// Statements with carries that no chain takes stay as they are for NVIDIA's GPUs
// that have those instructions: in portable IR, an addition of 128 bits would
// take 20 operations instead of 5 (seen: llc 22, ptxas 13.5 sm_80).
//
// What stays are webs: statements that a carry connects. CC is one register, and no one else
// keeps it: a web stays only as a whole, within one block, with nothing between
// its statements that might change CC. Others are lowered, with carries as
// values.

// web is a set of statements that carries connect.
type web struct {
	sites []*lower.Site
	block *ll.Block
	bad   bool // it cannot stay
}

// keptWebs are the statements of a unit that stay as they are.
func (e *splicer) keptWebs(u *lower.Unit, c *chains) map[*lower.Site]bool {
	kept := map[*lower.Site]bool{}
	if e.opt.O0 || e.res.Target.Vendor != targets.NVIDIA || e.res.Target.Chains() == rechain.Stay {
		return kept
	}
	at := map[*lower.Site]int{} // place in its block
	for _, b := range u.Func.Blocks {
		for i := range b.Insts {
			if s := u.Site(&b.Insts[i]); s != nil {
				at[s] = i
			}
		}
	}
	for _, w := range webs(u) {
		if w.bad || w.takenBy(c, at) {
			continue
		}
		for _, s := range w.sites {
			kept[s] = true
		}
		for _, s := range u.Sites { // ptxas joins products whose halves the source takes one by one
			kept[s] = kept[s] || s.Block == w.block && !c.gone[s] && !carries(s) && s.Family() && stays(s)
		}
	}
	return kept
}

// webs finds the webs of a unit.
func webs(u *lower.Unit) []*web {
	up := map[any]any{} // union-find over sites and state values
	var root func(x any) any
	root = func(x any) any {
		if up[x] == nil {
			up[x] = x
		}
		for up[x] != x {
			up[x] = up[up[x]]
			x = up[x]
		}
		return x
	}
	for _, s := range u.Sites {
		for _, in := range s.In {
			if in.State != nil {
				up[root(in.State.Resolve())] = root(s)
			}
		}
		for _, o := range s.Out {
			if o.Field < 0 && o.State != nil {
				up[root(o.State.Resolve())] = root(s)
			}
		}
	}
	for _, p := range u.Phis {
		for _, in := range p.In {
			up[root(in.Resolve())] = root(p.Resolve())
		}
	}
	of := map[any]*web{}
	var out []*web
	for _, s := range u.Sites {
		if !carries(s) {
			continue
		}
		w := of[root(s)]
		if w == nil {
			w = &web{block: s.Block}
			of[root(s)] = w
			out = append(out, w)
		}
		w.sites = append(w.sites, s)
		w.bad = w.bad || w.block != s.Block || !stays(s)
	}
	for _, p := range u.Phis {
		if w := of[root(p.Resolve())]; w != nil {
			w.bad = true
		}
	}
	return out
}

// reach gives the places of the first and the last statement.
func (w *web) reach(at map[*lower.Site]int) (first, last int) {
	first = 1 << 30
	for _, s := range w.sites {
		first, last = min(first, at[s]), max(last, at[s])
	}
	return first, last
}

// carries reports a statement that reads or writes CC, or shares registers.
func carries(s *lower.Site) bool {
	return slices.ContainsFunc(s.In, func(in lower.Input) bool { return in.State != nil }) ||
		slices.ContainsFunc(s.Out, func(o lower.Output) bool { return o.Field < 0 }) ||
		slices.ContainsFunc(s.Insts, func(x lower.SiteInst) bool { return x.Form.CC || x.Form.ReadsCF() })
}

// stays reports a statement that LLVM leaves in its place, of instructions that
// these GPUs have, with no state but the carry of another statement.
func stays(s *lower.Site) bool {
	return s.Kind == lower.SiteAsm && s.Frag != nil && s.Inst.Call.Asm.Flags&ll.SideEffect != 0 &&
		!slices.ContainsFunc(s.Insts, func(x lower.SiteInst) bool {
			return x.Form.Op == ptx.Mul24 || x.Form.Op == ptx.Mad24 || x.Form.Op == ptx.Vmad
		}) &&
		!slices.ContainsFunc(s.In, func(in lower.Input) bool {
			return in.State != nil && (!in.State.Var.CF || in.State.Resolve().Kind != lower.StateOut)
		}) &&
		!slices.ContainsFunc(s.Out, func(o lower.Output) bool { return o.Field < 0 && !o.State.Var.CF })
}

// takenBy reports that a chain takes a part of a web, or that something which
// might change CC comes between two of it: the statement that stands for a chain,
// a call, or LLVM's own addition of more than 64 bits.
func (w *web) takenBy(c *chains, at map[*lower.Site]int) bool {
	if slices.ContainsFunc(w.sites, func(s *lower.Site) bool { return c.gone[s] }) {
		return true
	}
	first, last := w.reach(at)
	for _, t := range c.texts {
		if t.block == w.block && first < t.at && t.at <= last {
			return true
		}
	}
	for i := first; i < last; i++ {
		in := &w.block.Insts[i]
		if in.Call != nil && in.Call.Kind != ll.CallAsm && !strings.HasPrefix(in.Call.Callee, "llvm.") || in.Type != nil && in.Type.Kind == ll.TyInt && in.Type.Bits > 64 {
			return true
		}
	}
	return false
}
