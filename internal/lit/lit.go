// Package lit runs golden tests in the format of LLVM's lit within go test:
// the tools under test run in this process, a shell is not needed, and the same
// files run unchanged under lit itself.
//
// A test is a .ll, .ptx or .test file with lines that contain
//
//	RUN: COMMAND        a backslash at the end joins the next RUN line
//	REQUIRES: FEATURE…  all must hold     UNSUPPORTED: FEATURE…  none may
//	XFAIL: FEATURE…     expected to fail where one holds, "*" everywhere
//	END.                nothing below is read
//
// FEATURE is a name or an expression of !, &&, || and parentheses; commas
// separate several. Commands know pipes (a failing stage fails the whole), &&,
// ||, ;, quotes, <, >, >>, 2>, 2>&1, &>; and
//
//	%s  the test file    %S %p  its folder    %t  a path for temporary files
//	%%  a percent sign
//	%if EXPRESSION %{ TEXT %} [%else %{ TEXT %}]
//
// Stages of a pipe run one after the other. Tools of this process see its
// working directory, so that paths are to be written with %s, %S or %t.
package lit

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

// A Command is a tool that runs in this process. args are without its name; it
// gives the exit status.
type Command func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Config says what the tests can use.
type Config struct {
	Commands map[string]Command // beside FileCheck, not and what is on PATH
	Features []string           // that REQUIRES, UNSUPPORTED, XFAIL and %if ask for
	Update   bool               // write CHECK lines anew where a file asks for it: see update.go
}

// Run runs each test below dir as a subtest named by its path. Folders named
// Inputs hold no tests.
func Run(t *testing.T, dir string, cfg Config) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "Inputs":
			return fs.SkipDir
		case d.IsDir() || !slices.Contains(suffixes, filepath.Ext(path)):
			return nil
		}
		found = true
		name, err := filepath.Rel(dir, path)
		t.Run(filepath.ToSlash(name), func(t *testing.T) { run(t, path, cfg) })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatalf("no test below %s", dir)
	}
}

var suffixes = []string{".ll", ".ptx", ".test"}

// Tools maps a feature to the outside tools any of which brings it.
// testdata/lit/lit.cfg.py has the same table.
var Tools = map[string][]string{
	"llvm-14":  {"llvm-as-14"},
	"llvm-16":  {"llvm-as-16"},
	"llvm-19":  {"llvm-as-19"},
	"llvm-22":  {"llvm-as-22"},
	"clang-14": {"clang-14"},
	"clang-16": {"clang-16"},
	"clang-19": {"clang-19"},
	"clang-22": {"clang-22"},
	"ptxas":    {"ptxas-11.8", "ptxas-12.9", "ptxas-13.5"},
	"nvdisasm": {"nvdisasm-12.8", "nvdisasm-13.5"},
	"z3":       {"z3"},
	"cvc5":     {"cvc5"},
}

// JudgeFeatures are the features whose tools are here, sorted.
func JudgeFeatures(t testing.TB) []string {
	var out []string
	for feature, tools := range Tools {
		if slices.ContainsFunc(tools, func(tool string) bool { return lookup(testutil.Root(t), tool) != "" }) {
			out = append(out, feature)
		}
	}
	slices.Sort(out)
	return out
}

// lookup is a tool's path: on PATH, or where scripts/judges puts it.
func lookup(root, tool string) string {
	if p, err := exec.LookPath(tool); err == nil {
		return p
	}
	p := filepath.Join(root, ".cache", "judges", "bin", tool)
	if info, err := os.Stat(p); err == nil && !info.IsDir() {
		return p
	}
	return ""
}

// run runs one test file.
func run(t *testing.T, path string, cfg Config) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sh := newShell(t, path, cfg)
	if cfg.Update {
		updated, err := sh.update(string(text))
		if err != nil {
			t.Fatalf("%s: -update: %v", path, err)
		}
		if updated != string(text) {
			if err := os.WriteFile(path, []byte(updated), 0o666); err != nil {
				t.Fatal(err)
			}
			text = []byte(updated)
		}
	}
	script, err := parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, r := range script.requires {
		ok, err := eval(r, cfg.Features)
		switch {
		case err != nil:
			t.Fatalf("%s: REQUIRES: %v", path, err)
		case !ok && os.Getenv("PTXLOWER_JUDGES") == "required":
			t.Fatalf("requires %s: run scripts/judges", r)
		case !ok:
			t.Skipf("requires %s", r)
		}
	}
	if r, err := anyOf(script.unsupported, cfg.Features); err != nil {
		t.Fatalf("%s: UNSUPPORTED: %v", path, err)
	} else if r != "" {
		t.Skipf("unsupported with %s", r)
	}
	xfail, err := anyOf(script.xfail, cfg.Features)
	if err != nil {
		t.Fatalf("%s: XFAIL: %v", path, err)
	}
	ok := sh.script(script.run)
	switch {
	case !ok && xfail == "":
		t.Fatalf("%s fails:\n%s", path, sh.log.String())
	case ok && xfail != "":
		t.Fatalf("%s passes, but XFAIL: %s expects it to fail:\n%s", path, xfail, sh.log.String())
	case xfail != "":
		t.Logf("fails as XFAIL: %s expects", xfail)
	}
}

// A script is what a test file says.
type script struct {
	run                          []string // with continuation lines joined
	requires, unsupported, xfail []string
}

func parse(text string) (s script, err error) {
	keywords := []struct {
		word string
		list *[]string
	}{{"RUN:", &s.run}, {"REQUIRES:", &s.requires}, {"UNSUPPORTED:", &s.unsupported}, {"XFAIL:", &s.xfail}}
	joined := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasSuffix(line, "END.") {
			break
		}
		for _, k := range keywords {
			_, rest, ok := strings.Cut(line, k.word)
			if !ok {
				continue
			}
			rest = strings.TrimSpace(rest)
			if k.list != &s.run {
				for item := range strings.SplitSeq(rest, ",") {
					*k.list = append(*k.list, strings.TrimSpace(item))
				}
				break
			}
			if joined {
				s.run[len(s.run)-1] += rest
			} else {
				s.run = append(s.run, rest)
			}
			last := &s.run[len(s.run)-1]
			*last, joined = strings.CutSuffix(*last, `\`)
			break
		}
	}
	switch {
	case len(s.run) == 0:
		return s, fmt.Errorf("no RUN: line")
	case joined:
		return s, fmt.Errorf("the last RUN: line ends in a backslash")
	}
	return s, nil
}

// anyOf is the first expression that holds, or "".
func anyOf(list, features []string) (string, error) {
	for _, e := range list {
		if e == "*" {
			return e, nil
		}
		if ok, err := eval(e, features); err != nil || ok {
			return e, err
		}
	}
	return "", nil
}
