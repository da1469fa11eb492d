package amd

import (
	"strings"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/isel"
)

// generations are the targets that are alike: names, each followed by its
// aliases after a slash.
var generations = []struct {
	family   string
	features ir.Features
	names    string
}{
	{"gfx6", gfx6, "gfx600/tahiti gfx601/pitcairn/verde gfx602/hainan/oland"},
	{"gfx7", gfx7, "gfx700/kaveri gfx701/hawaii gfx702 gfx703/kabini/mullins gfx704/bonaire gfx705"},
	{"gfx8", gfx8, "gfx801/carrizo gfx802/iceland/tonga gfx803/fiji/polaris10/polaris11 gfx805/tongapro gfx810/stoney"},
	{"gfx9", gfx9, "gfx900/vega10 gfx902/raven gfx904/vega12"},
	{"gfx9", gfx906, "gfx906/vega20/mi50/mi60 gfx908/arcturus/mi100"},
	{"gfx9", gfx9, "gfx909/raven2"},
	{"gfx90a", gfx90a, "gfx90a/aldebaran/mi200/mi210/mi250"},
	{"gfx9", gfx9, "gfx90c/renoir"},
	{"gfx94x", gfx94x, "gfx940 gfx941 gfx942/mi300/mi300a/mi300x"},
	{"gfx94x", gfx950, "gfx950/mi350/mi355x"},
	{"gfx10", gfx10, "gfx1010/navi10 gfx1011/navi12 gfx1012/navi14 gfx1013"},
	{"gfx10.3", gfx10_3, "gfx1030/navi21 gfx1031/navi22 gfx1032/navi23 gfx1033/vangogh gfx1034/navi24 gfx1035/rembrandt gfx1036/raphael"},
	{"gfx11", gfx11, "gfx1100/navi31 gfx1101/navi32 gfx1102/navi33 gfx1103/phoenix"},
	{"gfx11.5", gfx11_5, "gfx1150/strix gfx1151/strixhalo gfx1152/krackan gfx1153"},
	{"gfx12", gfx12, "gfx1200/navi44 gfx1201/navi48"},
	{"gfx12.5", gfx12_5, "gfx1250"},
}

// Targets are AMD's GPUs, by age.
func Targets() []*isel.Target {
	var ts []*isel.Target
	made := map[ir.Features]*isel.Target{}
	for _, g := range generations {
		f := g.features
		like := made[f]
		if like == nil {
			like = newKind(f)
			made[f] = like
		}
		for _, names := range strings.Fields(g.names) {
			n := strings.Split(names, "/")
			ts = append(ts, named(like, n[0], g.family, n[1:]))
		}
	}
	return ts
}

// newKind is what all targets with some features are.
func newKind(f ir.Features) *isel.Target {
	return &isel.Target{Features: f, Machine: machineOf(f), Rules: rules.on(f), Uniform: scalarRules.uniform(f), Print: printer(f), Dialect: dialect(f), Symbol: directives, CodeEnd: codeEnd(f)}
}

// named is a target of a kind.
func named(like *isel.Target, name, family string, aliases []string) *isel.Target {
	return &isel.Target{
		Name: name, Family: family, Aliases: aliases, Features: like.Features,
		Machine: like.Machine, Rules: like.Rules, Uniform: like.Uniform, Print: like.Print, Dialect: like.Dialect, Symbol: like.Symbol, CodeEnd: like.CodeEnd,
	}
}
