package filecheck

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/stretchr/testify/require"
)

func write(t testing.TB, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

type pair struct {
	check, input string
	args         string // separated by blanks
}

// pairs are check files with inputs; what each must give, FileCheck-22 says.
var pairs = []pair{
	{check: "CHECK: a", input: "b a c\n"},
	{check: "CHECK: a", input: "b\n"},
	{check: "; CHECK: a\n; CHECK: b\n", input: "b\na\n"},
	{check: "XCHECK: a\nCHECK: b\n", input: "b\n"},
	{check: "CHECK: a  b", input: "a\t  b\n"},
	{check: "CHECK: a  b", input: "a b\n", args: "--strict-whitespace"},
	{check: "CHECK:   a", input: "  a\n", args: "--strict-whitespace --match-full-lines"},
	{check: "CHECK:a", input: " a \n", args: "--match-full-lines"},
	{check: "CHECK: a", input: "ab\n", args: "--match-full-lines"},
	{check: "CHECK: a\nCHECK-NOT: b\n", input: "a\nxbx\n", args: "--match-full-lines"},
	{check: "CHECK: A", input: "a\n", args: "--ignore-case"},
	{check: "CHECK: [[X:A+]][[X]]", input: "aaAA\n", args: "--ignore-case"},
	{check: "CHECK: a", input: "", args: "--allow-empty"},
	{check: "CHECK-NOT: a", input: "", args: "--allow-empty"},
	{check: "CHECK: a", input: ""},
	{check: "CHECK: a\r\nCHECK-NEXT: b\r\n", input: "a\r\nb\r\n"},
	// -NEXT, -SAME, -EMPTY
	{check: "CHECK: a\nCHECK-NEXT: b", input: "a\nb\n"},
	{check: "CHECK: a\nCHECK-NEXT: b", input: "a\n\nb\n"},
	{check: "CHECK: a\nCHECK-NEXT: b", input: "a b\nb\n"},
	{check: "CHECK-NEXT: b", input: "b\n"},
	{check: "CHECK: a\nCHECK-SAME: b", input: "a b\n"},
	{check: "CHECK: a\nCHECK-SAME: b", input: "a\nb\n"},
	{check: "CHECK-SAME: a", input: "a\n"},
	{check: "CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b", input: "a\n\nb\n"},
	{check: "CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b", input: "a\nb\n"},
	{check: "CHECK: a\nCHECK-EMPTY:\n", input: "a\n"},
	{check: "CHECK: a\nCHECK-EMPTY:\n", input: "a"},
	{check: "CHECK: a\nCHECK-EMPTY:\n", input: "a\nb\n\n"},
	{check: "CHECK: a\nCHECK-EMPTY: x", input: "a\n\n"},
	{check: "CHECK-EMPTY:\n", input: "\n\n"},
	// -NOT, -DAG, -COUNT
	{check: "CHECK: a\nCHECK-NOT: x\nCHECK: b", input: "a\nx\nb\n"},
	{check: "CHECK: a\nCHECK-NOT: x\nCHECK: b", input: "x\na\nb\nx\n"},
	{check: "CHECK-NOT: x\nCHECK: b", input: "x\nb\n"},
	{check: "CHECK: b\nCHECK-NOT: x\n", input: "b\nx\n"},
	{check: "CHECK-NOT: x\n", input: "y\n"},
	{check: "CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c", input: "b\na\nc\n"},
	{check: "CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c", input: "b\nc\na\n"},
	{check: "CHECK-DAG: a\nCHECK-DAG: a\n", input: "a\n"},
	{check: "CHECK-DAG: a\nCHECK-DAG: a\n", input: "a\na\n"},
	{check: "CHECK-DAG: ab\nCHECK-DAG: bc\n", input: "abc\n"},
	{check: "CHECK-DAG: a\nCHECK-NOT: x\nCHECK-DAG: b\n", input: "a\nx\nb\n"},
	{check: "CHECK-DAG: a\nCHECK-NOT: x\nCHECK-DAG: b\n", input: "b\na\n"},
	{check: "CHECK-DAG: [[R:r.]] = a\nCHECK-DAG: use [[R]]\n", input: "use r1\nr1 = a\n"},
	{check: "CHECK-DAG: [[R:r.]] = a\nCHECK-DAG: use [[R]]\n", input: "use r2\nr1 = a\n"},
	{check: "CHECK-COUNT-3: a\nCHECK-NOT: a", input: "a a\na\n"},
	{check: "CHECK-COUNT-3: a\n", input: "a a\n"},
	{check: "CHECK-COUNT-2: a\nCHECK-NOT: a", input: "a a\na\n"},
	{check: "CHECK-COUNT-0: a\n", input: "a\n"},
	{check: "CHECK-COUNT-x: a\n", input: "a\n"},
	{check: "CHECK-COUNT-2{LITERAL}: {{\n", input: "{{{{\n"},
	{check: "CHECK: a\n", input: "a\nw\n", args: "--implicit-check-not=w"},
	{check: "CHECK: a\nCHECK: w\n", input: "a\nw\nb\n", args: "--implicit-check-not=w"},
	{check: "no directive", input: "a\nw\nb\n", args: "--implicit-check-not=w"},
	{check: "no directive", input: "a\nw\nb\n", args: "--implicit-check-not={{z}}"},
	{check: "CHECK: a\nCHECK-NOT: {{b|c}}", input: "a\nx\nc\n"},
	// -LABEL and scopes
	{check: "CHECK-LABEL: f:\nCHECK: x\nCHECK-LABEL: g:\nCHECK: y", input: "f:\nx\ng:\ny\n"},
	{check: "CHECK-LABEL: f:\nCHECK: x\nCHECK-LABEL: g:\nCHECK: y", input: "f:\ng:\nx\ny\n"},
	{check: "CHECK-LABEL: f:\nCHECK-NOT: x\nCHECK-LABEL: g:\nCHECK: y", input: "f:\nx\ng:\ny\n"},
	{check: "CHECK-LABEL: f:\nCHECK-DAG: x\nCHECK-LABEL: g:\n", input: "f:\ng:\nx\n"},
	{check: "CHECK-LABEL: f[[X:.]]\n", input: "fa\n"},
	{check: "CHECK: [[A:.]]1\nCHECK-LABEL: f\nCHECK: [[A]]2", input: "x1\nf\nx2\n"},
	{check: "CHECK: [[A:.]]1\nCHECK-LABEL: f\nCHECK: [[A]]2", input: "x1\nf\nx2\n", args: "--enable-var-scope"},
	{check: "CHECK: [[$A:.]]1\nCHECK-LABEL: f\nCHECK: [[$A]]2", input: "x1\nf\nx2\n", args: "--enable-var-scope"},
	{check: "CHECK: [[#A:]]a\nCHECK-LABEL: f\nCHECK: [[#A]]b", input: "1a\nf\n1b\n", args: "--enable-var-scope"},
	{check: "CHECK-LABEL: f\nCHECK: [[A]]2", input: "f\nx2\n", args: "--enable-var-scope -DA=x"},
	// regular expressions and variables
	{check: "CHECK: a{{[0-9]+}}b", input: "a12b\n"},
	{check: "CHECK: a{{.*}}b", input: "a1\nb\n"},
	{check: "CHECK: {{^}}a{{$}}", input: "b\na\n"},
	{check: "CHECK: {{a|b}}c", input: "bc\n"},
	{check: "CHECK: a{{b{2}}}", input: "abb\n"},
	{check: "CHECK: x{{{}}y", input: "x{y\n"},
	{check: "CHECK: {{\\d}}x", input: "dx\n"},
	{check: "CHECK: {{()}}x", input: "x\n"},
	{check: "CHECK: {{x", input: "x\n"},
	{check: "CHECK{LITERAL}: [[a]] {{b", input: "[[a]] {{b\n"},
	{check: "CHECK{ LITERAL , LITERAL }: [[a", input: "[[a\n"},
	{check: "CHECK{FOO}: a\nCHECK: b", input: "b\n"},
	{check: "CHECK: [[R:r[0-9]+]], [[R]]", input: "r1, r2\nr12, r12\n"},
	{check: "CHECK: [[R:r[0-9]+]], [[R]]", input: "r1, r2\n"},
	{check: "CHECK: [[R:r[0-9]+]]\nCHECK: [[R]];", input: "r1\nr1;\n"},
	{check: "CHECK: [[R:r[0-9]+]]\nCHECK: [[R]];", input: "r1\nr2;\n"},
	{check: "CHECK: [[X:.*]]\nCHECK: <[[X]]>", input: "a.*b\n<a.*b>\n"},
	{check: "CHECK: [[[R:r]]]", input: "[r]\n"},
	{check: "CHECK: [[R:]]x", input: "x\n"},
	{check: "CHECK: [[R", input: "x\n"},
	{check: "CHECK: [[R x:.]]", input: "x\n"},
	{check: "CHECK: [[1R:.]]", input: "x\n"},
	{check: "CHECK: [[R+1]]", input: "x\n"},
	{check: "CHECK: [[@LINE]]", input: "1\n"},
	{check: "\nCHECK: [[@LINE-1]] [[#@LINE+1]]", input: "1 3\n"},
	{check: "CHECK: [[V]]", input: "abc\n", args: "-DV=b"},
	{check: "CHECK: [[V]]", input: "abc\n", args: "-DW=b"},
	// numbers
	{check: "CHECK: a[[#]]b", input: "a12b\n"},
	{check: "CHECK: [[#N:]]\nCHECK: [[#N+1]]", input: "7\n8\n"},
	{check: "CHECK: [[#N:]]\nCHECK: [[#N+1]]", input: "7\n9\n"},
	{check: "CHECK: <[[#%x,N:]]>\nCHECK: <[[#N+1]]>\nCHECK: <[[#%u,N]]>", input: "<ff>\n<100>\n<255>\n"},
	{check: "CHECK: [[#%X,N:]] [[#%.4x,11]] [[#%#x,255]]", input: "AB 000b 0xff\n"},
	{check: "CHECK: [[#%d,N:]];\nCHECK: [[#%d,N-1]];", input: "-3;\n-4;\n"},
	{check: "CHECK: [[#%u,1-3]]", input: "-2\n"},
	{check: "CHECK: <[[#%.3u,N:]]>", input: "<012>\n"},
	{check: "CHECK: <[[#%.3u,N:]]>", input: "<12>\n"},
	{check: "CHECK: [[#N:]] [[#N+1]]", input: "1 2\n"},
	{check: "CHECK: [[#N]]", input: "5\n", args: "-D#N=4+1"},
	{check: "CHECK: [[#%x,N+0x10]]", input: "1f\n", args: "-D#N=15"},
	{check: "CHECK: [[#N:]] [[#%x,M:]]\nCHECK: [[#N+M]]", input: "1 2\n3\n"},
	{check: "CHECK: [[#N:]] [[N:.]]", input: "1 2\n"},
	{check: "CHECK: [[#%q,N:]]", input: "1\n"},
	{check: "CHECK: [[#N M]]", input: "1\n"},
	{check: "CHECK: [[#N+]]", input: "1\n"},
	{check: "CHECK: [[#@FOO]]", input: "1\n"},
	{check: "CHECK: [[#N: 3]]\nCHECK: [[#N]]", input: "3\n3\n"},
	// prefixes and flags
	{check: "A: a\nB: b\n", input: "a\nb\n", args: "--check-prefixes=A,B"},
	{check: "A: a\nAB: b\n", input: "a\nb\n", args: "--check-prefix=A --check-prefix=AB"},
	{check: "A: a\n", input: "a\nb\n", args: "--check-prefixes=A,B"},
	{check: "A: a\n", input: "a\nb\n", args: "--check-prefixes=A,B --allow-unused-prefixes"},
	{check: "A: a\n", input: "a\n"},
	{check: "A: a\n", input: "a\n", args: "--check-prefixes=A,A"},
	{check: "A: a\n", input: "a\n", args: "--check-prefixes=A.B"},
	{check: "RUN: CHECK: x\nCHECK: a\n", input: "a\n"},
	{check: "COM: CHECK: x\nCHECK: a\n", input: "a\n", args: "--comment-prefixes=REM"},
	{check: "REM: CHECK: x\nCHECK: a\n", input: "a\n", args: "--comment-prefixes=REM"},
	{check: "CHECK: a\n", input: "a\n", args: "--no-such-flag"},
	{check: "CHECK: a\n", input: "a\n", args: "-DX"},
	{check: "CHECK_NEXT: a\n", input: "a\n"},
	{check: "CHECK-NOT-DAG: a\n", input: "a\n"},
	{check: "CHECK:\n", input: "a\n"},
	{check: "CHECK", input: "a\n"},
}

// both gives the exit status of FileCheck-22 and ours, and what they print.
func both(t testing.TB, real string, p pair) (theirs, ours int, said [2]string) {
	dir := t.TempDir()
	write(t, dir+"/check", p.check)
	write(t, dir+"/input", p.input)
	args := append([]string{dir + "/check", "--input-file=" + dir + "/input", "--dump-input=never"}, strings.Fields(p.args)...)
	out, err := exec.Command(real, args...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		theirs = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	var errs bytes.Buffer
	ours = Main(args, nil, nil, &errs)
	return theirs, ours, [2]string{string(out), errs.String()}
}

func TestExitStatusIsThatOfFileCheck(t *testing.T) {
	real := judges.Need(t, "FileCheck-22")
	count := map[int]int{}
	for i, p := range pairs {
		theirs, ours, said := both(t, real, p)
		require.Equal(t, theirs, ours, "pair %d: %q on %q %s\nFileCheck: %s\nours: %s", i, p.check, p.input, p.args, said[0], said[1])
		count[theirs]++
	}
	require.GreaterOrEqual(t, count[0], 40, "pairs that match")
	require.GreaterOrEqual(t, count[1], 30, "pairs that do not")
	require.GreaterOrEqual(t, count[2], 20, "check files that are wrong")
}

// TestRandomChecksEndLikeFileChecks draws small check files and inputs from a
// few words, so that matches and near misses are both frequent.
func TestRandomChecksEndLikeFileChecks(t *testing.T) {
	real := judges.Need(t, "FileCheck-22")
	count := map[int]int{}
	for seed := range uint64(randomChecks) {
		p := randomPair(rand.New(rand.NewPCG(seed, 1)))
		theirs, ours, said := both(t, real, p)
		require.Equal(t, theirs, ours, "seed %d: %q on %q %s\nFileCheck: %s\nours: %s", seed, p.check, p.input, p.args, said[0], said[1])
		count[theirs]++
	}
	t.Logf("status → pairs: %v", count)
	require.Greater(t, count[0], randomChecks/10)
	require.Greater(t, count[1], randomChecks/10)
}

const randomChecks = 250

func randomPair(r *rand.Rand) pair {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var check, input strings.Builder
	define := map[string]bool{}
	for range 2 + r.IntN(5) {
		var words []string
		for range r.IntN(4) {
			words = append(words, pick("a", "b", "r1", "r2", "r12", "f:", "0x1f", "7", "8"))
		}
		between := pick(" ", "\t", ", ", "")
		line := strings.Join(words, between)
		input.WriteString(line + "\n")
		if r.IntN(8) == 0 {
			input.WriteString(pick("a", "b r1") + "\n")
		}
		suffix := pick("", "", "", "", "", "", "-NEXT", "-NEXT", "-NEXT", "-NEXT", "-NEXT", "-NEXT", "-DAG", "-DAG", "-SAME", "-NOT", "-DAG", "-DAG", "-LABEL", "-EMPTY", "-COUNT-2", "-COUNT-1", "{LITERAL}")
		switch {
		case line == "" && check.Len() == 0:
			continue
		case line == "":
			suffix = pick("-EMPTY", "none")
		case check.Len() == 0:
			suffix = pick("", "", "", "-DAG", "-NOT", "-LABEL", "-COUNT-1")
		}
		for i, w := range words {
			alts := []string{w, w, w, "{{.*}}", "{{^}}" + w, w + "{{$}}", "{{a|" + w + "}}", "[[S:" + w + "]]"}
			if w[0] == 'r' {
				alts = append(alts, "{{r[0-9]+}}", "[[R:r[0-9]+]]", "{{(r1|r12)[^,]}}")
			}
			if w == "7" || w == "8" {
				alts = append(alts, "[[#N:]]", "[[#%x,M:]]", "[[#@LINE]]")
			}
			for _, use := range [][2]string{{"[R:", "[[R]]"}, {"[S:", "[[S]]"}, {"#N:", "[[#N+1]]"}, {"x,M", "[[#M]]"}} {
				if define[use[0]] {
					alts = append(alts, use[1])
				}
			}
			words[i] = alts[r.IntN(len(alts))]
			if suffix == "-LABEL" {
				words[i] = w
			}
			for _, name := range []string{"[R:", "[S:", "#N:", "x,M"} {
				define[name] = define[name] || strings.Contains(words[i], name)
			}
		}
		if suffix == "-EMPTY" {
			words = nil
		}
		if suffix == "-NOT" && r.IntN(3) > 0 {
			words = []string{"x"}
		}
		if len(words) > 1 && r.IntN(8) == 0 {
			words = words[:len(words)/2]
		}
		fmt.Fprintf(&check, "%sCHECK%s: %s\n", pick("", "", "; ", "; ", "; ", "X"), suffix, strings.Join(words, pick(between, between, between, " ", "")))
	}
	return pair{check.String(), input.String(), pick("", "", "", "--match-full-lines", "--strict-whitespace", "--enable-var-scope",
		"--ignore-case", "--implicit-check-not=r2", "-DR=r1 -D#N=7", "--strict-whitespace --match-full-lines")}
}
