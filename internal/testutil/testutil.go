// Package testutil finds what tests need outside their own folder.
package testutil

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Root is the folder of go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Shared is the path of a file or folder of the specification material, which
// lies beside the checkout in a folder named shared. Where it is absent the
// test is skipped, or fails under PTXLOWER_JUDGES=required.
func Shared(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join(filepath.Dir(Root(t)), "shared", filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		if os.Getenv("PTXLOWER_JUDGES") == "required" {
			t.Fatalf("shared/%s is not beside the checkout", name)
		}
		t.Skipf("shared/%s is not beside the checkout", name)
	}
	return p
}

// CSV reads a table of the specification material; each row maps the header's
// names to its fields.
func CSV(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, r := range all[1:] {
		m := map[string]string{}
		for i, h := range all[0] {
			m[h] = r[i]
		}
		rows = append(rows, m)
	}
	return rows
}

// ProcessorTime is what the process has had of all cores: what else runs on the
// machine does not count.
func ProcessorTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
