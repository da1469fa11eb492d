package sem

import (
	"fmt"
	"strconv"
	"strings"
)

// Doc is the term as the documentation prints it: + - * & | ^ ~ as in C, shifts
// << >>u >>s and comparisons == <u <s by signedness, x<hi..lo> for bits, {x, y}
// for concatenation, zext and sext with the new width. Parentheses stand where
// readers might disagree. A constant is decimal below 256, else hexadecimal;
// where nothing else tells its width it has all its digits. A term with too
// much in common with itself to be printed as a tree starts with let.
func Doc(t *Term) string {
	if treeSize(t, map[*Term]int{}) <= maxTree {
		return string(new(docPrinter).term(nil, t, false))
	}
	lines := DocLines([]string{""}, t)
	last := len(lines) - 1
	return "let " + strings.Join(lines[:last], ", ") + " in " + strings.TrimPrefix(lines[last], " = ")
}

// maxTree is the number of nodes up to which Doc prints a tree.
const maxTree = 200

func treeSize(t *Term, memo map[*Term]int) int {
	if n, ok := memo[t]; ok {
		return n
	}
	n := 1
	for _, x := range t.Args() {
		n = min(n+treeSize(x, memo), maxTree+1)
	}
	memo[t] = n
	return n
}

// DocLines prints each root as a line "name = …". What is used more than once
// and not short, and what makes a line long, gets a line "t1 = …" of its own
// before its first use.
func DocLines(names []string, roots ...*Term) []string {
	p := &docPrinter{text: map[*Term]string{}, uses: map[*Term]int{}}
	order := Order(roots...)
	for _, t := range order {
		for _, x := range t.Args() {
			p.uses[x]++
		}
	}
	rootName := map[*Term]string{}
	for i, r := range roots {
		if _, ok := rootName[r]; !ok && r.N > 0 && names[i] != "" {
			rootName[r] = names[i]
		}
	}
	taken := Vars(roots...)
	for _, n := range names {
		taken = append(taken, &Term{Name: n})
	}
	prefix := freshPrefix("t", taken)

	var lines []string
	printed := map[*Term]bool{}
	temps := 0
	var visit func(t *Term, isRoot bool)
	visit = func(t *Term, isRoot bool) {
		if printed[t] {
			return
		}
		printed[t] = true
		for _, x := range t.Args() {
			visit(x, false)
		}
		s := string(p.term(nil, t, false))
		if name, ok := rootName[t]; ok && p.uses[t] > 0 {
			p.name(t, name)
			lines = append(lines, name+" = "+s)
			return
		}
		if !isRoot && t.N > 0 && (p.uses[t] > 1 && len(s) > shortText || len(s) > longText) {
			temps++
			name := prefix + strconv.Itoa(temps)
			p.name(t, name)
			lines = append(lines, name+" = "+s)
		}
	}
	for i, r := range roots {
		visit(r, true)
		if name, ok := rootName[r]; ok && p.uses[r] > 0 && name == names[i] {
			continue // printed when it was needed
		}
		lines = append(lines, names[i]+" = "+string(p.term(nil, r, false)))
	}
	return lines
}

// shortText and longText are lengths in bytes: a term up to the former is
// repeated, one above the latter gets a line.
const (
	shortText = 12
	longText  = 72
)

// docPrinter prints terms, those in text by their names.
type docPrinter struct {
	text map[*Term]string
	uses map[*Term]int
}

func (p *docPrinter) name(t *Term, name string) { p.text[t] = name }

// term appends t. With widths, constants show theirs.
func (p *docPrinter) term(dst []byte, t *Term, widths bool) []byte {
	if s, ok := p.text[t]; ok {
		return append(dst, s...)
	}
	switch t.Op {
	case OpVar:
		return append(dst, t.Name...)
	case OpConst:
		return append(dst, docConst(t, widths)...)
	}
	row := &prims[t.Op]
	template := row.doc
	if t.Op == OpExtract && t.W == 1 {
		template = "$0<$l>"
	}
	return fill(dst, template, t, "", func(dst []byte, i int) []byte {
		x := t.A[i]
		widths := widths
		switch t.Op {
		case OpConcat, OpZext, OpSext, OpExtract, OpEq, OpUlt, OpSlt:
			widths = p.widthless(x) && (t.N == 1 || t.Op == OpConcat || p.widthless(t.A[1-i]))
		}
		if t.Op == OpIte && i == 0 {
			widths = false
		}
		_, named := p.text[x]
		if x.N == 0 || named || row.bare[i].has(x.Op) || x.Op == OpConcat || x.Op >= OpExtract && x.Op <= OpSext {
			return p.term(dst, x, widths)
		}
		return append(p.term(append(dst, '('), x, widths), ')')
	})
}

// widthless reports that nothing in t's text but a constant's digits tells its
// width.
func (p *docPrinter) widthless(t *Term) bool {
	if _, ok := p.text[t]; ok {
		return false
	}
	switch t.Op {
	case OpVar, OpConcat, OpExtract, OpZext, OpSext, OpEq, OpUlt, OpSlt:
		return false
	case OpIte:
		return p.widthless(t.A[1]) && p.widthless(t.A[2])
	}
	for _, x := range t.Args() {
		if !p.widthless(x) {
			return false
		}
	}
	return true
}

func docConst(t *Term, widths bool) string {
	switch {
	case widths && t.W%4 == 0:
		return "0x" + t.K.Hex(t.W)
	case widths:
		s := make([]byte, t.W)
		for i := range s {
			s[i] = '0' + byte(t.K.Bit(t.W-1-i))
		}
		return "0b" + string(s)
	case t.K.Hi == 0 && t.K.Lo < 256:
		return fmt.Sprint(t.K.Lo)
	}
	return t.K.String()
}
