package ir

import (
	"strconv"

	"github.com/ptxlower/ptxlower/diag"
)

// token kinds; a punctuation mark is its own kind.
const (
	tEnd   = 0
	tLine  = '\n'
	tWord  = 'w' // letters, digits, _ . $
	tNum   = 'n' // the same, starting with a digit or −
	tValue = '%' // text is the name; a number without leading zeros
	tFunc  = '@' // text is the name
	tText  = '"' // text is unquoted
	tArrow = '>' // ->
	tBad   = '?'
)

type token struct {
	kind byte
	text string
	span diag.Span
}

// lex cuts the text into tokens; the last is tEnd.
func lex(text string) []token {
	toks := make([]token, 0, len(text)/4+1)
	for i := 0; i < len(text); {
		start := i
		t := token{kind: text[i]}
		i++
		switch c := t.kind; {
		case c == ' ' || c == '\t' || c == '\r':
			continue
		case c == ';':
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case c == '-' && i < len(text) && text[i] == '>':
			t.kind = tArrow
			i++
		case c == '%' || c == '@':
			if i < len(text) && text[i] == '"' {
				t.text, i = quoted(text, i)
			} else {
				t.text, i = word(text, i)
			}
			if i == start+1 {
				t.kind = tBad
			}
			if n, err := strconv.Atoi(t.text); err == nil && numeral(t.text) {
				t.text = strconv.Itoa(n)
			}
		case c == '"':
			if t.text, i = quoted(text, start); i == start {
				t.kind = tBad
				i++
			}
		case c == '-' || c >= '0' && c <= '9':
			t.kind = tNum
			_, i = word(text, i)
			t.text = text[start:i]
		case wordByte(c):
			t.kind = tWord
			_, i = word(text, i)
			t.text = text[start:i]
		case c != '\n' && c != '(' && c != ')' && c != '{' && c != '}' && c != '[' && c != ']' && c != ',' && c != ':' && c != '=':
			t.kind = tBad
		}
		t.span = diag.Span{Start: start, End: i}
		toks = append(toks, t)
	}
	return append(toks, token{span: diag.Span{Start: len(text), End: len(text)}})
}

// word is the run of word bytes from i on, and where it ends.
func word(text string, i int) (string, int) {
	start := i
	for i < len(text) && wordByte(text[i]) {
		i++
	}
	return text[start:i], i
}

// quoted is the quoted text at i and where it ends; i where there is none.
func quoted(text string, i int) (string, int) {
	q, err := strconv.QuotedPrefix(text[i:])
	if err != nil {
		return "", i
	}
	s, err := strconv.Unquote(q)
	if err != nil {
		return "", i
	}
	return s, i + len(q)
}
