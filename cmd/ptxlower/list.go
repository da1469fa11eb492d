package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/eval"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/targets"
)

func (c *command) encoder() *json.Encoder {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	return enc
}

func (c *command) table() *tabwriter.Writer { return tabwriter.NewWriter(c.out, 0, 8, 2, ' ', 0) }

func (c *command) sitesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sites FILE|-",
		Short: "list the PTX in a file: every site, its forms, and which carry feeds which",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, src, err := c.read(cmd, args)
			if err != nil {
				return err
			}
			reps, ds, err := ptxlower.Sites(name, src)
			c.print(ds)
			if err := fail(err); err != nil {
				return err
			}
			if c.json {
				enc := c.encoder()
				for i := range reps {
					if enc.Encode(&reps[i]) != nil {
						return nil
					}
				}
				return nil
			}
			w := c.table()
			fn := ""
			for i := range reps {
				r := &reps[i]
				if r.Function != fn {
					fn = r.Function
					fmt.Fprintf(w, "@%s\n", fn)
				}
				note := ""
				if len(r.CarryIn) > 0 {
					note += " carry from " + strings.Trim(strings.ReplaceAll(fmt.Sprint(r.CarryIn), " ", ", "), "[]")
				}
				if r.CarryOut {
					note += " carry out"
				}
				if r.Kept != "" {
					note += " not lowered: " + r.Kept
				}
				fmt.Fprintf(w, "  %d\t%d:%d\t%s\t%s\t%s\n", r.Index, r.Line, r.Col, r.Kind, strings.Join(r.Forms, "; "), strings.TrimSpace(note))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a site")
	return cmd
}

func (c *command) targetsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "targets",
		Short: "list every target, its family and its other names",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				enc := c.encoder()
				for _, i := range targets.All() {
					row := struct {
						Schema  int      `json:"schema"`
						Name    string   `json:"name"`
						Vendor  string   `json:"vendor"`
						Family  string   `json:"family"`
						Aliases []string `json:"aliases,omitempty"`
						PTX     string   `json:"ptx,omitempty"`
						Rules   bool     `json:"rules"`
					}{1, i.Name, i.Vendor.String(), i.Family, i.Aliases, i.PTXFloor, i.Target != nil}
					if enc.Encode(row) != nil {
						return nil
					}
				}
				return nil
			}
			w := c.table()
			fmt.Fprintln(w, "target\tfamily\tPTX\toutputs\tother names")
			for _, i := range targets.All() {
				outputs := "llvm (portable)"
				if i.Target != nil && !i.Target.Machine.SSA {
					outputs = "asm, llvm"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", i.Name, i.Family, i.PTXFloor, outputs, strings.Join(i.Aliases, " "))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a target")
	return cmd
}

func (c *command) formsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forms [FORM…]",
		Short: "list the forms of the family; with --target what each becomes and costs",
		Long: `forms lists the 200 mnemonics of the family, or those that match the arguments,
in which * stands for any text. With --json it lists every behaviour: one row a
mnemonic, for vmad one for each set of selectors and negations that differs.`,
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := c.vmad()
			if err != nil {
				return err
			}
			var t *isel.Target
			if c.target != "" {
				if t, err = c.rules(c.target); err != nil {
					return err
				}
			}
			list := ptx.Forms()
			if c.json {
				list = ptx.Behaviours()
			}
			forms, err := pick(list, args)
			if err != nil {
				return err
			}
			enc, w := c.encoder(), c.table()
			for _, f := range forms {
				rep, err := ptxlower.Describe(f, m, t)
				if err != nil {
					return fail(err)
				}
				if c.json {
					if enc.Encode(rep) != nil {
						return nil
					}
					continue
				}
				version, sm := ptx.Floor(f)
				fmt.Fprintf(w, "%s\t%s\tPTX %s, sm_%d", rep.Form, rep.Operands, version, sm)
				if t != nil {
					var names []string
					for _, op := range rep.Ops {
						names = append(names, op.Op)
					}
					fmt.Fprintf(w, "\t%d\t%s", *rep.Count, strings.Join(names, " "))
				}
				fmt.Fprintln(w)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a behaviour")
	return cmd
}

// pick keeps the forms that match a pattern.
func pick(all []ptx.Form, patterns []string) ([]ptx.Form, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	var out []ptx.Form
	for _, p := range patterns {
		n := len(out)
		for _, f := range all {
			if isel.Match(p, f.String()) || isel.Match(p, f.Name()) || f.Op.String() == p {
				out = append(out, f)
			}
		}
		if len(out) == n {
			text := fmt.Sprintf("no form matches %q", p)
			if s := ptx.Suggest(p); s != "" {
				text += "; did you mean " + s + "?"
			}
			return nil, usagef("%s", text)
		}
	}
	return out, nil
}

func (c *command) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain 'INSN'",
		Short: "say what an instruction means, what it becomes on a target, and what that costs",
		Example: `  ptxlower explain 'vmad.s32.s32.u32.sat d, a.h0, b, -c' --target=sm_70
  ptxlower explain mad24.hi.u32 --target=all`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := c.vmad()
			if err != nil {
				return err
			}
			forms, err := c.formsIn(args[0], m)
			if err != nil {
				return err
			}
			var ts []*isel.Target
			switch c.target {
			case "":
			case "all":
				ts = targets.Supported()
			default:
				t, err := c.rules(c.target)
				if err != nil {
					return err
				}
				ts = []*isel.Target{t}
			}
			for i, f := range forms {
				if i > 0 {
					fmt.Fprintln(c.out)
				}
				if err := c.explain(f, m, ts); err != nil {
					return fail(err)
				}
			}
			return nil
		},
	}
}

// formsIn are the forms of an instruction text, or of a bare mnemonic.
func (c *command) formsIn(text string, m ptx.Model) ([]ptx.Form, error) {
	if !strings.ContainsAny(strings.TrimSpace(text), " \t;,") {
		if found := ptx.Lookup(strings.TrimSpace(text)); found.Class == ptx.Exact || found.Class == ptx.Lenient {
			return []ptx.Form{found.Form}, nil
		}
	}
	var l diag.List
	fl := ptxlower.ParseBody("<expr>", text, m, &l)
	c.print(l.All)
	if fl == nil {
		return nil, &exit{exitUsage, ""}
	}
	var out []ptx.Form
	for _, in := range fl.Insts {
		out = append(out, in.Form)
	}
	return out, nil
}

// checkLanes is on how many vectors explain checks a rule.
const checkLanes = 10000

func (c *command) explain(f ptx.Form, m ptx.Model, ts []*isel.Target) error {
	fmt.Fprintf(c.out, "%s %s\n", f, f.Operands())
	if f.Op.Family() {
		version, sm := ptx.Floor(f)
		fmt.Fprintf(c.out, "  since     PTX %s, sm_%d\n", version, sm)
	}
	meaning := func(m ptx.Model) []string {
		b := sem.NewBuilder()
		var in []*sem.Term
		for i, w := range ir.ArgWidths(f) {
			name := string("abce"[i])
			if f.ReadsCF() && i == len(f.Ins()) {
				name = "cf"
			}
			in = append(in, b.Var(name, w))
		}
		out := f.Meaning(b, in, m)
		names := []string{"d", "e", "f", "g"}[:len(out)]
		if f.WritesCF() {
			names[len(out)-1] = "cf"
		}
		return sem.DocLines(names, out...)
	}
	for i, s := range meaning(m) {
		label := ""
		if i == 0 {
			label = "means"
		}
		fmt.Fprintf(c.out, "  %-8s  %s\n", label, s)
	}
	for _, t := range ts {
		rep, err := ptxlower.Describe(f, m, t)
		if err != nil {
			return err
		}
		mm, err := eval.CheckForm(t, f, m, checkLanes, 1)
		if err != nil {
			return err
		}
		state := fmt.Sprintf("equal on %d vectors", checkLanes)
		if mm != nil {
			state = "WRONG: " + mm.String()
		}
		fmt.Fprintf(c.out, "\n%s  rule %s: %d ops, %d moves, %d registers; %s\n", t.Name, rep.Rule, *rep.Count, *rep.Moves, *rep.Regs, state)
		for _, op := range rep.Ops {
			fmt.Fprintf(c.out, "    %s\n", strings.ReplaceAll(op.Text, "\n", "\n    "))
		}
	}
	return nil
}
