package lit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/internal/filecheck"
	"github.com/ptxlower/ptxlower/internal/testutil"
)

// A shell runs the commands of one test.
type shell struct {
	path     string // of the test file
	tmp      string // %t
	root     string // of the checkout
	features []string
	commands map[string]Command
	log      strings.Builder
}

func newShell(t *testing.T, path string, cfg Config) *shell {
	sh := &shell{
		path:     path,
		tmp:      filepath.Join(t.TempDir(), filepath.Base(path)+".tmp"),
		root:     testutil.Root(t),
		features: cfg.Features,
		commands: map[string]Command{"FileCheck": filecheck.Main},
	}
	maps.Copy(sh.commands, cfg.Commands)
	return sh
}

// script runs RUN lines until one fails.
func (sh *shell) script(lines []string) bool {
	for _, line := range lines {
		status, err := sh.line(line)
		if err != nil {
			fmt.Fprintf(&sh.log, "RUN: %s\n%v\n", line, err)
			return false
		}
		if status != 0 {
			return false
		}
	}
	return true
}

func (sh *shell) line(line string) (int, error) {
	text, err := sh.expand(line)
	if err != nil {
		return 0, err
	}
	list, err := split(text)
	if err != nil {
		return 0, err
	}
	status := 0
	for _, p := range list {
		if p.after == "&&" && status != 0 || p.after == "||" && status == 0 {
			continue
		}
		var out bytes.Buffer
		status = sh.pipe(p.stages, &out, &out)
		fmt.Fprintf(&sh.log, "$ %s\n%s", p.text(), out.String())
		if status != 0 {
			fmt.Fprintf(&sh.log, "exit status %d\n", status)
		}
	}
	return status, nil
}

// expand makes the substitutions of a line.
func (sh *shell) expand(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:i])
		s = s[i:]
		if rest, ok := strings.CutPrefix(s, "%if"); ok {
			text, rest, err := sh.conditional(rest)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
			s = rest
			continue
		}
		switch s[1] {
		case 's':
			b.WriteString(sh.path)
		case 'S', 'p':
			b.WriteString(filepath.Dir(sh.path))
		case 't':
			b.WriteString(sh.tmp)
		case '%':
			b.WriteByte('%')
		default:
			return "", fmt.Errorf("unknown substitution %q", s[:2])
		}
		s = s[2:]
	}
}

// conditional expands what follows %if, and gives what follows that.
func (sh *shell) conditional(s string) (text, rest string, err error) {
	cond, rest, ok := strings.Cut(s, "%{")
	if !ok {
		return "", "", errors.New("%if without %{")
	}
	holds, err := eval(strings.TrimSpace(cond), sh.features)
	if err != nil {
		return "", "", err
	}
	yes, rest, err := block(rest)
	if err != nil {
		return "", "", err
	}
	no := ""
	if r, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "%else"); ok {
		if r, ok = strings.CutPrefix(strings.TrimLeft(r, " "), "%{"); !ok {
			return "", "", errors.New("%else without %{")
		}
		if no, rest, err = block(r); err != nil {
			return "", "", err
		}
	}
	if !holds {
		yes = no
	}
	text, err = sh.expand(yes)
	return text, rest, err
}

// block is the text up to the %} that ends it, blanks at its ends left out.
func block(s string) (body, rest string, err error) {
	depth := 1
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "%%":
			i++
		case "%{":
			depth++
		case "%}":
			if depth--; depth == 0 {
				return strings.TrimSpace(s[:i]), s[i+2:], nil
			}
		}
	}
	return "", "", errors.New("%{ without %}")
}

// A pipeline is stages joined by "|", and the operator before it.
type pipeline struct {
	after  string // "", "&&", "||" or ";"
	stages []stage
}

type stage struct {
	args      []string
	redirects []redirect
}

// A redirect is an operator and its file; "2>&1" and "1>&2" have none.
type redirect struct{ op, file string }

func (p *pipeline) text() string {
	var parts []string
	for _, s := range p.stages {
		words := strings.Join(s.args, " ")
		for _, r := range s.redirects {
			words += " " + r.op + r.file
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, " | ")
}

var operators = []string{"2>&1", "1>&2", ">&2", "2>>", "2>", "&>", "&&", "||", ">>", ">", "<", "|", ";"}

// split parses a command line.
func split(s string) ([]pipeline, error) {
	list := []pipeline{{stages: []stage{{}}}}
	last := func() *stage {
		p := &list[len(list)-1]
		return &p.stages[len(p.stages)-1]
	}
	pending := "" // a redirection that waits for its file
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		op := ""
		for _, o := range operators {
			if strings.HasPrefix(s, o) {
				op = o
				break
			}
		}
		if op == "" {
			word, rest, err := cutWord(s)
			if err != nil {
				return nil, err
			}
			if s = rest; pending != "" {
				last().redirects = append(last().redirects, redirect{pending, word})
				pending = ""
			} else {
				last().args = append(last().args, word)
			}
			continue
		}
		if s = s[len(op):]; pending != "" {
			return nil, fmt.Errorf("%q needs a file", pending)
		}
		switch op {
		case "|", "&&", "||", ";":
			if len(last().args) == 0 {
				return nil, fmt.Errorf("no command before %q", op)
			}
			if op == "|" {
				p := &list[len(list)-1]
				p.stages = append(p.stages, stage{})
			} else {
				list = append(list, pipeline{after: op, stages: []stage{{}}})
			}
		case "2>&1", "1>&2", ">&2":
			last().redirects = append(last().redirects, redirect{op: op})
		default:
			pending = op
		}
	}
	switch p := list[len(list)-1]; {
	case pending != "":
		return nil, fmt.Errorf("%q needs a file", pending)
	case len(last().args) == 0 && p.after == ";" && len(p.stages) == 1:
		return list[:len(list)-1], nil
	case len(last().args) == 0:
		return nil, errors.New("the command line ends where a command is expected")
	}
	return list, nil
}

// cutWord splits off the first word and takes its quotes away.
func cutWord(s string) (word, rest string, err error) {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(s) && (quote == 0 || s[i+1] == '"' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		case quote == 0 && strings.IndexByte(" \t|;<>&", c) >= 0:
			if c != '&' || strings.HasPrefix(s[i:], "&&") || strings.HasPrefix(s[i:], "&>") {
				return b.String(), s[i:], nil
			}
			return "", "", errors.New(`"&" is not known`)
		default:
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		return "", "", fmt.Errorf("%c without an end", quote)
	}
	return b.String(), "", nil
}

// pipe runs the stages one after the other; the status is the last that is not
// zero.
func (sh *shell) pipe(stages []stage, stdout, stderr io.Writer) int {
	status := 0
	var in io.Reader = strings.NewReader("")
	for i, s := range stages {
		out := stdout
		var next bytes.Buffer
		if i+1 < len(stages) {
			out = &next
		}
		if st := sh.stage(s, in, out, stderr); st != 0 {
			status = st
		}
		in = &next
	}
	return status
}

func (sh *shell) stage(s stage, in io.Reader, out, errs io.Writer) int {
	for _, r := range s.redirects {
		var f *os.File
		var err error
		switch r.op {
		case "2>&1":
			errs = out
			continue
		case "1>&2", ">&2":
			out = errs
			continue
		case "<":
			f, err = os.Open(r.file)
		case ">>", "2>>":
			f, err = os.OpenFile(r.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		default:
			f, err = os.Create(r.file)
		}
		if err != nil {
			fmt.Fprintln(errs, err)
			return 1
		}
		defer f.Close()
		switch r.op {
		case "<":
			in = f
		case ">", ">>":
			out = f
		case "2>", "2>>":
			errs = f
		case "&>":
			out, errs = f, f
		}
	}
	return sh.call(s.args, in, out, errs)
}

// call runs one command: "not", a tool of this process, or one on PATH.
func (sh *shell) call(args []string, in io.Reader, out, errs io.Writer) int {
	name, rest := args[0], args[1:]
	if name == "not" {
		if len(rest) == 0 {
			return 1
		}
		// A tool that is missing or crashes has not failed as expected.
		if status := sh.call(rest, in, out, errs); status == 0 || status >= 126 {
			return 1
		}
		return 0
	}
	if c := sh.commands[name]; c != nil {
		return c(rest, in, out, errs)
	}
	path := name
	if !strings.Contains(name, "/") {
		path = lookup(sh.root, name)
	}
	if path == "" {
		fmt.Fprintf(errs, "%s: command not found\n", name)
		return 127
	}
	cmd := exec.Command(path, rest...)
	cmd.Dir = filepath.Dir(sh.tmp)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintln(errs, err)
	return 126
}
