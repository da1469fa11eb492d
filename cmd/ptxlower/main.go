// Command ptxlower lowers LLVM IR with PTX's integer multiply-add family to
// what a GPU really has. See ptxlower --help.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
)

// The exit codes.
const (
	exitDone           = 0
	exitInput          = 1 // the input is wrong or cannot be read, the output cannot be written
	exitUsage          = 2 // the command is wrong
	exitCounterexample = 3
	exitUndecided      = 4
	exitInternal       = 70
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a process that ends soon: less time for more memory
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// exit ends a command with a code; a text, where there is one, is printed as an
// error.
type exit struct {
	code int
	text string
}

func (e *exit) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &exit{exitUsage, fmt.Sprintf(format, args...)}
}

func inputf(format string, args ...any) error {
	return &exit{exitInput, fmt.Sprintf(format, args...)}
}

// Main runs the command and gives its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "ptxlower: internal error: %v\n%s\nThis is a bug in %s: please report it with the input.\n", p, debug.Stack(), version())
			code = exitInternal
		}
	}()
	c := &command{in: stdin, stdout: stdout, err: stderr, diagFormat: string(diag.Text)}
	err := c.run(args)
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{code: exitDone}
	}
	if e.code == exitDone || c.keep {
		if _, err := c.out.WriteTo(stdout); err != nil {
			e = writeError(err)
		}
	}
	if e.text != "" {
		c.fatal(e.text)
	}
	return e.code
}

// writeError ends a command whose output cannot be written. That its reader is
// gone is quiet.
func writeError(err error) *exit {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return &exit{code: exitDone}
	}
	return &exit{exitInput, fmt.Sprintf("cannot write the output: %v", reason(err))}
}

// reason is an error of a file without the operation and the name.
func reason(err error) error {
	var p *os.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// command is one run.
type command struct {
	in          io.Reader
	stdout, err io.Writer
	out         bytes.Buffer // standard output, written at the end of a run that is done
	keep        bool         // out is also written when the exit code is not 0

	target, emit, sites, output, verify, model, body, diagFormat, printAfter string
	level, errorLimit                                                        int
	warn, assume                                                             []string
	json, remarks, madClamp                                                  bool
}

// run parses the arguments and runs the command that they name. The error is an
// *exit or nil.
func (c *command) run(args []string) error {
	root := c.root()
	args, typed, err := rewrite(root, args)
	if err != nil {
		return err
	}
	root.SetArgs(args)
	root.SetOut(&c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err, typed) })
	err = root.Execute()
	var e *exit
	if err == nil || errors.As(err, &e) {
		return err
	}
	return usagef("%v", err) // cobra's own
}

// fatal prints an error that is about no place.
func (c *command) fatal(text string) {
	if diag.Format(c.diagFormat) == diag.JSON {
		diag.Render(c.err, []diag.Diagnostic{{Severity: diag.Error, Text: text}}, diag.JSON, 0)
		return
	}
	fmt.Fprintf(c.err, "ptxlower: error: %s\n", text)
}

const longHelp = `ptxlower reads LLVM IR that contains PTX's integer multiply-add family
(mul24 mad24, mul mad, add.cc addc sub.cc subc mad.cc madc, vmad) as inline
assembly, as calls of @ptx.<form>, or as mul24/mad24 built-ins, and lowers it to
what a GPU really has.`

const examples = `  ptxlower kernel.ll --target=gfx900 --emit=llvm -o out.ll   the same module, portable IR for PTX
  ptxlower kernel.ll --target=sm_70                          a listing of every function
  ptxlower -e 'mad24.hi.u32 d, a, b, c' --target=gfx900      one instruction, no file`

const moreHelp = `
Warnings:
  -w none   -Werror all are errors   -Wno-ID   -Werror=ID   -Wno-error=ID   (the ID is in brackets)

Exit status:
  0 done   1 the input is wrong   2 the command is wrong   3 a lowering is wrong
  4 not all is proved (--verify=prove)   70 a bug of ours
  Nothing is written unless the status is 0.
`

// helpWidth is the number of columns of the help texts.
const helpWidth = 100

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:               "ptxlower [FILE|-]",
		Short:             "lower PTX's integer multiply-add family in LLVM IR",
		Long:              longHelp,
		Example:           examples,
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              oneFile,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return c.validate(cmd) },
		RunE:              c.lower,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	f := root.Flags()
	f.StringVarP(&c.body, "expr", "e", "", "lower this PTX `BODY` instead of a file")
	f.StringVar(&c.emit, "emit", "", "print `WHAT`: asm, llvm, ir, json or none (default asm; llvm for a module that is for no GPU)")
	f.StringVar(&c.sites, "sites", "llvm", "with --emit=llvm, put `WHAT` in the place of PTX: llvm (portable IR), or asm (inline assembly of one of AMD's GPUs)")
	f.StringVarP(&c.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.StringVar(&c.verify, "verify", "run", "check each lowering: `HOW` is run, prove or off. run compares it with its source on 1000 vectors "+
		"for each site and each function without branches, in 64 runs for one with branches (AMD: and in a wave of all lanes); the seed is fixed. "+
		"prove reads what is printed back and proves it for all inputs")
	f.StringArrayVar(&c.assume, "assume", nil, "write carry chains for `@FUNC:%NAME<2^31` (or <=, another bound, any function without @FUNC:); "+
		"for other values they may compute something else")
	f.StringVar(&c.printAfter, "print-after", "", "print each function after `PASS`; all: after every pass")
	f.BoolVar(&c.remarks, "remarks", false, "say what each site costs by itself, and by which rules")
	f.IntVar(&c.level, "opt-level", 1, "`N` = 0: no pass that is not needed (also -O0, -O1)")
	p := root.PersistentFlags()
	p.StringVar(&c.target, "target", "", "`GPU`: sm_70, gfx900, generic … (also -mcpu=, -arch=, --gpu-name=); see ptxlower targets")
	p.StringVar(&c.model, "vmad", "isa", "what vmad means: `MODEL` is isa (the manual) or ptxas (what NVIDIA's assembler computes from sm_60 on)")
	p.BoolVar(&c.madClamp, "amd-mad-clamp", false, "let AMD's v_mad and v_dot saturate by their clamp modifier; what it does is documented, and not seen on hardware")
	p.StringVar(&c.diagFormat, "diag-format", "text", "print diagnostics as `FORMAT`: text, short or json")
	p.IntVar(&c.errorLimit, "error-limit", 20, "print at most `N` errors (0: all)")
	p.StringArrayVar(&c.warn, "warn", nil, "error, no-ID, error=ID, no-error=ID, none (also -Werror, -Wno-ID, …, -w)")
	_ = p.MarkHidden("warn")
	root.AddCommand(c.sitesCommand(), c.explainCommand(), c.evalCommand(), c.proveCommand(), c.formsCommand(), c.targetsCommand(), c.completionCommand())
	root.SetHelpCommand(helpCommand())
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", helpWidth))
	root.SetUsageTemplate(usage + "{{if not .HasParent}}" + moreHelp + "{{end}}")
	complete(root)
	return root
}

func version() string {
	v, goVersion := "devel", ""
	if bi, ok := debug.ReadBuildInfo(); ok {
		goVersion = bi.GoVersion
		if bi.Main.Version != "" && bi.Main.Version != "(devel)" {
			v = bi.Main.Version
		}
	}
	return strings.TrimSpace("ptxlower " + v + " " + goVersion)
}

// fail turns an error of the library into one with an exit code.
func fail(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ptxlower.ErrUsage):
		return &exit{exitUsage, err.Error()}
	case errors.Is(err, ptxlower.ErrCounterexample):
		return &exit{exitCounterexample, ""}
	case errors.Is(err, ptxlower.ErrUndecided):
		return &exit{exitUndecided, ""}
	case errors.Is(err, ptxlower.ErrInput):
		return &exit{exitInput, ""}
	}
	return &exit{exitInternal, "internal error: " + err.Error()}
}
