// Toyc is a compiler for expressions over unsigned 128-bit integers, and an
// example of a compiler that uses ptxlower as a library. It builds LLVM IR in
// memory with github.com/llir/llvm, does arithmetic with PTX's carry chains,
// and lets ptxlower turn these into what a GPU has:
//
//	toyc -target=gfx900 'square(x) = x*x
//	                     f(a, b) = let s = a + b in square(s) - 4*a*b' 5 3
//
// A program is a list of functions; one may call those before it. The last one
// is compiled, and run on the values given. All arithmetic is modulo 2^128:
//
//	program  = function { function }
//	function = name "(" [ name { "," name } ] ")" "=" expr
//	expr     = "let" name "=" expr "in" expr | sum
//	sum      = product { ( "+" | "-" ) product }
//	product  = factor { "*" factor }
//	factor   = "-" factor | number | name [ "(" [ expr { "," expr } ] ")" ] | "(" expr ")"
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
)

const usage = `usage: toyc [flags] PROGRAM [VALUE...]

Compiles the last function of PROGRAM, prints its code for the target, and runs
that code on the values.

  toyc -target=sm_70 'f(a, b) = a*b + 1' 6 7

flags:
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command: 0 done, 1 the program is wrong, 2 the command is.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("toyc", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	target := flags.String("target", "generic", "a GPU, such as sm_70 or gfx900; generic is portable LLVM IR")
	limbs := flags.Int("limbs", 32, "bits of the words that numbers are cut into: 32 or 64")
	calls := flags.Bool("calls", false, "compile to calls of @ptx functions, not to inline assembly")
	source := flags.Bool("ptx", false, "print the module before it is lowered")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() == 0 || *limbs != 32 && *limbs != 64 {
		flags.Usage()
		return 2
	}
	values, err := numbers(flags.Args()[1:])
	if err != nil {
		fmt.Fprintln(stderr, "toyc:", err)
		return 2
	}
	p, l := parse("<program>", flags.Arg(0))
	if l.Errors() > 0 {
		diag.Render(stderr, l.All, diag.Text, 0)
		return 1
	}
	if len(values) > 0 && len(values) != len(p.main.params) {
		fmt.Fprintf(stderr, "toyc: %s has %d parameters, not %d\n", p.main.name, len(p.main.params), len(values))
		return 2
	}

	m := compile(p, *limbs, *calls)
	if *source {
		fmt.Fprintln(stdout, m)
	}
	code, res, err := lowerModule(context.Background(), m, *target)
	diag.Render(stderr, res.Diags, diag.Text, 0)
	if err != nil {
		fmt.Fprintln(stderr, "toyc:", err)
		if errors.Is(err, ptxlower.ErrUsage) {
			return 2
		}
		return 1
	}
	if !*source {
		fmt.Fprintln(stdout, strings.TrimRight(string(res.Output), "\n"))
	}
	if len(values) == 0 {
		return 0
	}
	got, err := code.run(values, *limbs)
	if err != nil {
		fmt.Fprintln(stderr, "toyc:", err)
		return 1
	}
	if want := p.interpret(values); got.Cmp(want) != 0 {
		fmt.Fprintf(stderr, "toyc: the code computes %v, and not %v\n", got, want)
		return 1
	}
	fmt.Fprintf(stdout, "%s(%s) = %v\n", p.main.name, strings.Join(flags.Args()[1:], ", "), got)
	return 0
}

func numbers(words []string) ([]*big.Int, error) {
	var ns []*big.Int
	for _, w := range words {
		n, ok := new(big.Int).SetString(w, 0)
		if !ok {
			return nil, fmt.Errorf("%q is not a number", w)
		}
		ns = append(ns, n.And(n, ones))
	}
	return ns, nil
}
