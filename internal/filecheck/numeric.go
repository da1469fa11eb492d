package filecheck

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// variables are what [[…]] blocks have set, and what their names stand for.
type variables struct {
	strings map[string]string
	defined map[string]bool // names that some directive defines as a string
	numbers map[string]*number
}

func newVariables() variables {
	return variables{strings: map[string]string{}, defined: map[string]bool{}, numbers: map[string]*number{}}
}

// leaveScope forgets the variables without "$".
func (v *variables) leaveScope() {
	for name := range v.strings {
		if name[0] != '$' {
			delete(v.strings, name)
		}
	}
	for name, n := range v.numbers {
		if name[0] != '$' {
			n.value = nil
			delete(v.numbers, name)
		}
	}
}

// A number is a numeric variable.
type number struct {
	format numFormat
	line   int // of the directive that defines it; 0 if none does
	value  *big.Int
}

// A numFormat is how a number is spelled: %u, %d, %x or %X, an alternate form
// (0x) and the least count of digits. The zero verb is no format.
type numFormat struct {
	verb      byte
	alternate bool
	precision int
}

// wildcard is the regular expression of all numbers of the format.
func (f numFormat) wildcard() string {
	prefix, first, digit := "", "1-9", "0-9"
	switch f.verb {
	case 'd':
		prefix = "-?"
	case 'x':
		first, digit = "1-9a-f", "0-9a-f"
	case 'X':
		first, digit = "1-9A-F", "0-9A-F"
	}
	if f.alternate {
		prefix = "0x"
	}
	if f.precision == 0 {
		return prefix + "[" + digit + "]+"
	}
	return prefix + "([" + first + "][" + digit + "]*)?[" + digit + "]{" + strconv.Itoa(f.precision) + "}"
}

func (f numFormat) base() int {
	if f.verb == 'x' || f.verb == 'X' {
		return 16
	}
	return 10
}

// value reads what the wildcard has matched.
func (f numFormat) value(s string) *big.Int {
	n, _ := new(big.Int).SetString(strings.TrimPrefix(s, "0x"), f.base())
	return n
}

// text spells a number; only %d has negative ones.
func (f numFormat) text(v *big.Int) (string, error) {
	if v.Sign() < 0 && f.verb != 'd' {
		return "", errors.New("unable to substitute variable or numeric expression: overflow error")
	}
	digits := new(big.Int).Abs(v).Text(f.base())
	if f.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	digits = strings.Repeat("0", max(f.precision-len(digits), 0)) + digits
	if f.alternate {
		digits = "0x" + digits
	}
	if v.Sign() < 0 {
		digits = "-" + digits
	}
	return digits, nil
}

// A sum is a numeric expression.
type sum struct {
	terms  []term
	format numFormat
}

// A term is a literal, or a variable if it has a name; "@LINE" is a literal
// that came from the directive's line.
type term struct {
	negative bool
	literal  *big.Int
	name     string
	v        *number
}

// text is the sum as it is spelled now.
func (s *sum) text() (string, error) {
	total := new(big.Int)
	for _, t := range s.terms {
		value := t.literal
		if t.v != nil {
			if value = t.v.value; value == nil {
				return "", errors.New("undefined variable: " + t.name)
			}
		}
		if t.negative {
			total.Sub(total, value)
		} else {
			total.Add(total, value)
		}
	}
	return s.format.text(total)
}

// A numParser reads the inside of [[#…]]. Calls, parentheses and the explicit
// "==" are not in the language here.
type numParser struct {
	vars *variables
	line int // of the directive
	src  string
	pos  int
}

// parseError is an error at an offset of the source.
type parseError struct {
	pos  int
	text string
}

func (e *parseError) Error() string { return e.text }

func (n *numParser) fail(pos int, text string) error { return &parseError{pos, text} }

func (n *numParser) blanks() {
	for n.pos < len(n.src) && (n.src[n.pos] == ' ' || n.src[n.pos] == '\t') {
		n.pos++
	}
}

// A numBlock is what a numeric block says: the variable it defines, if any, and
// the sum it must equal, which has no terms if any number will do.
type numBlock struct {
	name string
	def  *number
	sum  sum
}

// block parses [%FORMAT,] [NAME:] [SUM].
func (n *numParser) block() (b numBlock, err error) {
	f := &b.sum.format
	if comma := strings.IndexByte(n.src, ','); comma >= 0 {
		if *f, err = n.format(comma); err != nil {
			return b, err
		}
	}
	start, colon := n.pos, strings.IndexByte(n.src[n.pos:], ':')
	n.pos += colon + 1
	if n.blanks(); n.pos < len(n.src) {
		if err = n.sum(&b.sum); err != nil {
			return b, err
		}
	}
	if f.verb == 0 {
		f.verb = 'u'
	}
	if colon >= 0 {
		err = n.definition(&b, start, start+colon)
	}
	return b, err
}

func (n *numParser) format(end int) (f numFormat, err error) {
	rest, ok := strings.CutPrefix(strings.Trim(n.src[:end], " \t"), "%")
	if !ok {
		return f, n.fail(n.pos, "invalid matching format specification in expression")
	}
	n.pos = end + 1
	rest, f.alternate = strings.CutPrefix(rest, "#")
	if r, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(r, "0123456789")
		if f.precision, err = strconv.Atoi(r[:len(r)-len(rest)]); err != nil || f.precision > maxRepeat {
			return f, n.fail(end-len(r), "invalid precision in format specifier")
		}
	}
	if rest != "" {
		if f.verb = rest[0]; !strings.Contains("udxX", rest[:1]) {
			return f, n.fail(end-len(rest), "invalid format specifier in expression")
		}
		rest = strings.TrimLeft(rest[1:], " \t")
	}
	if f.alternate && f.base() != 16 {
		return f, n.fail(0, "alternate form only supported for hex values")
	}
	if rest != "" {
		return f, n.fail(end-len(rest), "invalid matching format specification in expression")
	}
	return f, nil
}

func (n *numParser) definition(b *numBlock, start, end int) error {
	text := strings.TrimLeft(n.src[start:end], " \t")
	at := end - len(text)
	name, rest, problem := cutVariable(text)
	switch {
	case problem != "":
		return n.fail(at, problem)
	case name[0] == '@':
		return n.fail(at, "definition of pseudo numeric variable unsupported")
	case n.vars.defined[name]:
		return n.fail(at, "string variable with name '"+name+"' already exists")
	case strings.Trim(rest, " \t") != "":
		return n.fail(end-len(rest), "unexpected characters after numeric variable name")
	}
	b.name, b.def = name, n.vars.numbers[name]
	if b.def == nil {
		b.def = &number{format: b.sum.format, line: n.line}
	} else if b.def.format != b.sum.format {
		return n.fail(at, "format different from previous variable definition")
	}
	return nil
}

// sum parses terms joined by + and -. Without a format of its own it has that
// of its variables.
func (n *numParser) sum(s *sum) error {
	var implicit numFormat
	for negative := false; ; n.pos++ {
		n.blanks()
		t, f, err := n.term()
		if err != nil {
			return err
		}
		if implicit.verb == 0 {
			implicit = f
		} else if f.verb != 0 && f != implicit && s.format.verb == 0 {
			return n.fail(0, "implicit format conflict, need an explicit format specifier")
		}
		t.negative = negative
		s.terms = append(s.terms, t)
		if n.blanks(); n.pos == len(n.src) {
			break
		}
		if c := n.src[n.pos]; c != '+' && c != '-' {
			return n.fail(n.pos, "unsupported operation '"+n.src[n.pos:n.pos+1]+"'")
		}
		negative = n.src[n.pos] == '-'
	}
	if s.format.verb == 0 {
		precision := s.format.precision
		s.format = implicit
		s.format.precision = max(precision, implicit.precision)
	}
	return nil
}

func (n *numParser) term() (t term, f numFormat, err error) {
	start, rest := n.pos, n.src[n.pos:]
	if rest == "" {
		return t, f, n.fail(start, "missing operand in expression")
	}
	if name, _, problem := cutVariable(rest); problem == "" {
		n.pos += len(name)
		if name[0] == '@' {
			if name != "@LINE" || n.line == 0 {
				return t, f, n.fail(start, "invalid pseudo numeric variable '"+name+"'")
			}
			return term{literal: big.NewInt(int64(n.line))}, numFormat{verb: 'u'}, nil
		}
		v := n.vars.numbers[name]
		if v == nil {
			v = &number{format: numFormat{verb: 'u'}}
			n.vars.numbers[name] = v
		}
		if v.line != 0 && v.line == n.line {
			return t, f, n.fail(start, "numeric variable '"+name+"' defined earlier in the same CHECK directive")
		}
		return term{name: name, v: v}, v.format, nil
	}
	digits := strings.TrimPrefix(rest, "-")
	end := strings.IndexFunc(digits, func(r rune) bool { return r == '-' || r == '_' || !isWord(r) })
	if end < 0 {
		end = len(digits)
	}
	v, ok := new(big.Int).SetString(digits[:end], 0)
	if !ok {
		return t, f, n.fail(start, "invalid matching constraint or operand format '"+rest+"'")
	}
	if len(digits) < len(rest) {
		v.Neg(v)
	}
	n.pos += len(rest) - len(digits) + end
	return term{literal: v}, f, nil
}

// numericBlock parses a block whose inside starts at an offset of the check
// file.
func (c *checker) numericBlock(p *pattern, body string, off int) error {
	n := &numParser{vars: &c.vars, line: p.line, src: body}
	b, err := n.block()
	if err != nil {
		return c.fault(p.file, off+err.(*parseError).pos, err.Error())
	}
	if b.def != nil {
		p.groups++
		p.numbers = append(p.numbers, capture{name: b.name, v: b.def, group: p.groups})
		c.vars.numbers[b.name] = b.def
		p.add("(")
	}
	if b.sum.terms != nil {
		p.pieces = append(p.pieces, piece{number: &b.sum, off: off, source: body})
	} else if err := c.regex(p, b.sum.format.wildcard(), off); err != nil {
		return err
	}
	if b.def != nil {
		p.add(")")
	}
	return nil
}

// define sets a variable from "NAME=TEXT" or "#[%FORMAT,]NAME=SUM".
func (c *checker) define(text string) error {
	left, right, ok := strings.Cut(text, "=")
	if !ok {
		return malformed("Missing equal sign in command-line definition '-D%s'\n", text)
	}
	if left == "" || left == "#" {
		return malformed("Missing variable name in command-line definition '-D%s'\n", text)
	}
	file := diag.NewFile("Global defines", []byte(text))
	if spec, numeric := strings.CutPrefix(left, "#"); numeric {
		n := &numParser{vars: &c.vars, src: spec + ":" + right}
		b, err := n.block()
		if err == nil && b.sum.terms == nil {
			err = n.fail(len(n.src), "empty numeric expression")
		}
		if err != nil {
			return c.fault(file, 1+err.(*parseError).pos, err.Error())
		}
		value, err := b.sum.text()
		if err != nil {
			return malformed("%s\n", err)
		}
		b.def.value = b.sum.format.value(value)
		c.vars.numbers[b.name] = b.def
		return nil
	}
	name, rest, problem := cutVariable(left)
	switch {
	case problem != "":
		return c.fault(file, 0, problem)
	case name[0] == '@' || rest != "":
		return c.fault(file, 0, "invalid name in string variable definition '"+left+"'")
	case c.vars.numbers[name] != nil:
		return c.fault(file, 0, "numeric variable with name '"+name+"' already exists")
	}
	c.vars.strings[name], c.vars.defined[name] = right, true
	return nil
}
