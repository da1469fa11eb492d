package ptx

import (
	"math/bits"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// The lexical part of the parser: blanks, names, asm operands, literals (PTX
// ISA 4.1–4.5; LLVM's $ escapes, LangRef "Asm template argument modifiers").

// parser reads one text. Errors go to report, and the statement that has one is
// left out of the body.
type parser struct {
	src    string
	pos    int
	wide   int // length of the token that space stopped at: 2 for $( $) and $|
	flat   bool
	open   bool // the last semicolon may be missing
	report Report
	body   *Body

	args   [maxArgs]arg
	second Operand   // q of p|q
	elems  []Operand // of the packs of one instruction

	insts    []Inst // chunks, so that one allocation serves several instructions
	operands []Operand
}

// classes of bytes.
const (
	cLetter = 1 << iota
	cDigit
	cUnder
	cBlank
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = cLetter, cLetter
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = cDigit
	}
	t['_'] = cUnder
	for _, c := range " \t\r\n\v\f" {
		t[c] = cBlank
	}
	return t
}()

const cWord = cLetter | cDigit | cUnder

func (p *parser) errorf(id string, start, end int, format string, args ...any) {
	p.report(diag.Error, id, diag.Span{Start: start, End: end}, format, args...)
}

// at is the byte at i, 0 behind the end.
func (p *parser) at(i int) byte {
	if i < len(p.src) {
		return p.src[i]
	}
	return 0
}

// space skips blanks and comments and is the byte that follows, 0 at the end.
// LLVM's $( $) and $| count as { } and |, ${:comment} as //.
func (p *parser) space() byte {
	p.wide = 1
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case class[c] == cBlank:
			p.pos++
		case c == '/' && p.at(p.pos+1) == '/':
			p.line()
		case c == '/' && p.at(p.pos+1) == '*':
			n := strings.Index(p.src[p.pos+2:], "*/")
			if n < 0 {
				p.errorf("ptx-syntax", p.pos, p.pos+2, "comment without an end")
				p.pos = len(p.src)
				return 0
			}
			p.pos += n + 4
		case c == '$' && !p.flat:
			switch p.at(p.pos + 1) {
			case '(':
				p.wide = 2
				return '{'
			case ')':
				p.wide = 2
				return '}'
			case '|':
				p.wide = 2
				return '|'
			case '{':
				if strings.HasPrefix(p.src[p.pos:], "${:comment}") {
					p.line()
					continue
				}
			}
			return c
		default:
			return c
		}
	}
	return 0
}

// line skips the rest of a line.
func (p *parser) line() {
	n := strings.IndexByte(p.src[p.pos:], '\n')
	if n < 0 {
		n = len(p.src) - p.pos
	}
	p.pos += n
}

// escape is the length of an escape that stands for a part of a name, at i: $$,
// ${:uid} or ${:private}; 0 if there is none.
func (p *parser) escape(i int) int {
	switch s := p.src[i:]; p.at(i + 1) {
	case '$':
		return 2
	case '{':
		if strings.HasPrefix(s, "${:uid}") {
			return len("${:uid}")
		}
		if strings.HasPrefix(s, "${:private}") {
			return len("${:private}")
		}
	}
	return 0
}

// startsName reports whether a name or "_" may start with byte c at pos.
func (p *parser) startsName(c byte) bool {
	return class[c]&(cLetter|cUnder) != 0 || c == '%' || c == '$' && (p.flat || p.escape(p.pos) > 0)
}

// name reads an identifier, or "_". Several leading % are one, $$ is $; ${:uid}
// stays as it is. It is "" where there is none.
func (p *parser) name() string {
	i := p.pos
	for p.at(i) == '%' {
		i++
	}
	start := i
	if i > p.pos {
		start--
	}
	dollars := false
	for i < len(p.src) {
		c := p.src[i]
		if class[c]&cWord != 0 {
			i++
			continue
		}
		if c != '$' {
			break
		}
		n := 1
		if !p.flat {
			if n = p.escape(i); n == 0 {
				break
			}
			dollars = dollars || n == 2
		}
		i += n
	}
	s := p.src[start:i]
	if dollars {
		s = strings.ReplaceAll(s, "$$", "$")
	}
	if s == "" || s == "%" || s == "$" || class[s[0]] == cDigit {
		return ""
	}
	p.pos = i
	return s
}

// asm reads $n, ${n} or ${n:m} into o; p.src[p.pos] is '$'.
func (p *parser) asm(o *Operand) bool {
	start, i := p.pos, p.pos+1
	brace := p.at(i) == '{'
	if brace {
		i++
	}
	digits := i
	n := 0
	for ; class[p.at(i)] == cDigit && n < 1<<20; i++ {
		n = 10*n + int(p.src[i]-'0')
	}
	ok := i > digits && n < 1<<20
	if ok && brace {
		if p.at(i) == ':' {
			ok = class[p.at(i+1)] == cLetter
			o.Mod = p.at(i + 1)
			i += 2
		}
		ok = ok && p.at(i) == '}'
		i++
	}
	if !ok {
		p.errorf("ptx-escape", start, min(start+2, len(p.src)), "'$' starts an operand ($0, ${0}, ${0:x}) or an escape; a dollar is '$$'")
		return false
	}
	p.pos = i
	o.Kind, o.Index, o.Span = OperandAsm, n, diag.Span{Start: start, End: i}
	return true
}

// value is a constant while it is computed: 64 bits, .u64 or .s64; exact for a
// literal with or without a sign.
type value struct {
	v        uint64
	unsigned bool
	exact    bool
}

// lossy reports whether a constant does not fit in w bits, as signed or as
// unsigned. Computed values such as ~0 are taken either way.
func (v value) lossy(w int) bool {
	if w >= 64 {
		return false
	}
	fitsU := v.v>>w == 0
	fitsS := int64(v.v)>>(w-1) == -1
	return !(fitsU || fitsS && !(v.unsigned && v.exact))
}

// number reads an integer literal (PTX ISA 4.5.1); p.src[p.pos] is a digit. With
// bits of 32 or 64, 0f and 0d literals of that size are taken as bit patterns.
func (p *parser) number(width int) (value, bool) {
	start, i := p.pos, p.pos
	base := uint64(10)
	if p.src[i] == '0' {
		switch p.at(i + 1) {
		case 'x', 'X':
			base, i = 16, i+2
		case 'b', 'B':
			base, i = 2, i+2
		case 'f', 'F', 'd', 'D':
			return p.float(width)
		default:
			base = 8
		}
	}
	digits := i
	var v, over uint64
	for ; i < len(p.src); i++ {
		d := digit(p.src[i])
		if d >= base {
			break
		}
		var hi, c uint64
		hi, v = bits.Mul64(v, base)
		v, c = bits.Add64(v, d, 0)
		over |= hi | c
	}
	val := value{v, v>>63 != 0, true}
	if i > digits && p.at(i) == 'U' {
		val.unsigned = true
		i++
	}
	switch c := p.at(i); {
	case i == digits, class[c]&cWord != 0, c == '.' && class[p.at(i+1)] == cDigit:
		for class[p.at(i)]&cWord != 0 || p.at(i) == '.' {
			i++
		}
		text := p.src[start:i]
		if strings.ContainsAny(text, ".e") && base != 16 {
			p.errorf("ptx-literal", start, i, "a floating-point constant, where an integer is needed")
		} else {
			p.errorf("ptx-literal", start, i, "'%s' is not an integer literal: decimal, 0x…, 0b… or octal, with or without U", text)
		}
		return value{}, false
	case over != 0:
		p.errorf("ptx-literal", start, i, "'%s' needs more than 64 bits", p.src[start:i])
		return value{}, false
	}
	p.pos = i
	return val, true
}

// digit is the value of a hexadecimal digit, 255 for any other byte.
func digit(c byte) uint64 {
	switch {
	case class[c] == cDigit:
		return uint64(c - '0')
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 255
}

// float reads 0f and eight digits or 0d and sixteen (PTX ISA 4.5.2).
func (p *parser) float(width int) (value, bool) {
	start, i := p.pos, p.pos+2
	var v uint64
	for ; digit(p.at(i)) < 16; i++ {
		v = v<<4 | digit(p.src[i])
	}
	size := 64
	if p.src[start+1]|0x20 == 'f' {
		size = 32
	}
	if i-start-2 != size/4 || class[p.at(i)]&cWord != 0 || size != width {
		for class[p.at(i)]&cWord != 0 {
			i++
		}
		p.errorf("ptx-literal", start, i, "a floating-point constant, where an integer is needed")
		return value{}, false
	}
	p.pos = i
	return value{v, true, true}, true
}
