// Package rechain reads straight-line chains of multiply-adds and additions with
// carry as what they compute, digits to the base 2^32 of integer polynomials,
// and writes them again in the layout that suits a class of targets best.
//
// Each operation is an exact equation d = N − 2^w·floor(N / 2^w). Digits that
// are weighted by their places make all floors cancel: what is left is a
// polynomial in the inputs. That needs no patterns: rows, columns, even and odd
// words, limbs of 32 or 64 bits, doubled squares and Montgomery's steps all read
// alike. A region is rewritten where that is shorter and was proved: the new
// text gives the same polynomials.
package rechain

import (
	"errors"
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// Report says what became of a region.
type Report struct {
	Chains        []Chain  // what it computes
	Assumed       []string // the values of which a given upper bound was used
	Changed       bool
	Reason        string // why not changed
	Before, After Cost   // After is the best that was found, also where not taken
	Proof         string // how the new text was shown to be equal
	Off           int    // where the region starts in the source, −1 for nowhere
	Visits        int    // work done in reading and proving, in nodes
}

// Options steer Run. The zero value is the default.
type Options struct {
	Facts Facts  // upper bounds of values, e.g. of parameters; may be nil
	For   Reader // what the text is for
	Fused bool   // write mad.wide.cc and madc.wide.cc, as lower.Fuse does
	Work  int    // node visits that a region may take to be read, and again to be proved; 0 for some hundred a node
	Least int    // regions of fewer products of words stay
	Memo  *Memo  // what became of regions before, for Find; may be nil. Reports have the names of the first
	Regs  int    // registers of 32 bits that a region may take, 0 for 240; what took more may go on to
}

func (o Options) regs() int {
	if o.Regs == 0 {
		return 240
	}
	return o.Regs
}

// Found is a region of a block and, where it is to be changed, what is to stand
// in its place.
type Found struct {
	Report
	Vals   []*ir.Value // the operations of the region, in order
	Wanted []*ir.Value // those of which something outside reads the value, in order
	Code   *ir.Func    // gives Wanted; nil where the region stays
	Params []*ir.Value // the values that Code's parameters stand for

	region *region
	code   *code
}

// Source is what the region computes, as a function with the parameters and
// results of Code.
func (x *Found) Source() *ir.Func {
	f := ir.NewFunc("source")
	f.Model = x.Vals[0].Block.Func.Model
	b := f.Blocks[0]
	to := map[*ir.Value]*ir.Value{}
	for _, p := range x.Params {
		to[p] = f.Param(p.Name, p.W)
	}
	at := func(v *ir.Value) *ir.Value {
		switch {
		case to[v] != nil:
		case v.Op == ir.Undef:
			to[v] = f.Undef(v.W)
		case v.Op == ir.Const:
			to[v] = f.Const(v.K, v.W)
		default: // of no consequence, or Code would have a parameter for it
			to[v] = f.Const(sem.Val{}, v.W)
		}
		return to[v]
	}
	for _, v := range x.Vals {
		var in []*ir.Value
		for _, a := range v.Args {
			in = append(in, at(a))
		}
		n := b.New(v.Op, v.W, in...)
		n.Form, n.Pred, n.Index = v.Form, v.Pred, v.Index
		to[v] = n
	}
	var out []*ir.Value
	for _, v := range x.Wanted {
		out, f.Results = append(out, to[v]), append(f.Results, v.W)
	}
	b.Ret(out...)
	return f
}

// Find reads the regions of a block and says what is to become of them; the
// block stays as it is.
func Find(b *ir.Block, class Class, opt Options) []Found {
	if class == Stay || !worthwhile(b) {
		return nil
	}
	g := newGraph()
	g.nodes = slices.Grow(g.nodes, 4*len(b.Vals))
	g.work = opt.Work
	r := newReader(g, b.Func, opt.Facts)
	r.block(b.Vals)
	read := len(g.nodes)
	var out []Found
	for _, x := range regions(r, b, usedOutside(b.Func)) {
		if x.products < opt.Least && !x.long {
			continue
		}
		var key string
		var vals []*ir.Value
		if opt.Memo != nil {
			key, vals = opt.Memo.shape(r, x)
			if f, ok := opt.Memo.find(key, vals, x); ok {
				out = append(out, f)
				continue
			}
		}
		rep, c := rewriteRegion(r, x, read, class, opt)
		f := Found{Report: rep, Vals: x.vals, Wanted: x.wanted, region: x, code: c}
		if c != nil {
			f.Code, f.Params = c.f, c.params
		}
		if opt.Memo != nil {
			opt.Memo.keep(key, vals, &f)
		}
		out = append(out, f)
	}
	return out
}

// Run rewrites the regions of a function for which that pays and reports on all
// that have products.
func Run(f *ir.Func, class Class) []Report { return RunWith(f, class, Options{}) }

// RunWith is Run with options.
func RunWith(f *ir.Func, class Class, opt Options) []Report {
	var out []Report
	final := map[*ir.Value]*ir.Value{}
	changed := false
	for _, b := range f.Blocks {
		for _, x := range Find(b, class, opt) { // nothing was changed while regions were read
			if x.code != nil {
				if x.Changed = replace(b, x.region, x.code, final); !x.Changed {
					x.Reason = errOrder.Error()
				}
			}
			changed = changed || x.Changed
			out = append(out, x.Report)
		}
	}
	if changed {
		ir.RemoveDead(f)
	}
	return out
}

// worthwhile reports a block that may have a region: one with a product.
func worthwhile(b *ir.Block) bool { return slices.ContainsFunc(b.Vals, isProduct) }

var (
	errLonger    = errors.New("it is as short as it gets")
	errRegisters = errors.New("it would take too many registers")
	errLittle    = errors.New("it gains less than 5 % and takes many more registers")
	errCarries   = errors.New("it gains less than 20 % and has too many carries for the predicates")
	errOrder     = errors.New("something in between needs a part of it")
)

// variants are the ways of writing that are tried for a class, best guess first.
// Of two that are as short the first is taken: from 32 words on rows, for with
// the others carries live long, and ptxas moves them to registers and back
// (seen: ptxas 13.5, squares of 512 bits).
func variants(class Class, words int, form wideForm) []variant {
	switch class {
	case Kepler, GFX6:
		return []variant{{}, {rows: true}, {twice: true}, {rows: true, twice: true}}
	case Volta, Geforce120:
	default:
		return []variant{{form: form}, {twice: true, form: form}}
	}
	big := words >= 32
	out := []variant{{rows: big, first: -1, form: form}, {rows: !big, first: -1, form: form}}
	if words > 64 {
		return append(out, variant{columns: true, form: form})
	}
	for _, rows := range []bool{big, !big} {
		for _, first := range []int{-1, 1} {
			for _, later := range []bool{false, true} {
				if first == 1 || later {
					out = append(out, variant{rows: rows, first: first, later: later, form: form})
				}
			}
		}
	}
	return out
}

// rewriteRegion gives the text that is to stand in place of a region, nil where
// the region stays.
func rewriteRegion(r *reader, x *region, read int, class Class, opt Options) (Report, *code) {
	price := pricesOf(class, opt)
	rep := Report{Off: x.vals[0].Off, Before: price.costOf(x.vals, x.wanted)}
	start := r.g.visits
	fail := func(err error) (Report, *code) {
		rep.Reason = err.Error()
		rep.Visits = r.g.visits - start
		return rep, nil
	}
	w, err := plan(r.g, r, x, read, nil)
	if err != nil {
		return fail(err)
	}
	err = w.best(x, class, opt)
	if more := w.minuends(); more != nil {
		v, err2 := plan(r.g, r, x, read, more)
		if err2 == nil {
			err2 = v.best(x, class, opt)
		}
		if err2 == nil && (err != nil || price.opsOf(v.code.b.Vals, v.code.b.Args) < price.opsOf(w.code.b.Vals, w.code.b.Args)) {
			w, err = v, nil
		}
	}
	rep.Chains = describe(r, w.groups, namesOf(r, x.vals))
	if err != nil {
		return fail(err)
	}
	rep.After = price.costOf(w.code.b.Vals, w.code.b.Args)
	switch {
	case rep.After.Ops >= rep.Before.Ops:
		return fail(errLonger)
	case rep.After.Regs > max(opt.regs(), rep.Before.Regs):
		return fail(errRegisters)
	case 20*rep.After.Ops > 19*rep.Before.Ops && 2*rep.After.Regs > 3*rep.Before.Regs:
		return fail(errLittle)
	case (class == Volta || class == Geforce120) && !opt.Fused && w.code.doubles() && 5*rep.After.Ops > 4*rep.Before.Ops:
		return fail(errCarries)
	}
	rep.Assumed = w.assumed(r)
	r.g.budget()
	if err := w.prove(); err != nil {
		return fail(err)
	}
	if err := w.vectors(x, tried); err != nil {
		return fail(err)
	}
	rep.Proof = "telescoping"
	rep.Visits = r.g.visits - start
	return rep, w.code
}

// doubles reports a doubled sum of 16 words or more, for which ptxas moves
// carries to registers and back: 240 operations for a square of 512 bits where
// 198 were counted (seen: ptxas 12.9 sm_70, 13.5 sm_80).
func (c *code) doubles() bool {
	n := 0
	for _, v := range c.b.Vals {
		n += btoi(v.Op == ir.PTX && v.Form.Op == ptx.Shf)
	}
	return n >= 16
}

// budget allows for more telescoping: linear in what was read, with a factor
// that bounds what a region may cost.
func (g *graph) budget() {
	g.limit = g.visits + 300*len(g.nodes) + 100_000
	if g.work > 0 {
		g.limit = g.visits + g.work
	}
}

// plan reads a region as groups of digits, more of which are made groups for
// other values besides those that are wanted.
func plan(g *graph, r *reader, x *region, read int, more []id) (*rewrite, error) {
	g.budget()
	s := &grouper{g: g, wanted: map[id]bool{}, last: read}
	w := &rewrite{g: g}
	for _, v := range x.wanted {
		s.need(r.of[v.ID])
		w.wanted = append(w.wanted, r.of[v.ID])
	}
	for _, v := range more {
		s.need(v)
	}
	var err error
	w.groups, err = s.groups()
	return w, err
}

// minuends are values from which groups that subtract take their top digit: the
// word above Montgomery's result, say, which goes nowhere else. If it is a digit
// of the sum, too, then the difference is one of the sum's digits; else the whole
// sum is made again for it.
func (w *rewrite) minuends() (out []id) {
	g := w.g
	for _, p := range w.groups {
		minus, prods := false, 0
		for _, m := range p.poly {
			of := m.v != none && g.at(m.v).kind == prod
			prods += btoi(of)
			minus = minus || !of && m.v != none && m.c.add(pow2(p.bits-1).neg()).sign() > 0
		}
		top := g.at(p.top)
		if !minus || prods < 4 || top.dig == none || top.kind != lin {
			continue
		}
		for _, t := range g.at(g.at(top.dig).a).terms {
			if t.c.isOne() && g.at(t.v).kind == lin && g.at(t.v).max.bits() <= 32 {
				out = append(out, t.v)
			}
		}
	}
	return out
}

// best writes the groups in all ways of the class and keeps the shortest.
func (w *rewrite) best(x *region, class Class, opt Options) error {
	var first error
	price := pricesOf(class, opt)
	ops, words := 0, 0
	for _, p := range w.groups {
		words = max(words, p.bits/32)
	}
	widths := make([]int, len(x.wanted))
	for i, v := range x.wanted {
		widths[i] = v.W
	}
	form := forms[opt.For][shapeOf(w.g, w.groups)]
	if opt.Fused {
		form = fused
	}
	hows := variants(class, words, form)
	if len(w.groups) > 1 {
		apart := hows[0]
		apart.apart = true
		hows = append(hows, apart)
	}
	for _, how := range hows {
		s := newSynth(w.g, class, how)
		err := s.write(w.groups)
		if err == nil {
			err = s.results(w.wanted, widths)
		}
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		n := price.opsOf(s.b.Vals, s.b.Args)
		if words > 32 && pressure(s.b.Vals, s.b.Args) > opt.regs() {
			n += 1 << 30 // only if there is no other
		}
		if w.code == nil || n < ops {
			w.code, ops, w.marks = s.code, n, s.have
		}
	}
	if w.code == nil {
		return first
	}
	return nil
}

// assumed names the leaves of the new text whose bounds were given from outside.
func (w *rewrite) assumed(r *reader) (out []string) {
	if r.facts == nil {
		return nil
	}
	for _, v := range w.code.params {
		if k, ok := r.facts(v); ok && toBound(k).less(ones(v.W)) {
			out = append(out, label(v))
		}
	}
	return out
}
