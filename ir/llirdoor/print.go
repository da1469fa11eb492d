package llirdoor

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"strings"
	"sync"

	llir "github.com/llir/llvm/ir"

	"github.com/ptxlower/ptxlower/diag"
)

// printed is the text of a module; nil after a diagnostic.
func printed(m *llir.Module, l *diag.List) *diag.File {
	for _, f := range m.Funcs {
		forgetNumbers(f)
	}
	var text string
	var err error
	logged := quietly(func() { err = guard(func() { text = m.String() }) })
	if err != nil {
		l.Errorf("llir-module", nil, diag.Span{}, "llir cannot print the module: %v", err)
		return nil
	}
	file := diag.NewFile(FileName, []byte(text))
	if hole := holeIn(text); hole != (diag.Span{}) {
		l.Errorf("llir-module", file, hole, "llir cannot print what stands here: %s", complaint(text[hole.Start:]))
		return nil
	}
	for _, line := range logged {
		l.Warnf("llir-inexact", nil, diag.Span{}, "llir says: %s", line)
	}
	return file
}

// guard runs code of llir, which panics where it should give an error.
func guard(run func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			err = fmt.Errorf("%s", text)
		}
	}()
	run()
	return nil
}

// forgetNumbers takes the numbers of unnamed values away, to be given anew.
// Without, llir refuses a function that has changed since it was last printed.
func forgetNumbers(f *llir.Func) {
	forget := func(x any) {
		if n, ok := x.(interface {
			IsUnnamed() bool
			SetID(int64)
		}); ok && n.IsUnnamed() {
			n.SetID(0)
		}
	}
	for _, p := range f.Params {
		forget(p)
	}
	for _, b := range f.Blocks {
		forget(b)
		for _, in := range b.Insts {
			forget(in)
		}
		forget(b.Term)
	}
}

// holeIn finds what package fmt prints for a nil value or a panic, outside of
// strings: %!s(…) and <nil>, neither of which occurs in LLVM IR.
func holeIn(text string) diag.Span {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '"': // llir writes one inside a string as \22
			quoted = !quoted
		case '%', '<':
			if quoted {
				continue
			}
			for _, hole := range []string{"%!", "<nil>"} {
				if strings.HasPrefix(text[i:], hole) {
					return diag.Span{Start: i, End: i + len(hole)}
				}
			}
		}
	}
	return diag.Span{}
}

// complaint is the panic in %!s(PANIC=String method: …), the innermost one.
func complaint(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	i := strings.LastIndex(line, " method: ")
	if i < 0 {
		return "it is nil"
	}
	said, _, _ := strings.Cut(line[i+len(" method: "):], ")")
	return said
}

var logging sync.Mutex

// quietly runs code of llir and gives the lines that it writes to the standard
// logger. Those of others pass.
func quietly(run func()) []string {
	logging.Lock()
	defer logging.Unlock()
	f := &logFilter{to: log.Writer()}
	log.SetOutput(f)
	defer func() {
		if log.Writer() == io.Writer(f) {
			log.SetOutput(f.to)
		}
	}()
	run()
	return f.lines
}

type logFilter struct {
	to    io.Writer
	lines []string
}

// Write takes one message: package log writes each at once. All of llir's name
// its repository.
func (f *logFilter) Write(p []byte) (int, error) {
	if !bytes.Contains(p, []byte("llir/llvm")) {
		return f.to.Write(p)
	}
	s := string(p[len(log.Prefix()):])
	if i := strings.Index(s, "unable to"); i > 0 { // behind the time
		s = s[i:]
	}
	s, _, _ = strings.Cut(s, ";")
	f.lines = append(f.lines, strings.TrimSpace(s))
	return len(p), nil
}
