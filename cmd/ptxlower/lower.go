package main

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/lower/rechain"
	"github.com/ptxlower/ptxlower/ptx"
)

// lower is the root command: a file, standard input, or -e.
func (c *command) lower(cmd *cobra.Command, args []string) error {
	opt := c.options()
	var res *ptxlower.Result
	var err error
	body := cmd.Flags().Changed("expr")
	if body {
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
	werr := c.report(res.Diags)
	if err = fail(err); err == nil {
		err = werr
	}
	if e, ok := err.(*exit); ok {
		if body && e.code == exitInput {
			e.code = exitUsage // what is wrong stands on the command line
		}
		return e
	}
	return c.write(res.Output)
}

func (c *command) options() ptxlower.Options {
	opt := ptxlower.Options{
		Target: c.target, Emit: ptxlower.Emit(c.emit), Sites: ptxlower.SiteCode(c.sites), Verify: ptxlower.Verify(c.verify), Model: c.vmad(), O0: c.level == 0, Remarks: c.remarks, AMDMadClamp: c.madClamp,
		Assume: c.assume,
	}
	for _, w := range c.warn {
		switch w {
		case "no-error=cc-call":
			opt.KeepCCOverCalls = true
		case "error=cc-call":
			opt.KeepCCOverCalls = false
		}
	}
	if c.printAfter == "all" || c.printAfter == "rechain" {
		opt.Chain = func(rep rechain.Report) {
			for _, ch := range rep.Chains {
				fmt.Fprintf(c.err, "; %s\n", ch.Formula())
			}
		}
	}
	if c.printAfter != "" {
		opt.After = func(p *lower.Pass, f *ir.Func) {
			if c.printAfter == "all" || c.printAfter == p.Name {
				fmt.Fprintf(c.err, "; after %s\n%s\n", p.Name, f)
			}
		}
	}
	return opt
}

func (c *command) vmad() ptx.Model {
	if c.model == "ptxas" {
		return ptx.PTXAS
	}
	return ptx.ISA
}

// read gives the input: the named file, or standard input for - and without a
// name.
func (c *command) read(cmd *cobra.Command, args []string) (string, []byte, error) {
	if len(args) == 0 {
		if f, ok := c.in.(*os.File); ok && terminal(f) {
			return "", nil, usagef("no input: give a file, - for standard input, or -e BODY; see ptxlower --help")
		}
		args = []string{"-"}
	}
	if args[0] == "-" {
		src, err := io.ReadAll(c.in)
		if err != nil {
			return "", nil, inputf("cannot read standard input: %v", reason(err))
		}
		return "<stdin>", src, nil
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		text := fmt.Sprintf("cannot read %s: %v", args[0], reason(err))
		if os.IsNotExist(err) {
			if s := nearestCommand(cmd, args[0]); s != "" {
				text += fmt.Sprintf("; did you mean %s?", s)
			}
		}
		return "", nil, inputf("%s", text)
	}
	return args[0], src, nil
}

// terminal reports a character device other than /dev/null.
func terminal(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(st, null)
}

// warnings applies -W flags, of which the last that speaks of a diagnostic
// counts. The error says that a warning became one.
func (c *command) warnings(ds []diag.Diagnostic) ([]diag.Diagnostic, error) {
	var out []diag.Diagnostic
	failed := false
	for _, d := range ds {
		if d.Severity == diag.Warning || d.Severity == diag.Remark {
			none, drop, err := false, false, false
			for _, w := range c.warn {
				switch w {
				case "none":
					none = true
				case "all", d.ID:
					drop = false
				case "no-" + d.ID:
					drop = true
				case "error":
					err = true
				case "error=" + d.ID:
					drop, err = false, true
				case "no-error", "no-error=" + d.ID:
					err = false
				}
			}
			if drop || none && d.Severity == diag.Warning {
				continue
			}
			if err && d.Severity == diag.Warning {
				d.Severity = diag.Error
				failed = true
			}
		}
		out = append(out, d)
	}
	if failed {
		return out, &exit{exitInput, ""}
	}
	return out, nil
}

// report prints diagnostics as the -W flags have them; the error says that a
// warning became one.
func (c *command) report(ds []diag.Diagnostic) error {
	ds, err := c.warnings(ds)
	diag.Render(c.err, ds, diag.Format(c.diagFormat), c.errorLimit)
	return err
}

// write puts the output where -o says. A file appears whole or not at all.
func (c *command) write(text []byte) error {
	if c.output == "" || c.output == "-" {
		c.out.Write(text)
		return nil
	}
	if err := writeFile(c.output, text); err != nil {
		return inputf("cannot write %s: %v", c.output, err)
	}
	return nil
}

// writeFile replaces a file by renaming; a link keeps leading to it. Devices
// and pipes are written to.
func writeFile(name string, text []byte) error {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		name = path
	}
	mode := fs.FileMode(0)
	if st, err := os.Stat(name); err == nil {
		old, err := os.OpenFile(name, os.O_WRONLY, 0) // fails for a folder and without the right to write
		if err != nil {
			return reason(err)
		}
		defer old.Close()
		if !st.Mode().IsRegular() {
			_, err := old.Write(text)
			return reason(err)
		}
		mode = st.Mode().Perm()
	}
	tmp, err := createBeside(name)
	if err != nil {
		return reason(err)
	}
	_, err = tmp.Write(text)
	if err == nil && mode != 0 {
		err = tmp.Chmod(mode)
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return reason(err)
	}
	return nil
}

// createBeside makes a new file in the folder of another one, with the mode
// that the user's umask gives new files.
func createBeside(name string) (*os.File, error) {
	for {
		tmp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%08x", filepath.Base(name), rand.Uint32()))
		f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !os.IsExist(err) {
			return f, err
		}
	}
}
