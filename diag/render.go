package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format says how diagnostics are printed.
type Format string

// The formats: clang's with the line and a caret, one line each, or one JSON
// object a line.
const (
	Text  Format = "text"
	Short Format = "short"
	JSON  Format = "json"
)

// Formats lists the formats.
var Formats = []Format{Text, Short, JSON}

// Render prints diagnostics; of errors at most limit (0: all), and then how
// many were left out. In the text format it ends with a count of errors and
// warnings.
func Render(w io.Writer, ds []Diagnostic, f Format, limit int) {
	errs, warnings, hidden := 0, 0, 0
	for i := range ds {
		d := &ds[i]
		switch d.Severity {
		case Error:
			errs++
			if limit > 0 && errs > limit {
				hidden++
				continue
			}
		case Warning:
			warnings++
		}
		d.render(w, f)
	}
	if hidden > 0 {
		more := plural(hidden, "more error") + " not shown"
		if f == JSON {
			(&Diagnostic{Severity: Note, Text: more}).json(w)
		} else {
			fmt.Fprintln(w, more)
		}
	}
	var counts []string
	if warnings > 0 {
		counts = append(counts, plural(warnings, "warning"))
	}
	if errs > 0 {
		counts = append(counts, plural(errs, "error"))
	}
	if len(counts) > 0 && f == Text {
		fmt.Fprintln(w, strings.Join(counts, ", "))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (d *Diagnostic) render(w io.Writer, f Format) {
	switch f {
	case JSON:
		d.json(w)
	case Short:
		fmt.Fprintln(w, clean(d.Head()))
	default:
		head, rest := d.text()
		fmt.Fprintln(w, clean(head))
		d.excerpt(w)
		if rest != "" {
			fmt.Fprintln(w, rest)
		}
		for i := range d.Notes {
			d.Notes[i].render(w, f)
		}
	}
}

// excerptWidth limits the printed part of a long line, in bytes.
const excerptWidth = 160

// excerpt prints the line and marks the part of the span that is in it. A line
// with a NUL byte is not text and is not printed.
func (d *Diagnostic) excerpt(w io.Writer) {
	if d.File == nil || len(d.File.Text) == 0 {
		return
	}
	n, col := d.File.Line(d.Span.Start)
	line := string(d.File.LineText(n))
	if strings.IndexByte(line, 0) >= 0 {
		return
	}
	at := min(col-1, len(line))
	end := max(at, min(at+d.Span.End-d.Span.Start, len(line)))
	from, to := window(line, at)
	lead, trail := "", ""
	if from > 0 {
		lead = "…"
	}
	if to < len(line) {
		trail = "…"
	}
	before, column := printable(lead+line[from:at], 0)
	marked, stop := printable(line[at:min(end, to)], column)
	if end > to {
		stop++ // the mark goes on under the …
	}
	after, _ := printable(line[min(end, to):to], stop)
	number := fmt.Sprintf("%5d", n)
	fmt.Fprintf(w, "%s | %s%s%s%s\n%s | %s^%s\n", number, before, marked, after, trail,
		strings.Repeat(" ", len(number)), strings.Repeat(" ", column), strings.Repeat("~", max(stop-column-1, 0)))
}

// window is the part [from, to) of a line that is printed: all of it, or
// excerptWidth bytes with the mark at byte at near the middle. It cuts no rune.
func window(line string, at int) (from, to int) {
	if len(line) <= excerptWidth {
		return 0, len(line)
	}
	from = max(0, min(at-excerptWidth/2, len(line)-excerptWidth))
	to = from + excerptWidth
	for from > 0 && from < at && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	return from, to
}

// tabWidth is the distance between tab stops. An excerpt starts at one: eight
// columns stand before it.
const tabWidth = 8

// printable makes a text harmless to print from a column on, and gives the
// column behind it: tabs become blanks, other control characters their
// pictures (␛), bytes that are no UTF-8 the replacement character. Each other
// rune takes one column.
func printable(s string, column int) (string, int) {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			n := tabWidth - column%tabWidth
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		}
		b.WriteRune(picture(r))
		column++
	}
	return b.String(), column
}

// clean makes a message harmless to print: it may quote the source.
func clean(s string) string { return strings.Map(picture, s) }

func picture(r rune) rune {
	switch {
	case r < ' ':
		return r + '␀'
	case r == 0x7f:
		return '␡'
	case !unicode.IsPrint(r):
		return utf8.RuneError
	}
	return r
}

type jsonDiagnostic struct {
	File     string           `json:"file,omitempty"`
	Line     int              `json:"line,omitempty"`
	Col      int              `json:"col,omitempty"`
	EndLine  int              `json:"end_line,omitempty"`
	EndCol   int              `json:"end_col,omitempty"` // of the first byte behind
	Severity string           `json:"severity"`
	ID       string           `json:"id,omitempty"`
	Message  string           `json:"message"`
	Notes    []jsonDiagnostic `json:"notes,omitempty"`
}

func (d *Diagnostic) forJSON() jsonDiagnostic {
	j := jsonDiagnostic{Severity: d.Severity.String(), ID: d.ID, Message: d.Text}
	if d.File != nil {
		j.File = d.File.Name
		j.Line, j.Col = d.File.Line(d.Span.Start)
		j.EndLine, j.EndCol = d.File.Line(max(d.Span.Start, d.Span.End))
	}
	for i := range d.Notes {
		j.Notes = append(j.Notes, d.Notes[i].forJSON())
	}
	return j
}

func (d *Diagnostic) json(w io.Writer) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d.forJSON()) // the writer's errors are the caller's to notice
}
