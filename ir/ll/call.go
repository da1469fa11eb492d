package ll

// call reads a call, invoke or callbr up to its bundles.
func (p *parser) call(in *Inst) {
	c := p.calls.next()
	p.calls.take()
	in.Call = c
	p.flags(in)
	c.CC = p.header()
	in.Type = p.typ()
	switch fn := in.Type; {
	case fn.Kind == TyFunc:
		c.FuncType, in.Type = fn, fn.Elem
	case fn.Kind == TyPtr && fn.Elem != nil && fn.Elem.Kind == TyFunc: // call RET (…)* %f, very old
		c.FuncType, in.Type = fn.Elem, fn.Elem.Elem
	}
	if p.is("asm") {
		p.asmCallee(c)
	} else {
		p.value(nil, -1)
		if p.failed {
			return
		}
		c.Target = p.ops.pop()
		c.Kind = CallIndirect
		if c.Target.Kind == ValGlobal {
			c.Kind, c.Callee = CallDirect, c.Target.Name
		}
	}
	p.want('(', "expected '(' in call")
	for !p.accept(')') {
		p.argument()
		if !p.accept(',') {
			p.want(')', "expected ')' at end of argument list")
			break
		}
	}
	p.callAttrs(c)
	c.Extra = p.extra.take()
}

// argument reads one argument: TYPE attributes VALUE.
func (p *parser) argument() {
	if p.accept(tEllipsis) { // musttail forwards the variadic arguments
		return
	}
	start := p.t.start
	ty := p.typ()
	if ty == Metadata {
		p.metadataArg(start)
		return
	}
	p.paramAttrs()
	p.value(ty, start)
}

// metadataArg reads a node or a value as metadata.
func (p *parser) metadataArg(start int32) {
	o := Operand{Kind: ValMeta, Type: Metadata, typ: start, start: p.t.start}
	switch {
	case p.t.kind == tMetaName && p.u.kind == '(' && p.text() == "!DIArgList":
		p.advance()
		p.collect(&p.extra)
	case p.t.kind == tMetaName || p.t.kind == tMetaID || p.t.kind == '!':
		p.metadata()
	default:
		p.typedValue()
		if p.failed {
			return
		}
		if v := p.ops.pop(); v.Kind == ValLocal {
			o.Name = v.Name
		}
	}
	o.end = p.prev
	p.ops.push(o)
}

// callAttrs reads function attributes and operand bundles. A word at the start
// of a line is an attribute only where no operand follows it: it may be an
// instruction that is not known.
func (p *parser) callAttrs(c *Call) {
	c.Attrs.start, c.Attrs.end = p.t.start, p.t.start
	for {
		switch p.t.kind {
		case tAttrGrp:
			p.attrGroupRef()
		case tStr:
			p.attrString()
		case '[':
			p.collect(&p.extra)
		case tWord:
			w := p.text()
			if p.startsInst() && !(p.t.nl && p.attrLine(w)) || w == "to" {
				c.Attrs.Groups = p.groups.take()
				return
			}
			p.attrWord(w)
		default:
			c.Attrs.Groups = p.groups.take()
			return
		}
		c.Attrs.end = p.prev
	}
}

// attrLine reports whether a word that is first on its line is a call's
// attribute.
func (p *parser) attrLine(w string) bool {
	switch w {
	case "define", "declare", "attributes", "uselistorder":
		return false
	}
	if opcodeOf(w) != OpUnknown || tailOf(w) != 0 {
		return false
	}
	switch p.u.kind {
	case tWord:
		return p.u.nl || p.typeWord(p.src[p.u.start:p.u.end]) == nil
	case tIntType, tLocal, tGlobal, tInt, '<', '{':
		return p.u.nl
	}
	return true
}

// asmCallee reads asm FLAGS "TEXT", "CONSTRAINTS".
func (p *parser) asmCallee(c *Call) {
	start := p.t.start
	p.advance()
	a := p.asms.next()
	p.asms.take()
	c.Kind, c.Asm = CallAsm, a
	for p.t.kind == tWord {
		switch p.text() {
		case "sideeffect":
			a.Flags |= SideEffect
		case "alignstack":
			a.Flags |= AlignStack
		case "inteldialect":
			a.Flags |= IntelDialect
		case "unwind":
			a.Flags |= Unwind
		default:
			p.failHere("expected asm flag or string")
			return
		}
		p.advance()
	}
	a.Text = p.asmString()
	p.comma()
	a.Cons = p.asmString()
	c.Target = Operand{Kind: ValAsm, typ: start, start: start, end: p.prev}
}

// asmString reads a string literal.
func (p *parser) asmString() AsmString {
	if p.t.kind != tStr {
		p.failHere("expected string")
		return AsmString{}
	}
	s := AsmString{start: p.t.start + 1, end: p.t.end - 1}
	s.Text = p.unescape(s.start, s.end)
	s.marks = p.marks.take()
	p.advance()
	return s
}

// unescape is the value of src[start:end]; the marks of its escapes are left open.
func (p *parser) unescape(start, end int32) string {
	s := p.src[start:end]
	text := unescape(s)
	if len(text) == len(s) {
		return s
	}
	at := int32(0)
	for i := 0; i < len(s); at++ {
		_, n := escape(s, i)
		i += n
		if n > 1 {
			p.marks.push(asmMark{at: at + 1, off: start + int32(i)})
		}
	}
	return text
}
