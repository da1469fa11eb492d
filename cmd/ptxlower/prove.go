package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

func (c *command) proveCommand() *cobra.Command {
	var explain, neighbours bool
	var smt2 string
	cmd := &cobra.Command{
		Use:   "prove [FORM…]",
		Short: "prove for all inputs that a target's operations compute what each form means",
		Long: `prove proves the rules of a target, or of all targets with rules, for every
behaviour of the family or for the forms that match the arguments, in which *
stands for any text: the rule for general operands, and those for operands of
which something is known. vmad is proved in both of its meanings unless --vmad
names one. Targets with the same rules are proved once, under the name of the
first. Exit 3 on a counterexample, 4 when something stays undecided.`,
		Example: `  ptxlower prove --target=sm_70
  ptxlower prove 'mad24.hi*' --target=all --explain`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var ts []*isel.Target
			if c.target == "all" || c.target == "" {
				ts = c.allRules()
			} else if t, err := c.rules(); err != nil {
				return err
			} else {
				ts = []*isel.Target{t}
			}
			all := ptx.Behaviours()
			if neighbours {
				all = append(all, ptx.Neighbours()...)
			}
			forms, err := pick(all, args)
			if err != nil {
				return err
			}
			models := []ptx.Model{ptx.ISA, ptx.PTXAS}
			if cmd.Flags().Changed("vmad") {
				models = []ptx.Model{c.vmad()}
			}
			p := proving{c: c, explain: explain, smt2: smt2, cache: prove.NewCache(), written: map[string]int{}}
			for _, same := range sameRules(ts) {
				if err := p.targets(same, forms, models); err != nil {
					return err
				}
			}
			return p.verdict()
		},
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "one JSON object a proof")
	cmd.Flags().BoolVar(&explain, "explain", false, "print the certificate: the normal form of both sides")
	cmd.Flags().BoolVar(&neighbours, "neighbours", false, "prove the instructions that share bodies with the family too")
	cmd.Flags().StringVar(&smt2, "smt2", "", "write each goal to `DIR` for other solvers")
	return cmd
}

// proving collects what one run of prove found.
type proving struct {
	c           *command
	explain     bool
	smt2        string
	cache       *prove.Cache
	written     map[string]int // files of goals, by name
	wrong, open int
}

// proof is a row of the table.
type proof struct {
	Schema  int      `json:"schema"`
	Form    string   `json:"form"`
	Model   string   `json:"model"`
	Target  string   `json:"target"`
	Also    []string `json:"also,omitempty"` // targets with the same rules
	Rule    string   `json:"rule"`
	Status  string   `json:"status"`
	Method  string   `json:"method,omitempty"`
	Cached  bool     `json:"cached,omitempty"` // equal, up to names, to a goal proved before
	Seconds float64  `json:"seconds"`
	Reason  string   `json:"reason,omitempty"`

	goal   prove.Goal
	result prove.Result
}

// claim is that a choice is right.
type claim struct {
	*isel.Choice
	model ptx.Model
}

// sameRules puts targets with the same rules together.
func sameRules(ts []*isel.Target) [][]*isel.Target {
	var out [][]*isel.Target
	for _, t := range ts {
		i := slices.IndexFunc(out, func(same []*isel.Target) bool { return same[0].SameRules(t) })
		if i < 0 {
			out = append(out, []*isel.Target{t})
			continue
		}
		out[i] = append(out[i], t)
	}
	return out
}

// targets proves the forms on the first of some targets with the same rules and
// prints the rows in their order.
func (p *proving) targets(same []*isel.Target, forms []ptx.Form, models []ptx.Model) error {
	t, start := same[0], time.Now()
	var claims []claim
	for _, m := range models {
		for _, f := range forms {
			if m != models[0] && f.Op != ptx.Vmad { // only vmad has two meanings
				continue
			}
			cs := t.Candidates(f, m)
			if len(cs) == 0 {
				return inputf("%s has no rule for %s", t.Name, f.Name())
			}
			for _, c := range append(cs, t.Alternatives(f, m)...) {
				claims = append(claims, claim{c, m})
			}
		}
	}
	goal := func(i int) prove.Goal {
		return ptxlower.RuleGoal(sem.NewBuilder(), t, claims[i].Choice, claims[i].model)
	}
	methods := map[string]int{}
	enc := p.c.encoder()
	f, ok := p.c.err.(*os.File)
	progress := ok && terminal(f)
	for i, a := range prove.All(len(claims), goal, prove.Options{Cache: p.cache}) {
		if progress && i%64 == 0 {
			fmt.Fprintf(p.c.err, "\r%s: %d of %d", t.Name, i, len(claims))
		}
		r := &proof{
			Schema: 1, Form: claims[i].Form.Name(), Model: claims[i].model.String(), Target: t.Name, Rule: claims[i].Rule.Name,
			Status: a.Result.Status.String(), Method: string(a.Result.Method), Cached: a.Result.Cached,
			Seconds: a.Result.Time.Seconds(), Reason: a.Result.Reason, goal: a.Goal, result: a.Result,
		}
		for _, u := range same[1:] {
			r.Also = append(r.Also, u.Name)
		}
		methods[cmp.Or(r.Method, r.Status)]++
		if p.c.json {
			if enc.Encode(r) != nil {
				return nil
			}
		} else {
			fmt.Fprintf(&p.c.out, "%s  %-6s %-44s %s (%s) %.1f ms\n", t.Name, r.Model, r.Form, cmp.Or(r.Method, r.Status), r.Rule, 1000*r.Seconds)
		}
		p.report(r)
		if p.smt2 != "" {
			if err := p.export(r); err != nil {
				return err
			}
		}
	}
	if progress {
		fmt.Fprintf(p.c.err, "\r\x1b[K")
	}
	var parts []string
	for _, m := range slices.Sorted(maps.Keys(methods)) {
		parts = append(parts, fmt.Sprintf("%d %s", methods[m], m))
	}
	fmt.Fprintf(p.c.err, "%s: %d goals in %.1f s: %s\n", names(same), len(claims), time.Since(start).Seconds(), strings.Join(parts, ", "))
	return nil
}

// names lists targets: "sm_32 and, with the same rules, sm_35, sm_37".
func names(same []*isel.Target) string {
	var also []string
	for _, t := range same[1:] {
		also = append(also, t.Name)
	}
	if len(also) == 0 {
		return same[0].Name
	}
	return same[0].Name + " and, with the same rules, " + strings.Join(also, ", ")
}

// report says what is wrong, and explains what is right where that was asked.
func (p *proving) report(r *proof) {
	switch r.result.Status {
	case prove.Refuted:
		p.wrong++
		fmt.Fprintf(p.c.err, "ptxlower: error: rule %s of %s is wrong for %s\n%s", r.Rule, r.Target, r.Form, r.result.Counterexample.Table())
	case prove.Open:
		p.open++
		fmt.Fprintf(p.c.err, "ptxlower: warning: rule %s of %s for %s is not proved: %s\n", r.Rule, r.Target, r.Form, r.Reason)
	default:
		if p.explain && !p.c.json {
			for s := range strings.SplitSeq(strings.TrimSpace(r.result.Certificate.String()), "\n") {
				fmt.Fprintf(&p.c.out, "    %s\n", s)
			}
		}
	}
}

func (p *proving) verdict() error {
	p.c.keep = true // the table is what there is to see
	switch {
	case p.wrong > 0:
		return &exit{exitCounterexample, ""}
	case p.open > 0:
		return &exit{exitUndecided, ""}
	}
	return nil
}

// export writes a goal as SMT-LIB: in QF_BV, and in QF_LIA where that says it.
// The names number the rules of a form from the second on.
func (p *proving) export(r *proof) error {
	if err := os.MkdirAll(p.smt2, 0o777); err != nil {
		return inputf("%v", err)
	}
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" ,{}|", c) {
			return '_'
		}
		return c
	}, r.Target+"."+r.Model+"."+r.Form)
	if p.written[name]++; p.written[name] > 1 {
		name = fmt.Sprintf("%s.%d", name, p.written[name])
	}
	for ext, export := range map[string]func(prove.Goal) (string, error){".smt2": prove.SMT2, ".lia.smt2": prove.LIA} {
		text, err := export(r.goal)
		if err != nil {
			continue // this logic cannot say the goal
		}
		if err := os.WriteFile(filepath.Join(p.smt2, name+ext), []byte(text), 0o666); err != nil {
			return inputf("%v", err)
		}
	}
	return nil
}
