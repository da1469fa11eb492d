package nv

import (
	"slices"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/mach"
)

// The sets of features of the generations before sm_70.
const (
	fermiSet   = CarryFlag | WordMul | VideoWord
	keplerSet  = fermiSet | Funnel
	maxwellSet = CarryFlag | HalfMul | Funnel | VideoWord
	pascalSet  = CarryFlag | HalfMul | Funnel
)

var (
	teslaAll   = slices.Concat(teslaRules, teslaIntRules)
	fermiAll   = rulesOf([]ir.Features{fermiSet, keplerSet}, ccFactRules(WordMul, fermiRules, ccCarryRules), fermiRules, ccCarryRules, ccVmadRules, ccIntRules)
	maxwellAll = rulesOf([]ir.Features{maxwellSet, pascalSet}, ccFactRules(HalfMul, maxwellRules, ccCarryRules), maxwellRules, ccCarryRules, ccVmadRules, ccIntRules)
)

// rulesOf are the rules of the tables that one of the sets of features allows.
func rulesOf(sets []ir.Features, tables ...isel.Table) isel.Table {
	return slices.DeleteFunc(slices.Concat(tables...), func(r isel.Rule) bool {
		return !slices.ContainsFunc(sets, func(f ir.Features) bool { return f.Has(r.Needs) && f&r.Lacks == 0 })
	})
}

// older lists the targets before sm_70, oldest first.
var older = []struct {
	name, family string
	features     ir.Features
	floor        string
	aliases      []string
	machine      *mach.Machine
}{
	{"sm_10", "tesla", Tesla, "1.0", []string{"tesla", "g80"}, g80},
	{"sm_11", "tesla", Tesla, "1.0", nil, g80},
	{"sm_12", "tesla", Tesla, "1.2", nil, g80},
	{"sm_13", "tesla", Tesla, "1.2", []string{"gt200"}, g80},
	{"sm_20", "fermi", fermiSet, "2.0", []string{"fermi", "gf100"}, fermi},
	{"sm_21", "fermi", fermiSet, "2.0", nil, fermi},
	{"sm_30", "kepler", fermiSet, "3.0", []string{"kepler", "gk104"}, fermi},
	{"sm_32", "kepler", keplerSet, "4.0", []string{"gk20a"}, kepler},
	{"sm_35", "kepler", keplerSet, "3.1", []string{"gk110"}, kepler},
	{"sm_37", "kepler", keplerSet, "4.1", []string{"gk210"}, kepler},
	{"sm_50", "maxwell", maxwellSet, "4.0", []string{"maxwell", "gm107"}, kepler},
	{"sm_52", "maxwell", maxwellSet, "4.1", []string{"gm200"}, kepler},
	{"sm_53", "maxwell", maxwellSet, "4.2", []string{"gm20b"}, kepler},
	{"sm_60", "pascal", pascalSet, "5.0", []string{"pascal", "gp100", "p100"}, kepler},
	{"sm_61", "pascal", pascalSet, "5.0", []string{"gp102"}, kepler},
	{"sm_62", "pascal", pascalSet, "5.0", []string{"gp10b"}, kepler},
}

// OlderTargets gives the targets before sm_70.
func OlderTargets() []*isel.Target {
	var ts []*isel.Target
	dialects := map[ir.Features]*mach.Dialect{}
	for _, g := range older {
		t := &isel.Target{
			Name: g.name, Family: g.family, Aliases: g.aliases, Features: g.features, PTXFloor: g.floor, Machine: g.machine,
		}
		t.Costs, t.CostSrc = costsBefore70(g.name)
		switch {
		case g.features.Has(Tesla):
			t.Rules, t.Print = teslaAll, PrintTesla
		case g.features.Has(HalfMul):
			t.Rules, t.Print, t.Others = maxwellAll, PrintMaxwell, maxwellOthers
		default:
			t.Rules, t.Print = fermiAll, PrintFermi
		}
		if dialects[g.features] == nil {
			if dialects[g.features] = fermiDialect(g.features); g.features.Has(Tesla) {
				dialects[g.features] = teslaDialect()
			}
		}
		t.Dialect = dialects[g.features]
		ts = append(ts, t)
	}
	return ts
}
