package lower

import (
	"github.com/ptxlower/ptxlower/ir/ll"
)

// resolve connects the state that sites read to what reaches them: SSA
// construction over the module's control flow, a phi only where values meet.
func (lf *lifter) resolve() {
	r := resolver{lf: lf, entry: map[slot]*State{}, undef: map[*Var]*State{}}
	for bi, evs := range lf.events {
		for ei := range evs {
			s := evs[ei].site
			if s == nil {
				continue
			}
			for i := range s.In {
				if in := &s.In[i]; in.Arg < 0 {
					in.State = r.before(in.v, lf.u.Func.Blocks[bi], ei)
				}
			}
		}
	}
	r.sources()
	r.simplify()
	used := map[*State]bool{}
	for _, s := range lf.u.Sites {
		for i := range s.In {
			in := &s.In[i]
			if in.Arg >= 0 {
				continue
			}
			if lf.reached[s.Block.Index] {
				lf.check(in)
			}
			in.State = in.State.Resolve()
			r.use(in.State, used)
		}
	}
	id := 0
	for _, s := range lf.u.Sites {
		for i := range s.Out {
			o := &s.Out[i]
			if o.Field < 0 {
				o.State = r.outs[siteOut{s, i}]
				if o.State != nil && o.State.Used {
					o.State.ID = id
					id++
				}
			}
		}
		s.dropUnused()
	}
	for _, p := range r.phis {
		if p.Used && p.same == nil {
			for i := range p.In {
				p.In[i] = p.In[i].Resolve()
			}
			p.ID = id
			id++
			lf.u.Phis = append(lf.u.Phis, p)
		}
	}
}

type slot struct {
	v *Var
	b *ll.Block
}

type siteOut struct {
	s *Site
	i int
}

type resolver struct {
	lf    *lifter
	entry map[slot]*State
	undef map[*Var]*State
	outs  map[siteOut]*State
	phis  []*State
}

// before is the value of v just before event ei of block b.
func (r *resolver) before(v *Var, b *ll.Block, ei int) *State {
	evs := r.lf.events[b.Index]
	for i := ei - 1; i >= 0; i-- {
		e := &evs[i]
		if e.call != nil && v.CF {
			lost := &State{Kind: StateCall, Var: v, Call: e.call}
			if r.lf.opt.KeepCCOverCalls {
				lost.same = r.before(v, b, i)
			}
			return lost
		}
		if e.site == nil {
			continue
		}
		for j := range e.site.Out {
			if e.site.Out[j].v == v {
				return r.out(e.site, j)
			}
		}
	}
	return r.atEntry(v, b)
}

func (r *resolver) out(s *Site, i int) *State {
	if r.outs == nil {
		r.outs = map[siteOut]*State{}
	}
	k := siteOut{s, i}
	st := r.outs[k]
	if st == nil {
		st = &State{Kind: StateOut, Var: s.Out[i].v, Site: s, Index: i}
		r.outs[k] = st
	}
	return st
}

func (r *resolver) atEntry(v *Var, b *ll.Block) *State {
	k := slot{v, b}
	if s := r.entry[k]; s != nil {
		return s
	}
	if len(b.Preds) == 0 {
		s := r.undef[v]
		if s == nil {
			s = &State{Kind: StateUndef, Var: v}
			r.undef[v] = s
		}
		r.entry[k] = s
		return s
	}
	p := &State{Kind: StatePhi, Var: v, Block: b}
	r.entry[k] = p
	r.phis = append(r.phis, p)
	for _, q := range b.Preds {
		p.In = append(p.In, r.before(v, q, len(r.lf.events[q.Index])))
	}
	return p
}

// sources finds what reaches each phi: forward from what is no phi, until nothing
// changes.
func (r *resolver) sources() {
	users := make([][]*State, len(r.phis))
	for i, p := range r.phis {
		p.phi = i
	}
	var work []*State
	for _, p := range r.phis {
		for _, in := range p.In {
			if in.Kind == StatePhi {
				users[in.phi] = append(users[in.phi], p)
			}
			p.sources |= in.from()
		}
		work = append(work, p)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range users[p.phi] {
			if s := u.sources | p.sources; s != u.sources {
				u.sources = s
				work = append(work, u)
			}
		}
	}
}

// from is what a state value comes from.
func (s *State) from() sources {
	switch s.Kind {
	case StateUndef:
		return fromNothing
	case StateCall:
		return fromCall
	case StatePhi:
		return s.sources
	}
	o, from := &s.Site.Out[s.Index], fromSite
	if s.Site.Kept != "" {
		from |= fromKept
	}
	if o.add {
		from |= fromAddition
	}
	if o.sub {
		from |= fromSubtraction
	}
	return from
}

// fine reports that there is nothing to say about a read.
func (in *Input) fine() bool {
	from := in.State.from()
	return from&(fromCall|fromKept) == 0 && (from&fromSite != 0 || in.soft) && (from&fromNothing == 0 || in.soft || !in.v.CF) &&
		!(in.sub && from&fromAddition != 0) && !(in.add && from&fromSubtraction != 0)
}

// simplify lets a phi all of whose operands are one value stand for it.
func (r *resolver) simplify() {
	for changed := true; changed; {
		changed = false
		for _, p := range r.phis {
			if p.same != nil {
				continue
			}
			var only *State
			trivial := true
			for _, in := range p.In {
				in = in.Resolve()
				if in == p || in == only {
					continue
				}
				if only != nil {
					trivial = false
					break
				}
				only = in
			}
			if trivial {
				if only == nil {
					only = &State{Kind: StateUndef, Var: p.Var}
				}
				p.same = only
				changed = true
			}
		}
	}
}

func (r *resolver) use(s *State, seen map[*State]bool) {
	s = s.Resolve()
	if seen[s] {
		return
	}
	seen[s] = true
	s.Used = true
	for _, in := range s.In {
		r.use(in, seen)
	}
}

// check reports what is wrong with the state that a site reads.
func (lf *lifter) check(in *Input) {
	if in.fine() {
		return
	}
	reached, undef := false, false
	seen := map[*State]bool{}
	calls := map[*ll.Inst]bool{}
	var way *ll.Block // that goes to a join without a carry
	var walk func(st *State)
	walk = func(st *State) {
		if seen[st] {
			return
		}
		seen[st] = true
		switch st.Kind {
		case StateUndef:
			undef = true
		case StateCall:
			line, _ := lf.m.File.Line(st.Call.Span().Start)
			switch {
			case st.same != nil:
				if !calls[st.Call] {
					lf.l.Warnf("cc-call", lf.m.File, in.span, "CC.CF is taken over the call in line %d, which need not preserve it", line)
				}
				calls[st.Call] = true
				walk(st.same)
				return
			case in.soft:
				undef = true
				return
			}
			reached = true
			lf.l.Errorf("cc-undefined", lf.m.File, in.span, "CC.CF is not preserved across the call in line %d", line).
				Notef(lf.m.File, st.Call.Span(), "the call; -Wno-error=cc-call keeps the carry over it")
		case StateOut:
			reached = true
			if st.Site.Kept != "" {
				lf.l.Errorf("cc-opaque", lf.m.File, in.span, "this reads a carry out of a statement that stays as it is because of %s", st.Site.Kept)
				return
			}
			if o := &st.Site.Out[st.Index]; o.add && in.sub || o.sub && in.add {
				warnMixed(lf.l, lf.m.File, in.span, in.sub)
			}
		}
		for i, x := range st.In {
			if walk(x); x.Resolve().Kind == StateUndef && way == nil {
				way = st.Block.Preds[i]
			}
		}
	}
	walk(in.State)
	if reached && undef && !in.soft && in.v.CF && way != nil {
		lf.l.Warnf("cc-maybe-undefined", lf.m.File, in.span, "CC.CF is undefined here on a way through the function, on which it is taken as 0").
			Notef(lf.m.File, way.Term().Span(), "nothing has written it where this leaves %%%s", way.Name)
	}
	if !reached && undef && !in.soft {
		if in.v.CF {
			lf.l.Errorf("cc-undefined", lf.m.File, in.span, "no instruction that writes CC.CF reaches this read of it")
		} else {
			lf.l.Warnf("asm-unwritten-register", lf.m.File, in.span, "register %s is read before it is written", in.v.Name)
		}
	}
}

// dropUnused removes the state results that nobody reads.
func (s *Site) dropUnused() {
	if s.Frag == nil {
		return
	}
	keep := make([]bool, len(s.Out))
	n := 0
	for i, o := range s.Out {
		if o.Field < 0 && (o.State == nil || !o.State.Used) {
			continue
		}
		if o.State != nil {
			o.State.Index = n
		}
		s.Out[n], keep[i] = o, true
		n++
	}
	s.Out = s.Out[:n]
	s.keepResults(keep)
}
