package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
)

func (c *command) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain 'INSN; …'",
		Short: "say what an instruction means, what it becomes on a target, and what that costs",
		Example: `  ptxlower explain 'vmad.s32.s32.u32.sat d, a.h0, b, -c' --target=sm_70
  ptxlower explain mad24.hi.u32 --target=all`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("explain takes one text in quotes, such as 'mad24.hi.u32 d, a, b, c', or a mnemonic")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			m := c.vmad()
			forms, err := c.formsIn(args[0], m)
			if err != nil {
				return err
			}
			var ts []*isel.Target
			if c.target == "all" {
				ts = c.allRules()
			} else if t, err := c.rules(); err != nil {
				return err
			} else if t != nil {
				ts = append(ts, t)
			}
			for i, f := range forms {
				if i > 0 {
					fmt.Fprintln(&c.out)
				}
				if err := c.explain(f, m, ts); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// formsIn are the forms of an instruction text, or of a bare mnemonic.
func (c *command) formsIn(text string, m ptx.Model) ([]ptx.Form, error) {
	var l diag.List
	var out []ptx.Form
	if word := strings.TrimSpace(text); !strings.ContainsAny(word, " \t;,") {
		switch found := ptx.Lookup(word); found.Class {
		case ptx.Lenient:
			l.Warnf(found.ID, diag.NewFile("<expr>", []byte(word)), found.At, "%s", found.Text)
			fallthrough
		case ptx.Exact:
			if found.Form.Op != ptx.Lop3 { // whose table is an operand
				out = []ptx.Form{found.Form}
			}
		}
	}
	if out == nil {
		if fl := ptxlower.ParseBody("<expr>", text, m, &l); fl != nil {
			for _, in := range fl.Insts {
				out = append(out, in.Form)
			}
		}
	}
	if err := c.report(l.All); err != nil || out == nil {
		return nil, &exit{exitUsage, ""}
	}
	return out, nil
}

// checkLanes is on how many vectors explain checks a rule.
const checkLanes = 10000

func (c *command) explain(f ptx.Form, m ptx.Model, ts []*isel.Target) error {
	fmt.Fprintf(&c.out, "%s %s\n", f, f.Operands())
	if f.Op.Family() {
		version, sm := ptx.Floor(f)
		fmt.Fprintf(&c.out, "  since     PTX %s, sm_%d\n", version, sm)
	}
	for i, s := range ptxlower.Meaning(f, m) {
		label := ""
		if i == 0 {
			label = "means"
		}
		fmt.Fprintf(&c.out, "  %-8s  %s\n", label, s)
	}
	for _, t := range ts {
		rep, err := ptxlower.Describe(f, m, t)
		if err != nil {
			return fail(err)
		}
		mm, err := eval.CheckForm(t, f, m, checkLanes, 1)
		if err != nil {
			return fail(err)
		}
		cost := rep.Cost.String()
		state := fmt.Sprintf("equal on %d vectors", checkLanes)
		if mm != nil {
			state = "WRONG: " + mm.String()
		}
		fmt.Fprintf(&c.out, "\n%s  rule %s: %s; %s\n", t.Name, rep.Rule, cost, state)
		for _, op := range rep.Ops {
			fmt.Fprintf(&c.out, "    %s\n", strings.ReplaceAll(op.Text, "\n", "\n    "))
		}
		if mm == nil {
			if err := c.alternatives(f, m, t); err != nil {
				return fail(err)
			}
		}
		if mm != nil {
			c.keep = true
			return &exit{exitCounterexample, fmt.Sprintf("the rule %s of %s is wrong", rep.Rule, t.Name)}
		}
	}
	return nil
}

// alternatives prints what a form can become besides what the rule that is chosen
// says.
func (c *command) alternatives(f ptx.Form, m ptx.Model, t *isel.Target) error {
	reps, err := ptxlower.Alternatives(f, m, t)
	for _, rep := range reps {
		fmt.Fprintf(&c.out, "  or rule %s: %s\n", rep.Rule, rep.Cost)
		for _, op := range rep.Ops {
			fmt.Fprintf(&c.out, "    %s\n", op.Text)
		}
	}
	return err
}
