package ptx

import (
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// arg is an operand as written, before it is known whether it may stand there.
type arg struct {
	Operand
	end               int       // behind its last token
	minus             int       // offset of the - before a register, else −1
	bang              int       // offset of the ! before a register
	sel               diag.Span // of the selector, with its dot; empty without one
	pack              [2]int    // elements of {…} in parser.elems, empty without
	pair              bool      // p|q; q is parser.second
	literal, unsigned bool      // of an immediate: as in value
}

const maxArgs = 8

// plain reports an operand that is nothing but its Operand.
func (a *arg) plain() bool {
	return a.minus < 0 && a.sel.End == 0 && !a.pair && a.pack[1] == 0
}

// outcome of reading an operand.
type outcome uint8

const (
	argBad     outcome = iota // reported
	argGood                   // an operand
	argAddress                // of a mov: an address, or a part of a vector
)

// operand reads one operand of an instruction with mnemonic e.
func (p *parser) operand(a *arg, e *entry) outcome {
	*a = arg{minus: -1}
	c := p.space()
	a.Span.Start = p.pos
	switch {
	case class[c] == cDigit || c == '(' || c == '~' || c == '+':
		return p.immediate(a, e)
	case c == '-':
		if !p.negated(a) {
			return p.immediate(a, e)
		}
		if a.minus < 0 {
			return argBad
		}
		c = p.space()
		a.Span.Start = p.pos
	case c == '!':
		a.bang = p.pos
		p.pos++
		c = p.space()
		if class[c] == cDigit || c == '(' || c == '!' || c == '~' || c == '-' || c == '+' || p.warpSize(c) {
			p.pos = a.Span.Start
			return p.immediate(a, e)
		}
		a.Not = true
		a.Span.Start = p.pos
	case c == '{':
		return p.braces(a, e)
	}
	if a.minus < 0 && !a.Not && p.warpSize(c) {
		return p.immediate(a, e)
	}
	if !p.simple(&a.Operand, c) {
		return argBad
	}
	a.end = p.pos
	switch c = p.space(); c {
	case '.':
		if !p.suffix(a) {
			return argBad
		}
		if e.form.Op == Mov && a.Kind == OperandReg && component(p.src[a.sel.Start+1:a.sel.End]) {
			return argAddress
		}
	case '|':
		p.pos += p.wide
		c = p.space()
		if !p.simple(&p.second, c) {
			return argBad
		}
		a.pair, a.end = true, p.pos
	case '+':
		if e.form.Op == Mov && a.Kind == OperandReg && a.plain() {
			return argAddress
		}
	}
	return argGood
}

// warpSize reports whether the constant WARP_SZ stands at pos.
func (p *parser) warpSize(c byte) bool {
	if c != 'W' {
		return false
	}
	at := p.pos
	s := p.name()
	p.pos = at
	return s == "WARP_SZ"
}

// simple reads a name, an asm operand or _ into o.
func (p *parser) simple(o *Operand, c byte) bool {
	at := p.pos
	switch {
	case c == '$' && !p.flat && p.escape(at) == 0:
		return p.asm(o)
	case p.pos < len(p.src) && p.startsName(c):
		o.Name = p.name()
	}
	o.Span = diag.Span{Start: at, End: p.pos}
	switch {
	case o.Name == "":
		what := "the end of the text"
		if p.pos < len(p.src) {
			what = "'" + p.src[at:at+p.wide] + "'"
		}
		p.errorf("ptx-syntax", at, min(at+p.wide, len(p.src)), "expected an operand, not %s", what)
		return false
	case o.Name == "_":
		o.Kind, o.Name = OperandSink, ""
	case o.Name[0] == '%' && isSpecial(o.Name):
		o.Kind = OperandSpecial
	}
	return true
}

// negated reads a minus before a register: a.minus is its offset, or −1 after
// an error. False, and nothing is read, if it starts a constant.
func (p *parser) negated(a *arg) bool {
	start := p.pos
	second := -1
	for n := 0; ; n++ {
		c := p.space()
		if c == '-' {
			if n == 1 {
				second = p.pos
			}
			p.pos++
			continue
		}
		if c == 0 || p.warpSize(c) || !(p.startsName(c) || c == '$') {
			p.pos = start
			return false
		}
		if n > 1 {
			p.errorf("ptx-negation", second, second+1, "an operand takes one minus sign")
			return true
		}
		a.minus = start
		return true
	}
}

// immediate reads a constant expression. What stands behind it is checked here
// only where a better message than "expected ','" is possible.
func (p *parser) immediate(a *arg, e *entry) outcome {
	width := 0
	if e.form.Op == Mov && e.form.T >= B32 && e.form.T <= B64 {
		width = e.form.T.Bits()
	}
	start := p.pos
	v, ok := p.constant(width, 0)
	if !ok {
		return argBad
	}
	a.Kind, a.Imm, a.literal, a.unsigned = OperandImm, v.v, v.exact, v.unsigned
	a.end = p.lastToken(start)
	a.Span = diag.Span{Start: start, End: a.end}
	if p.space() == '.' {
		at := p.pos
		p.pos++
		p.name()
		p.errorf("ptx-selector", at, max(p.pos, at+1), "a constant takes no selector")
		return argBad
	}
	return argGood
}

// lastToken is the end of the text before pos without the blanks and comments
// that were skipped after it; the text from start on holds no others behind it.
func (p *parser) lastToken(start int) int {
	stop := p.pos
	if c := p.src[stop-1]; class[c] != cBlank && c != '/' {
		return stop
	}
	end := start
	for p.pos = start; p.pos < stop; {
		if p.space(); p.pos >= stop {
			break
		}
		p.pos++
		end = p.pos
	}
	p.pos = stop
	return end
}

// suffix reads .word behind a register: a vmad selector, or the component of a
// special register.
func (p *parser) suffix(a *arg) bool {
	at := p.pos
	if class[p.at(at+1)]&cWord == 0 {
		p.errorf("ptx-selector", at, at+1, "a selector stands right behind its '.'")
		return false
	}
	p.pos++
	for class[p.at(p.pos)]&cWord != 0 {
		p.pos++
	}
	a.end = p.pos
	if w := p.src[at+1 : p.pos]; a.Kind == OperandSpecial && component(w) {
		a.Name += "." + w
		a.Span.End = p.pos
		return true
	}
	a.sel = diag.Span{Start: at, End: p.pos}
	return true
}

// component reports the names of a vector's parts.
func component(s string) bool { return len(s) == 1 && strings.Contains("xyzwrgba", s) }

// braces reads {a, b}. The elements of an unpacking mov may be _, those of a
// packing one constants.
func (p *parser) braces(a *arg, e *entry) outcome {
	p.pos += p.wide
	a.pack[0] = len(p.elems)
	for {
		var el arg
		c := p.space()
		if c == '{' {
			p.errorf("ptx-vector", p.pos, p.pos+p.wide, "a pack within a pack")
			return argBad
		}
		if r := p.operand(&el, e); r != argGood {
			return r
		}
		switch {
		case el.minus >= 0:
			p.errorf("ptx-negation", el.minus, el.minus+1, "only operands of vmad may be negated")
			return argBad
		case el.sel.End > 0:
			p.errorf("ptx-selector", el.sel.Start, el.sel.End, "only operands of vmad have selectors")
			return argBad
		case el.pair, el.Not:
			p.errorf("ptx-vector", el.Span.Start, el.Span.End, "an element of a pack is a register or a constant")
			return argBad
		}
		p.elems = append(p.elems, el.Operand)
		c = p.space()
		if c == '}' {
			p.pos += p.wide
			break
		}
		if c != ',' {
			p.errorf("ptx-vector", p.pos, min(p.pos+p.wide, len(p.src)), "expected ',' or '}'")
			return argBad
		}
		p.pos++
	}
	a.Kind = OperandOther
	a.pack[1] = len(p.elems)
	a.end = p.pos
	a.Span.End = p.pos
	return argGood
}

// isSpecial reports the special registers (PTX ISA 10), by name.
func isSpecial(s string) bool {
	switch s {
	case "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid",
		"%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
		"%cluster_ctarank", "%cluster_nctarank", "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
		"%lanemask_ge", "%lanemask_gt", "%clock", "%clock_hi", "%clock64", "%globaltimer",
		"%globaltimer_lo", "%globaltimer_hi", "%total_smem_size", "%aggr_smem_size",
		"%dynamic_smem_size", "%current_graph_exec", "%reserved_smem_offset_begin",
		"%reserved_smem_offset_end", "%reserved_smem_offset_cap":
		return true
	}
	return numbered(s, "%pm", 8) || numbered(s, "%envreg", 32) || numbered(s, "%reserved_smem_offset_", 2) ||
		len(s) > 3 && s[len(s)-3:] == "_64" && numbered(s[:len(s)-3], "%pm", 8)
}

// numbered reports prefix followed by a number below n.
func numbered(s, prefix string, n int) bool {
	if len(s) <= len(prefix) || len(s) > len(prefix)+2 || s[:len(prefix)] != prefix {
		return false
	}
	v := 0
	for _, c := range s[len(prefix):] {
		if c < '0' || c > '9' {
			return false
		}
		v = 10*v + int(c-'0')
	}
	return v < n
}
