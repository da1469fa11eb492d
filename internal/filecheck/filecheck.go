// Package filecheck is LLVM's FileCheck for golden tests that run where LLVM is
// not installed: the same directives, the same verdicts, messages of the same
// shape. What it means is what LLVM 22's FileCheck does (seen: FileCheck-22).
//
// Left out: the guess at the intended match, the annotated input dump, the
// FILECHECK_OPTS variable, overlapping -DAG matches; in numeric expressions
// calls, parentheses and "==". FileCheck takes "CHECK:" at the end of a file
// without a last newline for a pattern ":"; here it is an empty one.
package filecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// Options steer a check. The zero value is FileCheck without flags.
type Options struct {
	CheckName        string   // the check file's name in messages; "<check>" if empty
	InputName        string   // the input's name in messages; "<stdin>" if empty
	CheckPrefixes    []string // default CHECK
	CommentPrefixes  []string // default COM and RUN
	AllowEmpty       bool     // an empty input is an input like any other
	AllowUnused      bool     // a prefix may be without directives
	MatchFullLines   bool     // a directive other than -NOT matches whole lines, blanks at the ends left out
	StrictWhitespace bool     // a run of blanks is not one space
	IgnoreCase       bool     // letters match in either case
	VarScope         bool     // -LABEL forgets the variables whose name has no "$"
	ImplicitCheckNot []string // patterns that may stand between no two matches
	Defines          []string // "VAR=TEXT", "#N=NUMBER", "#%x,N=EXPRESSION", in this order
}

// Error is why a check failed.
type Error struct {
	// Malformed: the options or the check file are wrong, or the input is
	// empty; else the input does not match.
	Malformed bool
	// Text is the message as FileCheck prints it: lines that end in a newline.
	Text string
}

func (e *Error) Error() string { return strings.TrimSuffix(e.Text, "\n") }

// Run checks input against the directives of check. A failure is an *Error.
func Run(check, input []byte, opts Options) error {
	c := &checker{opts: opts, vars: newVariables()}
	if err := c.options(); err != nil {
		return err
	}
	c.check = diag.NewFile(orElse(opts.CheckName, "<check>"), canonical(check, opts.StrictWhitespace))
	c.input = diag.NewFile(orElse(opts.InputName, "<stdin>"), canonical(input, opts.StrictWhitespace))
	if len(input) == 0 && !opts.AllowEmpty {
		return malformed("FileCheck error: '%s' is empty.\n", c.input.Name)
	}
	for _, d := range opts.Defines {
		if err := c.define(d); err != nil {
			return err
		}
	}
	if err := c.read(); err != nil {
		return err
	}
	if !c.run() {
		return &Error{Text: c.out.String()}
	}
	return nil
}

func malformed(format string, args ...any) *Error {
	return &Error{Malformed: true, Text: fmt.Sprintf(format, args...)}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// canonical drops the carriage return of a line's end and, unless told to keep
// blanks, makes every run of blanks and tabs one space.
func canonical(text []byte, strict bool) []byte {
	out := make([]byte, 0, len(text))
	for i, c := range text {
		switch {
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case strict || c != ' ' && c != '\t':
			out = append(out, c)
		case i == 0 || text[i-1] != ' ' && text[i-1] != '\t':
			out = append(out, ' ')
		}
	}
	return out
}

// A checker is one run.
type checker struct {
	opts     Options
	prefixes []string // of directives
	comments []string
	check    *diag.File
	input    *diag.File
	vars     variables
	groups   []group
	out      strings.Builder
}

// A group is a directive that moves the position of the match forward, and the
// -DAG and -NOT directives before it. The last may be the end of the input.
type group struct {
	main   *pattern
	before []*pattern
}

func (c *checker) options() error {
	c.prefixes, c.comments = c.opts.CheckPrefixes, c.opts.CommentPrefixes
	if len(c.prefixes) == 0 {
		c.prefixes = []string{"CHECK"}
	}
	if len(c.comments) == 0 {
		c.comments = []string{"COM", "RUN"}
	}
	seen := map[string]bool{}
	for i, p := range slices.Concat(c.prefixes, c.comments) {
		kind := "check"
		if i >= len(c.prefixes) {
			kind = "comment"
		}
		switch {
		case p == "":
			return malformed("error: supplied %s prefix must not be the empty string\n", kind)
		case strings.TrimFunc(p, isWord) != "":
			return malformed("error: supplied %s prefix must start with a letter and contain only alphanumeric characters, hyphens, and underscores: '%s'\n", kind, p)
		case seen[p]:
			return malformed("error: supplied %s prefix must be unique among check and comment prefixes: '%s'\n", kind, p)
		}
		seen[p] = true
	}
	return nil
}

// read splits the check file into groups.
func (c *checker) read() error {
	var implicit, before []*pattern
	for _, text := range c.opts.ImplicitCheckNot {
		const flag = "-implicit-check-not='"
		p := &pattern{kind: kindNot, count: 1, prefix: "IMPLICIT-CHECK", file: diag.NewFile("command line", []byte(flag+text+"'")), off: len(flag)}
		if err := c.parse(p, text); err != nil {
			return err
		}
		implicit = append(implicit, p)
	}
	unused := slices.Clone(c.prefixes)
	before = implicit
	s := newScanner(string(c.check.Text), c.prefixes, c.comments)
	for s.next() {
		d := s.found
		unused = slices.DeleteFunc(unused, func(p string) bool { return p == d.prefix })
		if d.problem != "" {
			return c.fault(c.check, d.problemAt, d.problem)
		}
		line, _ := c.check.Line(d.at)
		p := &pattern{kind: d.kind, count: d.count, literal: d.literal, prefix: d.prefix, file: c.check, line: line}
		text := s.rest()
		if !c.opts.StrictWhitespace || !c.opts.MatchFullLines {
			text = strings.TrimLeft(text, " \t")
		}
		p.off = s.pos - len(text)
		if err := c.parse(p, text); err != nil {
			return err
		}
		switch {
		case p.kind == kindLabel && p.usesVariables():
			return c.fault(c.check, d.at, "found '"+p.name()+":' with variable definition or use")
		case (p.kind == kindNext || p.kind == kindSame || p.kind == kindEmpty) && len(c.groups) == 0:
			return c.fault(c.check, d.at, "found '"+p.name()+"' without previous '"+p.prefix+": line")
		case p.kind == kindNot || p.kind == kindDAG:
			before = append(slices.Clip(before), p)
		default:
			c.groups = append(c.groups, group{main: p, before: before})
			before = implicit
		}
	}
	if !c.opts.AllowUnused && len(unused) > 0 || len(unused) == len(c.prefixes) {
		if len(implicit) == 0 || len(c.opts.CheckPrefixes) > 0 {
			plural := ""
			if len(unused) > 1 {
				plural = "es"
			}
			return malformed("error: no check strings found with prefix%s '%s:'\n", plural, strings.Join(unused, ":', '"))
		}
	}
	if len(before) > 0 {
		c.groups = append(c.groups, group{main: &pattern{kind: kindEnd, count: 1}, before: before})
	}
	return nil
}

// fault is an error in a check file or an option.
func (c *checker) fault(f *diag.File, off int, text string) error {
	c.say(f, off, 0, "error: "+text)
	return &Error{Malformed: true, Text: c.out.String()}
}

// say prints a message about a place, its line, and a caret with n-1 tildes.
func (c *checker) say(f *diag.File, off, n int, text string) {
	line, col := f.Line(off)
	src := string(f.LineText(line))
	pad := []byte(src[:min(col-1, len(src))])
	for i, b := range pad {
		if b != '\t' {
			pad[i] = ' '
		}
	}
	mark := "^"
	if n = min(n, len(src)-len(pad)); n > 1 {
		mark += strings.Repeat("~", n-1)
	}
	fmt.Fprintf(&c.out, "%s:%d:%d: %s\n%s\n%s%s\n", f.Name, line, col, text, src, pad, mark)
}
