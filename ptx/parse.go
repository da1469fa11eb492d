package ptx

import (
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// Option changes what ParseFlat accepts.
type Option uint8

// OptionalSemicolon lets the semicolon of the last instruction be missing, as
// in a command line's argument.
const OptionalSemicolon Option = 1

// ParseBody reads the text of an asm statement after LLVM's string escapes are
// gone: $n, ${n} and ${n:m} are operands; $$, $( $) $| and ${:uid}, ${:private},
// ${:comment} are escapes. Whether names are declared is not asked: a scope may
// span several statements.
//
// A statement with an error is reported, left out, and the next one is read.
func ParseBody(text []byte, report Report) *Body {
	return parse(text, report, false, false)
}

// ParseFlat reads plain PTX, where $ is a letter and names need no declaration.
func ParseFlat(text []byte, report Report, opts ...Option) *Body {
	open := false
	for _, o := range opts {
		open = open || o == OptionalSemicolon
	}
	return parse(text, report, true, open)
}

// chunk is the number of instructions that are allocated together, at most.
const chunk = 512

func parse(text []byte, report Report, flat, open bool) *Body {
	p := parser{src: string(text), flat: flat, open: open, report: report, body: &Body{Flat: flat}}
	// As many instructions as semicolons, as many operands as those and commas.
	n := min(strings.Count(p.src, ";"), chunk)
	p.body.Items = make([]Item, 0, n+2)
	p.insts = make([]Inst, 0, n)
	p.operands = make([]Operand, 0, n+min(strings.Count(p.src, ","), 3*chunk))
	for p.statement() {
	}
	return p.body
}

func (p *parser) add(it Item) { p.body.Items = append(p.body.Items, it) }

// resume goes on behind the next semicolon.
func (p *parser) resume() {
	for {
		switch c := p.space(); c {
		case 0:
			if p.pos >= len(p.src) {
				return
			}
			p.pos++
		case ';':
			p.pos++
			return
		default:
			p.pos++
		}
	}
}

// statement reads one item; false at the end of the text.
func (p *parser) statement() bool {
	c := p.space()
	start := p.pos
	if start >= len(p.src) {
		return false
	}
	switch {
	case class[c] == cLetter:
		p.instruction(start, nil)
	case c == '{', c == '}':
		p.pos += p.wide
		kind := ItemOpen
		if c == '}' {
			kind = ItemClose
		}
		p.add(Item{Kind: kind, Span: diag.Span{Start: start, End: p.pos}})
	case c == '@':
		p.guarded(start)
	case c == '.':
		p.directive(start)
	case c == ';':
		p.errorf("ptx-syntax", start, start+1, "a ';' without an instruction")
		p.pos++
	case p.startsName(c):
		if name := p.name(); name != "" && p.label(start, p.pos, name) {
			break
		}
		end := max(p.pos, start+1)
		p.errorf("ptx-syntax", start, end, "expected an instruction, not '%s'", p.src[start:end])
		p.resume()
	default:
		p.errorf("ptx-syntax", start, start+1, "expected an instruction")
		p.resume()
	}
	return true
}

// label makes an item of the name that ends at end if a colon follows.
func (p *parser) label(start, end int, name string) bool {
	if p.space() != ':' || p.at(p.pos+1) == ':' {
		p.pos = end
		return false
	}
	p.pos++
	if name == "_" {
		return false
	}
	p.add(Item{Kind: ItemLabel, Span: diag.Span{Start: start, End: p.pos}, Label: name})
	return true
}

// guarded reads @p or @!p and the instruction behind it.
func (p *parser) guarded(start int) {
	p.pos++
	g := new(Operand)
	if p.space() == '!' {
		g.Not = true
		p.pos++
	}
	c := p.space()
	at := p.pos
	switch {
	case c == '$' && !p.flat && p.escape(at) == 0:
		if !p.asm(g) {
			p.resume()
			return
		}
	case p.startsName(c):
		g.Name = p.name()
		g.Span = diag.Span{Start: at, End: p.pos}
	}
	if g.Kind == OperandReg && (g.Name == "" || g.Name == "_") {
		p.errorf("ptx-syntax", at, min(at+1, len(p.src)), "'@' needs the name of a predicate")
		p.resume()
		return
	}
	if class[p.space()] != cLetter {
		p.errorf("ptx-syntax", p.pos, min(p.pos+1, len(p.src)), "a guard stands before an instruction")
		p.resume()
		return
	}
	p.instruction(start, g)
}

// mnemonic reads opcode and modifiers, between which there may be blanks; label
// is set for a name without modifiers that may be a label.
func (p *parser) mnemonic() (name string, at diag.Span, label, ok bool) {
	start, i := p.pos, p.pos
	dots := 0
	var gaps []byte
	for {
		from := i
		for ; i < len(p.src); i++ {
			c := p.src[i]
			if class[c]&cWord != 0 {
				continue
			}
			switch {
			case c == '.':
				if class[p.at(i+1)]&cWord == 0 {
					p.errorf("ptx-syntax", i, i+1, "a modifier stands right behind its '.'")
					return "", at, false, false
				}
				dots++
				continue
			case c == ':' && dots > 0 && p.at(i+1) == ':' && class[p.at(i+2)]&cWord != 0:
				i++
				continue
			}
			break
		}
		if gaps != nil {
			gaps = append(gaps, p.src[from:i]...)
		}
		p.pos = i
		if c := p.at(i); (class[c] == cBlank || c == '/') && p.space() == '.' {
			if gaps == nil {
				gaps = append(gaps, p.src[start:i]...)
			}
			i = p.pos
			continue
		}
		break
	}
	p.pos = i
	at = diag.Span{Start: start, End: i}
	if gaps != nil {
		return string(gaps), at, false, true
	}
	return p.src[start:i], at, dots == 0, true
}

// place maps a span of a mnemonic to the text, where blanks and comments may
// stand in it.
func (p *parser) place(name diag.Span, in diag.Span) diag.Span {
	saved := p.pos
	defer func() { p.pos = saved }()
	out := diag.Span{Start: name.End, End: name.End}
	p.pos = name.Start
	for n := 0; p.pos < name.End; n++ {
		if p.space(); n == in.Start {
			out.Start = p.pos
		}
		p.pos++
		if n+1 == in.End {
			out.End = p.pos
			break
		}
	}
	return out
}

// instruction reads an instruction, or a label where there is no guard.
func (p *parser) instruction(start int, guard *Operand) {
	name, at, bare, ok := p.mnemonic()
	if !ok {
		p.resume()
		return
	}
	if bare && guard == nil {
		if p.pos < len(p.src) && p.src[p.pos] == '$' {
			p.pos = at.Start
			if name = p.name(); p.pos > at.End {
				if !p.label(start, p.pos, name) {
					p.errorf("ptx-syntax", start, p.pos, "expected an instruction, not '%s'", p.src[start:p.pos])
					p.resume()
				}
				return
			}
		}
		if p.label(start, at.End, name) {
			return
		}
	}
	if bare && p.space() == ':' {
		p.errorf("ptx-syntax", at.Start, at.End, "a guard stands before an instruction, not before a label")
		p.resume()
		return
	}
	e, f := mnemonics().byName[name], Finding{}
	if e == nil {
		e, f = lookup(name)
	}
	switch f.Class {
	case Refused:
		where := p.place(at, f.At)
		if s := Suggest(name); s != "" && f.ID != "ptx-undocumented" {
			f.Text += "; did you mean '" + s + "'?"
		}
		p.errorf(f.ID, where.Start, where.End, "%s", f.Text)
		p.resume()
		return
	case Lenient:
		p.report(diag.Warning, f.ID, p.place(at, f.At), "%s", f.Text)
	default:
		if e != nil {
			name = e.name
		}
	}
	in := p.inst()
	in.NameSpan, in.Name, in.Guard = at, name, guard
	in.Span.Start = start
	if f.Class == Opaque {
		ok = p.opaque(in)
	} else {
		ok = p.known(in, e)
	}
	if ok {
		in.Span.End = p.pos
		p.add(Item{Kind: ItemInst, Span: in.Span, Inst: in})
	}
}

// inst is a fresh instruction.
func (p *parser) inst() *Inst {
	if len(p.insts) == cap(p.insts) {
		p.insts = make([]Inst, 0, min(chunk, 8+2*len(p.insts)))
	}
	p.insts = p.insts[:len(p.insts)+1]
	return &p.insts[len(p.insts)-1]
}

// alloc is a slice of n fresh operands.
func (p *parser) alloc(n int) []Operand {
	if cap(p.operands)-len(p.operands) < n {
		p.operands = make([]Operand, 0, max(n, min(4*chunk, 32+2*len(p.operands))))
	}
	k := len(p.operands)
	p.operands = p.operands[:k+n]
	return p.operands[k : k+n : k+n]
}

// known reads the operands of an instruction whose mnemonic is e.
func (p *parser) known(in *Inst, e *entry) bool {
	p.elems = p.elems[:0]
	n, last := 0, in.NameSpan.End
	c := p.space()
	for first := true; first && c != ';' && p.pos < len(p.src) || !first && c == ','; first = false {
		if !first {
			p.pos++
		}
		a := &p.args[min(n, maxArgs-1)]
		switch p.operand(a, e) {
		case argBad:
			p.resume()
			return false
		case argAddress:
			p.pos = in.NameSpan.End
			return p.opaque(in)
		}
		n++
		last = a.end
		c = p.space()
	}
	stop := diag.Span{Start: p.pos, End: p.pos + 1}
	if c != ';' {
		if p.pos < len(p.src) || !p.open {
			p.unterminated(c, last, n, 1+len(e.ins))
			return false
		}
		stop = diag.Span{Start: last, End: last}
	} else {
		p.pos++
	}
	return p.fit(in, e, n, stop)
}

// unterminated reports an instruction that neither a comma nor a semicolon
// follows, and finds where to go on.
func (p *parser) unterminated(c byte, last, n, want int) {
	next := p.pos >= len(p.src) || n >= want && (class[c] == cLetter || c == '@' || c == '{' || c == '}' || c == '.')
	if next {
		p.errorf("ptx-missing-semicolon", last, min(last+1, len(p.src)), "expected ';' here")
		return
	}
	p.errorf("ptx-syntax", p.pos, p.pos+p.wide, "expected ',' or ';', not '%s'", p.src[p.pos:p.pos+p.wide])
	p.resume()
}

// opaque reads the operands of an instruction that is not modelled, up to the
// semicolon; brackets of all sorts nest.
func (p *parser) opaque(in *Inst) bool {
	in.Opaque, in.Form = true, Form{}
	in.Dst, in.Src = nil, nil
	p.elems = p.elems[:0]
	depth, from, last, commas := 0, -1, in.NameSpan.End, false
	end := func() bool {
		if from < 0 {
			p.errorf("ptx-syntax", p.pos, min(p.pos+1, len(p.src)), "expected an operand")
			p.resume()
			return false
		}
		p.elems = append(p.elems, p.whole(from, last))
		from = -1
		return true
	}
	for {
		c := p.space()
		if p.pos >= len(p.src) || c == ';' && depth == 0 || c == '}' && depth == 0 {
			break
		}
		at := p.pos
		if c == ',' && depth == 0 {
			if !end() {
				return false
			}
			commas = true
			p.pos++
			continue
		}
		p.pos += p.wide
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '"':
			n := strings.IndexByte(p.src[p.pos:], '"')
			if n < 0 {
				p.errorf("ptx-syntax", at, at+1, "string without an end")
				p.resume()
				return false
			}
			p.pos += n + 1
		case '$':
			if !p.flat && p.escape(at) == 0 {
				p.pos = at
				if o := (Operand{}); !p.asm(&o) {
					p.resume()
					return false
				}
			} else if !p.flat {
				p.pos = at + p.escape(at)
			}
		}
		if from < 0 {
			from = at
		}
		last = p.pos
	}
	if (commas || from >= 0) && !end() {
		return false
	}
	if p.pos < len(p.src) && p.src[p.pos] == ';' {
		p.pos++
	} else if p.pos < len(p.src) || !p.open {
		p.errorf("ptx-missing-semicolon", last, min(last+1, len(p.src)), "expected ';' here")
		return false
	}
	in.Src = p.alloc(len(p.elems))
	copy(in.Src, p.elems)
	return true
}

// whole makes one operand of text[from:to]: a simple one if it is that, else
// its text.
func (p *parser) whole(from, to int) Operand {
	q := parser{src: p.src[:to], pos: from, flat: p.flat, report: func(diag.Severity, string, diag.Span, string, ...any) {}}
	var a arg
	if q.operand(&a, &entry{}) == argGood && q.space() == 0 && q.pos == to && a.plain() {
		return a.Operand
	}
	return Operand{Kind: OperandOther, Name: p.src[from:to], Span: diag.Span{Start: from, End: to}}
}

// directive reads .reg; other directives are opaque, except those that have no
// semicolon, which an asm body cannot have.
func (p *parser) directive(start int) {
	p.pos++
	word := p.name()
	at := p.pos
	switch word {
	case "reg":
		p.reg(start)
	case "pragma", "shared", "local", "param", "const", "global", "branchtargets", "callprototype", "calltargets":
		in := p.inst()
		in.Name, in.NameSpan = "."+word, diag.Span{Start: start, End: at}
		in.Span.Start = start
		if p.opaque(in) {
			in.Span.End = p.pos
			p.add(Item{Kind: ItemInst, Span: in.Span, Inst: in})
		}
	default:
		p.errorf("ptx-syntax", start, max(at, start+1), "a directive that an asm body cannot have")
		p.resume()
	}
}
