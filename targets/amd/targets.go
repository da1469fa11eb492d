package amd

import "github.com/ptxlower/ptxlower/isel"

// Targets are AMD's GPUs.
func Targets() []*isel.Target {
	return []*isel.Target{
		{Name: "gfx900", Family: "gfx9", Aliases: []string{"vega10"}, Features: gfx9, Machine: wave64, Rules: rules, Print: Print, Dialect: dialect()},
	}
}

// rules is the table of all generations.
var rules = tables(pairRules, mulRules, carryRules, vmadRules, intRules, bitRules, cvtRules)

func tables(ts ...isel.Table) isel.Table {
	var out isel.Table
	for _, t := range ts {
		out = append(out, t...)
	}
	return out
}
