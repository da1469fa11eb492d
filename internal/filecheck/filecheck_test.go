package filecheck

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// status runs Main over a check file and an input held in memory.
func status(t *testing.T, check, input string, args ...string) (int, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir+"/check", check)
	var out, errs bytes.Buffer
	rc := Main(append([]string{dir + "/check"}, args...), strings.NewReader(input), &out, &errs)
	require.Empty(t, out.String())
	return rc, strings.ReplaceAll(errs.String(), dir+"/", "")
}

func TestMessagesHaveFileChecksShape(t *testing.T) {
	for name, tt := range map[string]struct {
		check, input, want string
		args               []string
	}{
		"a string that is missing": {
			check: "CHECK: a\nCHECK: q[[X:r]]\n", input: "a\nb\n",
			want: "check:2:8: error: CHECK: expected string not found in input\nCHECK: q[[X:r]]\n       ^\n" +
				"<stdin>:1:2: note: scanning from here\na\n ^\n",
		},
		"a next line that is a later one": {
			check: "CHECK: a\nCHECK-NEXT: c\n", input: "a\nb\nc\n",
			want: "check:2:13: error: CHECK-NEXT: is not on the line after the previous match\nCHECK-NEXT: c\n            ^\n" +
				"<stdin>:3:1: note: 'next' match was here\nc\n^\n" +
				"<stdin>:1:2: note: previous match ended here\na\n ^\n" +
				"<stdin>:2:1: note: non-matching line after previous match is here\nb\n^\n",
		},
		"a next line that is the same": {
			check: "CHECK: a\nCHECK-NEXT: c\n", input: "ac\n",
			want: "check:2:13: error: CHECK-NEXT: is on the same line as previous match\nCHECK-NEXT: c\n            ^\n" +
				"<stdin>:1:2: note: 'next' match was here\nac\n ^\n" +
				"<stdin>:1:2: note: previous match ended here\nac\n ^\n",
		},
		"a string that must not be there": {
			check: "CHECK: a\nCHECK-NOT: bc\n", input: "a\nxbcx\n",
			want: "check:2:12: error: CHECK-NOT: excluded string found in input\nCHECK-NOT: bc\n           ^\n" +
				"<stdin>:2:2: note: found here\nxbcx\n ^~\n",
		},
		"an implicit one": {
			check: "CHECK: a\n", input: "a\nwarn\n", args: []string{"--implicit-check-not=warn"},
			want: "command line:1:22: error: IMPLICIT-CHECK-NOT: excluded string found in input\n-implicit-check-not='warn'\n                     ^\n" +
				"<stdin>:2:1: note: found here\nwarn\n^~~~\n",
		},
		"the second of two": {
			check: "CHECK-COUNT-2: a\n", input: "a\nb\n",
			want: "check:1:16: error: CHECK-COUNT: expected string not found in input (2 out of 2)\nCHECK-COUNT-2: a\n               ^\n" +
				"<stdin>:1:2: note: scanning from here\na\n ^\n",
		},
		"a value that is elsewhere another": {
			check: "CHECK: a[[#X]]\n", input: "a\n", args: []string{"-D#X=4"},
			want: "check:1:8: error: CHECK: expected string not found in input\nCHECK: a[[#X]]\n       ^\n" +
				"<stdin>:1:1: note: scanning from here\na\n^\n" +
				"<stdin>:1:1: note: with \"X\" equal to \"4\"\na\n^\n",
		},
		"two variables that nothing defined": {
			check: "CHECK: [[#X]] [[Y]]\n", input: "a\n",
			want: "check:1:11: error: undefined variable: X\nCHECK: [[#X]] [[Y]]\n          ^\n" +
				"check:1:17: error: undefined variable: Y\nCHECK: [[#X]] [[Y]]\n                ^\n",
		},
		"a regular expression that is none": {
			check: "CHECK: a{{(}}\n", input: "a\n",
			want: "check:1:11: error: invalid regex: parentheses not balanced\nCHECK: a{{(}}\n          ^\n",
		},
		"a prefix without directives": {
			check: "CHECK: a\n", input: "a\n", args: []string{"--check-prefixes=CHECK,X,Y"},
			want: "error: no check strings found with prefixes 'X:', 'Y:'\n",
		},
		"an input without bytes": {
			check: "CHECK: a\n", want: "FileCheck error: '<stdin>' is empty.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			rc, got := status(t, tt.check, tt.input, tt.args...)
			require.NotZero(t, rc)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestRunReportsWhoIsWrong(t *testing.T) {
	require.NoError(t, Run([]byte("CHECK: a"), []byte("a"), Options{}))
	var e *Error
	require.ErrorAs(t, Run([]byte("CHECK: a"), []byte("b"), Options{}), &e)
	require.False(t, e.Malformed)
	require.ErrorAs(t, Run([]byte("CHECK: {{a"), []byte("b"), Options{}), &e)
	require.True(t, e.Malformed)
	require.True(t, strings.HasPrefix(e.Error(), "<check>:1:8: error: found start of regex string"), e.Error())
}

func TestRegularExpressionsArePOSIX(t *testing.T) {
	for _, tt := range []struct {
		expr, text string
		want       []int
	}{
		{`a|ab`, "ab", []int{0, 2}},
		{`(a|ab)(c|bcd)`, "abcd", []int{0, 4, 0, 1, 1, 4}},
		{`\d+`, "1dd", []int{1, 3}},
		{`[^a]*`, "b\nc", []int{0, 1}},
		{`^b$`, "a\nb\n", []int{2, 3}},
		{`[\]]`, `\]`, []int{0, 2}},
		{`[]a]+`, "a]", []int{0, 2}},
		{`[[:digit:]x-]+`, "-1x", []int{0, 3}},
		{`a{,2}`, "a{,2}", []int{0, 5}},
		{`(r[0-9]+), \1$`, "r1, r12, r12", []int{4, 12, 4, 7}},
		{`(x*)y\1z`, "xxyxz", []int{1, 5, 1, 2}},
		{`()a`, "a", []int{0, 1, 0, 0}},
		{`((a)|b)*\2`, "abaa", []int{0, 4, 2, 3, 2, 3}},
		{`(.)(.)\2\1`, "xabba", []int{1, 5, 1, 2, 2, 3}},
	} {
		e, err := compileERE(tt.expr, false)
		require.NoError(t, err, tt.expr)
		got, err := e.find(tt.text)
		require.NoError(t, err, tt.expr)
		require.Equal(t, tt.want, got, tt.expr)
	}
	for expr, want := range map[string]error{
		"": errEmpty, "a||b": errEmpty, "(|a)": errEmpty, "(": errParen, "*a": errRepeat, "a**": errRepeat, "^*": errRepeat,
		"a{2": errBrace, "a{3,2}": errCount, "a{256}": errCount, "a{2,x}": errCount, "(a": errParen, "a)": errParen,
		"[a": errBracket, "[b-a]": errRange, "[[:foo:]]": errClass, `a\`: errEscape, `\1(a)`: errReference,
	} {
		_, err := compileERE(expr, false)
		require.Equal(t, want, err, expr)
	}
}

func TestBackReferencesGiveUpInTime(t *testing.T) {
	err := Run([]byte("CHECK: [[A:(.*)(.*)(.*)]]x[[A]]y"), []byte(strings.Repeat("a", 2000)), Options{})
	require.ErrorContains(t, err, errComplex.Error())
}

func TestMainTellsWhatIsWrongWithItsArguments(t *testing.T) {
	for want, args := range map[string][]string{
		"FileCheck: Unknown command line argument '--frob'.\n":                                    {"--frob", "f"},
		"FileCheck: for the --check-prefix option: requires a value!\n":                           {"f", "--check-prefix"},
		"<check-file> not specified\n":                                                            {},
		"Could not open check file 'none': no such file or directory\n":                           {"none"},
		"FileCheck: Too many positional arguments specified!\n":                                   {"a", "b"},
		"Missing equal sign in command-line definition '-DX'\n":                                   {os.DevNull, "-DX"},
		"error: supplied check prefix must not be the empty string\n":                             {os.DevNull, "--check-prefix="},
		"error: supplied comment prefix must be unique among check and comment prefixes: 'RUN'\n": {os.DevNull, "-check-prefix", "RUN"},
	} {
		var errs bytes.Buffer
		require.NotZero(t, Main(args, strings.NewReader("x"), nil, &errs))
		require.Equal(t, want, errs.String())
	}
}

func FuzzFileCheck(f *testing.F) {
	for _, p := range pairs {
		f.Add(p.check, p.input, uint8(0))
	}
	f.Fuzz(func(t *testing.T, check, input string, flags uint8) {
		if len(check) > 1000 || len(input) > 1000 {
			t.Skip("a longer text shows nothing more")
		}
		err := Run([]byte(check), []byte(input), Options{
			AllowEmpty:       flags&1 != 0,
			MatchFullLines:   flags&2 != 0,
			StrictWhitespace: flags&4 != 0,
			IgnoreCase:       flags&8 != 0,
			VarScope:         flags&16 != 0,
			AllowUnused:      flags&32 != 0,
		})
		if err != nil {
			require.NotEmpty(t, err.Error())
		}
	})
}
