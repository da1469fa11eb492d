package ptxlower_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/ptxlower/ptxlower"

// layers is the order in which packages may import each other: a package may
// import what stands before it in a line, directly or through other lines.
// "." is the library's door; "x/*" are the packages below x, which may not
// import one another. diag and the standard library are open to all.
var layers = [][]string{
	{"sem", "ptx", "ir", "ir/ll", "lower", "lower/rechain", "mach", "isel", "targets/*", "targets", "eval", ".", "ir/llirdoor", "examples/*"},
	{"sem", "prove", "."},
	{".", "cmd/*"},
}

// llirUsers are the packages that may import llir: the door to it, and the
// programs that show how to walk through.
var llirUsers = []string{"ir/llirdoor", "examples/*"}

// layer is the name in layers that a package goes by, or "".
func layer(pkg string) string {
	for _, line := range layers {
		for _, name := range line {
			if below, ok := strings.CutSuffix(name, "*"); name == pkg || ok && strings.HasPrefix(pkg, below) {
				return name
			}
		}
	}
	return ""
}

// below reports whether the layer low stands before high.
func below(low, high string) bool {
	for _, line := range layers {
		i := slices.Index(line, high)
		for _, under := range line[:max(i, 0)] {
			if under == low || below(low, under) {
				return true
			}
		}
	}
	return false
}

// helps is the package whose tests a package such as ir/irtest helps, or "".
func helps(pkg string) string {
	parent, name := path.Split(pkg)
	if parent = strings.TrimSuffix(parent, "/"); parent != "" && name == path.Base(parent)+"test" {
		return parent
	}
	return ""
}

// refuse says why a package may not import another package, or "". A helper of
// tests may import the package that it helps, what that one may, and internal
// packages.
func refuse(pkg, path string) string {
	if strings.HasPrefix(path, "github.com/llir/llvm") {
		if !slices.Contains(llirUsers, layer(pkg)) {
			return "only ir/llirdoor imports llir/llvm"
		}
		return ""
	}
	imported, ok := cutModule(path)
	helped := helps(pkg)
	forTests := helped != "" || strings.HasPrefix(pkg, "internal/")
	switch {
	case !ok, imported == "diag":
		return ""
	case pkg == "diag":
		return "diag is a leaf"
	case layer(imported) == "cmd/*", layer(imported) == "examples/*":
		return "nothing imports a program"
	case strings.HasPrefix(imported, "internal/"), helps(imported) != "":
		if layer(pkg) != "cmd/*" && !forTests {
			return "only tests and cmd import it"
		}
		return ""
	case helped != "" && imported != helped:
		return refuse(helped, path)
	case forTests:
		return ""
	case !below(layer(imported), layer(pkg)):
		return "it does not stand before it in layers"
	}
	return ""
}

// cutModule makes an import path of the module relative to it.
func cutModule(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestImportsRunOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"/...").Output()
	require.NoError(t, err)
	packages := 0
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		pkg, ok := cutModule(paths[0])
		require.True(t, ok, paths[0])
		packages++
		known := pkg == "diag" || layer(pkg) != "" || strings.HasPrefix(pkg, "internal/") || layer(helps(pkg)) != ""
		if !known {
			t.Errorf("%s has no place in layers", pkg)
			continue
		}
		for _, imported := range paths[1:] {
			if why := refuse(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", pkg, imported, why)
			}
		}
	}
	require.Greater(t, packages, 1)
}

func TestLayersRefuseWhatTheDesignForbids(t *testing.T) {
	for _, tt := range []struct {
		pkg, imported string
		refused       bool
	}{
		{"ptx", "sem", false},
		{"sem", "ptx", true},
		{"sem", "prove", true},
		{"prove", "sem", false},
		{"prove", "ptx", true},
		{"lower", "prove", true},
		{"ir", "ir/ll", true},
		{"ir/ll", "ptx", false},
		{"isel", "targets", true},
		{"targets/nv", "isel", false},
		{"targets/nv", "targets/amd", true},
		{"targets/nv", "targets", true},
		{"targets", "targets/amd", false},
		{"eval", "targets", false},
		{".", "prove", false},
		{".", "cmd/ptxlower", true},
		{"ir/llirdoor", ".", false},
		{".", "ir/llirdoor", true},
		{"cmd/ptxlower", ".", false},
		{"cmd/ptxlower", "internal/filecheck", false},
		{"cmd/ptxlower", "ir/llirdoor", true},
		{"eval", "internal/testutil", true},
		{"internal/superopt", "targets/nv", false},
		{"internal/lit", "cmd/ptxlower", true},
		{"diag", "sem", true},
		{"sem", "diag", false},
		{"ir/irtest", "ir", false},
		{"ir/irtest", "sem", false},
		{"ir/irtest", "lower", true},
		{"ir/irtest", "internal/testutil", false},
		{"lower", "ir/irtest", true},
		{"lower/lowertest", "ir/irtest", false},
		{"unknown", "sem", true},
		{"ptx", "unknown", true},
	} {
		imported := strings.TrimSuffix(module+"/"+tt.imported, "/.")
		require.Equal(t, tt.refused, refuse(tt.pkg, imported) != "", "%s imports %s", tt.pkg, tt.imported)
	}
	require.Empty(t, refuse("ir/llirdoor", "github.com/llir/llvm/ir"))
	require.NotEmpty(t, refuse("ir/ll", "github.com/llir/llvm/ir"))
	require.Empty(t, refuse("sem", "math/big"))
}
