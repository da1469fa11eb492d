package ll

import (
	"bytes"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/internal/judges"
	"github.com/ptxlower/ptxlower/internal/testutil"
	"github.com/ptxlower/ptxlower/ir/ll/lltest"
)

const bigSize = 5 << 20

func TestBigModuleIsAcceptedByLLVM(t *testing.T) {
	as := judges.Need(t, "llvm-as-22")
	cmd := exec.Command(as, "-o", "/dev/null")
	cmd.Stdin = bytes.NewReader(lltest.Big(t, bigSize))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// Processor times of both in turn, the best of each: what else runs on the
// machine slows both.
func TestReadingTakesAQuarterOfTheTimeOfLLVM(t *testing.T) {
	as := judges.Need(t, "llvm-as-22")
	text := lltest.Big(t, bigSize)
	var theirs, ours time.Duration
	for n := range 8 {
		cmd := exec.Command(as, "-o", "/dev/null")
		cmd.Stdin = bytes.NewReader(text)
		require.NoError(t, cmd.Run())
		if d := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); n == 0 || d < theirs {
			theirs = d
		}
		for range 4 {
			var l diag.List
			runtime.GC()
			start := testutil.ProcessorTime(t)
			Parse(diag.NewFile("big", text), &l)
			if d := testutil.ProcessorTime(t) - start; ours == 0 || d < ours {
				ours = d
			}
			require.NoError(t, l.Err())
		}
		if n > 0 && 4*ours <= theirs {
			break
		}
	}
	rate := func(d time.Duration) float64 { return float64(len(text)) / 1e6 / d.Seconds() }
	t.Logf("ours %.0f MB/s, llvm-as-22 %.0f MB/s: %.1f times", rate(ours), rate(theirs), theirs.Seconds()/ours.Seconds())
	require.LessOrEqual(t, 4*ours, theirs)
}

func TestMemoryIsAtMost15TimesTheSource(t *testing.T) {
	text := lltest.Big(t, bigSize)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var l diag.List
	m := Parse(diag.NewFile("big", text), &l)
	runtime.ReadMemStats(&after)
	require.NoError(t, l.Err())
	ratio := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
	t.Logf("allocated %.1f times the source in %d allocations; %d functions", ratio, after.Mallocs-before.Mallocs, len(m.Funcs))
	require.Less(t, ratio, 15.0)
}

func BenchmarkParse(b *testing.B) {
	text := lltest.Big(b, bigSize)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var l diag.List
		if Parse(diag.NewFile("big", text), &l); l.Err() != nil {
			b.Fatal(l.Err())
		}
	}
}

func BenchmarkLex(b *testing.B) {
	text := string(lltest.Big(b, bigSize))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x := lexer{src: text}
		for x.next().kind != tEOF {
		}
	}
}
