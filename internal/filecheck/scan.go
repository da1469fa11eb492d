package filecheck

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A kind is what a directive's suffix says.
type kind uint8

const (
	kindNone kind = iota
	kindComment
	kindPlain
	kindNext
	kindSame
	kindNot
	kindDAG
	kindLabel
	kindEmpty
	kindEnd // the end of the input, for the -NOT directives after the last match
)

var (
	suffixes  = [...]string{"NEXT", "SAME", "NOT", "DAG", "LABEL", "EMPTY"} // from kindNext on
	badCombos = [...]string{"DAG-NOT:", "NOT-DAG:", "NEXT-NOT:", "NOT-NEXT:", "SAME-NOT:", "NOT-SAME:", "EMPTY-NOT:", "NOT-EMPTY:"}
)

// A directive is what stands before the colon.
type directive struct {
	kind      kind
	prefix    string
	at        int // offset of the prefix
	count     int
	literal   bool
	problem   string // what is wrong with it, if anything
	problemAt int
}

// A scanner finds the directives of a check file.
type scanner struct {
	text     string
	pos      int
	words    *regexp.Regexp
	comments []string
	found    directive
}

func newScanner(text string, prefixes, comments []string) *scanner {
	var alts []string
	for _, p := range slices.Concat(prefixes, comments) {
		alts = append(alts, regexp.QuoteMeta(p))
	}
	words := regexp.MustCompile(strings.Join(alts, "|"))
	words.Longest()
	return &scanner{text: text, words: words, comments: comments}
}

func isWord(r rune) bool {
	return r == '-' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// next moves behind the colon of the next directive that is no comment. A
// prefix inside a longer word is none.
func (s *scanner) next() bool {
	for {
		m := s.words.FindStringIndex(s.text[s.pos:])
		if m == nil {
			return false
		}
		start, end := s.pos+m[0], s.pos+m[1]
		if start == s.pos || !isWord(rune(s.text[start-1])) {
			s.found = directive{prefix: s.text[start:end], at: start, count: 1}
			if s.suffix(end); s.found.kind == kindComment {
				s.rest()
				continue
			} else if s.found.kind != kindNone {
				return true
			}
		}
		for s.pos = end; s.pos < len(s.text) && isWord(rune(s.text[s.pos])); s.pos++ {
		}
	}
}

// rest reads up to the end of the line.
func (s *scanner) rest() string {
	line := s.text[s.pos:]
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	s.pos += len(line)
	return line
}

// suffix reads from the end of the prefix to behind the colon.
func (s *scanner) suffix(end int) {
	d, rest := &s.found, s.text[end:]
	if slices.Contains(s.comments, d.prefix) {
		if strings.HasPrefix(rest, ":") {
			d.kind, s.pos = kindComment, end+1
		}
		return
	}
	if rest == "" {
		return
	}
	k, misspelled := kindPlain, false
	if rest[0] == '-' || rest[0] == '_' {
		misspelled = rest[0] == '_'
		rest = rest[1:]
		if n, ok := strings.CutPrefix(rest, "COUNT-"); ok {
			digits := len(n) - len(strings.TrimLeft(n, "0123456789"))
			count, err := strconv.Atoi(n[:digits])
			rest = n[digits:]
			if err != nil || count <= 0 || count > math.MaxInt32 || rest == "" || rest[0] != ':' && rest[0] != '{' {
				d.fail("invalid count in -COUNT specification on prefix '"+d.prefix+"'", len(s.text)-len(rest))
				return
			}
			d.count = count
		} else {
			for _, bad := range badCombos {
				if strings.HasPrefix(rest, bad) {
					d.fail("unsupported -NOT combo on prefix '"+d.prefix+"'", len(s.text)-len(rest))
					return
				}
			}
			k = kindNone
			for i, word := range suffixes {
				if after, ok := strings.CutPrefix(rest, word); ok {
					k, rest = kindNext+kind(i), after
					break
				}
			}
			if k == kindNone {
				return
			}
		}
	}
	if !strings.HasPrefix(rest, ":") {
		list, ok := strings.CutPrefix(rest, "{")
		if !ok {
			return
		}
		for more := true; more; {
			list, ok = strings.CutPrefix(strings.TrimLeft(list, blanks), "LITERAL")
			if !ok {
				return
			}
			d.literal = true
			list, more = strings.CutPrefix(strings.TrimLeft(list, blanks), ",")
		}
		if !strings.HasPrefix(list, "}:") {
			return
		}
		rest = list[1:]
	}
	d.kind = k
	s.pos = len(s.text) - len(rest) + 1
	if misspelled {
		d.fail("misspelled directive '"+s.text[d.at:s.pos]+"'", d.at)
	}
}

const blanks = " \t\n\v\f\r"

// fail makes the directive one that is wrong.
func (d *directive) fail(problem string, at int) {
	d.kind, d.problem, d.problemAt = kindPlain, problem, at
}
