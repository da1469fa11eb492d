// Package judges finds the outside tools that tests use as judges: LLVM's
// assemblers and checkers, NVIDIA's ptxas and nvdisasm, z3, and others. Nothing but tests
// uses it; the command needs none of them.
package judges

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

// Need is the path of a judge: on PATH, in LLVM's versioned folders for a name
// such as "llvm-mc-22", or in the cache that scripts/judges fills. A missing
// judge skips the test, or fails it under PTXLOWER_JUDGES=required.
func Need(t testing.TB, name string) string {
	t.Helper()
	if p, err := exec.LookPath(name); err == nil {
		return p
	}
	p := filepath.Join(testutil.Root(t), ".cache", "judges", "bin", name)
	if _, err := os.Stat(p); err == nil {
		return p
	}
	if os.Getenv("PTXLOWER_JUDGES") == "required" {
		t.Fatalf("judge %s is missing: run scripts/judges", name)
	}
	t.Skipf("judge %s is missing: run scripts/judges", name)
	return ""
}
