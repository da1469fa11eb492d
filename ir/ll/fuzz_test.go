package ll

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// FuzzParse checks that no text makes the reader panic, that every span lies
// in the file, that every diagnostic has a place, and that what was read well
// splices back to the same bytes.
func FuzzParse(f *testing.F) {
	if files, err := filepath.Glob(filepath.Join(testutil.Root(f), "..", "shared", "corpus", "ll", "*.ll")); err == nil {
		for _, path := range files {
			if text, err := os.ReadFile(path); err == nil && len(text) < 8<<10 {
				f.Add(text)
			}
		}
	}
	f.Add([]byte(useLists))
	f.Add([]byte("define void @f(i32, ptr %\"q r\") #0 {\n  %1 = tail call { i32, i32 } asm sideeffect \"\\0A\\22$0\", \"=r,=&r,0,~{memory}\"(i32 %0) #1, !srcloc !{i64 1}, !dbg !2\n  switch i32 %0, label %x [i32 1, label %x]\nx:\n  #dbg_value(i32 %0, !2)\n  ret void\n}\n"))
	f.Add([]byte("define i32 @g() {\n  %a = invoke i32 @g() [ \"x\"(i32 %b) ] to label %x unwind label %y\nx: ret i32 %a\ny: %l = landingpad {ptr, i32} cleanup\n  weird i128 s0xFFFFFFFFFFFFFFFFFFFFFFFFF, <2 x i8> splat (i8 1) /* c */\n  unreachable\n}\n%T = type <{ [2 x %T*], void (...)* }>\n@x = external addrspace(3) global %T\n^0 = module: (path: \"x\")\n"))
	f.Fuzz(checkAnyText)
}

// checkAnyText reads a text, good or bad, and calls what a pass would call.
func checkAnyText(t *testing.T, text []byte) {
	var l diag.List
	m := Parse(diag.NewFile("fuzz.ll", text), &l)
	for _, d := range l.All {
		require.True(t, 0 <= d.Span.Start && d.Span.Start <= d.Span.End && d.Span.End <= len(text), "%v", d.Span)
	}
	pos := 0
	for x, tok := m.lex(diag.Span{End: len(m.src)}); tok.kind != tEOF; tok = x.next() {
		if int(tok.start) < pos || tok.end <= tok.start || int(tok.end) > len(text) {
			t.Fatalf("token [%d, %d) after %d in %d bytes", tok.start, tok.end, pos, len(text))
		}
		pos = int(tok.end)
	}
	out, err := Splice(text, nil)
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, out))
	if l.Errors() > 0 {
		return
	}
	requireTiling(t, m)
	for _, fn := range m.Funcs {
		var all diag.List
		fn.Check(&all)
		m.TargetCPU(fn)
		for _, b := range fn.Blocks {
			for i := range b.Insts {
				visit(t, m, &b.Insts[i], &all)
			}
		}
		for _, d := range all.All {
			require.LessOrEqual(t, d.Span.End, len(text))
		}
	}
	_, err = Splice(text, m.UseListEdits(m.Funcs...))
	require.NoError(t, err)
}

// visit calls what a pass calls on an instruction.
func visit(t *testing.T, m *Module, in *Inst, l *diag.List) {
	m.Indent(in)
	for o := range in.Uses() {
		require.NotEmpty(t, o.Name)
	}
	for i := range in.Ops {
		if in.Ops[i].Type != nil {
			m.Elements(&in.Ops[i])
		}
	}
	if in.Call == nil || in.Call.Asm == nil {
		return
	}
	in.AsmOperands(m.File, l)
	for _, s := range []*AsmString{&in.Call.Asm.Text, &in.Call.Asm.Cons} {
		pos := s.Span().Start
		for i := range len(s.Text) + 1 {
			if s.Source(i) < pos {
				t.Fatalf("byte %d of %q maps back to %d, before %d", i, s.Text, s.Source(i), pos)
			}
			pos = s.Source(i)
		}
		require.Equal(t, s.Span().End, pos)
	}
}
