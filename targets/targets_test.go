package targets_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/targets"
)

// names are the targets that there must be.
var names = map[targets.Vendor]string{
	targets.NVIDIA: `sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62
		sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_100 sm_103 sm_110 sm_120 sm_121`,
	targets.AMD: `gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx801 gfx802 gfx803 gfx805 gfx810
		gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90a gfx90c gfx940 gfx941 gfx942 gfx950
		gfx1010 gfx1011 gfx1012 gfx1013 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036
		gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx1200 gfx1201 gfx1250`,
	targets.None: "generic generic64 generic-sdwa",
}

func TestEveryTargetResolvesByItsName(t *testing.T) {
	var all []string
	for _, i := range targets.All() {
		all = append(all, i.Name)
	}
	n := 0
	for vendor, list := range names {
		for _, name := range strings.Fields(list) {
			i, err := targets.Find(name)
			require.NoError(t, err)
			require.Equal(t, name, i.Name)
			require.Equal(t, vendor, i.Vendor, name)
			require.NotEmpty(t, i.Family, name)
			require.Equal(t, vendor == targets.NVIDIA, i.PTXFloor != "", name)
			require.Contains(t, all, name)
			if i.Target != nil {
				require.Equal(t, name, i.Target.Name)
			}
			n++
		}
	}
	require.Len(t, all, n)
	for _, name := range []string{"sm_70", "gfx900", "generic"} {
		i, err := targets.Find(name)
		require.NoError(t, err)
		require.NotNil(t, i.Target, name)
		require.Contains(t, targets.Supported(), i.Target)
	}
}

func TestEveryAliasBelongsToOneTarget(t *testing.T) {
	seen := map[string]string{}
	for _, i := range targets.All() {
		for _, a := range append(slices.Clone(i.Aliases), i.Name) {
			require.Empty(t, seen[a], "%s is a name of two targets", a)
			seen[a] = i.Name
			got, err := targets.Find(a)
			require.NoError(t, err)
			require.Equal(t, i.Name, got.Name, a)
			got, err = targets.Find(strings.ToUpper(a))
			require.NoError(t, err)
			require.Equal(t, i.Name, got.Name, a)
		}
	}
}

func TestOtherSpellingsOfTargets(t *testing.T) {
	for name, want := range map[string]string{
		"sm_90a": "sm_90", "sm_100a": "sm_100", "sm_100f": "sm_100", "sm_120f": "sm_120", "SM_70": "sm_70", " sm_70\n": "sm_70",
		"compute_70": "sm_70", "compute_90a": "sm_90", "COMPUTE_80": "sm_80",
		"sm_101": "sm_110", "sm_101a": "sm_110", "compute_101": "sm_110",
		"gfx90a:xnack-": "gfx90a", "gfx90a:sramecc+:xnack-": "gfx90a", "GFX1030": "gfx1030", "gfx908:xnack+": "gfx908", "gfx90a:sramecc+": "gfx90a", "gfx942:sramecc-:xnack+": "gfx942",
		"volta": "sm_70", "V100": "sm_70", "Hopper": "sm_90", "vega10": "gfx900", "tahiti": "gfx600", "navi21": "gfx1030", "mi300x": "gfx942",
		"llvm": "generic", "portable": "generic",
	} {
		i, err := targets.Find(name)
		require.NoError(t, err)
		require.Equal(t, want, i.Name, name)
	}
}

func TestUnknownTargetsAreRefusedWithTheNearestName(t *testing.T) {
	for name, want := range map[string]string{
		"sm70": "sm_70", "sm-80": "sm_80", "sm_71": "sm_70", "gfx901": "gfx900", "gfx90b": "gfx900", "vega1": "vega10", "genric": "generic",
		"sm_90af": "sm_90", "compute70": "", "sm_": "", "gfx": "", "": "", "x86-64": "", "sm_70:xnack-": "", "gfx90a:xnack": "gfx90a", "gfx90a:fast+": "gfx90a", "gfx900:": "gfx900", "sm_a": "", "sm_7a0": "sm_70",
	} {
		i, err := targets.Find(name)
		require.Nil(t, i, name)
		require.ErrorContains(t, err, "unknown target \""+name+"\"")
		if want == "" {
			continue
		}
		require.ErrorContains(t, err, "did you mean "+want, name)
	}
	_, err := targets.Find("quantum")
	require.EqualError(t, err, `unknown target "quantum"`)
}

func TestNearest(t *testing.T) {
	list := []string{"add.u32", "sub.u32", "addc.u32"}
	require.Equal(t, "add.u32", targets.Nearest("ad.u32", list))
	require.Equal(t, "addc.u32", targets.Nearest("adcc.u32", list))
	require.Equal(t, "add.u32", targets.Nearest("add.u32", list))
	require.Empty(t, targets.Nearest("frobnicate", list))
	require.Empty(t, targets.Nearest("add.u32", nil))
}
