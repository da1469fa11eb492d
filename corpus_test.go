package ptxlower_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/targets"
)

// corpusTargets are the targets that each file is lowered for; "" is its own.
var corpusTargets = []string{"sm_70", "gfx900", ""}

func corpus(t *testing.T) map[string][]byte {
	dir := testutil.Shared(t, "corpus/ll")
	paths, err := filepath.Glob(filepath.Join(dir, "*.ll"))
	require.NoError(t, err)
	require.Len(t, paths, 127)
	files := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		files[filepath.Base(p)] = text
	}
	return files
}

// lowerings are kept for all tests.
var lowerings sync.Map

// lowerLLVM lowers a file, or reports that its video instructions stand in the
// way as they should on targets that are not NVIDIA's.
func lowerLLVM(t *testing.T, name string, src []byte, target string) (out []byte, ok bool) {
	type lowering struct {
		res *ptxlower.Result
		err error
	}
	memo, _ := lowerings.LoadOrStore([2]string{name, target}, sync.OnceValue(func() lowering {
		res, err := ptxlower.Lower(context.Background(), name, src, ptxlower.Options{Target: target, Emit: ptxlower.EmitLLVM})
		return lowering{res, err}
	}))
	l := memo.(func() lowering)()
	res, err := l.res, l.err
	if strings.HasPrefix(name, "video") && res.Target.Vendor != targets.NVIDIA {
		require.ErrorIs(t, err, ptxlower.ErrInput)
		require.Contains(t, res.Diags[0].Text, "vsub.s32.s32.s32.add is a video instruction")
		return nil, false
	}
	require.NoError(t, err, "%s %s: %v", name, target, res.Diags)
	return res.Output, true
}

var (
	called   = regexp.MustCompile(` asm |@_Z5m(ul|ad)24`)
	declared = regexp.MustCompile(`^declare `)
)

func TestOnlyCallLinesAndDeclaresOfTheCorpusChange(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		for _, target := range corpusTargets {
			out, ok := lowerLLVM(t, name, src, target)
			if !ok {
				continue
			}
			gone, added := changes(string(src), string(out))
			for _, l := range gone {
				if !called.MatchString(l) {
					require.True(t, renamed(l, added), "%s %s: this line is gone: %s", name, target, l)
				}
			}
			for _, l := range added {
				if strings.Contains(l, "%ptxl.c") {
					continue
				}
				require.True(t, strings.HasPrefix(strings.TrimSpace(l), "%") || declared.MatchString(l) || l == "",
					"%s %s: this line is new: %s", name, target, l)
			}
		}
	}
}

var ofChain = regexp.MustCompile(`%ptxl\\\.c\d+\\\.[rs][0-9\\.]+`)

// renamed reports that a line is there with other names of values: those of the
// results of chains.
func renamed(line string, added []string) bool {
	return slices.ContainsFunc(added, func(l string) bool {
		pattern := ofChain.ReplaceAllString(regexp.QuoteMeta(l), `%[-\w.$$]+`)
		return strings.Contains(l, "%ptxl.c") && regexp.MustCompile("^"+pattern+"$").MatchString(line)
	})
}

// changes lists the lines of a that b lacks and those of b that a lacks, where
// the rest has the same order in both.
func changes(a, b string) (gone, added []string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	count := map[string]int{}
	for _, l := range y {
		count[l]++
	}
	for _, l := range x {
		if count[l] > 0 {
			count[l]--
		} else {
			gone = append(gone, l)
		}
	}
	count = map[string]int{}
	for _, l := range x {
		count[l]++
	}
	for _, l := range y {
		if count[l] > 0 {
			count[l]--
		} else {
			added = append(added, l)
		}
	}
	return gone, added
}

// emulated matches forms that ptxas takes apart.
var emulated = regexp.MustCompile(`vmad|m(ul|ad)24`)

func TestNoFamilySiteOfTheCorpusIsLeft(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		for _, target := range corpusTargets {
			out, ok := lowerLLVM(t, name, src, target)
			if !ok {
				continue
			}
			reps, _, err := ptxlower.Sites(name, out)
			require.NoError(t, err)
			lines := strings.Split(string(out), "\n")
			for _, r := range reps {
				if strings.Contains(lines[r.Line-1], "%ptxl.c") {
					continue // a chain that was written again
				}
				if (target == "sm_70" || target == "" && bytes.Contains(src, []byte("nvptx"))) && !emulated.MatchString(strings.Join(r.Forms, " ")) {
					continue // of a chain of carries, which the GPU has
				}
				require.NotEmpty(t, r.Kept, "%s %s: line %d has %v", name, target, r.Line, r.Forms)
			}
		}
	}
}

func TestTheLoweredCorpusIsAcceptedByTheLLVMThatWroteIt(t *testing.T) {
	t.Parallel()
	version := regexp.MustCompile(`clang(\d+)`)
	for name, src := range corpus(t) {
		seen := map[string]bool{} // most targets give the same text
		for _, target := range corpusTargets {
			out, ok := lowerLLVM(t, name, src, target)
			if !ok || seen[string(out)] {
				continue
			}
			seen[string(out)] = true
			as := judges.Need(t, "llvm-as-"+version.FindStringSubmatch(name)[1])
			cmd := exec.Command(as, "-o", os.DevNull, "-")
			cmd.Stdin = bytes.NewReader(out)
			text, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s %s: %s", name, target, text)
		}
	}
}

func TestEveryFunctionOfTheCorpusIsListed(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		for _, target := range []string{"sm_70", "gfx900"} {
			res, err := ptxlower.Lower(context.Background(), name, src, ptxlower.Options{Target: target, Emit: ptxlower.EmitAsm})
			if strings.HasPrefix(name, "video") && target == "gfx900" {
				require.ErrorIs(t, err, ptxlower.ErrInput)
				continue
			}
			require.NoError(t, err, "%s %s: %v", name, target, res.Diags)
			for _, f := range regexp.MustCompile(`(?m)^define .*?@([\w.]+)\(`).FindAllSubmatch(src, -1) {
				require.Regexp(t, `(?m)^`+regexp.QuoteMeta(string(f[1]))+`(\.\d+)?:`, string(res.Output), "%s %s", name, target)
			}
			for _, d := range res.Diags {
				require.NotEqual(t, diag.Error, d.Severity)
			}
		}
	}
}

// What is printed for the corpus is proved: each listing and each site. Listings
// with branches are the exception, and named.
func TestTheLoweredCorpusIsProved(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	stride := 4
	if os.Getenv("PTXLOWER_FULL") == "1" {
		stride = 1
	}
	proved, open := 0, 0
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i%stride != 0 && name != "sieve96.clang14.O1.ll" {
			continue
		}
		for _, target := range []string{"sm_70", "sm_10", "gfx900", ""} {
			opt := ptxlower.Options{Target: target, Verify: ptxlower.VerifyProve, Emit: ptxlower.EmitAsm}
			if target == "" {
				opt.Emit = ptxlower.EmitLLVM
			}
			res, err := ptxlower.Lower(context.Background(), name, files[name], opt)
			if strings.HasPrefix(name, "video") && res.Target.Vendor != targets.NVIDIA {
				require.ErrorIs(t, err, ptxlower.ErrInput)
				continue
			}
			for _, d := range res.Diags {
				if d.ID == "not-proved" {
					require.Contains(t, d.Text, "a listing with branches", "%s %s: %s", name, target, d.Text)
					open++
				}
			}
			if err != nil {
				require.ErrorIs(t, err, ptxlower.ErrUndecided, "%s %s: %v", name, target, res.Diags)
			}
			proved += res.Proved
		}
	}
	t.Logf("%d sites and functions proved, %d listings with branches", proved, open)
	require.NotZero(t, proved)
}
