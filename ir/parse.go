package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ptx"
)

// Parse reads functions in the text form, see Func.String. What is wrong goes
// to the list: [ir-syntax], [ir-name] for names that are missing or there
// twice, [ir-verify] for what Verify refuses. Only functions without an error
// are returned. Value.Off is the value's place in the file.
func Parse(file *diag.File, l *diag.List) []*Func {
	p := &parser{file: file, list: l, toks: lex(string(file.Text))}
	var fs []*Func
	for {
		for p.take(tLine) {
		}
		if p.tok().kind == tEnd {
			return fs
		}
		if f := p.function(); f != nil {
			fs = append(fs, f)
		}
	}
}

// ParseFunc reads one function; the error is the first diagnostic.
func ParseFunc(text string) (*Func, error) {
	var l diag.List
	fs := Parse(diag.NewFile("<ir>", []byte(text)), &l)
	switch {
	case l.Err() != nil:
		return nil, l.Err()
	case len(fs) != 1:
		return nil, fmt.Errorf("<ir>: %d functions where there should be one", len(fs))
	}
	return fs[0], nil
}

type parser struct {
	file *diag.File
	list *diag.List
	toks []token
	at   int

	// Of the function:
	f       *Func
	bad     bool // an error was reported
	vals    map[string]*Value
	blocks  map[string]*Block
	lines   []line               // what waits until all names are known
	numbers map[*Value]int       // identifiers that names ask for
	ends    map[*Block]diag.Span // terminators, or labels where there is none
}

// line is an operation, or a terminator if v is nil, with its operands as
// written: blocks are successors, or the predecessors of a phi's operands.
type line struct {
	v      *Value
	b      *Block
	args   []operand
	blocks []token
}

type operand struct {
	token
	w int // of a constant, 0 if not written
}

func (p *parser) tok() token { return p.toks[p.at] }

func (p *parser) report(id string, at diag.Span, format string, args ...any) {
	p.bad = true
	p.list.Errorf(id, p.file, at, format, args...)
}

// badLine is the panic that gives up a line after an error.
type badLine struct{}

func (p *parser) fail(id string, at diag.Span, format string, args ...any) {
	p.report(id, at, format, args...)
	panic(badLine{})
}

// read runs a reader of one line up to its end; what an error leaves is skipped.
func (p *parser) read(line func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(badLine); !ok {
				panic(r)
			}
			p.skipLine()
		}
		p.take(tLine)
	}()
	line()
	if !p.atEnd() {
		p.expected("the end of the line")
	}
}

func (p *parser) atEnd() bool {
	k := p.tok().kind
	return k == tLine || k == tEnd
}

func (p *parser) skipLine() {
	for !p.atEnd() {
		p.at++
	}
}

// expected complains about the next token.
func (p *parser) expected(what string) {
	t, found := p.tok(), "the end of the line"
	switch t.kind {
	case tLine:
	case tEnd:
		found = "the end of the text"
	default:
		found = strconv.Quote(string(p.file.Text[t.span.Start:t.span.End]))
	}
	p.fail("ir-syntax", t.span, "expected %s, found %s", what, found)
}

// take skips the next token if it is of the kind.
func (p *parser) take(kind byte) bool {
	if p.tok().kind == kind {
		p.at++
		return true
	}
	return false
}

func (p *parser) takeWord(w string) bool { return p.tok().text == w && p.take(tWord) }

func (p *parser) want(kind byte, what string) token {
	t := p.tok()
	if !p.take(kind) {
		p.expected(what)
	}
	return t
}

// items reads a list in parentheses.
func (p *parser) items(item func()) {
	p.want('(', `"("`)
	for first := true; !p.take(')'); first = false {
		if !first {
			p.want(',', `"," or ")"`)
		}
		item()
	}
}

func (p *parser) function() *Func {
	p.f, p.bad, p.lines = NewFunc(""), false, nil
	p.vals, p.blocks = map[string]*Value{}, map[string]*Block{}
	p.numbers, p.ends = map[*Value]int{}, map[*Block]diag.Span{}
	p.read(p.header)
	if p.bad { // what its lines would say is noise
		for !p.take('}') && p.tok().kind != tEnd {
			p.skipLine()
			p.take(tLine)
		}
		p.skipLine()
		return nil
	}
	var b *Block
	for p.tok().kind != tEnd && p.tok().kind != '}' {
		if !p.take(tLine) {
			p.read(func() { b = p.line(b) })
		}
	}
	p.read(func() {
		if b == nil && !p.bad {
			p.expected("a label")
		}
		p.want('}', `"}"`)
	})
	if !p.bad {
		p.resolve()
	}
	if !p.bad {
		p.number()
		verify(p.f, p.refused)
	}
	if p.bad {
		return nil
	}
	return p.f
}

func (p *parser) header() {
	if !p.takeWord("func") {
		p.expected("a function")
	}
	p.f.Name = p.want(tFunc, "the function's name").text
	p.items(func() {
		name := p.want(tValue, "a parameter")
		v := p.f.Param("", p.typ())
		v.Uniform = p.takeWord("uniform")
		p.define(v, name)
	})
	if p.take(tArrow) {
		p.items(func() { p.f.Results = append(p.f.Results, p.width()) })
	}
	if p.takeWord("vmad") {
		p.want('=', `"="`)
		switch {
		case p.takeWord(ptx.PTXAS.String()):
			p.f.Model = ptx.PTXAS
		case !p.takeWord(ptx.ISA.String()):
			p.expected("isa or ptxas")
		}
	}
	p.want('{', `"{"`)
}

// typ is ": i32".
func (p *parser) typ() int {
	p.want(':', `":" and a type`)
	return p.width()
}

func (p *parser) width() int {
	t := p.want(tWord, "a type, i1 to i128")
	w, _ := strconv.Atoi(strings.TrimPrefix(t.text, "i"))
	if t.text != "i"+strconv.Itoa(w) || w < 1 || w > 128 {
		p.fail("ir-syntax", t.span, "expected a type, i1 to i128, found %q", t.text)
	}
	return w
}

// define gives a value its name.
func (p *parser) define(v *Value, name token) {
	if p.vals[name.text] != nil {
		p.fail("ir-name", name.span, "%%%s is defined twice", name.text)
	}
	p.vals[name.text] = v
	v.Off = name.span.Start
	if !numeral(name.text) {
		v.Name = name.text
	} else if name.text != "" {
		n, err := strconv.Atoi(name.text)
		if limit := 1<<16 + len(p.file.Text); err != nil || n > limit {
			p.fail("ir-name", name.span, "%%%s: numbers up to %d are possible here", name.text, limit)
		}
		p.numbers[v] = n
	}
}

// line reads a line of block b and gives the block that the next belongs to.
func (p *parser) line(b *Block) *Block {
	t := p.tok()
	switch {
	case p.toks[min(p.at+1, len(p.toks)-1)].kind == ':' && p.isLabel():
		p.at += 2
		return p.label(t)
	case b == nil:
		p.expected("a label")
	case b.Term != NoTerm:
		p.expected(`a label or "}" after the terminator`)
	case t.kind == tValue || t.text == "_" && t.kind == tWord:
		p.operation(b)
	case p.takeWord("ret"):
		p.terminator(b, Ret, t, -1, 0)
	case p.takeWord("br"):
		p.terminator(b, Br, t, 0, 1)
	case p.takeWord("condbr"):
		p.terminator(b, CondBr, t, 1, 2)
	case p.takeWord("unreachable"):
		p.terminator(b, Unreachable, t, 0, 0)
	default:
		p.expected("a value, a terminator or a label")
	}
	return b
}

func (p *parser) isLabel() bool {
	k := p.tok().kind
	return k == tWord || k == tNum || k == tText
}

func (p *parser) label(t token) *Block {
	b := p.f.Blocks[0]
	if len(p.blocks) > 0 {
		b = p.f.NewBlock("")
	}
	b.Name = ""
	if !numeral(t.text) {
		b.Name = t.text
	}
	if p.blocks[t.text] != nil {
		p.report("ir-name", t.span, "the label %s is there twice", t.text)
	}
	p.blocks[t.text], p.ends[b] = b, t.span
	return b
}

// terminator reads args values, −1 for any number, and then succs labels.
func (p *parser) terminator(b *Block, kind TermKind, at token, args, succs int) {
	b.Term, p.ends[b] = kind, at.span
	l := line{b: b}
	if args < 0 {
		l.args = p.args()
	}
	for i := range args + succs {
		if i > 0 {
			p.want(',', `","`)
		}
		if i < args {
			l.args = append(l.args, p.arg())
		} else {
			l.blocks = append(l.blocks, p.block())
		}
	}
	p.lines = append(p.lines, l)
}

func (p *parser) block() token {
	t := p.tok()
	if !p.isLabel() {
		p.expected("a label")
	}
	p.at++
	return t
}

// args reads operands up to the end of the line.
func (p *parser) args() []operand {
	var out []operand
	for !p.atEnd() {
		if len(out) > 0 {
			p.want(',', `","`)
		}
		out = append(out, p.arg())
	}
	return out
}

func (p *parser) arg() operand {
	o := operand{token: p.tok()}
	switch {
	case p.take(tValue):
	case p.take(tNum), p.takeWord("undef"):
		if p.take(':') {
			o.w = p.width()
		}
	default:
		p.expected("a value or a constant")
	}
	return o
}

// operation reads a line that defines values; a result may be _.
func (p *parser) operation(b *Block) {
	var names []operand
	for more := true; more; more = p.take(',') {
		n := operand{token: p.tok()}
		if !p.takeWord("_") {
			p.want(tValue, "a value")
			if p.take(':') {
				n.w = p.width()
			}
		}
		names = append(names, n)
	}
	p.want('=', `"="`)
	op := p.tok()
	switch {
	case p.take(tText), strings.Contains(op.text, ".") && p.take(tWord):
		p.form(b, names, op)
	case p.take(tWord):
		p.llvm(b, names, op)
	default:
		p.expected("an operation")
	}
}

// form reads what follows the name of a PTX form.
func (p *parser) form(b *Block, names []operand, op token) {
	form, ok := formNamed(op.text)
	if !ok {
		p.fail("ir-syntax", op.span, "no PTX form is called %q", op.text)
	}
	v := b.New(PTX, 0)
	v.Form, v.Off = form, op.span.Start
	ws := ResultWidths(form)
	for i, n := range names {
		if i >= len(ws) || n.w != 0 && n.w != ws[i] {
			p.fail("ir-syntax", n.span, "the results of %s have %v bits", op.text, ws)
		}
		r := v
		if i > 0 && n.kind == tValue {
			r = b.New(Result, 0, v)
		}
		if n.kind == tValue {
			r.W, r.Index = ws[i], i
			p.define(r, n.token)
		}
	}
	v.W = ws[0]
	p.lines = append(p.lines, line{v: v, b: b, args: p.args()})
}

// llvm reads what follows the name of another operation.
func (p *parser) llvm(b *Block, names []operand, op token) {
	o := Result
	for o < NumOps && o.String() != op.text {
		o++
	}
	n := names[0]
	switch {
	case o == NumOps:
		p.fail("ir-syntax", op.span, "no operation is called %q", op.text)
	case len(names) > 1:
		p.fail("ir-syntax", names[1].span, "%s has one result", op.text)
	case n.w == 0:
		p.fail("ir-syntax", n.span, "the result needs a name and a type: %%x: i32")
	}
	v := b.New(o, n.w)
	p.define(v, n.token)
	l := line{v: v, b: b}
	switch o {
	case ICmp:
		if v.Pred = PredNamed(p.tok().text); v.Pred == NoPred {
			p.expected("a predicate")
		}
		p.at++
	case Result:
		v.Index, _ = strconv.Atoi(p.want(tNum, "which result").text)
		p.want(',', `","`)
	case Phi:
		for more := !p.atEnd(); more; more = p.take(',') {
			p.want('[', `"["`)
			l.args = append(l.args, p.arg())
			p.want(',', `","`)
			l.blocks = append(l.blocks, p.block())
			p.want(']', `"]"`)
		}
	}
	if o != Phi {
		l.args = p.args()
	}
	p.lines = append(p.lines, l)
}
