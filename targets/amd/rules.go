package amd

import (
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/ptx"
	"github.com/ptxlower/ptxlower/sem"
)

// rule is isel.Rule with its results over ops.
type rule struct {
	isel.Rule
	out  []expr
	gen  func(f ptx.Form, m ptx.Model) []expr
	fold func(f ptx.Form, m ptx.Model, k []*sem.Val) []expr
}

type table []rule

// r is a rule with fixed results for targets that have some features, named by
// its pattern.
func r(forms string, needs ir.Features, out ...expr) rule {
	return rule{Rule: isel.R(forms, needs), out: out}
}

// g is one whose results depend on the form.
func g(name, forms string, needs ir.Features, gen func(f ptx.Form, m ptx.Model) []expr) rule {
	return rule{Rule: isel.G(name, forms, needs, nil), gen: gen}
}

// f is one whose results depend on the operands that are constants.
func f(name, forms string, fold func(f ptx.Form, m ptx.Model, k []*sem.Val) []expr) rule {
	return rule{Rule: isel.F(name, forms, 0, nil), fold: fold}
}

// If adds facts: the rule applies only where they are known to hold.
func (r rule) If(facts ...isel.Fact) rule {
	r.Rule = r.Rule.If(facts...)
	return r
}

func (r rule) named(n string) rule {
	r.Rule = r.Rule.Named(n)
	return r
}

func concat(ts ...table) table {
	var out table
	for _, t := range ts {
		out = append(out, t...)
	}
	return out
}

// rules is the table of all generations.
var rules = concat(pairRules, mulRules, carryRules, vmadRules, intRules, bitRules, cvtRules)

// uniform is the table for what lies in scalar registers.
func (t table) uniform(f ir.Features) isel.Table {
	rules := t.on(f)
	for i := range rules {
		rules[i].Uniform = true
		rules[i].Name += ", uniform"
	}
	return rules
}

// on is the table of targets that have some features; what ops are there is
// found out when a form is looked up.
func (t table) on(f ir.Features) isel.Table {
	out := make(isel.Table, 0, len(t))
	for i := range t {
		r := &t[i]
		if !f.Has(r.Needs) || f&r.Lacks != 0 {
			continue
		}
		x := r.Rule
		if r.fold != nil {
			x.Fold = func(form ptx.Form, m ptx.Model, k []*sem.Val) []mach.Expr {
				if out := r.fold(form, m, k); out != nil {
					return lower(f, out)
				}
				return nil
			}
			out = append(out, x)
			continue
		}
		x.Gen = func(form ptx.Form, m ptx.Model) []mach.Expr {
			if r.gen == nil {
				return lower(f, r.out)
			}
			if out := r.gen(form, m); out != nil {
				return lower(f, out)
			}
			return nil
		}
		out = append(out, x)
	}
	return out
}
