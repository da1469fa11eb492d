package ptxlower

import (
	"fmt"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// RuleGoal is what has to be proved of a rule: that its operations compute what
// the form means, zero-extended to the registers, wherever the rule's facts hold.
// The terms are b's.
func RuleGoal(b *sem.Builder, t *isel.Target, c *isel.Choice, m ptx.Model) prove.Goal {
	g := prove.Goal{Name: fmt.Sprintf("%s %s %s", t.Name, c.Form.Name(), m)}
	for i, w := range ir.ArgWidths(c.Form) {
		name := string("abce"[i])
		if c.Form.ReadsCF() && i == len(c.Form.Ins()) {
			name = "cf"
		}
		g.Params = append(g.Params, b.Var(name, w))
	}
	g.Want = c.Form.Meaning(b, g.Params, m)
	g.Got = c.Meaning(b, t, g.Params)
	for i := range g.Want {
		g.Want[i] = b.Zext(g.Want[i], g.Got[i].W)
	}
	for _, f := range c.When {
		g.Assume = append(g.Assume, f.Term(b, g.Params[f.Arg]))
	}
	return g
}

// prover is the part of a run that proves: --verify=prove.
type prover struct{ cache *prove.Cache }

// proves answers a goal and records what came out.
func (r *run) proves(at diag.Span, what string, g prove.Goal) {
	r.res.Checked++
	switch res := prove.Equal(g, prove.Options{Cache: r.prover.cache}); res.Status {
	case prove.Proved:
		r.res.Proved++
	case prove.Refuted:
		r.wrong = true
		r.diags.Errorf("verify", r.file, at, "%s is lowered wrongly for %s\n%s", what, r.res.Target.Name, res.Counterexample)
	default:
		r.open = true
		r.diags.Warnf("not-proved", r.file, at, "%s is not proved: %s", what, res.Reason)
	}
}

// unproved names what the prover was not asked about.
func (r *run) unproved(at diag.Span, what, why string) {
	r.open = true
	r.diags.Warnf("not-proved", r.file, at, "%s is not proved: %s", what, why)
}

// loweringGoal is that native code computes what a function does.
func loweringGoal(src *ir.Func, nf *mach.Func, m *mach.Machine) (prove.Goal, error) {
	return goalIn(sem.NewBuilder(), src, nf, m)
}

// goalIn is loweringGoal with the terms of a given builder.
func goalIn(b *sem.Builder, src *ir.Func, nf *mach.Func, m *mach.Machine) (prove.Goal, error) {
	g := prove.Goal{Name: src.Name}
	for i, p := range src.Params {
		g.Params = append(g.Params, b.Var(fmt.Sprintf("%s#%d", p.Name, i), p.W))
	}
	var err error
	if g.Want, err = eval.Terms(src, b, g.Params); err != nil {
		return g, err
	}
	if g.Got, err = eval.NativeTerms(nf, m, b, g.Params); err != nil {
		return g, err
	}
	for i := range g.Want {
		g.Want[i] = b.Zext(g.Want[i], g.Got[i].W)
	}
	for _, v := range sem.Vars(g.Got...) {
		if strings.HasPrefix(v.Name, "junk.") { // no result may depend on it
			g.Params = append(g.Params, v)
		}
	}
	return g, nil
}

// validateAsm proves that the printed listing of a function, read back,
// computes what the function does.
func (r *run) validateAsm(u *lower.Unit, src *ir.Func, listing string) error {
	at, what := u.Func.NameSpan(), "@"+u.Func.Name
	t := r.res.Target.Target
	if !src.StraightLine() {
		how := fmt.Sprintf("a listing with branches is run on %d vectors", eval.BranchyRuns)
		if r.res.Lanes > 0 {
			how += fmt.Sprintf(", and in waves of %d lanes", r.res.Lanes)
		}
		r.unproved(at, what, how)
		return nil
	}
	var params, results []mach.Class
	for _, p := range src.Params {
		c, _ := t.Machine.ClassOf(max(p.W, 32))
		if p.Uniform && t.Uniform != nil {
			c, _ = t.Machine.ScalarOf(p.W)
		}
		params = append(params, c)
	}
	for _, w := range src.Results {
		c, _ := t.Machine.ClassOf(max(w, 32))
		results = append(results, c)
	}
	lines := strings.Split(strings.TrimSpace(listing), "\n")[1:]
	back, err := r.reader().Read(lines, params, results)
	if err != nil {
		return fmt.Errorf("%s: reading the listing back: %w", what, err)
	}
	b := sem.NewBuilder()
	g, err := goalIn(b, src, back, t.Machine)
	if err != nil {
		return err
	}
	r.proves(at, what, r.meet(b, g))
	return nil
}

func (r *run) reader() *mach.Reader {
	if r.listings == nil {
		r.listings = mach.NewReader(*r.res.Target.Target.Dialect, r.res.Target.Target.Machine)
	}
	return r.listings
}

// validateLLVM reads the emitted module again and proves each site: that the
// instructions that stand in its place compute what it does, that carries and
// shared registers meet in the phis where they should, and that nothing else
// changed. Since all else is the same text, so are the values that sites read.
func (e *splicer) validateLLVM() error {
	var own diag.List
	m := ll.Parse(diag.NewFile(e.file.Name+" (output)", e.res.Output), &own)
	if err := own.Err(); err != nil {
		return fmt.Errorf("the output is no LLVM IR: %w", err)
	}
	for i, u := range e.units {
		v := validation{splicer: e, m: m, u: u, c: e.chains[i]}
		for j, b := range u.Func.Blocks {
			if err := v.block(b, m.Funcs[i].Blocks[j]); err != nil {
				return fmt.Errorf("@%s: %w", u.Func.Name, err)
			}
		}
	}
	return e.validateWhole(m)
}

// validateWhole proves the straight-line functions of integers as wholes too.
func (e *splicer) validateWhole(m *ll.Module) error {
	now := lower.Lift(m, lower.Options{KeepUnknown: true, Model: e.opt.Model}, &diag.List{})
	for i, u := range e.units {
		src, refusal := u.Function(e.run.m, e.opt.Model)
		if refusal != nil || len(u.Sites) == 0 || !src.StraightLine() || len(e.chains[i].texts) > 0 {
			continue // a chain's text is proved by itself
		}
		f, refusal := now[i].Function(m, e.opt.Model)
		if refusal != nil {
			e.unproved(u.Func.NameSpan(), "@"+u.Func.Name+" as a whole", refusal.What)
			continue
		}
		b := sem.NewBuilder()
		g := prove.Goal{Name: "@" + u.Func.Name}
		for j, p := range src.Params {
			g.Params = append(g.Params, b.Var(fmt.Sprintf("%s#%d", p.Name, j), p.W))
		}
		var err error
		if g.Want, err = eval.Terms(src, b, g.Params); err != nil {
			return err
		}
		if g.Got, err = eval.Terms(f, b, g.Params); err != nil {
			return err
		}
		e.proves(u.Func.NameSpan(), g.Name+" as a whole", g)
	}
	return nil
}

type validation struct {
	*splicer
	m *ll.Module // the output
	u *lower.Unit
	c *chains
}

// block walks a block and its lowered twin side by side.
func (v *validation) block(old, now *ll.Block) error {
	rest := make([]*ll.Inst, len(now.Insts))
	for i := range now.Insts {
		rest[i] = &now.Insts[i]
	}
	for _, p := range v.u.Phis {
		if p.Block != old {
			continue
		}
		if len(rest) == 0 || !v.isPhi(p, rest[0]) {
			return fmt.Errorf("block %s: the phi of %s is not as it should be", old.Name, v.state(p))
		}
		rest = rest[1:]
	}
	index := map[*lower.Site]int{}
	for i, s := range v.u.Sites {
		index[s] = i
	}
	for i := range old.Insts {
		in := &old.Insts[i]
		for _, t := range v.c.texts { // which is proved by itself
			for t.block == old && t.at == i && len(rest) > 0 && t.own(rest[0]) {
				rest = rest[1:]
			}
		}
		s := v.u.Site(in)
		if v.c.gone[s] && s != nil {
			if text := v.c.remains(v.run.m, s); text != "" {
				if len(rest) == 0 || text != v.m.Text(rest[0].Span()) {
					return fmt.Errorf("block %s: this is not what should be left of a statement: %s", old.Name, v.run.m.Text(in.Span()))
				}
				rest = rest[1:]
			}
			continue
		}
		if s == nil || s.Frag == nil || v.c.kept[s] {
			if len(rest) == 0 || v.expected(in) != v.m.Text(rest[0].Span()) {
				return fmt.Errorf("block %s: this instruction changed: %s", old.Name, v.run.m.Text(in.Span()))
			}
			rest = rest[1:]
			continue
		}
		n := v.length(s, index[s], rest)
		if err := v.site(s, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("block %s: this instruction is new: %s", old.Name, v.m.Text(rest[0].Span()))
	}
	return nil
}

// expected is the text of an instruction that stays, with the names that values
// of chains now have.
func (v *validation) expected(in *ll.Inst) string {
	var b strings.Builder
	at := in.Span().Start
	for _, e := range v.c.renamed(in) {
		b.WriteString(v.run.m.Text(diag.Span{Start: at, End: e.Span.Start}))
		b.WriteString(e.Text)
		at = e.Span.End
	}
	b.WriteString(v.run.m.Text(diag.Span{Start: at, End: in.Span().End}))
	return b.String()
}

// isPhi compares a phi with the state value that it stands for.
func (v *validation) isPhi(p *lower.State, in *ll.Inst) bool {
	if in.Op != ll.OpPhi || "%"+in.Def != v.state(p) {
		return false
	}
	for i := range in.Ops {
		ok := false
		for j, pred := range p.Block.Preds {
			ok = ok || pred.Name == in.Targets[i] && v.m.Text(in.Ops[i].Span()) == v.state(p.In[j])
		}
		if !ok {
			return false
		}
	}
	return true
}

// length is how many instructions stand for a site: those with names that only
// its code has.
func (v *validation) length(s *lower.Site, index int, insts []*ll.Inst) int {
	own := map[string]bool{}
	if s.Inst.Def != "" {
		own[s.Inst.Def] = true
	}
	for _, o := range s.Out {
		if o.Field < 0 {
			own[strings.TrimPrefix(v.state(o.State), "%")] = true
		}
	}
	prefix := fmt.Sprintf("%s%d.", v.prefix, index)
	n := 0
	for n < len(insts) && (own[insts[n].Def] || strings.HasPrefix(insts[n].Def, prefix)) {
		n++
	}
	return n
}

// site proves one site.
func (v *validation) site(s *lower.Site, insts []*ll.Inst) error {
	line, _ := v.file.Line(s.Span().Start)
	what := fmt.Sprintf("the site in line %d", line)
	f, vals, refusal := lower.Sequence(v.m, insts)
	if refusal != nil {
		v.unproved(s.Span(), what, refusal.What)
		return nil
	}
	lanes := max(s.Lanes, 1)
	b := sem.NewBuilder()
	g := prove.Goal{Name: what}
	leaf := func(name string, w int) *sem.Term {
		t := b.Var(name, w)
		for _, p := range g.Params {
			if p == t {
				return t
			}
		}
		g.Params = append(g.Params, t)
		return t
	}
	var want []*sem.Term
	var results []*ir.Value
	for lane := range lanes {
		var in []*sem.Term
		for i, x := range s.In {
			in = append(in, v.input(b, leaf, s, x, s.Frag.Params[i].W, lane))
		}
		out, err := eval.Terms(s.Frag, b, in)
		if err != nil {
			return err
		}
		for i, o := range s.Out {
			name, at := s.Inst.Def, 0
			switch {
			case o.Field < 0:
				name = strings.TrimPrefix(v.state(o.State), "%")
			case s.Lanes > 0:
				at = lane
			default:
				at = o.Field
			}
			vs := vals[name]
			if at >= len(vs) {
				return fmt.Errorf("%s: nothing defines result %d of %%%s", what, at, name)
			}
			results = append(results, vs[at])
			want = append(want, b.Ext(out[i], vs[at].W, false))
		}
	}
	f.Results = nil
	for _, x := range results {
		f.Results = append(f.Results, x.W)
	}
	f.Blocks[0].Ret(results...)
	var params []*sem.Term
	for _, p := range f.Params {
		params = append(params, leaf(p.Name, p.W))
	}
	got, err := eval.Terms(f, b, params)
	if err != nil {
		return err
	}
	g.Want, g.Got = want, got
	v.proves(s.Span(), what, g)
	return nil
}

// input is the term of an input of a site, over the values that the module has.
func (v *validation) input(b *sem.Builder, leaf func(string, int) *sem.Term, s *lower.Site, in lower.Input, w, lane int) *sem.Term {
	if in.Arg < 0 {
		name := v.state(in.State)
		if !strings.HasPrefix(name, "%") {
			return b.U(0, w)
		}
		return leaf(strings.TrimPrefix(name, "%"), w)
	}
	o := &s.Inst.Ops[in.Arg]
	text := v.run.m.Text(o.Span())
	switch {
	case s.Lanes > 0:
		return leaf(fmt.Sprintf("extractelement %s %s, i64 %d", o.Type, text, lane), w)
	case o.Kind == ll.ValInt:
		return b.Const(sem.Val{Hi: o.Hi, Lo: o.Lo}, w)
	case o.Kind == ll.ValUndef || o.Kind == ll.ValPoison:
		return b.U(0, w)
	case o.Type.Kind == ll.TyInt && v.c.rename[o.Name] != "" && o.Kind == ll.ValLocal:
		return b.Zext(leaf(v.c.rename[o.Name][1:], o.Type.Bits), w)
	case o.Type.Kind == ll.TyInt:
		return b.Zext(leaf(o.Name, o.Type.Bits), w)
	}
	return leaf(fmt.Sprintf("%s %s %s to i%d", conversion(o.Type, w, true), o.Type, text, w), w)
}
