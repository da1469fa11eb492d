package lit

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/stretchr/testify/require"
)

// upper prints its input in capitals, its arguments first; "-fail" makes it fail.
func upper(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	for _, a := range args {
		if a == "-fail" {
			fmt.Fprintln(stderr, "upper: failed as told")
			return 3
		}
		fmt.Fprintln(stdout, a)
	}
	text, _ := io.ReadAll(stdin)
	fmt.Fprint(stdout, strings.ToUpper(string(text)))
	return 0
}

// list prints a listing: a label and a line for each function of a .ll file,
// in the order of -names if that is given.
func list(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	text, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	for _, a := range args[1:] {
		if names, ok := strings.CutPrefix(a, "-names="); ok {
			for n := range strings.SplitSeq(names, ",") {
				fmt.Fprintf(stdout, "%s:\n  RET ;\n", n)
			}
			return 0
		}
	}
	fmt.Fprintln(stdout, "; header")
	for _, m := range defineREAll.FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(stdout, "%s:\n    MOV  R4, c[[0]] ;\n\n%s    RET ;\n\n", m[1], strings.Join(args[1:], " "))
	}
	return 0
}

func testConfig() Config {
	return Config{Commands: map[string]Command{"upper": upper, "list": list}, Features: []string{"here", "llvm-22"}}
}

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// outcome runs the RUN lines of a text.
func outcome(t *testing.T, text string) (bool, string) {
	t.Helper()
	sh := newShell(t, file(t, "a.test", text), testConfig())
	s, err := parse(text)
	require.NoError(t, err)
	ok := sh.script(s.run)
	return ok, sh.log.String()
}

func TestCommandLines(t *testing.T) {
	for text, want := range map[string]bool{
		`RUN: upper a`:          true,
		`RUN: upper -fail`:      false,
		`RUN: not upper -fail`:  true,
		`RUN: not upper`:        false,
		`RUN: not not upper`:    true,
		`RUN: missing-tool`:     false,
		`RUN: not missing-tool`: false,
		`RUN: upper < %s | FileCheck %s` + "\nabc\nCHECK: A{{B}}C":                 true,
		`RUN: upper < %s | FileCheck %s` + "\nabc\nCHECK: abd":                     false,
		`RUN: upper -fail | cat`:                                                   false, // pipefail
		`RUN: upper -fail 2>&1 | cat`:                                              false,
		`RUN: not upper -fail 2>&1 | FileCheck %s` + "\nCHECK: upper: failed":      true,
		`RUN: not upper -fail 2>%t && FileCheck %s <%t` + "\nCHECK: upper: failed": true,
		`RUN: upper -fail && upper`:                                                false,
		`RUN: upper -fail || upper`:                                                true,
		`RUN: upper || upper -fail`:                                                true,
		`RUN: upper -fail ; upper`:                                                 true,
		`RUN: upper ; upper -fail`:                                                 false,
		`RUN: upper ;`:                                                             true,
		"RUN: upper -fail\nRUN: upper":                                             false,
		"RUN: upper \\\n; RUN:   -fail":                                            false,
		`RUN: upper 'a b' "c|d" e\ f > %t && FileCheck --match-full-lines %s < %t` + "\nCHECK: a b\nCHECK-NEXT: c|d\nCHECK-NEXT: e f": true,
		"RUN: upper one > %t\nRUN: upper two >> %t\nRUN: FileCheck --input-file=%t %s\nCHECK: one\nCHECK-NEXT: two":                   true,
		"RUN: upper one &> %t ; cat %t | FileCheck %s\nCHECK: one":                                                                    true,
		`RUN: upper < %t.none`: false,
		`RUN: upper 100%% | FileCheck %s` + "\nCHECK{LITERAL}: 100%":                        true,
		`RUN: upper %s | FileCheck -DDIR=%S -DP=%p %s` + "\nCHECK: [[DIR]]/a.test":          true,
		`RUN: upper %if here %{ yes %} %else %{ no %} | FileCheck %s` + "\nCHECK: {{^}}yes": true,
		`RUN: upper %if !here %{ yes %} %else %{ no %} | FileCheck %s` + "\nCHECK: {{^}}no": true,
		`RUN: upper x%if gone %{ %if here %{ yes %} %} | FileCheck %s` + "\nCHECK: {{^x$}}": true,
		"RUN: upper\nEND.\nRUN: upper -fail":                                                true,
		`RUN: upper |`:                                                                      false,
		`RUN: | upper`:                                                                      false,
		`RUN: upper >`:                                                                      false,
		`RUN: upper > | cat`:                                                                false,
		`RUN: upper 'a`:                                                                     false,
		`RUN: upper & upper`:                                                                false,
		`RUN: upper %q`:                                                                     false,
		`RUN: upper %if`:                                                                    false,
		`RUN: upper %if a b %{ x %}`:                                                        false,
		`RUN: upper %if here %{ x`:                                                          false,
		`RUN: upper %if here %{ x %} %else x`:                                               false,
	} {
		ok, log := outcome(t, text)
		require.Equal(t, want, ok, "%s\n%s", text, log)
	}
}

func TestAFailureIsToldWithItsCommandAndOutput(t *testing.T) {
	_, log := outcome(t, "RUN: upper a > %t\nRUN: upper -fail | upper")
	require.Contains(t, log, "$ upper -fail | upper\nupper: failed as told\nexit status 3\n")
	_, log = outcome(t, "RUN: upper '")
	require.Equal(t, "RUN: upper '\n' without an end\n", log)
	_, err := parse("nothing")
	require.EqualError(t, err, "no RUN: line")
	_, err = parse("RUN: a \\")
	require.EqualError(t, err, "the last RUN: line ends in a backslash")
}

func TestFeatureExpressions(t *testing.T) {
	features := []string{"a", "b-1"}
	for text, want := range map[string]bool{
		"a": true, "c": false, "true": true, "false": false, "!a": false, "!!a": true, "a && b-1": true, "a && c": false,
		"c || b-1": true, "c || a && c": false, "(c || a) && b-1": true, "! ( a && c )": true,
	} {
		got, err := eval(text, features)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "a b", "a &&", "(a", "a)", "&& a", "!", "a & b", strings.Repeat("(", 200)} {
		_, err := eval(text, features)
		require.Error(t, err, text)
	}
}

// TestOutcomesInGoTest runs Run itself in a child process, since its failures
// are failures of the test that calls it.
func TestOutcomesInGoTest(t *testing.T) {
	if dir := os.Getenv("LIT_TEST_DIR"); dir != "" {
		Run(t, dir, testConfig())
		return
	}
	for name, tt := range map[string]struct {
		text, want string
		fails      bool
		required   bool
	}{
		"a test that passes":                     {text: "RUN: upper", want: "--- PASS: TestOutcomesInGoTest/x.ll"},
		"a test that fails":                      {text: "RUN: upper -fail", want: "exit status 3", fails: true},
		"a test without RUN":                     {text: "x", want: "no RUN: line", fails: true},
		"a feature that is here":                 {text: "REQUIRES: here, llvm-22\nRUN: upper", want: "--- PASS: TestOutcomesInGoTest/x.ll"},
		"a feature that is not":                  {text: "REQUIRES: here, gone\nRUN: upper -fail", want: "requires gone"},
		"a feature that is not, though required": {text: "REQUIRES: gone\nRUN: upper", want: "requires gone", fails: true, required: true},
		"a feature that must not be":             {text: "UNSUPPORTED: gone, here\nRUN: upper -fail", want: "unsupported with here"},
		"a failure expected":                     {text: "XFAIL: *\nRUN: upper -fail", want: "fails as XFAIL: * expects"},
		"a failure expected elsewhere":           {text: "XFAIL: gone\nRUN: upper", want: "--- PASS: TestOutcomesInGoTest/x.ll"},
		"a failure expected in vain":             {text: "XFAIL: here\nRUN: upper", want: "passes, but XFAIL: here", fails: true},
		"an expression that is none":             {text: "REQUIRES: &\nRUN: upper", want: "REQUIRES: expected a feature", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestOutcomesInGoTest$", "-test.v")
			required := "PTXLOWER_JUDGES="
			if tt.required {
				required += "required"
			}
			cmd.Env = append(os.Environ(), required, "LIT_TEST_DIR="+filepath.Dir(file(t, "x.ll", tt.text)))
			out, err := cmd.CombinedOutput()
			require.Equal(t, tt.fails, err != nil, "%s", out)
			require.Contains(t, string(out), tt.want)
		})
	}
}

func TestRunFindsTests(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.ll", "sub/b.ptx", "sub/c.test", "sub/readme.md", "sub/Inputs/d.ll"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("RUN: seen %s"), 0o666))
	}
	var seen []string
	Run(t, dir, Config{Commands: map[string]Command{"seen": func(args []string, _ io.Reader, _, _ io.Writer) int {
		name, err := filepath.Rel(dir, args[0])
		require.NoError(t, err)
		seen = append(seen, filepath.ToSlash(name))
		return 0
	}}})
	require.Equal(t, []string{"a.ll", "sub/b.ptx", "sub/c.test"}, seen)
}

func TestLLVMsLitHasTheSameFeatures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "testdata", "lit", "lit.cfg.py"))
	require.NoError(t, err)
	for feature, tools := range Tools {
		require.Contains(t, string(text), fmt.Sprintf("    %q: [\"%s\"],\n", feature, strings.Join(tools, `", "`)))
	}
	require.Equal(t, len(Tools), strings.Count(string(text), `": ["`))
}

// TestLLVMsLitAgrees runs the same files under lit itself.
func TestLLVMsLitAgrees(t *testing.T) {
	python, script := judges.Need(t, "python3"), judges.Need(t, "lit")
	fileCheck, not := judges.Need(t, "FileCheck-22"), judges.Need(t, "not-22")
	dir := t.TempDir()
	tools := filepath.Join(dir, "tools")
	require.NoError(t, os.Mkdir(tools, 0o777))
	require.NoError(t, os.Symlink(fileCheck, filepath.Join(tools, "FileCheck")))
	require.NoError(t, os.Symlink(not, filepath.Join(tools, "not")))
	config := fmt.Sprintf("import lit.formats\nconfig.name = 'agree'\nconfig.test_format = lit.formats.ShTest(False)\n"+
		"config.suffixes = ['.test']\nconfig.available_features = ['here']\nconfig.environment['PATH'] = %q + ':/usr/bin:/bin'\n", tools)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit.cfg.py"), []byte(config), 0o666))
	tests := []string{
		"RUN: cat %s | FileCheck %s\nabc\nCHECK: {{^}}abc",
		"RUN: cat %s | FileCheck %s\nCHECK: {{^}}abd",
		"RUN: not cat %t.none",
		"RUN: not cat %s",
		"RUN: not cat %t.none 2>&1 | FileCheck %s\nCHECK: No such file",
		"RUN: cat %t.none | cat",
		"RUN: cat %t.none || cat %s",
		"RUN: cat %t.none ; cat %s",
		"RUN: cat %s && cat %t.none",
		"RUN: echo 'a b' \"c|d\" e\\ f > %t && FileCheck %s < %t\nCHECK: {{^}}a b c|d e f",
		"RUN: echo one > %t\nRUN: echo two >> %t\nRUN: FileCheck --input-file=%t %s\nCHECK: {{^}}one\nCHECK-NEXT: two",
		"RUN: echo 100%% | FileCheck %s\nCHECK{LITERAL}: 100%",
		"RUN: echo %if here %{ yes %} %else %{ no %} | FileCheck %s\nCHECK: {{^}}yes",
		"RUN: echo %if !here %{ yes %} %else %{ no %} | FileCheck %s\nCHECK: {{^}}no",
		"RUN: echo a \\\nRUN:   b | FileCheck %s\nCHECK: {{^}}a b",
		"XFAIL: here\nRUN: cat %t.none",
		"XFAIL: gone || !here\nRUN: cat %s",
		"RUN: cat %s\nEND.\nRUN: cat %t.none",
	}
	for i, text := range tests {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("t%02d.test", i)), []byte(text+"\n"), 0o666))
	}
	out, _ := exec.Command(python, script, "-j1", "-v", dir).CombinedOutput()
	for i, text := range tests {
		name := fmt.Sprintf("t%02d.test", i)
		path := filepath.Join(dir, name)
		s, err := parse(text)
		require.NoError(t, err)
		sh := newShell(t, path, Config{Features: []string{"here"}})
		ok := sh.script(s.run)
		xfail, err := anyOf(s.xfail, sh.features)
		require.NoError(t, err)
		verdict := map[[2]bool]string{{true, false}: "PASS", {false, false}: "FAIL", {true, true}: "XPASS", {false, true}: "XFAIL"}[[2]bool{ok, xfail != ""}]
		require.Regexp(t, `(?m)^`+verdict+`: agree :: `+name, string(out), "%s\n%s", text, sh.log.String())
	}
}
