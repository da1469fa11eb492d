package filecheck

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// An ere is a compiled POSIX extended regular expression with the meaning that
// LLVM's engine gives it under REG_NEWLINE: leftmost and longest, "^" and "$"
// at every line, "." and complements within a line, "\c" a literal c, and
// back-references \1…\9. Text is UTF-8.
type ere struct {
	re     *regexp.Regexp
	groups []int // the POSIX group i is Go's group groups[i]; groups[0] is 0
	back   *backtracker
}

// compileERE compiles an expression; the error has the words of regerror.
func compileERE(expr string, fold bool) (*ere, error) {
	t := translator{src: expr, groups: []int{0}}
	if err := t.alternatives(0); err != nil {
		return nil, err
	}
	if t.pos < len(t.src) {
		return nil, errParen
	}
	flags := "(?m)"
	if fold {
		flags = "(?mi)"
	}
	text := flags + t.out.String()
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	re.Longest()
	e := &ere{re: re, groups: t.groups}
	if len(t.refs) > 0 {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			return nil, err
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			return nil, err
		}
		e.back = newBacktracker(prog, t.refs, fold)
	}
	return e, nil
}

// find gives the start and end of the match and of each group, or nil. Only
// back-references can make it give up.
func (e *ere) find(text string) ([]int, error) {
	var m []int
	var err error
	if e.back != nil {
		m, err = e.back.find(text)
	} else {
		m = e.re.FindStringSubmatchIndex(text)
	}
	if m == nil {
		return nil, err
	}
	out := make([]int, 0, 2*len(e.groups))
	for _, g := range e.groups {
		out = append(out, m[2*g], m[2*g+1])
	}
	return out, nil
}

var (
	errParen     = errors.New("parentheses not balanced")
	errBracket   = errors.New("brackets ([ ]) not balanced")
	errBrace     = errors.New("braces not balanced")
	errCount     = errors.New("invalid repetition count(s)")
	errRange     = errors.New("invalid character range")
	errEscape    = errors.New("trailing backslash (\\)")
	errEmpty     = errors.New("empty (sub)expression")
	errRepeat    = errors.New("repetition-operator operand invalid")
	errReference = errors.New("invalid backreference number")
	errClass     = errors.New("invalid character class")
	errCollate   = errors.New("invalid collating element")
	errDepth     = errors.New("out of memory")
	errComplex   = errors.New("back-references need too many steps")
)

const (
	maxRepeat = 255  // DUP_MAX
	maxDepth  = 1000 // parentheses within parentheses
	maxStates = 1 << 21
)

// A translator rewrites a POSIX expression in Go's syntax.
type translator struct {
	src     string
	pos     int
	out     strings.Builder
	groups  []int       // POSIX group → Go group
	closed  int         // groups whose ")" has been read, as a bit set of 1…9
	goCount int         // Go groups opened so far
	refs    map[int]int // Go group that stands for a back-reference → the group it repeats
}

func (t *translator) peek() byte {
	if t.pos < len(t.src) {
		return t.src[t.pos]
	}
	return 0
}

func (t *translator) alternatives(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	for {
		start := t.pos
		for t.pos < len(t.src) && t.peek() != '|' && t.peek() != ')' {
			if err := t.repeated(depth); err != nil {
				return err
			}
		}
		if t.peek() == ')' && depth == 0 {
			return errParen
		}
		if t.pos == start {
			return errEmpty
		}
		if t.peek() != '|' {
			return nil
		}
		t.pos++
		t.out.WriteByte('|')
	}
}

// atRepeat reports whether a repetition operator comes next: a brace is one
// only before a digit.
func (t *translator) atRepeat() bool {
	switch t.peek() {
	case '*', '+', '?':
		return true
	case '{':
		return t.pos+1 < len(t.src) && isDigit(t.src[t.pos+1])
	}
	return false
}

func (t *translator) repeated(depth int) error {
	if t.atRepeat() {
		return errRepeat
	}
	caret := t.peek() == '^'
	if err := t.atom(depth); err != nil {
		return err
	}
	if !t.atRepeat() {
		return nil
	}
	if caret {
		return errRepeat
	}
	if c := t.peek(); c == '{' {
		if err := t.counted(); err != nil {
			return err
		}
	} else {
		t.pos++
		t.out.WriteByte(c)
	}
	if t.atRepeat() {
		return errRepeat
	}
	return nil
}

func (t *translator) counted() error {
	start := t.pos
	t.pos++
	low, err := t.count()
	if err != nil {
		return err
	}
	if t.peek() == ',' {
		t.pos++
		if isDigit(t.peek()) {
			high, err := t.count()
			if err != nil {
				return err
			}
			if high < low {
				return errCount
			}
		}
	}
	if t.peek() != '}' {
		if strings.IndexByte(t.src[t.pos:], '}') >= 0 {
			return errCount
		}
		return errBrace
	}
	t.pos++
	t.out.WriteString(t.src[start:t.pos])
	return nil
}

func (t *translator) count() (int, error) {
	n := 0
	for ; isDigit(t.peek()); t.pos++ {
		if n = n*10 + int(t.peek()-'0'); n > maxRepeat {
			return 0, errCount
		}
	}
	return n, nil
}

func (t *translator) atom(depth int) error {
	switch c := t.char(); c {
	case "(":
		t.goCount++
		group := len(t.groups)
		t.groups = append(t.groups, t.goCount)
		t.out.WriteByte('(')
		if t.pos == len(t.src) {
			return errParen
		}
		if t.peek() != ')' {
			if err := t.alternatives(depth + 1); err != nil {
				return err
			}
		}
		if t.peek() != ')' {
			return errParen
		}
		t.pos++
		t.out.WriteByte(')')
		if group <= 9 {
			t.closed |= 1 << group
		}
	case "[":
		return t.bracket()
	case ".", "^", "$":
		t.out.WriteString(c)
	case `\`:
		if t.pos == len(t.src) {
			return errEscape
		}
		c = t.char()
		if n := c[0] - '0'; 1 <= n && n <= 9 {
			if t.closed>>n&1 == 0 {
				return errReference
			}
			t.goCount++
			if t.refs == nil {
				t.refs = map[int]int{}
			}
			t.refs[t.goCount] = t.groups[n]
			t.out.WriteString("()")
			return nil
		}
		t.out.WriteString(regexp.QuoteMeta(c))
	default:
		t.out.WriteString(regexp.QuoteMeta(c))
	}
	return nil
}

func (t *translator) bracket() error {
	t.out.WriteByte('[')
	if t.peek() == '^' {
		t.pos++
		t.out.WriteString(`^\n`)
	}
	for first := true; first || t.peek() != ']'; first = false {
		if t.pos >= len(t.src) {
			return errBracket
		}
		switch two := t.src[t.pos:min(t.pos+2, len(t.src))]; two {
		case "[.", "[=":
			return errCollate
		case "[:":
			end := strings.Index(t.src[t.pos:], ":]")
			if end < 0 {
				return errClass
			}
			name := t.src[t.pos : t.pos+end+2]
			if !classes[name] {
				return errClass
			}
			t.out.WriteString(name)
			t.pos += len(name)
			continue
		}
		low := t.char()
		t.out.WriteString(inClass(low))
		if t.peek() == '-' && t.pos+1 < len(t.src) && t.src[t.pos+1] != ']' {
			t.pos++
			high := t.char()
			if high < low {
				return errRange
			}
			t.out.WriteString("-" + inClass(high))
		}
	}
	t.pos++
	t.out.WriteByte(']')
	return nil
}

// char reads one character.
func (t *translator) char() string {
	_, size := utf8.DecodeRuneInString(t.src[t.pos:])
	t.pos += size
	return t.src[t.pos-size : t.pos]
}

// inClass writes a character between brackets.
func inClass(c string) string {
	if strings.Contains(`\]^-[`, c) {
		return `\` + c
	}
	return c
}

var classes = func() map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq("alnum alpha blank cntrl digit graph lower print punct space upper xdigit") {
		m["[:"+n+":]"] = true
	}
	return m
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// A backtracker runs a program in which an empty group can stand for the text
// of another group. It visits each state — instruction, position, texts of the
// groups referred to — once.
type backtracker struct {
	prog *syntax.Prog
	refs map[int]int // empty group → the group whose text it repeats
	want []int       // the groups referred to
	fold bool

	text   string
	caps   []int
	best   []int
	seen   map[state]bool
	states int // how many more may be visited
}

type state struct {
	pc   uint32
	pos  int
	caps [18]int
}

func newBacktracker(prog *syntax.Prog, refs map[int]int, fold bool) *backtracker {
	b := &backtracker{prog: prog, refs: refs, fold: fold, seen: map[state]bool{}}
	for _, g := range refs {
		if !slices.Contains(b.want, g) {
			b.want = append(b.want, g)
		}
	}
	slices.Sort(b.want)
	return b
}

func (b *backtracker) find(text string) ([]int, error) {
	b.text, b.best, b.states = text, nil, maxStates
	b.caps = slices.Repeat([]int{-1}, b.prog.NumCap)
	for start := 0; start <= len(text) && b.best == nil && b.states >= 0; start++ {
		clear(b.seen)
		b.caps[0] = start
		b.run(uint32(b.prog.Start), start)
	}
	if b.states < 0 {
		return nil, errComplex
	}
	return b.best, nil
}

// run explores all matches from an instruction at a position and keeps the
// longest, the first of several.
func (b *backtracker) run(pc uint32, pos int) {
	for {
		in := &b.prog.Inst[pc]
		switch in.Op {
		case syntax.InstFail:
			return
		case syntax.InstMatch:
			if b.best == nil || pos > b.best[1] {
				b.best = slices.Clone(b.caps)
				b.best[1] = pos
			}
			return
		case syntax.InstAlt, syntax.InstAltMatch:
			key := state{pc: pc, pos: pos}
			for i, g := range b.want {
				key.caps[2*i], key.caps[2*i+1] = b.caps[2*g], b.caps[2*g+1]
			}
			if b.states--; b.seen[key] || b.states < 0 {
				return
			}
			b.seen[key] = true
			b.run(in.Out, pos)
			pc = in.Arg
			continue
		case syntax.InstCapture:
			if ref, ok := b.refs[int(in.Arg/2)]; ok {
				if in.Arg%2 == 0 {
					n, ok := b.repeats(b.caps[2*ref], b.caps[2*ref+1], pos)
					if !ok {
						return
					}
					pos += n
				}
				break
			}
			old := b.caps[in.Arg]
			b.caps[in.Arg] = pos
			b.run(in.Out, pos)
			b.caps[in.Arg] = old
			return
		case syntax.InstEmptyWidth:
			before, after := rune(-1), rune(-1)
			if pos > 0 {
				before, _ = utf8.DecodeLastRuneInString(b.text[:pos])
			}
			if pos < len(b.text) {
				after, _ = utf8.DecodeRuneInString(b.text[pos:])
			}
			if syntax.EmptyOp(in.Arg)&^syntax.EmptyOpContext(before, after) != 0 {
				return
			}
		case syntax.InstNop:
		default: // the four kinds that read a character
			if pos == len(b.text) {
				return
			}
			r, size := utf8.DecodeRuneInString(b.text[pos:])
			if !in.MatchRune(r) || in.Op == syntax.InstRuneAnyNotNL && r == '\n' {
				return
			}
			pos += size
		}
		pc = in.Out
	}
}

// repeats reports whether the text [from, to) stands at pos again, and how
// long it is. A group that took no part in the match repeats nothing.
func (b *backtracker) repeats(from, to, pos int) (int, bool) {
	if from < 0 || to < from || pos+to-from > len(b.text) {
		return 0, false
	}
	word, here := b.text[from:to], b.text[pos:pos+to-from]
	return to - from, word == here || b.fold && strings.EqualFold(word, here)
}
