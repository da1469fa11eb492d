package ptxlower

import (
	"fmt"
	"io"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// worthTelling is the number of products from which on it is told what became
// of a chain.
const worthTelling = 4

// wideCarry is what the layouts of the newer classes are made of.
var wideCarry = ptx.Form{Op: ptx.Mad, Mode: ptx.Wide, T: ptx.U32, CC: true}

// passes runs the passes over a function, rechain for a class of targets, of
// which done sees what came out.
func (r *run) passes(f *ir.Func, has lower.Has, class rechain.Class, done func(*ir.Func, []rechain.Report)) *ir.Func {
	s := lower.Steps{Optimise: !r.opt.O0, Has: has, After: r.opt.After}
	if class != rechain.Stay && !r.opt.KeepChains {
		opt := rechain.Options{Facts: r.facts(f.Name, nil), Fused: (class == rechain.Volta || class == rechain.Geforce120 || class == rechain.GFX7) && has != nil && has(wideCarry)}
		s.Chains = func(f *ir.Func) {
			reps := rechain.RunWith(f, class, opt)
			if r.opt.After != nil {
				r.show(reps)
			}
			done(f, reps)
		}
	}
	return s.Run(f)
}

// registers is an error of allocation.
type registers struct{ error }

// Select gives the native code of a function for a target that has some: what
// Lower lists.
func Select(f *ir.Func, target *targets.Info) (*mach.Func, error) {
	r := &run{res: Result{Target: target}}
	nf, _, err := r.selected(f, diag.Span{}, target.Target)
	return nf, err
}

// known is what a function says of its values, for rules that ask for facts.
// Without passes there is none but that constants are constant.
func (r *run) known(f *ir.Func) isel.Known {
	if r.opt.O0 {
		return nil
	}
	return lower.Known(f)
}

// selected gives the native code of a function, its carry chains written again
// if that makes the code shorter; and a function that is proved to compute the
// same as src, from which the code is made by selection and smaller steps.
func (r *run) selected(src *ir.Func, at diag.Span, t *isel.Target) (nf *mach.Func, same *ir.Func, err error) {
	same, r.rests = src, false
	has, class := t.Fuses, r.res.Target.Chains()
	if t.Machine.SSA { // LLVM makes its own choice
		has, class = nil, rechain.Generic
	}
	try := func(class rechain.Class, done func(*ir.Func, []rechain.Report)) (*mach.Func, error) {
		f := r.passes(ir.Clone(src), has, class, done)
		if t.Machine.SSA && !r.opt.O0 {
			lower.WidenLows(f, nil)
		}
		known := r.known(f)
		// Where there is one carry register, what a constant frees it for costs more.
		if known != nil && !t.Machine.SSA && t.Machine.Carry.Bits == 0 {
			lower.Settle(f, known)
		}
		nf, err := t.Select(f, known)
		if err != nil {
			return nil, err
		}
		err = nf.Allocate(t.Machine)
		if err == nil && t.Uniform != nil && len(nf.Blocks) > 1 { // lanes that wait need scalar registers, too
			err = t.Print(io.Discard, nf)
		}
		if err != nil && t.Uniform != nil { // what all lanes have in common fits no more
			if nf, err = t.SelectDivergent(f, known); err != nil {
				return nil, err
			}
			err = nf.Allocate(t.Machine)
		}
		if err != nil {
			return nil, &registers{err}
		}
		return nf, nil
	}
	var reports []rechain.Report
	changed := false
	nf, err = try(class, func(f *ir.Func, reps []rechain.Report) {
		reports = reps
		for _, rep := range reps {
			changed = changed || rep.Changed
			r.rests = r.rests || rep.Changed && len(rep.Assumed) > 0
		}
		if changed {
			same = ir.Clone(f)
		}
	})
	if changed {
		after := r.opt.After
		r.opt.After = nil
		old, oldErr := try(rechain.Stay, nil)
		r.opt.After = after
		if err != nil || oldErr == nil && !shorter(nf, old) {
			nf, same, err = old, src, oldErr
			r.rests = false
			for i := range reports {
				if reports[i].Changed {
					reports[i].Changed, reports[i].Reason = false, "the listing would not get shorter"
				}
			}
		} else if len(reports) == 1 && oldErr == nil { // what is listed, not what was expected
			reports[0].Before, reports[0].After = listed(old, t.Machine), listed(nf, t.Machine)
		}
	}
	r.tell(reports, at, src.Name)
	return nf, same, err
}

// shorter reports fewer instructions, or as many with fewer operations among
// them, which moves are not.
func shorter(x, y *mach.Func) bool {
	ops, moves := x.Count()
	ops2, moves2 := y.Count()
	return ops+moves < ops2+moves2 || ops+moves == ops2+moves2 && ops < ops2
}

// listed is what native code takes: operations without moves, and the registers
// that it touches.
func listed(f *mach.Func, m *mach.Machine) rechain.Cost {
	ops, _ := f.Count()
	return rechain.Cost{Ops: ops, Regs: f.Registers(m)}
}

// show gives reports to who asked for them.
func (r *run) show(reports []rechain.Report) {
	if r.opt.Chain != nil {
		for _, rep := range reports {
			r.opt.Chain(rep)
		}
	}
}

// tell says in remarks what became of chains.
func (r *run) tell(reports []rechain.Report, at diag.Span, fn string) {
	for _, rep := range reports {
		r.tellOf(rep, at, fn)
	}
}

func (r *run) tellOf(rep rechain.Report, at diag.Span, fn string) {
	if productsOf(rep) < worthTelling || !rep.Changed && rep.Before.Ops <= 2*worthTelling {
		return // one product of 64 bits, say
	}
	what := ""
	for _, c := range rep.Chains {
		if c.Products() == productsOf(rep) {
			what = c.String()
		}
	}
	if n := len(rep.Chains) - 1; n > 0 {
		what = fmt.Sprintf("%s, and %d more sums on the way", what, n)
	}
	if rep.Off >= 0 {
		at = diag.Span{Start: rep.Off, End: rep.Off}
	}
	if rep.Changed {
		r.diags.Add(diag.Remark, "rechain", r.file, at, "%s; %d → %d ops, %d → %d registers; proved by %s%s",
			what, rep.Before.Ops, rep.After.Ops, rep.Before.Regs, rep.After.Regs, rep.Proof, r.assuming(rep, fn))
		return
	}
	r.diags.Add(diag.Remark, "rechain", r.file, at, "%s; %d ops, stays: %s", what, rep.Before.Ops, rep.Reason)
}

// basis is what code is compared with: the source on vectors; for proofs the
// function that the source is already proved to be, and so where that rests on an
// assumption, outside of which the source may compute something else.
func (r *run) basis(src, same *ir.Func) *ir.Func {
	if r.opt.Verify == VerifyProve || r.rests {
		return same
	}
	return src
}

// productsOf is the number of products of the longest sum of a region.
func productsOf(rep rechain.Report) (n int) {
	for i := range rep.Chains {
		n = max(n, rep.Chains[i].Products())
	}
	return n
}
