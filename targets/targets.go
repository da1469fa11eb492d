// Package targets is the registry: every GPU that has a name, and the rules for
// those that have them.
package targets

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ptxlower/ptxlower/isel"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/llvm"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// Vendor says whose a target is.
type Vendor uint8

// The vendors; None is portable LLVM IR.
const (
	None Vendor = iota
	NVIDIA
	AMD
)

func (v Vendor) String() string { return [...]string{"-", "nvidia", "amd"}[v] }

// Info is what is known of a target whether or not it has rules.
type Info struct {
	Name     string
	Vendor   Vendor
	Family   string
	Aliases  []string
	PTXFloor string       // the first PTX version with the target; NVIDIA only
	Target   *isel.Target // nil until the target has rules
}

// Features are the names of what tells the target from others of its vendor, as
// the documentation of its package has them.
func (i *Info) Features() []string {
	switch {
	case i.Target == nil:
		return nil
	case i.Vendor == NVIDIA:
		return nv.FeatureNames(i.Target.Features)
	case i.Vendor == AMD:
		return amd.FeatureNames(i.Target.Features)
	}
	return nil
}

// named lists the targets: name, family, PTX version, other names.
// Versions: PTX ISA, "Release notes". Code names: LLVM's AMDGPU processors,
// NVIDIA's architecture names.
var named = []struct {
	name, family, floor, aliases string
	vendor                       Vendor
}{
	{"sm_10", "tesla", "1.0", "tesla g80", NVIDIA},
	{"sm_11", "tesla", "1.0", "", NVIDIA},
	{"sm_12", "tesla", "1.2", "", NVIDIA},
	{"sm_13", "tesla", "1.2", "gt200", NVIDIA},
	{"sm_20", "fermi", "2.0", "fermi gf100", NVIDIA},
	{"sm_21", "fermi", "2.0", "", NVIDIA},
	{"sm_30", "kepler", "3.0", "kepler gk104", NVIDIA},
	{"sm_32", "kepler", "4.0", "gk20a", NVIDIA},
	{"sm_35", "kepler", "3.1", "gk110", NVIDIA},
	{"sm_37", "kepler", "4.1", "gk210", NVIDIA},
	{"sm_50", "maxwell", "4.0", "maxwell gm107", NVIDIA},
	{"sm_52", "maxwell", "4.1", "gm200", NVIDIA},
	{"sm_53", "maxwell", "4.2", "gm20b", NVIDIA},
	{"sm_60", "pascal", "5.0", "pascal gp100 p100", NVIDIA},
	{"sm_61", "pascal", "5.0", "gp102", NVIDIA},
	{"sm_62", "pascal", "5.0", "gp10b", NVIDIA},
	{"sm_70", "volta", "6.0", "volta gv100 v100", NVIDIA},
	{"sm_72", "volta", "6.1", "gv11b xavier", NVIDIA},
	{"sm_75", "turing", "6.3", "turing tu102 t4", NVIDIA},
	{"sm_80", "ampere", "7.0", "ampere ga100 a100", NVIDIA},
	{"sm_86", "ampere", "7.1", "ga102", NVIDIA},
	{"sm_87", "ampere", "7.4", "ga10b orin", NVIDIA},
	{"sm_88", "ampere", "9.0", "", NVIDIA},
	{"sm_89", "ada", "7.8", "ada ad102", NVIDIA},
	{"sm_90", "hopper", "7.8", "hopper gh100 h100 h200", NVIDIA},
	{"sm_100", "blackwell", "8.6", "blackwell gb100 b200", NVIDIA},
	{"sm_103", "blackwell", "8.8", "b300", NVIDIA},
	{"sm_110", "blackwell", "9.0", "sm_101 thor", NVIDIA},
	{"sm_120", "blackwell-rtx", "8.7", "gb202", NVIDIA},
	{"sm_121", "blackwell-rtx", "8.8", "gb10", NVIDIA},
	{"gfx600", "gfx6", "", "tahiti", AMD},
	{"gfx601", "gfx6", "", "pitcairn verde", AMD},
	{"gfx602", "gfx6", "", "hainan oland", AMD},
	{"gfx700", "gfx7", "", "kaveri", AMD},
	{"gfx701", "gfx7", "", "hawaii", AMD},
	{"gfx702", "gfx7", "", "", AMD},
	{"gfx703", "gfx7", "", "kabini mullins", AMD},
	{"gfx704", "gfx7", "", "bonaire", AMD},
	{"gfx705", "gfx7", "", "", AMD},
	{"gfx801", "gfx8", "", "carrizo", AMD},
	{"gfx802", "gfx8", "", "iceland tonga", AMD},
	{"gfx803", "gfx8", "", "fiji polaris10 polaris11", AMD},
	{"gfx805", "gfx8", "", "tongapro", AMD},
	{"gfx810", "gfx8", "", "stoney", AMD},
	{"gfx900", "gfx9", "", "vega10", AMD},
	{"gfx902", "gfx9", "", "raven", AMD},
	{"gfx904", "gfx9", "", "vega12", AMD},
	{"gfx906", "gfx9", "", "vega20 mi50 mi60", AMD},
	{"gfx908", "gfx9", "", "arcturus mi100", AMD},
	{"gfx909", "gfx9", "", "raven2", AMD},
	{"gfx90a", "gfx90a", "", "aldebaran mi200 mi210 mi250", AMD},
	{"gfx90c", "gfx9", "", "renoir", AMD},
	{"gfx940", "gfx94x", "", "", AMD},
	{"gfx941", "gfx94x", "", "", AMD},
	{"gfx942", "gfx94x", "", "mi300 mi300a mi300x", AMD},
	{"gfx950", "gfx94x", "", "mi350 mi355x", AMD},
	{"gfx1010", "gfx10", "", "navi10", AMD},
	{"gfx1011", "gfx10", "", "navi12", AMD},
	{"gfx1012", "gfx10", "", "navi14", AMD},
	{"gfx1013", "gfx10", "", "", AMD},
	{"gfx1030", "gfx10.3", "", "navi21", AMD},
	{"gfx1031", "gfx10.3", "", "navi22", AMD},
	{"gfx1032", "gfx10.3", "", "navi23", AMD},
	{"gfx1033", "gfx10.3", "", "vangogh", AMD},
	{"gfx1034", "gfx10.3", "", "navi24", AMD},
	{"gfx1035", "gfx10.3", "", "rembrandt", AMD},
	{"gfx1036", "gfx10.3", "", "raphael", AMD},
	{"gfx1100", "gfx11", "", "navi31", AMD},
	{"gfx1101", "gfx11", "", "navi32", AMD},
	{"gfx1102", "gfx11", "", "navi33", AMD},
	{"gfx1103", "gfx11", "", "phoenix", AMD},
	{"gfx1150", "gfx11.5", "", "strix", AMD},
	{"gfx1151", "gfx11.5", "", "strixhalo", AMD},
	{"gfx1152", "gfx11.5", "", "krackan", AMD},
	{"gfx1153", "gfx11.5", "", "", AMD},
	{"gfx1200", "gfx12", "", "navi44", AMD},
	{"gfx1201", "gfx12", "", "navi48", AMD},
	{"gfx1250", "gfx12.5", "", "", AMD},
	{"generic", "llvm", "", "llvm portable", None},
	{"generic64", "llvm", "", "", None},
	{"generic-sdwa", "llvm", "", "", None},
}

// Portable is the profile of portable IR that LLVM compiles best for the target.
func (i *Info) Portable() *isel.Target {
	name := "generic"
	switch {
	case i.Vendor == None:
		name = i.Name
	case i.Vendor == AMD && i.Target != nil && i.Target.Features.Has(amd.SDWA):
		name = "generic-sdwa"
	}
	return reg().byName[name].Target
}

// WithMadClamp are the targets where the clamp modifier of AMD's multiply-adds is
// trusted, of all that have it.
func WithMadClamp() []*isel.Target {
	var out []*isel.Target
	for _, i := range All() {
		if with := i.MadClamp(); with != nil {
			out = append(out, with.Target)
		}
	}
	return out
}

// MadClamp is the target where the clamp modifier of AMD's multiply-adds is
// trusted (amd.MadClamp); nil where there is none.
func (i *Info) MadClamp() *Info {
	if i.Vendor != AMD || i.Target == nil {
		return nil
	}
	t := amd.MadClamp(i.Target)
	if t == nil {
		return nil
	}
	with := *i
	with.Target = t
	return &with
}

type registry struct {
	all    []*Info
	byName map[string]*Info
}

var reg = sync.OnceValue(func() *registry {
	r := &registry{byName: map[string]*Info{}}
	for _, n := range named {
		i := &Info{Name: n.name, Vendor: n.vendor, Family: n.family, PTXFloor: n.floor, Aliases: strings.Fields(n.aliases)}
		r.all = append(r.all, i)
		r.byName[i.Name] = i
		for _, a := range i.Aliases {
			r.byName[a] = i
		}
	}
	for _, t := range slices.Concat(nv.Targets(), amd.Targets(), llvm.Targets()) {
		r.byName[t.Name].Target = t
	}
	return r
})

// All lists the targets, NVIDIA's by age, then AMD's, then generic.
func All() []*Info { return reg().all }

// Supported lists those that have rules.
func Supported() []*isel.Target {
	var ts []*isel.Target
	for _, i := range All() {
		if i.Target != nil {
			ts = append(ts, i.Target)
		}
	}
	return ts
}

// Find gives the target of a name: its own, a code name, compute_70, sm_90a,
// gfx90a:xnack-. The error of an unknown name suggests the nearest one.
func Find(name string) (*Info, error) {
	if i := reg().byName[Canonical(name)]; i != nil {
		return i, nil
	}
	msg := fmt.Sprintf("unknown target %q", name)
	bare, _, _ := strings.Cut(strings.ToLower(name), ":")
	if s := nearest(bare); s != "" {
		msg += fmt.Sprintf("; did you mean %s?", s)
	}
	return nil, fmt.Errorf("%s", msg)
}

// Canonical strips what does not change a target's instructions: the case, the
// compute_ spelling, NVIDIA's a and f suffixes, AMD's feature suffixes :xnack± and :sramecc±.
func Canonical(name string) string {
	s := strings.ToLower(strings.TrimSpace(name))
	if rest, ok := strings.CutPrefix(s, "compute_"); ok {
		s = "sm_" + rest
	}
	if strings.HasPrefix(s, "sm_") {
		if n := strings.TrimRight(s, "af"); len(n) > len("sm_") && len(s)-len(n) <= 1 {
			s = n
		}
	}
	if name, features, ok := strings.Cut(s, ":"); ok && strings.HasPrefix(s, "gfx") {
		for f := range strings.SplitSeq(features, ":") {
			if !slices.Contains([]string{"xnack+", "xnack-", "sramecc+", "sramecc-"}, f) {
				return s
			}
		}
		s = name
	}
	return s
}

func nearest(name string) string {
	var names []string
	for _, i := range reg().all {
		names = append(append(names, i.Name), i.Aliases...)
	}
	return Nearest(name, names)
}

// Nearest is the name with the smallest edit distance to a word, of several the
// one that begins like it; "" if none is near.
func Nearest(word string, names []string) string {
	best, at, same := "", max(2, len(word)/3+1), 0
	for _, n := range names {
		d, p := distance(word, n), prefix(word, n)
		if d < at || d == at && best != "" && p > same {
			best, at, same = n, d, p
		}
	}
	return best
}

// prefix is how many bytes two words begin with together.
func prefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// distance is the number of insertions, deletions, substitutions and exchanges
// of neighbours between two words.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		now, last, before := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j-1]+cost, last[j]+1, now[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
