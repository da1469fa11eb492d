package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

func (c *command) encoder() *json.Encoder {
	enc := json.NewEncoder(&c.out)
	enc.SetEscapeHTML(false)
	return enc
}

// table is a writer of lines whose cells end in tabs.
type table struct {
	*tabwriter.Writer
	text bytes.Buffer
	out  *bytes.Buffer
}

func (c *command) table() *table {
	t := &table{out: &c.out}
	t.Writer = tabwriter.NewWriter(&t.text, 0, 8, 2, ' ', 0)
	return t
}

// Flush prints the lines, in columns and without blanks at their ends.
func (t *table) Flush() error {
	err := t.Writer.Flush()
	for line := range strings.Lines(t.text.String()) {
		t.out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return err
}

func (c *command) sitesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sites FILE|-",
		Short: "list the PTX in a file: every site, its forms, and which carry feeds which",
		Args:  oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, src, err := c.read(cmd, args)
			if err != nil {
				return err
			}
			reps, ds, err := ptxlower.Sites(name, src)
			werr := c.report(ds)
			if err := fail(err); err != nil {
				return err
			}
			if werr != nil {
				return werr
			}
			if c.json {
				enc := c.encoder()
				for i := range reps {
					if err := enc.Encode(&reps[i]); err != nil {
						return err
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
				var notes []string
				if len(r.CarryIn) > 0 {
					from := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.CarryIn), " ", ", "), "[]")
					notes = append(notes, "carry from "+from)
				}
				if r.CarryOut {
					notes = append(notes, "carry out")
				}
				if r.Kept != "" {
					notes = append(notes, "not lowered: "+r.Kept)
				}
				fmt.Fprintf(w, "  %d\t%d:%d\t%s\t%s\t%s\n", r.Index, r.Line, r.Col, r.Kind, strings.Join(r.Forms, "; "), strings.Join(notes, "; "))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a site")
	return cmd
}

// targetRow is a target for programs.
type targetRow struct {
	Schema   int      `json:"schema"`
	Name     string   `json:"name"`
	Vendor   string   `json:"vendor"`
	Family   string   `json:"family"`
	Aliases  []string `json:"aliases,omitempty"`
	PTX      string   `json:"ptx,omitempty"`
	Rules    bool     `json:"rules"`
	Features []string `json:"features,omitempty"`
}

func (c *command) targetsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "targets",
		Short: "list every target, its family and its other names",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				enc := c.encoder()
				for _, i := range targets.All() {
					row := targetRow{1, i.Name, i.Vendor.String(), i.Family, i.Aliases, i.PTXFloor, i.Target != nil, i.Features()}
					if err := enc.Encode(row); err != nil {
						return err
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
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a target, with its features")
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
			m := c.vmad()
			t, err := c.rules()
			if err != nil {
				return err
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
					if err := enc.Encode(rep); err != nil {
						return err
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
					fmt.Fprintf(w, "\t%d\t%s", rep.Count, strings.Join(names, " "))
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
