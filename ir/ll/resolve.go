package ll

import (
	"iter"

	"github.com/ptxlower/ptxlower/diag"
)

// endBlocks closes a function: its blocks get their edges.
func (p *parser) endBlocks(f *Func) {
	if p.failed {
		return
	}
	blocks := p.blks.take()
	for i := range blocks {
		p.edges.push(&blocks[i])
	}
	f.Blocks = p.edges.take()
	if len(blocks) == 1 && len(blocks[0].Term().Targets) == 0 {
		return
	}
	clear(p.blocks)
	for _, b := range f.Blocks {
		p.blocks[b.Name] = b
	}
	p.preds = append(p.preds[:0], make([]int32, 2*len(blocks))...)
	last, count := p.preds[:len(blocks)], p.preds[len(blocks):]
	for i, b := range f.Blocks {
		t := b.Term()
		for k, name := range t.Targets {
			s := p.blocks[name]
			if s == nil {
				p.lost = append(p.lost, lostLabel{t, k})
			} else if last[s.Index] != int32(i)+1 {
				last[s.Index] = int32(i) + 1
				count[s.Index]++
				p.edges.push(s)
			}
		}
		b.succs = p.edges.take()
	}
	for i, b := range f.Blocks {
		for range count[i] {
			p.edges.push(nil)
		}
		b.Preds = p.edges.take()[:0]
	}
	for _, b := range f.Blocks {
		for _, s := range b.succs {
			s.Preds = append(s.Preds, b)
		}
	}
}

// lostLabel is target k of a terminator, a block that does not exist.
type lostLabel struct {
	in *Inst
	k  int
}

// finish does what needs the whole module.
func (p *parser) finish(l *diag.List) {
	for _, lost := range p.lost {
		name := lost.in.Targets[lost.k]
		l.Errorf("ll-label", p.m.File, p.m.nameSpan(lost.in.Span(), name), "use of undefined label '%%%s'", name)
	}
	if p.pending {
		p.m.eachInst(func(in *Inst) {
			if in.Type == nil && in.Modelled {
				in.Type = p.resultType(in, in.Ops)
			}
		})
	}
	p.m.markKernels()
}

func (m *Module) eachInst(do func(*Inst)) {
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Insts {
				do(&b.Insts[i])
			}
		}
	}
}

// nameSpan is the place of the last %name in a span, or the span itself.
func (m *Module) nameSpan(sp diag.Span, name string) diag.Span {
	at := sp
	for x, t := m.lex(sp); t.kind != tEOF; t = x.next() {
		if t.kind == tLocal && canonical(x.src[t.start+1:t.end]) == name {
			at = span(t.start, t.end)
		}
	}
	return at
}

// lex is a lexer over a span, and its first token.
func (m *Module) lex(sp diag.Span) (*lexer, token) {
	x := &lexer{src: m.src[:sp.End], pos: sp.Start}
	return x, x.next()
}

// markKernels finds the kernels: by calling convention, or by
// !nvvm.annotations = !{!0, …}, !0 = !{ptr @kern, !"kernel", i32 1} (NVVM IR
// specification, Global Property Annotation).
func (m *Module) markKernels() {
	for _, f := range m.Funcs {
		switch f.CC {
		case "ptx_kernel", "spir_kernel", "amdgpu_kernel":
			f.Kernel = true
		}
	}
	nodes := map[string]bool{}
	for i := range m.Entities {
		if e := &m.Entities[i]; e.Kind == EntMetadata && e.Name == "nvvm.annotations" {
			for x, t := m.lex(e.Span()); t.kind != tEOF; t = x.next() {
				if t.kind == tMetaID {
					nodes[canonical(x.src[t.start+1:t.end])] = true
				}
			}
		}
	}
	if len(nodes) == 0 {
		return
	}
	for i := range m.Entities {
		if e := &m.Entities[i]; e.Kind == EntMetadata && nodes[e.Name] {
			m.markKernel(e.Span())
		}
	}
}

func (m *Module) markKernel(sp diag.Span) {
	var f *Func
	property := ""
	for x, t := m.lex(sp); t.kind != tEOF; t = x.next() {
		text := x.src[t.start:t.end]
		switch t.kind {
		case tGlobal:
			f = m.funcs[canonical(text[1:])]
		case tStr:
			property = text
		case tInt:
			if f != nil && property == `"kernel"` && text != "0" {
				f.Kernel = true
			}
		}
	}
}

// Text is the source of a span.
func (m *Module) Text(sp diag.Span) string { return m.src[sp.Start:sp.End] }

// Func is the definition or declaration of a function; nil when there is none.
func (m *Module) Func(name string) *Func { return m.funcs[name] }

// Declared reports whether a global name is defined or declared.
func (m *Module) Declared(name string) bool {
	if m.funcs[name] != nil {
		return true
	}
	for _, g := range m.Globals {
		if g.Name == name {
			return true
		}
	}
	return false
}

// Attr looks an attribute up by its word or quoted key, in the list itself and
// in the groups it refers to: "convergent" gives "", "memory" the text between
// its parentheses, "target-cpu" the value.
func (m *Module) Attr(a AttrSet, key string) (value string, ok bool) {
	if value, ok = m.attrIn(a.Span(), key); ok {
		return value, ok
	}
	for _, g := range a.Groups {
		if sp, known := m.AttrGroups[int(g)]; known {
			if value, ok = m.attrIn(sp, key); ok {
				return value, ok
			}
		}
	}
	return "", false
}

func (m *Module) attrIn(sp diag.Span, key string) (value string, ok bool) {
	x, t := m.lex(sp)
	for t.kind != tEOF {
		text := x.src[t.start:t.end]
		found := t.kind == tWord && text == key
		if t.kind == tStr {
			found = unescape(text[1:len(text)-1]) == key
		}
		keyed := t.kind == tStr
		t = x.next()
		switch {
		case keyed && t.kind == '=':
			t = x.next()
			if found && t.kind == tStr {
				return unescape(x.src[t.start+1 : t.end-1]), true
			}
			t = x.next()
		case t.kind == '(':
			end, _ := x.skipGroup(int(t.end))
			if found {
				return x.src[t.end : end-1], true
			}
			x.pos = end
			t = x.next()
		case found:
			return "", true
		}
	}
	return "", false
}

// TargetCPU is the value of a function's "target-cpu" attribute: "sm_70",
// "gfx900"; "" when it has none.
func (m *Module) TargetCPU(f *Func) string {
	cpu, _ := m.Attr(f.Attrs, "target-cpu")
	return cpu
}

// TargetFeatures is the value of a function's "target-features" attribute; ""
// when it has none.
func (m *Module) TargetFeatures(f *Func) string {
	features, _ := m.Attr(f.Attrs, "target-features")
	return features
}

// LineStart is the offset where text to stand before an instruction goes: the
// start of its line, or its own where something else is before it on the line.
func (m *Module) LineStart(in *Inst) int { return lineStart(m.src, int(in.start)) }

// Indent is the white space before an instruction; two spaces where it does
// not begin its line.
func (m *Module) Indent(in *Inst) string {
	start := m.LineStart(in)
	if start == int(in.start) && start > 0 && m.src[start-1] != '\n' && m.src[start-1] != '\r' {
		return "  "
	}
	return m.src[start:in.start]
}

// Uses are the local values that an instruction uses, those in metadata and
// operand bundles included. For an instruction that is not modelled it may
// name more.
func (in *Inst) Uses() iter.Seq[*Operand] {
	return func(yield func(*Operand) bool) {
		if in.Call != nil && in.Call.Target.Kind == ValLocal && !yield(&in.Call.Target) {
			return
		}
		for i := range in.Ops {
			if o := &in.Ops[i]; o.isLocal() && !yield(o) {
				return
			}
		}
		if in.Call == nil {
			return
		}
		for i := range in.Call.Extra {
			if !yield(&in.Call.Extra[i]) {
				return
			}
		}
	}
}

func (o *Operand) isLocal() bool {
	return o.Kind == ValLocal || o.Kind == ValMeta && o.Name != ""
}

// Uint64 is the value of an integer operand that fits in 64 bits.
func (o *Operand) Uint64() (v uint64, ok bool) {
	return o.Lo, o.Kind == ValInt && o.Hi == 0
}

// Elements are the elements of a constant vector or aggregate: of <i32 1, i32 2>,
// splat (i32 3), zeroinitializer, undef and poison. It reports false for what is
// no such constant, or whose length is not known or beyond 65,536.
func (m *Module) Elements(o *Operand) ([]Operand, bool) {
	types, ok := elementTypes(o.Type)
	if !ok {
		return nil, false
	}
	if o.Kind == ValZero || o.Kind == ValUndef || o.Kind == ValPoison {
		all := make([]Operand, len(types))
		for i, t := range types {
			all[i] = *o
			all[i].Type = t
			if o.Kind == ValZero && t.Kind == TyInt {
				all[i].Kind = ValInt
			} else if o.Kind == ValZero && t.Kind == TyPtr {
				all[i].Kind = ValNull
			}
		}
		return all, true
	}
	if o.Kind != ValConst {
		return nil, false
	}
	// A module of its own keeps the text's types out of m, which is only read.
	p := &parser{m: &Module{src: m.src, NamedTypes: map[string]*Type{}, types: newInterner()}}
	p.lexer = lexer{src: m.src[:o.end], pos: int(o.start)}
	p.t, p.u = p.next(), p.next()
	splat := p.acceptWord("splat")
	if !splat && !opens(p.t.kind) || splat && p.t.kind != '(' {
		return nil, false
	}
	p.advance()
	for {
		p.typedValue()
		if !p.accept(',') {
			break
		}
	}
	all := p.ops.open()
	if p.failed {
		return nil, false
	}
	for splat && len(all) < len(types) {
		all = append(all, all[0])
	}
	if len(all) != len(types) {
		return nil, false
	}
	for i := range all {
		all[i].Type = types[i]
	}
	return all, true
}

func elementTypes(t *Type) ([]*Type, bool) {
	if t != nil {
		t = t.Under()
	}
	if t == nil {
		return nil, false
	}
	switch t.Kind {
	case TyStruct, TyPacked:
		return t.Fields, true
	case TyVector, TyArray:
		if t.N > 1<<16 {
			return nil, false
		}
		all := make([]*Type, t.N)
		for i := range all {
			all[i] = t.Elem
		}
		return all, true
	}
	return nil, false
}
