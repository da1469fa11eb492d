// Command ptxlower lowers LLVM IR with PTX's integer multiply-add family to
// what a GPU really has. See ptxlower --help.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/targets"
)

// The exit codes.
const (
	exitDone           = 0
	exitInput          = 1 // the input is wrong, or cannot be read
	exitUsage          = 2 // the command is wrong
	exitCounterexample = 3
	exitInternal       = 70
)

func main() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

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
	out := bufio.NewWriter(stdout)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "ptxlower: internal error: %v\n%s\nThis is a bug in %s: please report it with the input.\n", p, debug.Stack(), version())
			code = exitInternal
			return
		}
		_ = out.Flush() // a closed pipe is quiet
	}()
	c := &command{in: stdin, out: out, err: stderr}
	root := c.root()
	root.SetArgs(rewrite(args))
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitDone
	}
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err.Error()} // cobra's own: flags and arguments
		if s := suggestFlag(root, err.Error()); s != "" {
			e.text += "; did you mean " + s + "?"
		}
	}
	if e.text != "" {
		fmt.Fprintf(stderr, "ptxlower: error: %s\n", e.text)
	}
	return e.code
}

// command is one run.
type command struct {
	in  io.Reader
	out *bufio.Writer
	err io.Writer

	target, emit, output, verify, model, body, diagFormat, printAfter string
	level, errorLimit                                                 int
	warn                                                              []string
	json                                                              bool
}

const longHelp = `ptxlower reads LLVM IR that contains PTX's integer multiply-add family
(mul24 mad24, mul mad, add.cc addc sub.cc subc mad.cc madc, vmad) as inline
assembly, as calls of @ptx.<form>, or as mul24/mad24 built-ins, and lowers it to
what a GPU really has.`

const examples = `  ptxlower kernel.ll --target=gfx900 --emit=llvm -o out.ll   the same module, PTX replaced by portable IR
  ptxlower kernel.ll --target=sm_70                          a listing of every function
  ptxlower -e 'mad24.hi.u32 d, a, b, c' --target=gfx900      one instruction, no file`

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "ptxlower [FILE|-]",
		Short:         "lower PTX's integer multiply-add family in LLVM IR",
		Long:          longHelp,
		Example:       examples,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.MaximumNArgs(1),
		RunE:          c.lower,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	f := root.Flags()
	f.StringVarP(&c.body, "expr", "e", "", "lower this PTX `BODY` instead of a file")
	f.StringVar(&c.emit, "emit", "", "what to print: asm, llvm, ir, json or none (default asm; llvm for modules of other triples)")
	f.StringVarP(&c.output, "output", "o", "", "write to `FILE` instead of standard output")
	f.StringVar(&c.verify, "verify", "run", "check each lowering: run (on vectors) or off")
	f.StringVar(&c.printAfter, "print-after", "", "print functions after `PASS`, or after all of them: all")
	f.IntVar(&c.level, "opt-level", 1, "0: no pass that is not needed (also -O0, -O1)")
	p := root.PersistentFlags()
	p.StringVar(&c.target, "target", "", "GPU: sm_70, gfx900, generic … (also -mcpu=, -march=, -arch=, --gpu-name=); see ptxlower targets")
	p.StringVar(&c.model, "vmad", "isa", "what vmad means: isa (the manual) or ptxas (what NVIDIA's assembler computes from sm_60 on)")
	p.StringVar(&c.diagFormat, "diag-format", "text", "diagnostics as text, short or json")
	p.IntVar(&c.errorLimit, "error-limit", 20, "print at most `N` errors (0: all)")
	p.StringArrayVar(&c.warn, "warn", nil, "error, no-ID, error=ID, no-error=ID, none (also -Werror, -Wno-ID, …, -w)")
	_ = p.MarkHidden("warn")
	root.AddCommand(c.sitesCommand(), c.explainCommand(), c.evalCommand(), c.formsCommand(), c.targetsCommand())
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

// targetSpellings are the flags that llc, clang, ptxas and nvcc use for what
// --target says.
var targetSpellings = map[string]bool{
	"mcpu": true, "march": true, "arch": true, "gpu-name": true, "gpu-architecture": true, "target": true, "offload-arch": true,
}

// rewrite turns the spellings of other compilers into flags that pflag knows;
// it would take -mcpu=x for a bundle of one-letter flags.
func rewrite(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, value, eq := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case !strings.HasPrefix(a, "-") || a == "-":
		case targetSpellings[name]:
			if !eq && i+1 < len(args) {
				i++
				value = args[i]
			}
			if name == "march" && (strings.HasPrefix(value, "nvptx") || value == "amdgcn") {
				continue // llc's -march names the architecture, -mcpu the target
			}
			a = "--target=" + value
		case strings.HasPrefix(a, "-W") && len(a) > 2:
			a = "--warn=" + a[2:]
		case a == "-w":
			a = "--warn=none"
		case len(a) == 3 && strings.HasPrefix(a, "-O") && a[2] >= '0' && a[2] <= '3':
			a = "--opt-level=" + a[2:]
		case a == "-emit-llvm":
			a = "--emit=llvm"
		case a == "-S":
			continue
		case !strings.HasPrefix(a, "--") && len(a) > 2 && a[1] != 'o' && a[1] != 'e':
			a = "-" + a // -emit=llvm, as llc's users write
		}
		out = append(out, a)
	}
	return out
}

// suggestFlag names the flag nearest to an unknown one.
func suggestFlag(root *cobra.Command, text string) string {
	word, ok := strings.CutPrefix(text, "unknown flag: --")
	if !ok {
		return ""
	}
	var names []string
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	}
	if s := targets.Nearest(word, names); s != "" {
		return "--" + s
	}
	return ""
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
	case errors.Is(err, ptxlower.ErrInput):
		return &exit{exitInput, ""}
	}
	return &exit{exitInternal, "internal error: " + err.Error()}
}
