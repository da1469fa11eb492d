package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAndColumnsCountFromOneInBytes(t *testing.T) {
	f := NewFile("a.ll", []byte("ab\r\nçd\n\nlast"))
	for _, c := range []struct{ off, line, col int }{
		{-1, 1, 1}, {0, 1, 1}, {2, 1, 3}, {3, 1, 4}, {4, 2, 1}, {6, 2, 3}, {7, 2, 4}, {8, 3, 1}, {9, 4, 1}, {13, 4, 5}, {99, 4, 5},
	} {
		line, col := f.Line(c.off)
		require.Equal(t, []int{c.line, c.col}, []int{line, col}, "byte %d", c.off)
	}
	for i, want := range []string{"", "ab", "çd", "", "last", ""} {
		require.Equal(t, want, string(f.LineText(i)), "line %d", i)
	}
	line, col := NewFile("empty.ll", nil).Line(0)
	require.Equal(t, []int{1, 1}, []int{line, col})
}

// render prints one error about the part of text between [ and ].
func render(text string, format Format) string {
	start := strings.IndexByte(text, '[')
	end := strings.IndexByte(text, ']') - 1
	f := NewFile("a.ll", []byte(strings.NewReplacer("[", "", "]", "").Replace(text)))
	var l List
	l.Errorf("ptx-x", f, Span{start, end}, "wrong")
	var b bytes.Buffer
	Render(&b, l.All, format, 0)
	return b.String()
}

func TestTheMarkStandsUnderTheSpan(t *testing.T) {
	long := strings.Repeat("0123456789", 40)
	for name, tt := range map[string]struct{ text, want string }{
		"a word":                  {"one\n[two] three", "a.ll:2:1: @    2 | two three\n      | ^~~\n"},
		"one byte":                {"one [t]wo", "a.ll:1:5: @    1 | one two\n      |     ^\n"},
		"nothing":                 {"one [] two", "a.ll:1:5: @    1 | one  two\n      |     ^\n"},
		"the end of a line":       {"one two[]\nthree", "a.ll:1:8: @    1 | one two\n      |        ^\n"},
		"the end of the file":     {"one two[]", "a.ll:1:8: @    1 | one two\n      |        ^\n"},
		"behind the last newline": {"one\n[]", "a.ll:2:1: @    2 | \n      | ^\n"},
		"several lines":           {"one [two\nthree]", "a.ll:1:5: @    1 | one two\n      |     ^~~\n"},
		"a carriage return":       {"one [two]\r\n", "a.ll:1:5: @    1 | one two\n      |     ^~~\n"},
		"behind a tab":            {"\tx[y]", "a.ll:1:3: @    1 |         xy\n      |          ^\n"},
		"behind a tab in a word":  {"abc\tx[yz]", "a.ll:1:6: @    1 | abc     xyz\n      |          ^~\n"},
		"over a tab":              {"a[b\tc]d", "a.ll:1:2: @    1 | ab      cd\n      |  ^~~~~~~~\n"},
		"behind UTF-8":            {"çé[x]", "a.ll:1:5: @    1 | çéx\n      |   ^\n"},
		"over UTF-8":              {"a[çé]x", "a.ll:1:2: @    1 | açéx\n      |  ^~\n"},
		"control characters":      {"a\x1b[b\x7f]", "a.ll:1:3: @    1 | a␛b␡\n      |   ^~\n"},
		"bytes that are no text":  {"a\xff[b\xfe]", "a.ll:1:3: @    1 | a�b�\n      |   ^~\n"},
		"a line with NUL":         {"a\x00[b]", "a.ll:1:3: @"},
		"the middle of a long line": {long + "[abc]" + long,
			"a.ll:1:401: @    1 | …" + long[:80] + "abc" + long[:77] + "…\n      | " + strings.Repeat(" ", 81) + "^~~\n"},
		"the start of a long line": {"[abc]" + long, "a.ll:1:1: @    1 | abc" + long[:157] + "…\n      | ^~~\n"},
		"the end of a long line": {long + "[abc]",
			"a.ll:1:401: @    1 | …" + long[3:160] + "abc\n      | " + strings.Repeat(" ", 158) + "^~~\n"},
		"behind a long line": {long + "[]", "a.ll:1:401: @    1 | …" + long[:160] + "\n      | " + strings.Repeat(" ", 161) + "^\n"},
		"all of a long line": {"[" + long + "]", "a.ll:1:1: @    1 | " + long[:160] + "…\n      | ^" + strings.Repeat("~", 160) + "\n"},
		"a long line of UTF-8": {strings.Repeat("é", 200) + "[x]",
			"a.ll:1:401: @    1 | …" + strings.Repeat("é", 79) + "x\n      | " + strings.Repeat(" ", 80) + "^\n"},
		"a line with a large number": {strings.Repeat("\n", 122455) + "a[b]c", "a.ll:122456:2: @122456 | abc\n       |  ^\n"},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.Replace(tt.want, "@", "error: wrong [ptx-x]\n", 1) + "1 error\n"
			require.Equal(t, want, render(tt.text, Text))
		})
	}
}

func diagnostics() []Diagnostic {
	f := NewFile("a.ll", []byte("one\ntwo \"x\"\n"))
	var l List
	l.Errorf("ptx-x", f, Span{4, 7}, "wrong <%s>", "&").Notef(f, Span{0, 3}, "it starts here").Notef(nil, Span{}, "more")
	l.Warnf("cc-y", f, Span{8, 11}, "odd")
	l.Errorf("", nil, Span{}, "no place\n  a = 1\n  b = 2")
	l.Add(Remark, "site-kept", f, Span{0, 0}, "kept")
	l.Errorf("verify", f, Span{0, 3}, "table\n  a = 1")
	return l.All
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	Render(&b, diagnostics(), Text, 0)
	require.Equal(t, `a.ll:2:1: error: wrong <&> [ptx-x]
    2 | two "x"
      | ^~~
a.ll:1:1: note: it starts here
    1 | one
      | ^~~
note: more
a.ll:2:5: warning: odd [cc-y]
    2 | two "x"
      |     ^~~
error: no place
  a = 1
  b = 2
a.ll:1:1: remark: kept [site-kept]
    1 | one
      | ^
a.ll:1:1: error: table [verify]
    1 | one
      | ^~~
  a = 1
1 warning, 3 errors
`, b.String())
}

func TestShortHasALineForEach(t *testing.T) {
	var b bytes.Buffer
	Render(&b, diagnostics(), Short, 0)
	require.Equal(t, `a.ll:2:1: error: wrong <&> [ptx-x]
a.ll:2:5: warning: odd [cc-y]
error: no place
a.ll:1:1: remark: kept [site-kept]
a.ll:1:1: error: table [verify]
`, b.String())
}

func TestJSONHasAnObjectForEach(t *testing.T) {
	var b bytes.Buffer
	Render(&b, diagnostics(), JSON, 0)
	require.Equal(t, `{"file":"a.ll","line":2,"col":1,"end_line":2,"end_col":4,"severity":"error","id":"ptx-x","message":"wrong <&>","notes":[{"file":"a.ll","line":1,"col":1,"end_line":1,"end_col":4,"severity":"note","message":"it starts here"},{"severity":"note","message":"more"}]}
{"file":"a.ll","line":2,"col":5,"end_line":2,"end_col":8,"severity":"warning","id":"cc-y","message":"odd"}
{"severity":"error","message":"no place\n  a = 1\n  b = 2"}
{"file":"a.ll","line":1,"col":1,"end_line":1,"end_col":1,"severity":"remark","id":"site-kept","message":"kept"}
{"file":"a.ll","line":1,"col":1,"end_line":1,"end_col":4,"severity":"error","id":"verify","message":"table\n  a = 1"}
`, b.String())
	for l := range strings.Lines(b.String()) {
		require.True(t, json.Valid([]byte(l)), l)
	}
}

func TestErrorsBeyondTheLimitAreCounted(t *testing.T) {
	for f, want := range map[Format]string{
		Text:  "2 more errors not shown\n1 warning, 3 errors\n",
		Short: "2 more errors not shown\n",
		JSON:  `{"severity":"note","message":"2 more errors not shown"}` + "\n",
	} {
		var b bytes.Buffer
		Render(&b, diagnostics(), f, 1)
		require.True(t, strings.HasSuffix(b.String(), want), b.String())
		require.NotContains(t, b.String(), "no place")
		require.Contains(t, b.String(), "kept", "only errors are limited")
	}
}

func TestMessagesCannotSteerATerminal(t *testing.T) {
	var l List
	l.Errorf("ptx-syntax", NewFile("a\x1b[2J.ll", []byte("x\n")), Span{}, "not '\x1b[31m', not '\xff', not '\t'")
	var b bytes.Buffer
	Render(&b, l.All, Short, 0)
	require.Equal(t, "a␛[2J.ll:1:1: error: not '␛[31m', not '�', not '␉' [ptx-syntax]\n", b.String())
}

func TestListsSortCountAndAreErrors(t *testing.T) {
	f := NewFile("a.ll", []byte("one two"))
	var l List
	require.NoError(t, l.Err())
	l.Warnf("b", f, Span{4, 7}, "second")
	l.Errorf("c", f, Span{4, 7}, "third")
	l.Errorf("a", f, Span{0, 3}, "first")
	require.Equal(t, 2, l.Errors())
	require.EqualError(t, l.Err(), "a.ll:1:5: error: third [c]")
	l.Sort()
	for i, want := range []string{"first", "second", "third"} {
		require.Equal(t, want, l.All[i].Text)
	}
	require.EqualError(t, l.Err(), "a.ll:1:1: error: first [a]")
}
