package filecheck

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// A pattern is one directive, parsed.
type pattern struct {
	kind    kind
	count   int
	literal bool
	prefix  string // the prefix it was written with
	file    *diag.File
	off     int // of its text in file
	line    int // of file; 0 where @LINE has no meaning

	fixed   string  // the text to find, if pieces is nil
	pieces  []piece // else: these make a regular expression
	regex   *ere    // the expression, if no piece is substituted
	groups  int     // capture groups so far
	strings []capture
	numbers []capture
}

// A piece is regular-expression text, or what stands there when matching: a
// string variable or a numeric expression.
type piece struct {
	text   string
	name   string
	number *sum
	off    int    // of the substitution in the check file
	source string // as it is written there
}

// A capture is a variable that a group of the match sets.
type capture struct {
	name  string
	v     *number // nil for a string
	group int
}

// name is the directive as messages print it.
func (p *pattern) name() string {
	s := p.prefix
	switch {
	case p.count > 1:
		s += "-COUNT"
	case kindNext <= p.kind && p.kind <= kindEmpty:
		s += "-" + suffixes[p.kind-kindNext]
	}
	if p.literal {
		s += "{LITERAL}"
	}
	return s
}

func (p *pattern) usesVariables() bool {
	for _, x := range p.pieces {
		if x.name != "" || x.number != nil {
			return true
		}
	}
	return len(p.strings)+len(p.numbers) > 0
}

// parse reads the text of a directive, which starts at p.off.
func (c *checker) parse(p *pattern, text string) error {
	keepBlanks := c.opts.StrictWhitespace && c.opts.MatchFullLines
	if !keepBlanks {
		text = strings.TrimRight(text, " \t")
	}
	end := p.off + len(text)
	fault := func(rest, problem string) error { return c.fault(p.file, end-len(rest), problem) }
	switch {
	case p.kind == kindEmpty && text == "":
		p.add("(\n$)")
		return nil
	case p.kind == kindEmpty:
		return fault(text, "found non-empty check string for empty check with prefix '"+p.prefix+":'")
	case text == "":
		return fault(text, "found empty check string with prefix '"+p.prefix+":'")
	}
	wholeLine := c.opts.MatchFullLines && p.kind != kindNot
	if p.literal || !wholeLine && !strings.Contains(text, "{{") && !strings.Contains(text, "[[") {
		p.fixed = text
		return nil
	}
	if wholeLine {
		p.add("^")
		if !keepBlanks {
			p.add(" *")
		}
	}
	for rest := text; rest != ""; {
		if body, ok := strings.CutPrefix(rest, "{{"); ok {
			i := strings.Index(body, "}}")
			if i < 0 {
				return fault(rest, "found start of regex string with no end '}}'")
			}
			p.groups++
			p.add("(")
			if err := c.regex(p, body[:i], end-len(body)); err != nil {
				return err
			}
			p.add(")")
			rest = body[i+2:]
			continue
		}
		if body, ok := strings.CutPrefix(rest, "[["); ok && !strings.HasPrefix(body, "[") {
			n, problem := blockEnd(body)
			if problem != "" {
				return fault(rest, problem)
			}
			var err error
			if number, ok := strings.CutPrefix(body[:n], "#"); ok {
				err = c.numericBlock(p, number, end-len(body)+1)
			} else {
				err = c.stringBlock(p, body[:n], end-len(body))
			}
			if err != nil {
				return err
			}
			rest = body[n+2:]
			continue
		}
		n := len(rest)
		for _, open := range []string{"{{", "[["} {
			if i := strings.Index(rest[1:], open); i >= 0 {
				n = min(n, i+1)
			}
		}
		p.add(regexp.QuoteMeta(rest[:n]))
		rest = rest[n:]
	}
	if wholeLine {
		if !keepBlanks {
			p.add(" *")
		}
		p.add("$")
	}
	return nil
}

// add appends to the regular expression.
func (p *pattern) add(text string) {
	if n := len(p.pieces); n > 0 && p.pieces[n-1].name == "" && p.pieces[n-1].number == nil {
		p.pieces[n-1].text += text
		return
	}
	p.pieces = append(p.pieces, piece{text: text})
}

// regex appends a regular expression from the check file.
func (c *checker) regex(p *pattern, text string, off int) error {
	re, err := compileERE(text, c.opts.IgnoreCase)
	if err != nil {
		return c.fault(p.file, off, "invalid regex: "+err.Error())
	}
	p.groups += len(re.groups) - 1
	p.add(text)
	return nil
}

// blockEnd is the offset of the "]]" that ends a substitution block: the first
// outside brackets, where a backslash hides the character after it.
func blockEnd(s string) (int, string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth == 0 && strings.HasPrefix(s[i:], "]]") {
				return i, ""
			}
			if depth == 0 {
				return 0, `missing closing "]" for regex variable`
			}
			depth--
		}
	}
	return 0, "Invalid substitution block, no ]] found"
}

// stringBlock parses [[NAME:regex]], [[NAME]] and the older [[@LINE+1]].
func (c *checker) stringBlock(p *pattern, body string, off int) error {
	head, regex, defines := strings.Cut(body, ":")
	if i := strings.IndexAny(head, " \t"); i >= 0 {
		return c.fault(p.file, off+i, "unexpected whitespace")
	}
	name, rest, problem := cutVariable(body)
	switch {
	case problem != "":
		return c.fault(p.file, off, problem)
	case defines && (name[0] == '@' || rest == "" || rest[0] != ':'):
		return c.fault(p.file, off, "invalid name in string variable definition")
	case defines && c.vars.numbers[name] != nil:
		return c.fault(p.file, off, "numeric variable with name '"+name+"' already exists")
	case defines:
		p.groups++
		p.strings = append(p.strings, capture{name: name, group: p.groups})
		c.vars.defined[name] = true
		p.add("(")
		if regex != "" {
			if err := c.regex(p, regex, off+len(head)+1); err != nil {
				return err
			}
		}
		p.add(")")
		return nil
	case name[0] == '@':
		return c.numericBlock(p, body, off)
	case rest != "":
		return c.fault(p.file, off+len(name), "invalid name in string variable use")
	}
	for i := len(p.strings) - 1; i >= 0; i-- {
		if def := p.strings[i]; def.name == name {
			if def.group > 9 {
				return c.fault(p.file, off, "Can't back-reference more than 9 variables")
			}
			p.add(`\` + strconv.Itoa(def.group))
			return nil
		}
	}
	p.pieces = append(p.pieces, piece{name: name, off: off, source: name})
	return nil
}

// cutVariable splits off a variable's name: letters, digits and underscores,
// not starting with a digit, after "$" (global) or "@" (pseudo) or neither.
func cutVariable(s string) (name, rest, problem string) {
	i, sort := 0, ""
	if s == "" {
		return "", "", "empty variable name"
	}
	if s[0] == '$' || s[0] == '@' {
		i, sort = 1, "global "
		if s[0] == '@' {
			sort = "pseudo "
		}
	}
	start := i
	for i < len(s) && s[i] != '-' && isWord(rune(s[i])) {
		i++
	}
	if start == len(s) {
		return "", "", "empty " + sort + "variable name"
	}
	if i == start || isDigit(s[start]) {
		return "", "", "invalid variable name"
	}
	return s[:i], s[i:], ""
}

// A match is the offsets of a match in the text searched; start is -1 without
// one, and problems are the substitutions that failed.
type match struct {
	start, end int
	problems   []problem
}

type problem struct {
	off  int // in the check file
	text string
}

// match finds a pattern's first match and sets the variables it defines.
func (c *checker) match(p *pattern, text string) match {
	if p.kind == kindEnd {
		return match{start: len(text), end: len(text)}
	}
	if p.pieces == nil {
		if c.opts.IgnoreCase && p.regex == nil {
			p.regex, _ = compileERE(regexp.QuoteMeta(p.fixed), true)
		}
		if p.regex == nil {
			i := strings.Index(text, p.fixed)
			return match{start: i, end: i + len(p.fixed)}
		}
	}
	re := p.regex
	if re == nil {
		expr, problems, constant := c.expand(p)
		if problems != nil {
			return match{start: -1, problems: problems}
		}
		var err error
		if re, err = compileERE(expr, c.opts.IgnoreCase); err != nil {
			return match{start: -1, problems: []problem{{p.off, "invalid regex: " + err.Error()}}}
		}
		if constant {
			p.regex = re
		}
	}
	m, err := re.find(text)
	if err != nil {
		return match{start: -1, problems: []problem{{p.off, err.Error()}}}
	}
	if m == nil {
		return match{start: -1}
	}
	for _, d := range p.strings {
		c.vars.strings[d.name] = text[max(m[2*d.group], 0):max(m[2*d.group+1], 0)]
	}
	for _, d := range p.numbers {
		c.vars.numbers[d.name] = d.v
		d.v.value = d.v.format.value(text[max(m[2*d.group], 0):max(m[2*d.group+1], 0)])
	}
	if p.kind == kindEmpty { // the line before ends with the newline that the pattern starts with
		return match{start: m[0] + 1, end: m[1]}
	}
	return match{start: m[0], end: m[1]}
}

// expand joins the pieces with the present values; constant says that there
// were none to insert.
func (c *checker) expand(p *pattern) (regex string, problems []problem, constant bool) {
	var b strings.Builder
	constant = true
	for _, x := range p.pieces {
		switch {
		case x.name != "":
			v, ok := c.vars.strings[x.name]
			if !ok {
				problems = append(problems, problem{x.off, "undefined variable: " + x.name})
			}
			b.WriteString(regexp.QuoteMeta(v))
		case x.number != nil:
			v, err := x.number.text()
			if err != nil {
				problems = append(problems, problem{x.off, err.Error()})
			}
			b.WriteString(v)
		default:
			b.WriteString(x.text)
			continue
		}
		constant = false
	}
	return b.String(), problems, constant
}
