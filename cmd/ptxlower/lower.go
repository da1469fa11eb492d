package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

// lower is the root command: a file, standard input, or -e.
func (c *command) lower(cmd *cobra.Command, args []string) error {
	opt, err := c.options()
	if err != nil {
		return err
	}
	var res *ptxlower.Result
	if cmd.Flags().Changed("expr") {
		if len(args) > 0 {
			return usagef("-e takes no file besides")
		}
		res, err = ptxlower.LowerBody(cmd.Context(), c.body, opt)
	} else {
		name, src, rerr := c.read(cmd, args)
		if rerr != nil {
			return rerr
		}
		res, err = ptxlower.Lower(cmd.Context(), name, src, opt)
	}
	ds, werr := c.warnings(res.Diags)
	c.print(ds)
	if err := fail(err); err != nil {
		return err
	}
	if werr {
		return &exit{exitInput, ""}
	}
	return c.write(res.Output)
}

func (c *command) options() (ptxlower.Options, error) {
	opt := ptxlower.Options{Target: c.target, Emit: ptxlower.Emit(c.emit), Verify: ptxlower.Verify(c.verify), O0: c.level == 0}
	var err error
	if opt.Model, err = c.vmad(); err != nil {
		return opt, err
	}
	if f := diag.Format(c.diagFormat); f != diag.Text && f != diag.Short && f != diag.JSON {
		return opt, usagef("unknown --diag-format %q: text, short or json", c.diagFormat)
	}
	if c.target != "" {
		if _, err := targets.Find(c.target); err != nil {
			return opt, usagef("%v", err)
		}
	}
	opt.KeepCCOverCalls = slices.Contains(c.warn, "no-error=cc-call")
	if c.printAfter != "" {
		if !slices.ContainsFunc(lower.Passes, func(p lower.Pass) bool { return p.Name == c.printAfter }) && c.printAfter != "all" {
			var names []string
			for _, p := range lower.Passes {
				names = append(names, p.Name)
			}
			return opt, usagef("unknown pass %q: %s or all", c.printAfter, strings.Join(names, ", "))
		}
		opt.After = func(p *lower.Pass, f *ir.Func) {
			if c.printAfter == "all" || c.printAfter == p.Name {
				fmt.Fprintf(c.err, "; after %s\n%s\n", p.Name, f)
			}
		}
	}
	return opt, nil
}

func (c *command) vmad() (ptx.Model, error) {
	switch c.model {
	case "isa":
		return ptx.ISA, nil
	case "ptxas":
		return ptx.PTXAS, nil
	}
	return 0, usagef("unknown --vmad %q: isa or ptxas", c.model)
}

// read gives the input: the named file, or standard input for - and without a
// name.
func (c *command) read(cmd *cobra.Command, args []string) (string, []byte, error) {
	if len(args) == 0 {
		if f, ok := c.in.(*os.File); ok {
			if st, err := f.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 {
				return "", nil, usagef("no input: give a file, - for standard input, or -e BODY; see ptxlower --help")
			}
		}
		args = []string{"-"}
	}
	if args[0] == "-" {
		src, err := io.ReadAll(c.in)
		if err != nil {
			return "", nil, inputf("standard input: %v", err)
		}
		return "<stdin>", src, nil
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		text := err.Error()
		if os.IsNotExist(err) {
			var names []string
			for _, sub := range cmd.Root().Commands() {
				names = append(names, sub.Name())
			}
			if s := targets.Nearest(args[0], names); s != "" {
				text += fmt.Sprintf("; did you mean ptxlower %s?", s)
			}
		}
		return "", nil, inputf("%s", text)
	}
	return args[0], src, nil
}

// warnings applies -W flags; it reports whether a warning became an error.
func (c *command) warnings(ds []diag.Diagnostic) ([]diag.Diagnostic, bool) {
	var out []diag.Diagnostic
	failed := false
	for _, d := range ds {
		if d.Severity == diag.Warning {
			drop, err := false, false
			for _, w := range c.warn {
				switch {
				case w == "none", w == "no-"+d.ID:
					drop = true
				case w == "error", w == "error="+d.ID:
					err = true
				case w == "no-error="+d.ID, w == "no-error":
					err = false
				}
			}
			if drop {
				continue
			}
			if err {
				d.Severity = diag.Error
				failed = true
			}
		}
		out = append(out, d)
	}
	return out, failed
}

func (c *command) print(ds []diag.Diagnostic) {
	diag.Render(c.err, ds, diag.Format(c.diagFormat), c.errorLimit)
}

// write puts the output where -o says. A file appears whole or not at all.
func (c *command) write(text []byte) error {
	if c.output == "" || c.output == "-" {
		_, _ = c.out.Write(text) // a closed pipe is quiet
		return nil
	}
	if st, err := os.Stat(c.output); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		if err := os.WriteFile(c.output, text, 0o666); err != nil { // /dev/null and the like
			return inputf("%v", err)
		}
		return nil
	}
	tmp, err := os.CreateTemp(filepath.Dir(c.output), "."+filepath.Base(c.output)+".*")
	if err != nil {
		return inputf("cannot write %s: %v", c.output, err)
	}
	_, err = tmp.Write(text)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), c.output)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return inputf("cannot write %s: %v", c.output, err)
	}
	return nil
}
