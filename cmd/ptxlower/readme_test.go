package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
)

// shell runs a line as a reader of the documentation would, in a folder with a
// copy of examples/ and a kernel.ll.
type shell struct{ dir string }

func newShell(t *testing.T) *shell {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh to run the shown commands with")
	}
	sh := &shell{t.TempDir()}
	examples := filepath.Join(testutil.Root(t), "examples")
	require.NoError(t, os.CopyFS(filepath.Join(sh.dir, "examples"), os.DirFS(examples)))
	kernel, err := os.ReadFile(filepath.Join(examples, "carry.ll"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(sh.dir, "kernel.ll"), kernel, 0o666))
	return sh
}

// run gives what a line prints, both streams together. ptxlower is on PATH:
// testscript.Main put it there.
func (sh *shell) run(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = sh.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var codeBlock = regexp.MustCompile("(?ms)^```\\w*\\n.*?^```\\n")

// TestTheDocumentationShowsWhatTheCommandPrints runs each line that starts with
// "$ " in the code blocks of a document, and compares what follows it there.
func TestTheDocumentationShowsWhatTheCommandPrints(t *testing.T) {
	for _, name := range []string{"README.md", "docs/using.md"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(testutil.Root(t), name)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			sh := newShell(t)
			shown := 0
			got := codeBlock.ReplaceAllStringFunc(string(text), func(block string) string {
				if !strings.HasPrefix(block, "```\n$ ") {
					return block
				}
				var out strings.Builder
				out.WriteString("```\n")
				blank := false // the line before
				for line := range strings.Lines(block) {
					if command, ok := strings.CutPrefix(line, "$ "); ok {
						if blank {
							out.WriteByte('\n')
						}
						printed, _ := sh.run(strings.TrimSpace(command)) // what is shown may be an error
						out.WriteString(line + printed)
						shown++
					}
					blank = line == "\n"
				}
				return out.String() + "```\n"
			})
			require.Positive(t, shown)
			if *update && got != string(text) {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
				return
			}
			require.Equal(t, got, string(text))
		})
	}
}

// TestTheCommandsThatTheReadmeNamesWork runs those within its text.
func TestTheCommandsThatTheReadmeNamesWork(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testutil.Root(t), "README.md"))
	require.NoError(t, err)
	sh := newShell(t)
	lines := regexp.MustCompile("`(ptxlower [^`]+)`").FindAllStringSubmatch(string(text), -1)
	require.GreaterOrEqual(t, len(lines), 6)
	for _, m := range lines {
		out, err := sh.run(m[1])
		require.NoError(t, err, "%s\n%s", m[1], out)
		require.NotEmpty(t, out, m[1])
	}
	for _, m := range regexp.MustCompile(`\]\(([\w./-]+)\)`).FindAllStringSubmatch(string(text), -1) {
		_, err := os.Stat(filepath.Join(testutil.Root(t), m[1]))
		require.NoError(t, err, "a link")
	}
}
