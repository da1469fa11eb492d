package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/targets"
)

// output runs the command.
func output(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestHelpFitsTheScreenAndNamesEveryCommandAndFlag(t *testing.T) {
	c := &command{}
	root := c.root()
	commands := [][]string{{"--help"}}
	for _, sub := range root.Commands() {
		commands = append(commands, []string{sub.Name(), "--help"})
	}
	require.Greater(t, len(commands), 6)
	for _, args := range commands {
		code, out, errs := output(args...)
		require.Zero(t, code, args)
		require.Empty(t, errs, args)
		for i, line := range strings.Split(out, "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), helpWidth, "%v, line %d: %s", args, i+1, line)
			require.Equal(t, strings.TrimRight(line, " \t"), line, "%v, line %d ends in blanks", args, i+1)
		}
	}
	_, out, _ := output("--help")
	for _, sub := range root.Commands() {
		require.Regexp(t, `(?m)^  `+sub.Name()+` +`+sub.Short[:10], out)
		require.NotContains(t, sub.Short, "\n")
	}
	for name, f := range allFlags(root) {
		if len(name) > 1 && !f.Hidden && root.Flag(name) != nil {
			require.Contains(t, out, "--"+name)
		}
	}
	for _, code := range []int{exitDone, exitInput, exitUsage, exitCounterexample, exitUndecided, exitInternal} {
		require.Regexp(t, fmt.Sprintf(`(?m)^  .*\b%d [a-z]`, code), out[strings.Index(out, "Exit status"):])
	}
}

func TestEachKindOfErrorHasItsExitCode(t *testing.T) {
	for err, code := range map[error]int{
		ptxlower.ErrInput: 1, ptxlower.ErrUsage: 2, ptxlower.ErrCounterexample: 3, ptxlower.ErrUndecided: 4, errors.New("oops"): 70,
	} {
		var e *exit
		require.ErrorAs(t, fail(fmt.Errorf("wrapped: %w", err)), &e)
		require.Equal(t, code, e.code, err)
	}
	require.NoError(t, fail(nil))
}

func TestATargetWithoutRulesIsNamed(t *testing.T) {
	file := filepath.Join(testutil.Root(t), "examples", "carry.ll")
	for _, i := range targets.All() {
		if i.Target != nil {
			continue
		}
		code, out, errs := output(file, "--target="+i.Name)
		require.Equal(t, 2, code)
		require.Empty(t, out)
		require.Contains(t, errs, "target "+i.Name+" has no native rules yet: use --emit=llvm, or --target with one of ")
		code, _, errs = output("explain", "add.u32", "--target="+i.Name)
		require.Equal(t, 2, code)
		require.Equal(t, "ptxlower: error: target "+i.Name+" has no rules yet\n", errs)
		code, out, _ = output(file, "--target="+i.Name, "--emit=llvm")
		require.Zero(t, code)
		require.Contains(t, out, "define { i32, i32 } @mac(")
	}
}

// broken panics when it is read.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("the reader is broken") }

func TestAPanicIsReportedAsABugOfOurs(t *testing.T) {
	var out, errs bytes.Buffer
	code := Main([]string{"-", "--emit=llvm"}, broken{}, &out, &errs)
	require.Equal(t, 70, code)
	require.Empty(t, out.String())
	require.True(t, strings.HasPrefix(errs.String(), "ptxlower: internal error: the reader is broken\n"), errs.String())
	require.Contains(t, errs.String(), "This is a bug in ptxlower ")
}

// gone is a pipe whose reader went away, or a disk that is full.
type gone struct{ err error }

func (g gone) Write([]byte) (int, error) { return 0, g.err }

func TestAReaderThatGoesAwayIsQuiet(t *testing.T) {
	for _, args := range [][]string{{"targets"}, {"forms", "--json"}, {"eval", "--batch"}, {"--help"}, {"completion", "bash"}} {
		var errs bytes.Buffer
		require.Zero(t, Main(args, strings.NewReader("add.u32 d, a, b;\ta=1,b=2\n"), gone{io.ErrClosedPipe}, &errs), args)
		require.Empty(t, errs.String(), args)
		require.Equal(t, 1, Main(args, strings.NewReader("add.u32 d, a, b;\ta=1,b=2\n"), gone{errors.New("disk full")}, &errs), args)
		require.Equal(t, "ptxlower: error: cannot write the output: disk full\n", errs.String(), args)
	}
}
