// Addtarget is a target of one's own: RISC-V's RV32IM, a machine without a carry
// flag, in one file of data. It lowers PTX for it and proves each rule that it
// used, for all inputs:
//
//	addtarget 'mad.lo.cc.u32 x, a, b, c; madc.hi.u32 y, a, b, 0'
//
// docs/adding-a-target.md walks through it.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: addtarget 'INSN; INSN …'")
		os.Exit(2)
	}
	if err := run(rv32im(), os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run lowers a body of PTX and prints the listing and the proofs.
func run(t *isel.Target, body string, w io.Writer) error {
	var l diag.List
	fl := ptxlower.ParseBody("body", body, ptx.ISA, &l)
	if fl == nil {
		return l.Err()
	}
	f := lower.Run(fl.Func, false, t.Has, nil)
	code, err := t.Select(f, nil)
	if err != nil {
		return err
	}
	if err := code.Allocate(t.Machine); err != nil {
		return err
	}
	if err := t.Print(w, code); err != nil {
		return err
	}
	for _, in := range fl.Insts {
		c, err := t.Choose(in.Form, ptx.ISA, nil)
		if err != nil {
			return err
		}
		r := prove.Equal(ptxlower.RuleGoal(sem.NewBuilder(), t, c, ptx.ISA), prove.Options{})
		if r.Status == prove.Refuted {
			return fmt.Errorf("rule %s is wrong\n%s", c.Rule.Name, r.Counterexample)
		}
		fmt.Fprintf(w, "# rule %s: %s\n", c.Rule.Name, r.Status)
	}
	return nil
}
