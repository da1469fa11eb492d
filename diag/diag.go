// Package diag holds positions in source text and the diagnostics that point
// at them. It is a leaf: every other package may import it.
package diag

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// File is one named source text.
type File struct {
	Name  string // as the user gave it; "<stdin>" for standard input
	Text  []byte
	lines []int // offset of the first byte of each line, built on first use
}

// NewFile names a text.
func NewFile(name string, text []byte) *File { return &File{Name: name, Text: text} }

// Line gives the number of the line that byte off is in, counted from 1, and
// the byte column in it, counted from 1 as clang and llc count.
func (f *File) Line(off int) (line, col int) {
	f.index()
	off = max(0, min(off, len(f.Text)))
	i := sort.SearchInts(f.lines, off+1) - 1
	return i + 1, off - f.lines[i] + 1
}

// LineText is the text of a line counted from 1, without its end-of-line bytes.
func (f *File) LineText(line int) []byte {
	f.index()
	if line < 1 || line > len(f.lines) {
		return nil
	}
	start, end := f.lines[line-1], len(f.Text)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	if end > start && f.Text[end-1] == '\r' {
		end--
	}
	return f.Text[start:end]
}

func (f *File) index() {
	if f.lines != nil {
		return
	}
	f.lines = append(f.lines, 0)
	for i, c := range f.Text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
}

// Span is a range of bytes [Start, End) of a file.
type Span struct{ Start, End int }

// Move is the span so many bytes further on.
func (s Span) Move(bytes int) Span { return Span{s.Start + bytes, s.End + bytes} }

// Severity orders diagnostics from the gravest down.
type Severity uint8

// The severities, in the words that clang and llc print.
const (
	Error Severity = iota
	Warning
	Remark
	Note
)

var severityNames = [...]string{"error", "warning", "remark", "note"}

// String is the word that diagnostics begin with: "error", "warning".
func (s Severity) String() string { return severityNames[s] }

// Diagnostic is one message about a place in a file. A nil File means that the
// message is about no place (a command line, say).
type Diagnostic struct {
	Severity Severity
	ID       string // stable name in brackets, "ptx-missing-mode"; -Wno-ID and -Werror=ID use it
	Text     string
	File     *File
	Span     Span
	Notes    []Diagnostic // severity Note, with a place of their own or none
}

// Error makes a Diagnostic usable as a Go error: "file:line:col: error: text [id]".
func (d *Diagnostic) Error() string { return d.Head() }

// Head is the first line of the printed diagnostic: the place, the severity,
// the first line of the text and the ID.
func (d *Diagnostic) Head() string {
	head, _ := d.text()
	return head
}

// text is the printed diagnostic without its excerpt: the head, and the further
// lines of a text that has several.
func (d *Diagnostic) text() (head, rest string) {
	if d.File != nil {
		l, c := d.File.Line(d.Span.Start)
		head = fmt.Sprintf("%s:%d:%d: ", d.File.Name, l, c)
	}
	first, rest, _ := strings.Cut(d.Text, "\n")
	head += d.Severity.String() + ": " + first
	if d.ID != "" {
		head += " [" + d.ID + "]"
	}
	return head, rest
}

// List collects diagnostics. The zero value is ready to use.
type List struct{ All []Diagnostic }

// Add appends a diagnostic and returns it, so that notes can be attached.
func (l *List) Add(sev Severity, id string, f *File, sp Span, format string, args ...any) *Diagnostic {
	l.All = append(l.All, Diagnostic{Severity: sev, ID: id, Text: fmt.Sprintf(format, args...), File: f, Span: sp})
	return &l.All[len(l.All)-1]
}

// Errorf adds an error.
func (l *List) Errorf(id string, f *File, sp Span, format string, args ...any) *Diagnostic {
	return l.Add(Error, id, f, sp, format, args...)
}

// Warnf adds a warning.
func (l *List) Warnf(id string, f *File, sp Span, format string, args ...any) *Diagnostic {
	return l.Add(Warning, id, f, sp, format, args...)
}

// Notef attaches a note.
func (d *Diagnostic) Notef(f *File, sp Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Diagnostic{Severity: Note, Text: fmt.Sprintf(format, args...), File: f, Span: sp})
	return d
}

// Errors counts the errors in the list.
func (l *List) Errors() int {
	n := 0
	for i := range l.All {
		if l.All[i].Severity == Error {
			n++
		}
	}
	return n
}

// Err is nil without errors, else the first one.
func (l *List) Err() error {
	for i := range l.All {
		if l.All[i].Severity == Error {
			return &l.All[i]
		}
	}
	return nil
}

// Sort orders the diagnostics of one file by position; equal places keep the
// order of arrival.
func (l *List) Sort() {
	slices.SortStableFunc(l.All, func(a, b Diagnostic) int { return a.Span.Start - b.Span.Start })
}
