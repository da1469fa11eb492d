package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// generations lists the targets from sm_70 on, oldest first. The PTX version is
// the first with the target (PTX ISA, "Release notes").
var generations = []struct {
	name, family string
	features     ir.Features
	floor        string
	aliases      []string
}{
	{"sm_70", "volta", voltaSet, "6.0", []string{"volta", "gv100", "v100"}},
	{"sm_72", "volta", turingSet, "6.1", []string{"gv11b", "xavier"}},
	{"sm_75", "turing", turingSet, "6.3", []string{"turing", "tu102", "t4"}},
	{"sm_80", "ampere", turingSet, "7.0", []string{"ampere", "ga100", "a100"}},
	{"sm_86", "ampere", turingSet, "7.1", []string{"ga102"}},
	{"sm_87", "ampere", turingSet, "7.4", []string{"ga10b", "orin"}},
	{"sm_88", "ampere", turingSet, "9.0", nil},
	{"sm_89", "ada", turingSet, "7.8", []string{"ada", "ad102"}},
	{"sm_90", "hopper", hopperSet, "7.8", []string{"hopper", "gh100", "h100", "h200"}},
	{"sm_100", "blackwell", blackwellSet, "8.6", []string{"blackwell", "gb100", "b200"}},
	{"sm_103", "blackwell", blackwellSet, "8.8", []string{"b300"}},
	{"sm_110", "blackwell", thorSet, "9.0", []string{"sm_101", "thor"}},
	{"sm_120", "blackwell-rtx", geforceSet, "8.7", []string{"gb202"}},
	{"sm_121", "blackwell-rtx", geforceSet, "8.8", []string{"gb10"}},
}

// rules are those of a generation from sm_70 on, the first that fits being used.
func (g isa) rules() isel.Table {
	general := slices.Concat(pairRules, g.mulRules(), g.carryRules(), g.vmadRules(), g.intRules())
	return slices.Concat(g.factRules(general), general)
}

// Targets gives the targets that have rules.
func Targets() []*isel.Target {
	type shared struct {
		rules   isel.Table
		dialect *mach.Dialect
	}
	of := map[ir.Features]shared{}
	ts := OlderTargets()
	for _, g := range generations {
		n := notation(g.features)
		s, ok := of[g.features]
		if !ok {
			s = shared{isa(g.features).rules(), n.dialect()}
			of[g.features] = s
		}
		ts = append(ts, &isel.Target{
			Name: g.name, Family: g.family, Aliases: g.aliases, Features: g.features, PTXFloor: g.floor,
			Machine: volta, CostSrc: costSrc, Rules: s.rules, Print: n.print, Dialect: s.dialect,
		})
	}
	return ts
}
