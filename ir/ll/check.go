package ll

import "github.com/ptxlower/ptxlower/diag"

// Def is what a local name of the function stands for: a parameter, an
// instruction's result or a block.
func (f *Func) Def(name string) (Value, bool) {
	f.defsOnce.Do(func() {
		n := len(f.Params)
		for _, b := range f.Blocks {
			n += 1 + len(b.Insts)
		}
		f.defs = make(map[string]Value, n)
		f.eachDef(func(name string, v Value, _ diag.Span) { f.defs[name] = v })
	})
	v, ok := f.defs[name]
	return v, ok
}

// eachDef visits what defines a local name, in the order of the text.
func (f *Func) eachDef(do func(name string, v Value, at diag.Span)) {
	for i := range f.Params {
		p := &f.Params[i]
		do(p.Name, Value{Param: p}, p.Span())
	}
	for _, b := range f.Blocks {
		at := b.Label()
		if b.labelEnd == 0 {
			at = span(b.first, b.first)
		}
		do(b.Name, Value{Block: b}, at)
		for i := range b.Insts {
			if in := &b.Insts[i]; in.Def != "" {
				do(in.Def, Value{Inst: in, Block: b}, in.DefSpan())
			}
		}
	}
}

// Check reports what keeps a function from being understood:
//
//	ll-undefined  a name is used that nothing defines
//	ll-redefined  a name is defined twice
//	ll-number     a number is not above those before it
//
// Names in instructions that are not modelled are not checked. LLVM 16 and
// older also want numbers without gaps; gaps are accepted here.
func (f *Func) Check(l *diag.List) {
	m := f.Mod
	seen := make(map[string]bool)
	next := 0
	f.eachDef(func(name string, _ Value, at diag.Span) {
		n := number(name)
		switch {
		case seen[name] && n < 0:
			l.Errorf("ll-redefined", m.File, at, "multiple definition of local value named '%%%s'", name)
		case n >= 0 && n < next:
			l.Errorf("ll-number", m.File, at, "value '%%%d' is expected to be numbered '%%%d' or greater", n, next)
		}
		next = max(next, n+1)
		seen[name] = true
	})
	undefined := func(at diag.Span, name string) {
		if !seen[name] {
			l.Errorf("ll-undefined", m.File, at, "use of undefined value '%%%s'", name)
		}
	}
	for _, b := range f.Blocks {
		for i := range b.Insts {
			in := &b.Insts[i]
			if !in.Modelled {
				continue
			}
			for o := range in.Uses() {
				undefined(o.Span(), o.Name)
			}
			if in.Op == OpPhi {
				for _, name := range in.Targets {
					if !seen[name] {
						undefined(m.nameSpan(in.Span(), name), name)
					}
				}
			}
		}
	}
}
