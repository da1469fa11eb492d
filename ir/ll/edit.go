package ll

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// Edit replaces the bytes of a span by a text. An empty span inserts.
type Edit struct {
	Span diag.Span
	Text string
}

// Splice applies edits to a text. They may come in any order; insertions at
// one place keep theirs and stand before what replaces the bytes there. Edits
// that overlap or lie outside the text are an error. Without edits the result
// is the text.
func Splice(src []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		if a.Span.Start != b.Span.Start {
			return a.Span.Start - b.Span.Start
		}
		return a.Span.End - b.Span.End
	})
	size, pos := len(src), 0
	for _, e := range sorted {
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(src) {
			return nil, fmt.Errorf("edit of bytes [%d, %d) lies outside the text of %d bytes", e.Span.Start, e.Span.End, len(src))
		}
		if e.Span.Start < pos {
			return nil, fmt.Errorf("edit of bytes [%d, %d) overlaps one that ends at %d", e.Span.Start, e.Span.End, pos)
		}
		size += len(e.Text) - (e.Span.End - e.Span.Start)
		pos = e.Span.End
	}
	out := make([]byte, 0, size)
	pos = 0
	for _, e := range sorted {
		out = append(out, src[pos:e.Span.Start]...)
		out = append(out, e.Text...)
		pos = e.Span.End
	}
	return append(out, src[pos:]...), nil
}

// DeclareEdit adds declarations at the end of the module: those of the lines
// "declare TYPE @name(…)" whose name the module neither defines nor declares.
// LLVM 16 and older want a declaration of every intrinsic that is called. Where
// nothing is missing the edit does nothing. A line without a name is an error.
func (m *Module) DeclareEdit(lines ...string) (Edit, error) {
	end := len(m.src)
	e := Edit{Span: diag.Span{Start: end, End: end}}
	var b strings.Builder
	added := map[string]bool{}
	for _, line := range lines {
		name := globalName(line)
		if name == "" || !strings.HasPrefix(line, "declare ") {
			return e, fmt.Errorf("not a declaration: %q", line)
		}
		if added[name] || m.Declared(name) {
			continue
		}
		added[name] = true
		if b.Len() == 0 {
			if end > 0 && m.src[end-1] != '\n' {
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	e.Text = b.String()
	return e, nil
}

// globalName is the canonical form of the first @name in a line.
func globalName(line string) string {
	x := &lexer{src: line}
	for t := x.next(); t.kind != tEOF; t = x.next() {
		if t.kind == tGlobal {
			return canonical(line[t.start+1 : t.end])
		}
	}
	return ""
}

// UseListEdits deletes the use-list orders that go stale when the uses in the
// given functions change: their own, and those of the module, since a constant
// or a global may gain or lose a use. LLVM refuses a module with a stale one;
// without one it takes the order it finds.
func (m *Module) UseListEdits(touched ...*Func) []Edit {
	if len(touched) == 0 {
		return nil
	}
	var edits []Edit
	for _, f := range touched {
		for _, sp := range f.useList {
			edits = append(edits, Edit{Span: m.wholeLine(sp)})
		}
	}
	for i := range m.Entities {
		if e := &m.Entities[i]; e.Kind == EntUseListOrder {
			edits = append(edits, Edit{Span: m.wholeLine(e.Span())})
		}
	}
	return edits
}

// wholeLine widens a span to whole lines where nothing else is on them.
func (m *Module) wholeLine(sp diag.Span) diag.Span {
	end := sp.End
	for end < len(m.src) && (m.src[end] == ' ' || m.src[end] == '\t' || m.src[end] == '\r') {
		end++
	}
	start := lineStart(m.src, sp.Start)
	begins := start == 0 || m.src[start-1] == '\n'
	if !begins || end < len(m.src) && m.src[end] != '\n' {
		return sp
	}
	return diag.Span{Start: start, End: min(end+1, len(m.src))}
}

// intrinsicShapes are the integer intrinsics that portable IR calls: what
// follows "llvm." and the parameters, T for the overloaded type. A result other
// than T follows the colon (LLVM LangRef, Intrinsic Functions).
var intrinsicShapes = map[string]string{
	"fshl": "T, T, T", "fshr": "T, T, T",
	"ctpop": "T", "bswap": "T", "bitreverse": "T",
	"ctlz": "T, i1", "cttz": "T, i1", "abs": "T, i1",
	"smin": "T, T", "smax": "T, T", "umin": "T, T", "umax": "T, T",
	"sadd.sat": "T, T", "uadd.sat": "T, T", "ssub.sat": "T, T", "usub.sat": "T, T",
	"sshl.sat": "T, T", "ushl.sat": "T, T",
	"sadd.with.overflow": "T, T:{ T, B }", "uadd.with.overflow": "T, T:{ T, B }",
	"ssub.with.overflow": "T, T:{ T, B }", "usub.with.overflow": "T, T:{ T, B }",
	"smul.with.overflow": "T, T:{ T, B }", "umul.with.overflow": "T, T:{ T, B }",
}

// IntrinsicDecl is the declaration of an integer intrinsic by its full name:
// "llvm.fshl.i32" gives "declare i32 @llvm.fshl.i32(i32, i32, i32)". It reports
// false for a name it does not know.
func IntrinsicDecl(name string) (string, bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || !strings.HasPrefix(name, "llvm.") || dot < len("llvm.") {
		return "", false
	}
	shape, ok := intrinsicShapes[name[len("llvm."):dot]]
	if !ok {
		return "", false
	}
	typ, flag, ok := mangledInt(name[dot+1:])
	if !ok {
		return "", false
	}
	params, ret, _ := strings.Cut(shape, ":")
	if ret == "" {
		ret = "T"
	}
	text := strings.NewReplacer("T", typ, "B", flag)
	return "declare " + text.Replace(ret) + " @" + name + "(" + text.Replace(params) + ")", true
}

// mangledInt is the type that the suffix i32 or v4i32 stands for, and the i1
// of the same length.
func mangledInt(s string) (typ, flag string, ok bool) {
	count := ""
	if strings.HasPrefix(s, "v") {
		end := while(s, 1, cDigit)
		count, s = s[1:end], s[end:]
		if count == "" {
			return "", "", false
		}
	}
	if len(s) < 2 || s[0] != 'i' || while(s, 1, cDigit) != len(s) {
		return "", "", false
	}
	if count == "" {
		return s, "i1", true
	}
	return "<" + count + " x " + s + ">", "<" + count + " x i1>", true
}
