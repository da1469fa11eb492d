package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/internal/lit"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ptx"
)

var update = flag.Bool("update", false, "write the expectations of scripts and golden tests anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ptxlower": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "unhex": unhex},
	})
}

// exits is the command "exits CODE PROGRAM ARGUMENTS…" of scripts: the program
// ends with just that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENTS…")
	}
	code := 0
	var e *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &e) {
		code = e.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, not %s", code, args[0])
	}
}

// unhex is the command "unhex FILE DIGITS…" of scripts: it writes bytes.
func unhex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: unhex FILE DIGITS…")
	}
	text, err := hex.DecodeString(strings.Join(args[1:], ""))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o666))
}

func TestGolden(t *testing.T) {
	lit.Run(t, "../../testdata/lit", lit.Config{
		Commands: map[string]lit.Command{"ptxlower": Main},
		Features: lit.JudgeFeatures(t),
		Update:   *update,
	})
}

// batchTargets are the ways that eval runs a body: by its meaning, and by the
// operations of each target with rules.
var batchTargets = []string{"", "sm_70", "gfx900", "generic"}

// batch runs eval --batch and gives an object for each line.
func batch(t *testing.T, target string, lines []string) (objects []map[string]any, stderr string) {
	args := []string{"eval", "--batch", "-"}
	if target != "" {
		args = append(args, "--target="+target)
	}
	var out, errs bytes.Buffer
	Main(args, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &errs)
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, got, len(lines), "one object a line")
	for _, l := range got {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(l), &o), l)
		objects = append(objects, o)
	}
	return objects, errs.String()
}

func TestVectors(t *testing.T) {
	rows := testutil.CSV(t, "spec/vectors.csv")
	require.Len(t, rows, 325)
	var lines []string
	for _, r := range rows {
		var in []string
		for _, n := range []string{"a", "b", "c"} {
			if r[n] != "" {
				in = append(in, n+"="+r[n])
			}
		}
		if r["cf_in_hw"] != "" {
			in = append(in, "cf="+r["cf_in_hw"])
		}
		lines = append(lines, r["insn"]+"\t"+strings.Join(in, ","))
	}
	for _, target := range batchTargets {
		objects, _ := batch(t, target, lines)
		for i, r := range rows {
			require.Equal(t, r["d"], objects[i]["d"], "%s: vector %s: %s", target, r["id"], lines[i])
			if r["cf_out_hw"] != "" {
				require.Equal(t, r["cf_out_hw"] == "1", objects[i]["cf"] == 1.0, "%s: carry of vector %s: %s", target, r["id"], lines[i])
			}
		}
	}
}

func TestSequences(t *testing.T) {
	rows := testutil.CSV(t, "spec/sequences.csv")
	require.Len(t, rows, 26)
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.ReplaceAll(r["program"], "|", " ")+"\t"+strings.ReplaceAll(r["inputs"], " ", ","))
	}
	for _, target := range batchTargets {
		objects, _ := batch(t, target, lines)
		for i, r := range rows {
			for _, kv := range strings.Fields(r["outputs_hw"]) {
				name, want, _ := strings.Cut(kv, "=")
				require.Equal(t, number(t, want), number(t, objects[i][name].(string)), "%s: %s of %s: %v", target, name, r["name"], objects[i])
			}
		}
	}
}

func number(t *testing.T, s string) uint64 {
	v, err := strconv.ParseUint(s, 0, 64)
	require.NoError(t, err)
	return v
}

func TestIllegalSpellingsAreRefused(t *testing.T) {
	rows := testutil.CSV(t, "spec/illegal.csv")
	require.Len(t, rows, 77)
	for _, target := range batchTargets {
		var lines []string
		for _, r := range rows {
			lines = append(lines, r["insn"]+"\ta=1,b=2,c=3,cf=0,e=0")
		}
		objects, _ := batch(t, target, lines)
		for i, o := range objects {
			require.Contains(t, o, "error", "%s: %s", target, lines[i])
			require.NotZero(t, o["col"], lines[i])
			require.NotEmpty(t, o["text"], lines[i])
		}
	}
}

func TestLenientSpellingsMeanWhatTheTableSays(t *testing.T) {
	rows := testutil.CSV(t, "spec/lenient.csv")
	require.Len(t, rows, 27)
	for _, target := range batchTargets {
		var asWritten, asMeant []string
		const values = "\ta=0x80ff7f01,b=0xfffffffe,c=0x7fffffff,cf=1"
		for _, r := range rows {
			asWritten = append(asWritten, r["insn"]+values)
			asMeant = append(asMeant, r["means"]+values)
		}
		got, warnings := batch(t, target, asWritten)
		want, quiet := batch(t, target, asMeant)
		require.Equal(t, want, got, target)
		require.Equal(t, len(rows), strings.Count(warnings, ": warning: "), "one warning each")
		require.Empty(t, quiet)
	}
}

func TestLegalMnemonicsEvaluateOnEveryTarget(t *testing.T) {
	var lines []string
	for _, f := range ptx.Forms() {
		lines = append(lines, f.String()+" "+f.Operands()+";\ta=0x89abcdef,b=0x76543210,c=0xfedcba98,cf=1")
	}
	require.Len(t, lines, 200)
	want, _ := batch(t, "", lines)
	for _, target := range batchTargets[1:] {
		got, _ := batch(t, target, lines)
		require.Equal(t, want, got, target)
	}
	for i, o := range want {
		require.NotContains(t, o, "error", lines[i])
	}
}
