// Package lltest makes large LLVM IR modules for benchmarks.
package lltest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

// token finds what must differ from copy to copy: attribute groups, metadata
// nodes and names. Strings come first, so that nothing inside one is found.
var token = regexp.MustCompile(`"[^"]*"|#\d+|!\d+|[%@$][-a-zA-Z$._][-a-zA-Z$._0-9]*`)

var (
	defined  = regexp.MustCompile(`(?m)^(?:define [^@\n]*(@[-a-zA-Z$._0-9]+)\(|(@[-a-zA-Z$._0-9]+) = |(\$[-a-zA-Z$._0-9]+) = |(%[-a-zA-Z$._0-9]+) = type)`)
	declared = regexp.MustCompile(`^declare [^@\n]*(@[-a-zA-Z$._0-9]+)\(`)
)

// Big is a module of at least size bytes that llvm-as 22 accepts: copy after
// copy of the corpus files that clang 22 printed for CUDA at -O0, -O1 and -O2,
// with names and numbers made unique.
func Big(t testing.TB, size int) []byte {
	t.Helper()
	var files []string
	for _, level := range []string{"O0", "O1", "O2"} {
		some, err := filepath.Glob(filepath.Join(testutil.Shared(t, "corpus/ll"), "*.clang22."+level+".ll"))
		if err != nil || some == nil {
			t.Fatalf("no corpus files of clang 22 at -%s: %v", level, err)
		}
		files = append(files, some...)
	}
	var out bytes.Buffer
	out.WriteString("target triple = \"nvptx64-nvidia-cuda\"\n\n")
	decls := map[string]bool{}
	for n := 0; out.Len() < size; n++ {
		text, err := os.ReadFile(files[n%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		appendCopy(&out, string(text), n, decls)
	}
	return out.Bytes()
}

// appendCopy writes one file's constructs, as copy n.
func appendCopy(out *bytes.Buffer, text string, n int, decls map[string]bool) {
	own := map[string]bool{}
	for _, m := range defined.FindAllStringSubmatch(text, -1) {
		own[m[1]+m[2]+m[3]+m[4]] = true
	}
	rename := func(s string) string {
		switch s[0] {
		case '#', '!':
			if k, err := strconv.Atoi(s[1:]); err == nil {
				return fmt.Sprintf("%c%d", s[0], 1000*n+k)
			}
		case '@', '%', '$':
			if own[s] {
				return fmt.Sprintf("%s.%d", s, n)
			}
		}
		return s
	}
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "target "), strings.HasPrefix(line, "source_filename"):
			continue
		case strings.HasPrefix(line, "!") && (line[1] < '0' || line[1] > '9'): // named metadata: once a module
			continue
		}
		if m := declared.FindStringSubmatch(line); m != nil {
			if decls[m[1]] {
				continue
			}
			decls[m[1]] = true
		}
		out.WriteString(token.ReplaceAllStringFunc(line, rename))
	}
}
