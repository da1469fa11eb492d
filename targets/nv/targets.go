package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
)

// generations lists the targets, oldest first. The PTX version is the first
// with the target (PTX ISA, "Release notes").
var generations = []struct {
	name, family string
	features     ir.Features
	floor        string
	aliases      []string
}{
	{"sm_70", "volta", PredCarry | SignLogic, "6.0", []string{"volta", "gv100", "v100"}},
}

// rules are those of all generations, the first that fits being used.
var rules = slices.Concat(pairRules, mulRules, carryRules, vmadRules, intRules)

// Targets gives the targets that have rules.
func Targets() []*isel.Target {
	var ts []*isel.Target
	for _, g := range generations {
		ts = append(ts, &isel.Target{
			Name: g.name, Family: g.family, Aliases: g.aliases, Features: g.features, PTXFloor: g.floor,
			Machine: volta, Rules: rules, Print: Print, Dialect: dialect(),
		})
	}
	return ts
}
