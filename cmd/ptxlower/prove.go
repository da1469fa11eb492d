package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/prove"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/targets"
)

func (c *command) proveCommand() *cobra.Command {
	var explain, neighbours bool
	var smt2 string
	cmd := &cobra.Command{
		Use:   "prove [FORM…]",
		Short: "prove for all inputs that a target's operations compute what each form means",
		Long: `prove proves the rules of a target, or of all targets with rules, for every
behaviour of the family or for the forms that match the arguments, in which *
stands for any text. vmad is proved in both of its meanings unless --vmad names
one. Exit 3 on a counterexample, 4 when something stays undecided.`,
		Example: `  ptxlower prove --target=sm_70
  ptxlower prove 'mad24.hi*' --target=all --explain`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var ts []*isel.Target
			if c.target == "all" || c.target == "" {
				ts = targets.Supported()
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
			p := proving{c: c, explain: explain, smt2: smt2, cache: prove.NewCache()}
			for _, t := range ts {
				if err := p.target(t, forms, models); err != nil {
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
	wrong, open int
}

// proof is a row of the table.
type proof struct {
	Schema  int     `json:"schema"`
	Form    string  `json:"form"`
	Model   string  `json:"model"`
	Target  string  `json:"target"`
	Rule    string  `json:"rule"`
	Status  string  `json:"status"`
	Method  string  `json:"method,omitempty"`
	Cached  bool    `json:"cached,omitempty"` // equal, up to names, to a goal proved before
	Seconds float64 `json:"seconds"`
	Reason  string  `json:"reason,omitempty"`

	goal   prove.Goal
	result prove.Result
	err    error
}

// target proves the forms on one target and prints the rows in their order.
func (p *proving) target(t *isel.Target, forms []ptx.Form, models []ptx.Model) error {
	type job struct {
		f ptx.Form
		m ptx.Model
	}
	var jobs []job
	for _, m := range models {
		for _, f := range forms {
			if m == models[0] || f.Op == ptx.Vmad { // only vmad has two meanings
				jobs = append(jobs, job{f, m})
			}
		}
	}
	start := time.Now()
	rows := make([]*proof, len(jobs))
	done := make([]chan struct{}, len(jobs))
	for i := range done {
		done[i] = make(chan struct{})
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				rows[i] = p.prove(t, jobs[i].f, jobs[i].m)
				close(done[i])
			}
		})
	}
	go func() {
		for i := range jobs {
			next <- i
		}
		close(next)
	}()
	defer wg.Wait()
	methods := map[string]int{}
	enc := p.c.encoder()
	f, ok := p.c.err.(*os.File)
	progress := ok && terminal(f)
	for i := range jobs {
		<-done[i]
		r := rows[i]
		if r.err != nil {
			return fail(r.err)
		}
		if progress && i%64 == 0 {
			fmt.Fprintf(p.c.err, "\r%s: %d of %d", t.Name, i, len(jobs))
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
			if err := p.export(t, r); err != nil {
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
	fmt.Fprintf(p.c.err, "%s: %d goals in %.1f s: %s\n", t.Name, len(jobs), time.Since(start).Seconds(), strings.Join(parts, ", "))
	return nil
}

func (p *proving) prove(t *isel.Target, f ptx.Form, m ptx.Model) *proof {
	r := &proof{Schema: 1, Form: f.Name(), Model: m.String(), Target: t.Name}
	c, err := t.Choose(f, m, nil)
	if err != nil {
		r.err = err
		return r
	}
	r.Rule = c.Rule.Name
	r.goal = ptxlower.RuleGoal(t, c, m)
	r.result = prove.Equal(r.goal, prove.Options{Cache: p.cache})
	r.Status, r.Method, r.Cached = r.result.Status.String(), string(r.result.Method), r.result.Cached
	r.Seconds, r.Reason = r.result.Time.Seconds(), r.result.Reason
	return r
}

// report says what is wrong, and explains what is right where that was asked.
func (p *proving) report(r *proof) {
	switch r.result.Status {
	case prove.Refuted:
		p.wrong++
		fmt.Fprintf(p.c.err, "ptxlower: error: rule %s of %s is wrong for %s\n%s\n", r.Rule, r.Target, r.Form, r.result.Counterexample)
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
	switch {
	case p.wrong > 0:
		return &exit{exitCounterexample, ""}
	case p.open > 0:
		return &exit{exitUndecided, ""}
	}
	return nil
}

// export writes a goal as SMT-LIB: exactly, and with linear integer arithmetic
// where that says it.
func (p *proving) export(t *isel.Target, r *proof) error {
	if err := os.MkdirAll(p.smt2, 0o777); err != nil {
		return inputf("%v", err)
	}
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" ,-", c) {
			return '_'
		}
		return c
	}, t.Name+"."+r.Model+"."+r.Form)
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
