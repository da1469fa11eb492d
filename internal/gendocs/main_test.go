package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

var update = flag.Bool("update", false, "write the pages anew")

func TestThePagesAreWhatTheTablesSay(t *testing.T) {
	for name, want := range pages() {
		path := filepath.Join(testutil.Root(t), "docs", name)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o666))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(got) == want, "docs/%s is out of date: go run ./internal/gendocs", name)
	}
}

func TestEveryMnemonicHasItsMeaning(t *testing.T) {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(semantics(), func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
		words[w] = true
	}
	n := map[string]bool{}
	for _, f := range ptx.Forms() {
		n[f.String()] = true
		require.True(t, words[f.String()], f.String())
	}
	require.Len(t, n, 200)
}
