package ll

import "strings"

// kind is a token's kind. A punctuation character is its own kind.
type kind uint8

const (
	tEOF      kind = iota
	tBad           // a character that begins no token
	tWord          // keyword, opcode, attribute
	tIntType       // i32
	tLocal         // %x %"x" %12
	tGlobal        // @x
	tComdat        // $x
	tMetaName      // !dbg
	tMetaID        // !12
	tAttrGrp       // #12
	tSummary       // ^12
	tStr           // "…"
	tLabel         // x: "x": 12:
	tInt           // -12
	tNum           // other numbers
	tEllipsis      // ...
)

// token is what lies between two stretches of trivia.
type token struct {
	start, end int32
	kind       kind
	nl         bool // first on its line
}

// lexer cuts the text into tokens, one at a time. The gaps between tokens are
// white space and comments: nothing is lost.
type lexer struct {
	src    string
	pos    int
	errOff int32 // of errMsg
	errMsg string
}

// Classes of bytes.
const (
	cSpace = 1 << iota
	cAlpha // letter or _
	cDigit
	cLabel // what a label or name can hold
	cHex
	cSkip   // of interest to skipGroup
	cTrivia // begins white space or, perhaps, a comment
)

var class = func() (c [256]uint8) {
	for _, b := range " \t\r\n\v\f" {
		c[b] |= cSpace | cTrivia
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= cAlpha | cLabel
		c[b-'a'+'A'] |= cAlpha | cLabel
	}
	c['_'] |= cAlpha | cLabel
	for b := '0'; b <= '9'; b++ {
		c[b] |= cDigit | cLabel | cHex
	}
	for b := 'a'; b <= 'f'; b++ {
		c[b] |= cHex
		c[b-'a'+'A'] |= cHex
	}
	for _, b := range "-$." {
		c[b] |= cLabel
	}
	for _, b := range "()[]{}<>\";/" {
		c[b] |= cSkip
	}
	c[';'] |= cTrivia
	c['/'] |= cTrivia
	return c
}()

func (x *lexer) at(i int) byte {
	if i < len(x.src) {
		return x.src[i]
	}
	return 0
}

func (x *lexer) lexError(off int, msg string) {
	if x.errMsg == "" {
		x.errOff, x.errMsg = int32(off), msg
	}
}

// while advances over bytes of a class.
func while(s string, i int, mask uint8) int {
	for uint(i) < uint(len(s)) && class[s[i]]&mask != 0 {
		i++
	}
	return i
}

// closeQuote is the offset after the quote that ends the string whose content
// begins at i. A string holds no quote: that is written \22.
func (x *lexer) closeQuote(i int) int {
	if k := strings.IndexByte(x.src[i:], '"'); k >= 0 {
		return i + k + 1
	}
	x.lexError(i-1, "unterminated string")
	return len(x.src) + 1
}

// closeComment is the offset after the block comment that begins at i. Block
// comments do not nest (seen: llvm-as 22).
func (x *lexer) closeComment(i int) int {
	if k := strings.Index(x.src[i+2:], "*/"); k >= 0 {
		return i + 2 + k + 2
	}
	x.lexError(i, "unterminated comment")
	return len(x.src) + 1
}

// lineEnd is the offset of the end-of-line byte at or after i. A lone carriage
// return ends a comment too.
func (x *lexer) lineEnd(i int) int {
	s := x.src[i:]
	k := strings.IndexByte(s, '\n')
	if k < 0 {
		k = len(s)
	}
	if r := strings.IndexByte(s[:k], '\r'); r >= 0 {
		k = r
	}
	return i + k
}

// label reports whether a label's colon follows label bytes at i, and where it ends.
func (x *lexer) label(i int) (end int, ok bool) {
	i = while(x.src, i, cLabel)
	return i + 1, x.at(i) == ':'
}

// next is the next token. After an error in a string or a comment it is tEOF.
func (x *lexer) next() token {
	s, i := x.src, x.pos
	nl := i == 0
	for uint(i) < uint(len(s)) && class[s[i]]&cTrivia != 0 {
		switch c := s[i]; {
		case c == '\n':
			nl = true
			i++
		case c == ';':
			i = x.lineEnd(i)
		case c == '/':
			if x.at(i+1) != '*' {
				x.pos = i + 1
				return token{int32(i), int32(i + 1), tBad, nl}
			}
			i = x.closeComment(i)
		default:
			i++
		}
	}
	if i >= len(s) {
		x.pos = len(s)
		return token{int32(len(s)), int32(len(s)), tEOF, nl}
	}
	end, k := x.token(i)
	if end > len(s) {
		x.pos = len(s)
		return token{int32(i), int32(i), tEOF, nl}
	}
	x.pos = end
	return token{int32(i), int32(end), k, nl}
}

// token is the end and the kind of the token that begins at i.
func (x *lexer) token(i int) (int, kind) {
	s := x.src
	switch c := s[i]; c {
	case '=', '[', ']', '{', '}', '<', '>', '(', ')', ',', '*', '|', ':':
		return i + 1, kind(c)
	case '%':
		return x.name(i, tLocal)
	case '@':
		return x.name(i, tGlobal)
	case '"':
		end := x.closeQuote(i + 1)
		if x.at(end) == ':' {
			return end + 1, tLabel
		}
		return end, tStr
	case '!':
		i++
		switch d := x.at(i); {
		case class[d]&cDigit != 0:
			return while(s, i, cDigit), tMetaID
		case class[d]&cLabel != 0 || d == '\\':
			for i < len(s) && (class[s[i]]&cLabel != 0 || s[i] == '\\') {
				i++
			}
			return i, tMetaName
		}
		return i, '!'
	case '#':
		if end := while(s, i+1, cDigit); end > i+1 {
			return end, tAttrGrp
		}
		return i + 1, '#'
	case '^':
		return while(s, i+1, cDigit), tSummary
	case '$':
		if end, ok := x.label(i); ok {
			return end, tLabel
		}
		return x.name(i, tComdat)
	case '.':
		if end, ok := x.label(i); ok {
			return end, tLabel
		}
		if strings.HasPrefix(s[i:], "...") {
			return i + 3, tEllipsis
		}
		return i + 1, tBad
	case '-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return x.number(i)
	default:
		if class[c]&cAlpha == 0 {
			return i + 1, tBad
		}
		return x.word(i)
	}
}

// name is the token of a sigil and what follows it: a quoted name, a number,
// or bare name bytes.
func (x *lexer) name(i int, k kind) (int, kind) {
	i++
	switch c := x.at(i); {
	case c == '"':
		return x.closeQuote(i + 1), k
	case class[c]&cDigit != 0:
		return while(x.src, i, cDigit), k
	case class[c]&cLabel != 0:
		return while(x.src, i, cLabel), k
	}
	return i, tBad
}

// word is a label, an integer type, or a keyword. "i32x" is i32 and x; "cc10"
// is cc and 10.
func (x *lexer) word(i int) (int, kind) {
	s := x.src
	end := while(s, i+1, cAlpha|cDigit)
	if end < len(s) && (s[end] == ':' || class[s[end]]&cLabel != 0) {
		if e, ok := x.label(end); ok {
			return e, tLabel
		}
	}
	switch s[i] {
	case 'i':
		if e := while(s[:end], i+1, cDigit); e > i+1 {
			return e, tIntType
		}
	case 'c':
		if end > i+2 && s[i+1] == 'c' && class[s[i+2]]&cDigit != 0 {
			return i + 2, tWord
		}
	}
	return end, tWord
}

// number is a label or a number.
func (x *lexer) number(i int) (int, kind) {
	s := x.src
	first := i // of the digits
	if class[s[i]]&cDigit == 0 {
		first++
	}
	end := while(s, first, cDigit)
	if end < len(s) && (s[end] == ':' || class[s[end]]&cLabel != 0) {
		if e, ok := x.label(end); ok && s[i] != '+' {
			return e, tLabel
		}
		if s[end] == 'x' && end == first+1 && s[first] == '0' {
			return while(s, end, cLabel), tNum
		}
		if s[end] == '.' && end > first {
			return x.exponent(while(s, end+1, cDigit)), tNum
		}
	}
	if end == first {
		return end, tBad
	}
	return end, tInt
}

// exponent is the end of the exponent that may stand at i: [eE][-+]?[0-9]+.
func (x *lexer) exponent(i int) int {
	if x.at(i)|0x20 != 'e' {
		return i
	}
	digits := i + 1
	if c := x.at(digits); c == '-' || c == '+' {
		digits++
	}
	if end := while(x.src, digits, cDigit); end > digits {
		return end
	}
	return i
}

// skipGroup is the offset after the bracket that closes the one before i.
// Strings and comments inside are opaque. ok is false at the end of the text.
func (x *lexer) skipGroup(i int) (end int, ok bool) {
	s := x.src
	for depth := 1; i < len(s); {
		c := s[i]
		if class[c]&cSkip == 0 {
			i++
			continue
		}
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '"':
			i = x.closeQuote(i + 1)
			continue
		case ';':
			i = x.lineEnd(i)
			continue
		case '/':
			if x.at(i+1) == '*' {
				i = x.closeComment(i)
				continue
			}
		}
		i++
	}
	return len(s), false
}
