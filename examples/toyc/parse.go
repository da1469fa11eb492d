package main

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// program is a parsed text.
type program struct {
	main *function // the last one
}

type function struct {
	name   string
	params []string
	body   expr
	size   int // nodes, those of called functions included
}

// expr is a node of an expression: one of the types below.
type expr any

type (
	number   struct{ n *big.Int }
	variable struct{ name string }
	operator struct {
		op   byte // '+', '-' or '*'
		x, y expr
	}
	let struct {
		name        string
		value, body expr
	}
	call struct {
		f    *function
		args []expr
	}
)

// maxSize ends programs whose functions call each other without measure.
const maxSize = 2000

// parser is a recursive descent over text. After the first error it reads the
// end of the text everywhere.
type parser struct {
	file  *diag.File
	diags diag.List
	text  string
	pos   int    // behind the current token
	tok   string // the current token, "" at the end
	funcs map[string]*function
	vars  []string // those that may be used
	size  int
}

// parse reads a program; a list with errors says what is wrong with it.
func parse(name, text string) (*program, *diag.List) {
	p := &parser{file: diag.NewFile(name, []byte(text)), text: text, funcs: map[string]*function{}}
	p.next()
	prog := &program{}
	for prog.main == nil || p.tok != "" {
		prog.main = p.function()
		if p.diags.Errors() > 0 {
			break
		}
		p.funcs[prog.main.name] = prog.main
	}
	return prog, &p.diags
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// next reads a token: a word, a number, or one character.
func (p *parser) next() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	start := p.pos
	for p.pos < len(p.text) && (isLetter(p.text[p.pos]) || isDigit(p.text[p.pos])) {
		p.pos++
	}
	if p.pos == start && p.pos < len(p.text) {
		p.pos++
	}
	p.tok = p.text[start:p.pos]
}

func (p *parser) errorf(format string, args ...any) {
	if p.diags.Errors() == 0 {
		at := diag.Span{Start: p.pos - len(p.tok), End: p.pos}
		p.diags.Errorf("toyc", p.file, at, format, args...)
	}
	p.pos, p.tok = len(p.text), ""
}

func (p *parser) accept(tok string) bool {
	if p.tok != tok {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(tok string) {
	if !p.accept(tok) {
		p.errorf("%q is expected here", tok)
	}
}

func (p *parser) name() string {
	s := p.tok
	if s == "" || !isLetter(s[0]) || s == "let" || s == "in" {
		p.errorf("a name is expected here")
	}
	p.next()
	return s
}

// list reads items with commas up to a parenthesis; the open one is read.
func (p *parser) list(item func()) {
	if p.accept(")") {
		return
	}
	item()
	for p.accept(",") {
		item()
	}
	p.want(")")
}

func (p *parser) function() *function {
	f := &function{name: p.name()}
	p.want("(")
	p.list(func() {
		if slices.Contains(f.params, p.tok) {
			p.errorf("two parameters with this name")
		}
		f.params = append(f.params, p.name())
	})
	p.want("=")
	p.vars, p.size = f.params, 0
	f.body = p.expr()
	f.size = p.size
	return f
}

func (p *parser) expr() expr {
	if !p.accept("let") {
		return p.sum()
	}
	p.grow(1)
	name := p.name()
	p.want("=")
	value := p.expr()
	p.want("in")
	p.vars = append(p.vars[:len(p.vars):len(p.vars)], name)
	body := p.expr()
	p.vars = p.vars[:len(p.vars)-1]
	return let{name, value, body}
}

func (p *parser) sum() expr {
	x := p.product()
	for p.tok == "+" || p.tok == "-" {
		op := p.tok[0]
		p.next()
		x = operator{op, x, p.product()}
	}
	return x
}

func (p *parser) product() expr {
	x := p.factor()
	for p.accept("*") {
		x = operator{'*', x, p.factor()}
	}
	return x
}

func (p *parser) factor() expr {
	if p.grow(1); p.tok == "" {
		p.errorf("an expression is expected here")
		return nil
	}
	switch c := p.tok[0]; {
	case p.accept("-"):
		return operator{'-', number{new(big.Int)}, p.factor()}
	case p.accept("("):
		x := p.expr()
		p.want(")")
		return x
	case isDigit(c):
		n, ok := new(big.Int).SetString(p.tok, 0)
		if !ok || n.BitLen() > 128 {
			p.errorf("not a number of at most 128 bits")
		}
		p.next()
		return number{n}
	}
	return p.named()
}

// named is a variable or a call.
func (p *parser) named() expr {
	word, end := p.tok, p.pos
	if p.name(); p.accept("(") {
		f := p.funcs[word]
		var args []expr
		p.list(func() { args = append(args, p.expr()) })
		if f == nil || len(args) != len(f.params) {
			p.pos, p.tok = end, word
			p.errorf("no function before this one has this name and %d parameters", len(args))
			return nil
		}
		p.grow(f.size)
		return call{f, args}
	}
	if !slices.Contains(p.vars, word) {
		p.pos, p.tok = end, word
		p.errorf("no such variable")
	}
	return variable{word}
}

// grow counts nodes, and so bounds how deep an expression nests.
func (p *parser) grow(n int) {
	if p.size += n; p.size > maxSize {
		p.errorf("the function is too large here")
	}
}
